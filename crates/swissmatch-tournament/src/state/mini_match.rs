//! A mini-match: who meets, what has been played, what it gave.
//!
//! Two engines that both never start both lose every game, and nobody gets match points: level game points are no draw if no
//! game was begun.
//!
//! May not: know rounds, or anything beyond its own games.

use swiss_system::pairing::history::{Pair, PairingNumber};
use swiss_system::score::Points;
use swiss_system::standings::results::{GameCounts, MatchResult};

use super::games::MiniMatchGames;
use crate::setup::ScoringKeys;
use swissmatch_game::record::CallTotals;
use swissmatch_game::termination::Termination;

/// A mini-match: all games of two players in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniMatch {
    /// Who meets, `white` having White in game 1.
    pub pair: Pair,
    /// Its games.
    pub games: MiniMatchGames,
    /// Whether White and Black of game 1 are there at all: who is not forfeits every game.
    pub came: [bool; 2],
}

impl MiniMatch {
    /// Whether every game has ended.
    pub fn is_over(&self) -> bool {
        self.games.are_over()
    }

    /// The opponent of a player of it.
    pub fn other(&self, player: PairingNumber) -> PairingNumber {
        if player == self.pair.white {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// Who has White in `game` (from 1): colours alternate game by game.
    pub const fn white_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.white
        } else {
            self.pair.black
        }
    }

    /// Who has Black in `game` (from 1).
    pub const fn black_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// Whether a player of it is there at all.
    pub(crate) fn has_come(&self, player: PairingNumber) -> bool {
        self.came[self.index_of(player)]
    }

    /// Which of both a player is in its tally.
    pub(crate) fn index_of(&self, player: PairingNumber) -> usize {
        usize::from(player != self.pair.white)
    }

    /// Whether its games are over and count for nobody, as the arbiter has it.
    pub fn is_void(&self) -> bool {
        self.is_over() && self.games.tally().is_void() && !self.is_failed_by_both()
    }

    /// Whether its games are over and both agents failed in all of them, so that these are void by `faults.both_failed`.
    pub fn is_failed_by_both(&self) -> bool {
        self.is_over() && self.games.tally().is_failed_by_both()
    }

    /// Game points of `player` so far.
    pub fn game_points(&self, player: PairingNumber, scoring: &ScoringKeys) -> Points {
        self.games.tally().game_points(self.index_of(player), scoring)
    }

    pub(crate) fn counts(&self, player: PairingNumber, scoring: &ScoringKeys) -> GameCounts {
        self.games.tally().counts(self.index_of(player), scoring)
    }

    /// What a player asked over the network.
    pub(crate) fn asked(&self, player: PairingNumber) -> CallTotals {
        self.games.tally().asked(self.index_of(player))
    }

    /// Games that were played and that a player lost by a fault of its own.
    pub(crate) fn lost_by_fault(&self, player: PairingNumber) -> u32 {
        self.games.tally().lost_by_fault(self.index_of(player))
    }

    /// Who lost how many games by which fault, those too that were ruled on.
    pub fn faults(&self) -> impl Iterator<Item = (PairingNumber, Termination, u32)> {
        let players = [self.pair.white, self.pair.black];
        let faults = self.games.tally().faults();
        faults.map(move |(player, termination, games)| (players[player], termination, games))
    }

    /// In how many games each player of it gave an alarm, those too that were ruled on; only who did.
    pub fn alarms(&self) -> impl Iterator<Item = (PairingNumber, u32)> {
        let players = [self.pair.white, self.pair.black].into_iter();
        players.zip(self.games.tally().alarms()).filter(|(_, games)| *games > 0)
    }

    /// Result for `player`, once over: "more GP than the opponent = 1, equal = 0.5, fewer = 0". Where both lost every game,
    /// because neither came or neither engine started, both have lost.
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
