//! What a person or a machine sees of a run while it goes on: bars on a terminal, plain lines elsewhere, or NDJSON.
//!
//! A reader of committed events. Progress goes to standard error, NDJSON to standard output.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::count;
use crate::game::record::GameId;
use crate::pairing::history::PairingNumber;
use crate::report;
use crate::report::machine::Machine;
use crate::report::{byes, waiting};
use crate::run::Notice;
use crate::run::conduct::{Entry, Reader};
use crate::standings::Standings;
use crate::tournament::arbiter::Absence;
use crate::tournament::event::{Event, GameFinished, PlayoffPaired, RoundPaired};
use crate::tournament::mini_match::MiniMatch;
use crate::tournament::state::State;
use crate::tournament::waiting::Wait;

/// Most mini-matches shown as lines of their own.
const SHOWN: usize = 12;
/// How often bars are drawn anew at most.
const REDRAW: Duration = Duration::from_millis(100);
/// Version of the shape of NDJSON lines.
const SCHEMA: u32 = 1;

/// How much is shown, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Bars on a terminal; lines where it cannot draw.
    Bars,
    /// A line for each mini-match and round.
    Lines,
    /// NDJSON on standard output.
    Json,
    /// Nothing.
    Quiet,
}

/// The console of a run.
pub(super) struct Console {
    mode: Mode,
    bars: Option<Bars>,
    begun: Instant,
    /// Games committed since `begun`.
    games: usize,
    /// What the event waits for.
    wait: Option<Wait>,
    /// Warnings that came before the run has begun; `None` since.
    early: RefCell<Option<Vec<Value>>>,
}

impl Drop for Console {
    /// Of a run that was refused they are told all the same.
    fn drop(&mut self) {
        self.tell_early();
    }
}

struct Bars {
    screen: MultiProgress,
    round: ProgressBar,
    boards: Vec<ProgressBar>,
    drawn: Instant,
}

impl Console {
    /// A console for a run that starts or goes on now.
    #[must_use]
    pub(super) fn new(mode: Mode) -> Self {
        Self {
            mode,
            // A terminal that cannot draw (TERM is "dumb", or not set) shows lines.
            bars: (mode == Mode::Bars)
                .then(Bars::new)
                .filter(|bars| !bars.screen.is_hidden()),
            begun: Instant::now(),
            games: 0,
            wait: None,
            early: RefCell::new(Some(Vec::new())),
        }
    }

    /// A line for people.
    pub(super) fn say(&self, line: &str) {
        match (&self.bars, self.mode) {
            (Some(bars), _) => {
                // A terminal that has gone is no reason to stop an event.
                let _ = bars.screen.println(line);
            }
            (None, Mode::Quiet | Mode::Json) => {}
            (None, _) => {
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }

    /// What is probably not meant; in NDJSON too, where the first object is that the run has begun.
    pub(super) fn warn(&self, text: &str) {
        self.say(&format!("warning: {text}"));
        let warning = json!({ "schema": SCHEMA, "type": "warning", "text": text });
        match &mut *self.early.borrow_mut() {
            Some(early) => early.push(warning),
            None => self.ndjson(&warning),
        }
    }

    /// What is worth a sentence before the run is played.
    pub(super) fn notice(&self, notice: &Notice) {
        match notice.is_warning() {
            true => self.warn(&notice.to_string()),
            false => self.say(&notice.to_string()),
        }
    }

    /// Lets go the warnings that came before the run has begun.
    fn tell_early(&self) {
        let early = self.early.take();
        early.iter().flatten().for_each(|warning| self.ndjson(warning));
    }

    fn ndjson(&self, value: &Value) {
        if self.mode == Mode::Json {
            let _ = writeln!(std::io::stdout(), "{value}");
        }
    }

    /// A run begins or goes on.
    pub(super) fn begin(&self, state: &State, resumed: bool) {
        let created = state.created();
        let (planned, done) = state.progress();
        self.ndjson(&json!({
            "schema": SCHEMA, "type": if resumed { "resumed" } else { "started" }, "event": state.setup().event.name,
            "players": state.player_count(), "rounds": created.rounds, "format": created.format,
            "games_scheduled": planned, "games_finished": done,
        }));
        self.tell_early();
    }

    /// A pairing, by names.
    fn round_json(&self, what: &str, state: &State, paired: &RoundPaired) {
        let name = |number: PairingNumber| state.player(number).name.as_str();
        let pairing = &paired.pairing;
        let pairs = pairing.pairs.iter();
        let pairs = pairs.map(|p| json!({ "white": name(p.white), "black": name(p.black), "repeat": p.repeat }));
        let mut line = json!({
            "schema": SCHEMA, "type": what, "round": paired.round, "pairs": pairs.collect::<Vec<_>>(),
            "bye": pairing.bye.map(name),
        });
        if !pairing.further_byes.is_empty() {
            let further = pairing.further_byes.iter().map(|player| name(*player));
            line["further_byes"] = further.collect::<Vec<_>>().into();
        }
        if !pairing.again.is_empty() {
            let again = pairing.again.iter().map(|player| name(*player));
            line["bye_again"] = again.collect::<Vec<_>>().into();
        }
        if let Some(starts) = paired.starts {
            line["starts"] = starts.to_string().into();
        }
        self.ndjson(&line);
    }

    fn acted(&self, by: &str, what: &str, reason: &str) {
        self.say(&format!("arbiter: {by} {what}: {reason}"));
        self.ndjson(&json!({ "schema": SCHEMA, "type": "acted", "by": by, "did": what, "reason": reason }));
    }

    fn playoff_paired(&self, state: &State, paired: &PlayoffPaired) {
        let name = |number: PairingNumber| state.player(number).name.as_str();
        let boards = paired.boards.iter();
        let pairs: Vec<String> = boards
            .map(|board| format!("{} – {}", name(board.white), name(board.black)))
            .collect();
        self.say(&format!("Play-off round {}: {}", paired.playoff, pairs.join(", ")));
        if let Some(later) = paired.later {
            self.say(&format!("warning: {}", report::playoff::later(later)));
        }
        let boards = paired.boards.iter().map(|board| {
            json!({
                "contest": board.contest.to_string(), "white": name(board.white), "black": name(board.black),
                "games": board.games, "time_controls": board.limits,
            })
        });
        self.ndjson(&json!({
            "schema": SCHEMA, "type": "playoff_paired", "round": paired.round, "playoff": paired.playoff,
            "boards": boards.collect::<Vec<_>>(), "later": paired.later,
        }));
    }

    fn game(&mut self, state: &State, finished: &GameFinished) {
        self.games += 1;
        if self.mode == Mode::Json {
            self.ndjson(&json!({
                "schema": SCHEMA, "type": "game_finished", "round": finished.id.round, "playoff": finished.id.playoff, "board": finished.id.mini_match,
                "game": finished.id.game, "white": state.player(finished.white).name,
                "black": state.player(finished.black).name, "result": finished.outcome.pgn(),
                "termination": finished.termination, "plies": finished.plies,
                "failed_attempts": finished.failed_attempts, "in_doubt": finished.in_doubt,
            }));
        }
        let Some(board) = state.mini_match(finished.id) else {
            return;
        };
        if board.is_over() {
            self.mini_match(state, finished.id, board);
        }
        let is_of_round = finished.id.playoff == 0;
        if let Some(round) = state.rounds().last().filter(|round| is_of_round && round.is_over()) {
            let number = state.rounds().len();
            let standings = (!state.is_divided()).then(|| state.standings(number));
            let leads = standings
                .as_ref()
                .map_or_else(String::new, |standings| leads(state, standings));
            self.say(&format!("Round {number} is over{leads}"));
            let games = round.mini_matches.iter().flat_map(|board| board.games.iter().flatten());
            let machine = Machine::of(games);
            if let Some(machine) = machine {
                self.say(&format!("  the machine: {}", machine.sentence()));
            }
            let first = standings.as_ref().and_then(|standings| standings.rows.first());
            let leader = first.map(|row| &state.player(row.player).name);
            self.ndjson(&json!({
                "schema": SCHEMA, "type": "round_over", "round": number, "leader": leader, "in_doubt": machine,
            }));
        }
    }

    fn mini_match(&self, state: &State, id: GameId, board: &MiniMatch) {
        let (white, black) = (board.pair.white, board.pair.black);
        let table = &state.setup().scoring;
        let score = board.game_points(white, table);
        let other = board.game_points(black, table);
        let (white, black) = (&state.player(white).name, &state.player(black).name);
        let of_round = match id.playoff {
            0 => format!("round {}", id.round),
            playoff => format!("play-off round {playoff}"),
        };
        self.say(&format!(
            "  {of_round} board {}: {white} {score} – {other} {black}",
            id.mini_match
        ));
        self.ndjson(&json!({
            "schema": SCHEMA, "type": "mini_match_over", "round": id.round, "playoff": id.playoff, "board": id.mini_match, "white": white,
            "black": black, "white_game_points": score, "black_game_points": other,
        }));
    }

    /// The last object of NDJSON: how the runner ended (`"complete"`, `"interrupted"`, `"decision"`, `"no-pairing"`), the standings, and the
    /// play-off where there is one.
    pub(super) fn result(&self, state: &State, kind: &str) {
        if self.mode == Mode::Json {
            let standings = report::parts::standings_json(state, state.rounds().len());
            // Written by this program a moment ago.
            let standings: Value = serde_json::from_str(&standings).unwrap_or_default();
            let mut last = json!({ "schema": SCHEMA, "type": kind });
            match report::tour::report(state) {
                // As above.
                Some((_, tour)) => last["tour"] = serde_json::from_str(&tour).unwrap_or_default(),
                None => last["standings"] = standings,
            }
            if let Some(playoff) = report::playoff::json(state) {
                // As above.
                last["playoff"] = serde_json::from_str(&playoff).unwrap_or_default();
            }
            self.ndjson(&last);
        }
    }

    /// The run ends here.
    pub(super) fn end(&mut self) {
        if let Some(bars) = self.bars.take() {
            // As above: drawing is not what an event depends on.
            let _ = bars.screen.clear();
        }
    }
}

impl Reader for Console {
    fn committed(&mut self, state: &State, entry: &Entry) {
        match &entry.event {
            Event::RoundPaired(paired) => {
                let name = |number: PairingNumber| state.player(number).name.as_str();
                let bye = |player| name(player).to_owned() + byes::note(state, &paired.pairing, player);
                let byes: Vec<String> = paired.pairing.byes().map(bye).collect();
                let repeats = paired.pairing.pairs.iter().filter(|pair| pair.repeat).count();
                let mut line = format!("Round {} of {}", paired.round, state.created().rounds);
                if !byes.is_empty() {
                    line += &format!(", bye: {}", byes.join(", "));
                }
                if repeats > 0 {
                    line += &format!(", {repeats} forced repeat{}", if repeats == 1 { "" } else { "s" });
                }
                self.say(&line);
                self.round_json("round_paired", state, paired);
            }
            Event::StageBegun(begun) => {
                let names: Vec<&str> = begun.players.iter().map(|&n| state.player(n).name.as_str()).collect();
                self.say(&format!("Stage {} begins: {}", begun.stage, names.join(", ")));
                self.ndjson(&json!({
                    "schema": SCHEMA, "type": "stage_begun", "stage": begun.stage, "players": names,
                }));
            }
            Event::GameFinished(finished) => self.game(state, finished),
            Event::PlayoffPaired(paired) => self.playoff_paired(state, paired),
            Event::LotDrawn(lot) => {
                let name = |number: &PairingNumber| state.player(*number).name.as_str();
                let drawn: Vec<&str> = lot.drawn.iter().map(name).collect();
                self.say(&format!("Lot: {}: {}", lot.purpose, drawn.join(", ")));
                self.ndjson(&json!({
                    "schema": SCHEMA, "type": "lot_drawn", "purpose": lot.purpose.to_string(), "drawn": drawn,
                }));
            }
            // The last two of these come from `analyse`, which has no conductor.
            Event::Created(_) | Event::Resumed(_) | Event::AnalysisBegun(_) | Event::GameAnalysed(_) => {}
            Event::Acted(acted) => self.acted(&acted.by, &acted.act.done(state), &acted.reason),
            Event::Decided(decided) => self.acted(&decided.by, "decided a tie", &decided.reason),
            Event::PresenceChecked(checked) => {
                let name = |absence: &Absence| format!("{} ({})", state.player(absence.player).name, absence.why);
                let absent: Vec<String> = checked.absent.iter().map(name).collect();
                if !absent.is_empty() {
                    self.say(&format!("absent from round {}: {}", checked.round, absent.join(", ")));
                }
                self.ndjson(&json!({
                    "schema": SCHEMA, "type": "presence_checked", "round": checked.round, "absent": absent,
                }));
            }
        }
    }

    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>) {
        let (games, begun, wait) = (self.games, self.begun, self.wait);
        if let Some(bars) = &mut self.bars {
            bars.draw(state, playing, games, begun.elapsed(), wait);
        }
    }

    fn waiting(&mut self, state: &State, wait: Option<Wait>) {
        self.wait = wait;
        let Some(wait) = wait else { return };
        self.say(&waiting::sentence(
            wait,
            Timestamp::now(),
            &state.setup().schedule.time_zone,
        ));
        let mut object = waiting::json(wait);
        (object["schema"], object["type"]) = (SCHEMA.into(), "waiting".into());
        self.ndjson(&object);
    }

    fn proposed(&mut self, state: &State, paired: &RoundPaired) {
        let name = |number: PairingNumber| state.player(number).name.as_str();
        self.say(&format!("Round {} would be:", paired.round));
        for (board, pair) in (1..).zip(&paired.pairing.pairs) {
            let repeat = if pair.repeat { " (repeat)" } else { "" };
            self.say(&format!(
                "  {board}. {} – {}{repeat}",
                name(pair.white),
                name(pair.black)
            ));
        }
        for player in paired.pairing.byes() {
            let note = byes::note(state, &paired.pairing, player);
            self.say(&format!("  bye: {}{note}", name(player)));
        }
        self.say("it waits for a yes: `swissmatch arbiter confirm`");
        self.round_json("round_proposed", state, paired);
    }

    fn stopping(&mut self, playing: usize) {
        let games = if playing == 1 { "the game" } else { "the games" };
        self.say(&format!(
            "stopping: {games} under way ({playing}) will be finished and saved; once more stops at once"
        ));
    }

    fn remark(&mut self, sentence: &str) {
        self.say(sentence);
    }

    fn warn(&mut self, sentence: &str) {
        Self::warn(self, sentence);
    }
}

impl Bars {
    fn new() -> Self {
        let screen = MultiProgress::new();
        let round = screen.add(ProgressBar::new(0));
        let style = ProgressStyle::with_template("{prefix} [{wide_bar:.green/dim}] {pos}/{len} games {msg}");
        round.set_style(style.expect("the template is right").progress_chars("=> "));
        Self {
            screen,
            round,
            boards: Vec::new(),
            drawn: Instant::now(),
        }
    }

    fn draw(&mut self, state: &State, playing: &BTreeSet<GameId>, games: usize, elapsed: Duration, wait: Option<Wait>) {
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        let wait = wait.map(|wait| waiting::sentence(wait, Timestamp::now(), &state.setup().schedule.time_zone));
        let Some(sitting) = state.sittings().last() else {
            self.round.set_message(wait.unwrap_or_default());
            return;
        };
        let boards = || sitting.mini_matches.iter();
        let (total, done) = (
            boards().map(|b| b.games.len()).sum::<usize>(),
            boards().map(finished).sum::<usize>(),
        );
        self.round.set_length(total as u64);
        self.round.set_position(done as u64);
        let rounds = state.created().rounds as usize;
        self.round.set_prefix(match sitting.playoff {
            0 => format!("Round {}/{rounds}", sitting.round),
            playoff => format!("Play-off round {playoff}"),
        });
        // How long a play-off goes on nobody knows.
        let (of_event, before) = match sitting.playoff {
            0 => (total * rounds, total * (state.rounds().len() - 1)),
            _ => (total, 0),
        };
        let pace = || pace(games, elapsed, of_event - (before + done).min(of_event));
        self.round.set_message(wait.unwrap_or_else(pace));

        let running: BTreeSet<u32> = playing.iter().map(|id| id.mini_match).collect();
        let table = &state.setup().scoring;
        let lines = running.iter().take(SHOWN).filter_map(|&number| {
            let board = sitting.mini_matches.get(number as usize - 1)?;
            let (white, black) = (board.pair.white, board.pair.black);
            let score = (board.game_points(white, table), board.game_points(black, table));
            let (white, black) = (&state.player(white).name, &state.player(black).name);
            let (done, all) = (finished(board), board.games.len());
            Some(format!(
                "  {number:>3}  {white} {} – {} {black}  ({done}/{all})",
                score.0, score.1
            ))
        });
        let mut lines: Vec<String> = lines.collect();
        if running.len() > SHOWN {
            lines.push(format!("       and {} more", running.len() - SHOWN));
        }
        while self.boards.len() < lines.len() {
            let line = self.screen.add(ProgressBar::new_spinner());
            line.set_style(ProgressStyle::with_template("{msg}").expect("the template is right"));
            self.boards.push(line);
        }
        lines.resize(self.boards.len(), String::new());
        for (bar, line) in self.boards.iter().zip(lines) {
            bar.set_message(line);
        }
    }
}

fn finished(board: &MiniMatch) -> usize {
    board.games.iter().flatten().count()
}

/// Games a second, and the time left for `left` games at that pace.
fn pace(games: usize, elapsed: Duration, left: usize) -> String {
    let millis = elapsed.as_millis().max(1);
    let tenths_a_second = games as u128 * 10_000 / millis;
    let rate = format!("{}.{}/s", tenths_a_second / 10, tenths_a_second % 10);
    if games == 0 {
        return rate;
    }
    let seconds = left as u128 * millis / games as u128 / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{rate}, event {hours}:{minutes:02}:{seconds:02} left")
}

/// Who leads: all who share the first place, the first two of them by name.
fn leads(state: &State, standings: &Standings) -> String {
    let first = standings.rows.iter().filter(|row| row.place == 1);
    let names: Vec<&str> = first.map(|row| state.player(row.player).name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        all if all.len() > 1 && all.len() == standings.rows.len() => "; all are level".to_owned(),
        [one] => format!("; {one} leads"),
        [one, other] => format!("; {one} and {other} lead"),
        [one, other, more @ ..] => {
            format!("; {one}, {other} and {} lead", count::of(more.len(), "other", "others"))
        }
    }
}
