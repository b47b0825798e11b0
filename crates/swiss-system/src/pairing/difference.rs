//! The difference between two pairings of one round, whatever the order of their boards.
//!
//! May not: judge which of the two is right.

use crate::pairing::history::Pair;
use crate::pairing::history::PairingNumber;
use crate::pairing::history::RoundPairing;

/// How two pairings are compared as to colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorComparison {
    /// Two players with colours reversed are another pair.
    Compared,
    /// Two players with colours reversed are the same pair.
    Ignored,
}

/// The parts that only one of two pairings has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Pairs and bye that only the first pairing has.
    pub first: RoundPairing,
    /// Pairs and bye that only the second pairing has.
    pub second: RoundPairing,
}

impl Difference {
    /// True if both have the same pairs and the same bye, and only colours differ.
    pub fn is_of_colors_alone(&self) -> bool {
        difference(&self.first, &self.second, ColorComparison::Ignored).is_none()
    }
}

/// The difference between two pairings; `None` if there is none. Marks of repeats are not compared.
pub fn difference(first: &RoundPairing, second: &RoundPairing, colors: ColorComparison) -> Option<Difference> {
    let [first, second] = [only_in(first, second, colors), only_in(second, first, colors)];
    let is_empty = |pairing: &RoundPairing| pairing.pairs.is_empty() && pairing.bye.is_none();
    (!(is_empty(&first) && is_empty(&second))).then_some(Difference { first, second })
}

fn only_in(one: &RoundPairing, other: &RoundPairing, colors: ColorComparison) -> RoundPairing {
    let key = |pair: &Pair| -> [PairingNumber; 2] {
        match colors {
            ColorComparison::Compared => [pair.white, pair.black],
            ColorComparison::Ignored => [pair.white.min(pair.black), pair.white.max(pair.black)],
        }
    };
    let others: std::collections::HashSet<[PairingNumber; 2]> = other.pairs.iter().map(key).collect();
    let own = one.pairs.iter().filter(|pair| !others.contains(&key(pair)));
    RoundPairing::new(own.copied().collect(), one.bye.filter(|_| one.bye != other.bye))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(pairs: &[(u32, u32)], bye: Option<u32>) -> RoundPairing {
        let pair = |&(white, black): &(u32, u32)| Pair {
            white: PairingNumber(white),
            black: PairingNumber(black),
            repeat: false,
        };
        RoundPairing::new(pairs.iter().map(pair).collect(), bye.map(PairingNumber))
    }

    #[test]
    fn the_order_of_boards_is_no_difference() {
        let (one, other) = (pairing(&[(1, 2), (3, 4)], Some(5)), pairing(&[(3, 4), (1, 2)], Some(5)));
        assert_eq!(difference(&one, &other, ColorComparison::Compared), None);
    }

    #[test]
    fn only_what_differs_is_named() {
        let (one, other) = (pairing(&[(1, 2), (3, 4)], Some(5)), pairing(&[(1, 2), (3, 5)], Some(4)));
        let found = difference(&one, &other, ColorComparison::Compared).expect("they differ");
        assert_eq!(found.first, pairing(&[(3, 4)], Some(5)));
        assert_eq!(found.second, pairing(&[(3, 5)], Some(4)));
        assert!(!found.is_of_colors_alone());
    }

    #[test]
    fn reversed_colors_are_a_difference_where_colors_count() {
        let (one, other) = (pairing(&[(1, 2), (3, 4)], None), pairing(&[(1, 2), (4, 3)], None));
        assert_eq!(difference(&one, &other, ColorComparison::Ignored), None);
        let found = difference(&one, &other, ColorComparison::Compared).expect("they differ");
        assert_eq!(found.second, pairing(&[(4, 3)], None));
        assert!(found.is_of_colors_alone());
    }

    #[test]
    fn a_bye_more_is_a_difference() {
        let (one, other) = (pairing(&[(1, 2)], Some(3)), pairing(&[(1, 2)], None));
        let found = difference(&one, &other, ColorComparison::Ignored).expect("they differ");
        assert_eq!((found.first.bye, found.second.bye), (Some(PairingNumber(3)), None));
    }
}
