//! `swissmatch report`

use std::path::PathBuf;

use clap::Args;

use crate::run::page::{self, NoPage};
use crate::shell::files;

use super::exit::{Exit, Failure};
use super::screen;
use super::which_run::WhichRun;

/// The page of an event in one file, with every game
///
/// It opens in any browser from disk, without a network: all games are inside. What an embargo keeps back
/// is not in it, and no command, path or error output of an agent. docs/page.md.
///
///   swissmatch report                         the latest run in results/
///   swissmatch report results/event --output event.html
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Report {
    #[command(flatten)]
    run: WhichRun,
    /// Write to this file
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

impl Report {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        let text = page::of_run(&run).map_err(|error| match error {
            NoPage::NoFrontEnd => Failure::usage(error),
            NoPage::Broken(_) => Failure::machine(error),
        })?;
        files::write_out(&self.output, &text).map_err(Failure::machine)?;
        screen::say(&format!("{}: {} kB", self.output.display(), text.len().div_ceil(1000)));
        Ok(Exit::Done)
    }
}
