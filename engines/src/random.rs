//! The random mover: every legal move is as good as any other.

use crate::game::Game;
use crate::instant::Choice;

/// Draws a move from the seed and the game so far.
pub fn choose(game: &Game, seed: u64) -> Option<Choice> {
    let moves = game.sorted_moves();
    let index = game.lot(seed).checked_rem(moves.len() as u64)?;
    let mv = *moves.get(usize::try_from(index).ok()?)?;
    Some(Choice {
        mv,
        score: "cp 0".to_owned(),
        nodes: moves.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PositionText;

    #[test]
    fn seeds_differ_and_repeat() {
        let game = Game::default();
        let picks: Vec<_> = (0..50).filter_map(|seed| choose(&game, seed)).collect();
        let again: Vec<_> = (0..50).filter_map(|seed| choose(&game, seed)).collect();
        assert_eq!(picks, again);
        let mut moves: Vec<_> = picks.iter().map(|pick| game.write_move(pick.mv)).collect();
        moves.sort();
        moves.dedup();
        assert!(moves.len() > 10, "only {moves:?}");
    }

    #[test]
    fn nothing_to_play_when_stalemated() {
        let text = PositionText {
            fen: Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".into()),
            moves: Vec::new(),
        };
        let game = Game::new(&text, false).expect("a good game");
        assert_eq!(choose(&game, 1), None);
    }
}
