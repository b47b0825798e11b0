//! The variant of chess that is played: the standard game, or Chess960, which differs in its start positions and in castling.
//!
//! May not: know openings or engines.

use shakmaty::fen::Fen;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, Position, Rank};
use swiss_system::word::words;

/// The UCI option that tells an engine that Chess960 is played.
pub const OPTION: &str = "UCI_Chess960";

/// `game.variant`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard chess. Castling is a move of the king by two squares: `e1g1`.
    #[default]
    Standard,
    /// Chess960 (Laws of Chess, Guidelines II). Castling is the king taking its own rook: `e1h1`.
    Chess960,
}

words!(Variant {
    Standard => "standard",
    Chess960 => "chess960",
});

impl Variant {
    /// True for standard chess, which stored texts leave out.
    pub(crate) fn is_standard(&self) -> bool {
        *self == Self::Standard
    }

    pub(crate) const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }

    /// The name for people, as in the PGN tag `Variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard chess",
            Self::Chess960 => "Chess960",
        }
    }

    /// The position of a FEN, whose castling rights may be written in any way; `None` if it is not one of this
    /// variant.
    pub fn position(self, fen: &str) -> Option<Chess> {
        let fen = Fen::from_ascii(fen.as_bytes()).ok()?;
        fen.into_position(self.castling_mode()).ok()
    }

    /// A position as a FEN of six fields, with the en passant square only if such a capture is legal. In Chess960
    /// castling rights are the files of the rooks (Shredder-FEN, `HAha`), which leave nothing to be guessed.
    pub fn fen(self, position: &Chess) -> String {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        match self {
            Self::Standard => fen,
            Self::Chess960 => {
                let mut fields: Vec<&str> = fen.split(' ').collect();
                let rights = rook_files(position.castles().castling_rights());
                if !rights.is_empty() {
                    fields[2] = &rights;
                }
                fields.join(" ")
            }
        }
    }
}

/// The files of the rooks that can castle, White's in upper case, the one nearest to the h-file first.
fn rook_files(rights: Bitboard) -> String {
    let of = |color: Color, rank: Rank| {
        let files = (rights & Bitboard::from(rank)).into_iter().rev();
        files.map(move |rook| match color {
            Color::White => rook.file().upper_char(),
            Color::Black => rook.file().char(),
        })
    };
    of(Color::White, Rank::First)
        .chain(of(Color::Black, Rank::Eighth))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_castling_rights_are_read() {
        let board = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w";
        let shredder = format!("{board} HFhf - 0 1");
        for rights in ["KQkq", "HFhf", "FHfh"] {
            let position = Variant::Chess960.position(&format!("{board} {rights} - 0 1"));
            let position = position.unwrap_or_else(|| panic!("{rights}"));
            assert_eq!(Variant::Chess960.fen(&position), shredder);
        }
        assert_eq!(Variant::Standard.position(&shredder), None);
        let bare = format!("{board} - - 3 9");
        for variant in [Variant::Standard, Variant::Chess960] {
            let position = variant.position(&bare).expect("no castling rights");
            assert_eq!(variant.fen(&position), bare);
        }
    }

    /// `K` is the outermost rook; an inner one is written as its file.
    #[test]
    fn an_inner_rook_that_castles_keeps_its_right() {
        let fen = "4k3/8/8/8/8/8/8/1R2KR1R w FB - 0 1";
        let position = Variant::Chess960.position(fen).expect("legal");
        assert_eq!(Variant::Chess960.fen(&position), fen);
    }
}
