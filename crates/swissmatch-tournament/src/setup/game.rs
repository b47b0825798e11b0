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
    /// The limit, which is always enforced.
    pub time_control: TimeControl,
    /// Attempts at one move under a time per move; under a clock there is one.
    pub attempts: u32,
    /// Whether attempts at a move share its limit. `false` is not stored, so that logs stay as they were before the
    /// key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub attempts_share: bool,
    /// What happens if a flag falls while the other side cannot mate. Before the key existed the game was lost.
    #[serde(default)]
    pub flag_fall: FlagFall,
    /// The price of an illegal or unparsable move.
    pub illegal_attempts: IllegalAttempts,
    /// The game is drawn after this many full moves; `None` means no cap.
    pub max_moves: Option<u32>,
    /// The game is drawn after this many plies; `None` means no cap.
    pub max_plies: Option<u32>,
    /// How much less than the limit the engine is told (`go movetime`), at most a tenth of the limit.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub move_overhead: Duration,
    /// How far a move may go beyond its limit before it counts as an overrun.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub margin: Duration,
    /// `go nodes`, for every player without its own.
    pub nodes: Option<u64>,
    /// `go depth`, for every player without its own.
    pub depth: Option<u32>,
    /// Where `max_moves` and `max_plies` count from. The default, the opening, is not stored, so that logs stay as they
    /// were before the key.
    #[serde(skip_serializing_if = "PliesFrom::is_opening")]
    pub plies_from: PliesFrom,
    /// When repetition and the fifty-move rule end a game. The default is not stored.
    #[serde(skip_serializing_if = "Claims::is_automatic")]
    pub claims: Claims,
    /// The chess variant.
    pub variant: Variant,
    /// Whether agents think on their opponents' time.
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
