//! How busy a machine was during a night, and whether the night's games can be trusted as fair.
//!
//! May not: measure anything.

use serde::{Deserialize, Serialize};

/// Shares are in thousandths.
const WHOLE: u64 = 1000;
/// The night is noisy if other machines on the same host took more of the processors' time than this.
const MOST_STEAL: u64 = 20;
/// The night is noisy if a processor is slower than usual by more than this.
const MOST_SLOWER: u64 = 100;
/// The night is noisy if more of the cores than this were busy before the first game.
const MOST_LOAD: u64 = 500;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noise {
    /// Work done in a second of processor time before the first game, in units of the reference bench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// Like `before`, but while games were played: the median of all samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during: Option<u64>,
    /// Time that other machines took from the processors while games were played, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal: Option<u64>,
    /// Running processes per core before the first game, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<u64>,
    /// The machine is shared with others, as hosted runners are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
}

/// Why a night is not compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noisy {
    /// Other machines took processor time.
    Steal(u64),
    /// Something else was running before it began.
    Load(u64),
    /// It was slower during the games than before them.
    SlowedDown(u64),
    /// It was slower, or faster, than on the nights before.
    Other {
        /// In thousandths.
        by: u64,
        is_slower: bool,
    },
}

impl Noise {
    /// The reasons against comparing a night with others; `usual` is the median of [`Noise::before`] over earlier
    /// nights of this machine class.
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

fn share(part: u64, whole: u64) -> u64 {
    (part * WHOLE).checked_div(whole).unwrap_or_default()
}

impl Noisy {
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
