//! The pairing systems of a Swiss by name, each with its rules: what pairs a round, and what explains it.
//!
//! May not: pair by anything of its own.

use super::dutch::rules::Edition;
use super::history::{History, RoundPairing};
use super::infeasible::Infeasible;
use super::{by_aims, double_swiss, dutch, immortal, match_points, us_chess};
use crate::word::words;

/// Which pairing system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingSystem {
    /// `"match-points"`: opponents of similar match points, exact; see [`match_points`].
    MatchPoints,
    /// `"dutch"`: FIDE's Dutch system (C.04.3); see [`dutch`].
    Dutch,
    /// `"us-chess"`: top half against bottom half within score groups; see [`us_chess`].
    UsChess,
    /// `"immortal"`: equal points meet, by rating, with a limit to colours in a row; see [`immortal`].
    Immortal,
    /// `"double-swiss"`: FIDE's Double-Swiss system (C.04.5) by game points; see [`double_swiss`].
    DoubleSwiss,
}

words!(PairingSystem {
    MatchPoints => "match-points",
    Dutch => "dutch",
    UsChess => "us-chess",
    Immortal => "immortal",
    DoubleSwiss => "double-swiss",
});

/// A pairing system with the rules that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum System {
    /// [`PairingSystem::MatchPoints`]
    MatchPoints(match_points::MatchPointsRules),
    /// [`PairingSystem::Dutch`]
    Dutch(dutch::rules::DutchRules),
    /// [`PairingSystem::UsChess`]
    UsChess(us_chess::UsChessRules),
    /// [`PairingSystem::Immortal`]
    Immortal(immortal::ImmortalRules),
    /// [`PairingSystem::DoubleSwiss`]
    DoubleSwiss(double_swiss::DoubleSwissRules),
}

/// Why a round has its pairing, as far as its system tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// By aims, each before all that follow it.
    ByAims(by_aims::Explanation),
    /// By the brackets of the Dutch system, in this edition.
    Dutch(dutch::explain::Explanation, Edition),
    /// The system does not tell.
    Untold,
}

impl System {
    /// Which system it is.
    pub const fn name(&self) -> PairingSystem {
        match self {
            Self::MatchPoints(_) => PairingSystem::MatchPoints,
            Self::Dutch(_) => PairingSystem::Dutch,
            Self::UsChess(_) => PairingSystem::UsChess,
            Self::Immortal(_) => PairingSystem::Immortal,
            Self::DoubleSwiss(_) => PairingSystem::DoubleSwiss,
        }
    }

    /// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number.
    ///
    /// # Errors
    /// When no pairing exists, or not by the rules.
    pub fn pair(&self, history: &History) -> Result<RoundPairing, Infeasible> {
        match self {
            Self::MatchPoints(rules) => match_points::pair(history, rules),
            Self::Dutch(rules) => dutch::pair(history, rules),
            Self::UsChess(rules) => us_chess::pair(history, rules),
            Self::Immortal(rules) => immortal::pair(history, rules),
            Self::DoubleSwiss(rules) => double_swiss::pair(history, rules),
        }
    }

    /// Why the coming round has the pairing that [`Self::pair`] gives.
    ///
    /// # Errors
    /// As [`Self::pair`]; none of a system that does not tell.
    pub fn explain(&self, history: &History) -> Result<Explanation, Infeasible> {
        Ok(match self {
            Self::MatchPoints(rules) => Explanation::ByAims(match_points::explain::explain(history, rules)?),
            Self::Immortal(rules) => Explanation::ByAims(immortal::explain::explain(history, rules)?),
            Self::Dutch(rules) => Explanation::Dutch(dutch::explain::explain(history, rules)?, rules.edition),
            Self::UsChess(_) | Self::DoubleSwiss(_) => Explanation::Untold,
        })
    }
}
