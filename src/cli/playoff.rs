//! `swissmatch playoff [RUN]`

use anyhow::anyhow;
use clap::Args;
use swiss_system::pairing::rounds::Rounds;

use swissmatch_host::machine;
use swissmatch_report::playoff;
use swissmatch_tournament::ties;

use super::exit::{Exit, Failure};
use super::output::print;
use super::which_run::WhichRunArgs;

/// The play-offs of a run: who was tied, and what settled it
///
/// Play-off games never count in the standings. You can draw every lot again by hand: list the
/// players by pairing number, and sort them by the SHA-256 of "swissmatch lot", event.rng_seed,
/// the lot's words and the place in the list (from 0), each on its own line.
///
///   swissmatch playoff                       the latest run in results/
///   swissmatch playoff results/event --json
///
/// The exit code is 2 while a tie waits for a decision (`swissmatch arbiter decide`).
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PlayoffArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Print as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print as Markdown
    #[arg(long)]
    markdown: bool,
}

impl PlayoffArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open()?;
        let text = match (self.json, self.markdown) {
            (true, _) => playoff::json(&run.state),
            (_, true) => playoff::markdown(&run.state),
            _ => playoff::text(&run.state, machine::columns()),
        };
        let setup = run.state.setup();
        let has_knockout = setup.stages().iter().any(|stage| stage.format == Rounds::Knockout);
        let none = match (!ties::are_possible(setup), run.state.rounds_are_over()) {
            _ if has_knockout => "no mini-match of the knockout has ended level so far",
            (true, _) if !setup.playoff.places.is_empty() => {
                "ties are played off only for indivisible prizes (playoff.when), and there is no tie for such a place"
            }
            (true, _) => "nothing is played off in this event (playoff.places)",
            (false, false) => "play-offs, if any, come after the last round",
            (false, true) => "nobody is tied for a place that is played off",
        };
        print(&text.ok_or_else(|| Failure::usage(anyhow!("there is no play-off: {none}")))?);
        let waits = ties::waits_for_decision(&run.state);
        Ok(if waits { Exit::Inconclusive } else { Exit::Done })
    }
}
