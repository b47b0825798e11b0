//! A job of continuous integration: files that it asks for, its page, whether it is one of GitHub's.
//!
//! May not: know what is written.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::files;
use swissmatch_report::not_begun::{NotBegun, Whose};
use swissmatch_report::workflow;

use super::console::line_of_refusal;
use super::exit::{Exit, Failure};
use super::output::{missed, print};
use super::screen;

/// A job's page takes 1,024 KiB, what other steps wrote there among it.
const LARGEST_SUMMARY: usize = 500_000;

/// Files that a job asks for.
#[derive(Clone, Debug, Args)]
pub(super) struct JobFileArgs {
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Write a summary in Markdown to this file (also added to $GITHUB_STEP_SUMMARY where that is set)
    #[arg(long, value_name = "FILE")]
    pub(super) summary: Option<PathBuf>,
}

impl JobFileArgs {
    /// What a job finds where a gate or a night came to nothing: the reason, in each of the files that it asks for.
    pub(super) fn leave_refusal(&self, job: &'static str, failure: &Failure) {
        let not_begun = NotBegun {
            job,
            whose: match failure.exit {
                Exit::AgentsAtFault => Whose::Agent,
                Exit::Usage => Whose::User,
                _ => Whose::Machine,
            },
            why: failure.error.to_string(),
        };
        let summary = not_begun.markdown();
        for (file, text) in [(&self.junit, not_begun.junit()), (&self.summary, summary.clone())] {
            if let Some(file) = file {
                write(file, text);
            }
        }
        add_to_page(&summary);
        if is_github() {
            screen::say(&workflow::mark_of(&not_begun));
        }
    }
}

/// Nothing begins: the last line of NDJSON says why, where that is wanted.
pub(super) fn tell_refusal(is_json: bool, failure: &Failure) {
    if is_json {
        print(&(line_of_refusal(failure.exit.code(), &failure.error.to_string()) + "\n"));
    }
}

/// Writes a file that was asked for. One that cannot be written takes nothing from what the command came to but its success.
pub(super) fn write(file: &Path, text: impl Into<Vec<u8>>) {
    if let Err(error) = files::write_out(file, text.into()) {
        missed(&error);
    }
}

/// Leaves a file in a run, likewise.
pub(super) fn leave(file: &Path, text: &str) {
    if let Err(error) = files::write_whole(file, text) {
        missed(&error);
    }
}

/// Adds a summary to the page of the job, where there is one. One that cannot be written is no reason for another exit code.
pub(super) fn add_to_page(summary: &str) {
    let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) else {
        return;
    };
    let file = Path::new(&file);
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

/// Whether this is a job of GitHub Actions, which takes marks.
pub(super) fn is_github() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}
