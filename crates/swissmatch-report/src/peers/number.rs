//! Numbers as C and C++ programs write them.

/// With so many decimals; `inf`, `-inf` and `nan` where it is no finite number. The sign of `nan` is left out.
pub(super) fn fixed(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    format!("{number:.decimals$}")
}

/// As `%g` with so many significant digits.
pub(super) fn general(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return fixed(number, 0);
    }
    let digits = digits.max(1);
    let scientific = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    match usize::try_from(exponent + 4) {
        Ok(above) if above < digits + 4 => {
            let decimals = (digits + 3).saturating_sub(above);
            trimmed(&format!("{number:.decimals$}"))
        }
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.unsigned_abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let of = |number, digits| general(number, digits);
        assert_eq!(
            [
                of(0.006, 2),
                of(0.15, 2),
                of(1.25, 2),
                of(10.0, 2),
                of(0.1, 2),
                of(120.0, 2)
            ],
            ["0.006", "0.15", "1.2", "10", "0.1", "1.2e+02"]
        );
        assert_eq!(
            [
                of(-2.944_438, 3),
                of(0.0, 3),
                of(0.000_012_3, 3),
                of(12.345, 3),
                of(f64::INFINITY, 3)
            ],
            ["-2.94", "0", "1.23e-05", "12.3", "inf"]
        );
        assert_eq!(
            [fixed(f64::NAN, 2), fixed(-f64::INFINITY, 2), fixed(-0.0, 2)],
            ["nan", "-inf", "-0.00"]
        );
    }
}
