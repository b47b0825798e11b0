//! The events of a tour, as they are known to a run that plays off its ties.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use swiss_system::standings::value::Value;

use crate::names::{DIFFERENCE, TakenNames};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourEvent {
    pub name: String,
    /// Its players by name, with their tour points.
    pub points: Vec<(String, Value)>,
    /// The hash of the last entry of its run's log that is not a `resumed`, in hexadecimal: it says which run it was,
    /// and how far it had come.
    pub log: String,
}

/// Why events do not make a tour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TourEventsError {
    /// Players are told apart by their names, and these are too much alike.
    #[error("{0} and {1} read alike, and players of a tour are known by their names; {DIFFERENCE}")]
    NamesAlike(String, String),
}

/// The names of all players of these events, sorted.
///
/// # Errors
/// The names do not tell the players apart.
pub(crate) fn names_of_players(events: &[TourEvent]) -> Result<Vec<&str>, TourEventsError> {
    let all = events
        .iter()
        .flat_map(|event| event.points.iter().map(|(name, _)| name.as_str()));
    let names: BTreeSet<&str> = all.collect();
    let mut taken = TakenNames::new();
    for &name in &names {
        if let Err(other) = taken.take(name, name) {
            return Err(TourEventsError::NamesAlike(other.to_owned(), name.to_owned()));
        }
    }
    Ok(names.into_iter().collect())
}
