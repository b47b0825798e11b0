//! The game an agent is asked about: a start position and the moves since.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, MoveList, Position, PositionError};

use crate::hashing::{mix, mix_text};
use crate::protocol::PositionText;

/// A game as given by one `position` command.
#[derive(Clone, Debug)]
pub struct Game {
    position: Chess,
    keys: Vec<u64>,
    history: u64,
    notation: CastlingMode,
}

/// Why a `position` command makes no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPosition(String);

impl fmt::Display for BadPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad position: {}", self.0)
    }
}

impl std::error::Error for BadPosition {}

impl Default for Game {
    fn default() -> Self {
        Self::from_start(Chess::default(), CastlingMode::Standard)
    }
}

impl Game {
    /// Sets up the start position and plays the moves.
    ///
    /// `chess960` decides how castling is written; both ways are read.
    ///
    /// # Errors
    ///
    /// [`BadPosition`] for an unreadable FEN or a move that is not legal.
    pub fn new(text: &PositionText, chess960: bool) -> Result<Self, BadPosition> {
        let notation = CastlingMode::from_chess960(chess960);
        let start = match &text.fen {
            None => Chess::default(),
            Some(fen) => set_up(fen, notation)?,
        };
        let mut game = Self::from_start(start, notation);
        for word in &text.moves {
            let mv = game
                .read_move(word)
                .ok_or_else(|| BadPosition(format!("illegal move {word}")))?;
            game.play(mv);
        }
        Ok(game)
    }

    fn from_start(position: Chess, notation: CastlingMode) -> Self {
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let key = key_of(&position);
        Self {
            position,
            keys: vec![key],
            history: mix_text(0, &fen),
            notation,
        }
    }

    fn play(&mut self, mv: Move) {
        // The history spells moves in one fixed way, so that it does not
        // depend on how the runner writes castling.
        let spelled = mv.to_uci(CastlingMode::Chess960).to_string();
        self.history = mix_text(self.history, &spelled);
        self.position.play_unchecked(mv);
        self.keys.push(key_of(&self.position));
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The keys of all positions of the game, the present one last. Equal keys
    /// are repetitions in the sense of the laws of chess.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Number of moves by the side to move since the start position.
    pub fn own_moves(&self) -> usize {
        (self.keys.len() - 1) / 2
    }

    /// A number drawn from the seed and from the whole game.
    pub fn lot(&self, seed: u64) -> u64 {
        mix(self.history, seed)
    }

    /// All legal moves, in an order that does not depend on how they were
    /// generated.
    pub(crate) fn sorted_moves(&self) -> MoveList {
        let mut moves = self.position.legal_moves();
        moves.sort_unstable_by_key(|mv| {
            let promotion = mv.promotion().map_or(0, |role| role as u8);
            (mv.from(), mv.to(), promotion)
        });
        moves
    }

    /// The move as the runner wants it written.
    pub fn write_move(&self, mv: Move) -> String {
        mv.to_uci(self.notation).to_string()
    }

    /// The legal move that a word stands for.
    pub fn read_move(&self, word: &str) -> Option<Move> {
        let uci: UciMove = word.parse().ok()?;
        uci.to_move(&self.position).ok()
    }

    /// How this game writes castling.
    pub fn notation(&self) -> CastlingMode {
        self.notation
    }
}

/// The key of a position: equal for repetitions, different for nearly all else.
pub fn key_of(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

fn set_up(fen: &str, notation: CastlingMode) -> Result<Chess, BadPosition> {
    let fen: Fen = fen.parse().map_err(|error| BadPosition(format!("{fen:?}: {error}")))?;
    // Castling rights that only Chess960 knows are better understood than
    // refused, so that a runner that forgot the option still gets its game.
    forgiving(fen.clone(), notation).or_else(|_| forgiving(fen, CastlingMode::Chess960))
}

fn forgiving(fen: Fen, mode: CastlingMode) -> Result<Chess, BadPosition> {
    fen.into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| BadPosition(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: Option<&str>, moves: &[&str], chess960: bool) -> Game {
        let text = PositionText {
            fen: fen.map(str::to_owned),
            moves: moves.iter().map(ToString::to_string).collect(),
        };
        Game::new(&text, chess960).expect("a good game")
    }

    #[test]
    fn start_position_can_be_spelled_twice() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let by_name = game(None, &["e2e4"], false);
        assert_eq!(by_name.lot(3), game(Some(fen), &["e2e4"], true).lot(3));
        assert_ne!(by_name.lot(3), by_name.lot(4));
        assert_ne!(by_name.lot(3), game(None, &["e2e3"], false).lot(3));
    }

    #[test]
    fn castling_is_written_as_asked() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let plain = game(Some(fen), &[], false);
        let castle = plain.read_move("e1g1").expect("castling");
        assert_eq!(plain.write_move(castle), "e1g1");
        assert_eq!(game(Some(fen), &[], true).write_move(castle), "e1h1", "king takes rook");
    }

    #[test]
    fn x_fen_and_shredder_fen_agree() {
        let board = "1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w";
        let x_fen = game(Some(&format!("{board} KQkq - 0 1")), &[], true);
        let shredder = game(Some(&format!("{board} GBgb - 0 1")), &[], true);
        assert_eq!(x_fen.keys(), shredder.keys());
        assert!(x_fen.read_move("d1g1").is_some());
        assert!(x_fen.read_move("d1b1").is_some());
    }

    #[test]
    fn repetitions_share_a_key() {
        let shuffled = game(None, &["g1f3", "g8f6", "f3g1", "f6g8"], false);
        assert_eq!(shuffled.keys()[0], shuffled.keys()[4]);
        assert_eq!(shuffled.own_moves(), 2);
    }

    #[test]
    fn illegal_moves_are_refused() {
        let text = PositionText {
            fen: None,
            moves: vec!["e2e5".into()],
        };
        assert!(Game::new(&text, false).is_err());
    }
}
