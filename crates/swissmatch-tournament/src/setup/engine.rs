//! Keys of `[engine]`: limits of engine processes outside their thinking, and when they are started anew.
//!
//! May not: read files, know TOML, decide anything.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use super::{Exec, PlayerKeys, Setup};
use swissmatch_game::isolation::{Isolation, Protection};

/// `[engine]`: limits of engine processes outside their thinking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineKeys {
    /// From the start to `uciok`, and from the options to `readyok`, each.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub start_limit: Duration,
    /// Attempts to start it before the rest of its mini-match is forfeited.
    pub start_attempts: u32,
    /// From `isready` to `readyok` between games, once for each process.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub ready_limit: Duration,
    /// From `isready` to `readyok` after an overrun. It is also added to the slowest start before the event for a start
    /// in mid-game, and to `ready_limit` for each game that a process has played.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub step_limit: Duration,
    /// How long a `bestmove` is waited for after `stop`, before the engine is killed and started anew.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub stop_grace: Duration,
    /// How long the engine may live after `quit` before it is killed.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub quit_grace: Duration,
    /// UCI options for every engine that declares them; `player.options` replaces them one by one.
    pub options: BTreeMap<String, String>,
    pub restart: Restart,
    /// Whether an event begins only if every agent starts. Before the key existed it began in any case.
    #[serde(default)]
    pub must_start: bool,
    /// What agents may reach. Before the key existed that was everything.
    #[serde(default)]
    pub isolation: Isolation,
    /// The protections that must be available, or nothing begins.
    pub isolation_require: Vec<Protection>,
    /// The programs that agents may run; `None` means their own if they are sealed, otherwise any. Before the key
    /// existed it was any.
    #[serde(default = "any_program")]
    pub exec: Option<Exec>,
    /// The most memory for the processes of an agent together, in MiB; `None` means half of the machine's.
    pub max_memory: Option<u64>,
    pub max_processes: u64,
    /// The most that an engine may write to disk, in MiB.
    pub max_disk: u64,
    /// The most that an agent may write to its output in a second, in KiB.
    pub max_output: u64,
    /// The longest line of an agent, in KiB.
    pub max_line: u64,
    /// The most that an agent may write to standard error in a second, in KiB.
    pub max_stderr: u64,
    /// The most UCI options that an agent may declare.
    pub max_options: u64,
    /// The longest introduction of an agent, including its options, in KiB.
    pub max_introduction: u64,
    /// Texts in a line of standard error that give an alarm; [`swissmatch_game::alarm::BUILT_IN_WORD`] stands for a
    /// list of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<String>,
}

impl Default for EngineKeys {
    fn default() -> Self {
        Self {
            start_limit: Duration::from_secs(10),
            start_attempts: 3,
            ready_limit: Duration::from_secs(10),
            step_limit: Duration::from_secs(1),
            stop_grace: Duration::from_secs(1),
            quit_grace: Duration::from_secs(1),
            options: BTreeMap::new(),
            restart: Restart::default(),
            must_start: true,
            isolation: Isolation::Guarded,
            isolation_require: Vec::new(),
            exec: None,
            max_memory: None,
            max_processes: 1024,
            max_disk: 1024,
            max_output: 4096,
            max_line: 64,
            max_stderr: 1024,
            max_options: 1000,
            max_introduction: 64,
            alarms: Vec::new(),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's type")]
fn any_program() -> Option<Exec> {
    Some(Exec::Any)
}

impl Setup {
    pub fn restart(&self, player: &PlayerKeys) -> Restart {
        player.restart.unwrap_or(self.engine.restart)
    }
}

/// When an engine is started anew although nothing is wrong with it, `engine.restart` and `player.restart`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// `"never"`: it plays on as long as its mini-match lasts and has games due.
    #[default]
    Never,
    /// `"game"`: for each game.
    Game,
}

words!(Restart {
    Never => "never",
    Game => "game",
});
