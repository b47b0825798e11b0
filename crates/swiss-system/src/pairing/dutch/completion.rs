//! C4 and C5: if all who are left can still be paired, and who can be given the bye.
//!
//! May not: choose pairs.

use std::ops::Range;

use crate::pairing::dutch::bracket;
use crate::pairing::dutch::player::DutchField;
use crate::pairing::dutch::scope::{BracketAim, ByeSeat, Scope};
use crate::pairing::dutch::shortfall::Shortfall;
use crate::pairing::matching::NoMatchingError;

/// C4 for the whole field, and C5: "minimise the score of the assignee of the pairing-allocated bye". The place of one
/// player of that score who can get it; `None` for an even number of players.
///
/// # Errors
/// [`NoMatchingError`] when the round cannot be paired at all.
pub(super) fn lowest_bye(field: &DutchField) -> Result<Option<usize>, NoMatchingError> {
    bracket::bye_of(field, &everybody(field))
}

/// The whole field, with the bye for the lowest score if the number is odd.
pub(super) fn everybody(field: &DutchField) -> Scope {
    let everybody: Vec<usize> = (0..field.players.len()).collect();
    let is_odd = everybody.len() % 2 == 1;
    Scope {
        bye: if is_odd {
            ByeSeat::AsLowAsPossible
        } else {
            ByeSeat::Absent
        },
        ..only_pairs(Vec::new(), Vec::new(), everybody)
    }
}

/// C4: true if these players can all be paired with each other, the bye included.
pub(super) fn can_be_completed(field: &DutchField, players: Vec<usize>, bye: ByeSeat) -> bool {
    let scope = Scope {
        bye,
        ..only_pairs(Vec::new(), Vec::new(), players)
    };
    bracket::measure(field, &scope).is_ok()
}

/// C6 and C7 of the next bracket with these moved-down players, as far as they do not depend on those below; and one
/// set of its downfloaters that reaches this.
pub(super) fn next_shortfall(field: &DutchField, moved_down: &[usize], next: &Range<usize>) -> (Shortfall, Vec<usize>) {
    let scope = Scope {
        is_open: true,
        ..only_pairs(moved_down.to_vec(), next.clone().collect(), Vec::new())
    };
    bracket::measure(field, &scope).expect("everybody may leave an open view")
}

fn only_pairs(moved_down: Vec<usize>, residents: Vec<usize>, later: Vec<usize>) -> Scope {
    Scope {
        moved_down,
        residents,
        next: Vec::new(),
        later,
        is_open: false,
        bye: ByeSeat::Absent,
        aim: BracketAim::Pairs,
        is_collapsed: false,
    }
}
