//! `swissmatch tour TOUR.toml`
//!
//! May not: rank anybody; touch what is stored.

use std::path::PathBuf;

use clap::Args;

use crate::config::Loaded;
use crate::report::tour::{json, page};
use crate::shell::open_run::OpenRun;
use crate::tournament::tour::{TourEvent, overall};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::prepare::{Overrides, directory_of};
use super::views::print;

/// Places of a tour that must be told from the next one: "a tie for first place and/or third place in the overall standings"
/// (Grand Chess Tour 2024, 4.1).
const BOUNDARIES: [u32; 2] = [1, 3];

/// The overall standings of a tour: tour points of its events, places, ties to be played off, who qualifies, bonuses
///
/// A tour file is an event file that names runs instead of playing any:
///
///   [event]
///   name = "Tour 2026"
///   [tour]
///   runs = ["results/spring", "results/autumn"]     relative to the file
///   bonus = [175000, 105000, 50000]                 by overall place, shared by those level
///   qualified = 3                                   the first three are invited
///
/// Each run gives the tour points of its own [prizes] (points, outright_bonus). Players are known by their names; who was not in an event has
/// no points of it. The rules: docs/prizes.md.
///
///   swissmatch tour tour.toml
///   swissmatch tour tour.toml --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Tour {
    /// The tour's event file (TOML)
    #[arg(value_name = "TOUR.toml")]
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    form: FormFlags,
}

impl Tour {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let loaded = self.overrides.load(&self.file)?;
        let setup = &loaded.setup;
        if setup.tour.runs.is_empty() {
            return Err(refused(
                &loaded,
                "this event is no tour; write tour.runs = [\"results/spring\", \"results/autumn\"] or the like",
            ));
        }
        let directory = directory_of(&self.file)?;
        let mut seen: Vec<PathBuf> = Vec::new();
        let mut events = Vec::new();
        for run in &setup.tour.runs {
            let at = |message: String| refused(&loaded, &format!("{run}: {message}"));
            let open = OpenRun::open(Some(&directory.join(run))).map_err(|error| at(error.to_string()))?;
            let dir = std::fs::canonicalize(&open.dir).map_err(|error| at(error.to_string()))?;
            if seen.contains(&dir) {
                return Err(at("this run is there twice".to_owned()));
            }
            seen.push(dir);
            let state = &open.state;
            if state.setup().prizes.points.is_empty() {
                return Err(at("its event gives no tour points (prizes.points)".to_owned()));
            }
            if !state.is_over() {
                let (over, rounds) = (state.rounds_over(), state.created().rounds);
                return Err(at(format!("it is not over: {over} of {rounds} rounds are")));
            }
            events.push(TourEvent::of(state));
        }
        let overall =
            overall(&events, &setup.tour, &BOUNDARIES, &[]).map_err(|error| refused(&loaded, &error.to_string()))?;
        print(
            &self
                .form
                .text(|| page(setup, &events, &overall), || json(setup, &events, &overall)),
        )
    }
}

fn refused(loaded: &Loaded, message: &str) -> Failure {
    Failure::usage(loaded.error_at("tour.runs", message))
}
