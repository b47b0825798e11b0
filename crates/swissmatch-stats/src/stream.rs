//! Streams of random numbers: one for each item of work, so that the distribution among threads changes no number.
//!
//! The stream of an item (from 0) is that of PCG64 (XSL RR 128/64), seeded with
//! SHA-256("swissmatch stream\n{seed}\n{purpose}\n{item}").
//!
//! This is a generator, not lots (`swiss_system::lot`): nothing that is stored depends on samples, and there are
//! millions of them. Its numbers are defined by its authors, and tested here.
//!
//! May not: draw anything that the seed, the purpose and the item do not fix.

use rand::SeedableRng as _;
use rand_pcg::Pcg64;
use sha2::{Digest as _, Sha256};

pub(super) fn stream(rng_seed: u64, purpose: &str, item: u32) -> Pcg64 {
    let seed = Sha256::digest(format!("swissmatch stream\n{rng_seed}\n{purpose}\n{item}"));
    Pcg64::from_seed(seed.into())
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::stream;

    #[test]
    fn seed_purpose_and_item_fix_the_numbers() {
        let first = |seed, purpose, item| stream(seed, purpose, item).next_u64();
        let known = first(2026, "test", 0);
        assert_eq!(known, first(2026, "test", 0));
        for other in [first(2027, "test", 0), first(2026, "other", 0), first(2026, "test", 1)] {
            assert_ne!(known, other);
        }
    }

    #[test]
    fn the_numbers_stay_as_they_are() {
        let mut stream = stream(1, "a", 0);
        // The numbers of the generator as its authors define it, worked out independently of the library.
        assert_eq!(
            [stream.next_u64(), stream.next_u64()],
            [14_484_929_590_290_039_678, 5_586_028_620_381_538_347]
        );
    }
}
