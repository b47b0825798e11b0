//! What the machine was busy with in a night, and whether its games can be trusted to be fair.
//!
//! May not: measure anything.

use serde::{Deserialize, Serialize};

/// Shares are in thousandths.
const WHOLE: u64 = 1000;
/// More of the processors' time than this was taken by other machines on the same host.
const MOST_STEAL: u64 = 20;
/// A processor that is slower than usual by more than this is not what it was.
const MOST_SLOWER: u64 = 100;
/// More of the cores than this were busy before anything was played.
const MOST_LOAD: u64 = 500;

/// What was measured of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noise {
    /// Work done in a second of processor time before the first game, in units of the reference bench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// The same while games were played: the median of all looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during: Option<u64>,
    /// Time that the processors were taken away from this machine while games were played, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal: Option<u64>,
    /// Processes that were running before the first game for each core, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<u64>,
    /// Whether a machine of others was seen: a shared runner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
}

/// Why a night is not compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noisy {
    /// The processors were taken away.
    Steal(u64),
    /// Something else was at work before it began.
    Load(u64),
    /// It was slower while games were played than before them.
    SlowedDown(u64),
    /// It was slower than in the nights before, or faster.
    Other {
        /// By how much, in thousandths.
        by: u64,
        /// Whether it was slower.
        is_slower: bool,
    },
}

impl Noise {
    /// What speaks against comparing a night with others; `usual` is the median of [`Noise::before`] of the nights of this class
    /// before.
    pub fn noisy(&self, usual: Option<u64>) -> Vec<Noisy> {
        let mut found = Vec::new();
        if let Some(steal) = self.steal.filter(|steal| *steal > MOST_STEAL) {
            found.push(Noisy::Steal(steal));
        }
        if let Some(load) = self.load.filter(|load| *load > MOST_LOAD) {
            found.push(Noisy::Load(load));
        }
        if let (Some(before), Some(during)) = (self.before, self.during) {
            let slower = share(before.saturating_sub(during), before);
            if slower > MOST_SLOWER {
                found.push(Noisy::SlowedDown(slower));
            }
        }
        if let (Some(usual), Some(before)) = (usual, self.before) {
            let by = share(usual.abs_diff(before), usual);
            if by > MOST_SLOWER {
                let is_slower = before < usual;
                found.push(Noisy::Other { by, is_slower });
            }
        }
        found
    }
}

/// In thousandths.
fn share(part: u64, whole: u64) -> u64 {
    (part * WHOLE).checked_div(whole).unwrap_or_default()
}

impl Noisy {
    /// As a sentence.
    pub fn sentence(&self) -> String {
        let percent = |share: u64| format!("{}.{} %", share / 10, share % 10);
        match self {
            Self::Steal(share) => format!(
                "{} of the processors' time went to other machines on the same host",
                percent(*share)
            ),
            Self::Load(load) => {
                let load = format!("{}.{}", load / WHOLE, load % WHOLE / 100);
                format!("something else was at work before the first game (load {load} for each core)")
            }
            Self::SlowedDown(by) => format!(
                "the processor was {} slower while games were played than before",
                percent(*by)
            ),
            Self::Other { by, is_slower } => {
                let how = if *is_slower { "slower" } else { "faster" };
                format!("the processor was {} {how} than in the nights before", percent(*by))
            }
        }
    }
}
