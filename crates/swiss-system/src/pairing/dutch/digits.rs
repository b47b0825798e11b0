//! Criteria of falling precedence as the digits of one weight.
//!
//! Every criterion has a field wide enough for the most it can count in a whole bracket, so that no number of
//! violations of a later criterion outweighs one of an earlier.
//!
//! May not: know what the criteria are.

use crate::pairing::matching::{Lexicographic, Weight};

/// Bits of one part of a weight that fields may fill. What is left above them takes doubling and the sums over up to
/// 2¹⁶ players that the duals of a matching are.
const PART_BITS: u32 = 104;

/// A weight made of fields.
pub(super) trait Digits: Weight {
    /// `count` units of a field, doubled as `Costs` tells costs.
    fn doubled(place: Place, count: u32) -> Self;

    /// What stands in a field of a doubled weight, which must be no sum of others than such units.
    fn read(self, place: Place) -> u64;
}

/// Where a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    part: usize,
    shift: u32,
    bits: u32,
}

impl Digits for i128 {
    fn doubled(place: Place, count: u32) -> Self {
        Self::from(count) << (place.shift + 1)
    }

    fn read(self, place: Place) -> u64 {
        read(self, place)
    }
}

impl<const PARTS: usize> Digits for Lexicographic<PARTS> {
    fn doubled(place: Place, count: u32) -> Self {
        let mut weight = Self::ZERO;
        weight.0[place.part] = i128::from(count) << (place.shift + 1);
        weight
    }

    fn read(self, place: Place) -> u64 {
        read(self.0[place.part], place)
    }
}

fn read(part: i128, place: Place) -> u64 {
    u64::try_from((part >> (place.shift + 1)) & ((1 << place.bits) - 1)).expect("no field is that wide")
}

/// Gives out fields, the most important first.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Bits of each field, in order.
    bits: Vec<u32>,
}

/// A field of a [`Layout`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldId(usize);

impl Layout {
    /// The next field: it counts to `most`.
    pub(super) fn field(&mut self, most: usize) -> FieldId {
        self.bits.push(usize::BITS - most.leading_zeros());
        FieldId(self.bits.len() - 1)
    }

    /// Where the fields are.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(self.bits.len());
        let (mut part, mut used) = (0, 0);
        for &bits in &self.bits {
            if used + bits > PART_BITS {
                (part, used) = (part + 1, 0);
            }
            used += bits;
            places.push(Place {
                part,
                shift: PART_BITS - used,
                bits,
            });
        }
        places
    }

    /// How many parts a weight must have to hold the fields.
    pub(super) fn parts(&self) -> usize {
        self.places().last().map_or(0, |place| place.part + 1)
    }
}

/// The places of the fields of a finished layout.
#[derive(Clone, Debug)]
pub(super) struct Places(Vec<Place>);

impl Places {
    pub(super) fn new(layout: &Layout) -> Self {
        Self(layout.places())
    }

    pub(super) fn units<W: Digits>(&self, field: FieldId, count: u32) -> W {
        W::doubled(self.0[field.0], count)
    }

    pub(super) fn read<W: Digits>(&self, field: FieldId, weight: W) -> u64 {
        weight.read(self.0[field.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_apart_and_spill_into_further_parts() {
        let mut layout = Layout::default();
        let fields: Vec<FieldId> = [9999, 1, 0, 1 << 40, 1 << 50, 3]
            .map(|most| layout.field(most))
            .to_vec();
        assert_eq!(layout.parts(), 2);
        let places = Places::new(&layout);
        let mut sum = Lexicographic::<2>::ZERO;
        for (field, count) in fields.iter().zip([9999, 1, 0, 77, 5, 3]) {
            sum = sum + places.units(*field, count);
        }
        let read: Vec<u64> = fields.iter().map(|&field| places.read(field, sum)).collect();
        assert_eq!(read, [9999, 1, 0, 77, 5, 3]);
        assert!(places.units::<Lexicographic<2>>(fields[3], 1) > places.units(fields[4], u32::MAX));
    }
}
