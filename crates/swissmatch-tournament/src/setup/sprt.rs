//! `[sprt]`: a test that ends a match of two players.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_stats::sprt::{Decimal, Sprt, SprtModel, Units};

/// What happens to games that ended by an agent's fault, `sprt.faults`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faulty {
    /// `"count"`: they count like any others.
    #[default]
    Count,
    /// `"leave-out"`: they and their pairs are left out.
    LeaveOut,
}

words!(Faulty {
    Count => "count",
    LeaveOut => "leave-out",
});

/// `[sprt]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SprtKeys {
    /// The Elo difference of H0; `None` means that nothing is tested.
    pub elo0: Option<Decimal>,
    /// The Elo difference of H1.
    pub elo1: Option<Decimal>,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: Decimal,
    /// The probability of accepting H0 if H1 is true.
    pub beta: Decimal,
    /// The meaning of the difference.
    pub model: SprtModel,
    /// What is counted.
    pub counts: Units,
    /// What happens to games that ended by a fault.
    pub faults: Faulty,
    /// Whether the test uses the number of games in the match.
    pub truncated: bool,
}

impl Default for SprtKeys {
    fn default() -> Self {
        Self {
            elo0: None,
            elo1: None,
            alpha: Decimal::from_millionths(50_000),
            beta: Decimal::from_millionths(50_000),
            model: SprtModel::default(),
            counts: Units::default(),
            faults: Faulty::default(),
            truncated: false,
        }
    }
}

impl SprtKeys {
    /// The test, if there is one.
    pub fn test(&self) -> Option<Sprt> {
        let (elo0, elo1) = self.elo0.zip(self.elo1)?;
        Some(Sprt {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model,
            counts: self.counts,
        })
    }
}
