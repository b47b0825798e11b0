//! Cycles: a table of rounds that is gone through several times.
//!
//! May not: make a table.

use crate::pairing::history::RoundPairing;

/// The rounds of this cycle, from 1: those of the table, with colours reversed in every second one. After the first
/// cycle all meetings are repeats.
pub(super) fn again(mut table: Vec<RoundPairing>, cycle: u32) -> Vec<RoundPairing> {
    for pair in table.iter_mut().flat_map(|round| &mut round.pairs) {
        if cycle.is_multiple_of(2) {
            std::mem::swap(&mut pair.white, &mut pair.black);
        }
        pair.repeat = cycle > 1;
    }
    table
}
