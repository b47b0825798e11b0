//! The greedy capturer: looks one move ahead and only at material.

use shakmaty::{Chess, Move, Position, Role};

use crate::game::Game;
use crate::hashing::mix;
use crate::instant::Choice;

/// Better than any material.
const MATE: i32 = 100_000;

/// Picks the move that wins the most material at once, a mate before all else.
/// The seed decides between equals.
pub fn choose(game: &Game, seed: u64) -> Option<Choice> {
    let lot = game.lot(seed);
    let moves = game.sorted_moves();
    let (gain, _, mv) = (0..)
        .zip(&moves)
        .map(|(index, mv)| (gain(game.position(), *mv), mix(lot, index), *mv))
        .max_by_key(|(gain, tie, _)| (*gain, *tie))?;
    let score = if gain == MATE {
        "mate 1".to_owned()
    } else {
        format!("cp {gain}")
    };
    Some(Choice {
        mv,
        score,
        nodes: moves.len(),
    })
}

/// What a move wins at once. A capture counts less when the taken piece is
/// guarded, because then the capturer is lost in turn.
fn gain(position: &Chess, mv: Move) -> i32 {
    let mut after = position.clone();
    after.play_unchecked(mv);
    if after.is_checkmate() {
        return MATE;
    }
    let promoted = mv.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
    let captured = mv.capture().map_or(0, |victim| {
        let recaptured = after
            .legal_moves()
            .iter()
            .any(|reply| reply.is_capture() && reply.to() == mv.to());
        let price = if recaptured { value(mv.role()) } else { 0 };
        value(victim) - price
    });
    promoted + captured
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 310,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PositionText;

    fn pick(fen: &str) -> String {
        let text = PositionText {
            fen: Some(fen.to_owned()),
            moves: Vec::new(),
        };
        let game = Game::new(&text, false).expect("a good game");
        let choice = choose(&game, 1).expect("a move");
        game.write_move(choice.mv)
    }

    #[test]
    fn mate_before_queen() {
        assert_eq!(pick("6k1/5ppp/8/q7/8/8/1P6/RR4K1 w - - 0 1"), "a1a5");
        assert_eq!(pick("6k1/5ppp/8/8/q7/8/1P6/1R1R2K1 w - - 0 1"), "d1d8");
    }

    #[test]
    fn guarded_pawns_are_left_alone() {
        assert_ne!(
            pick("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1"),
            "d2d5",
            "the pawn is guarded"
        );
        assert_eq!(pick("4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 1"), "d2d5");
    }

    #[test]
    fn promotes() {
        assert_eq!(pick("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "a7a8q");
    }
}
