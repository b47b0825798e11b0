//! Attempts at a move that gave none.
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
    /// Over the limit, then answered (too late) before the grace after `stop` was over.
    Late,
    /// Over the limit and silent past the grace: the engine was killed.
    Silent,
    /// It was not in step for this attempt in time, after one that failed, and was killed.
    OutOfStep,
    /// Its process had been killed, and a new one was not ready for this attempt in time.
    SlowStart,
    /// A move that is not legal, as said (shortened).
    Illegal(String),
    /// No move at all, as said (shortened).
    Unparsable(String),
    /// A model, or a service, that said nothing.
    Empty,
    /// An answer, or a prompt, longer than it may be, and no move before that.
    Truncated,
    /// A model, or a filter of its service, that refused.
    Refused,
}

impl AttemptEnd {
    /// Whether too much time was taken; else the answer was no legal move.
    pub const fn is_overrun(&self) -> bool {
        match self {
            Self::Late | Self::Silent | Self::OutOfStep | Self::SlowStart => true,
            Self::Illegal(_) | Self::Unparsable(_) | Self::Empty | Self::Truncated | Self::Refused => false,
        }
    }

    /// Its word: in records, in all JSON and in tables.
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

    /// What was said in place of a legal move, where something was.
    pub fn said(&self) -> Option<&str> {
        match self {
            Self::Illegal(said) | Self::Unparsable(said) => Some(said),
            _ => None,
        }
    }

    /// Whether the process had to be killed.
    pub const fn is_killed(&self) -> bool {
        matches!(self, Self::Silent | Self::OutOfStep | Self::SlowStart)
    }
}

impl fmt::Display for AttemptEnd {
    /// As the end of a sentence; what the engine said stands in it as it said it.
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

/// An attempt at a move that did not give one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// Ply of the game (from 0) that was asked for.
    pub ply: u32,
    /// Who was asked.
    pub side: Side,
    /// Which attempt at that ply, from 1.
    pub attempt: u32,
    /// From `go` written to `bestmove` read, or to the end of the grace, in microseconds; of an attempt that was never asked
    /// for, what it took to get ready for it.
    pub time_us: u64,
    /// How it ended.
    pub end: AttemptEnd,
    /// As [`GameRecord::wakeup_us`], for the answer that failed; part of `time_us`. `None`: no answer, or not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wakeup_us: Option<u64>,
    /// Of a side that is asked over the network: how much of the time until the answer that failed was not its own but the service's, in
    /// microseconds; no part of `time_us`. `None`: none, or no answer, whose `doubt` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_us: Option<u64>,
    /// How long it then took until the engine, or a new process of it, was ready to be asked again, in microseconds; `None`:
    /// it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_us: Option<u64>,
    /// What the machine was found to have taken of `time_us`, where that was looked into; it did not excuse it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// The legal move that the answer names in another notation than that of UCI, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<MeantMove>,
}

impl FailedAttempt {
    /// How it ended, as the end of a sentence; what the engine said stands in it as it said it.
    pub fn ended(&self) -> String {
        format!("{}{}", self.end, self.meant_in_words())
    }

    /// What was meant, after what was said: `: a promotion …`. Empty where that is not known.
    pub fn meant_in_words(&self) -> String {
        self.meant
            .as_ref()
            .map_or_else(String::new, |meant| format!(": {meant}"))
    }
}
