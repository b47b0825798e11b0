//! What a tie-break is added up from.
//!
//! May not: know names or words.

use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// What is particular about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// Nothing: the opponent and the round say all.
    None,
    /// An own unplayed round, as if against oneself.
    Dummy,
    /// The same, but the scheduled opponent's score is lower.
    DummyCappedByOpponent,
    /// The same, but a draw for each round is lower.
    DummyCappedByDraws,
    /// An own unplayed round against the virtual opponent of 2022.
    VirtualOpponent,
    /// An own unplayed round that counts as an opponent with nothing (US Chess).
    NoOpponent,
    /// Points of an unplayed round, taken off (US Chess).
    UnplayedPoints,
    /// Points that no round gave.
    Bonus,
    /// Of the table of rating differences, for the percentage.
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
    /// Of round 1.
    FirstRound,
}

/// One part of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The round, from 0; `None` where it is of no round.
    pub round: Option<usize>,
    /// The opponent it is of.
    pub opponent: Option<PairingNumber>,
    /// The opponent's number: score as others see it, rating, tie-break.
    pub worth: Value,
    /// The own points it is multiplied with.
    pub times: Option<Points>,
    /// What it adds.
    pub amount: Value,
    /// Whether it is of a voluntary unplayed round.
    pub voluntary: bool,
    /// What is particular about it.
    pub note: Note,
    /// Why it does not count.
    pub cut: Option<CutReason>,
}

impl Term {
    /// A part that is of a round alone.
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

    /// A part that is an opponent's number.
    pub const fn of_opponent(round: usize, opponent: PairingNumber, worth: Value) -> Self {
        let mut term = Self::of_round(round, worth);
        term.opponent = Some(opponent);
        term
    }

    /// The sum of what counts.
    pub fn sum(terms: &[Self]) -> Value {
        let counted = terms.iter().filter(|term| term.cut.is_none());
        counted.map(|term| term.amount).sum()
    }
}
