//! What the players did, round by round: the only input of the standings.
//!
//! May not: know games, engines, files; rank anything.

use std::ops::{Add, AddAssign};

use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// How a finished mini-match ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchResult {
    /// More game points than the opponent.
    Won,
    /// As many.
    Drawn,
    /// Fewer.
    Lost,
}

/// Games of one player, counted. A game that was not played (a forfeit before the first move) counts in `forfeits_*` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Played games won.
    pub won: u32,
    /// Played games drawn.
    pub drawn: u32,
    /// Played games lost.
    pub lost: u32,
    /// Unplayed games won by forfeit.
    pub forfeits_won: u32,
    /// Unplayed games lost by forfeit.
    pub forfeits_lost: u32,
    /// Games that ended by this player's own fault (time forfeit, illegal move, crash, not started), played or not.
    pub faults: u32,
}

impl GameCounts {
    /// Games that were played.
    #[must_use]
    pub const fn played(self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

impl Add for GameCounts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            forfeits_won: self.forfeits_won + other.forfeits_won,
            forfeits_lost: self.forfeits_lost + other.forfeits_lost,
            faults: self.faults + other.faults,
        }
    }
}

impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// What one round was for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerRound {
    /// A mini-match, finished or not.
    MiniMatch {
        /// The opponent.
        opponent: PairingNumber,
        /// The player's own game points in it so far.
        game_points: Points,
        /// How it ended, or `None` while games are due: then it gives no match points yet.
        result: Option<MatchResult>,
        /// Match points it gave the player; zero while unfinished.
        match_points: Points,
        /// The player's games in it.
        games: GameCounts,
        /// Whether the two had met before (a forced repeat).
        repeat: bool,
    },
    /// The pairing-allocated bye.
    Bye {
        /// Match points it gave.
        match_points: Points,
        /// Game points it gave.
        game_points: Points,
    },
    /// Not paired, no points.
    Absent,
}

/// Everything that happened to one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerResults {
    /// One entry a round that has been paired, in order.
    pub rounds: Vec<PlayerRound>,
}

/// The tournament so far: players in order of their pairing numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// All players.
    pub players: Vec<PlayerResults>,
    /// For each player the place in the order of submission, from 0, no two alike: the last word among the tied.
    pub submission: Vec<u32>,
    /// Names, for the order of listing after submission; same order as `players`.
    pub names: Vec<String>,
}
