//! Keys of the consequences of faults, `[faults]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::termination::BothFailed;

/// What an engine forfeits if it does not start, `faults.no_show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoShow {
    /// `"mini-match"`: the game that it did not start for, and all games of the mini-match that have not begun.
    MiniMatch,
    /// `"game"`: that game alone; the engine is started again for the next one.
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
    /// What an engine forfeits if it does not start.
    pub no_show: NoShow,
    /// A player who lost this many games of a mini-match by faults forfeits the later ones; `None` turns this off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit_after: Option<u32>,
    /// A player who lost this many games by faults is withdrawn before the next round is paired; `None` turns this off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdraw_after: Option<u32>,
    /// A player whose agent did not start in this many games is withdrawn before the next round is paired; `None` turns
    /// this off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired_after: Option<u32>,
    /// The result of a game in which both agents failed. The default, that both lose, is not stored, so that logs stay
    /// as they were before the key.
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
