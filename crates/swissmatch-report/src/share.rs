//! A share in percent.
//!
//! May not: know what it is a share of.

/// A share in percent. Where only rounding would give 0 or 100, the text says so.
pub(super) fn percent(share: f64) -> String {
    /// Largest rounding error of sums of shares.
    const SLACK: f64 = 1e-9;
    match share {
        never if never < SLACK => "0".to_owned(),
        always if always > 1.0 - SLACK => "100".to_owned(),
        rare if rare < 0.001 => "<0.1".to_owned(),
        nearly if nearly > 0.999 => ">99.9".to_owned(),
        share => format!("{:.1}", share * 100.0),
    }
}
