//! Exact amounts of money, in whole cents.
//!
//! May not: use floats; know a currency.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use swiss_system::decimal;

/// The most digits before the point in a written amount.
const WHOLE_DIGITS: usize = 9;

/// An amount of money in cents, never below zero.
///
/// Written as a decimal with two places, `36666.67`; read with at most two. Serialized as that number, which is read
/// back exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(u64);

impl Cents {
    pub const ZERO: Self = Self(0);

    pub const fn new(cents: u64) -> Self {
        Self(cents)
    }

    pub const fn cents(self) -> u64 {
        self.0
    }

    /// An equal share for each of `among`, rounded down to the cent, and the number of cents left over.
    ///
    /// # Panics
    /// If `among` is zero.
    pub const fn shared(self, among: usize) -> (Self, usize) {
        let among = among as u64;
        (Self(self.0 / among), (self.0 % among) as usize)
    }
}

/// The text is not an amount of money.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an amount of money: write a decimal with at most two places, such as 40000 or 12.50")]
pub struct ParseMoneyError(String);

impl FromStr for Cents {
    type Err = ParseMoneyError;

    fn from_str(text: &str) -> Result<Self, ParseMoneyError> {
        let bad = || ParseMoneyError(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(decimals) || decimals.len() > 2 || whole.len() > WHOLE_DIGITS {
            return Err(bad());
        }
        format!("{whole}{decimals:0<2}").parse().map(Self).map_err(|_| bad())
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        decimal::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decimal::deserialize(deserializer)
    }
}

impl Add for Cents {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Cents {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_cents() {
        for (text, cents, shown) in [
            ("0", 0, "0.00"),
            ("40000", 4_000_000, "40000.00"),
            ("12.5", 1250, "12.50"),
            ("0.01", 1, "0.01"),
            ("007.10", 710, "7.10"),
            ("999999999.99", 99_999_999_999, "999999999.99"),
        ] {
            let read: Cents = text.parse().expect("money");
            assert_eq!((read.cents(), read.to_string().as_str()), (cents, shown));
        }
    }

    #[test]
    fn refuses_what_is_no_amount() {
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1,5",
            "1e3",
            "0.125",
            "-1",
            "+1",
            "½",
            "1000000000",
        ] {
            assert_eq!(text.parse::<Cents>(), Err(ParseMoneyError(text.to_owned())));
        }
    }

    #[test]
    fn shares_are_rounded_down_and_nothing_is_lost() {
        assert_eq!(Cents::new(8_000_000).shared(3), (Cents::new(2_666_666), 2));
        assert_eq!(Cents::new(2).shared(3), (Cents::ZERO, 2));
    }
}
