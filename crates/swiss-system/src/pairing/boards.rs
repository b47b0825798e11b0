//! The order of the boards.
//!
//! May not: choose pairs, or give colours.

use std::cmp::Reverse;

use crate::pairing::history::{History, Pair};

/// Puts pairs into the order of the boards (C.04.2, article 3.6): the higher points of the pair, then the sum of its
/// points, then the pairing number of its higher ranked player.
///
/// # Panics
/// When a player is not in the history.
pub(crate) fn sort(history: &History, pairs: &mut [Pair]) {
    pairs.sort_by_key(|pair| {
        let [one, other] = [pair.white, pair.black].map(|number| (Reverse(history.player(number).points), number));
        let (higher, lower) = (one.min(other), one.max(other));
        (higher.0, lower.0, higher.1)
    });
}

#[cfg(test)]
mod tests {
    use super::sort;
    use crate::pairing::colors::seated;
    use crate::pairing::history::FirstColor::White;
    use crate::pairing::history::PairingNumber;
    use crate::pairing::tests::fresh;

    #[test]
    fn order_of_the_boards() {
        let history = fresh(&[1, 6, 6, 4, 2, 1, 6, 5]);
        let pair = |white, black| seated(PairingNumber(white), White, PairingNumber(black), false);
        let mut pairs = [pair(6, 1), pair(4, 8), pair(5, 3), pair(7, 2)];
        sort(&history, &mut pairs);
        assert_eq!(pairs, [pair(7, 2), pair(5, 3), pair(4, 8), pair(6, 1)]);
        let mut level = [pair(3, 5), pair(7, 5), pair(5, 2)];
        sort(&history, &mut level);
        assert_eq!(level, [pair(5, 2), pair(3, 5), pair(7, 5)]);
    }
}
