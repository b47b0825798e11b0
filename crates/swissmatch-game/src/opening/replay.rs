//! An opening while its moves are played; each move is checked as it comes.

use std::collections::HashMap;

use shakmaty::fen::Fen;
use shakmaty::san::{SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::{Opening, SuiteLineError, moves_text, one_line};
use crate::variant::Variant;

/// The halfmove clock, in plies, at which a player may claim a draw (fifty moves each).
const FIFTY_MOVES_PLIES: u32 = 100;

/// How often a position must have occurred for a player to claim a draw.
const REPETITIONS: u32 = 3;

/// An opening that has been checked.
pub(super) struct CheckedOpening {
    pub(super) opening: Opening,
    /// The key of the position that it leads to; the counters are not part of it.
    pub(super) reaches: u64,
    /// The suite's line with the opening.
    pub(super) line: usize,
}

#[derive(Clone)]
pub(super) struct Replay {
    variant: Variant,
    start: Chess,
    pub(super) position: Chess,
    pub(super) moves: Vec<UciMove>,
    seen: HashMap<Zobrist64, u32>,
}

impl Replay {
    /// Starts from the position `fen`, which has four to six fields, or from the usual one.
    pub(super) fn new(variant: Variant, fen: Option<&str>) -> Result<Self, SuiteLineError> {
        let start = fen.map_or_else(|| Ok(Chess::default()), |fen| checked_position(variant, fen))?;
        let mut replay = Self {
            variant,
            position: start.clone(),
            start,
            moves: Vec::new(),
            seen: HashMap::new(),
        };
        replay.check_not_over()?;
        Ok(replay)
    }

    /// Plays one more move, which must be legal and leave something to play.
    pub(super) fn play(&mut self, san: SanPlus) -> Result<(), SuiteLineError> {
        let legal = san
            .san
            .to_move(&self.position)
            .map_err(|error| SuiteLineError::Illegal {
                san: san.to_string(),
                ply: self.moves.len() + 1,
                problem: match error {
                    SanError::IllegalSan => "illegal",
                    SanError::AmbiguousSan => "ambiguous",
                },
            })?;
        self.play_legal(legal)
    }

    /// Plays a legal move, which must leave something to play.
    pub(super) fn play_legal(&mut self, legal: Move) -> Result<(), SuiteLineError> {
        self.moves.push(self.uci(legal));
        self.position.play_unchecked(legal);
        self.check_not_over()
    }

    pub(super) fn uci(&self, legal: Move) -> UciMove {
        legal.to_uci(self.variant.castling_mode())
    }

    pub(super) fn moves_text(&self) -> String {
        moves_text(&self.moves)
    }

    pub(super) fn key(&self) -> Zobrist64 {
        self.position.zobrist_hash(EnPassantMode::Legal)
    }

    /// Counts the position reached and refuses it if the game is over there.
    fn check_not_over(&mut self) -> Result<(), SuiteLineError> {
        let times = self.seen.entry(self.key()).or_default();
        *times += 1;
        let reason = if self.position.is_checkmate() {
            "checkmate"
        } else if self.position.is_stalemate() {
            "stalemate"
        } else if self.position.is_insufficient_material() {
            "lack of material to mate with"
        } else if *times >= REPETITIONS {
            "threefold repetition"
        } else if self.position.halfmoves() >= FIFTY_MOVES_PLIES {
            "the fifty-move rule"
        } else {
            return Ok(());
        };
        Err(SuiteLineError::Ended {
            plies: self.moves.len(),
            reason,
        })
    }

    /// The opening played so far, under the first of `names` that has anything to show, else under its line.
    pub(super) fn finish(self, names: &[&str], line: usize) -> CheckedOpening {
        let name = names.iter().map(|name| one_line(name)).find(|name| !name.is_empty());
        let usual = Chess::default();
        let is_usual = self.start == usual && self.start.fullmoves() == usual.fullmoves();
        CheckedOpening {
            reaches: self.key().0,
            line,
            opening: Opening {
                fen: (!is_usual || self.start.halfmoves() > 0).then(|| self.variant.fen(&self.start)),
                moves: self.moves,
                name: name.unwrap_or_else(|| format!("line {line}")),
                variant: self.variant,
            },
        }
    }
}

/// The position of a FEN, if it is one of the variant.
fn checked_position(variant: Variant, fen: &str) -> Result<Chess, SuiteLineError> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(SuiteLineError::Fen)?;
    if fen.as_setup().pockets.is_some() || fen.as_setup().remaining_checks.is_some() {
        return Err(SuiteLineError::Variant);
    }
    fen.clone().into_position(variant.castling_mode()).map_err(|error| {
        // Reported separately, because the cure differs: such a position is sound, but not of this variant.
        if fen.into_position::<Chess>(CastlingMode::Chess960).is_ok() {
            SuiteLineError::Chess960
        } else {
            SuiteLineError::Position(error.to_string())
        }
    })
}
