//! The workers that play games of a run: the games of each, its speed, and the faults it reports.
//!
//! May not: know who is there now.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use swiss_system::text::harmless;

use super::table::{Column, Page, Table};
use swissmatch_game::record::GameId;
use swissmatch_tournament::log::Entry;

const HOUR: i64 = 3600;

/// The tally of each worker, by its key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workers(BTreeMap<String, WorkerTally>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct WorkerTally {
    /// The class of its machine.
    class: String,
    games: usize,
    /// Games that ended by a fault of an agent, as the worker reports.
    faults: usize,
    /// When it was first admitted, and when the log last had something from it.
    since: Timestamp,
    last: Timestamp,
    #[serde(skip)]
    last_game: Option<GameId>,
}

impl WorkerTally {
    /// Games per hour, from its admission to its last game.
    fn speed(&self) -> Option<i64> {
        let seconds = self.last.duration_since(self.since).as_secs();
        let games = i64::try_from(self.games).ok()?;
        (seconds > 0).then(|| games.saturating_mul(HOUR) / seconds)
    }
}

impl Workers {
    /// Counts from the entries of a log, each with its time.
    pub fn of<'a>(entries: impl IntoIterator<Item = (Timestamp, &'a Entry)>) -> Self {
        let mut workers = BTreeMap::new();
        for (at, entry) in entries {
            match entry {
                Entry::WorkerAdmitted(admitted) => {
                    let worker = workers.entry(admitted.worker.clone()).or_insert_with(|| WorkerTally {
                        class: String::new(),
                        games: 0,
                        faults: 0,
                        since: at,
                        last: at,
                        last_game: None,
                    });
                    worker.class.clone_from(&admitted.class);
                    worker.last = at;
                }
                Entry::GameFinished(finished) => {
                    let on = finished.played_on.as_deref();
                    if let Some(worker) = on.and_then(|on| workers.get_mut(&on.worker)) {
                        worker.games += 1;
                        worker.faults += usize::from(finished.termination.is_fault());
                        (worker.last, worker.last_game) = (at, Some(finished.id));
                    }
                }
                _ => {}
            }
        }
        Self(workers)
    }

    /// A line for each worker.
    pub fn page(&self) -> Page {
        let columns = vec![
            Column::names("Worker"),
            Column::words("Class"),
            Column::figures("Games"),
            Column::figures("An hour"),
            Column::figures("Faults"),
            Column::words("Last game"),
            Column::words("Heard of at"),
        ];
        let row = |(key, worker): (&String, &WorkerTally)| {
            vec![
                harmless(key),
                harmless(&worker.class),
                worker.games.to_string(),
                worker.speed().map_or_else(String::new, |speed| speed.to_string()),
                worker.faults.to_string(),
                worker.last_game.map_or_else(String::new, |game| game.to_string()),
                worker.last.strftime("%F %T UTC").to_string(),
            ]
        };
        let notes = match self.0.is_empty() {
            true => vec!["No worker has played in this run.".to_owned()],
            false => vec![
                "Faults are those of agents, as the worker tells: no record shows whether they were its own."
                    .to_owned(),
            ],
        };
        Page {
            title: "Workers".to_owned(),
            table: Table {
                columns,
                rows: self.0.iter().map(row).collect(),
            },
            notes,
        }
    }

    /// Like [`Self::page`], but for programs.
    pub fn json(&self) -> String {
        let workers = self.0.iter().map(|(key, worker)| {
            let mut value = serde_json::to_value(worker).expect("plain data");
            value["worker"] = harmless(key).into();
            value["class"] = harmless(&worker.class).into();
            value["games_an_hour"] = worker.speed().into();
            value["last_game"] = worker.last_game.map(|game| game.to_string()).into();
            value
        });
        let workers: Vec<serde_json::Value> = workers.collect();
        serde_json::to_string_pretty(&serde_json::json!({ "schema": 1, "workers": workers })).expect("plain data")
            + "\n"
    }
}
