//! The pairing systems of a Swiss by name, each with its rules: pairing a round, and explaining it.
//!
//! May not: pair by anything of its own.

use super::bye::steps::{ByeStep, Ground, steps};
use super::dutch::rules::DutchEdition;
use super::history::{History, PairingNumber, RoundPairing};
use super::infeasible::NoPairingError;
use super::{by_aims, double_swiss, dutch, immortal, match_points, us_chess};
use crate::word::words;

/// A pairing system by name.
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
pub enum PairingRules {
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

/// Why a round has its pairing, as far as its system says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingExplanation {
    /// By aims, each before all that follow it.
    ByAims(by_aims::AimsExplanation),
    /// By the brackets of the Dutch system, in this edition.
    Dutch(dutch::explain::DutchExplanation, DutchEdition),
    /// The system gives no explanation.
    Untold,
}

impl PairingRules {
    /// The name of the system.
    pub const fn name(&self) -> PairingSystem {
        match self {
            Self::MatchPoints(_) => PairingSystem::MatchPoints,
            Self::Dutch(_) => PairingSystem::Dutch,
            Self::UsChess(_) => PairingSystem::UsChess,
            Self::Immortal(_) => PairingSystem::Immortal,
            Self::DoubleSwiss(_) => PairingSystem::DoubleSwiss,
        }
    }

    /// True if players have points for the pairing that they have not made.
    pub const fn is_accelerated(&self) -> bool {
        match self {
            Self::Dutch(rules) => !rules.virtual_points.is_empty(),
            _ => false,
        }
    }

    /// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number.
    ///
    /// # Errors
    /// If no pairing exists, or none by the rules.
    pub fn pair(&self, history: &History) -> Result<RoundPairing, NoPairingError> {
        match self {
            Self::MatchPoints(rules) => match_points::pair(history, rules),
            Self::Dutch(rules) => dutch::pair(history, rules),
            Self::UsChess(rules) => us_chess::pair(history, rules),
            Self::Immortal(rules) => immortal::pair(history, rules),
            Self::DoubleSwiss(rules) => double_swiss::pair(history, rules),
        }
    }

    /// The steps by which `chosen`, who has the bye of the coming round, was found among those present; none for the
    /// Dutch system, whose explanation has them.
    pub fn bye_steps(&self, history: &History, chosen: PairingNumber) -> Vec<ByeStep> {
        use Ground::{FewestByes, LowestPoints, LowestRating, MostPlayed, Right};
        match self {
            Self::MatchPoints(rules) => {
                let order: Vec<Ground> = rules.bye_order.iter().map(|&criterion| criterion.into()).collect();
                steps(history, chosen, &order, |_| true)
            }
            Self::Immortal(_) => {
                // A player who has had a bye has no right to another.
                let grounds = [FewestByes, LowestPoints, LowestRating];
                steps(history, chosen, &grounds, |_| true)
            }
            Self::UsChess(rules) => {
                let grounds = [Right, FewestByes, LowestPoints, LowestRating];
                steps(history, chosen, &grounds, |number| {
                    us_chess::may_have_bye(history.player(number), rules, us_chess::rounds_left(history, rules))
                })
            }
            Self::DoubleSwiss(rules) => {
                let grounds = [Right, LowestPoints, MostPlayed];
                steps(history, chosen, &grounds, |number| {
                    double_swiss::may_have_bye(history, rules, number)
                })
            }
            Self::Dutch(_) => Vec::new(),
        }
    }

    /// Why the coming round has the pairing that [`Self::pair`] gives.
    ///
    /// # Errors
    /// As for [`Self::pair`]; none for a system that gives no explanation.
    pub fn explain(&self, history: &History) -> Result<PairingExplanation, NoPairingError> {
        Ok(match self {
            Self::MatchPoints(rules) => PairingExplanation::ByAims(match_points::explain::explain(history, rules)?),
            Self::Immortal(rules) => PairingExplanation::ByAims(immortal::explain::explain(history, rules)?),
            Self::Dutch(rules) => PairingExplanation::Dutch(dutch::explain::explain(history, rules)?, rules.edition),
            Self::UsChess(_) | Self::DoubleSwiss(_) => PairingExplanation::Untold,
        })
    }
}
