//! `swissmatch tour TOUR.toml`
//!
//! May not: rank anybody; touch what is stored.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use swissmatch_report::tour::{json, page, report};
use swissmatch_run::EventFile;
use swissmatch_run::tour::events;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::places;
use swissmatch_tournament::tour::overall;

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::overrides::OverrideArgs;
use super::which_run::open;

/// The overall standings of several events
///
/// A tour file is an event file that names runs instead of playing any:
///
///   preset = "gct-tour"
///   [event]
///   name = "Tour 2026"
///   [tour]
///   runs = ["results/spring", "results/autumn"]     relative to the file
///   bonus = [175000, 105000, 50000]                 by overall place, shared by level players
///   qualified = 3                                   the first three are invited
///
/// Each run gives the tour points of its own [prizes] (points, outright_bonus). Players are
/// matched by name; a player who was not in an event gets no points from it. See docs/prizes.md
/// for the rules.
///
/// `swissmatch run tour.toml` plays off the ties that have to be played off (its [[player]]
/// tables give the tied players their agents); then the directory of that run has the final
/// standings.
///
///   swissmatch tour tour.toml
///   swissmatch tour results/tour-2026 --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TourArgs {
    /// The tour's event file (TOML), or the directory of the run of its play-offs
    #[arg(value_name = "TOUR.toml|RUN")]
    file: PathBuf,
    #[command(flatten)]
    overrides: OverrideArgs,
    #[command(flatten)]
    form: FormFlags,
}

impl TourArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.file.is_dir() {
            let run = open(Some(&self.file))?;
            return self.of_run(&run.state);
        }
        let event = self.overrides.event(&self.file)?;
        let setup = &event.loaded.setup;
        if setup.tour.runs.is_empty() {
            return Err(refused(
                &event,
                "this event is not a tour; write tour.runs = [\"results/spring\", \"results/autumn\"], for example",
            ));
        }
        let events = events(&event)?;
        let overall =
            overall(&events, &setup.tour, &places(setup), &[]).map_err(|error| refused(&event, &error.to_string()))?;
        Ok(print(&self.form.text(
            || page(setup, &events, &overall),
            || json(setup, &events, &overall),
        )))
    }

    /// The standings with what the tour's play-offs have settled.
    fn of_run(&self, state: &State) -> Result<Exit, Failure> {
        let Some((page, json)) = report(state) else {
            return Err(Failure::usage(anyhow!("this run is of an event, not of a tour")));
        };
        Ok(print(&self.form.text(|| page, || json)))
    }
}

fn refused(event: &EventFile, message: &str) -> Failure {
    Failure::usage(event.loaded.error_at("tour.runs", message))
}
