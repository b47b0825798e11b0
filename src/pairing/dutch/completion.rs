//! C4 and C5: whether all who are left can still be paired, and who can be given the bye.
//!
//! May not: choose pairs.

use std::ops::Range;

use crate::pairing::dutch::bracket::{self, Shortfall};
use crate::pairing::dutch::player::Field;
use crate::pairing::dutch::scope::{Aim, ByeSeat, Scope};
use crate::pairing::matching::NoPerfectMatching;

/// The players below a bracket, as ranges of places by scoregroup.
pub(super) type Below<'a> = &'a [Range<usize>];

/// C4 for the whole field, and C5: "minimise the score of the assignee of the pairing-allocated bye". The place of one
/// player of that score who can get it; `None` for an even number of players.
///
/// # Errors
/// [`NoPerfectMatching`] when the round cannot be paired at all.
pub(super) fn lowest_bye(field: &Field) -> Result<Option<usize>, NoPerfectMatching> {
    let everybody: Vec<usize> = (0..field.players.len()).collect();
    let is_odd = everybody.len() % 2 == 1;
    let scope = Scope {
        bye: if is_odd {
            ByeSeat::AsLowAsPossible
        } else {
            ByeSeat::Absent
        },
        ..only_pairs(Vec::new(), Vec::new(), everybody)
    };
    bracket::bye_of(field, &scope)
}

/// Whether the downfloaters of a bracket can all be paired below, with no more downfloaters from the next bracket than
/// `next`, and everybody else with them. It may miss a way; what it finds exists.
pub(super) fn completes(
    field: &Field,
    downfloaters: &[usize],
    below: Below<'_>,
    bye: ByeSeat,
    next: &Shortfall,
) -> bool {
    let Some((next_group, later)) = below.split_first() else {
        return downfloaters.is_empty() && bye == ByeSeat::Absent;
    };
    let open = Scope {
        is_open: true,
        ..only_pairs(downfloaters.to_vec(), next_group.clone().collect(), Vec::new())
    };
    let Ok((found, left)) = bracket::measure(field, &open) else {
        return false;
    };
    if found != *next {
        return false;
    }
    let left = left.into_iter().chain(later.iter().cloned().flatten()).collect();
    let rest = Scope {
        bye,
        ..only_pairs(Vec::new(), Vec::new(), left)
    };
    bracket::measure(field, &rest).is_ok()
}

fn only_pairs(moved_down: Vec<usize>, residents: Vec<usize>, later: Vec<usize>) -> Scope {
    Scope {
        moved_down,
        residents,
        next: Vec::new(),
        later,
        is_open: false,
        bye: ByeSeat::Absent,
        aim: Aim::Pairs,
    }
}
