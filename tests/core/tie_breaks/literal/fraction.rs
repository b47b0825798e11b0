//! Exact fractions, as at school.
//!
//! May not: know what they are for.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::Add;
use std::ops::Mul;
use std::ops::Sub;

use swiss_system::score::Points;
use swiss_system::standings::value::Value;

/// A fraction in its lowest terms, the denominator above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    above: i128,
    below: i128,
}

/// Nothing.
pub(crate) const NOTHING: Fraction = whole(0);

/// A whole number.
pub(crate) const fn whole(number: i64) -> Fraction {
    Fraction {
        above: number as i128,
        below: 1,
    }
}

/// How many of something there are.
pub(crate) fn count<T>(things: impl Iterator<Item = T>) -> Fraction {
    whole(i64::try_from(things.count()).expect("few"))
}

/// One divided by the other.
pub(crate) fn ratio(above: i128, below: i128) -> Fraction {
    assert!(below != 0, "divided by nothing");
    if below == 1 {
        return Fraction { above, below };
    }
    let (mut one, mut other) = (above.abs(), below.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    let sign = below.signum();
    Fraction {
        above: sign * above / one,
        below: sign * below / one,
    }
}

impl Fraction {
    pub(crate) fn over(self, parts: usize) -> Self {
        ratio(self.above, self.below * i128::try_from(parts).expect("few"))
    }

    pub(crate) fn halved(self) -> Self {
        self.over(2)
    }

    pub(crate) fn times(self, number: usize) -> Self {
        self * whole(i64::try_from(number).expect("few"))
    }

    /// The nearest whole number, one half going up.
    pub(crate) fn rounded(self) -> Self {
        let with_half = self + ratio(1, 2);
        ratio(with_half.above.div_euclid(with_half.below), 1)
    }

    /// The whole number that it is.
    pub(crate) fn as_whole(self) -> i64 {
        assert_eq!(self.below, 1, "{self:?} is no whole number");
        i64::try_from(self.above).expect("small")
    }
}

impl From<Points> for Fraction {
    fn from(points: Points) -> Self {
        ratio(points.units().into(), 10_000)
    }
}

/// What the standings say, read from how they write it: `7`, `-0.5`, `40/3`.
impl From<Value> for Fraction {
    fn from(value: Value) -> Self {
        let text = value.exact();
        if let Some((above, below)) = text.split_once('/') {
            return ratio(above.parse().expect("a number"), below.parse().expect("a number"));
        }
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let digits: i128 = text.replace('.', "").parse().expect("a number");
        ratio(digits, 10_i128.pow(u32::try_from(decimals).expect("few")))
    }
}

impl Add for Fraction {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        ratio(
            self.above * other.below + other.above * self.below,
            self.below * other.below,
        )
    }
}

impl Sub for Fraction {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        ratio(
            self.above * other.below - other.above * self.below,
            self.below * other.below,
        )
    }
}

impl Mul for Fraction {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        ratio(self.above * other.above, self.below * other.below)
    }
}

impl Sum for Fraction {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(NOTHING, Add::add)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.above * other.below).cmp(&(other.above * self.below))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
