//! `swissmatch league …`: a league of builds, night after night.
//!
//! May not: say what is a change, or what a build is.

mod init;
mod night;
mod play;
mod show;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};

use swissmatch_config::league::{League as LeagueFile, load_league};
use swissmatch_game::time_control::Limit;
use swissmatch_host::noise::is_shared;
use swissmatch_report::workflow::mark_of_older;
use swissmatch_run::RunError;
use swissmatch_run::event_file;
use swissmatch_run::league::builds::{Program, program};
use swissmatch_run::league::content::NightContent;
use swissmatch_run::league::history::{HistoryError, HistoryFile};
use swissmatch_tournament::setup::Setup;

use super::exit::{Exit, Failure};
use super::job::is_github;
use super::logging::Logging;
use super::screen;

/// The league file, where none is named: here, or where `league init` puts it.
const FILES: [&str; 2] = ["LEAGUE.toml", "league/LEAGUE.toml"];

/// A league of builds, night after night
///
/// A league file names builds of an engine: programs that are there, released ones that are
/// pinned by SHA-256, or commits that are built by a command. Each night they play each other,
/// and all nights are rated together.
///
///   swissmatch league init --layout make   a league file to start from
///   swissmatch league run LEAGUE.toml      play a night
///   swissmatch league show                 the last night
///   swissmatch league trend main           a build through the nights
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LeagueArgs {
    #[command(subcommand)]
    order: LeagueCommand,
}

#[derive(Debug, Subcommand)]
enum LeagueCommand {
    Init(init::LeagueInitArgs),
    Run(play::LeagueRunArgs),
    Show(show::LeagueShowArgs),
    Trend(show::LeagueTrendArgs),
}

impl LeagueArgs {
    /// Whether it starts engines.
    pub(super) const fn starts_engines(&self) -> bool {
        matches!(self.order, LeagueCommand::Run(_))
    }

    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        match &self.order {
            LeagueCommand::Init(init) => init.main(),
            LeagueCommand::Run(run) => run.main(logging),
            LeagueCommand::Show(show) => show.main(),
            LeagueCommand::Trend(trend) => trend.main(),
        }
    }
}

/// A league file that was read, and where it is.
#[derive(Debug)]
pub(super) struct OpenedLeague {
    pub(super) league: LeagueFile,
    /// Its directory.
    pub(super) directory: PathBuf,
    history: HistoryFile,
}

impl OpenedLeague {
    /// Reads the file that is named, or the usual one.
    pub(super) fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let mut usual = FILES.map(Path::new).into_iter();
        let found = usual.find(|file| file.is_file());
        let path = file.or(found).unwrap_or(Path::new(FILES[0]));
        let text = event_file::read_text(path)?;
        let league = load_league(path, &text).map_err(Failure::usage)?;
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let history = HistoryFile::new(directory.join(&league.keys.history), league.keys.has_lines());
        Ok(Self {
            league,
            directory,
            history,
        })
    }
}

impl OpenedLeague {
    /// The program of the build at `index`; it may have to be built first.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub(super) fn program(&self, index: usize, quiet: bool) -> Result<Program, String> {
        let build = &self.league.builds[index];
        let mut tell = |line: &str| {
            if !quiet {
                screen::say(line);
            }
        };
        let program = program(build, &self.directory, &mut tell)?;
        if let Some(instead) = &program.instead {
            screen::say(&format!("warning: {}: {instead}", build.name));
            if is_github() {
                screen::say(&mark_of_older(&build.name, instead));
            }
        }
        Ok(program)
    }

    /// Has moves by nodes on a runner that others lend, where the league wants that; and what is to be said of it.
    pub(super) fn on_this_machine(&mut self) -> Option<String> {
        let nodes = self.league.keys.shared_nodes.filter(|_| is_shared())?;
        self.league.set_nodes(nodes);
        Some(format!(
            "this runner is shared: {nodes} nodes a move (league.shared_nodes)"
        ))
    }

    /// What an event is made of; programs that are pinned are the ones that they have to be.
    pub(super) fn content(&self, text: &str, names: &[String]) -> Result<NightContent, Failure> {
        let content = NightContent::of(&self.directory, text).map_err(|error| match error {
            RunError::Event(error) => Failure::usage(self.league.told_here(error, text, names)),
            error => error.into(),
        })?;
        for (name, sha256) in names.iter().zip(&content.programs) {
            let Ok(index) = self.league.place_of(name) else {
                continue;
            };
            let pin = self.league.builds[index].sha256.as_deref();
            if let Some(pin) = pin.filter(|pin| !pin.eq_ignore_ascii_case(sha256)) {
                let message = format!("the program of {name} has the SHA-256 {sha256}, not {pin}");
                return Err(Failure::usage(self.league.error_at_build(
                    index,
                    "build.sha256",
                    message,
                )));
            }
        }
        Ok(content)
    }
}

/// What is to be said of games by time on a runner that others lend.
pub(super) fn warning_of(setup: &Setup) -> Option<&'static str> {
    let is_by_time = |setup: &Setup| setup.time_controls().any(|control| control.limit != Limit::Guard);
    (is_shared() && is_by_time(setup)).then_some(
        "warning: this runner is shared, so games by time depend on what else it does; nodes do not: \
         --time nodes=20000, or league.shared_nodes = 20000 in a league file",
    )
}

/// A program that could not be built.
pub(super) fn not_built(name: &str, why: &str) -> Failure {
    Failure {
        exit: Exit::AgentsAtFault,
        error: anyhow!("{name} does not play: {why}"),
    }
}

/// A history that is something else is for whoever named it; all others are the machine's.
fn unread(error: HistoryError) -> Failure {
    match error {
        HistoryError::Foreign { .. } => Failure::usage(error),
        _ => Failure::machine(error),
    }
}
