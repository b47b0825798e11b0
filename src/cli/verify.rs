//! `swissmatch verify RUN`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::run::open_run::{OpenError, OpenRun};
use crate::run::verify::{self, Finding};
use crate::shell::run_dir::{self, RunDir};
use crate::shell::store::Store;

use super::exit::{Exit, Failure};

/// Derive pairings, results and standings of a run again from its log, and compare
///
/// Derives everything again from the log and compares: the chain of hashes, the starting order, every pairing, every
/// game (legal moves, right ending, right record), and every published file, byte by byte. Exits 1 at any difference.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Directory of the run (default: the latest in results/)
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let mut sound = None;
        let findings = match OpenRun::open(self.run.as_deref()) {
            Ok(run) => {
                sound = Some(run.dir.clone());
                verify::verify(&run)
            }
            Err(OpenError::Store(error)) => vec![Finding {
                check: "log",
                problem: Some(error.to_string()),
                count: 0,
            }],
            Err(OpenError::Broken(error)) => vec![Finding {
                check: "log",
                problem: Some(error.to_string()),
                count: 0,
            }],
            Err(error) => return Err(Failure::usage(error)),
        };
        let right = findings.iter().all(|finding| finding.problem.is_none());
        let mut out = std::io::stdout().lock();
        let written = match self.json {
            true => {
                let list = findings.iter();
                let list = list.map(|f| json!({ "check": f.check, "count": f.count, "problem": f.problem }));
                writeln!(
                    out,
                    "{:#}",
                    json!({ "schema": 1, "right": right, "checks": list.collect::<Vec<_>>() })
                )
            }
            false => findings.iter().try_for_each(|finding| match &finding.problem {
                None => writeln!(out, "ok      {:<16} {}", finding.check, finding.count),
                Some(problem) => writeln!(out, "WRONG   {:<16} {problem}", finding.check),
            }),
        };
        written.map_err(Failure::machine)?;
        // After a kill the published files lag behind; the log by itself is in order.
        if let Some(dir) = sound {
            merge(&dir);
        }
        Ok(if right { Exit::Done } else { Exit::CheckFailed })
    }
}

/// Puts into the log's file what a runner that was killed left beside it, so that the file can be copied by itself. Where a
/// runner or a reader is at work, or this user may not write, nothing is changed, and nothing was wrong.
fn merge(dir: &Path) {
    if run_dir::is_taken(dir) {
        return;
    }
    if let Ok(dir) = RunDir::take(dir) {
        let _ = Store::merge(&run_dir::log(dir.path()));
    }
}
