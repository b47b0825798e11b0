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

/// How to start an engine: everything resolved.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// Whose it is, for people.
    pub name: String,
    /// Its process.
    pub launch: Launch,
    /// Where its words lead from, wherever it runs.
    pub base: PathBuf,
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
    pub isolated: IsolatedAgent,
    /// Its files as they were registered; `None`: they have not been yet.
    pub registered: Option<Arc<RegisteredFiles>>,
    /// Its scratch directory, where it has one.
    pub scratch: Option<Arc<Scratch>>,
    /// The doors of its processes, where it has any.
    pub doors: Arc<Doors>,
    /// How it asks, where it asks over the broker; `None` where it does so and there is none: nobody answers then.
    pub caller: Option<Arc<Caller>>,
    /// What in its standard error sounds an alarm.
    pub alarms: Patterns,
    /// Whether it has to have a GPU.
    pub needs_gpu: bool,
}

impl EngineCommand {
    /// The same with a GPU, where it is given one: it is told which, and where it is isolated it can open no other.
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
