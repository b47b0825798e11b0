//! The rounds that a report counts, and how far they have been played.
//!
//! May not: count points.

use serde::Serialize;
use swissmatch_tournament::ties::event_is_over;

use swissmatch_tournament::state::{Round, State};

/// The first rounds of an event, which a report counts.
pub(super) struct CountedRounds<'a> {
    pub(super) rounds: &'a [Round],
    pub(super) over: usize,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct RoundProgress {
    /// From 1.
    pub(super) round: usize,
    pub(super) played: usize,
    /// All games of the round.
    pub(super) games: usize,
}

impl RoundProgress {
    pub(super) fn new(number: usize, round: &Round) -> Self {
        let games = || round.mini_matches.iter().flat_map(|board| &board.games);
        Self {
            round: number,
            played: games().flatten().count(),
            games: games().count(),
        }
    }
}

impl<'a> CountedRounds<'a> {
    pub(super) fn new(state: &'a State, rounds: usize) -> Self {
        let paired = state.rounds();
        let rounds = &paired[..rounds.min(paired.len())];
        Self {
            rounds,
            over: rounds.iter().take_while(|round| round.is_over()).count(),
        }
    }

    /// Whether they are the whole event, played to its end, including play-offs.
    pub(super) fn is_final(&self, state: &State) -> bool {
        self.over == state.last_round() as usize && event_is_over(state)
    }

    /// The round among them that is still being played.
    pub(super) fn in_progress(&self) -> Option<RoundProgress> {
        let round = self.rounds.get(self.over)?;
        Some(RoundProgress::new(self.over + 1, round))
    }
}
