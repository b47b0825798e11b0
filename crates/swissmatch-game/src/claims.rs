//! What engines said of their moves, checked against the rules of chess: warnings, which decide nothing.
//!
//! A variation may be cut short anywhere (hash tables do that) and may go on through repetitions and after fifty
//! moves: a program need not see them. So only what cannot be true gives a warning. May not: change a result; trust a
//! record.

use shakmaty::Position;
use shakmaty::uci::UciMove;
use swiss_system::count;

use super::Side;
use super::eval::Eval;
use super::opening::OpeningError;
use super::record::GameRecord;
use super::rules::Board;

/// A warning about a statement that cannot be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The ply of the game, from 0, not counting the opening.
    pub ply: u32,
    pub side: Side,
    /// The move number, counted as in a FEN.
    pub move_number: u32,
    pub played: String,
    /// The position before the move.
    pub fen: String,
    /// The evaluation given with the move.
    pub eval: Option<Eval>,
    /// The variation given with the move, untrusted.
    pub variation: String,
    pub claim: FalseClaimError,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FalseClaimError {
    /// A move of the variation is not legal.
    #[error("move {number} of the variation, {said}, is not legal")]
    IllegalMove {
        /// The move's place in the variation, from 1.
        number: usize,
        said: String,
    },
    /// The variation goes on after a mate or a stalemate.
    #[error("the variation goes on after move {number}, which ends the game")]
    PastEnd {
        /// The last move that could be played, from 1.
        number: usize,
    },
    /// The variation begins with another move than the one played.
    #[error("the variation begins with a different move from the one played")]
    OtherMove,
    /// "Mate in 0", although the side to move is not mated.
    #[error("mate in 0 is claimed in a position with legal moves")]
    MateInZero,
    /// The variation is long enough for the mate claimed, or ends the game, but does not mate.
    #[error("mate in {claimed} is claimed, but the variation of {} does not end in it", count::of(*plies, "ply", "plies"))]
    NoMate {
        /// A number of moves; negative if the side that said it is mated.
        claimed: i32,
        plies: usize,
    },
    /// The variation ends in mate, but not in the one claimed.
    #[error("mate in {claimed} is claimed, but the variation mates at ply {plies} of it")]
    OtherMate {
        /// A number of moves; negative if the side that said it is mated.
        claimed: i32,
        plies: usize,
    },
    /// A field is not a number of its kind, or not one that can be held.
    #[error("`{field}` is followed by `{said}`")]
    NoNumber {
        field: String,
        /// The text in place of its value, made harmless.
        said: String,
    },
    /// More than a thousand thousandths of the hash table are full.
    #[error("hashfull {0} is more than 1000 thousandths")]
    Overfull(u32),
}

impl FalseClaimError {
    /// A word for each kind, as data has it; for people the words are the same, with blanks.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::IllegalMove { .. } => "illegal-move-in-a-variation",
            Self::PastEnd { .. } => "variation-past-the-end",
            Self::OtherMove => "variation-of-another-move",
            Self::MateInZero => "mate-in-none",
            Self::NoMate { .. } => "mate-not-in-the-variation",
            Self::OtherMate { .. } => "mate-of-another-length",
            Self::NoNumber { .. } => "no-number",
            Self::Overfull(_) => "hash-table-overfull",
        }
    }
}

/// Checks everything that a record says the engines said.
///
/// # Errors
/// When the opening or a move of the game is not legal.
pub fn warnings(record: &GameRecord) -> Result<Vec<Warning>, OpeningError> {
    let mut board = Board::new(&record.opening)?;
    let mut found = Vec::new();
    for (ply, text) in (0_u32..).zip(record.moves.split_ascii_whitespace()) {
        let played = text.parse().ok().and_then(|uci: UciMove| board.legal(&uci));
        let played = played.ok_or_else(|| OpeningError::Move(super::uci::kept(text.as_bytes())))?;
        let at = ply as usize;
        let variation = record.pv.of_ply(at);
        let eval = record.eval.get(at).copied().flatten();
        let mut claims = Vec::new();
        if !variation.is_empty() {
            let is_bound = record.eval_bounds.contains(&ply);
            claims.extend(of_variation(&board, variation, &played, eval.filter(|_| !is_bound)));
        }
        if eval == Some(Eval::Mate(0)) {
            claims.push(FalseClaimError::MateInZero);
        }
        if let Some(full) = record.hashfull.get(at).copied().flatten().filter(|full| *full > 1000) {
            claims.push(FalseClaimError::Overfull(full));
        }
        claims.extend(
            record
                .odd_info
                .iter()
                .filter(|odd| odd.ply == ply)
                .map(|odd| FalseClaimError::NoNumber {
                    field: super::uci::kept(odd.field.as_bytes()),
                    said: super::uci::kept(odd.said.as_bytes()),
                }),
        );
        if !claims.is_empty() {
            let fen = board.fen();
            found.extend(claims.into_iter().map(|claim| Warning {
                ply,
                side: board.turn(),
                move_number: board.position().fullmoves().get(),
                played: text.to_owned(),
                fen: fen.clone(),
                eval,
                variation: variation.to_owned(),
                claim,
            }));
        }
        board.play(played);
    }
    Ok(found)
}

/// Finds what is wrong with a variation; `eval` is the evaluation given with it, if that is exact.
fn of_variation(
    board: &Board,
    variation: &str,
    played: &shakmaty::Move,
    eval: Option<Eval>,
) -> impl Iterator<Item = FalseClaimError> {
    let mut position = board.position().clone();
    let mut plies = 0;
    let mut broken = None;
    let mut of_first = None;
    for said in variation.split_ascii_whitespace() {
        let legal = said.parse().ok().and_then(|uci: UciMove| uci.to_move(&position).ok());
        let Some(legal) = legal else {
            broken = Some(if position.legal_moves().is_empty() {
                FalseClaimError::PastEnd { number: plies }
            } else {
                FalseClaimError::IllegalMove {
                    number: plies + 1,
                    said: super::uci::kept(said.as_bytes()),
                }
            });
            break;
        };
        if plies == 0 && legal != *played {
            of_first = Some(FalseClaimError::OtherMove);
        }
        position.play_unchecked(legal);
        plies += 1;
    }
    let of_mate = match eval {
        Some(Eval::Mate(claimed)) if broken.is_none() && claimed != 0 => {
            of_mate(claimed, plies, position.is_checkmate(), position.is_stalemate())
        }
        _ => None,
    };
    [of_first, broken, of_mate].into_iter().flatten()
}

/// Checks a claimed mate: mate in N moves is at ply 2N - 1 of the variation, being mated in N at ply 2N.
fn of_mate(claimed: i32, plies: usize, is_mate: bool, is_stalemate: bool) -> Option<FalseClaimError> {
    let moves = u64::from(claimed.unsigned_abs());
    let expected = if claimed > 0 { 2 * moves - 1 } else { 2 * moves };
    let is_long_enough = plies as u64 >= expected;
    match (is_mate, plies as u64 == expected) {
        (true, true) => None,
        (true, false) => Some(FalseClaimError::OtherMate { claimed, plies }),
        (false, _) if is_long_enough || is_stalemate => Some(FalseClaimError::NoMate { claimed, plies }),
        (false, _) => None,
    }
}
