//! The transposition table: what is known of positions met in this search.

use super::score::{from_table, to_table};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// This is the true score.
    Exact,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The best move as [`super::ordering::code`] gives it, zero for none.
    pub(super) mv: u16,
    pub(super) score: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// A key and a packed [`Known`] with its generation.
///
/// Plain numbers rather than a struct, because only of those does the
/// allocator get zeroed pages that are not touched before they are needed.
type Slot = [u64; 2];

/// Two slots share an index: one keeps the deepest, one the latest.
const SLOTS: usize = 2;

const GENERATION_SHIFT: u32 = 42;
const LAST_GENERATION: u64 = (1 << (64 - GENERATION_SHIFT)) - 1;

/// A table that shows only what the present search has stored.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    generation: u64,
}

impl Table {
    /// A table of about so many megabytes.
    pub(super) fn new(megabytes: u64) -> Self {
        let bytes = usize::try_from(megabytes.max(1) << 20).unwrap_or(1 << 20);
        let pairs = bytes / (SLOTS * size_of::<Slot>());
        Self {
            slots: vec![[0, 0]; pairs * SLOTS],
            generation: 0,
        }
    }

    /// Starts a search: hides all that was stored before.
    pub(super) fn forget(&mut self) {
        if self.generation == LAST_GENERATION {
            self.slots.fill([0, 0]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// What is known of a position at this distance from the root.
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        let base = self.base(key);
        self.slots[base..base + SLOTS]
            .iter()
            .find(|slot| slot[0] == key && self.is_current(**slot))
            .map(|slot| {
                let mut known = unpack(slot[1]);
                known.score = from_table(known.score, ply);
                known
            })
    }

    /// Stores what was found out about a position.
    pub(super) fn store(&mut self, key: u64, ply: usize, mut known: Known) {
        known.score = to_table(known.score, ply);
        let base = self.base(key);
        let deep = self.slots[base];
        let replaces_deep = !self.is_current(deep) || deep[0] == key || known.depth >= unpack(deep[1]).depth;
        if known.mv == 0
            && let Some(old) = self.slots[base..base + SLOTS]
                .iter()
                .find(|slot| slot[0] == key && self.is_current(**slot))
        {
            // A node that failed low has no best move; an older guess is
            // better than none.
            known.mv = unpack(old[1]).mv;
        }
        let slot = [key, pack(known, self.generation)];
        self.slots[if replaces_deep { base } else { base + 1 }] = slot;
    }

    /// How full the table is, in thousandths.
    pub(super) fn fullness(&self) -> usize {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter(|slot| self.is_current(**slot)).count();
        used * 1000 / sample.len()
    }

    fn base(&self, key: u64) -> usize {
        let pairs = (self.slots.len() / SLOTS) as u128;
        let pair = (u128::from(key) * pairs) >> 64;
        pair as usize * SLOTS
    }

    fn is_current(&self, slot: Slot) -> bool {
        slot[1] >> GENERATION_SHIFT == self.generation
    }
}

fn pack(known: Known, generation: u64) -> u64 {
    let score = known.score as i16 as u16;
    let depth = known.depth.clamp(0, 255) as u64;
    u64::from(known.mv)
        | u64::from(score) << 16
        | depth << 32
        | (known.bound as u64) << 40
        | generation << GENERATION_SHIFT
}

fn unpack(data: u64) -> Known {
    Known {
        mv: data as u16,
        score: i32::from((data >> 16) as u16 as i16),
        depth: i32::from((data >> 32) as u8),
        bound: match (data >> 40) & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: i32) -> Known {
        Known {
            mv: 77,
            score: -123,
            depth,
            bound: Bound::Exact,
        }
    }

    #[test]
    fn keeps_and_forgets() {
        let mut table = Table::new(1);
        table.forget();
        table.store(5, 3, known(9));
        assert_eq!(table.probe(5, 3), Some(known(9)));
        assert_eq!(table.probe(6, 3), None);
        table.forget();
        assert_eq!(table.probe(5, 3), None);
    }

    #[test]
    fn shallow_entries_do_not_push_out_deep_ones() {
        let mut table = Table::new(1);
        table.forget();
        for (key, depth) in [(1, 9), (2, 1), (3, 1)] {
            table.store(key, 0, known(depth));
        }
        assert!(table.probe(1, 0).is_some());
        assert!(table.probe(2, 0).is_none());
        assert!(table.probe(3, 0).is_some());
    }
}
