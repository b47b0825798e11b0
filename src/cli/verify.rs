//! `swissmatch verify RUN`

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use swiss_system::count;

use crate::run::verify::verify;

use super::exit::{Exit, Failure};
use super::which_run::place;

/// Derive everything of a run again from its log, and compare
///
/// Derives everything again from the log and compares: the chain of hashes, the starting order, every pairing, every
/// game (legal moves, right termination, right record), and every published file, byte by byte. The exit code is 1 if
/// anything differs.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Directory of the run, or its event file (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let findings = verify(Some(&place(self.run.as_deref())?)).map_err(Failure::usage)?;
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
                None => {
                    let [one, several] = finding.of;
                    writeln!(
                        out,
                        "ok      {:<16} {}",
                        finding.check,
                        count::of(finding.count, one, several)
                    )
                }
                Some(problem) => writeln!(out, "WRONG   {:<16} {problem}", finding.check),
            }),
        };
        written.map_err(Failure::machine)?;
        Ok(if right { Exit::Done } else { Exit::CheckFailed })
    }
}
