//! A number with its noun.

use std::fmt::Display;

/// A count with its noun: `1 round`, `3 rounds`, `0.5 points`.
pub fn of(count: impl Display, one: &str, several: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { several };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_one_is_singular() {
        let byes = |count| super::of(count, "bye", "byes");
        assert_eq!([0, 1, 2].map(byes), ["0 byes", "1 bye", "2 byes"]);
    }
}
