//! The words of movetext: results, numbers, moves.
//!
//! May not: know games, or whether a move is legal.

use super::ending::PgnResult;

/// A word of movetext outside comments and variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Result(PgnResult),
    /// A move, as [`packed`] makes it.
    Move(u128),
    /// A move number or an annotation: nothing that matters here.
    Nothing,
    Unknown,
}

/// The word at the beginning of `text`, which is not empty, and its length, which is not 0.
pub(super) fn word(text: &[u8]) -> (Word, usize) {
    match text[0] {
        b'*' => (Word::Result(PgnResult::Unfinished), 1),
        b'0' | b'1' if let Some(found) = result(text) => found,
        // `0000`: UCI's null move.
        b'0' if text.starts_with(b"0000") => a_move(text),
        // Castling with digits.
        b'0' if text.starts_with(b"0-") => a_move(text),
        b'0'..=b'9' => number(text),
        b'.' | b'!' | b'?' => (Word::Nothing, run(text, |byte| matches!(byte, b'.' | b'!' | b'?'))),
        b'$' => match run(&text[1..], |byte| byte.is_ascii_digit()) {
            0 => (Word::Unknown, 1 + run(&text[1..], is_inside)),
            digits => (Word::Nothing, 1 + digits),
        },
        _ => a_move(text),
    }
}

fn result(text: &[u8]) -> Option<(Word, usize)> {
    let (result, length) = match text {
        [b'1', b'-', b'0', ..] => (PgnResult::WhiteWins, 3),
        [b'0', b'-', b'1', ..] => (PgnResult::BlackWins, 3),
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => (PgnResult::Draw, 7),
        [b'1', b'/', b'2', ..] => (PgnResult::Draw, 3),
        _ => return None,
    };
    let ends = text.get(length).is_none_or(|&byte| !is_inside(byte));
    ends.then_some((Word::Result(result), length))
}

/// `12.`, `12...`, `12`; a move may follow at once.
fn number(text: &[u8]) -> (Word, usize) {
    let digits = run(text, |byte| byte.is_ascii_digit());
    let dots = run(&text[digits..], |byte| byte == b'.');
    let length = digits + dots;
    match text.get(length) {
        Some(&byte) if dots == 0 && is_inside(byte) => (Word::Unknown, length + run(&text[length..], is_inside)),
        _ => (Word::Nothing, length),
    }
}

fn a_move(text: &[u8]) -> (Word, usize) {
    let length = run(text, is_inside);
    match packed(&text[..length]) {
        Some(packed) => (Word::Move(packed), length),
        None if &text[..length] == b"e.p." => (Word::Nothing, length),
        None => (Word::Unknown, length.max(1)),
    }
}

/// Packs a move into a number: the letters and digits that identify it, without the parts that only some runners
/// write (signs of capture, check, mate and promotion, annotations). `None` if it is not a move: a move in standard
/// notation names a square, castles, or is a null move.
fn packed(word: &[u8]) -> Option<u128> {
    let mut packed = 0_u128;
    let mut letters = 0;
    let mut before = 0_u8;
    let mut names_square = false;
    for &byte in word {
        match byte {
            b'a'..=b'w' | b'y' | b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'@' => {
                letters += 1;
                packed = packed << 8 | u128::from(byte);
                names_square |= byte.is_ascii_digit() && before.is_ascii_lowercase();
            }
            b'x' | b'+' | b'#' | b'=' | b'-' | b'!' | b'?' | b':' | b'/' => {}
            _ => return None,
        }
        before = byte;
    }
    if names_square {
        // No more letters fit in.
        return (letters <= 15).then_some(packed);
    }
    match word {
        [b'O' | b'0', b'-', b'O' | b'0', rest @ ..] => match rest {
            [b'-', b'O' | b'0', rest @ ..] => are_signs(rest).then_some(CASTLES_LONG),
            rest => are_signs(rest).then_some(CASTLES_SHORT),
        },
        b"--" | b"Z0" | b"null" | b"0000" => Some(NULL),
        _ => None,
    }
}

// No word with a square is one of these.
const NULL: u128 = 1;
const CASTLES_SHORT: u128 = 2;
const CASTLES_LONG: u128 = 3;

fn are_signs(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
}

/// True if a byte continues a word that has begun.
const fn is_inside(byte: u8) -> bool {
    !matches!(
        byte,
        b' ' | b'\t'..=b'\r' | b'{' | b'}' | b'(' | b')' | b';' | b'[' | b']' | b'$'
    )
}

fn run(text: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !is_part(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Word, usize) {
        word(text.as_bytes())
    }

    #[test]
    fn results_and_numbers() {
        assert_eq!(of("1-0 "), (Word::Result(PgnResult::WhiteWins), 3));
        assert_eq!(of("0-1"), (Word::Result(PgnResult::BlackWins), 3));
        assert_eq!(of("1/2-1/2\r"), (Word::Result(PgnResult::Draw), 7));
        assert_eq!(of("1/2{x}"), (Word::Result(PgnResult::Draw), 3));
        assert_eq!(of("*"), (Word::Result(PgnResult::Unfinished), 1));
        for (text, length) in [
            ("12. e4", 3),
            ("12...e5", 5),
            ("7 e4", 1),
            ("1", 1),
            ("$14 e4", 3),
            ("!? e4", 2),
            ("e.p.", 4),
        ] {
            assert_eq!(of(text), (Word::Nothing, length), "{text}");
        }
        for (text, length) in [
            ("1-", 2),
            ("1-01", 4),
            ("1/2-", 4),
            ("12x", 3),
            ("$ 1", 1),
            ("zork e4", 4),
            ("\u{1}", 1),
            ("}", 1),
        ] {
            assert_eq!(of(text), (Word::Unknown, length), "{text}");
        }
    }

    #[test]
    fn a_move_is_the_same_however_it_is_written() {
        let same = [
            ["e8=Q+", "e8Q"],
            ["Nxd5!?", "Nd5"],
            ["O-O-O#", "0-0-0"],
            ["O-O", "0-0"],
            ["--", "0000"],
            ["e2-e4", "e2e4"],
            ["N@f3", "N@f3+"],
        ];
        for [one, other] in same {
            assert!(
                matches!(of(one), (Word::Move(_), length) if length == one.len()),
                "{one}"
            );
            assert_eq!(of(one).0, of(other).0, "{one} {other}");
        }
        let different = [
            "e4", "e5", "Nbd5", "N5d5", "O-O", "O-O-O", "--", "bxc3", "Bxc3", "a1b1", "e8=N", "e8=Q",
        ];
        for (at, one) in different.iter().enumerate() {
            assert!(
                different[at + 1..].iter().all(|other| of(one).0 != of(other).0),
                "{one}"
            );
        }
    }
}
