//! The place of a game in its schedule, by its tag `Round`.
//!
//! fastchess and cutechess-cli write a number, c-chess-cli `1.2` (round, game), this program `3.12.2` (round, board, game).

/// Bits for each number; a number that does not fit is taken as the largest that does. Numbers after the third are
/// left out.
const BITS: [u32; 3] = [22, 18, 24];

/// Packs the numbers in `text` so that earlier rounds compare as less; 0 if there are none.
pub fn place(text: &str) -> u64 {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    BITS.iter().fold(0, |place, &bits| {
        let largest = (1 << bits) - 1;
        let number = numbers.next().map_or(0, |digits| digits.parse().unwrap_or(largest));
        place << bits | number.min(largest)
    })
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_in_the_order_of_the_schedule() {
        let in_order = [
            "?",
            "1",
            "1.1",
            "1.2",
            "1.10",
            "2",
            "3.1.1",
            "3.1.2",
            "3.2.1",
            "3.12.1",
            "12",
            "12.1.1000000",
            "4000000",
        ];
        let places: Vec<u64> = in_order.iter().map(|text| place(text)).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert_eq!(place("-"), place(""));
        assert_eq!(place("99999999999999999999999"), place("5000000"));
        // The games of a play-off mini-match share one place.
        assert_eq!(place("9p1.1.1"), place("9p1.1.2"));
    }
}
