//! What a gate leaves for whoever has asked: a verdict on the screen, files, the page of the job, marks at the job.
//!
//! May not: decide anything.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::report::gate::Gate;
use crate::report::workflow;
use crate::run::publish::JUNIT;
use crate::shell::files;
use crate::tournament::state::State;

use super::console::line_of_gate;
use super::exit::Failure;
use super::screen;

/// A job's page takes 1,024 KiB, what other steps wrote there among it.
const LARGEST_SUMMARY: usize = 500_000;

/// Files that are asked for.
#[derive(Clone, Debug, Args)]
pub(super) struct Outputs {
    /// Copy the run's JUnit report (junit.xml) to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a summary in Markdown to this file (also added to $GITHUB_STEP_SUMMARY where that is set)
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Write a badge for shields.io (an endpoint's JSON) to this file
    #[arg(long, value_name = "FILE")]
    badge: Option<PathBuf>,
}

impl Outputs {
    /// Writes what was asked for, and says how the gate ends.
    pub(super) fn write(&self, dir: &Path, state: &State, gate: &Gate, is_json: bool) -> Result<(), Failure> {
        let summary = gate.markdown(state);
        if let Some(file) = &self.junit {
            let text = std::fs::read(dir.join(JUNIT))
                .map_err(|error| Failure::machine(files::about(&dir.join(JUNIT), &error)))?;
            write(file, text)?;
        }
        if let Some(file) = &self.summary {
            write(file, summary.clone())?;
        }
        if let Some(file) = &self.badge {
            write(file, gate.badge())?;
        }
        if let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) {
            add_to_page(Path::new(&file), &summary);
        }
        let mut out = std::io::stdout().lock();
        let said = match is_json {
            true => writeln!(out, "{}", line_of_gate(gate, dir)),
            false => writeln!(out, "gate {}: {}", gate.word(), gate.why.join("; ")),
        };
        said.map_err(Failure::machine)?;
        drop(out);
        if std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
            workflow::marks(gate).iter().for_each(|line| screen::say(line));
        }
        Ok(())
    }
}

fn write(file: &Path, text: impl Into<Vec<u8>>) -> Result<(), Failure> {
    files::write_out(file, text.into()).map_err(|error| Failure::machine(files::about(file, &error)))
}

/// A page that cannot be written is no reason for another exit code.
fn add_to_page(file: &Path, summary: &str) {
    let is_small = summary.len() <= LARGEST_SUMMARY;
    let added = match is_small {
        true => files::open_to_append(file).and_then(|mut page| page.write_all(summary.as_bytes())),
        false => Err(std::io::Error::other("the summary is too large for the page of a job")),
    };
    if let Err(error) = added {
        screen::say(&format!(
            "warning: $GITHUB_STEP_SUMMARY: {}",
            anyhow!("{}: {error}", file.display())
        ));
    }
}
