//! The distribution of numbers, without keeping them: nearly equal numbers are counted together.
//!
//! Counts, sums and the least and largest number are exact. Quantiles are exact below 256, and above it within 0.4 %:
//! there, numbers with the same first eight binary digits are counted together. So a million numbers take no more
//! room than a few hundred. May not: know what the numbers are of.

use std::collections::BTreeMap;

/// Binary digits that are kept of a number after its first one.
const DIGITS: u32 = 7;

/// Numbers from 0, such as times in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The number of values for each kept form.
    counts: BTreeMap<u16, u64>,
    count: u64,
    sum: u128,
    ends: Option<(u64, u64)>,
}

impl Spread {
    pub fn add(&mut self, number: u64) {
        *self.counts.entry(kept(number)).or_default() += 1;
        self.count += 1;
        self.sum += u128::from(number);
        let (least, largest) = self.ends.unwrap_or((number, number));
        self.ends = Some((least.min(number), largest.max(number)));
    }

    pub const fn count(&self) -> u64 {
        self.count
    }

    pub const fn sum(&self) -> u128 {
        self.sum
    }

    /// The largest; `None` without any.
    pub fn largest(&self) -> Option<u64> {
        self.ends.map(|(_, largest)| largest)
    }

    /// The mean; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The least number that at least `percent` of all do not exceed, to 0.4 %; `None` without any.
    pub fn quantile(&self, percent: u8) -> Option<u64> {
        let (least, largest) = self.ends?;
        let wanted = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1);
        let mut below = 0;
        let reached = self.counts.iter().find(|(_, count)| {
            below += u128::from(**count);
            below >= wanted
        });
        let (kept, _) = reached.or_else(|| self.counts.last_key_value())?;
        Some(middle(*kept).clamp(least, largest))
    }

    /// The number that half of all do not exceed, as in [`Self::quantile`].
    pub fn median(&self) -> Option<u64> {
        self.quantile(50)
    }
}

/// The kept form of a number: how many binary digits follow the first ones, and the first ones.
fn kept(number: u64) -> u16 {
    let digits = u64::BITS - number.leading_zeros();
    let more = digits.saturating_sub(DIGITS + 1);
    let first = number >> more;
    u16::try_from((u64::from(more) << DIGITS) + first).expect("at most 56 times 128 and 255")
}

/// The middle of the numbers with this kept form.
fn middle(kept: u16) -> u64 {
    let kept = u64::from(kept);
    // The first digit is there except for the smallest numbers.
    let more = (kept >> DIGITS).saturating_sub(1);
    let first = kept - (more << DIGITS);
    (first << more) + ((1_u64 << more) - 1) / 2
}

/// Numbers that may be below 0, such as evaluations: their mean and their spread around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i128,
    squares: u128,
    ends: Option<(i64, i64)>,
}

impl Moments {
    pub fn add(&mut self, number: i64) {
        self.count += 1;
        self.sum += i128::from(number);
        let size = u128::from(number.unsigned_abs());
        self.squares = self.squares.saturating_add(size * size);
        let (least, largest) = self.ends.unwrap_or((number, number));
        self.ends = Some((least.min(number), largest.max(number)));
    }

    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The least and the largest; `None` without any.
    pub const fn ends(&self) -> Option<(i64, i64)> {
        self.ends
    }

    /// The mean; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Their standard deviation, as for a sample; `None` for fewer than two.
    pub fn deviation(&self) -> Option<f64> {
        let count = self.count as f64;
        let (mean, more) = (self.mean()?, self.count.checked_sub(1).filter(|more| *more > 0)?);
        let variance = (self.squares as f64 - mean * mean * count) / more as f64;
        Some(variance.max(0.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spread(numbers: &[u64]) -> Spread {
        let mut spread = Spread::default();
        numbers.iter().for_each(|number| spread.add(*number));
        spread
    }

    #[test]
    fn small_numbers_are_exact() {
        let spread = spread(&[5, 1, 9, 3]);
        assert_eq!((spread.count(), spread.sum(), spread.mean()), (4, 18, Some(4.5)));
        assert_eq!((spread.median(), spread.quantile(95)), (Some(3), Some(9)));
        assert_eq!((spread.quantile(0), spread.largest()), (Some(1), Some(9)));
        for number in 0..256 {
            assert_eq!(middle(kept(number)), number);
        }
        assert!((0..5000).is_sorted_by_key(kept));
    }

    #[test]
    fn nothing_has_no_figures() {
        let none = Spread::default();
        assert_eq!((none.mean(), none.median(), none.largest()), (None, None, None));
        let none = Moments::default();
        assert_eq!((none.mean(), none.deviation(), none.ends()), (None, None, None));
    }

    #[test]
    fn moments_are_those_of_the_numbers() {
        let mut moments = Moments::default();
        [-3, 5, 1].into_iter().for_each(|number| moments.add(number));
        assert_eq!((moments.count(), moments.ends()), (3, Some((-3, 5))));
        assert!((moments.mean().expect("three") - 1.0).abs() < 1e-12);
        assert!((moments.deviation().expect("three") - 4.0).abs() < 1e-12);
        let mut one = Moments::default();
        one.add(i64::MIN);
        assert_eq!((one.deviation(), one.mean()), (None, Some(i64::MIN as f64)));
    }

    proptest! {
        #[test]
        fn what_is_kept_is_near(number: u64) {
            let near = middle(kept(number));
            prop_assert!(near.abs_diff(number) <= number / 256, "{} {}", number, near);
            prop_assert_eq!(kept(near), kept(number));
        }

        #[test]
        fn quantiles_are_those_of_the_sorted_numbers(
            mut numbers in prop::collection::vec(0..2_000_000_000_u64, 1..200), percent in 0..=100_u8,
        ) {
            let found = spread(&numbers).quantile(percent).expect("there are some");
            numbers.sort_unstable();
            let place = (numbers.len() * usize::from(percent)).div_ceil(100).max(1) - 1;
            prop_assert!(found.abs_diff(numbers[place]) <= numbers[place] / 256);
        }
    }
}
