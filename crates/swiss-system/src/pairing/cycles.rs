//! A table of rounds that is gone through several times, which are its cycles.
//!
//! May not: make a table.

use crate::pairing::history::RoundPairing;

/// The rounds of this cycle, from 1: those of the table, in every second one with colours reversed. After the first one
/// everybody meets opponents again.
pub(super) fn again(mut table: Vec<RoundPairing>, cycle: u32) -> Vec<RoundPairing> {
    for pair in table.iter_mut().flat_map(|round| &mut round.pairs) {
        if cycle.is_multiple_of(2) {
            std::mem::swap(&mut pair.white, &mut pair.black);
        }
        pair.repeat = cycle > 1;
    }
    table
}
