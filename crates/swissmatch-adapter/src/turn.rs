//! A turn of a player: what is asked, which attempt it is, what came of it.
//!
//! May not: know how a player is asked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;
use swissmatch_game::uci;

use crate::go::Go;
use crate::position::UciPosition;

/// Longest word that is passed on as a move, in bytes.
const LONGEST: usize = 16;
/// What is said where no move can be read.
const NO_MOVE: &str = "(none)";

/// Why an attempt gave no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A move that is not legal.
    Illegal,
    /// Something that is no move.
    Unparsable,
    /// Nothing.
    Empty,
    /// It ends before its move.
    Truncated,
    /// The model refused.
    Refused,
    /// It came too late, or had to be stopped.
    Late,
    /// The service did not answer.
    Transport,
    /// The service is not to be had as the event has it.
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

/// An attempt that gave no move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptFailure {
    /// Why.
    pub failure: Failure,
    /// What the player answered, as far as it is one short word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the broker says of it, for whoever reads the evidence.
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

    /// With a word that was to be a move, where it is short.
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
    /// The position.
    pub placed: &'a Arc<UciPosition>,
    /// What bounds it.
    pub go: &'a Go,
    /// Which attempt at this move it is, from 1.
    pub attempt: u32,
    /// What came of the attempt before.
    pub last: Option<&'a AttemptFailure>,
}

/// What a player answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerAnswer {
    /// A legal move, in UCI notation.
    Move(String),
    /// It gives up.
    Resign,
    /// No move.
    No(AttemptFailure),
}

impl PlayerAnswer {
    /// A word that is to be a move, or to give up.
    pub(crate) fn of_word(word: &str, placed: &UciPosition) -> Self {
        match word.eq_ignore_ascii_case(uci::RESIGN) {
            true => Self::Resign,
            false => Self::of_move(word, placed),
        }
    }

    /// A word that is to be a move in UCI notation.
    pub(crate) fn of_move(word: &str, placed: &UciPosition) -> Self {
        let Some(written) = uci::read_move(word.as_bytes()) else {
            return Self::No(AttemptFailure::of_word(Failure::Unparsable, word));
        };
        match placed.board().legal(&written) {
            Some(legal) => Self::Move(placed.board().uci(legal).to_string()),
            None => Self::No(AttemptFailure::of_word(Failure::Illegal, word)),
        }
    }

    /// What stands after `bestmove`: the player's own word where it is one, so that its record shows what it answered.
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Move(word) => word,
            Self::Resign => uci::RESIGN,
            Self::No(failed) => failed.answer.as_deref().unwrap_or(NO_MOVE),
        }
    }
}
