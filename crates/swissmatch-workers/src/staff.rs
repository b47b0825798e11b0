//! The workers of an event: which of the runner's slots are whose.
//!
//! A slot is given to a worker when it comes, and is closed when it goes: by its word, or by silence. May not: ask the time; know what is
//! played there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use swissmatch_game::record::GameId;

use crate::wire::{VERSION, WorkerCard};

/// All who play, and the slots for them.
#[derive(Debug)]
pub(crate) struct Staff {
    /// The class of machines that is needed; `None`: any.
    class: Option<String>,
    /// Slots that nobody has.
    free: BTreeSet<usize>,
    workers: BTreeMap<String, Worker>,
    /// Who gets no games, and why.
    refused: BTreeMap<String, String>,
}

/// One who is there.
#[derive(Debug)]
struct Worker {
    card: WorkerCard,
    /// When it said something last.
    heard: Duration,
    slots: Vec<usize>,
}

/// What follows from what a worker says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Follows {
    /// It is new, so that the log is to have it.
    pub is_new: bool,
    /// All that it had is lost: it was started anew.
    pub is_anew: bool,
    /// Slots that are its own from here on.
    pub opened: Vec<usize>,
    /// Slots that are no longer.
    pub closed: Vec<usize>,
    /// Why it gets no games.
    pub refused: Option<String>,
}

impl Staff {
    /// Nobody yet, with these slots of the runner's for whoever comes.
    pub(crate) fn new(slots: Range<usize>, class: Option<String>) -> Self {
        Self {
            class,
            free: slots.collect(),
            workers: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// A worker says that it is there, with the agents of this card of the event.
    pub(crate) fn heard(&mut self, name: &str, card: WorkerCard, now: Duration) -> Follows {
        let refused = match self.refused.get(name) {
            Some(why) => Some(why.clone()),
            None => self.why_not(&card),
        };
        if refused.is_some() {
            let closed = self.leaves(name);
            return Follows {
                closed,
                refused,
                ..Follows::default()
            };
        }
        let before = self.workers.get(name).map(|worker| worker.card.session);
        let is_anew = before.is_some_and(|session| session != card.session);
        let mut closed = if is_anew { self.leaves(name) } else { Vec::new() };
        let wanted = if card.is_leaving { 0 } else { card.slots };
        let is_new = before != Some(card.session);
        let worker = self.workers.entry(name.to_owned()).or_insert(Worker {
            card: card.clone(),
            heard: now,
            slots: Vec::new(),
        });
        (worker.card, worker.heard) = (card, now);
        let mut opened = Vec::new();
        while worker.slots.len() < wanted
            && let Some(slot) = self.free.pop_first()
        {
            worker.slots.push(slot);
            opened.push(slot);
        }
        let too_many = worker.slots.split_off(wanted.min(worker.slots.len()));
        self.free.extend(&too_many);
        closed.extend(too_many);
        Follows {
            is_new,
            is_anew,
            opened,
            closed,
            refused: None,
        }
    }

    /// Whether how fast a machine is may count: limits are times.
    pub(crate) const fn is_of_one_class(&self) -> bool {
        self.class.is_some()
    }

    /// Why a worker cannot have games.
    fn why_not(&self, card: &WorkerCard) -> Option<String> {
        if card.version != VERSION {
            return Some(format!(
                "it speaks version {} of what runner and workers say, and the runner {VERSION}: both need the same release",
                card.version
            ));
        }
        let class = self.class.as_ref().filter(|class| **class != card.class)?;
        Some(format!(
            "its machine is of the class \"{}\", and the event is played on \"{class}\"; where these are alike, start it with --class",
            card.class
        ))
    }

    /// A worker has sent what cannot be, and gets no more games; the slots that were its own.
    pub(crate) fn dismiss(&mut self, name: &str, why: String) -> Vec<usize> {
        self.refused.insert(name.to_owned(), why);
        self.leaves(name)
    }

    /// A worker is gone; the slots that were its own.
    pub(crate) fn leaves(&mut self, name: &str) -> Vec<usize> {
        let slots = self.workers.remove(name).map(|worker| worker.slots);
        let slots = slots.unwrap_or_default();
        self.free.extend(&slots);
        slots
    }

    /// Who has said nothing since then.
    pub(crate) fn silent(&self, since: Duration) -> Vec<String> {
        let silent = self.workers.iter().filter(|(_, worker)| worker.heard < since);
        silent.map(|(name, _)| name.clone()).collect()
    }

    /// Whether a worker has said that it leaves.
    pub(crate) fn is_leaving(&self, name: &str) -> bool {
        self.workers.get(name).is_some_and(|worker| worker.card.is_leaving)
    }

    /// Who is there.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.workers.keys().map(String::as_str)
    }

    /// Whose a slot is.
    pub(crate) fn at(&self, slot: usize) -> Option<&str> {
        let of_slot = |(_, worker): &(&String, &Worker)| worker.slots.contains(&slot);
        self.workers.iter().find(of_slot).map(|(name, _)| name.as_str())
    }

    /// What a worker has and keeps, by its own word.
    pub(crate) fn has(&self, name: &str) -> BTreeSet<(GameId, u32)> {
        let card = self.workers.get(name).map(|worker| &worker.card);
        card.iter()
            .flat_map(|card| card.has.iter().chain(&card.kept))
            .copied()
            .collect()
    }

    /// Games that are under way at workers, or were played there and have not come.
    pub(crate) fn under_way(&self) -> BTreeMap<(GameId, u32), String> {
        let of_worker = |(name, worker): (&String, &Worker)| {
            let games = worker.card.has.iter().chain(&worker.card.kept);
            let games: Vec<_> = games.map(|game| (*game, name.clone())).collect();
            games
        };
        self.workers.iter().flat_map(of_worker).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(session: u64, slots: usize) -> WorkerCard {
        WorkerCard {
            version: VERSION,
            software: String::new(),
            session,
            class: "fast".to_owned(),
            machine: serde_json::Value::Null,
            card: String::new(),
            slots,
            has: Vec::new(),
            kept: Vec::new(),
            is_leaving: false,
        }
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn slots_are_whose_who_is_there() {
        let mut staff = Staff::new(2..6, None);
        let came = staff.heard("A", card(1, 3), at(0));
        assert!(came.is_new && !came.is_anew);
        assert_eq!((came.opened, came.closed), (vec![2, 3, 4], vec![]));
        assert_eq!(staff.heard("A", card(1, 3), at(1)), Follows::default());
        assert_eq!(staff.heard("B", card(1, 3), at(1)).opened, [5]);
        assert_eq!((staff.at(4), staff.at(5), staff.at(6)), (Some("A"), Some("B"), None));
        // One slot less; the other one takes it when it says something again.
        assert_eq!(staff.heard("A", card(1, 2), at(2)).closed, [4]);
        assert_eq!(staff.heard("B", card(1, 3), at(2)).opened, [4]);
        // Started anew it has lost what it had.
        let anew = staff.heard("A", card(2, 2), at(3));
        assert!(anew.is_new && anew.is_anew);
        assert_eq!((anew.closed, anew.opened), (vec![2, 3], vec![2, 3]));
        assert_eq!(staff.silent(at(3)), ["B"]);
        assert_eq!(staff.leaves("B"), [5, 4]);
        let leaving = WorkerCard {
            is_leaving: true,
            ..card(2, 2)
        };
        assert_eq!(staff.heard("A", leaving, at(4)).closed, [2, 3]);
    }

    #[test]
    fn another_class_another_version_and_who_was_sent_away_get_no_games() {
        let mut staff = Staff::new(0..4, Some("fast".to_owned()));
        assert_eq!(staff.heard("A", card(1, 1), at(0)).opened, [0]);
        let slow = WorkerCard {
            class: "slow".to_owned(),
            ..card(1, 1)
        };
        assert!(staff.heard("B", slow, at(0)).refused.is_some());
        let newer = WorkerCard {
            version: VERSION + 1,
            ..card(1, 1)
        };
        assert!(staff.heard("C", newer, at(0)).refused.is_some());
        assert_eq!(staff.dismiss("A", "it lied".to_owned()), [0]);
        let again = staff.heard("A", card(2, 1), at(1));
        assert_eq!((again.refused.as_deref(), again.opened), (Some("it lied"), vec![]));
        assert_eq!(staff.names().count(), 0);
    }
}
