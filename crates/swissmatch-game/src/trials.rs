//! Positions of every kind in chess, in which an agent must give a legal move.
//!
//! May not: judge an answer; that is the game's.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};
use swiss_system::lot;

use super::opening::Opening;
use super::rules::{Board, Ends};
use super::variant::Variant;

/// A position, given as a starting point and the moves from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What is special about the position.
    pub kind: &'static str,
    /// The starting point; `None` is the usual start position.
    fen: Option<&'static str>,
    /// Moves in UCI notation of standard chess.
    moves: &'static str,
}

const fn trial(kind: &'static str, fen: Option<&'static str>, moves: &'static str) -> Trial {
    Trial { kind, fen, moves }
}

/// A middlegame position with many legal moves.
pub const MIDDLEGAME: Trial = trial(
    "middlegame",
    Some("r2q1rk1/pp2bppp/2n1bn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 10"),
    "",
);

/// Positions that exist in both variants.
pub const TRIALS: [Trial; 17] = [
    trial("start position", None, ""),
    MIDDLEGAME,
    // The most legal moves known in a position: 218 (N. Petrović, 1964).
    trial(
        "many pieces",
        Some("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
        "",
    ),
    trial("promotion", Some("6r1/4P3/8/8/8/8/1r6/k6K w - - 0 1"), ""),
    trial(
        "promotion played",
        Some("7k/2P5/8/8/6p1/8/5p2/1K6 w - - 0 1"),
        "c7c8q h8h7",
    ),
    trial(
        "under-promotion played",
        Some("7k/4P3/8/8/6p1/6P1/p3K3/8 w - - 0 1"),
        "e7e8n a2a1b",
    ),
    trial(
        "castling on either side",
        Some("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 9"),
        "",
    ),
    trial(
        "castling played, White short and Black long",
        None,
        "e2e4 e7e5 g1f3 b8c6 f1c4 d7d6 e1g1 c8g4 c2c3 d8d7 d2d3 e8c8",
    ),
    trial(
        "castling played, White long and Black short",
        None,
        "d2d4 d7d5 b1c3 g8f6 c1f4 e7e6 d1d2 f8d6 e1c1 e8g8",
    ),
    trial("en passant", Some("4k3/8/7p/5Pp1/7K/r7/8/3b4 w - g6 0 2"), ""),
    trial("en passant played", None, "e2e4 a7a6 e4e5 d7d5 e5d6"),
    trial("check", None, "e2e4 e7e5 d2d3 f8b4"),
    trial("double check", Some("4k3/8/8/8/8/3n4/5P1P/r3K2R w K - 0 1"), ""),
    trial("one legal move", Some("7k/8/8/8/8/P7/5q2/7K w - - 0 1"), ""),
    trial(
        "the fifty moves nearly over",
        Some("8/5k2/8/8/3K4/8/6R1/8 w - - 98 150"),
        "",
    ),
    trial(
        "a king that may not castle through check",
        Some("r3k2r/8/8/8/8/8/6r1/R3K2R w KQkq - 0 1"),
        "",
    ),
    trial("Black to move", None, "d2d4"),
];

/// Positions that exist only in Chess960; castling in their moves is written as the king taking its rook.
pub const CHESS960: [Trial; 3] = [
    trial(
        "Chess960: a start position",
        Some("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1"),
        "",
    ),
    trial(
        "Chess960: castling on either side",
        Some("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"),
        "",
    ),
    trial(
        "Chess960: castling played, the king staying where it was",
        Some("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"),
        "c1e1 c8a8",
    ),
];

/// Plies of the long game.
const LONG: usize = 300;

impl Trial {
    /// The position as an opening of this variant; `None` if the variant does not have it.
    pub fn opening(&self, variant: Variant) -> Option<Opening> {
        let mut position = match self.fen {
            Some(fen) => variant.position(fen)?,
            None => Chess::default(),
        };
        let fen = self.fen.map(|_| variant.fen(&position));
        let mut moves = Vec::new();
        for word in self.moves.split_whitespace() {
            let legal = word.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            moves.push(legal.to_uci(variant.castling_mode()));
            position.play_unchecked(legal);
        }
        Some(Opening {
            fen,
            moves,
            name: self.kind.to_owned(),
            variant,
        })
    }
}

/// A long game given by its moves, which were drawn by lot; nothing ends it on the way.
pub fn long_game(variant: Variant) -> Opening {
    let mut opening = Opening {
        name: format!("a game of {LONG} plies given by its moves"),
        ..Opening::start(variant)
    };
    let Ok(mut board) = Board::new(&opening) else {
        return opening;
    };
    for ply in 0..LONG {
        let legal = board.position().legal_moves();
        let drawn = lot::order(1, &format!("long game, ply {ply}"), legal.len());
        let after = drawn.into_iter().find_map(|at| {
            let mut after = board.clone();
            after.play(legal[at]);
            after.ending(Ends::default()).is_none().then_some((legal[at], after))
        });
        let Some((played, after)) = after else { break };
        opening.moves.push(board.uci(played));
        board = after;
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(trial: &Trial, variant: Variant) -> Board {
        let opening = trial.opening(variant).unwrap_or_else(|| panic!("{trial:?}"));
        let board = Board::new(&opening).unwrap_or_else(|error| panic!("{trial:?}: {error}"));
        assert_eq!(board.ending(Ends::default()), None, "{trial:?}");
        board
    }

    fn of_kind(kind: &str) -> Board {
        let trial = TRIALS.iter().find(|trial| trial.kind == kind);
        board(trial.unwrap_or_else(|| panic!("{kind}")), Variant::Standard)
    }

    #[test]
    fn every_trial_is_a_position_with_a_move_in_both_variants() {
        for trial in &TRIALS {
            for variant in [Variant::Standard, Variant::Chess960] {
                board(trial, variant);
            }
        }
        for trial in &CHESS960 {
            board(trial, Variant::Chess960);
        }
    }

    #[test]
    fn trials_are_what_they_are_called() {
        let legal = |kind: &str| of_kind(kind).position().legal_moves();
        assert_eq!(legal("many pieces").len(), 218);
        let promotions = legal("promotion");
        assert_eq!(promotions.len(), 4);
        assert!(promotions.iter().all(|played| played.is_promotion()));
        let castling = legal("castling on either side");
        assert_eq!(castling.iter().filter(|played| played.is_castle()).count(), 2);
        let passant = legal("en passant");
        assert!(passant.len() == 1 && passant[0].is_en_passant(), "{passant:?}");
        assert_eq!(of_kind("check").position().checkers().count(), 1);
        assert_eq!(of_kind("double check").position().checkers().count(), 2);
        assert_eq!(legal("one legal move").len(), 1);
        assert_eq!(of_kind("the fifty moves nearly over").position().halfmoves(), 98);
        let attacked = legal("a king that may not castle through check");
        assert_eq!(attacked.iter().filter(|played| played.is_castle()).count(), 1);
        let opening = |trial: &Trial| trial.opening(Variant::Chess960).expect("a position");
        assert_eq!(opening(&TRIALS[7]).moves[6].to_string(), "e1h1");
        let castling = board(&CHESS960[1], Variant::Chess960).position().legal_moves();
        assert_eq!(castling.iter().filter(|played| played.is_castle()).count(), 2);
    }

    #[test]
    fn the_long_game_is_long_and_goes_on() {
        let opening = long_game(Variant::Standard);
        assert_eq!(opening.moves.len(), LONG);
        let board = Board::new(&opening).expect("legal");
        assert_eq!(board.ending(Ends::default()), None);
        assert_eq!(long_game(Variant::Standard), opening);
    }
}
