//! The meaning of `position`: where the moves begin, the moves, and the position after them.
//!
//! May not: know whose answer is waited for.

use std::sync::OnceLock;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};
use swissmatch_game::opening::Opening;
use swissmatch_game::rules::Board;
use swissmatch_game::variant::Variant;

use crate::order;

/// A position with the moves that led to it.
#[derive(Clone, Debug)]
pub struct UciPosition {
    opening: Opening,
    board: Board,
    /// Its moves in standard algebraic notation, once somebody has asked for them.
    san: OnceLock<Vec<SanPlus>>,
}

impl UciPosition {
    /// Reads what follows `position`; `None` if it gives no position, or its moves are not legal.
    pub fn read(words: &str, variant: Variant) -> Option<Self> {
        let (start, moves) = match words.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (words.trim(), ""),
        };
        let fen = match start {
            "startpos" => None,
            start => Some(start.strip_prefix("fen")?.trim().to_owned()),
        };
        let moves: Option<Vec<UciMove>> = moves.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        let opening = Opening {
            fen,
            moves: moves?,
            ..Opening::start(variant)
        };
        let board = Board::new(&opening).ok()?;
        Some(Self {
            opening,
            board,
            san: OnceLock::new(),
        })
    }

    /// The position after more moves; `None` if they are not legal.
    pub(crate) fn after(mut self, moves: &str) -> Option<Self> {
        for word in moves.split_ascii_whitespace() {
            let written = word.parse().ok()?;
            let legal = self.board.legal(&written)?;
            if let Some(san) = self.san.get_mut() {
                san.push(SanPlus::from_move(self.board.position().clone(), legal));
            }
            self.board.play(legal);
            self.opening.moves.push(written);
        }
        Some(self)
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position where the moves begin, as a FEN.
    pub fn start(&self) -> String {
        self.opening.start_fen()
    }

    /// The moves that led here, in UCI notation.
    pub fn moves(&self) -> impl Iterator<Item = String> {
        self.opening.moves.iter().map(ToString::to_string)
    }

    /// The moves that led here, in standard algebraic notation.
    pub(crate) fn moves_san(&self) -> &[SanPlus] {
        self.san.get_or_init(|| {
            let start = Opening {
                moves: Vec::new(),
                ..self.opening.clone()
            };
            let mut board = Board::new(&start).expect("it was read");
            let moves = self.opening.moves.iter().map(|written| {
                let legal = board.legal(written).expect("it was played");
                let san = SanPlus::from_move(board.position().clone(), legal);
                board.play(legal);
                san
            });
            moves.collect()
        })
    }

    /// The legal moves, in the order of python-chess.
    pub(crate) fn legal(&self) -> Vec<Move> {
        order::legal(self.position())
    }

    /// The legal moves in UCI notation, in the order of python-chess.
    pub(crate) fn legal_uci(&self) -> Vec<String> {
        let written = |legal: &Move| self.board.uci(*legal).to_string();
        self.legal().iter().map(written).collect()
    }

    fn position(&self) -> &Chess {
        self.board.position()
    }
}
