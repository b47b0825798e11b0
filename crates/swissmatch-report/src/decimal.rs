//! A figure that is shown as a decimal, written to JSON as a number.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};
use swiss_system::decimal;

/// The text of a decimal, such as `2.5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal(String);

impl Decimal {
    pub fn of(value: impl Display) -> Self {
        Self(value.to_string())
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        decimal::serialize(&self.0, serializer)
    }
}
