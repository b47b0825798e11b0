//! At which machine each mini-match is played, where all its games have to be at one: both players then have the same conditions in each.
//!
//! May not: choose a game.

use std::collections::{BTreeMap, BTreeSet};

use swissmatch_game::record::GameId;
use swissmatch_host::store::{Store, StoreError};
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::schedule::Home;
use swissmatch_tournament::state::State;

use super::Slot;

/// The machine of slots that say none.
const RUNNERS: &str = "";

/// Where mini-matches are; of nothing, as long as no slot says where it is.
#[derive(Debug, Default)]
pub(super) struct Homes {
    /// By their first games.
    homes: BTreeMap<GameId, String>,
    /// Slots that say where they are.
    slots: BTreeMap<usize, String>,
    /// All machines that have slots.
    there: BTreeSet<String>,
    /// Whether the runner's own has.
    has_runners: bool,
    /// Whether any slot may say where it is.
    is_asked: bool,
}

impl Homes {
    /// Where these slots are.
    pub(super) fn new(slots: &[Slot]) -> Self {
        let is_runners = |slot: &Slot| !slot.outlives && slot.takes != Takes::Beside;
        Self {
            has_runners: slots.iter().any(is_runners),
            is_asked: slots.iter().any(|slot| slot.outlives),
            ..Self::default()
        }
    }

    /// Mini-matches that a runner before this one left unfinished stay where they were.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn remember(&mut self, state: &State, store: &Store) -> Result<(), StoreError> {
        let Some(last) = state.sittings().last().filter(|_| self.is_asked) else {
            return Ok(());
        };
        let due: BTreeSet<GameId> = state.due().map(|(game, _)| *game.mini_match().start()).collect();
        let played = last.finished_games().map(|game| game.finished);
        let played = played.filter(|game| game.has_record && !game.is_taken);
        let ended = played.map(|game| (*game.id.mini_match().start(), game.entry));
        let mut latest = BTreeMap::new();
        for (first, entry) in ended.filter(|(first, _)| due.contains(first)) {
            let latest = latest.entry(first).or_insert(entry);
            *latest = entry.max(*latest);
        }
        for (first, entry) in latest {
            if let Entry::GameFinished(finished) = store.entry(entry)? {
                let place = finished.played_on.map_or_else(|| RUNNERS.to_owned(), |on| on.worker);
                self.homes.insert(first, place);
            }
        }
        Ok(())
    }

    /// A slot is at this machine from now on.
    pub(super) fn opens(&mut self, slot: usize, place: String) {
        self.slots.insert(slot, place);
        self.look();
    }

    /// A slot is there no more.
    pub(super) fn closes(&mut self, slot: usize) {
        if self.slots.remove(&slot).is_some() {
            self.look();
        }
    }

    fn look(&mut self) {
        let runners = self.has_runners.then(|| RUNNERS.to_owned());
        self.there = self.slots.values().cloned().chain(runners).collect();
    }

    /// The machine of a slot.
    pub(super) fn at(&self, slot: usize) -> &str {
        self.slots.get(&slot).map_or(RUNNERS, String::as_str)
    }

    /// What binds a slot of this machine.
    pub(super) fn of_slot<'a>(&'a self, here: &'a str) -> Option<Home<'a>> {
        (!self.there.is_empty()).then_some(Home {
            homes: &self.homes,
            there: &self.there,
            here,
        })
    }

    /// A game begins there: the rest of its mini-match stays.
    pub(super) fn begins(&mut self, game: GameId, place: &str) {
        if self.is_asked {
            self.homes.insert(*game.mini_match().start(), place.to_owned());
        }
    }
}
