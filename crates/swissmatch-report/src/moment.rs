//! A moment for people: to the second, in UTC. JSON has it as it was stored.

use jiff::Timestamp;
use swiss_system::text::harmless;

/// `2026-11-21 09:44:48 UTC`, from a moment in RFC 3339. Any other text is left as it is, made harmless.
pub fn spoken(at: &str) -> String {
    match at.parse::<Timestamp>() {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => harmless(at),
    }
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn seconds_are_enough() {
        assert_eq!(spoken("2026-11-23T05:40:38.481142783Z"), "2026-11-23 05:40:38 UTC");
        assert_eq!(spoken("2026-11-23T06:40:38+01:00"), "2026-11-23 05:40:38 UTC");
        assert_eq!(spoken("soon\u{7}"), "soon");
    }
}
