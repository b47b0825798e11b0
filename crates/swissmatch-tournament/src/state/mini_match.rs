//! A mini-match: who plays, what has been played, and the result.
//!
//! If neither engine ever starts, both lose every game and nobody gets match points: level game points are not a draw
//! if no game was begun.
//!
//! May not: know rounds, or anything beyond its own games.

use swiss_system::pairing::history::{Pair, PairingNumber};
use swiss_system::score::Points;
use swiss_system::standings::results::{GameCounts, MatchResult};

use super::games::MiniMatchGames;
use crate::setup::ScoringKeys;
use swissmatch_game::record::CallTotals;
use swissmatch_game::termination::Termination;

/// All games of two players in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniMatch {
    /// The two players; `white` has White in game 1.
    pub pair: Pair,
    pub games: MiniMatchGames,
    /// Whether White and Black of game 1 came at all; a player who did not forfeits every game.
    pub came: [bool; 2],
}

impl MiniMatch {
    /// True if every game has ended.
    pub fn is_over(&self) -> bool {
        self.games.are_over()
    }

    /// The opponent of one of its players.
    pub fn other(&self, player: PairingNumber) -> PairingNumber {
        if player == self.pair.white {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// The player with White in `game` (from 1): colours alternate game by game.
    pub const fn white_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.white
        } else {
            self.pair.black
        }
    }

    /// The player with Black in `game` (from 1).
    pub const fn black_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// True if a player came at all.
    pub(crate) fn has_come(&self, player: PairingNumber) -> bool {
        self.came[self.index_of(player)]
    }

    /// The index of a player in its tally.
    pub(crate) fn index_of(&self, player: PairingNumber) -> usize {
        usize::from(player != self.pair.white)
    }

    /// True if its games are over and annulled by the arbiter, all of them.
    pub fn is_void(&self) -> bool {
        self.is_over() && self.games.tally().is_void() && !self.is_failed_by_both()
    }

    /// True if its games are over and void by `faults.both_failed`, because both agents failed in all of them.
    pub fn is_failed_by_both(&self) -> bool {
        self.is_over() && self.games.tally().is_failed_by_both()
    }

    /// The game points of `player` so far.
    pub fn game_points(&self, player: PairingNumber, scoring: &ScoringKeys) -> Points {
        self.games.tally().game_points(self.index_of(player), scoring)
    }

    pub(crate) fn counts(&self, player: PairingNumber, scoring: &ScoringKeys) -> GameCounts {
        self.games.tally().counts(self.index_of(player), scoring)
    }

    /// Totals of a player's calls over the network.
    pub(crate) fn asked(&self, player: PairingNumber) -> CallTotals {
        self.games.tally().asked(self.index_of(player))
    }

    /// Played games that a player lost by a fault of its own.
    pub(crate) fn lost_by_fault(&self, player: PairingNumber) -> u32 {
        self.games.tally().lost_by_fault(self.index_of(player))
    }

    /// The number of games that each player lost by each fault, including games that were ruled on.
    pub fn faults(&self) -> impl Iterator<Item = (PairingNumber, Termination, u32)> {
        let players = [self.pair.white, self.pair.black];
        let faults = self.games.tally().faults();
        faults.map(move |(player, termination, games)| (players[player], termination, games))
    }

    /// The number of games in which each player gave an alarm, including games that were ruled on; only players who
    /// gave one.
    pub fn alarms(&self) -> impl Iterator<Item = (PairingNumber, u32)> {
        let players = [self.pair.white, self.pair.black].into_iter();
        players.zip(self.games.tally().alarms()).filter(|(_, games)| *games > 0)
    }

    /// The result for `player`, once it is over: "more GP than the opponent = 1, equal = 0.5, fewer = 0". If both lost
    /// every game, because neither came or neither engine started, both have lost.
    pub(crate) fn result(
        &self,
        player: PairingNumber,
        opponent: PairingNumber,
        scoring: &ScoringKeys,
    ) -> Option<MatchResult> {
        if !self.is_over() {
            return None;
        }
        if self.games.tally().is_lost_by_both() {
            return Some(MatchResult::Lost);
        }
        Some(
            match self
                .game_points(player, scoring)
                .cmp(&self.game_points(opponent, scoring))
            {
                std::cmp::Ordering::Greater => MatchResult::Won,
                std::cmp::Ordering::Equal => MatchResult::Drawn,
                std::cmp::Ordering::Less => MatchResult::Lost,
            },
        )
    }
}
