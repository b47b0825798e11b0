//! What a person or a machine sees of a run while it goes on: bars on a terminal, plain lines elsewhere, or NDJSON.
//!
//! A reader of committed events. Progress goes to standard error, NDJSON to standard output.

mod bars;
mod between;
mod fault_lines;
mod line;
pub(super) mod pace;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::Standings;

use swissmatch_config::match_words::Dialect;
use swissmatch_game::record::GameId;
use swissmatch_host::machine;
use swissmatch_report as report;
use swissmatch_report::gate::Gate;
use swissmatch_report::live_figures::{LiveMatchFigures, LiveRatings};
use swissmatch_report::machine::Machine;
use swissmatch_report::versus::{self, Versus};
use swissmatch_report::{after_round, byes, faults, stop, waiting};
use swissmatch_run::Notice;
use swissmatch_run::conduct::{CommittedEntry, Reader, RunEnd};
use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::log::{Entry, GameFinished, RoundPaired};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::{MiniMatch, State};
use swissmatch_tournament::waiting::Wait;

use super::output::print;
use super::screen;

use bars::{Bars, HoldReason};
use fault_lines::{FaultLines, OfGame};
use line::{
    EndLine, EventStoppedLine, GameOverLine, HeldGame, MiniMatchOver, RoundPairingLine, RunBegunLine, RunLine, names,
};
use pace::Pace;

/// In between nothing is told more often than after so many games, unless that was asked for.
const FEWEST: u32 = 10;

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
    /// How fast games are played.
    pace: Pace,
    /// What has been told of faults.
    faults: FaultLines,
    /// Of a match of two players, how it stands.
    versus: Versus,
    /// How often that is told.
    every: Every,
    /// Games that have ended, those of earlier runners too.
    finished: usize,
    /// The first game of the mini-match whose end was told last.
    over: Option<GameId>,
    /// What the event waits for that time brings.
    wait: Option<Wait>,
    /// Since when the event has been paused.
    paused: Option<Instant>,
    /// The round whose pairing waits to be confirmed.
    proposed: Option<u32>,
    /// Warnings that came before the run has begun; `None` since.
    early: RefCell<Option<Vec<String>>>,
    /// Whose words the event file is written by.
    asked_in: Option<Dialect>,
}

/// After how many games of a match something of it is told; 0: not in between.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Every {
    /// All figures, or the ratings of more than two players.
    pub(super) figures: u32,
    /// The score.
    pub(super) score: u32,
    /// Whether ratings of more than two players are told ten times where `figures` is 0, and at the end.
    pub(super) ratings: bool,
}

impl Drop for Console {
    /// Of a run that was refused they are told all the same.
    fn drop(&mut self) {
        self.tell_early();
    }
}

/// The last line of `gate --json`.
pub(super) fn line_of_gate(gate: &Gate, dir: Option<&Path>) -> String {
    let line = RunLine::Gate {
        outcome: gate.outcome,
        why: &gate.why,
        run: dir.map(|dir| dir.display().to_string()),
    };
    line.text()
}

/// The last line of NDJSON where nothing begins.
pub(super) fn line_of_refusal(exit_code: u8, text: &str) -> String {
    RunLine::Refused { exit_code, text }.text()
}

/// The last line of `league run --json`; `night` is its JSON.
pub(super) fn line_of_league(night: &str) -> String {
    let night = serde_json::from_str(night).expect("its JSON");
    RunLine::League { night }.text()
}

impl Console {
    /// A console for a run that starts or goes on now.
    pub(super) fn new(mode: Mode, every: Every) -> Self {
        Self {
            mode,
            every,
            finished: 0,
            over: None,
            // A terminal that cannot draw (TERM is "dumb", or not set) shows lines.
            bars: (mode == Mode::Bars)
                .then(Bars::new)
                .filter(|bars| !bars.screen.is_hidden()),
            pace: Pace::new(Instant::now()),
            faults: FaultLines::default(),
            versus: Versus::none(),
            wait: None,
            paused: None,
            proposed: None,
            early: RefCell::new(Some(Vec::new())),
            asked_in: None,
        }
    }

    /// The same, saying what to write by the words of those who wrote the event file by them.
    pub(super) fn in_words_of(mut self, asked_in: Option<Dialect>) -> Self {
        self.asked_in = asked_in;
        self
    }

    /// A line for people.
    pub(super) fn say(&self, line: &str) {
        if self.tells_people() {
            screen::say(&self.told(line));
        }
    }

    /// In the words of those who wrote the event file by them.
    fn told(&self, text: &str) -> String {
        match self.asked_in {
            Some(dialect) => dialect.in_words(text),
            None => text.to_owned(),
        }
    }

    const fn tells_people(&self) -> bool {
        !matches!(self.mode, Mode::Quiet | Mode::Json)
    }

    /// What makes the exit code another than 0: said in quiet mode, too.
    pub(super) fn error(&self, text: &str) {
        match self.mode {
            Mode::Quiet => screen::say(&format!("swissmatch: {}", self.told(text))),
            _ => self.warn(text),
        }
    }

    /// What is probably not meant; in NDJSON too, where the first object is that the run has begun.
    pub(super) fn warn(&self, text: &str) {
        let text = &self.told(text);
        self.say(&format!("warning: {text}"));
        match &mut *self.early.borrow_mut() {
            Some(early) => early.push(text.to_owned()),
            None => self.json(|| RunLine::Warning { text }),
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
        let early = early.iter().flatten();
        early.for_each(|text| self.json(|| RunLine::Warning { text }));
    }

    fn json<'a>(&self, line: impl FnOnce() -> RunLine<'a>) {
        if self.mode == Mode::Json {
            print(&(line().text() + "\n"));
        }
    }

    /// A run begins or goes on.
    pub(super) fn begin(&mut self, state: &State, resumed: bool) {
        self.paused = state.orders().paused.is_some().then(Instant::now);
        self.versus = Versus::now(state);
        (_, self.finished) = state.progress();
        let planned = u32::try_from(games_planned(state)).unwrap_or(u32::MAX);
        let parts = match self.mode {
            Mode::Json => Some(100),
            Mode::Quiet => None,
            _ => (self.every.ratings && state.player_count() > 2).then_some(10),
        };
        if let Some(parts) = parts.filter(|_| self.every.figures == 0) {
            self.every.figures = (planned / parts).max(FEWEST);
        }
        self.json(|| match resumed {
            true => RunLine::Resumed(RunBegunLine::new(state)),
            false => RunLine::Started(RunBegunLine::new(state)),
        });
        self.tell_early();
    }

    fn acted(&self, by: &str, did: &str, reason: &str) {
        self.say(&format!("arbiter: {by} {did}: {reason}"));
        self.json(|| RunLine::Acted { by, did, reason });
    }

    /// Says when a pause begins, and when it ends.
    fn pause(&mut self, state: &State) {
        match (self.paused, &state.orders().paused) {
            (None, Some(_)) => {
                self.paused = Some(Instant::now());
                self.say("PAUSED: no game begins until `swissmatch arbiter resume`");
            }
            (Some(since), None) => {
                self.paused = None;
                self.say(&format!(
                    "the event goes on after a pause of {}",
                    waiting::left(since.elapsed())
                ));
            }
            _ => {}
        }
    }

    /// Nothing begins: the last line of NDJSON says why. People are told where all errors are.
    pub(super) fn refused(&self, exit_code: u8, text: &str) {
        self.tell_early();
        self.json(|| RunLine::Refused { exit_code, text });
    }

    /// Who is at fault that a game ended, and who gave an alarm; this is said to people.
    fn faults(&mut self, state: &State, finished: &GameFinished, committed: &CommittedEntry) -> OfGame {
        let of_game = self.faults.of_game(state, finished, committed);
        of_game.lines.iter().for_each(|line| self.say(line));
        of_game
    }

    fn game(&mut self, state: &State, finished: &GameFinished, of_game: &OfGame) {
        self.json(|| RunLine::GameFinished(GameOverLine::new(state, finished, &of_game.faults, &of_game.alarms)));
        // A match that its test ended was over with the verdict, whatever ends after it.
        if state.verdict().is_none() {
            self.over(state, finished.id);
        }
    }

    /// What is over with a game.
    fn over(&mut self, state: &State, id: GameId) {
        let Some(board) = state.mini_match(id) else {
            return;
        };
        if board.is_over() {
            // The verdict on a match may come with its last game, and after it.
            let first = GameId { game: 1, ..id };
            if self.over.replace(first) == Some(first) {
                return;
            }
            self.mini_match(state, id, board);
            self.pace.told(Instant::now());
        }
        let is_of_round = id.playoff == 0;
        if let Some(round) = state.rounds().last().filter(|round| is_of_round && round.is_over()) {
            let number = state.rounds().len();
            let standings = (!state.is_divided()).then(|| standings_after(state, number));
            // Of a ladder its ratings tell how it stands.
            if state.setup().ladder.round.is_none() {
                self.standings(state, number, standings.as_ref());
            }
            let games = round.mini_matches.iter().flat_map(|board| board.games.iter().flatten());
            let in_doubt = Machine::of(games, state.setup());
            if let Some(machine) = in_doubt {
                self.say(&format!("  the machine: {}", machine.sentence()));
            }
            let rows = standings.iter().flat_map(|standings| &standings.rows);
            let first = rows.filter(|row| row.place == 1);
            self.json(|| RunLine::RoundOver {
                round: number,
                leaders: first.map(|row| state.player(row.player).name.as_str()).collect(),
                in_doubt,
            });
        }
    }

    /// How it stands after a round.
    fn standings(&self, state: &State, round: usize, standings: Option<&Standings>) {
        let leads = standings.map_or_else(String::new, |standings| leads(state, standings));
        self.say(&format!("Round {round} is over{leads}"));
        let places = match standings {
            Some(standings) => after_round::places(state, standings),
            None => after_round::places_of_parts(state, round),
        };
        for line in places.into_iter().chain(after_round::sat_out(state, round)) {
            self.say(&format!("  {line}"));
        }
    }

    /// Tells machines the figures of a match of two, and everybody the ratings of more players.
    fn figures(&self, state: &State) {
        if let Some(figures) = LiveMatchFigures::of(&self.versus, state).filter(|_| self.mode == Mode::Json) {
            self.json(|| RunLine::Figures(Box::new(figures)));
        } else if let Some(ratings) = LiveRatings::of(state) {
            let lines = ratings.lines(machine::columns_of_errors());
            lines.iter().for_each(|line| self.say(line));
            self.json(|| RunLine::Ratings(ratings.document()));
        }
    }

    /// What is told of a match of two players after so many games.
    fn interval(&mut self, state: &State) {
        self.finished += 1;
        let is_due = |every: u32| every > 0 && self.finished.is_multiple_of(every as usize);
        let figures = is_due(self.every.figures);
        if self.mode == Mode::Quiet || !figures && !is_due(self.every.score) {
            return;
        }
        self.versus.go_on(state);
        if figures {
            self.figures(state);
        }
        if self.mode == Mode::Json {
            return;
        }
        let lines = self.versus.lines(state);
        let told = if figures { lines.len() } else { 1 };
        lines.iter().take(told).for_each(|line| self.say(line));
    }

    fn mini_match(&self, state: &State, id: GameId, board: &MiniMatch) {
        let (white, black) = (board.pair.white, board.pair.black);
        let table = &state.setup().scoring;
        let score = board.game_points(white, table);
        let other = board.game_points(black, table);
        let (white, black) = (&state.player(white).name, &state.player(black).name);
        let of_round = match id.playoff {
            0 if state.setup().ladder.round.is_some() => String::new(),
            0 => format!("round {} ", id.round),
            playoff => format!("play-off round {playoff} "),
        };
        let taken = report::taken::of_mini_match(board.games.iter().flatten());
        self.say(&format!(
            "  {of_round}board {}: {white} {score} – {other} {black}{taken}",
            id.board
        ));
        self.json(|| {
            RunLine::MiniMatchOver(MiniMatchOver {
                round: id.round,
                playoff: id.playoff,
                board: id.board,
                white,
                black,
                white_game_points: score,
                black_game_points: other,
            })
        });
    }

    /// The last objects of NDJSON: the figures, and how the runner ended, and how things stand.
    pub(super) fn result(&mut self, state: &State, ended: &RunEnd) {
        if self.mode == Mode::Json {
            self.versus.go_on(state);
            self.figures(state);
        }
        self.json(|| {
            let last = EndLine::new(state);
            match ended {
                RunEnd::Complete => RunLine::Complete {
                    last,
                    at_fault: faults::at_fault(state),
                },
                RunEnd::Decision => RunLine::Decision(last),
                RunEnd::Rulings => RunLine::Rulings {
                    last,
                    games: state.held_games().map(|game| HeldGame::new(state, game)).collect(),
                },
                RunEnd::NoPairing(_) => RunLine::NoPairing(last),
                RunEnd::Stopped
                | RunEnd::StoppedAtOnce
                | RunEnd::AfterRound
                | RunEnd::NoSlot { .. }
                | RunEnd::ToMend { .. } => RunLine::Interrupted(last),
            }
        });
    }

    /// The run ends here.
    pub(super) fn end(&mut self) {
        self.bars = None;
    }
}

impl Reader for Console {
    fn committed(&mut self, state: &State, entry: &CommittedEntry) {
        match &entry.bundle.entry {
            Entry::RoundPaired(paired) => {
                self.proposed = None;
                let name = |number: PairingNumber| state.player(number).name.as_str();
                let bye = |player| name(player).to_owned() + byes::note(state, &paired.pairing, player);
                let byes: Vec<String> = paired.pairing.byes().map(bye).collect();
                let repeats = paired.pairing.pairs.iter().filter(|pair| pair.repeat).count();
                let mut line = format!("Round {} of {}", paired.round, state.created().rounds);
                if !byes.is_empty() {
                    line += &format!(", bye: {}", byes.join(", "));
                }
                if repeats > 0 {
                    line += &format!(", {}", count::of(repeats, "forced repeat", "forced repeats"));
                }
                match state.setup().ladder.round {
                    None => self.say(&line),
                    Some(_) => byes.iter().for_each(|bye| self.say(&format!("  {bye} sits out"))),
                }
                self.json(|| RunLine::RoundPaired(RoundPairingLine::new(state, paired)));
            }
            Entry::StageBegun(begun) => {
                let players = names(state, &begun.players).join(", ");
                self.say(&format!("Stage {} begins: {players}", begun.stage));
                self.json(|| RunLine::stage_begun(state, begun));
            }
            Entry::GameFinished(finished) => {
                self.pace.game_is_over();
                let of_game = self.faults(state, finished, entry);
                self.game(state, finished, &of_game);
                self.interval(state);
            }
            Entry::PlayoffPaired(paired) => self.playoff_paired(state, paired),
            Entry::LotDrawn(lot) => {
                let drawn = names(state, &lot.drawn).join(", ");
                self.say(&format!("Lot: {}: {drawn}", lot.purpose));
                self.json(|| RunLine::lot_drawn(state, lot));
            }
            // The last two of these come from `analyse`, which has no conductor.
            Entry::Created(_) | Entry::Resumed(_) | Entry::AnalysisBegun(_) | Entry::GameAnalysed(_) => {}
            Entry::SprtDecided(decided) => {
                self.versus.go_on(state);
                self.say(&format!(
                    "the test is decided: {}; games under way are finished, and do not count in it",
                    versus::decided(decided, state.setup().sprt.counts)
                ));
                self.json(|| RunLine::SprtDecided(decided));
                let first = GameId {
                    round: 1,
                    playoff: 0,
                    board: 1,
                    game: 1,
                };
                self.over(state, first);
            }
            Entry::WorkerAdmitted(admitted) => self.worker_admitted(admitted),
            Entry::EventStopped(stopped) => {
                let sentence = stop::stopped(state).unwrap_or_default();
                self.say(&sentence);
                self.json(|| RunLine::EventStopped(EventStoppedLine::new(state, stopped)));
            }
            // Told before the conductor begins; of a service it has warned.
            Entry::Interrupted(_) => {}
            Entry::Acted(acted) => {
                self.versus = Versus::of(state);
                self.over = None;
                self.acted(&acted.by, &acted.done(state), &acted.reason);
                self.pause(state);
            }
            Entry::Decided(decided) => self.acted(&decided.by, "decided a tie", &decided.reason),
            Entry::PresenceChecked(checked) => self.presence_checked(state, checked),
        }
    }

    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>) {
        let held = match (self.paused, self.proposed, self.wait) {
            (Some(_), _, _) => Some(HoldReason::Paused),
            (None, Some(round), _) => Some(HoldReason::Yes(round)),
            (None, None, wait) => wait.map(HoldReason::Time),
        };
        let (now, is_playing) = (Instant::now(), !playing.is_empty());
        self.pace.goes_on(now, is_playing);
        self.versus.go_on(state);
        if let Some(bars) = &mut self.bars {
            bars.draw(state, playing, held, &self.pace, self.versus.line());
        } else if is_playing && self.tells_people() && self.pace.is_due(now) {
            self.pace.told(now);
            let figures = self.versus.line().map(|line| format!("  {line}"));
            self.pace
                .line(state)
                .iter()
                .chain(&figures)
                .for_each(|line| self.say(line));
        }
    }

    fn waiting(&mut self, state: &State, wait: Option<Wait>) {
        let before = std::mem::replace(&mut self.wait, wait);
        let Some(wait) = wait else {
            if before.is_some_and(|before| before.until <= Timestamp::now()) {
                self.say("the wait is over");
            }
            return;
        };
        self.say(&waiting::sentence(
            wait,
            Timestamp::now(),
            &state.setup().schedule.time_zone,
        ));
        self.json(|| RunLine::Waiting(wait.into()));
    }

    fn proposed(&mut self, state: &State, paired: &RoundPaired) {
        self.proposed = Some(paired.round);
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
        self.say("it waits to be confirmed: `swissmatch arbiter confirm`");
        self.json(|| RunLine::RoundProposed(RoundPairingLine::new(state, paired)));
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
