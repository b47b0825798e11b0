//! Exact points: the base of everything that is ranked.
//!
//! May not: use floats, know chess, know what is won.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal;

/// Units in one point. Input takes three decimals, so that half of any input is still exact.
const UNITS: i64 = 10_000;
/// The most decimals in a written number of points.
const INPUT_DECIMALS: usize = 3;

/// An exact number of points (match points, game points, or a sum of them), in ten-thousandths.
///
/// Written and read as a plain decimal: `0.5`, `3`, `-1.25`. Serialized as that number, which is read exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(UNITS / 2);
    /// One point.
    pub const ONE: Self = Self(UNITS);

    /// A whole number of points.
    pub const fn whole(points: i64) -> Self {
        Self(points * UNITS)
    }

    /// A whole number of half points, as sums of 1, ½ and 0 are.
    pub const fn halves(halves: i64) -> Self {
        Self(halves * (UNITS / 2))
    }

    /// The number of ten-thousandths of a point, for weights that must stay integers.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Half of `times` times these points: `halved_times(1)` is half of them. Exact for every number that can be
    /// read.
    #[must_use]
    pub const fn halved_times(self, times: i64) -> Self {
        Self(self.0 * times / 2)
    }

    /// These points times `part` over `whole`, rounded down, and true if that is exact; if `whole` is zero the result
    /// is zero, and not exact.
    pub fn in_proportion(self, part: Self, whole: Self) -> (Self, bool) {
        if whole == Self::ZERO {
            return (Self::ZERO, false);
        }
        let (product, whole) = (i128::from(self.0) * i128::from(part.0), i128::from(whole.0));
        match i64::try_from(product.div_euclid(whole)) {
            Ok(units) => (Self(units), product % whole == 0),
            Err(_) => (Self(i64::MAX), false),
        }
    }
}

/// Points for a win, a draw, a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointsTable {
    /// For a win.
    pub win: Points,
    /// For a draw.
    pub draw: Points,
    /// For a loss.
    pub loss: Points,
}

impl PointsTable {
    /// 1, ½ and 0.
    pub const STANDARD: Self = Self {
        win: Points::ONE,
        draw: Points::HALF,
        loss: Points::ZERO,
    };

    /// The points for `games` games, all of them won, drawn or lost.
    #[must_use]
    pub const fn times(self, games: u32) -> Self {
        let all = 2 * games as i64;
        Self {
            win: self.win.halved_times(all),
            draw: self.draw.halved_times(all),
            loss: self.loss.halved_times(all),
        }
    }
}

/// A text that is not a number of points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of points: write a decimal with at most three places, such as 1, 0.5 or 0.125")]
pub struct ParsePointsError(String);

impl FromStr for Points {
    type Err = ParsePointsError;

    fn from_str(text: &str) -> Result<Self, ParsePointsError> {
        let bad = || ParsePointsError(text.to_owned());
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(decimals) || decimals.len() > INPUT_DECIMALS || whole.len() > 9 {
            return Err(bad());
        }
        let whole: i64 = whole.parse().map_err(|_| bad())?;
        let decimals: i64 = format!("{decimals:0<4}").parse().map_err(|_| bad())?;
        let units = whole * UNITS + decimals;
        Ok(Self(if negative { -units } else { units }))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (
            self.0.unsigned_abs() / UNITS.unsigned_abs(),
            self.0.unsigned_abs() % UNITS.unsigned_abs(),
        );
        let text = if rest == 0 {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{}", format!("{rest:04}").trim_end_matches('0'))
        };
        f.pad(&text)
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        decimal::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decimal::deserialize(deserializer)
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Self> for Points {
    fn sum<I: Iterator<Item = &'a Self>>(points: I) -> Self {
        points.copied().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_exact_decimals() {
        for text in ["0", "1", "0.5", "21", "49.5", "-1.25", "0.125", "123456789"] {
            assert_eq!(text.parse::<Points>().map(|p| p.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("1.50".parse(), Ok(Points::halves(3)));
    }

    #[test]
    fn a_number_in_json_is_read_exactly_and_so_is_a_text() {
        for text in ["0", "1", "0.5", "-1.25", "0.125", "123456789.001", "-999999.999"] {
            let points: Points = text.parse().expect("a decimal");
            assert_eq!(serde_json::to_string(&points).expect("a number"), text);
            for written in [text.to_owned(), format!("\"{text}\"")] {
                assert_eq!(serde_json::from_str::<Points>(&written).expect("points"), points);
            }
        }
        let finest: Points = "0.001".parse().expect("a decimal");
        assert_eq!(
            serde_json::to_string(&finest.halved_times(1)).expect("a number"),
            "0.0005"
        );
        assert!(serde_json::from_str::<Points>("0.1234567").is_err());
    }

    proptest::proptest! {
        /// A double stands between the two texts; it neither loses nor adds a digit.
        #[test]
        fn no_number_of_json_differs_from_its_points(thousandths in -999_999_999_999_i64..=999_999_999_999) {
            let points = Points(thousandths * 10);
            let written = serde_json::to_string(&points).expect("a number");
            assert_eq!(written, points.to_string());
            assert_eq!(serde_json::from_str::<Points>(&written).expect("points"), points);
            let value: serde_json::Value = serde_json::from_str(&written).expect("a number");
            assert_eq!(serde_json::from_value::<Points>(value).expect("points"), points);
        }
    }

    #[test]
    fn refuses_what_is_no_decimal() {
        for text in ["", ".", "1.", ".5", "1,5", "1e3", "0.1234", "--1", "½", "9999999999"] {
            assert_eq!(text.parse::<Points>(), Err(ParsePointsError(text.to_owned())));
        }
    }

    #[test]
    fn half_of_the_finest_input_is_exact() {
        let finest: Points = "0.001".parse().expect("three decimals");
        assert_eq!(finest.halved_times(1) + finest.halved_times(1), finest);
    }
}
