//! The board as text, as the challenge's kit draws it.
//!
//! May not: know moves.

use std::fmt::Write as _;

use shakmaty::{Chess, Color, File, Piece, Position as _, Rank, Role, Square};

/// With a frame and coordinates: `board_utf`.
pub(super) fn framed(position: &Chess) -> String {
    let files = "    a  b  c  d  e  f  g  h   ";
    let border = format!("   +{}+", "-".repeat(24));
    let mut text = format!("{files}\n{border}\n");
    for rank in Rank::ALL.into_iter().rev() {
        let number = rank.char();
        let _ = write!(text, "{number} |");
        for piece in row(position, rank) {
            let _ = write!(text, " {} ", piece.map_or('·', sign));
        }
        let _ = writeln!(text, "| {number}");
    }
    text + &format!("{border}\n{files}")
}

/// As `Board.unicode` of python-chess has it: `board_ascii`.
pub(super) fn plain(position: &Chess) -> String {
    let rows = Rank::ALL.into_iter().rev().map(|rank| {
        let signs = row(position, rank).map(|piece| piece.map_or('⭘', sign).to_string());
        signs.collect::<Vec<_>>().join(" ")
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn row(position: &Chess, rank: Rank) -> impl Iterator<Item = Option<Piece>> {
    let board = position.board();
    File::ALL
        .into_iter()
        .map(move |file| board.piece_at(Square::from_coords(file, rank)))
}

const fn sign(piece: Piece) -> char {
    let [white, black] = match piece.role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    match piece.color {
        Color::White => white,
        Color::Black => black,
    }
}
