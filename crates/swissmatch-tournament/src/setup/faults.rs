//! Keys of what faults lead to, `[faults]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::termination::BothFailed;

/// What an engine forfeits that does not start, `faults.no_show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoShow {
    /// `"mini-match"`: the game that it did not start for, and all games of the mini-match that have not begun.
    MiniMatch,
    /// `"game"`: that game; it is started again for the next one.
    Game,
}

words!(NoShow {
    MiniMatch => "mini-match",
    Game => "game",
});

/// `[faults]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FaultKeys {
    /// What an engine forfeits that does not start.
    pub no_show: NoShow,
    /// Who lost so many games of a mini-match by a fault forfeits those that come later in it; `None`: nobody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit_after: Option<u32>,
    /// Who lost so many games by a fault is withdrawn before the next round is paired; `None`: nobody is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdraw_after: Option<u32>,
    /// Whose agent did not start in so many games is withdrawn before the next round is paired; `None`: nobody is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired_after: Option<u32>,
    /// What a game is in which both agents failed. Not stored where both lose it: logs are then as before the key.
    #[serde(skip_serializing_if = "BothFailed::is_lost")]
    pub both_failed: BothFailed,
}

impl Default for FaultKeys {
    fn default() -> Self {
        Self {
            no_show: NoShow::MiniMatch,
            forfeit_after: None,
            withdraw_after: None,
            unpaired_after: None,
            both_failed: BothFailed::Lost,
        }
    }
}
