//! A small hash that gives the same numbers on every machine and in every
//! build, which the hasher of the standard library does not promise.

/// Folds one more word into a running hash.
pub const fn mix(state: u64, word: u64) -> u64 {
    let mut x = state.rotate_left(23) ^ word.wrapping_add(0x3C6E_F372_FE94_F82B);
    x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 29)).wrapping_mul(0x6A09_E667_F3BC_C909);
    x ^ (x >> 32)
}

/// Folds a text into a running hash; the length goes in too, so that a list of
/// texts hashes differently from the same letters split elsewhere.
pub(crate) fn mix_text(state: u64, text: &str) -> u64 {
    let with_length = mix(state, text.len() as u64);
    text.bytes().fold(with_length, |hash, byte| mix(hash, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_split_matter() {
        assert_ne!(mix(mix(0, 1), 2), mix(mix(0, 2), 1));
        assert_ne!(mix_text(mix_text(0, "ab"), "c"), mix_text(mix_text(0, "a"), "bc"));
    }

    #[test]
    fn low_bits_are_spread() {
        let odd = (0..1000).filter(|n| mix(7, *n) % 2 == 1).count();
        assert!((400..600).contains(&odd), "{odd} of 1000 are odd");
    }
}
