//! The workers of an event, and which of the runner's slots each has.
//!
//! A slot is given to a worker when it comes, and closed when it goes, by its word or by silence. May not: ask the
//! time; know what is played there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use swissmatch_game::record::GameId;

use crate::wire::{VERSION, WorkerCard};

/// The most bytes that a worker may say about its machine.
const MOST_TOLD: usize = 8 << 10;
/// How far a machine's speed may differ from that of others, in percent.
const NEAR: u64 = 3;

/// All workers, and the slots for them.
#[derive(Debug)]
pub(crate) struct Staff {
    /// What machines must be like; `None` if any will do.
    alike: Option<Alike>,
    /// Free slots: those for games without GPUs, and those for any game.
    free: [BTreeSet<usize>; 2],
    /// How many GPUs a game may need.
    gpus_a_game: usize,
    workers: BTreeMap<String, StaffMember>,
    /// Workers that get no games, with the reason.
    refused: BTreeMap<String, String>,
}

/// A worker that is there.
#[derive(Debug)]
struct StaffMember {
    card: WorkerCard,
    /// When it last said something.
    heard: Duration,
    slots: [Vec<usize>; 2],
}

/// The requirements for machines on which agents play alike.
#[derive(Debug)]
pub(crate) struct Alike {
    class: String,
    /// Positions per second by worker; the runner's own machine, if it plays, is "".
    speeds: BTreeMap<String, u64>,
}

impl Alike {
    /// Requires this class; `own` is the speed of the runner's machine, in positions per second, if it plays.
    pub(crate) fn new(class: String, own: Option<u64>) -> Self {
        let speeds = own.map(|speed| (String::new(), speed)).into_iter().collect();
        Self { class, speeds }
    }

    /// Why games cannot be played on a machine, as a sentence without its end. A machine that has come before is
    /// measured anew.
    fn refuses(&self, name: &str, card: &WorkerCard) -> Option<String> {
        if self.class != card.class {
            return Some(format!(
                "its machine is of the class \"{}\", and the event is played on \"{}\"; where these are alike, start it with --class",
                card.class, self.class
            ));
        }
        // An earlier runner has let it in, and the games that it plays now would slow it down.
        if card.has_had_games {
            return None;
        }
        let others = self.speeds.iter().filter(|(worker, _)| *worker != name);
        let mut others: Vec<u64> = others.map(|(_, speed)| *speed).collect();
        others.sort_unstable();
        let (last, count) = (others.get(others.len() / 2)?, others.len());
        let median = u64::midpoint(others[(count - 1) / 2], *last);
        let speed = card.speed.unwrap_or(0);
        let is_near = speed.abs_diff(median).saturating_mul(100) <= median.saturating_mul(NEAR);
        (!is_near).then(|| {
            format!(
                "its speed is {speed} positions a second and the median of the other machines is {median}; where limits are times they may be \
                 {NEAR} % apart at most. It is measured at the start: start it again when nothing else runs there"
            )
        })
    }
}

/// What follows from a message of a worker.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Follows {
    /// It is new, so it has to go into the log.
    pub is_new: bool,
    /// It was started anew, so everything it had is lost.
    pub is_anew: bool,
    /// Slots that it has from here on.
    pub opened: Vec<usize>,
    /// Slots that it no longer has.
    pub closed: Vec<usize>,
    /// The reason why it gets no games.
    pub refused: Option<String>,
    /// It lacks GPUs for games that may need some.
    pub lacks_gpus: bool,
}

impl Staff {
    /// A staff without workers yet. `slots` are the runner's slots for workers: for games without GPUs, and for any
    /// game. A game may need `gpus_a_game` GPUs.
    pub(crate) fn new(slots: [Range<usize>; 2], alike: Option<Alike>, gpus_a_game: usize) -> Self {
        Self {
            alike,
            free: slots.map(Iterator::collect),
            gpus_a_game,
            workers: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Sets how many GPUs a game may need from now on.
    pub(crate) const fn games_take(&mut self, gpus: usize) {
        self.gpus_a_game = gpus;
    }

    /// Takes a worker's message that it is there, with the agents of this card of the event.
    pub(crate) fn heard(&mut self, name: &str, card: WorkerCard, now: Duration) -> Follows {
        let before = self.workers.get(name).map(|worker| worker.card.session);
        let is_new = before != Some(card.session);
        let refused = match self.refused.get(name) {
            Some(why) => Some(why.clone()),
            None if is_new => self.why_not(name, &card),
            None => None,
        };
        if refused.is_some() {
            let closed = self.leaves(name);
            return Follows {
                closed,
                refused,
                ..Follows::default()
            };
        }
        let is_anew = before.is_some() && is_new;
        let mut closed = if is_anew { self.leaves(name) } else { Vec::new() };
        let wanted = self.wanted(&card);
        let lacks_gpus = self.gpus_a_game > 0 && wanted[1] == 0 && !card.is_leaving;
        if is_new && let Some((alike, speed)) = self.alike.as_mut().zip(card.speed) {
            alike.speeds.insert(name.to_owned(), speed);
        }
        let worker = self.workers.entry(name.to_owned()).or_insert(StaffMember {
            card: card.clone(),
            heard: now,
            slots: Default::default(),
        });
        (worker.card, worker.heard) = (card, now);
        let mut opened = Vec::new();
        for ((slots, free), wanted) in worker.slots.iter_mut().zip(&mut self.free).zip(wanted) {
            while slots.len() < wanted
                && let Some(slot) = free.pop_first()
            {
                slots.push(slot);
                opened.push(slot);
            }
            let too_many = slots.split_off(wanted.min(slots.len()));
            free.extend(&too_many);
            closed.extend(too_many);
        }
        Follows {
            is_new,
            is_anew,
            opened,
            closed,
            refused: None,
            lacks_gpus,
        }
    }

    /// How many slots a worker should have, for games without GPUs and for any game.
    fn wanted(&self, card: &WorkerCard) -> [usize; 2] {
        let slots = if card.is_leaving { 0 } else { card.slots };
        let with_gpus = card.gpus.checked_div(self.gpus_a_game).unwrap_or(0).min(slots);
        [slots - with_gpus, with_gpus]
    }

    /// True if the speed of a machine may matter, because limits are times.
    pub(crate) const fn is_of_one_class(&self) -> bool {
        self.alike.is_some()
    }

    /// Why a worker cannot have games.
    fn why_not(&self, name: &str, card: &WorkerCard) -> Option<String> {
        if card.version != VERSION {
            return Some(format!(
                "it speaks version {} of what runner and workers say, and the runner {VERSION}: both need the same release",
                card.version
            ));
        }
        let is_short = card.class.len() <= MOST_TOLD && card.machine.to_string().len() <= MOST_TOLD;
        if !is_short {
            return Some("it says more of its machine than is kept".to_owned());
        }
        self.alike.as_ref()?.refuses(name, card)
    }

    /// True if a worker has sent something impossible.
    pub(crate) fn is_refused(&self, name: &str) -> bool {
        self.refused.contains_key(name)
    }

    /// Gives a worker that has sent something impossible no more games; returns the slots that it had.
    pub(crate) fn dismiss(&mut self, name: &str, why: String) -> Vec<usize> {
        self.refused.insert(name.to_owned(), why);
        self.leaves(name)
    }

    /// Removes a worker; returns the slots that it had.
    pub(crate) fn leaves(&mut self, name: &str) -> Vec<usize> {
        if let Some(alike) = &mut self.alike {
            alike.speeds.remove(name);
        }
        let slots = self.workers.remove(name).map(|worker| worker.slots);
        let slots = slots.unwrap_or_default();
        for (free, slots) in self.free.iter_mut().zip(&slots) {
            free.extend(slots);
        }
        slots.concat()
    }

    /// Workers that have said nothing since then.
    pub(crate) fn silent(&self, since: Duration) -> Vec<String> {
        let silent = self.workers.iter().filter(|(_, worker)| worker.heard < since);
        silent.map(|(name, _)| name.clone()).collect()
    }

    /// True if a worker has said that it is leaving.
    pub(crate) fn is_leaving(&self, name: &str) -> bool {
        self.workers.get(name).is_some_and(|worker| worker.card.is_leaving)
    }

    /// The workers that are there.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.workers.keys().map(String::as_str)
    }

    /// The worker that has a slot.
    pub(crate) fn at(&self, slot: usize) -> Option<&str> {
        let of_slot = |(_, worker): &(&String, &StaffMember)| worker.slots.iter().flatten().any(|own| *own == slot);
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

    /// Games under way at workers, or played there without the result having come.
    pub(crate) fn under_way(&self) -> BTreeMap<(GameId, u32), String> {
        let of_worker = |(name, worker): (&String, &StaffMember)| {
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
            speed: None,
            slots,
            gpus: 0,
            has_had_games: false,
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
        let mut staff = Staff::new([2..6, 6..6], None, 0);
        let came = staff.heard("A", card(1, 3), at(0));
        assert!(came.is_new && !came.is_anew);
        assert_eq!((came.opened, came.closed), (vec![2, 3, 4], vec![]));
        assert_eq!(staff.heard("A", card(1, 3), at(1)), Follows::default());
        assert_eq!(staff.heard("B", card(1, 3), at(1)).opened, [5]);
        assert_eq!((staff.at(4), staff.at(5), staff.at(6)), (Some("A"), Some("B"), None));
        // It has one slot less; the other worker takes it when it next says something.
        assert_eq!(staff.heard("A", card(1, 2), at(2)).closed, [4]);
        assert_eq!(staff.heard("B", card(1, 3), at(2)).opened, [4]);
        // After a restart it has lost what it had.
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
        let alike = Alike::new("fast".to_owned(), None);
        let mut staff = Staff::new([0..4, 4..4], Some(alike), 0);
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

    #[test]
    fn machines_that_are_not_as_fast_as_the_others_get_no_games_where_limits_are_times() {
        let fast = |session, speed| WorkerCard {
            speed: Some(speed),
            ..card(session, 1)
        };
        let alike = Alike::new("fast".to_owned(), Some(1000));
        let mut staff = Staff::new([0..9, 9..9], Some(alike), 0);
        let is_refused = |staff: &mut Staff, name, card| staff.heard(name, card, at(0)).refused.is_some();
        assert!(!is_refused(&mut staff, "A", fast(1, 1030)));
        assert!(is_refused(&mut staff, "B", fast(1, 1060)));
        assert!(is_refused(&mut staff, "B", card(1, 1)), "it does not say");
        assert!(!is_refused(&mut staff, "B", fast(2, 990)), "measured anew");
        // The median is that of 990, 1000 and 1030; workers that are already there are not looked at again.
        assert!(!is_refused(&mut staff, "C", fast(1, 970)));
        assert!(!is_refused(&mut staff, "A", fast(1, 1030)));
        // Anew, beside 970, 990 and 1000.
        assert!(is_refused(&mut staff, "A", fast(2, 1030)));
    }

    #[test]
    fn slots_with_gpus_are_whose_who_has_enough_of_them() {
        let with = |slots, gpus| WorkerCard { gpus, ..card(1, slots) };
        let mut staff = Staff::new([0..4, 4..8], None, 2);
        let came = staff.heard("A", with(3, 5), at(0));
        assert_eq!((came.opened, came.lacks_gpus), (vec![0, 4, 5], false));
        let came = staff.heard("B", with(1, 1), at(0));
        assert_eq!((came.opened, came.lacks_gpus), (vec![1], true));
        // The late entry is the first of two agents that need a GPU.
        staff.games_take(1);
        let again = staff.heard("B", with(1, 1), at(1));
        assert_eq!((again.closed, again.opened), (vec![1], vec![6]));
        assert_eq!(staff.leaves("A"), [0, 4, 5]);
    }
}
