//! The likely length of a ladder's rounds.
//!
//! May not: know when one is due.

use std::time::Duration;

use serde::Serialize;
use swiss_system::count;

use crate::at_once::at_once;
use swissmatch_tournament::duration::{Assumptions, Outlook, Room, RoundGames, spoken};
use swissmatch_tournament::setup::Setup;

#[derive(Clone, Debug)]
pub struct LadderRounds<'a> {
    /// One of them as an event of its own, with all players.
    pub round: &'a Setup,
    /// The number of its games for which there is room at once.
    pub room: Room,
}

#[derive(Serialize)]
pub(super) struct LadderJson {
    games: u64,
    games_at_once: u32,
    every_seconds: Option<u64>,
    likely_seconds: Option<u64>,
    /// Including the starts of agents; `null` if nothing bounds it.
    longest_seconds: Option<u64>,
}

impl LadderRounds<'_> {
    fn outlook(&self) -> Outlook {
        Outlook::new(self.round, self.room)
    }

    fn every(&self) -> Option<Duration> {
        Some(self.round.ladder.schedule?.every())
    }

    /// The longest time with the starts of agents, which measured games include.
    fn longest(&self, time: Assumptions) -> Option<Duration> {
        let outlook = self.outlook();
        let starting = outlook.starting().filter(|_| time.measured.is_none());
        let [_, longest] = outlook.likely_and_longest(time);
        Some(longest?.saturating_add(starting.unwrap_or_default()))
    }

    pub(super) fn text(&self, time: Assumptions) -> String {
        let outlook = self.outlook();
        let RoundGames { on_cores, beside } = outlook.at_once();
        let games = usize::try_from(outlook.games()).unwrap_or(usize::MAX);
        let schedule = self.round.ladder.schedule.map(|schedule| schedule.to_string());
        let likely = match outlook.likely_and_longest(time)[0] {
            Some(likely) => format!("likely {}", spoken(likely)),
            None => "likely time unknown".to_owned(),
        };
        let longest = match self.longest(time) {
            Some(longest) => format!("{} at most, with the starts of agents", spoken(longest)),
            None => "longest time unbounded".to_owned(),
        };
        format!(
            "{}; a round of all players: {}, {}; {likely}, {longest}",
            schedule.unwrap_or_default(),
            count::of(games, "game", "games"),
            at_once(self.round, on_cores.at_once, beside.at_once),
        )
    }

    pub(super) fn json(&self, time: Assumptions) -> LadderJson {
        let outlook = self.outlook();
        LadderJson {
            games: outlook.games(),
            games_at_once: outlook.at_once().at_once(),
            every_seconds: self.every().map(|every| every.as_secs()),
            likely_seconds: outlook.likely_and_longest(time)[0].map(|time| time.as_secs()),
            longest_seconds: self.longest(time).map(|time| time.as_secs()),
        }
    }

    /// A warning that a round may not be over when the next one is due.
    pub fn doubt(&self, time: Assumptions) -> Option<String> {
        let (every, longest) = (self.every()?, self.longest(time));
        if longest.is_some_and(|longest| longest <= every) {
            return None;
        }
        Some(format!(
            "ladder.schedule: a round may take {}, and the next one is due after {}; what is due while one is played begins late, or does \
             not take place",
            longest.map_or_else(|| "any time".to_owned(), spoken),
            spoken(every)
        ))
    }
}
