//! Static exchange: what a series of captures on one square comes to.

use shakmaty::{Bitboard, Board, Color, Move, Position, Role, Square};

use super::squares::price;

/// The gain of a capture if both sides go on capturing on its square with
/// their cheapest piece for as long as that pays. Pins are not seen.
pub(super) fn outcome(position: &impl Position, capture: Move) -> i32 {
    let board = position.board();
    let Some(from) = capture.from() else {
        return 0;
    };
    let target = capture.to();
    let victim = capture.capture().map_or(0, price);
    let occupied = board.occupied().without(from);
    victim - best_reply(board, target, !position.turn(), occupied, capture.role())
}

/// What the given side wins by capturing the piece now on the square; never
/// less than nothing, as nobody has to capture.
fn best_reply(board: &Board, target: Square, side: Color, occupied: Bitboard, prey: Role) -> i32 {
    let attackers = board.attacks_to(target, side, occupied) & occupied;
    let Some((from, role)) = cheapest(board, attackers) else {
        return 0;
    };
    let next = best_reply(board, target, !side, occupied.without(from), role);
    (price(prey) - next).max(0)
}

fn cheapest(board: &Board, attackers: Bitboard) -> Option<(Square, Role)> {
    Role::ALL.into_iter().find_map(|role| {
        let square = (attackers & board.by_role(role)).first()?;
        Some((square, role))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess};

    fn after(fen: &str, mv: &str) -> i32 {
        let fen: Fen = fen.parse().expect("fen");
        let position: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
        let mv: UciMove = mv.parse().expect("uci");
        outcome(&position, mv.to_move(&position).expect("legal"))
    }

    #[test]
    fn guarded_and_unguarded() {
        let guarded = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1";
        assert_eq!(after(guarded, "d2d5"), price(Role::Pawn) - price(Role::Queen));
        assert_eq!(after("4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5"), price(Role::Pawn));
    }

    #[test]
    fn pieces_behind_join_in() {
        let battery = "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1";
        assert_eq!(after(battery, "d2d5"), price(Role::Pawn));
    }
}
