//! What is played in an event, by its keys alone: stages one after the other, or sections side by side.
//!
//! May not: know what has been played.

use swiss_system::pairing::rounds::{RoundPlan, Rounds, TournamentFormat};

use super::setup::{PlayerKeys, Setup, StageKeys, Third};
use swissmatch_game::time_control::TimeControl;

/// A tour has one round, its events, in which nobody is paired; play-offs come after it.
pub(crate) const TOUR_PLAN: RoundPlan = RoundPlan {
    rounds: 1,
    format: TournamentFormat::Swiss,
};

/// A stage, or one of `event.sections`, as known before anything is played. An event with neither is one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub format: Rounds,
    /// Without the house player.
    pub players: u32,
    /// Rounds of the stages before it.
    pub rounds_before: u32,
    pub rounds: u32,
    /// Games of a mini-match by round, counted from the end of the stage; the first also counts for all earlier rounds.
    games: Vec<u32>,
    /// Set if it differs from the event's.
    pub time_control: Option<TimeControl>,
    /// Index in `event.sections`; `None` where everyone plays together.
    pub section: Option<usize>,
    /// A house player makes an odd number even.
    pub house: bool,
    /// How third place is decided, in a knockout.
    pub third: Third,
}

impl Stage {
    /// The boards of a round in which everyone plays who can.
    pub const fn boards(&self) -> u32 {
        if self.house {
            self.players.div_ceil(2)
        } else {
            self.players / 2
        }
    }

    /// The number of pairs in each round, if nobody is absent.
    pub fn pairs(&self) -> Vec<u32> {
        if self.house {
            return vec![self.boards(); self.rounds as usize];
        }
        let mut pairs = self.format.pairs(self.players);
        if self.format == Rounds::Knockout
            && self.third == Third::Match
            && let Some(last) = pairs.last_mut()
        {
            *last += 1;
        }
        pairs
    }

    /// The number of rounds after which everyone has met as many opponents as the others on the same side: a cycle, or
    /// one round of a Swiss.
    pub fn cycle(&self) -> u32 {
        self.format.rounds_of_cycle(self.players)
    }

    /// Games of a mini-match in one of the stage's rounds, from 0.
    pub fn games_in(&self, round: u32) -> u32 {
        let to_come = self.rounds.saturating_sub(round.saturating_add(1)) as usize;
        let from_end = to_come.min(self.games.len() - 1);
        self.games[self.games.len() - 1 - from_end]
    }

    /// Games of a mini-match in each of the stage's rounds.
    pub fn games_by_round(&self) -> impl Iterator<Item = u32> {
        (0..self.rounds).map(|round| self.games_in(round))
    }

    /// The most games of a mini-match.
    pub fn most_games(&self) -> u32 {
        self.games_by_round().max().unwrap_or(self.games[0])
    }

    /// Games in the first `rounds` rounds, if nobody is absent.
    pub fn games_of(&self, rounds: u32) -> u64 {
        let rounds = self
            .pairs()
            .into_iter()
            .zip(self.games_by_round())
            .take(rounds as usize);
        rounds.map(|(pairs, games)| u64::from(pairs) * u64::from(games)).sum()
    }

    /// The setup that counts in the stage. If its rounds differ in their number of games, the setup still lists this
    /// one stage.
    pub fn setup(&self, event: &Setup) -> Setup {
        let mut setup = event.clone();
        setup.event.stages.clear();
        setup.event.sections.clear();
        setup.swiss.rounds = self.format;
        setup.mini_match.games = self.most_games();
        if self.games.len() > 1 {
            setup.event.stages.push(StageKeys {
                format: self.format,
                top: None,
                games: None,
                games_by_round: self.games.clone(),
                time_control: None,
            });
        }
        let own = self
            .section
            .and_then(|section| event.event.sections[section].prizes.as_ref());
        setup.prizes = own.unwrap_or(&event.prizes).clone();
        if let Some(control) = self.clone().time_control {
            setup.game.time_control = control;
        }
        setup
    }
}

impl Setup {
    /// The stages of the event, or its sections; one stage where it lists neither.
    pub fn stages(&self) -> Vec<Stage> {
        self.stages_of(&self.players)
    }

    /// Like [`Self::stages`], for a complete list of players.
    pub(super) fn stages_of(&self, entries: &[PlayerKeys]) -> Vec<Stage> {
        let ranked = || entries.iter().filter(|player| !player.house);
        let everybody = u32::try_from(ranked().count()).unwrap_or(u32::MAX);
        let stage = |format: Rounds, players: u32, rounds_before: u32| Stage {
            format,
            players,
            rounds_before,
            rounds: format.plan(players).rounds,
            games: vec![self.mini_match.games],
            time_control: None,
            section: None,
            house: entries.iter().any(|player| player.house),
            third: self.playoff.third.among(players as usize),
        };
        if !self.event.sections.is_empty() {
            let sections = self.event.sections.iter().enumerate().map(|(place, keys)| {
                let is_own = |player: &&PlayerKeys| self.section_of(player) == Ok(place);
                let own = u32::try_from(ranked().filter(is_own).count()).unwrap_or(u32::MAX);
                Stage {
                    section: Some(place),
                    house: entries.iter().filter(is_own).any(|player| player.house),
                    ..stage(keys.format.unwrap_or(self.swiss.rounds), own, 0)
                }
            });
            return sections.collect();
        }
        if self.event.stages.is_empty() {
            return vec![stage(self.swiss.rounds, everybody, 0)];
        }
        let (mut rounds_before, mut left): (u32, u32) = (0, everybody);
        let stages = self.event.stages.iter().map(|keys| {
            // Of those who are in the event file some may have handed nothing in.
            left = keys.top.unwrap_or(left).min(left);
            let written = stage(keys.format, left, rounds_before);
            rounds_before = rounds_before.saturating_add(written.rounds);
            Stage {
                games: match (keys.games.or(keys.format.games()), keys.games_by_round.as_slice()) {
                    (None, []) => written.games,
                    (Some(games), []) => vec![games],
                    (_, by_round) => by_round.to_vec(),
                },
                time_control: keys.clone().time_control,
                ..written
            }
        });
        stages.collect()
    }

    /// The most games of a mini-match in the event.
    pub fn most_games(&self) -> u32 {
        let of_stages = self.stages().into_iter().map(|stage| stage.most_games());
        of_stages.max().unwrap_or(self.mini_match.games)
    }

    /// The length of the event, and its kind.
    pub fn plan(&self) -> RoundPlan {
        if !self.tour.runs.is_empty() {
            return TOUR_PLAN;
        }
        let stages = self.stages();
        match stages.as_slice() {
            sections if !self.event.sections.is_empty() => RoundPlan {
                rounds: sections.iter().map(|section| section.rounds).max().unwrap_or(0),
                format: TournamentFormat::Sections,
            },
            [only] if self.event.stages.is_empty() => only.format.plan(only.players),
            _ => RoundPlan {
                rounds: stages.iter().map(|stage| stage.rounds).sum(),
                format: TournamentFormat::Stages,
            },
        }
    }
}
