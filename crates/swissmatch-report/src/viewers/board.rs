//! A game as viewers see it: each move with the position after it and what is known of the move.
//!
//! May not: trust a move, or an engine's word about one.

use jiff::Timestamp;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position as _};
use swiss_system::pairing::history::PairingNumber;

use super::heads::Heads;
use swissmatch_game::Side;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::seen::LastMove;
use swissmatch_game::variant::Variant;
use swissmatch_tournament::live::LiveEnd;
use swissmatch_tournament::log::GameFinished;

/// Most moves of a variation that are shown.
const LONGEST: usize = 60;

#[derive(Debug)]
pub struct ViewerGame {
    pub(super) id: GameId,
    pub(super) begun: Timestamp,
    pub(super) players: [PairingNumber; 2],
    pub(super) opening: Opening,
    /// Moves of the opening come first.
    pub(super) moves: Vec<Move>,
    pub(super) ended: Option<LiveEnd>,
    position: Chess,
    /// Whether a move could not be played: what follows it is not shown.
    is_broken: bool,
}

/// A move that was made.
#[derive(Debug)]
pub(super) struct Move {
    /// Number of the full move.
    pub(super) number: u32,
    pub(super) side: Side,
    pub(super) san: String,
    pub(super) uci: String,
    /// The position after the move.
    pub(super) fen: String,
    /// Whether it belongs to the opening.
    pub(super) is_book: bool,
    pub(super) note: Option<Note>,
    /// The part of its variation that is legal.
    pub(super) variation: Vec<VariationMove>,
    before: Chess,
}

/// What is known of a move.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) said: LastMove,
    /// The mover's clock after it, in microseconds; `None` if there is none, or it is not known.
    pub(super) clock_us: Option<u64>,
}

#[derive(Debug)]
pub(super) struct VariationMove {
    pub(super) san: String,
    pub(super) uci: String,
    /// The position after the move.
    pub(super) fen: String,
}

impl ViewerGame {
    pub(super) fn begin(id: GameId, begun: Timestamp, players: [PairingNumber; 2], opening: Opening) -> Self {
        let start = opening.start_position();
        let mut board = Self {
            id,
            begun,
            players,
            moves: Vec::with_capacity(opening.moves.len() + 64),
            ended: None,
            is_broken: start.is_err(),
            position: start.unwrap_or_default(),
            opening,
        };
        for uci in board.opening.moves.clone() {
            board.play(uci, true);
        }
        board
    }

    /// A game that has ended, as the log has it.
    pub fn finished(heads: &Heads, begun: Timestamp, finished: &GameFinished, record: Option<&GameRecord>) -> Self {
        let players = [finished.white, finished.black];
        let opening = match record {
            Some(record) => record.opening.clone(),
            None => Opening::start(Variant::Standard),
        };
        let mut board = Self::begin(finished.id, begun, players, opening);
        if let Some(record) = record {
            let controls = heads.controls(finished.id);
            let has_clock = controls.map_or([false; 2], |controls| controls.map(|control| control.has_clock));
            let first = record.opening.turn();
            let note = |ply: usize| {
                let side = if ply.is_multiple_of(2) { first } else { first.other() };
                let clock = record.clock_us.get(ply).copied();
                Note {
                    said: LastMove::of(record, ply),
                    clock_us: clock.filter(|_| has_clock[side.index()]),
                }
            };
            board.follow(&record.moves, (0..record.plies()).map(note).collect());
        }
        board.ended = Some(LiveEnd {
            result: finished.outcome,
            termination: finished.termination,
        });
        board
    }

    pub const fn id(&self) -> GameId {
        self.id
    }

    /// Adds moves.
    pub(super) fn follow(&mut self, moves: &str, notes: Vec<Note>) {
        for word in moves.split_ascii_whitespace() {
            match UciMove::from_ascii(word.as_bytes()) {
                Ok(uci) => self.play(uci, false),
                Err(_) => self.is_broken = true,
            }
        }
        let book = self.opening.moves.len();
        for note in notes {
            let made = self.moves.get_mut(book.saturating_add(note.said.ply as usize));
            if let Some(made) = made {
                made.variation = planned(self.opening.variant, made.before.clone(), &note.said.pv);
                made.note = Some(note);
            }
        }
    }

    fn play(&mut self, uci: UciMove, is_book: bool) {
        if self.is_broken {
            return;
        }
        let Ok(legal) = uci.to_move(&self.position) else {
            self.is_broken = true;
            return;
        };
        let before = self.position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, legal).to_string();
        self.moves.push(Move {
            number: before.fullmoves().get(),
            side: match before.turn() {
                Color::White => Side::White,
                Color::Black => Side::Black,
            },
            san,
            uci: uci.to_string(),
            fen: self.opening.variant.fen(&self.position),
            is_book,
            note: None,
            variation: Vec::new(),
            before,
        });
    }
}

/// A variation as far as its moves are legal.
fn planned(variant: Variant, mut position: Chess, words: &str) -> Vec<VariationMove> {
    let mut moves = Vec::new();
    for word in words.split_ascii_whitespace().take(LONGEST) {
        let uci = UciMove::from_ascii(word.as_bytes()).ok();
        let Some((uci, legal)) = uci.and_then(|uci| Some((uci, uci.to_move(&position).ok()?))) else {
            break;
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, legal).to_string();
        moves.push(VariationMove {
            san,
            uci: uci.to_string(),
            fen: variant.fen(&position),
        });
    }
    moves
}
