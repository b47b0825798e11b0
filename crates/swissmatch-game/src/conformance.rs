//! Findings of an agent check, step by step.
//!
//! May not: talk to an agent; know how a finding is shown.

use serde::{Deserialize, Serialize};

use super::record::EngineEnd;

/// A step of a check, in the order in which the steps are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStep {
    /// `uci` → `uciok`
    Handshake,
    /// The options that the agent declares, and those that are set.
    Options,
    /// `isready` → `readyok`, both while idle and during a search.
    IsReady,
    /// `go infinite`, `stop`
    Stop,
    /// `quit`
    Quit,
    /// Two calls to the service of a player that is asked over the network.
    Service,
    /// Legal moves in positions of every kind.
    Positions,
    /// Moves within the limit.
    TimeKeeping,
    /// The same search, run twice.
    Determinism,
    /// A game against itself.
    SelfPlay,
    /// The memory that the agent's processes use.
    Memory,
    /// Games against a baseline.
    Qualification,
}

impl CheckStep {
    pub const ALL: [Self; 12] = [
        Self::Handshake,
        Self::Options,
        Self::IsReady,
        Self::Stop,
        Self::Quit,
        Self::Service,
        Self::Positions,
        Self::TimeKeeping,
        Self::Determinism,
        Self::SelfPlay,
        Self::Memory,
        Self::Qualification,
    ];

    /// The step's name, for people and for other programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Options => "options",
            Self::IsReady => "is-ready",
            Self::Positions => "positions",
            Self::Stop => "stop",
            Self::Quit => "quit",
            Self::Service => "service",
            Self::TimeKeeping => "time-keeping",
            Self::Determinism => "determinism",
            Self::SelfPlay => "self-play",
            Self::Memory => "memory",
            Self::Qualification => "qualification",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Pass,
    /// Not asked, because the event never asks for it.
    LeftOut,
    /// Good enough to play, but not right.
    Warn,
    /// Not tried: an earlier step failed, the machine could not do it, or nobody asked for it.
    NotReached,
    /// Not good enough to play.
    Fail,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub step: CheckStep,
    pub status: Status,
    /// What was seen, in one line.
    pub seen: String,
    /// The last lines that the agent wrote, made harmless.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    pub took_ms: u64,
}

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    pub status: Status,
    /// What was seen, in one line.
    pub seen: String,
    /// The lines that show it, made harmless.
    pub evidence: Vec<String>,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl StepReport {
    pub fn pass(seen: impl Into<String>) -> Self {
        Self {
            status: Status::Pass,
            seen: seen.into(),
            evidence: Vec::new(),
            remedy: None,
        }
    }

    pub fn left_out(why: impl Into<String>) -> Self {
        Self {
            status: Status::LeftOut,
            ..Self::pass(why)
        }
    }

    pub fn warn(seen: impl Into<String>, remedy: &str) -> Self {
        Self {
            status: Status::Warn,
            remedy: Some(remedy.to_owned()),
            ..Self::pass(seen)
        }
    }

    pub fn fail(seen: impl Into<String>, remedy: &str) -> Self {
        Self {
            status: Status::Fail,
            ..Self::warn(seen, remedy)
        }
    }

    pub fn not_reached(seen: impl Into<String>) -> Self {
        Self {
            status: Status::NotReached,
            ..Self::pass(seen)
        }
    }

    /// Adds evidence.
    #[must_use]
    pub fn with(self, evidence: Vec<String>) -> Self {
        Self { evidence, ..self }
    }
}

/// Says how a process ended, as words that follow "it".
pub fn gone(end: EngineEnd) -> String {
    match end {
        EngineEnd::Exited(code) => format!("ended with exit code {code}"),
        EngineEnd::Signalled(signal) => format!("was killed by signal {signal}"),
        EngineEnd::ClosedPipe => "closed its input or output".to_owned(),
        EngineEnd::KeeperLost => "was lost with its keeper".to_owned(),
        EngineEnd::OverLimit(overuse) => format!("{overuse}, and was ended"),
    }
}

/// The overall result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    Passed,
    /// No step failed, but some warned.
    Warned,
    /// The machine kept the check from being finished.
    Inconclusive,
    /// At least one step failed.
    Failed,
}

impl CheckVerdict {
    /// Sums up the findings; `trouble` is true if the machine could not do a step.
    pub fn from_findings(findings: &[Finding], trouble: bool) -> Self {
        let worst = findings.iter().map(|finding| finding.status).max();
        match worst {
            Some(Status::Fail) => Self::Failed,
            _ if trouble => Self::Inconclusive,
            _ if findings.iter().any(|finding| finding.status == Status::Warn) => Self::Warned,
            _ => Self::Passed,
        }
    }

    pub const fn is_passed(self) -> bool {
        matches!(self, Self::Passed | Self::Warned)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warned => "warned",
            Self::Inconclusive => "inconclusive",
            Self::Failed => "failed",
        }
    }
}

/// What an agent said before its first move, and how it came to that move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstMoveReport {
    /// What the agent said about itself, harmless and short; each line once.
    pub lines: Vec<String>,
    /// The first move; `None` if the agent made none.
    pub first_move: Option<String>,
    pub took_us: u64,
    /// Why there is no first move.
    pub failure: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(status: Status) -> Finding {
        Finding {
            step: CheckStep::Stop,
            status,
            seen: String::new(),
            evidence: Vec::new(),
            remedy: None,
            took_ms: 0,
        }
    }

    #[test]
    fn the_worst_finding_decides_and_a_fault_outweighs_trouble() {
        use Status::{Fail, LeftOut, NotReached, Pass, Warn};
        for (found, trouble, verdict) in [
            (&[Pass, Pass][..], false, CheckVerdict::Passed),
            (&[Pass, LeftOut], false, CheckVerdict::Passed),
            (&[Pass, Warn], false, CheckVerdict::Warned),
            (&[Pass, Warn, NotReached], false, CheckVerdict::Warned),
            (&[Pass, NotReached], true, CheckVerdict::Inconclusive),
            (&[Warn, Fail, NotReached], true, CheckVerdict::Failed),
        ] {
            let findings: Vec<Finding> = found.iter().map(|status| finding(*status)).collect();
            assert_eq!(CheckVerdict::from_findings(&findings, trouble), verdict, "{found:?}");
        }
    }
}
