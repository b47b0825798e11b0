//! The 960 start positions of Chess960 as a suite, by their Scharnagl numbers.
//!
//! May not: choose among them; the common check of suites checks that they are legal.

use std::fmt::Write as _;

const POSITIONS: usize = 960;

/// The knights' two places among the five squares that are free after bishops and queen, by the last digit of the
/// number.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

/// All start positions from number 0 to 959 as an EPD text, each named by its number. Number 518 is that of standard
/// chess.
pub fn starts() -> String {
    let mut text = String::with_capacity(POSITIONS * 96);
    for number in 0..POSITIONS {
        let rank = back_rank(number);
        let white: String = rank.iter().collect();
        let black = white.to_lowercase();
        writeln!(
            text,
            "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - id \"Chess960 position {number}, {white}\";"
        )
        .expect("a string takes everything");
    }
    text
}

/// White's first rank from a to h. Successive remainders of the number give a bishop on b, d, f or h, one on a, c, e
/// or g, the queen on one of the six squares left, and the knights on two of five; then come rook, king, rook.
fn back_rank(number: usize) -> [char; 8] {
    let mut rank = [' '; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    rank[2 * light + 1] = 'B';
    rank[2 * dark] = 'B';
    put(&mut rank, queen, 'Q');
    let [left, right] = KNIGHTS[knights];
    // The right one first, so that it does not move the places to its left.
    put(&mut rank, right, 'N');
    put(&mut rank, left, 'N');
    for piece in ['R', 'K', 'R'] {
        put(&mut rank, 0, piece);
    }
    rank
}

/// Puts a piece on the free square with `place` free ones to its left.
fn put(rank: &mut [char; 8], place: usize, piece: char) {
    let square = rank.iter_mut().filter(|square| **square == ' ').nth(place);
    *square.expect("fewer pieces than squares") = piece;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::opening::{SuiteFormat, parse_suite};
    use crate::rules::Board;
    use crate::variant::Variant;

    #[test]
    fn all_960_are_distinct_and_legal() {
        let suite =
            parse_suite(starts().as_bytes(), SuiteFormat::Epd, Variant::Chess960, None).expect("legal positions");
        assert_eq!((suite.len(), suite.repeats().count), (960, 0));
        let mut ranks = HashSet::new();
        for (number, opening) in suite.iter().enumerate() {
            assert!(Board::new(&opening).is_ok());
            let rank: String = back_rank(number).iter().collect();
            assert_eq!(opening.name, format!("Chess960 position {number}, {rank}"));
            let place = |piece: char| rank.find(piece).expect("on the rank");
            let last = |piece: char| rank.rfind(piece).expect("on the rank");
            assert!(place('R') < place('K') && place('K') < last('R'), "{rank}");
            assert_ne!(place('B') % 2, last('B') % 2, "{rank}");
            assert!(ranks.insert(rank));
        }
    }

    /// Published numbers: the first, the standard one, the last, and one in between.
    #[test]
    fn known_numbers() {
        let rank = |number| back_rank(number).iter().collect::<String>();
        assert_eq!(
            [0, 518, 959, 1].map(rank),
            ["BBQNNRKR", "RNBQKBNR", "RKRNNQBB", "BQNBNRKR"]
        );
        let suite =
            parse_suite(starts().as_bytes(), SuiteFormat::Epd, Variant::Chess960, None).expect("legal positions");
        assert_eq!(suite.get(518).fen, None, "the usual start position");
        let first = suite.get(0).fen;
        assert_eq!(
            first.as_deref(),
            Some("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1")
        );
    }
}
