//! The effect of the stop rule in simulated events.
//!
//! May not: simulate; that is `swissmatch_stats`.

use std::time::Duration;

use serde::Serialize;

use crate::share::percent;
use crate::table::{Column, Page, Table};
use swissmatch_stats::plan::stopping::{Ends, Stops};
use swissmatch_tournament::duration::spoken;
use swissmatch_tournament::setup::Setup;

/// The outcome in an event whose rounds each have so many games.
#[derive(Clone, Debug)]
pub struct Stopping {
    /// The rule in words.
    pub rule: String,
    /// The outcome of the simulation.
    pub stops: Stops,
    /// Whether a bound on time could be simulated, which needs the length of a game.
    pub knows_time: bool,
}

/// The length of an event of so many rounds.
pub(super) struct EventLength {
    pub(super) games: u64,
    pub(super) likely: Option<Duration>,
}

#[derive(Serialize)]
pub(super) struct StoppingJson {
    rule: String,
    events: u32,
    unpaired: u32,
    /// `null` if no event ended.
    mean_rounds: Option<f64>,
    standard_deviation_of_rounds: Option<f64>,
    mean_games: Option<f64>,
    #[serde(flatten)]
    ends: Ends,
    by_rounds: Vec<OfRounds>,
    /// Whether the bound on time was simulated; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_simulated: Option<bool>,
}

#[derive(Serialize)]
struct OfRounds {
    rounds: u32,
    games_in_all: u64,
    /// `None` if nothing is known of it.
    likely_seconds: Option<u64>,
    #[serde(flatten)]
    ends: Ends,
}

impl Stopping {
    pub(super) fn page(&self, setup: &Setup, length: &dyn Fn(u32) -> EventLength) -> Page {
        let all = self.stops.all();
        let row = |(rounds, ends): (&u32, &Ends)| {
            let EventLength { games, likely } = length(*rounds);
            vec![
                rounds.to_string(),
                games.to_string(),
                likely.map_or_else(String::new, spoken),
                share(ends.events(), all.events()),
                share(ends.sure, ends.events()),
                share(ends.right, ends.events()),
            ]
        };
        Page {
            title: format!("With its stop rule: {}", self.rule),
            table: Table {
                columns: vec![
                    Column::figures("Rounds"),
                    Column::figures("Games").goes(1),
                    Column::figures("Likely time").goes(0),
                    Column::figures("Events %"),
                    Column::figures("Sure %"),
                    Column::figures("Right %"),
                ],
                rows: self.stops.by_rounds.iter().map(row).collect(),
            },
            notes: self.notes(setup, length),
        }
    }

    fn notes(&self, setup: &Setup, length: &dyn Fn(u32) -> EventLength) -> Vec<String> {
        let all = self.stops.all();
        let mut notes = Vec::new();
        if let (Some((mean, deviation)), Some(games)) = (self.stops.rounds(), self.mean_games(length)) {
            notes.push(format!(
                "It ends after {mean:.1} rounds on average (standard deviation {deviation:.1}), with {games:.0} games."
            ));
        }
        let reasons = [
            (all.sure, "its places are sure"),
            (all.games, "of the bound on games"),
            (all.time, "of the bound on time"),
        ];
        let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
        let mut reasons: Vec<String> = reasons
            .map(|(count, why)| format!("in {} % because {why}", share(count, all.events())))
            .collect();
        reasons.push(format!(
            "in {} % with the last round",
            share(all.last_round, all.events())
        ));
        notes.push(format!("It ends {}.", reasons.join(", ")));
        if let Some(places) = setup.stop.when {
            let which = match places.first == places.last {
                true => format!("place {0} has the agent that is number {0} by strength", places.first),
                false => format!(
                    "each of the places {} to {} has the agent of that number by strength",
                    places.first, places.last
                ),
            };
            notes.push(format!(
                "Right: {which}. Events %: of all. Sure % and Right %: of those in the line."
            ));
            if all.sure > 0 {
                notes.push(format!(
                    "In the events that ended because the places were sure they were right in {1} %. The {0} % of the rule is about one \
                     look; docs/confidence.md says why the two differ.",
                    places.percent(),
                    share(all.sure_and_right, all.sure)
                ));
            }
        } else {
            notes.push(
                "Right: place 1 has the strongest agent. Events %: of all. Right %: of those in the line.".to_owned(),
            );
        }
        if setup.stop.time.is_some() && !self.knows_time {
            notes.push(
                "stop.time is not simulated: nodes or depth end searches; --measure plays up to four games to find out how long they \
                 take."
                    .to_owned(),
            );
        }
        notes
    }

    fn mean_games(&self, length: &dyn Fn(u32) -> EventLength) -> Option<f64> {
        let events = self.stops.all().events();
        let of_rounds = |(rounds, ends): (&u32, &Ends)| length(*rounds).games as f64 * f64::from(ends.events());
        let games: f64 = self.stops.by_rounds.iter().map(of_rounds).sum();
        (events > 0).then(|| games / f64::from(events))
    }

    pub(super) fn json(&self, setup: &Setup, length: &dyn Fn(u32) -> EventLength) -> StoppingJson {
        let ends = self.stops.all();
        let rounds = self.stops.rounds();
        let by_rounds = self.stops.by_rounds.iter().map(|(rounds, ends)| {
            let EventLength { games, likely } = length(*rounds);
            OfRounds {
                rounds: *rounds,
                games_in_all: games,
                likely_seconds: likely.map(|time| time.as_secs()),
                ends: *ends,
            }
        });
        StoppingJson {
            rule: self.rule.clone(),
            events: ends.events(),
            unpaired: self.stops.unpaired,
            mean_rounds: rounds.map(|(mean, _)| mean),
            standard_deviation_of_rounds: rounds.map(|(_, deviation)| deviation),
            mean_games: self.mean_games(length),
            ends,
            by_rounds: by_rounds.collect(),
            time_simulated: setup.stop.time.map(|_| self.knows_time),
        }
    }
}

fn share(count: u32, of: u32) -> String {
    match of {
        0 => String::new(),
        of => percent(f64::from(count) / f64::from(of)),
    }
}
