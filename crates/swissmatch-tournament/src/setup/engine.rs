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
    /// From start to `uciok` and, after the options, to `readyok`, each.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub start_limit: Duration,
    /// Tries to start it before the rest of its mini-match is forfeited.
    pub start_attempts: u32,
    /// From `isready` to `readyok` between games, for each process once.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub ready_limit: Duration,
    /// From `isready` to `readyok` after an overrun; beyond its slowest start before the event for a start in mid-game; and
    /// what each game of a process adds to `ready_limit`.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub step_limit: Duration,
    /// How long after `stop` a `bestmove` is waited for before the engine is killed and started anew.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub stop_grace: Duration,
    /// How long after `quit` the engine may live before it is killed.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub quit_grace: Duration,
    /// UCI options for every engine that declares them; `player.options` goes over them name by name.
    pub options: BTreeMap<String, String>,
    /// When engines are started anew.
    pub restart: Restart,
    /// Whether an event begins only where every agent starts. Before there was the key it began anyhow.
    #[serde(default)]
    pub must_start: bool,
    /// What agents may reach. Before there was the key that was everything.
    #[serde(default)]
    pub isolation: Isolation,
    /// What agents have to be kept from, or nothing begins.
    pub isolation_require: Vec<Protection>,
    /// Which programs agents may run; `None`: their own if they are sealed, else any. Before there was the key it was any.
    #[serde(default = "any_program")]
    pub exec: Option<Exec>,
    /// Memory that the processes of an agent may have together, in MiB; `None`: half of the machine's.
    pub max_memory: Option<u64>,
    /// Processes and threads that an agent may have.
    pub max_processes: u64,
    /// What an engine may write to disk, in MiB.
    pub max_disk: u64,
    /// What an agent may write to its output within a second, in KiB.
    pub max_output: u64,
    /// How long a line of an agent may be, in KiB.
    pub max_line: u64,
    /// What an agent may write to standard error within a second, in KiB.
    pub max_stderr: u64,
    /// UCI options that an agent may declare.
    pub max_options: u64,
    /// How long that may be which an agent says of itself, its options among it, in KiB.
    pub max_introduction: u64,
    /// Texts that sound an alarm in a line of standard error; [`swissmatch_game::alarm::BUILT_IN_WORD`] stands for a list of them.
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
    /// When the engine of a player is started anew.
    pub fn restart(&self, player: &PlayerKeys) -> Restart {
        player.restart.unwrap_or(self.engine.restart)
    }
}

/// When an engine is started anew though nothing is wrong with it, `engine.restart` and `player.restart`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// `"never"`: it plays on as long as its mini-match lasts and games are due.
    #[default]
    Never,
    /// `"game"`: for each game.
    Game,
}

words!(Restart {
    Never => "never",
    Game => "game",
});
