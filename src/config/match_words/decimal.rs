//! Decimals of a command line, exact to a millionth.
//!
//! May not: pass them through a float.

use std::fmt;

/// Digits after the point that are kept.
const PLACES: usize = 6;
/// Millionths of one.
const ONE: u64 = 1_000_000;
/// Most digits before the point.
const MOST_DIGITS: usize = 12;

/// A number such as `-1.75`, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Decimal(i64);

impl Decimal {
    /// `+1`, `-1.75`, `.5`, `5.`; digits after the sixth are cut off. `None`: it is none of these, or has too many digits.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || (whole.is_empty() && part.is_empty()) {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > MOST_DIGITS {
            return None;
        }
        let kept = format!("{part:0<PLACES$}");
        let millionths = format!("{whole}{}", &kept[..PLACES]).parse::<i64>().ok()?;
        Some(Self(if is_negative { -millionths } else { millionths }))
    }

    pub(super) const fn whole(number: i64) -> Self {
        Self(number * ONE.cast_signed())
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(super) const fn times(self, number: i64) -> Self {
        Self(self.0.saturating_mul(number))
    }

    pub(super) const ZERO: Self = Self(0);
}

impl fmt::Display for Decimal {
    /// Without needless zeros: `5`, `-1.75`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / ONE, self.0.unsigned_abs() % ONE);
        let part = format!("{part:0PLACES$}");
        match part.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            part => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn reads_what_programs_read() {
        let check = |text, shown: Option<&str>| {
            let read = Decimal::read(text).map(|decimal| decimal.to_string());
            assert_eq!(read.as_deref(), shown, "{text}");
        };
        check("0", Some("0"));
        check("10", Some("10"));
        check("0.10", Some("0.1"));
        check(".5", Some("0.5"));
        check("5.", Some("5"));
        check("-1.75", Some("-1.75"));
        check("+2", Some("2"));
        check("-0.0", Some("0"));
        check("0.1234567", Some("0.123456"));
        check("000000000000000001", Some("1"));
        for wrong in ["", ".", "-", "1e3", "0x1", "1,5", "1.2.3", " 1", "inf", "1234567890123"] {
            check(wrong, None);
        }
        assert!(Decimal::read("-1") < Decimal::read("0.5"));
        assert_eq!(
            Decimal::whole(2).times(60).plus(Decimal::whole(30)),
            Decimal::whole(150)
        );
    }
}
