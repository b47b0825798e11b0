//! Answers that name a legal move in a notation other than that of UCI: which move is meant, and what is wrong.
//!
//! UCI protocol (April 2006), "Move format": "The move format is in long algebraic notation. … Examples: e2e4, e7e5, e1g1 (white
//! short castling), e7e8q (for promotion)".
//!
//! May not: make an answer count.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, File, Move, Position as _, Role};
use swiss_system::word::words;

use super::rules::Board;
use super::uci;
use super::variant::Variant;

/// Answers longer than this name no move.
const LONGEST: usize = 16;
/// Characters that may stand around a move, or after it.
const AROUND: [char; 12] = ['"', '\'', '`', '(', ')', '.', ',', ';', '!', '?', '+', '#'];

/// A way to write a move that is not that of UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `e1h1` in standard chess.
    CastlingByRook,
    /// `e1g1` in Chess960.
    CastlingByKing,
    /// `Nf3`, `O-O`, `e4`.
    San,
    /// `e7e8`
    NoPromotion,
    /// `e2e4q`
    NeedlessPromotion,
    /// `b8-a6`
    Hyphen,
    /// `E2E4`
    UpperCase,
    /// `e4xd5`, `e7e8=Q`, `e2e4.`
    Signs,
}

words!(Notation {
    CastlingByRook => "castling-by-rook",
    CastlingByKing => "castling-by-king",
    San => "san",
    NoPromotion => "no-promotion",
    NeedlessPromotion => "needless-promotion",
    Hyphen => "hyphen",
    UpperCase => "upper-case",
    Signs => "signs",
});

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CastlingByRook => "castling written as king takes rook, which is for Chess960",
            Self::CastlingByKing => "castling written as a move of the king, which is not for Chess960",
            Self::San => "standard algebraic notation (SAN)",
            Self::NoPromotion => "a promotion without the letter of its piece",
            Self::NeedlessPromotion => "the letter of a promotion, where no pawn promotes",
            Self::Hyphen => "a hyphen between the squares",
            Self::UpperCase => "squares in upper case",
            Self::Signs => "signs that UCI does not have",
        })
    }
}

/// A legal move that was named in another notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantMove {
    pub notation: Notation,
    /// The move as UCI writes it; for a promotion without a piece, the promotion to a queen.
    #[serde(rename = "move")]
    pub uci: String,
}

impl fmt::Display for MeantMove {
    /// Says what is wrong, and what would be right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; in UCI it is {}", self.notation, self.uci)?;
        match self.notation {
            Notation::NoPromotion => f.write_str(", with a queen"),
            _ => Ok(()),
        }
    }
}

/// The legal move that `said`, which is not one in UCI notation, names in another notation; `None` if this is not
/// certain.
pub fn meant(board: &Board, said: &str) -> Option<MeantMove> {
    if said.len() > LONGEST {
        return None;
    }
    let found = |(notation, legal): (Notation, Move)| MeantMove {
        notation,
        uci: board.uci(legal).to_string(),
    };
    let uci = uci::read_move(said.as_bytes());
    if uci.is_some_and(|uci| board.legal(&uci).is_some()) {
        return None;
    }
    // `B1c3` is a bishop's move.
    let is_san = said.contains(|c: char| c.is_ascii_lowercase()) && said.chars().all(|c| c.is_ascii_alphanumeric());
    let in_san = || Some((Notation::San, san(board, said)?));
    uci.and_then(|uci| by_squares(board, &uci))
        .or_else(|| in_san().filter(|_| is_san))
        .or_else(|| with_signs(board, said))
        .or_else(in_san)
        .map(found)
}

/// Reads two squares, and perhaps a letter, that are not a legal move as they stand.
fn by_squares(board: &Board, uci: &UciMove) -> Option<(Notation, Move)> {
    let UciMove::Normal { from, to, promotion } = *uci else {
        return None;
    };
    let with = |promotion| board.legal(&UciMove::Normal { from, to, promotion });
    if let Some(castling) = castling(board, uci) {
        let notation = match board.variant() {
            Variant::Standard => Notation::CastlingByRook,
            Variant::Chess960 => Notation::CastlingByKing,
        };
        return Some((notation, castling));
    }
    match promotion {
        None => Some((Notation::NoPromotion, with(Some(Role::Queen))?)),
        Some(_) => Some((Notation::NeedlessPromotion, with(None)?)),
    }
}

/// Reads castling in the spelling of the other variant.
fn castling(board: &Board, uci: &UciMove) -> Option<Move> {
    let UciMove::Normal {
        from,
        to,
        promotion: None,
    } = *uci
    else {
        return None;
    };
    let castlings = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .flat_map(|side| {
            let file = if side.is_king_side() { File::G } else { File::C };
            board
                .position()
                .castling_moves(side)
                .into_iter()
                .map(move |legal| (file, legal))
        });
    let mut written = castlings.filter(|(file, legal)| match (*legal, board.variant()) {
        (Move::Castle { king, rook }, Variant::Standard) => (from, to) == (king, rook),
        (Move::Castle { king, .. }, Variant::Chess960) => {
            from == king && (to.file(), to.rank()) == (*file, king.rank())
        }
        _ => false,
    });
    written.next().map(|(_, legal)| legal)
}

/// Reads two squares in upper case, or with signs between, around or after them.
fn with_signs(board: &Board, said: &str) -> Option<(Notation, Move)> {
    let is_sign = |c: &char| matches!(c, '-' | 'x' | 'X' | ':' | '=') || AROUND.contains(c);
    let squares: String = said.chars().filter(|c| !is_sign(c)).collect();
    let uci = uci::read_move(squares.to_ascii_lowercase().as_bytes())?;
    let mut signs = said.chars().filter(is_sign);
    let notation = match (signs.next(), signs.next()) {
        (None, _) => Notation::UpperCase,
        (Some('-'), None) => Notation::Hyphen,
        _ => Notation::Signs,
    };
    match board.legal(&uci) {
        Some(legal) => Some((notation, legal)),
        None => by_squares(board, &uci),
    }
}

/// Reads a move in algebraic notation; a capture may lack its sign, and a promotion its queen.
fn san(board: &Board, said: &str) -> Option<Move> {
    let said = said.trim_matches(AROUND);
    let castles = ["O-O-O", "O-O"]
        .into_iter()
        .find(|castling| said.replace(['0', 'o'], "O") == *castling);
    let said = castles.map_or_else(|| said.replace('-', ""), str::to_owned);
    match San::from_ascii(said.as_bytes()).ok()? {
        San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } => {
            let with = |capture, promotion| {
                let san = San::Normal {
                    role,
                    file,
                    rank,
                    capture,
                    to,
                    promotion,
                };
                san.to_move(board.position()).ok()
            };
            let queen = promotion.or((role == Role::Pawn).then_some(Role::Queen));
            let forms = [(capture, promotion), (true, promotion), (capture, queen), (true, queen)];
            forms
                .into_iter()
                .find_map(|(capture, promotion)| with(capture, promotion))
        }
        San::Castle(side) => San::Castle(side).to_move(board.position()).ok(),
        San::Put { .. } | San::Null => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Opening;

    #[track_caller]
    fn check(variant: Variant, fen: &str, cases: &[(&str, Option<(Notation, &str)>)]) {
        let opening = Opening {
            fen: Some(fen.to_owned()),
            ..Opening::start(variant)
        };
        let board = Board::new(&opening).expect("a legal position");
        for (said, expected) in cases {
            let found = meant(&board, said);
            let found = found.as_ref().map(|meant| (meant.notation, meant.uci.as_str()));
            assert_eq!(found, *expected, "{said}");
            let counts = uci::read_move(said.as_bytes()).is_some_and(|uci| board.legal(&uci).is_some());
            assert!(!counts || found.is_none(), "{said} counts");
        }
    }

    #[test]
    fn moves_in_other_notations_are_recognized_where_they_are_legal() {
        use Notation::*;
        let fen = "rn2k2r/pp4P1/8/3pP3/2B5/5N2/8/R3K2R w KQkq d6 0 1";
        let cases = [
            ("e1h1", Some((CastlingByRook, "e1g1"))),
            ("E1A1", Some((CastlingByRook, "e1c1"))),
            ("e1-h1", Some((CastlingByRook, "e1g1"))),
            ("O-O", Some((San, "e1g1"))),
            ("0-0-0", Some((San, "e1c1"))),
            ("o-o+", Some((San, "e1g1"))),
            ("Ng5", Some((San, "f3g5"))),
            ("Nf3-g5", Some((San, "f3g5"))),
            ("Bxd5", Some((San, "c4d5"))),
            ("Bd5", Some((San, "c4d5"))),
            ("exd6", Some((San, "e5d6"))),
            ("e6!?", Some((San, "e5e6"))),
            ("g8=Q+", Some((San, "g7g8q"))),
            ("g8", Some((San, "g7g8q"))),
            ("gxh8=N", Some((San, "g7h8n"))),
            ("g7g8", Some((NoPromotion, "g7g8q"))),
            ("g7-g8", Some((NoPromotion, "g7g8q"))),
            ("g7g8=r", Some((Signs, "g7g8r"))),
            ("e5e6q", Some((NeedlessPromotion, "e5e6"))),
            ("f3g5n", Some((NeedlessPromotion, "f3g5"))),
            ("F3-G5", Some((Hyphen, "f3g5"))),
            ("F3G5", Some((UpperCase, "f3g5"))),
            ("A1b1", Some((UpperCase, "a1b1"))),
            ("G7G8N", Some((UpperCase, "g7g8n"))),
            ("g7g8N", None),
            ("c4xd5", Some((Signs, "c4d5"))),
            ("\"f3g5\"", Some((Signs, "f3g5"))),
            // No move at all, several moves, or no legal one.
            ("f3g5", None),
            ("", None),
            ("-", None),
            ("--", None),
            ("0000", None),
            ("(none)", None),
            ("resign", None),
            ("N@f5", None),
            ("Nf8", None),
            ("e1h8", None),
            ("e8h8", None),
            ("f3-f3", None),
            ("Rd1x", None),
            ("Rf1ü", None),
            ("f3g5 f3g5 f3g5 f3g5", None),
        ];
        check(Variant::Standard, fen, &cases);
        // Castling out of check, and a move that two knights have.
        let fen = "4k3/4r3/8/8/8/1N3N2/8/R3K2R w KQ - 0 1";
        check(
            Variant::Standard,
            fen,
            &[("e1h1", None), ("O-O", None), ("Nd2", None), ("Nd4", None)],
        );
    }

    #[test]
    fn castling_in_chess960_is_the_king_that_takes_its_rook() {
        use Notation::*;
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let cases = [
            ("e1g1", Some((CastlingByKing, "e1h1"))),
            ("e1c1", Some((CastlingByKing, "e1a1"))),
            ("O-O", Some((San, "e1h1"))),
            ("e1h1", None),
        ];
        check(Variant::Chess960, fen, &cases);
        // The king steps to its castling square: that counts.
        check(Variant::Chess960, "4k3/8/8/8/8/8/8/5K1R w K - 0 1", &[("f1g1", None)]);
        let fen = "1k6/8/8/8/8/8/8/1K2R3 w E - 0 1";
        check(
            Variant::Chess960,
            fen,
            &[("b1g1", Some((CastlingByKing, "b1e1"))), ("b1h1", None)],
        );
    }
}
