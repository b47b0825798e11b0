//! How to start an engine.

use std::sync::Arc;
use std::time::Duration;

use crate::game::isolation::Isolated;
use crate::game::wanted::WantedOptions;
use crate::shell::confine::scratch::Scratch;
use crate::shell::launch::Launch;
use crate::tournament::setup::Restart;

/// How to start an engine: everything resolved.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// Whose it is, for people.
    pub name: String,
    /// Its process.
    pub launch: Launch,
    /// UCI options to set.
    pub options: WantedOptions,
    /// For `uciok` and for `readyok` each.
    pub start_limit: Duration,
    /// After `quit`.
    pub quit_grace: Duration,
    /// Whether it is started anew for each game.
    pub restart: Restart,
    /// Whether it is to ponder.
    pub ponder: bool,
    /// How it is isolated.
    pub isolated: Isolated,
    /// Its scratch directory, where it has one.
    pub scratch: Option<Arc<Scratch>>,
}
