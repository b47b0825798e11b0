//! Legal moves in the order of python-chess, in which prompts of the challenge list them.
//!
//! The order is that of `Board.generate_legal_moves` of python-chess 1.11. If the king is in check, its own moves come
//! first; then those of pieces, castling, captures of pawns, pawns by one square, by two, en passant; from high squares
//! to low ones, promotions from the queen down.
//!
//! May not: know how moves are written.

use std::cmp::Reverse;

use shakmaty::{Chess, Move, Position as _, Role, Square};

/// The legal moves of a position, in that order.
pub(crate) fn legal(position: &Chess) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    let is_check = position.is_check();
    moves.sort_by_key(|legal| place(legal, is_check));
    moves
}

/// The sort key of a move: its group, then squares from high to low, then the promotion.
fn place(legal: &Move, is_check: bool) -> (u8, Reverse<u32>, Reverse<u32>, u8) {
    let number = |square: Square| Reverse(u32::from(square));
    let none = Reverse(0);
    match *legal {
        Move::Castle { rook, .. } => (2, number(rook), none, 0),
        Move::EnPassant { from, .. } => (6, number(from), none, 0),
        Move::Normal {
            role: Role::Pawn,
            from,
            to,
            capture,
            promotion,
        } => {
            let becomes = match promotion {
                Some(Role::Rook) => 1,
                Some(Role::Bishop) => 2,
                Some(Role::Knight) => 3,
                _ => 0,
            };
            match (capture, from.file() == to.file() && from.distance(to) == 2) {
                (Some(_), _) => (3, number(from), number(to), becomes),
                (None, false) => (4, number(to), none, becomes),
                (None, true) => (5, number(to), none, 0),
            }
        }
        Move::Normal { role, from, to, .. } => {
            let is_evasion = is_check && role == Role::King;
            (if is_evasion { 0 } else { 1 }, number(from), number(to), 0)
        }
        Move::Put { to, .. } => (7, number(to), none, 0),
    }
}
