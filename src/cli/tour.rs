//! `swissmatch tour TOUR.toml`
//!
//! May not: rank anybody; touch what is stored.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::config::Loaded;
use crate::report::tour::{json, page, report};
use crate::run::open_run::OpenRun;
use crate::tournament::event::Event;
use crate::tournament::state::State;
use crate::tournament::ties::places;
use crate::tournament::tour::{TourEvent, overall};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::prepare::{Overrides, directory_of};
use super::views::{open, print};
use super::why::harmless;

/// The overall standings of a tour: tour points of its events, places, ties to be played off, who qualifies, bonuses
///
/// A tour file is an event file that names runs instead of playing any:
///
///   preset = "gct-tour"
///   [event]
///   name = "Tour 2026"
///   [tour]
///   runs = ["results/spring", "results/autumn"]     relative to the file
///   bonus = [175000, 105000, 50000]                 by overall place, shared by those level
///   qualified = 3                                   the first three are invited
///
/// Each run gives the tour points of its own [prizes] (points, outright_bonus). Players are known
/// by their names; who was not in an event has no points of it. The rules: docs/prizes.md.
///
/// `swissmatch run tour.toml` plays off what has to be (its [[player]] tables give those who are
/// tied an agent); then the directory of that run has the final standings.
///
///   swissmatch tour tour.toml
///   swissmatch tour results/tour-2026 --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Tour {
    /// The tour's event file (TOML), or the directory of the run of its play-offs
    #[arg(value_name = "TOUR.toml|RUN")]
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    form: FormFlags,
}

impl Tour {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.file.is_dir() {
            let run = open(Some(&self.file))?;
            return self.of_run(&run.state);
        }
        let loaded = self.overrides.load(&self.file)?;
        let setup = &loaded.setup;
        if setup.tour.runs.is_empty() {
            return Err(refused(
                &loaded,
                "this event is no tour; write tour.runs = [\"results/spring\", \"results/autumn\"] or the like",
            ));
        }
        let events = events(&loaded, &directory_of(&self.file)?)?;
        let overall =
            overall(&events, &setup.tour, &places(setup), &[]).map_err(|error| refused(&loaded, &error.to_string()))?;
        print(
            &self
                .form
                .text(|| page(setup, &events, &overall), || json(setup, &events, &overall)),
        )
    }

    /// The standings with what the tour's play-offs have settled.
    fn of_run(&self, state: &State) -> Result<Exit, Failure> {
        let Some((page, json)) = report(state) else {
            return Err(Failure::usage(anyhow!("this run is of an event, not of a tour")));
        };
        print(&self.form.text(|| page, || json))
    }
}

/// The events of a tour, each of a run that is over.
///
/// # Errors
/// Wrong usage, for runs that are not over, have no tour points, are there twice, or cannot be opened.
pub(super) fn events(loaded: &Loaded, directory: &Path) -> Result<Vec<TourEvent>, Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut events = Vec::new();
    for run in &loaded.setup.tour.runs {
        let at = |message: String| refused(loaded, &format!("{run}: {message}"));
        let open = OpenRun::open(Some(&directory.join(run))).map_err(|error| at(error.to_string()))?;
        let dir = std::fs::canonicalize(&open.dir).map_err(|error| at(error.to_string()))?;
        if seen.contains(&dir) {
            return Err(at("this run is there twice".to_owned()));
        }
        seen.push(dir);
        let state = &open.state;
        if crate::report::prizes::has_several(state) {
            return Err(at(
                "its sections give prizes and tour points each for itself, and a tour has one table".to_owned(),
            ));
        }
        if state.setup().prizes.points.is_empty() {
            return Err(at("its event gives no tour points (prizes.points)".to_owned()));
        }
        if !state.rounds_are_over() {
            let (over, rounds) = (state.rounds_over(), state.created().rounds);
            return Err(at(format!("it is not over: {over} of {rounds} rounds are")));
        }
        if !state.is_over() {
            return Err(at("it is not over: a play-off is open".to_owned()));
        }
        // Taking a run up again changes nothing of it.
        let mut entries = open.logged.iter().rev();
        let last = entries.find(|logged| !matches!(logged.event, Event::Resumed(_)));
        let log = last.map_or("", |last| last.hash.as_str());
        events.push(TourEvent::of(state, log));
    }
    Ok(events)
}

/// The events of a tour whose play-offs are to be run: whoever has to play must be a player of its file.
///
/// # Errors
/// As [`events`]; wrong usage also where they make no tour, or somebody who has to play has no agent.
pub(super) fn events_to_play_off(loaded: &Loaded, directory: &Path) -> Result<Vec<TourEvent>, Failure> {
    let setup = &loaded.setup;
    let events = events(loaded, directory)?;
    let overall =
        overall(&events, &setup.tour, &places(setup), &[]).map_err(|error| refused(loaded, &error.to_string()))?;
    let has_agent = |name: &&String| setup.players.iter().any(|player| player.name == **name);
    let tied = overall.open.iter().flat_map(|tie| &tie.names);
    let missing: Vec<String> = tied
        .filter(|name| !has_agent(name))
        .map(|name| harmless(name))
        .collect();
    if !missing.is_empty() {
        return Err(Failure::usage(loaded.error_at(
            "player",
            format!(
                "to be played off, and without an agent here: {}; add a [[player]] with that name and a command for each",
                missing.join(", ")
            ),
        )));
    }
    let known = |name: &String| overall.rows.iter().any(|row| row.name == *name);
    match setup.players.iter().position(|player| !known(&player.name)) {
        None => Ok(events),
        Some(stranger) => Err(Failure::usage(loaded.error_at_player(
            stranger,
            "player.name",
            "nobody of that name is in the events of the tour",
        ))),
    }
}

fn refused(loaded: &Loaded, message: &str) -> Failure {
    Failure::usage(loaded.error_at("tour.runs", message))
}
