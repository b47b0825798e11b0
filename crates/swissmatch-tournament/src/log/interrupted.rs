//! A runner that ended while games were open.

use serde::{Deserialize, Serialize};

use swissmatch_game::record::GameId;

/// How the playing process of a runner ended, as far as that is known: by a signal, or with an exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HowEnded {
    /// The number of the signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// A runner ended while games were open: begun, and not in the log. They are due again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupted {
    /// Which games, in the order of the schedule; `None`: that is not known, as after a power cut.
    pub games: Option<Vec<GameId>>,
    /// How its playing process ended.
    #[serde(flatten)]
    pub ended: HowEnded,
}
