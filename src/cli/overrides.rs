//! Values of the command line that go over those of the event file.

use std::path::Path;

use clap::Args;

use swissmatch_config::{self as config, ConfigError, Flag, LoadedEvent};
use swissmatch_run::EventFile;
use swissmatch_run::event_file::read_text;

use super::exit::Failure;

/// Why an event is not understood.
#[derive(Debug, thiserror::Error)]
pub(super) enum EventLoadError {
    /// What stands after `--set` is no key with a value.
    #[error("--set {0}: write KEY=VALUE, such as game.nodes=1000")]
    NoPair(String),
    /// A key or a value is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl From<EventLoadError> for Failure {
    fn from(error: EventLoadError) -> Self {
        Self::usage(error)
    }
}

/// Values that go over those of the event file.
#[derive(Debug, Default, Args)]
pub(super) struct OverrideArgs {
    /// Games at once: a number, or "cores" (default: run.concurrency of the event file)
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,
    /// What agents may reach (default: engine.isolation of the event file); a player keeps its own word if that is stricter.
    /// "sealed": as guarded, and refused where this machine cannot keep them from everything else;
    /// "guarded": the system to read, their own program and what their arguments, options and variables name; no network;
    /// "off": whatever you may
    #[arg(long, value_name = "WORD", verbatim_doc_comment)]
    isolation: Option<String>,
    /// Set any key for this call, as KEY=VALUE: --set game.nodes=1000
    #[arg(long = "set", value_name = "KEY=VALUE")]
    keys: Vec<String>,
}

impl OverrideArgs {
    /// Reads and checks an event file.
    pub(super) fn load(&self, path: &Path) -> Result<LoadedEvent, Failure> {
        self.load_with(path, Vec::new())
    }

    /// The same, with the directory that it is in.
    pub(super) fn event(&self, path: &Path) -> Result<EventFile, Failure> {
        self.event_with(path, Vec::new())
    }

    /// The same with values of further flags.
    pub(super) fn event_with(&self, path: &Path, flags: Vec<Flag>) -> Result<EventFile, Failure> {
        Ok(EventFile::new(self.load_with(path, flags)?, path)?)
    }

    /// The same where only its agents are looked at, which may be of one player, with values of further flags.
    pub(super) fn agents_of_event(&self, path: &Path, flags: Vec<Flag>) -> Result<EventFile, Failure> {
        let (text, flags) = (read_text(path)?, self.over(flags)?);
        let loaded = config::load_agents(path, &text, &flags).map_err(EventLoadError::from)?;
        Ok(EventFile::new(loaded, path)?)
    }

    /// What an event file says, with values of further flags.
    pub(super) fn load_with(&self, path: &Path, flags: Vec<Flag>) -> Result<LoadedEvent, Failure> {
        Ok(self.load_text(path, &read_text(path)?, flags)?)
    }

    /// The same of a text, which `path` names in messages.
    pub(super) fn load_text(&self, path: &Path, text: &str, flags: Vec<Flag>) -> Result<LoadedEvent, EventLoadError> {
        Ok(config::load(path, text, &self.over(flags)?)?)
    }

    /// These flags with those of every command.
    fn over(&self, mut flags: Vec<Flag>) -> Result<Vec<Flag>, EventLoadError> {
        for key in &self.keys {
            let (key, value) = key.split_once('=').ok_or_else(|| EventLoadError::NoPair(key.clone()))?;
            flags.push(Flag::set(key.trim(), value.trim()));
        }
        let concurrency = self.concurrency.iter();
        flags.extend(concurrency.map(|n| Flag::new("--concurrency", "run.concurrency", n)));
        flags.extend(self.isolation.as_deref().map(Flag::isolation));
        Ok(flags)
    }

    /// The same of an event that has rounds; a tour has none.
    pub(super) fn load_event(&self, path: &Path) -> Result<LoadedEvent, Failure> {
        let loaded = self.load(path)?;
        if loaded.setup.tour.runs.is_empty() {
            return Ok(loaded);
        }
        let message = format!(
            "a tour has no rounds; `swissmatch tour {}` shows its standings",
            path.display()
        );
        Err(Failure::usage(loaded.error_at("tour.runs", message)))
    }
}
