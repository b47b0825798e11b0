//! `swissmatch league …`: a league of builds, night after night.
//!
//! May not: say what is a change, or what a build is.

mod night;
mod play;
mod show;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::config::league::{League as LeagueFile, load_league};
use crate::run::event_file;
use crate::run::league::history::{HistoryError, HistoryFile};

use super::exit::{Exit, Failure};
use super::logging::Logging;

/// The league file, where none is named.
const FILE: &str = "LEAGUE.toml";

/// A league of builds, night after night
///
/// A league file names builds of an engine: programs that are there, released ones that are
/// pinned by SHA-256, or commits that are built by a command. Each night they play each other,
/// and all nights are rated together.
///
///   swissmatch league run LEAGUE.toml      play a night
///   swissmatch league show                 the last night
///   swissmatch league trend main           a build through the nights
///   swissmatch league compare 2026-11-25 2026-11-26
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct League {
    #[command(subcommand)]
    order: Order,
}

#[derive(Debug, Subcommand)]
enum Order {
    Run(play::Run),
    Show(show::Show),
    Trend(show::Trend),
    Compare(show::Compare),
}

impl League {
    /// Whether it starts engines.
    pub(super) const fn starts_engines(&self) -> bool {
        matches!(self.order, Order::Run(_))
    }

    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        match &self.order {
            Order::Run(run) => run.main(logging),
            Order::Show(show) => show.main(),
            Order::Trend(trend) => trend.main(),
            Order::Compare(compare) => compare.main(),
        }
    }
}

/// A league file that was read, and where it is.
#[derive(Debug)]
struct Opened {
    league: LeagueFile,
    /// Its directory.
    directory: PathBuf,
    history: HistoryFile,
}

impl Opened {
    /// Reads the file that is named, or the usual one.
    fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let path = file.unwrap_or(Path::new(FILE));
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

/// A history that is something else is for whoever named it; all others are the machine's.
fn unread(error: HistoryError) -> Failure {
    match error {
        HistoryError::Foreign { .. } => Failure::usage(error),
        _ => Failure::machine(error),
    }
}
