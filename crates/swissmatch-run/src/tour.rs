//! The runs that a tour is made of.
//!
//! May not: rank anybody; touch what is stored.

use std::path::PathBuf;

use swiss_system::count;
use swiss_system::text::escaped;

use swissmatch_report::prizes;
use swissmatch_tournament::log::{Entry, TourEvent};
use swissmatch_tournament::ties::{event_is_over, places};
use swissmatch_tournament::tour::overall;
use swissmatch_tournament::tour_run::tour_event;

use super::error::RunError;
use super::event_file::EventFile;
use super::open_run::OpenRun;

/// The events of a tour, each of a run that is over.
///
/// # Errors
/// Wrong usage, for runs that are not over, have no tour points, are there twice, or cannot be opened.
pub fn events(event: &EventFile) -> Result<Vec<TourEvent>, RunError> {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut events = Vec::new();
    for run in &event.loaded.setup.tour.runs {
        let at = |message: String| refused(event, &format!("{run}: {message}"));
        let open = OpenRun::open(Some(&event.directory.join(run))).map_err(|error| at(error.to_string()))?;
        let dir = std::fs::canonicalize(&open.dir).map_err(|error| at(error.to_string()))?;
        if seen.contains(&dir) {
            return Err(at("this run is given twice".to_owned()));
        }
        seen.push(dir);
        let state = &open.state;
        if prizes::has_several(state) {
            return Err(at(
                "each of its sections gives its own prizes and tour points, but a tour has one table".to_owned(),
            ));
        }
        if state.setup().prizes.points.is_empty() {
            return Err(at("its event gives no tour points (prizes.points)".to_owned()));
        }
        if !state.rounds_are_over() {
            let (over, rounds) = (state.rounds_over(), state.created().rounds);
            return Err(at(format!(
                "it is not over: {over} of {} over",
                count::of(rounds, "round is", "rounds are")
            )));
        }
        if !event_is_over(state) {
            return Err(at("it is not over: a play-off is open".to_owned()));
        }
        // Taking a run up again changes nothing of it.
        let mut entries = open.logged.iter().rev();
        let last = entries.find(|logged| !matches!(logged.entry, Entry::Resumed(_)));
        let log = last.map_or("", |last| last.hash.as_str());
        events.push(tour_event(state, log));
    }
    Ok(events)
}

/// The events of a tour whose play-offs are to be run: whoever has to play must be a player of its file.
///
/// # Errors
/// As [`events`]; wrong usage also where they make no tour, or somebody who has to play has no agent.
pub(crate) fn events_to_play_off(event: &EventFile) -> Result<Vec<TourEvent>, RunError> {
    let setup = &event.loaded.setup;
    let events = events(event)?;
    let overall =
        overall(&events, &setup.tour, &places(setup), &[]).map_err(|error| refused(event, &error.to_string()))?;
    let has_agent = |name: &&String| setup.players.iter().any(|player| player.name == **name);
    let tied = overall.open.iter().flat_map(|tie| &tie.names);
    let missing: Vec<String> = tied.filter(|name| !has_agent(name)).map(escaped).collect();
    if !missing.is_empty() {
        return Err(RunError::Event(event.loaded.error_at(
            "player",
            format!(
                "these players have to play off, but have no agent here: {}; for each, add a [[player]] with that name and a command",
                missing.join(", ")
            ),
        )));
    }
    let known = |name: &String| overall.rows.iter().any(|row| row.name == *name);
    match setup.players.iter().position(|player| !known(&player.name)) {
        None => Ok(events),
        Some(stranger) => Err(RunError::Event(event.loaded.error_at_player(
            stranger,
            "player.name",
            "no player of this name is in the events of the tour",
        ))),
    }
}

fn refused(event: &EventFile, message: &str) -> RunError {
    RunError::Event(event.loaded.error_at("tour.runs", message))
}
