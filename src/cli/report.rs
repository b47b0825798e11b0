//! `swissmatch report`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;

use swissmatch_run::page::PageError;
use swissmatch_run::report::{self, may_have_a_folder, megabytes, most_inside};

use super::exit::{Exit, Failure};
use super::screen;
use super::which_run::{WhichRunArgs, page_under_embargo};

/// The page of an event in one file, with every game
///
/// It opens in any browser from disk, without a network: all games are inside.
/// Where they are large they are in a folder beside it, and the two go
/// together. What an embargo keeps back is not in it, and no command, path or
/// error output of an agent. docs/page.md.
///
///   swissmatch report                         the latest run in results/
///   swissmatch report results/event --output event.html
///   swissmatch report --report-size 0         with the games in report_games/
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Write to this file
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Put the games into a folder beside the file if they are larger than so many megabytes (publish.report_size)
    #[arg(long, value_name = "MB")]
    report_size: Option<u32>,
}

impl ReportArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let output = self.output.display();
        if self.report_size.is_some() && !may_have_a_folder(&self.output) {
            return Err(Failure::usage(anyhow!(
                "--report-size: {output} is no file, so nothing can lie beside it; leave the flag out, and all games are inside"
            )));
        }
        let run = self.run.open_silently()?;
        if let Some(note) = page_under_embargo(&run.state) {
            screen::say(&format!("note: {note}"));
        }
        let most = self.report_size.map_or_else(|| most_inside(&run.state), megabytes);
        let written = report::write(&run, &self.output, most).map_err(|error| match error {
            PageError::NoFrontEnd => Failure::usage(error),
            PageError::Broken(_) | PageError::NotWritten(_) => Failure::machine(error),
        })?;
        let beside = written.beside.map_or_else(String::new, |(folder, files)| {
            let files = count::of(files, "file", "files");
            format!(
                ", and its games in {files} in {}/, which belongs to it",
                folder.display()
            )
        });
        screen::say(&format!("{output}: {} kB{beside}", written.bytes.div_ceil(1000)));
        Ok(Exit::Done)
    }
}
