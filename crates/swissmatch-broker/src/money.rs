//! Tokens and money: whole numbers.
//!
//! May not: use floats for sums; know a currency.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tokens(pub u64);

/// Millionths of the unit in which prices are given: 1.00 is 1,000,000.
///
/// The cost of a call is computed exactly and then rounded up once, so that a sum of costs is never too small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub u64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// A text that is not a number with up to six decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number with up to six decimals, such as 0.15")]
pub struct MicrosError;

impl FromStr for Micros {
    type Err = MicrosError;

    fn from_str(text: &str) -> Result<Self, MicrosError> {
        decimal(text, 6).map(Self).ok_or(MicrosError)
    }
}

/// A number without a sign and with at most `decimals` decimals, in units of the last of them; `None` for any other
/// text, and for numbers that are too large.
pub(crate) fn decimal(text: &str, decimals: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_one = is_number(whole) && is_number(part) && part.len() <= decimals;
    is_one.then(|| format!("{whole}{part:0<decimals$}").parse().ok())?
}

impl Micros {
    /// The sum, capped at the largest number.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Tokens {
    /// The sum, capped at the largest number.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// The price of a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// For the prompt.
    pub input: Micros,
    /// For the answer, reasoning included.
    pub output: Micros,
    /// For the part of the prompt that the service had cached.
    pub cached: Micros,
}

impl Price {
    /// The cost of these tokens; `cached` is a part of `input`.
    pub fn of(&self, input: Tokens, cached: Tokens, output: Tokens) -> Micros {
        let cached = cached.min(input);
        let parts = [
            (input.0 - cached.0, self.input),
            (cached.0, self.cached),
            (output.0, self.output),
        ];
        let exact: u128 = parts
            .into_iter()
            .map(|(tokens, price)| u128::from(tokens) * u128::from(price.0))
            .sum();
        Micros(u64::try_from(exact.div_ceil(1_000_000)).unwrap_or(u64::MAX))
    }

    /// The most that these tokens can cost.
    pub fn most(&self, input: Tokens, output: Tokens) -> Micros {
        let dearest = Self {
            input: self.input.max(self.cached),
            cached: self.input.max(self.cached),
            ..*self
        };
        dearest.of(input, Tokens(0), output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: Micros(150_000),
        output: Micros(600_000),
        cached: Micros(20_000),
    };

    #[test]
    fn amounts_are_read_exactly() {
        for (text, micros) in [("0", 0), ("50", 50_000_000), ("0.15", 150_000), ("1.000001", 1_000_001)] {
            assert_eq!(text.parse(), Ok(Micros(micros)), "{text}");
        }
        assert_eq!(Micros(150_000).to_string().parse(), Ok(Micros(150_000)));
        for text in ["", "-1", "+1", "1.", ".5", "1e3", "1,5", "0.0000001", "99999999999999"] {
            assert_eq!(text.parse::<Micros>(), Err(MicrosError), "{text}");
        }
    }

    #[test]
    fn a_call_costs_what_its_tokens_do_rounded_up_once() {
        for (input, cached, output, cost) in [
            (1000, 0, 0, 150),
            (1000, 1000, 0, 20),
            (1, 0, 0, 1),
            (7, 3, 11, 8),
            (0, 0, 0, 0),
            // More from the cache than there was.
            (10, 1000, 0, 1),
        ] {
            assert_eq!(PRICE.of(Tokens(input), Tokens(cached), Tokens(output)), Micros(cost));
        }
        assert_eq!(
            PRICE.of(Tokens(1_000_000), Tokens(0), Tokens(1_000_000)).to_string(),
            "0.750000"
        );
        assert_eq!(
            Price {
                cached: Micros(1_000_000),
                ..PRICE
            }
            .most(Tokens(10), Tokens(0)),
            Micros(10)
        );
    }
}
