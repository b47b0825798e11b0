//! How to start an engine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::content::RegisteredFiles;
use crate::door::Doors;
use crate::gpus::{self, Gpu};
use crate::launch::Launch;
use crate::scratch::Scratch;
use crate::services::Caller;
use swissmatch_game::alarm::Patterns;
use swissmatch_game::isolation::IsolatedAgent;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_tournament::setup::Restart;

/// How to start an engine, with everything resolved.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The player's name, for people.
    pub name: String,
    /// Its process.
    pub launch: Launch,
    /// The directory that its words lead from, wherever it runs.
    pub base: PathBuf,
    /// UCI options to set.
    pub options: WantedOptions,
    /// The limit for `uciok` and for `readyok`, each.
    pub start_limit: Duration,
    /// The time to live after `quit`.
    pub quit_grace: Duration,
    /// When it is started anew.
    pub restart: Restart,
    pub ponder: bool,
    pub isolated: IsolatedAgent,
    /// Its files as registered; `None` before they are registered.
    pub registered: Option<Arc<RegisteredFiles>>,
    /// Its scratch directory, if it has one.
    pub scratch: Option<Arc<Scratch>>,
    /// The doors of its processes.
    pub doors: Arc<Doors>,
    /// How it asks over the broker; `None` if it does not, or there is no broker, so that nobody answers.
    pub caller: Option<Arc<Caller>>,
    /// What gives an alarm in its standard error.
    pub alarms: Patterns,
    pub needs_gpu: bool,
}

impl EngineCommand {
    /// The command with a GPU, if one is given: it is told which, and if it is isolated it can open no other.
    #[must_use]
    pub fn on(mut self, gpu: Option<&Gpu>) -> Self {
        let Some(gpu) = gpu else {
            return self;
        };
        let launch = &mut self.launch;
        let variables = gpu.variables(launch.confinement.is_some()).into_iter();
        launch
            .environment
            .extend(variables.map(|(name, value)| (name.to_owned(), value.into())));
        if let Some(confinement) = &mut launch.confinement {
            let read = gpus::READ.iter().filter(|path| Path::new(path).exists());
            confinement.reads.extend(read.map(OsString::from));
            confinement.devices.extend(gpu.nodes.iter().map(OsString::from));
        }
        self
    }
}
