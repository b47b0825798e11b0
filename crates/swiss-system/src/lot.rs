//! Lots that anyone can check: drawn by SHA-256 of a seed, the purpose and the item.
//!
//! An order: item `i` (from 0) has the lot SHA-256("swissmatch lot\n{seed}\n{purpose}\n{i}"), and items are put in
//! the order of their lots. A sequence of numbers: number `i` (from 0) is the first eight bytes, the most significant
//! first, of SHA-256("swissmatch draw\n{seed}\n{purpose}\n{i}"). No generator whose numbers could change with a
//! library's version is involved.
//!
//! May not: draw anything that the seed and the purpose do not fix.

use sha2::{Digest, Sha256};

/// The items `0..count` in drawn order.
pub fn order(seed: u64, purpose: &str, count: usize) -> Vec<usize> {
    let lot = |item: &usize| <[u8; 32]>::from(Sha256::digest(format!("swissmatch lot\n{seed}\n{purpose}\n{item}")));
    let mut items: Vec<usize> = (0..count).collect();
    items.sort_by_cached_key(lot);
    items
}

/// A sequence of numbers that depends only on a seed and a purpose.
#[derive(Clone, Debug)]
pub struct Draws {
    /// Everything that is hashed except the index.
    row: String,
    next: u64,
}

impl Draws {
    /// The sequence from its first number on.
    pub fn new(seed: u64, purpose: &str) -> Self {
        Self {
            row: format!("swissmatch draw\n{seed}\n{purpose}\n"),
            next: 0,
        }
    }

    /// The next number, of 64 bits.
    fn number(&mut self) -> u64 {
        let digest = Sha256::new_with_prefix(&self.row)
            .chain_update(self.next.to_string())
            .finalize();
        self.next += 1;
        let (number, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        u64::from_be_bytes(*number)
    }

    /// A number from 0 up to `bound`, without it, all equally likely: the next one of the sequence modulo `bound`.
    /// Numbers at the end of the 64 bits that would make small results likelier are skipped.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let whole = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.number();
            if number < whole {
                return number % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Draws, order};

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

    #[test]
    fn draws_are_sha_256_of_seed_purpose_and_place() {
        // printf 'swissmatch draw\n7\nresults\n0' | sha256sum, first 16 digits
        let mut draws = Draws::new(7, "results");
        assert_eq!(format!("{:016x}", draws.number()), "a275fc2234c15a7a");
        assert_eq!(format!("{:016x}", draws.number()), "a2e3038a92e65de7");
    }

    #[test]
    fn draws_reach_everything_below_their_bound_alike() {
        let mut draws = Draws::new(2026, "test");
        let mut times = [0; 6];
        for _ in 0..6000 {
            times[usize::try_from(draws.below(6)).expect("small")] += 1;
        }
        assert!(times.iter().all(|times| (850..1150).contains(times)), "{times:?}");
        assert_eq!(draws.below(1), 0);
    }
}
