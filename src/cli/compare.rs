//! `swissmatch compare RUN RUN`
//!
//! May not: compare anything but keys; the report does.

use std::path::PathBuf;

use clap::Args;

use swissmatch_config as config;
use swissmatch_host::machine;
use swissmatch_report::compare::{KeyDifference, compare};

use super::exit::{Exit, Failure};
use super::output::print;
use super::which_run::open_event;

/// What differs between two runs of the same agents
///
/// Shows the keys whose values differ; the standings side by side, with faults and times per move;
/// what any two players scored against each other; and the games whose result differs. Players are
/// matched by name. It says whose agents have different files, arguments or options in the two runs.
/// A game of one run is compared with the game of the other run that has the same White and Black, in
/// order.
///
///   swissmatch compare results/monday results/tuesday
///   swissmatch compare results/monday results/tuesday --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompareArgs {
    /// Directory of a run
    #[arg(value_name = "RUN")]
    one: PathBuf,
    /// Directory of the other run
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl CompareArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let (one, other) = (open_event(Some(&self.one))?, open_event(Some(&self.other))?);
        let changes = config::difference(one.state.setup(), other.state.setup());
        let keys = changes.into_iter().map(|change| KeyDifference {
            key: change.key,
            values: [change.old, change.new],
        });
        let compared = compare([&one.state, &other.state], keys.collect());
        Ok(print(&match self.json {
            true => compared.json(),
            false => compared.text(machine::columns()),
        }))
    }
}
