//! Exact decimals as numbers of JSON: the digits written are those of the decimal, and the digits read are those that were written.
//!
//! May not: count with them. A double stands between text and text alone: it is read as the shortest decimal that
//! gives it, which is the one that was written, as long as that has at most 15 digits.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

/// Writes a decimal such as `-1.25` as that number.
///
/// # Errors
/// Those of the serializer; also if the text is not a decimal.
pub fn serialize<S: Serializer>(decimal: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    let text = decimal.to_string();
    let is_zero = |decimals: &str| decimals.bytes().all(|digit| digit == b'0');
    let whole = match text.split_once('.') {
        Some((whole, decimals)) if is_zero(decimals) => whole,
        _ => &text,
    };
    if let Ok(whole) = whole.parse::<i64>() {
        return serializer.serialize_i64(whole);
    }
    let number: f64 = text.parse().map_err(serde::ser::Error::custom)?;
    serializer.serialize_f64(number)
}

/// Reads a number, or the text of one.
///
/// # Errors
/// If the value is neither, or `T` refuses its digits.
pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(DecimalVisitor(PhantomData))
}

struct DecimalVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for DecimalVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, whole: i64) -> Result<T, E> {
        self.visit_str(&whole.to_string())
    }

    fn visit_u64<E: Error>(self, whole: u64) -> Result<T, E> {
        self.visit_str(&whole.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}
