//! The FIDE (Dutch) system, C.04.3, in the edition in force since 1 February 2026 and the one before it.
//!
//! The criteria (C1 to C21 of 2026) stand beside the code that reads them: C1 to C3 in `player`, C4 and C5 in
//! `completion`, C6 to C21 in `prices`; the brackets (articles 2 and 3) in `round` and `bracket`, the order of generation
//! (article 4) in `bracket`, colours (article 5) in `color`.
//!
//! May not: know games, files or names; use chance.

mod bracket;
mod color;
mod completion;
mod costs;
pub mod criterion;
mod criterion_digits;
mod deadlock;
mod digits;
pub mod explain;
mod player;
mod prices;
mod round;
pub mod rules;
mod scope;
mod shortfall;

use crate::pairing::boards;
use crate::pairing::dutch::bracket::BracketChoice;
use crate::pairing::dutch::player::DutchField;
use crate::pairing::dutch::round::Foresight;
use crate::pairing::dutch::rules::DutchRules;
use crate::pairing::history::{FirstColor, History, Pair, PairingNumber, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::score::Points;

/// The largest number of players below a bracket who are all taken into view at once.
const FEW: usize = 48;

/// One bracket as it was paired, for explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingBracket {
    /// The score of its residents, virtual points included.
    pub score: Points,
    /// Downfloaters of the brackets above.
    pub moved_down: Vec<PairingNumber>,
    /// The scoregroup of the bracket.
    pub residents: Vec<PairingNumber>,
    /// The pairs, the higher ranked player first.
    pub pairs: Vec<(PairingNumber, PairingNumber)>,
    /// The players who are not paired in it.
    pub downfloaters: Vec<PairingNumber>,
}

/// The pairing of the coming round.
///
/// Boards are in the order that C.04.2, article 3.6, recommends; virtual points do not count.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::NoLegalPairing`] with a proof, if no pairing keeps C1 to C3
/// and pairs everybody.
pub fn pair(history: &History, rules: &DutchRules) -> Result<RoundPairing, NoPairingError> {
    pair_in_brackets(history, rules).map(|(pairing, _)| pairing)
}

/// The pairing of the coming round, and the brackets it was made of, the highest first.
///
/// # Errors
/// As [`pair`].
pub fn pair_in_brackets(
    history: &History,
    rules: &DutchRules,
) -> Result<(RoundPairing, Vec<PairingBracket>), NoPairingError> {
    pair_with(history, rules, Foresight::Growing { few: FEW })
}

fn pair_with(
    history: &History,
    rules: &DutchRules,
    foresight: Foresight,
) -> Result<(RoundPairing, Vec<PairingBracket>), NoPairingError> {
    let (field, brackets, bye) = choose(history, rules, foresight)?;
    let number = |place: usize| field.players[place].number;
    let pairs = brackets.iter().flat_map(|bracket| bracket.pairs.iter().copied());
    let mut pairs: Vec<Pair> = pairs
        .map(|(higher, lower)| colored(&field, rules, higher, lower))
        .collect();
    boards::sort(history, &mut pairs);
    let pairing = RoundPairing::new(pairs, bye.map(number));
    let brackets = brackets.iter().map(|bracket| as_numbers(&field, bracket)).collect();
    Ok((pairing, brackets))
}

/// The field, its brackets as they are paired, and the place of the player with the bye.
fn choose(
    history: &History,
    rules: &DutchRules,
    foresight: Foresight,
) -> Result<(DutchField, Vec<BracketChoice>, Option<usize>), NoPairingError> {
    let field = DutchField::new(history, rules);
    if field.players.is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    let (brackets, bye) = round::pair(&field, foresight).map_err(|_| {
        let deadlock = deadlock::find(&field, history);
        NoPairingError::NoLegalPairing(Box::new(deadlock.expect("a field that cannot be paired")))
    })?;
    Ok((field, brackets, bye))
}

fn as_numbers(field: &DutchField, bracket: &BracketChoice) -> PairingBracket {
    let number = |place: usize| field.players[place].number;
    let numbers = |places: &[usize]| places.iter().map(|&place| number(place)).collect();
    PairingBracket {
        score: field.players[bracket.scope.residents[0]].score,
        moved_down: numbers(&bracket.scope.moved_down),
        residents: numbers(&bracket.scope.residents),
        pairs: bracket
            .pairs
            .iter()
            .map(|&(higher, lower)| (number(higher), number(lower)))
            .collect(),
        downfloaters: numbers(&bracket.downfloaters),
    }
}

fn colored(field: &DutchField, rules: &DutchRules, higher: usize, lower: usize) -> Pair {
    let (higher, lower) = (&field.players[higher], &field.players[lower]);
    let (white, black) = match color::of_higher(higher, lower, rules.initial_color) {
        FirstColor::White => (higher, lower),
        FirstColor::Black => (lower, higher),
    };
    Pair {
        white: white.number,
        black: black.number,
        repeat: false,
    }
}

#[cfg(test)]
mod tests;
