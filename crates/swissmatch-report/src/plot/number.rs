//! Numbers for people: commas between thousands, and a true minus sign.

/// A count, such as `1,000,000`.
pub(super) fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// From here on, numbers are written with powers of ten.
const LARGE: f64 = 1e15;

/// A number with so many decimals, such as `−1,234.5`, or `1.2e20` if it is large. NaN and infinities are `–`.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.abs() >= LARGE {
        return format!("{value:.1e}").replace('-', "−");
    }
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(whole))
}

/// A share as whole percents, short enough for a cell, such as `97`; not quite all or nothing is `>99` or `<1`.
pub(super) fn percent(share: f64) -> String {
    match share {
        _ if share <= 0.0 => "0".to_owned(),
        _ if share >= 1.0 => "100".to_owned(),
        _ if share < 0.01 => "<1".to_owned(),
        _ if share > 0.99 => ">99".to_owned(),
        _ => decimal((share * 100.0).round(), 0),
    }
}

fn grouped(digits: &str) -> String {
    let mut grouped = String::new();
    for (nr, digit) in digits.chars().enumerate() {
        if nr > 0 && (digits.len() - nr).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_signed() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(decimal(-1234.56, 1), "−1,234.6");
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(12.0, 0), "12");
        assert_eq!(decimal(-1.5e300, 2), "−1.5e300");
        assert_eq!(
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|value| decimal(value, 2)),
            ["–", "∞", "−∞"]
        );
    }

    #[test]
    fn percents_are_never_more_sure_than_they_are() {
        let shares = [0.0, 1e-9, 0.0099, 0.01, 0.5, 0.99, 0.9901, 1.0];
        let shown = ["0", "<1", "<1", "1", "50", "99", ">99", "100"];
        assert_eq!(shares.map(percent), shown);
    }
}
