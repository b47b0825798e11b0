//! The terms of a tie-break's sum.
//!
//! May not: know names or words.

use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// A remark about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// None: the opponent and the round say everything.
    None,
    /// An own unplayed round, counted as if against oneself.
    Dummy,
    /// A dummy, capped at the scheduled opponent's lower score.
    DummyCappedByOpponent,
    /// A dummy, capped at the lower score of a draw for each round.
    DummyCappedByDraws,
    /// An own unplayed round against the virtual opponent of 2022.
    VirtualOpponent,
    /// An own unplayed round that counts as an opponent with nothing (US Chess).
    NoOpponent,
    /// Points of an unplayed round, subtracted (US Chess).
    UnplayedPoints,
    /// Points that no round gave.
    Bonus,
    /// The entry of the table of rating differences for this percentage.
    RatingDifference(u32),
    /// Below the lowest-rated opponent, because nothing was scored.
    NothingScored,
}

/// Why a term does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutReason {
    /// The lowest contribution.
    Lowest,
    /// The lowest contribution of a voluntary unplayed round, which goes first.
    Voluntary,
    /// The highest contribution.
    Highest,
    /// The contribution of round 1.
    FirstRound,
}

/// One term of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The round, from 0; `None` if it belongs to no round.
    pub round: Option<usize>,
    /// The opponent that it comes from.
    pub opponent: Option<PairingNumber>,
    /// The opponent's number: the score as others see it, a rating, or a tie-break.
    pub worth: Value,
    /// The player's own points, as a factor.
    pub times: Option<Points>,
    /// The contribution to the sum.
    pub amount: Value,
    /// True if it comes from a voluntary unplayed round.
    pub voluntary: bool,
    /// A remark about the term.
    pub note: Note,
    /// Why it does not count, if it is cut.
    pub cut: Option<CutReason>,
}

impl Term {
    /// A term that comes from a round alone.
    pub const fn of_round(round: usize, amount: Value) -> Self {
        Self {
            round: Some(round),
            opponent: None,
            worth: amount,
            times: None,
            amount,
            voluntary: false,
            note: Note::None,
            cut: None,
        }
    }

    /// A term that is an opponent's number.
    pub const fn of_opponent(round: usize, opponent: PairingNumber, worth: Value) -> Self {
        let mut term = Self::of_round(round, worth);
        term.opponent = Some(opponent);
        term
    }

    /// The sum of the terms that count.
    pub fn sum(terms: &[Self]) -> Value {
        let counted = terms.iter().filter(|term| term.cut.is_none());
        counted.map(|term| term.amount).sum()
    }
}
