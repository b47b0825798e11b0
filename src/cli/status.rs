//! `swissmatch status`

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::{machine, run_dir};
use swissmatch_report as report;
use swissmatch_report::duplicates::Duplicates;
use swissmatch_report::table::folded;
use swissmatch_report::{summary, warnings};
use swissmatch_run::{self as run, open_run};
use swissmatch_tournament::director;
use swissmatch_tournament::schedule;
use swissmatch_tournament::ties::{self, event_is_over};
use swissmatch_tournament::waiting;

use super::exit::{Exit, Failure};
use super::output::print;
use super::run::{playing_is_held, waits_for_a_yes};
use super::which_run::WhichRunArgs;

/// How far a run is, who was at fault, who leads
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// List duplicate games instead: those that repeat an earlier game move for move
    #[arg(long, conflicts_with = "warnings")]
    duplicates: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// No longer there
    #[arg(long, hide = true)]
    watch: bool,
    /// Also check the variations and claims of engines in all games, and show those that cannot be true; with --json, their number
    #[arg(long)]
    warnings: bool,
}

impl StatusArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.watch {
            return Err(Failure::usage(anyhow!(
                "status --watch is no longer there: call `watch -n 5 swissmatch status`, or look at the page of `swissmatch serve`"
            )));
        }
        let run = self.run.open()?;
        if self.duplicates {
            let found = Duplicates::find(&run.state);
            return Ok(print(&match self.json {
                true => found.json(&run.state),
                false => found.page(&run.state).text(machine::columns()),
            }));
        }
        let games: Vec<_> = run.state.finished_games().collect();
        let warned = match self.warnings {
            true => Some(run::warnings::of_games(&run, &games).map_err(|error| Failure::machine(anyhow!(error)))?),
            false => None,
        };
        let now = jiff::Timestamp::now();
        let ends = open_run::ends(&run.logged).map_err(Failure::machine)?;
        let wait = waiting::awaited(&run.state, &director::coming(&run.state), ends, now);
        let wait = wait.filter(|_| run.state.orders().paused.is_none());
        if self.json {
            let counts = warned.map(|warned| warnings::by_player(&run.state, &warned));
            return Ok(print(&summary::json(&run.state, wait, counts)));
        }
        let warned = match warned {
            None => String::new(),
            Some(warned) => {
                let unopened =
                    run::warnings::unopened(&run, &games).map_err(|error| Failure::machine(anyhow!(error)))?;
                let unopened = warnings::unopened(&run.state, &unopened);
                format!("\n{unopened}\n{}", warnings::text(&run.state, &warned))
            }
        };
        let runner = match (run_dir::taken(&run.dir), event_is_over(&run.state)) {
            (Some(true), _) => "A runner is at work on it.",
            (_, true) => "The event is over.",
            (_, false) if ties::waits_for_decision(&run.state) => {
                "The event waits for the arbiter: `swissmatch arbiter decide`; to go on after that, call `swissmatch run` with its event file."
            }
            (_, false) if schedule::waits_for_rulings(&run.state) => {
                "The event waits for the arbiter; to go on after that, call `swissmatch run` with its event file."
            }
            (None, false) => "Only its owner can see whether a runner is at work on it.",
            (Some(false), false) => "No runner is at work on it; to go on, call `swissmatch run` with its event file.",
        };
        let summary = summary::text(&run.state, machine::columns());
        let zone = &run.state.setup().schedule.time_zone;
        let wait = wait.map_or_else(String::new, |wait| {
            format!("Waiting: {}\n", report::waiting::sentence(wait, now, zone))
        });
        let held = playing_is_held(&run.state).or_else(|| waits_for_a_yes(&run.state));
        let rulings = report::interruptions::held(&run.state);
        let held: String = held
            .into_iter()
            .chain(rulings)
            .map(|line| format!("{line}\n"))
            .collect();
        let said = folded(&format!("{wait}{held}{runner}"), machine::columns());
        Ok(print(&format!("{}\n\n{said}{warned}", summary.trim_end())))
    }
}
