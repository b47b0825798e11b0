//! Failed attempts at a move.
//!
//! May not: say what they cost; `game::play` counts them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Side;
use crate::doubt::Doubt;
use crate::notation::MeantMove;

/// How a failed attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptEnd {
    /// The answer came after the limit, but before the grace after `stop` was over.
    Late,
    /// Nothing came within the limit and the grace: the engine was killed.
    Silent,
    /// The engine was not in step for this attempt in time, after one that failed, and was killed.
    OutOfStep,
    /// The process had been killed, and a new one was not ready for this attempt in time.
    SlowStart,
    /// A move that is not legal, as the engine gave it (shortened).
    Illegal(String),
    /// No move at all; the text that was given (shortened).
    Unparsable(String),
    /// A model, or a service, gave an empty answer.
    Empty,
    /// An answer or prompt longer than allowed, with no move before that.
    Truncated,
    /// A model, or a filter of its service, refused to answer.
    Refused,
}

impl AttemptEnd {
    /// True if too much time was taken; otherwise the answer was not a legal move.
    pub const fn is_overrun(&self) -> bool {
        match self {
            Self::Late | Self::Silent | Self::OutOfStep | Self::SlowStart => true,
            Self::Illegal(_) | Self::Unparsable(_) | Self::Empty | Self::Truncated | Self::Refused => false,
        }
    }

    /// The word for it in records, in all JSON and in tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Silent => "silent",
            Self::OutOfStep => "out-of-step",
            Self::SlowStart => "slow-start",
            Self::Illegal(_) => "illegal",
            Self::Unparsable(_) => "unparsable",
            Self::Empty => "empty",
            Self::Truncated => "truncated",
            Self::Refused => "refused",
        }
    }

    /// The text given in place of a legal move, if any.
    pub fn said(&self) -> Option<&str> {
        match self {
            Self::Illegal(said) | Self::Unparsable(said) => Some(said),
            _ => None,
        }
    }

    pub const fn is_killed(&self) -> bool {
        matches!(self, Self::Silent | Self::OutOfStep | Self::SlowStart)
    }
}

impl fmt::Display for AttemptEnd {
    /// As the end of a sentence that quotes the engine's text unchanged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => f.write_str("answered too late"),
            Self::Silent => f.write_str("no answer, not even after `stop`; the engine was killed"),
            Self::OutOfStep => f.write_str(
                "not back in step with the runner in time after the previous attempt; the engine was killed",
            ),
            Self::SlowStart => f.write_str("its new process was not ready in time; it was killed"),
            Self::Illegal(said) => write!(f, "answered \"{said}\", which is not legal"),
            Self::Unparsable(said) => write!(f, "answered \"{said}\", which is not a move"),
            Self::Empty => f.write_str("answered nothing"),
            Self::Truncated => f.write_str("answered no move before the answer was cut off at its limit of tokens"),
            Self::Refused => f.write_str("refused to answer"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// The ply of the game (from 0) that was asked for.
    pub ply: u32,
    pub side: Side,
    /// The number of the attempt at that ply, from 1.
    pub attempt: u32,
    /// From `go` written to `bestmove` read, or to the end of the grace, in microseconds; for an attempt that was
    /// never asked for, the time taken to get ready for it.
    pub time_us: u64,
    pub end: AttemptEnd,
    /// As [`GameRecord::wakeup_us`], for the answer that failed; part of `time_us`. `None` without an answer, or if
    /// not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wakeup_us: Option<u64>,
    /// For a side that is asked over the network: the service's part of the time until the answer that failed, in
    /// microseconds; not in `time_us`. `None` if there is none, or no answer; then `doubt` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_us: Option<u64>,
    /// The time after it until the engine, or a new process of it, was ready to be asked again, in microseconds;
    /// `None` if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_us: Option<u64>,
    /// What the machine was found to have taken of `time_us`, if that was looked into; it was not enough to excuse
    /// the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// The legal move that the answer names in a notation other than that of UCI, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<MeantMove>,
}

impl FailedAttempt {
    /// How it ended, as the end of a sentence that quotes the engine's text unchanged.
    pub fn ended(&self) -> String {
        format!("{}{}", self.end, self.meant_in_words())
    }

    /// The legal move that was meant, in words that follow the text given: `: a promotion …`. Empty if not known.
    pub fn meant_in_words(&self) -> String {
        self.meant
            .as_ref()
            .map_or_else(String::new, |meant| format!(": {meant}"))
    }
}
