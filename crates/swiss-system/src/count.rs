//! A number with its noun.

/// So many of something: `1 round`, `3 rounds`.
pub fn of(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_one_is_singular() {
        let byes = |count| super::of(count, "bye", "byes");
        assert_eq!([0, 1, 2].map(byes), ["0 byes", "1 bye", "2 byes"]);
    }
}
