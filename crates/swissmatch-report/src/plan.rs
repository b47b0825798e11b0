//! The likely length of an event and how much it can tell, before anything is played.
//!
//! May not: simulate; that is `swissmatch_stats`.

mod ladder;
mod spending;
mod stopping;

use std::time::Duration;

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::rounds::{RoundPlan, TournamentFormat};
use swiss_system::text::harmless;

use ladder::LadderJson;
pub use ladder::LadderRounds;
use spending::SpendingJson;
pub use spending::beyond;
pub use stopping::Stopping;
use stopping::{EventLength, StoppingJson};

use super::at_once::at_once;
use super::rules;
use super::share::percent;
use super::table::{Column, Page, Table, folded};
use swissmatch_stats::plan::{SimulatedLength, StrengthAssumptions, Strengths, TOP};
use swissmatch_tournament::duration::{self, Assumptions, Outlook, Room, RoundGames, spoken};
use swissmatch_tournament::estimate::Estimate;
use swissmatch_tournament::setup::{PairingSystem, Setup};

/// A plan: the event, the assumptions, and the outcome of the simulation.
#[derive(Clone, Debug)]
pub struct EventPlan<'a> {
    pub setup: &'a Setup,
    pub format: TournamentFormat,
    pub rounds: u32,
    /// The number of games for which there is room at once.
    pub room: Room,
    /// Assumptions about games.
    pub time: Assumptions,
    /// Whether measured games are those of a run.
    pub is_of_run: bool,
    /// Assumptions about agents.
    pub assumed: &'a StrengthAssumptions,
    pub rng_seed: u64,
    /// The outcome for each number of rounds and games.
    pub found: &'a [SimulatedLength],
    /// The outcome for the stop rule, where there is one.
    pub stopping: Option<Stopping>,
    /// A round of its ladder as an event of its own, where it has a ladder.
    pub ladder: Option<LadderRounds<'a>>,
    /// The likely use of its models, where any play.
    pub estimate: Option<&'a Estimate>,
    /// Why nothing was simulated; `None` if something was.
    pub not_simulated: Option<String>,
    /// Settings that are probably not meant.
    pub warnings: &'a [String],
}

#[derive(Serialize)]
struct PlanJson<'a> {
    schema: u32,
    event: String,
    players: usize,
    rounds: u32,
    all_play_all: bool,
    /// Of the round with most.
    pairs_a_round: u32,
    /// Only where rounds differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs_by_round: Option<Vec<u32>>,
    /// Of the round with most.
    games_a_mini_match: u32,
    /// Only where rounds differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_by_round: Option<Vec<u32>>,
    games: u64,
    games_at_once: u32,
    /// Games of these that need no core.
    #[serde(skip_serializing_if = "is_none")]
    games_beside: u32,
    /// `null` if nothing bounds it.
    longest_seconds: Option<u64>,
    /// `None` if nothing is known of it.
    likely_seconds: Option<u64>,
    /// Most additional time for starting agents anew for each game.
    #[serde(skip_serializing_if = "Option::is_none")]
    starting_seconds: Option<u64>,
    moves: u32,
    time_used_percent: u32,
    /// `null`: the ratings of the event file.
    spread: Option<f64>,
    rating_error: f64,
    draws: f64,
    rng_seed: u64,
    /// The policy of byes, in sentences.
    byes: Vec<String>,
    /// The criteria of the standings, in sentences.
    standings: Vec<String>,
    simulated: Vec<SimulatedLengthJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopping: Option<StoppingJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<LadderJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spending: Option<SpendingJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_simulated: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(games: &u32) -> bool {
    *games == 0
}

#[derive(Serialize)]
struct SimulatedLengthJson<'a> {
    #[serde(flatten)]
    found: &'a SimulatedLength,
    games_in_all: u64,
    /// `None` if nothing is known of it.
    likely_seconds: Option<u64>,
}

impl EventPlan<'_> {
    fn players(&self) -> usize {
        self.setup.players.len()
    }

    /// Pairs of a round of a simulated event.
    fn pairs(&self) -> u32 {
        let players = u32::try_from(self.players()).expect("few players");
        match self.format {
            TournamentFormat::Gauntlet => self.setup.swiss.rounds.pairs(players).first().copied().unwrap_or(0),
            _ => players / 2,
        }
    }

    /// The policy of byes and the tie-breaks.
    fn published(&self) -> [rules::RulesSection; 2] {
        let (rounds, format) = (self.rounds, self.format);
        rules::before_round_1(self.setup, RoundPlan { rounds, format })
    }

    fn outlook(&self) -> Outlook {
        Outlook::new(self.setup, self.room)
    }

    fn games(&self, rounds: u32, games: u32) -> u64 {
        u64::from(rounds) * u64::from(self.pairs()) * u64::from(games)
    }

    fn likely(&self, rounds: u32, games: u32) -> Option<Duration> {
        let game = duration::likely_games(self.setup, self.time)?;
        let round = RoundGames::new(self.setup, self.room, self.pairs(), games);
        Some(round.takes(game).saturating_mul(rounds))
    }

    /// The length of the event with so many rounds.
    fn length(&self, rounds: u32) -> EventLength {
        let games = self.setup.mini_match.games;
        EventLength {
            games: self.games(rounds, games),
            likely: self.likely(rounds, games),
        }
    }

    /// As text for people.
    pub fn text(&self, width: Option<u16>) -> String {
        let games = self.setup.mini_match.games;
        let system = match (self.format, self.setup.swiss.pairing) {
            (TournamentFormat::AllPlayAll, _) => "all-play-all by Berger tables",
            (TournamentFormat::Gauntlet, _) => "gauntlet",
            (TournamentFormat::Knockout, _) => "knockout",
            (TournamentFormat::Quads, _) => "sections of four",
            (TournamentFormat::Stages, _) => "in stages",
            (TournamentFormat::Sections, _) => "in sections",
            (_, PairingSystem::MatchPoints) => "Swiss by match points",
            (_, PairingSystem::Dutch) => "Swiss by the Dutch system",
            (_, PairingSystem::UsChess) => "Swiss by the us-chess system",
            (_, PairingSystem::Immortal) => "Swiss by the immortal system",
            (_, PairingSystem::DoubleSwiss) => "Swiss by the Double-Swiss system",
        };
        let outlook = self.outlook();
        let RoundGames { on_cores, beside } = outlook.at_once();
        let [likely, longest] = outlook.likely_and_longest(self.time);
        let longest = match longest {
            Some(longest) => spoken(longest),
            None => "unbounded: game.max_moves sets a bound".to_owned(),
        };
        let mut facts = vec![
            ("Agents", self.players().to_string()),
            ("Rounds", format!("{}, {system}", self.rounds)),
            ("Pairs a round", listed(&outlook.by_round(|_, pairs| pairs))),
            (
                "Games",
                format!(
                    "{}, {} a mini-match, {}",
                    outlook.games(),
                    listed(&outlook.by_round(|setup, _| setup.mini_match.games)),
                    at_once(self.setup, on_cores.at_once, beside.at_once)
                ),
            ),
            ("Likely time", likely.map_or_else(|| "unknown".to_owned(), spoken)),
            ("Longest possible", longest),
        ];
        facts.extend(self.starting(&outlook).map(|starting| {
            let each = spoken(self.setup.engine.start_limit);
            let why =
                format!("each game starts its agents anew (engine.restart), each within {each} (engine.start_limit)");
            ("Starting", format!("up to {} more: {why}", spoken(starting)))
        }));
        facts.extend(self.ladder.iter().map(|ladder| ("Ladder", ladder.text(self.time))));
        let mut text = format!("{}: before anything is played\n\n", harmless(&self.setup.event.name));
        for (what, value) in facts {
            text += &format!("{what:<18}{value}\n");
        }
        text += &format!("\n{}\n", self.about_time());
        for section in self.published() {
            text += &format!("\n{}\n", section.title);
            for (number, rule) in (1..).zip(&section.rules) {
                text += &format!("{number}. {rule}\n");
            }
        }
        if let Some(estimate) = self.estimate {
            text += &format!("\n{}", spending::page(self.setup, estimate).text(width));
        }
        if let Some(why) = &self.not_simulated {
            return folded(&(text + &format!("\nNo simulation: {why}.\n")), width);
        }
        let of_event = |found: &&SimulatedLength| found.games == games;
        let by_rounds: Vec<&SimulatedLength> = self.found.iter().filter(of_event).collect();
        let by_games: Vec<&SimulatedLength> = self.found.iter().filter(|found| found.rounds == self.rounds).collect();
        if by_rounds.len() > 1 {
            text += &format!(
                "\n{}",
                self.page(
                    format!("With {} a mini-match", count::of(games, "game", "games")),
                    &by_rounds
                )
                .text(width)
            );
        }
        let rounds = format!("In {}", count::of(self.rounds as usize, "round", "rounds"));
        text += &format!("\n{}", self.page(rounds, &by_games).text(width));
        if let Some(stopping) = &self.stopping {
            let page = stopping.page(self.setup, &|rounds| self.length(rounds));
            text += &format!("\n{}", page.text(width));
        }
        for note in self.notes() {
            text += &format!("\n{note}");
        }
        folded(&text, width)
    }

    fn page(&self, title: String, lines: &[&SimulatedLength]) -> Page {
        let row = |found: &&SimulatedLength| {
            let chosen = (found.rounds, found.games) == (self.rounds, self.setup.mini_match.games);
            let share = |count: u32| match found.events {
                0 => String::new(),
                events => percent(f64::from(count) / f64::from(events)),
            };
            vec![
                if chosen { "→" } else { "" }.to_owned(),
                found.rounds.to_string(),
                found.games.to_string(),
                self.games(found.rounds, found.games).to_string(),
                self.likely(found.rounds, found.games).map_or_else(String::new, spoken),
                share(found.best_wins),
                share(found.top_three),
                share(found.in_order),
            ]
        };
        let columns = vec![
            Column::words(""),
            Column::figures("Rounds"),
            Column::figures("Games each"),
            Column::figures("Games").goes(2),
            Column::figures("Likely time").goes(0),
            Column::figures("Best wins %"),
            Column::figures("Top 3 %").goes(1),
            Column::figures("In order %").goes(3),
        ];
        Page {
            title,
            table: Table {
                columns,
                rows: lines.iter().map(row).collect(),
            },
            notes: Vec::new(),
        }
    }

    /// Most time for starting agents anew; `None` for measured games, which include it.
    fn starting(&self, outlook: &Outlook) -> Option<Duration> {
        outlook.starting().filter(|_| self.time.measured.is_none())
    }

    fn about_time(&self) -> String {
        let by_clock = "both sides use their whole time up to the cap on moves";
        let by_move = match self.setup.game.attempts_share {
            true => "every move, up to the cap on moves, takes its whole limit",
            false => "every attempt at every move, up to the cap on moves, takes its whole limit",
        };
        let clocks = self
            .setup
            .time_controls()
            .filter(|control| control.runs_through())
            .count();
        let worst = match clocks {
            0 => by_move.to_owned(),
            clocks if clocks == self.players() => by_clock.to_owned(),
            _ => format!("under a clock {by_clock}, under a time per move {by_move}"),
        };
        let likely = match (self.time.measured, duration::likely_game(self.setup, self.time)) {
            (Some(game), _) => {
                let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
                let takes = match game.on_cores == game.beside {
                    true => seconds(game.mean),
                    false => format!(
                        "{} on cores and {} beside them",
                        seconds(game.on_cores),
                        seconds(game.beside)
                    ),
                };
                let by = match self.is_of_run {
                    true => "the games of a run (--from)",
                    false => "games of the event's agents (--measure)",
                };
                format!("Likely: a game takes {takes}, by {by}.")
            }
            (None, None) => {
                "Likely: unknown, since nodes or depth end searches; --measure plays up to four games to find out."
                    .to_owned()
            }
            (None, Some(_)) => format!(
                "Likely: {} moves of each side in a game (--moves), {} % of the time used (--time-used); --measure plays up to four \
                 games to find out.",
                self.time.moves, self.time.time_used,
            ),
        };
        format!("{likely}\nLongest: {worst}; starting engines anew is not counted.")
    }

    fn notes(&self) -> Vec<String> {
        let events = self
            .found
            .iter()
            .map(|found| found.events + found.unpaired)
            .max()
            .unwrap_or(0);
        // Two standard errors of a share of one half, where they are largest.
        let error = 100.0 / f64::from(events.max(1)).sqrt();
        let strengths = match self.assumed.strengths {
            Strengths::Known(_) => "strengths are the ratings of the event file".to_owned(),
            Strengths::Drawn { spread, .. } => {
                format!("strengths are drawn with a standard deviation of {spread} Elo (--spread)")
            }
        };
        let seeding = match &self.assumed.strengths {
            Strengths::Drawn { rated: 0, .. } => "pairing numbers do not depend on strength".to_owned(),
            _ => format!("ratings are off by {} Elo (--rating-error)", self.assumed.rating_error),
        };
        let mut notes = vec![
            format!(
                "{events} simulated events, rng_seed {}; shares are right to about ±{error:.1} %.",
                self.rng_seed
            ),
            format!(
                "Assumed: {strengths}; {seeding}; {:.0} % draws between equals (--draws).",
                self.assumed.draws * 100.0
            ),
            format!(
                "Best wins: the strongest agent comes first. Top {TOP}: the strongest {TOP} take the first {TOP} places. In \
                 order: they also come in the order of their strength."
            ),
        ];
        for found in self.found.iter().filter(|found| found.unpaired > 0) {
            notes.push(format!(
                "{} of {}: {} of the events had a round without a legal pairing and are left out.",
                count::of(found.rounds, "round", "rounds"),
                count::of(found.games, "game", "games"),
                found.unpaired
            ));
        }
        notes
    }

    /// The plan as a JSON object; shares are counts of events.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        let simulated = self.found.iter().map(|found| SimulatedLengthJson {
            found,
            games_in_all: self.games(found.rounds, found.games),
            likely_seconds: self.likely(found.rounds, found.games).map(|time| time.as_secs()),
        });
        let outlook = self.outlook();
        let [likely, longest] = outlook.likely_and_longest(self.time);
        let at_once = outlook.at_once();
        let pairs = outlook.by_round(|_, pairs| pairs);
        let games = outlook.by_round(|setup, _| setup.mini_match.games);
        let [byes, standings] = self.published().map(|section| section.rules);
        let document = PlanJson {
            schema: 1,
            event: harmless(&self.setup.event.name),
            players: self.players(),
            rounds: self.rounds,
            all_play_all: self.format == TournamentFormat::AllPlayAll,
            pairs_a_round: pairs.iter().copied().max().unwrap_or(0),
            pairs_by_round: (pairs.len() > 1).then_some(pairs),
            games_a_mini_match: games.iter().copied().max().unwrap_or(0),
            games_by_round: (games.len() > 1).then_some(games),
            games: outlook.games(),
            games_at_once: at_once.at_once(),
            games_beside: at_once.beside.at_once,
            longest_seconds: longest.map(|time| time.as_secs()),
            likely_seconds: likely.map(|time| time.as_secs()),
            starting_seconds: self.starting(&outlook).map(|time| time.as_secs()),
            moves: self.time.moves,
            time_used_percent: self.time.time_used,
            spread: match self.assumed.strengths {
                Strengths::Drawn { spread, .. } => Some(spread),
                Strengths::Known(_) => None,
            },
            rating_error: self.assumed.rating_error,
            draws: self.assumed.draws,
            rng_seed: self.rng_seed,
            byes,
            standings,
            simulated: simulated.collect(),
            stopping: self
                .stopping
                .as_ref()
                .map(|stopping| stopping.json(self.setup, &|rounds| self.length(rounds))),
            ladder: self.ladder.as_ref().map(|ladder| ladder.json(self.time)),
            spending: self.estimate.map(spending::json),
            not_simulated: self.not_simulated.as_deref(),
            warnings: self.warnings,
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }
}

/// Numbers of rounds in order; a row of equal numbers stands once.
fn listed(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, other| one == other);
    let written = runs.map(|run| match run.len() {
        1 => run[0].to_string(),
        times => format!("{times} × {}", run[0]),
    });
    written.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
