//! Pauses between tries.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

/// The pause before the second try; it doubles up to the longest.
const AGAIN: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// The pause after this many tries: twice the one before, minus up to half of it by chance.
pub(super) fn pause(tries: u32) -> Duration {
    let whole = AGAIN.saturating_mul(1 << tries.saturating_sub(1).min(10)).min(LONGEST);
    let chance = RandomState::new().build_hasher().finish() % 512;
    whole * (512 + chance as u32) / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_differ() {
        for (tries, most) in [(1, 500), (2, 1000), (4, 4000), (7, 30_000), (4_000_000, 30_000)] {
            let pauses: Vec<_> = (0..20).map(|_| pause(tries).as_millis()).collect();
            assert!(
                pauses.iter().all(|pause| (most / 2..=most).contains(pause)),
                "{tries}: {pauses:?}"
            );
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{tries}: {pauses:?}");
        }
    }
}
