//! How a game is played, `[game]`.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::rules::{Claims, PliesFrom};
use swissmatch_game::time_control::TimeControl;
use swissmatch_game::variant::Variant;

use super::{Freeze, IllegalAttempts, written};

/// `[game]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameKeys {
    /// Limit that is always enforced.
    pub time_control: TimeControl,
    /// Attempts at one move under a time per move; under a clock there is one.
    pub attempts: u32,
    /// Whether the attempts at a move have its limit together. Not stored where they have not: logs are then as before the key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub attempts_share: bool,
    /// What it costs that a flag falls while the other side cannot mate. Before there was the key it lost.
    #[serde(default)]
    pub flag_fall: FlagFall,
    /// What an illegal or unparsable move costs.
    pub illegal_attempts: IllegalAttempts,
    /// Draw after so many full moves of this game; `None`: no cap.
    pub max_moves: Option<u32>,
    /// Draw after so many plies of this game; `None`: no cap.
    pub max_plies: Option<u32>,
    /// How much less than the limit the engine is told (`go movetime`), at most a tenth of the limit.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub move_overhead: Duration,
    /// How far over its limit a move may be before it counts as an overrun.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub margin: Duration,
    /// `go nodes`, for every player that has none of its own.
    pub nodes: Option<u64>,
    /// `go depth`, for every player that has none of its own.
    pub depth: Option<u32>,
    /// From where `max_moves` and `max_plies` count. Not stored where that is the opening: logs are then as before the key.
    #[serde(skip_serializing_if = "PliesFrom::is_opening")]
    pub plies_from: PliesFrom,
    /// When repetition and fifty moves end a game. Not stored where it is the usual one.
    #[serde(skip_serializing_if = "Claims::is_automatic")]
    pub claims: Claims,
    /// Which chess is played.
    pub variant: Variant,
    /// Whether agents think while their opponents do.
    pub ponder: bool,
    /// Whether an agent that does not ponder is stopped while the other side is to move.
    #[serde(default)]
    pub freeze: Freeze,
}

impl Default for GameKeys {
    fn default() -> Self {
        Self {
            time_control: written("10+0.1"),
            attempts: 1,
            attempts_share: false,
            flag_fall: FlagFall::DrawIfCannotMate,
            illegal_attempts: IllegalAttempts::Apart(1),
            max_moves: None,
            max_plies: None,
            plies_from: PliesFrom::Opening,
            claims: Claims::Automatic,
            move_overhead: Duration::ZERO,
            margin: Duration::ZERO,
            nodes: None,
            depth: None,
            variant: Variant::default(),
            ponder: false,
            freeze: Freeze::Auto,
        }
    }
}
