//! Criteria of falling precedence as the digits of one weight.
//!
//! Every criterion has a digit wide enough for the most it can count in a whole bracket, so that no number of
//! violations of a later criterion outweighs one of an earlier.
//!
//! May not: know what the criteria are.

use crate::pairing::matching::{Lexicographic, Weight};

/// Bits of one part of a weight that digits may fill. The rest leaves room for doubling, and for the sums over up to
/// 2¹⁶ players in the duals of a matching.
const PART_BITS: u32 = 104;

/// A weight made of digits.
pub(super) trait DigitWeight: Weight {
    /// `count` units of a digit, doubled as costs of `ScopeCosts` are.
    fn doubled(place: DigitPlace, count: u32) -> Self;

    /// The count in a digit of a doubled weight, which must be a sum of such units only.
    fn read(self, place: DigitPlace) -> u64;
}

/// The position of a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DigitPlace {
    part: usize,
    shift: u32,
    bits: u32,
}

impl DigitWeight for i128 {
    fn doubled(place: DigitPlace, count: u32) -> Self {
        Self::from(count) << (place.shift + 1)
    }

    fn read(self, place: DigitPlace) -> u64 {
        read(self, place)
    }
}

impl<const PARTS: usize> DigitWeight for Lexicographic<PARTS> {
    fn doubled(place: DigitPlace, count: u32) -> Self {
        let mut weight = Self::ZERO;
        weight.0[place.part] = i128::from(count) << (place.shift + 1);
        weight
    }

    fn read(self, place: DigitPlace) -> u64 {
        read(self.0[place.part], place)
    }
}

fn read(part: i128, place: DigitPlace) -> u64 {
    u64::try_from((part >> (place.shift + 1)) & ((1 << place.bits) - 1)).expect("no digit is that wide")
}

/// Gives out digits, the most important first.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Bits of each digit, in order.
    bits: Vec<u32>,
}

/// A digit of a [`Layout`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit(usize);

impl Layout {
    /// The next digit: it counts to `most`.
    pub(super) fn digit(&mut self, most: usize) -> Digit {
        self.bits.push(usize::BITS - most.leading_zeros());
        Digit(self.bits.len() - 1)
    }

    /// The positions of the digits.
    pub(super) fn places(&self) -> Vec<DigitPlace> {
        let mut places: Vec<DigitPlace> = Vec::with_capacity(self.bits.len());
        let (mut part, mut used) = (0, 0);
        for &bits in &self.bits {
            if used + bits > PART_BITS {
                (part, used) = (part + 1, 0);
            }
            used += bits;
            places.push(DigitPlace {
                part,
                shift: PART_BITS - used,
                bits,
            });
        }
        places
    }

    /// The number of parts that a weight needs to hold the digits.
    pub(super) fn parts(&self) -> usize {
        self.places().last().map_or(0, |place| place.part + 1)
    }
}

/// The places of the digits of a finished layout.
#[derive(Clone, Debug)]
pub(super) struct DigitPlaces(Vec<DigitPlace>);

impl DigitPlaces {
    pub(super) fn new(layout: &Layout) -> Self {
        Self(layout.places())
    }

    pub(super) fn units<W: DigitWeight>(&self, digit: Digit, count: u32) -> W {
        W::doubled(self.0[digit.0], count)
    }

    pub(super) fn read<W: DigitWeight>(&self, digit: Digit, weight: W) -> u64 {
        weight.read(self.0[digit.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_keep_apart_and_spill_into_further_parts() {
        let mut layout = Layout::default();
        let digits: Vec<Digit> = [9999, 1, 0, 1 << 40, 1 << 50, 3]
            .map(|most| layout.digit(most))
            .to_vec();
        assert_eq!(layout.parts(), 2);
        let places = DigitPlaces::new(&layout);
        let mut sum = Lexicographic::<2>::ZERO;
        for (digit, count) in digits.iter().zip([9999, 1, 0, 77, 5, 3]) {
            sum = sum + places.units(*digit, count);
        }
        let read: Vec<u64> = digits.iter().map(|&digit| places.read(digit, sum)).collect();
        assert_eq!(read, [9999, 1, 0, 77, 5, 3]);
        assert!(places.units::<Lexicographic<2>>(digits[3], 1) > places.units(digits[4], u32::MAX));
    }
}
