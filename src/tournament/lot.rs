//! Lots that anyone can check: an order drawn by SHA-256 of the event's seed, the purpose and the item.
//!
//! Item `i` (from 0) has the lot SHA-256("swissmatch lot\n{seed}\n{purpose}\n{i}"); the items are put in the order of their
//! lots. No generator whose numbers could change with a library's version is involved.
//!
//! May not: draw anything that the seed and the purpose do not fix.

use sha2::{Digest, Sha256};

/// The items `0..count` in drawn order.
#[must_use]
pub fn order(seed: u64, purpose: &str, count: usize) -> Vec<usize> {
    let lot = |item: &usize| <[u8; 32]>::from(Sha256::digest(format!("swissmatch lot\n{seed}\n{purpose}\n{item}")));
    let mut items: Vec<usize> = (0..count).collect();
    items.sort_by_cached_key(lot);
    items
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn is_a_permutation_that_seed_and_purpose_fix() {
        let drawn = order(2026, "test", 50);
        let mut sorted = drawn.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_eq!(drawn, order(2026, "test", 50));
        assert_ne!(drawn, order(2027, "test", 50));
        assert_ne!(drawn, order(2026, "other", 50));
    }

    #[test]
    fn stays_as_it_is_for_ever() {
        assert_eq!(
            order(1, "a", 6),
            [2, 1, 3, 5, 4, 0],
            "stored events rest on these numbers"
        );
    }
}
