//! The board of a game: legal moves, repetitions, and when the rules of chess or the move cap end it.
//!
//! Laws of Chess (FIDE, 2023), articles 5.1.1, 5.2.1, 5.2.2, 9.2, 9.3. Threefold repetition and fifty moves are
//! claimed for the players, as [`Claims`] says.
//!
//! May not: know clocks or engines.

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Move, Position};
use swiss_system::word::words;

use super::Side;
use super::opening::{Opening, OpeningError};
use super::termination::{Outcome, Termination};
use super::variant::Variant;

/// Plies without capture or pawn move that make fifty moves.
const FIFTY_MOVES: u32 = 100;

/// From where a cap on plies counts, `game.plies_from`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PliesFrom {
    /// `"opening"`: counts the plies that the agents play.
    #[default]
    Opening,
    /// `"start"`: counts those of the opening, too. The move number of a position and its side to move say how many
    /// came before it.
    Start,
}

words!(PliesFrom {
    Opening => "opening",
    Start => "start",
});

impl PliesFrom {
    /// True for the default.
    pub const fn is_opening(&self) -> bool {
        matches!(self, Self::Opening)
    }
}

/// When threefold repetition and fifty moves end a game, `game.claims`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claims {
    /// `"automatic"`: when the position occurs for the third time, or the fifty moves have been made.
    #[default]
    Automatic,
    /// `"claimable"`: also when the side to move could claim the draw because one of its legal moves would bring that
    /// about (Laws of Chess 9.2.1, 9.3.1), as `Board.outcome(claim_draw=True)` of python-chess.
    Claimable,
}

words!(Claims {
    Automatic => "automatic",
    Claimable => "claimable",
});

impl Claims {
    /// True for the default.
    pub const fn is_automatic(&self) -> bool {
        matches!(self, Self::Automatic)
    }
}

/// What ends a game beyond the laws of chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The game is drawn after this many plies.
    pub max_plies: Option<u32>,
    /// From where `max_plies` counts.
    pub plies_from: PliesFrom,
    /// When threefold repetition and fifty moves end the game.
    pub claims: Claims,
}

/// A position with its history.
#[derive(Clone, Debug)]
pub struct Board {
    variant: Variant,
    position: Chess,
    /// Hashes of all positions since the last capture or pawn move, the present one last.
    since_zeroing: Vec<Zobrist128>,
    plies: u32,
    /// Plies of the opening.
    plies_before: u32,
}

impl Board {
    /// The position after `opening`; its moves count for repetitions and the fifty moves, and for the cap as
    /// [`PliesFrom`] says.
    ///
    /// # Errors
    /// When the opening is illegal.
    pub fn new(opening: &Opening) -> Result<Self, OpeningError> {
        let position = opening.start_position()?;
        let mut board = Self {
            variant: opening.variant,
            since_zeroing: vec![hash(&position)],
            position,
            plies: 0,
            plies_before: opening.plies(),
        };
        for uci in &opening.moves {
            let legal = board.legal(uci).ok_or_else(|| OpeningError::Move(uci.to_string()))?;
            board.play(legal);
        }
        board.plies = 0;
        Ok(board)
    }

    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The position after `opening` and moves in UCI notation; `None` if they are not legal.
    pub fn after(opening: &Opening, moves: &str) -> Option<Self> {
        let mut board = Self::new(opening).ok()?;
        for word in moves.split_ascii_whitespace() {
            let legal = board.legal(&word.parse().ok()?)?;
            board.play(legal);
        }
        Some(board)
    }

    pub fn turn(&self) -> Side {
        self.position.turn().into()
    }

    pub const fn plies(&self) -> u32 {
        self.plies
    }

    pub fn counted(&self, from: PliesFrom) -> u32 {
        match from {
            PliesFrom::Opening => self.plies,
            PliesFrom::Start => self.plies_before.saturating_add(self.plies),
        }
    }

    /// The move that `uci` means here, if it is legal. Castling has one spelling in each variant: the king's two
    /// squares in standard chess (`e1g1`), the rook's square in Chess960 (`e1h1`); the other spelling is not a move.
    #[inline]
    pub fn legal(&self, uci: &UciMove) -> Option<Move> {
        let legal = uci.to_move(&self.position).ok()?;
        (self.uci(legal) == *uci).then_some(legal)
    }

    pub fn fen(&self) -> String {
        self.variant.fen(&self.position)
    }

    /// The variant's notation of a move in this position.
    #[inline]
    pub fn uci(&self, legal: Move) -> UciMove {
        legal.to_uci(self.variant.castling_mode())
    }

    /// Plays a move that [`Self::legal`] returned.
    #[inline]
    pub fn play(&mut self, legal: Move) {
        if legal.is_zeroing() {
            self.since_zeroing.clear();
        }
        self.position.play_unchecked(legal);
        self.since_zeroing.push(hash(&self.position));
        self.plies += 1;
    }

    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// The position as a FEN with move number 1, whatever was played before: equal positions with equal fifty-move
    /// counts have equal FENs.
    pub(crate) fn unnumbered_fen(&self) -> String {
        let fen = self.fen();
        let position = fen.rsplit_once(' ').map_or("", |(position, _)| position);
        format!("{position} 1")
    }

    /// How the game has ended, if it has. Mate comes before everything, the move cap last.
    pub fn ending(&self, ends: Ends) -> Option<(Outcome, Termination)> {
        let draw = |termination| Some((Outcome::Draw, termination));
        if self.position.legal_moves().is_empty() {
            if self.position.is_check() {
                return Some((Outcome::win(self.turn().other()), Termination::Checkmate));
            }
            return draw(Termination::Stalemate);
        }
        if self.position.is_insufficient_material() {
            return draw(Termination::InsufficientMaterial);
        }
        let claimed = match ends.claims {
            Claims::Automatic => self.stands(),
            Claims::Claimable => self.could_be_claimed(),
        };
        if let Some(termination) = claimed {
            return draw(termination);
        }
        if ends.max_plies.is_some_and(|cap| self.counted(ends.plies_from) >= cap) {
            return draw(Termination::MoveCap);
        }
        None
    }

    /// The rule by which the position is drawn as it stands.
    fn stands(&self) -> Option<Termination> {
        match self.is_third_time() {
            true => Some(Termination::ThreefoldRepetition),
            false => (self.position.halfmoves() >= FIFTY_MOVES).then_some(Termination::FiftyMoveRule),
        }
    }

    /// The rule by which the side to move could claim a draw. As in python-chess the fifty moves come first, and a
    /// move that mates or stalemates does not complete them.
    fn could_be_claimed(&self) -> Option<Termination> {
        let halfmoves = self.position.halfmoves();
        let by_next = |is_drawn: &dyn Fn(&Chess) -> bool| {
            let mut quiet = self
                .position
                .legal_moves()
                .into_iter()
                .filter(|next| !next.is_zeroing());
            quiet.any(|next| {
                let mut then = self.position.clone();
                then.play_unchecked(next);
                is_drawn(&then)
            })
        };
        let goes_on = |then: &Chess| !then.legal_moves().is_empty();
        if halfmoves >= FIFTY_MOVES || halfmoves == FIFTY_MOVES - 1 && by_next(&goes_on) {
            return Some(Termination::FiftyMoveRule);
        }
        // After the next move these positions may occur once more.
        let mut twice: Vec<Zobrist128> = self.since_zeroing.iter().rev().skip(1).step_by(2).copied().collect();
        twice.sort_unstable_by_key(|hash| hash.0);
        let mut twice: Vec<Zobrist128> = twice
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice.dedup();
        let is_third = |then: &Chess| twice.contains(&hash(then));
        (self.is_third_time() || !twice.is_empty() && by_next(&is_third)).then_some(Termination::ThreefoldRepetition)
    }

    /// "At least the third time" the same position, the same player to move (9.2); only every second position can be
    /// the same.
    fn is_third_time(&self) -> bool {
        let Some((now, before)) = self.since_zeroing.split_last() else {
            return false;
        };
        before
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|hash| *hash == now)
            .count()
            >= 2
    }
}

/// En passant counts only if the capture is legal (9.2.3.1).
fn hash(position: &Chess) -> Zobrist128 {
    position.zobrist_hash(EnPassantMode::Legal)
}
