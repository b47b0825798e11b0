//! The value of a tie-break: an exact ratio.
//!
//! May not: use floats; round anything but what is printed.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::score::Points;

/// One point in units: that of a product of two numbers of points, each in ten-thousandths.
const ONE: i128 = 100_000_000;
/// One ten-thousandth of a point in units.
const POINT_UNIT: i64 = 10_000;

/// An exact number: points, a product of two numbers of points, a count, a rating, or a mean of these.
///
/// It is shown as a plain decimal. A mean that is not one, such as 40/3, is shown rounded to two decimals, half up;
/// [`Value::exact`] has the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// In hundred-millionths, times `denominator`; without a common divisor with it.
    numerator: i128,
    denominator: i128,
}

impl Value {
    /// Zero.
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };

    /// A whole number: a count, a rating, a place.
    pub const fn whole(number: i64) -> Self {
        Self {
            numerator: number as i128 * ONE,
            denominator: 1,
        }
    }

    /// The value times a number of points.
    #[must_use]
    pub fn times(self, points: Points) -> Self {
        let units = i128::from(points.units());
        // Nearly always a number of points, which fits 64 bits; dividing twice as many bits is slow.
        if let (Ok(numerator), 1) = (i64::try_from(self.numerator), self.denominator)
            && numerator % POINT_UNIT == 0
        {
            return Self {
                numerator: i128::from(numerator / POINT_UNIT) * units,
                denominator: 1,
            };
        }
        Self::reduced(self.numerator * units, self.denominator * i128::from(POINT_UNIT))
    }

    /// The value divided by `parts`.
    ///
    /// # Panics
    /// When `parts` is zero.
    #[must_use]
    pub fn divided_by(self, parts: u32) -> Self {
        Self::reduced(self.numerator, self.denominator * i128::from(parts))
    }

    /// The nearest whole number, half up.
    pub const fn rounded(self) -> i64 {
        let unit = ONE * self.denominator;
        (2 * self.numerator + unit).div_euclid(2 * unit) as i64
    }

    /// The value as a decimal if it is one, else as a fraction: `40/3`.
    pub fn exact(self) -> String {
        if self.denominator == 1 {
            return self.to_string();
        }
        let (numerator, denominator) = lowest(self.numerator, self.denominator * ONE);
        format!("{numerator}/{denominator}")
    }

    /// True if the value is shown rounded.
    pub const fn is_rounded(self) -> bool {
        self.denominator != 1
    }

    fn reduced(numerator: i128, denominator: i128) -> Self {
        assert!(denominator > 0, "a mean of nothing");
        let (numerator, denominator) = lowest(numerator, denominator);
        Self { numerator, denominator }
    }
}

/// A fraction in its lowest terms.
fn lowest(numerator: i128, denominator: i128) -> (i128, i128) {
    let (mut one, mut other) = (numerator.abs(), denominator);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    (numerator / one, denominator / one)
}

impl From<Points> for Value {
    fn from(points: Points) -> Self {
        Self {
            numerator: i128::from(points.units()) * i128::from(POINT_UNIT),
            denominator: 1,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Value {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if self.denominator == 1 && other.denominator == 1 {
            let numerator = self.numerator + other.numerator;
            return Self {
                numerator,
                denominator: 1,
            };
        }
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Self::reduced(numerator, self.denominator * other.denominator)
    }
}

impl AddAssign for Value {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Value {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        let negative = Self {
            numerator: -other.numerator,
            ..other
        };
        self + negative
    }
}

impl Sum for Value {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Add::add)
    }
}

/// A text that is not an exact number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither points nor a fraction such as 40/3")]
pub struct ParseValueError(String);

/// Reads what [`Value::exact`] writes: `12`, `-7.5`, `40/3`.
impl FromStr for Value {
    type Err = ParseValueError;

    fn from_str(text: &str) -> Result<Self, ParseValueError> {
        let bad = || ParseValueError(text.to_owned());
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let number = |digits: &str| {
            let is_number = (1..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<i128>().ok().filter(|_| is_number).ok_or_else(bad)
        };
        if let Some((numerator, denominator)) = digits.split_once('/') {
            let (numerator, denominator) = (number(numerator)?, number(denominator)?);
            return match denominator {
                0 => Err(bad()),
                _ => Ok(Self::reduced(sign * numerator * ONE, denominator)),
            };
        }
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        if decimals.is_empty() || decimals.len() > 8 {
            return Err(bad());
        }
        let part = number(&format!("{decimals:0<8}"))?;
        Ok(Self {
            numerator: sign * (number(whole)? * ONE + part),
            denominator: 1,
        })
    }
}

/// Writes the form of [`Value::exact`].
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.exact())
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scaled, unit, decimals) = if self.denominator == 1 {
            (self.numerator, ONE, 8)
        } else {
            // Hundredths, half up.
            let unit = ONE * self.denominator;
            ((200 * self.numerator + unit).div_euclid(2 * unit), 100, 2)
        };
        let sign = if scaled < 0 { "-" } else { "" };
        let (whole, rest) = (scaled.abs() / unit, scaled.abs() % unit);
        let text = if rest == 0 {
            format!("{sign}{whole}")
        } else {
            let rest = format!("{rest:0decimals$}");
            format!("{sign}{whole}.{}", rest.trim_end_matches('0'))
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Value {
        Value::from(text.parse::<Points>().expect("points"))
    }

    #[test]
    fn shows_what_it_is() {
        for (value, shown, exact) in [
            (Value::ZERO, "0", "0"),
            (points("-0.5"), "-0.5", "-0.5"),
            (points("13.375"), "13.375", "13.375"),
            (points("40").divided_by(3), "13.33", "40/3"),
            (points("5").divided_by(6), "0.83", "5/6"),
            (points("-40").divided_by(3), "-13.33", "-40/3"),
            (points("0.015").divided_by(3), "0.005", "0.005"),
            (points("8.015").divided_by(1), "8.015", "8.015"),
            (points("1").divided_by(3) + points("2").divided_by(3), "1", "1"),
            (points("0.001").times(Points::HALF), "0.0005", "0.0005"),
            (Value::whole(2105), "2105", "2105"),
            (points("1").divided_by(3).times(Points::HALF), "0.17", "1/6"),
        ] {
            assert_eq!((value.to_string().as_str(), value.exact().as_str()), (shown, exact));
            assert_eq!(exact.parse(), Ok(value));
        }
    }

    #[test]
    fn is_read_or_refused() {
        for text in [
            "",
            "-",
            "1/0",
            "1/",
            "/3",
            "1.",
            ".5",
            "1.123456789",
            "+1",
            "1e3",
            "1/-3",
            "9999999999999999999",
        ] {
            assert_eq!(text.parse::<Value>(), Err(ParseValueError(text.to_owned())));
        }
    }

    #[test]
    fn rounds_half_up() {
        for (value, rounded) in [
            (Value::whole(5).divided_by(2), 3),
            (Value::whole(-5).divided_by(2), -2),
            (Value::whole(7).divided_by(3), 2),
            (Value::whole(8).divided_by(3), 3),
        ] {
            assert_eq!(value.rounded(), rounded, "{value}");
        }
    }

    #[test]
    fn compares_as_fractions() {
        let third = Value::whole(1).divided_by(3);
        assert!(third > points("0.333") && third < points("0.334"));
        assert_eq!(Value::whole(2).divided_by(6), third);
    }
}
