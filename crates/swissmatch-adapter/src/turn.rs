//! A turn of a player: the question, the number of the attempt, the result.
//!
//! May not: know how a player is asked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;
use swissmatch_game::uci;

use crate::go::Go;
use crate::position::UciPosition;

/// The longest word that is passed on as a move, in bytes.
const LONGEST: usize = 16;
/// Sent if no move can be read.
const NO_MOVE: &str = "(none)";

/// Why an attempt gave no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A move that is not legal.
    Illegal,
    /// Text that is not a move.
    Unparsable,
    /// An empty answer.
    Empty,
    /// The answer ends before its move.
    Truncated,
    /// The model refused to answer.
    Refused,
    /// The answer came too late, or had to be stopped.
    Late,
    /// The service did not answer.
    Transport,
    /// The service cannot be used as the event describes it.
    Configuration,
}

words!(Failure {
    Illegal => "illegal",
    Unparsable => "unparsable",
    Empty => "empty",
    Truncated => "truncated",
    Refused => "refused",
    Late => "late",
    Transport => "transport",
    Configuration => "configuration",
});

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptFailure {
    pub failure: Failure,
    /// The player's answer, if it is one short word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The broker's reason, for readers of the evidence.
    #[serde(skip)]
    pub why: Option<String>,
}

impl AttemptFailure {
    pub(crate) const fn without_answer(failure: Failure) -> Self {
        Self {
            failure,
            answer: None,
            why: None,
        }
    }

    /// A failure with the word that should have been a move, if it is short.
    pub(crate) fn of_word(failure: Failure, word: &str) -> Self {
        let is_one_word = (1..=LONGEST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_graphic());
        let answer = is_one_word.then(|| word.to_owned());
        Self {
            failure,
            answer,
            why: None,
        }
    }
}

/// A move that is asked for.
#[derive(Debug)]
pub struct Turn<'a> {
    pub placed: &'a Arc<UciPosition>,
    pub go: &'a Go,
    /// The number of the attempt at this move, from 1.
    pub attempt: u32,
    /// The failure of the attempt before.
    pub last: Option<&'a AttemptFailure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerAnswer {
    /// A legal move, in UCI notation.
    Move(String),
    /// The player resigns.
    Resign,
    /// There is no move.
    No(AttemptFailure),
}

impl PlayerAnswer {
    /// Reads a word as a move or a resignation.
    pub(crate) fn of_word(word: &str, placed: &UciPosition) -> Self {
        match word.eq_ignore_ascii_case(uci::RESIGN) {
            true => Self::Resign,
            false => Self::of_move(word, placed),
        }
    }

    /// Reads a word as a move in UCI notation.
    pub(crate) fn of_move(word: &str, placed: &UciPosition) -> Self {
        let Some(written) = uci::read_move(word.as_bytes()) else {
            return Self::No(AttemptFailure::of_word(Failure::Unparsable, word));
        };
        match placed.board().legal(&written) {
            Some(legal) => Self::Move(placed.board().uci(legal).to_string()),
            None => Self::No(AttemptFailure::of_word(Failure::Illegal, word)),
        }
    }

    /// The text after `bestmove`: the player's own word if it is one, so that its record shows its answer.
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Move(word) => word,
            Self::Resign => uci::RESIGN,
            Self::No(failed) => failed.answer.as_deref().unwrap_or(NO_MOVE),
        }
    }
}
