//! `swissmatch verify RUN`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use swiss_system::count;

use swissmatch_host::files;
use swissmatch_host::signature::Signers;
use swissmatch_report::anchor::AnchorFile;
use swissmatch_run::verify::{Against, Finding, verify};

use super::exit::{Exit, Failure};
use super::output::print;
use super::which_run::place;

/// More bytes than a file of anchor lines has.
const MOST_BYTES: u64 = 256 << 20;

/// Derive everything of a run again from its log, and compare
///
/// Derives everything again from the log and compares: the chain of hashes, the starting order, every pairing, every
/// game (legal moves, right termination, right record), and every published file, byte by byte. The exit code is 1 if
/// anything differs, and 2 if something could not be read, or a runner is at work: that is SKIPPED.
///
/// Whoever can write the log can rewrite it whole, with a new chain that is right. --anchor finds that: it compares the log with the
/// lines that an anchor was told while the event was played (run.anchor, docs/anchor.md). The signature of the published files
/// (publish.sign) is checked where there is one; --signer says whose it has to be.
///
/// Games that were taken from earlier runs (docs/reuse.md) are looked up there: the runs are looked for in the directories beside this
/// one, and where --earlier says. A run that is not there is told, and with --earlier it is wrong, as one is that has another game.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Directory of the run, or its event file (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    /// Compare the log with the lines that an anchor was told
    #[arg(long, value_name = "FILE")]
    anchor: Option<PathBuf>,
    /// Public keys that may have signed the published files: a .pub file of ssh-keygen, or allowed_signers
    #[arg(long, value_name = "FILE")]
    signer: Option<PathBuf>,
    /// Where earlier runs are from which games were taken: the directory of a run, or one that has runs in it; may be given several
    /// times (those beside the run are found without it)
    #[arg(long, value_name = "DIR")]
    earlier: Vec<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        // What is read first cannot be newer than the log.
        let anchor = self.anchor.as_deref().map(read_anchor).transpose()?;
        let signers = self.signer.as_deref().map(Signers::read).transpose();
        let signers = signers.map_err(|error| Failure::usage(anyhow::anyhow!("--signer {error}")))?;
        let against = Against {
            anchor: anchor.as_ref(),
            signers: signers.as_ref(),
            earlier: &self.earlier,
        };
        let findings = verify(Some(&place(self.run.as_deref())?), against).map_err(Failure::usage)?;
        let is_wrong = findings.iter().any(|finding| finding.problem.is_some());
        let is_skipped = findings.iter().any(|finding| finding.skipped.is_some());
        print(&match self.json {
            true => {
                let list = findings.iter();
                let list = list.map(|f| {
                    json!({ "check": f.check, "count": f.count, "problem": f.problem, "skipped": f.skipped, "note": f.note })
                });
                let right = !(is_wrong || is_skipped);
                format!(
                    "{:#}\n",
                    json!({ "schema": 1, "right": right, "checks": list.collect::<Vec<_>>() })
                )
            }
            false => findings.iter().map(line).collect(),
        });
        Ok(match (is_wrong, is_skipped) {
            (true, _) => Exit::CheckFailed,
            (false, true) => Exit::Inconclusive,
            (false, false) => Exit::Done,
        })
    }
}

/// What is told of a finding.
fn line(finding: &Finding) -> String {
    match (&finding.problem, &finding.skipped) {
        (Some(problem), _) => format!("WRONG   {:<16} {problem}\n", finding.check),
        (None, Some(why)) => format!("SKIPPED {:<16} {why}\n", finding.check),
        (None, None) => {
            let [one, several] = finding.of;
            let note = finding.note.as_ref();
            format!(
                "ok      {:<16} {}{}\n",
                finding.check,
                count::of(finding.count, one, several),
                note.map_or_else(String::new, |note| format!(" ({note})"))
            )
        }
    }
}

/// The lines of a file that an anchor wrote, or that were saved from one.
fn read_anchor(path: &Path) -> Result<AnchorFile, Failure> {
    let of_file =
        |error: &dyn std::fmt::Display| Failure::usage(anyhow::anyhow!("--anchor {}: {error}", path.display()));
    let bytes = files::open_plain(path).and_then(|file| files::read_at_most(file, MOST_BYTES));
    let bytes = bytes.map_err(|error| of_file(&error))?;
    AnchorFile::read(&String::from_utf8_lossy(&bytes))
        .map_err(|wrong| Failure::usage(anyhow::anyhow!("{}:{}: {}", path.display(), wrong.line, wrong.why)))
}
