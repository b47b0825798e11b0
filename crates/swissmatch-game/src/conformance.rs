//! What a check of an agent found, step by step.
//!
//! May not: talk to an agent; know how a finding is shown.

use serde::{Deserialize, Serialize};

use super::record::EngineEnd;

/// A step of a check, in the order in which they are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStep {
    /// `uci` → `uciok`
    Handshake,
    /// What it declares, and what is set.
    Options,
    /// `isready` → `readyok`, idle and while it searches.
    IsReady,
    /// `go infinite`, `stop`
    Stop,
    /// `quit`
    Quit,
    /// Two calls to the service of a player that is asked over the network.
    Service,
    /// A legal move in positions of every kind.
    Positions,
    /// Moves within their limit.
    TimeKeeping,
    /// The same search twice.
    Determinism,
    /// A game against itself.
    SelfPlay,
    /// Memory of its processes.
    Memory,
    /// Games against a baseline.
    Qualification,
}

impl CheckStep {
    /// All of them.
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

    /// Its name, for people and other programs.
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

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As it should be.
    Pass,
    /// Not asked, because the event never asks for it.
    LeftOut,
    /// Playable, and yet not as it should be.
    Warn,
    /// Not tried: an earlier step failed, the machine could not, or nobody asked for it.
    NotReached,
    /// Not as an agent has to be.
    Fail,
}

/// What a step found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Which step.
    pub step: CheckStep,
    /// How it ended.
    pub status: Status,
    /// What was seen, in one line.
    pub seen: String,
    /// What shows it: the last lines of what was said, made harmless.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// How long the step took, in milliseconds.
    pub took_ms: u64,
}

/// What a step saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    /// How it ended.
    pub status: Status,
    /// What was seen, in one line.
    pub seen: String,
    /// What shows it, made harmless.
    pub evidence: Vec<String>,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl StepReport {
    /// As it should be.
    pub fn pass(seen: impl Into<String>) -> Self {
        Self {
            status: Status::Pass,
            seen: seen.into(),
            evidence: Vec::new(),
            remedy: None,
        }
    }

    /// Not asked, for this reason.
    pub fn left_out(why: impl Into<String>) -> Self {
        Self {
            status: Status::LeftOut,
            ..Self::pass(why)
        }
    }

    /// Playable, and yet not as it should be.
    pub fn warn(seen: impl Into<String>, remedy: &str) -> Self {
        Self {
            status: Status::Warn,
            remedy: Some(remedy.to_owned()),
            ..Self::pass(seen)
        }
    }

    /// Not as an agent has to be.
    pub fn fail(seen: impl Into<String>, remedy: &str) -> Self {
        Self {
            status: Status::Fail,
            ..Self::warn(seen, remedy)
        }
    }

    /// Not tried.
    pub fn not_reached(seen: impl Into<String>) -> Self {
        Self {
            status: Status::NotReached,
            ..Self::pass(seen)
        }
    }

    /// The same, shown by this.
    #[must_use]
    pub fn with(self, evidence: Vec<String>) -> Self {
        Self { evidence, ..self }
    }
}

/// How a process went, after "it".
pub fn gone(end: EngineEnd) -> String {
    match end {
        EngineEnd::Exited(code) => format!("ended with exit code {code}"),
        EngineEnd::Signalled(signal) => format!("was killed by signal {signal}"),
        EngineEnd::ClosedPipe => "closed its input or output".to_owned(),
        EngineEnd::KeeperLost => "was lost with its keeper".to_owned(),
        EngineEnd::OverLimit(overuse) => format!("{overuse}, and was ended"),
    }
}

/// What a check comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// Every step passed.
    Passed,
    /// None failed, some warned.
    Warned,
    /// The machine kept the check from ending.
    Inconclusive,
    /// A step failed.
    Failed,
}

impl CheckVerdict {
    /// What these findings come to; `trouble` says that the machine could not.
    pub fn from_findings(findings: &[Finding], trouble: bool) -> Self {
        let worst = findings.iter().map(|finding| finding.status).max();
        match worst {
            Some(Status::Fail) => Self::Failed,
            _ if trouble => Self::Inconclusive,
            _ if findings.iter().any(|finding| finding.status == Status::Warn) => Self::Warned,
            _ => Self::Passed,
        }
    }

    /// Whether the agent may play.
    pub const fn is_passed(self) -> bool {
        matches!(self, Self::Passed | Self::Warned)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warned => "warned",
            Self::Inconclusive => "inconclusive",
            Self::Failed => "failed",
        }
    }
}

/// What an agent said until its first move, and how it made that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstMoveReport {
    /// What it said of itself, harmless and short: each line once.
    pub lines: Vec<String>,
    /// Its first move; `None`: it made none.
    pub first_move: Option<String>,
    /// How long that took, in microseconds.
    pub took_us: u64,
    /// Why it made none.
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
