//! A presence check before a round is paired, made on several machines: the runner's own, and workers.
//!
//! A player is absent if it is absent wherever it was looked for: a machine on which an agent does not start does not
//! speak for others. May not: ask the time; look for agents itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{harmless, shortened};
use swissmatch_tournament::log::{Absence, PresenceChecked};

use crate::wire::SeenThere;

/// The most characters of what a worker says about an absence.
const REPEATED: usize = 300;

/// A presence check that has not been answered by all.
#[derive(Debug)]
pub(crate) struct PresenceRoll {
    /// The number of this check.
    pub(crate) number: u64,
    /// The round that is to be paired.
    pub(crate) round: u32,
    /// Players whom workers check.
    pub(crate) players: Vec<PairingNumber>,
    /// The time that each agent may take.
    pub(crate) limit: Duration,
    /// Players whom the runner checks.
    at_runner: Vec<PairingNumber>,
    /// Who is absent at the runner, once it has looked.
    runners: Option<Vec<Absence>>,
    /// When each worker was first asked.
    asked: BTreeMap<String, Duration>,
    answers: BTreeMap<String, SeenThere>,
    /// Workers that cannot look, or do not answer: they are still asked, but not waited for.
    without: BTreeSet<String>,
}

impl PresenceRoll {
    /// A check that begins: the runner looks for some players, workers for `players`.
    pub(crate) fn new(
        (number, round): (u64, u32),
        at_runner: Vec<PairingNumber>,
        players: Vec<PairingNumber>,
        limit: Duration,
    ) -> Self {
        Self {
            number,
            round,
            players,
            limit,
            runners: at_runner.is_empty().then(Vec::new),
            at_runner,
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
            without: BTreeSet::new(),
        }
    }

    /// Takes the runner's answer.
    pub(crate) fn is_seen_at_runner(&mut self, absent: Vec<Absence>) {
        self.runners = Some(absent);
    }

    /// The workers present that are to be asked now, including a second time because a message may have been lost.
    pub(crate) fn still_asked(&mut self, there: &BTreeSet<String>, now: Duration) -> Vec<String> {
        if self.players.is_empty() {
            return Vec::new();
        }
        // A worker that has gone is asked anew when it comes back.
        self.answers.retain(|worker, _| there.contains(worker));
        let silent = there.iter().filter(|worker| !self.answers.contains_key(*worker));
        let silent: Vec<String> = silent.cloned().collect();
        for worker in &silent {
            self.asked.entry(worker.clone()).or_insert(now);
        }
        silent
    }

    /// Drops the answer of a worker that was started anew or left.
    pub(crate) fn forget(&mut self, worker: &str) {
        self.answers.remove(worker);
    }

    /// Takes a worker's answer; returns whether it was awaited.
    pub(crate) fn is_answered(&mut self, worker: &str, number: u64, seen: SeenThere) -> bool {
        let is_awaited = number == self.number && self.asked.contains_key(worker) && !self.answers.contains_key(worker);
        if is_awaited {
            let is_one = |player: &PairingNumber| self.players.contains(player);
            let players: Vec<PairingNumber> = seen.players.into_iter().filter(is_one).collect();
            let absent = seen.absent.into_iter().filter(|one| players.contains(&one.player));
            let absent = absent.map(|one| Absence {
                why: shortened(harmless(&one.why).trim(), REPEATED).to_string(),
                ..one
            });
            let absent = absent.collect();
            self.answers.insert(worker.to_owned(), SeenThere { players, absent });
        }
        is_awaited
    }

    /// True if a worker is no longer waited for.
    fn is_done(&self, worker: &str) -> bool {
        self.answers.contains_key(worker) || self.without.contains(worker)
    }

    /// Notes that a worker cannot look; returns whether that is new.
    pub(crate) fn is_unable(&mut self, worker: &str, number: u64) -> bool {
        number == self.number && self.asked.contains_key(worker) && self.without.insert(worker.to_owned())
    }

    /// Stops waiting for workers that are there but do not answer, and returns them.
    pub(crate) fn give_up(&mut self, lease: Duration, now: Duration) -> Vec<String> {
        let players = u32::try_from(self.players.len()).unwrap_or(u32::MAX);
        let most = self
            .limit
            .saturating_mul(players.saturating_add(1))
            .saturating_add(lease * 2);
        let late = self.asked.iter().filter(|(_, at)| now.saturating_sub(**at) > most);
        let late = late.map(|(worker, _)| worker.clone());
        let late: Vec<String> = late.filter(|worker| !self.is_done(worker)).collect();
        self.without.extend(late.iter().cloned());
        late
    }

    /// Players for whom nobody has looked although nobody is waited for; empty as long as somebody is.
    pub(crate) fn uncovered(&self, there: &BTreeSet<String>) -> Vec<PairingNumber> {
        if there.iter().any(|worker| !self.is_done(worker)) {
            return Vec::new();
        }
        let is_covered = |player: &PairingNumber| {
            let looked =
                |(worker, seen): (&String, &SeenThere)| there.contains(worker) && seen.players.contains(player);
            self.at_runner.contains(player) || self.answers.iter().any(looked)
        };
        self.players
            .iter()
            .copied()
            .filter(|player| !is_covered(player))
            .collect()
    }

    /// The absent players, once every worker present has looked and every player was looked for; also sentences on
    /// players on whom machines disagree.
    pub(crate) fn result(&self, there: &BTreeSet<String>) -> Option<(PresenceChecked, Vec<String>)> {
        let runners = self.runners.as_ref()?;
        let is_awaited = |worker: &String| !self.is_done(worker);
        if !self.players.is_empty() && (there.iter().any(is_awaited) || !self.uncovered(there).is_empty()) {
            return None;
        }
        let all: BTreeSet<PairingNumber> = self.at_runner.iter().chain(&self.players).copied().collect();
        let (mut absent, mut differing) = (Vec::new(), Vec::new());
        for player in all {
            let at_runner = self
                .at_runner
                .contains(&player)
                .then_some(("the runner".to_owned(), runners));
            let at_workers = self.answers.iter();
            let at_workers =
                at_workers.filter(|(worker, seen)| there.contains(*worker) && seen.players.contains(&player));
            let at_workers = at_workers.map(|(worker, seen)| (format!("worker {}", harmless(worker)), &seen.absent));
            let looked: Vec<_> = at_runner.into_iter().chain(at_workers).collect();
            let missing = |absent: &[Absence]| absent.iter().find(|one| one.player == player).cloned();
            let missed: Vec<_> = looked
                .iter()
                .filter_map(|(who, absent)| Some((who, missing(absent)?)))
                .collect();
            match missed.first() {
                Some((_, first)) if missed.len() == looked.len() => absent.push(first.clone()),
                Some((who, first)) => differing.push(format!(
                    "{who} finds player {} absent, and others find it present: {}",
                    player.0, first.why
                )),
                None => {}
            }
        }
        let round = self.round;
        Some((PresenceChecked { round, absent }, differing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn players(numbers: &[u32]) -> Vec<PairingNumber> {
        numbers.iter().map(|number| PairingNumber(*number)).collect()
    }

    fn there(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn seen(looked: &[u32], absent: &[u32]) -> SeenThere {
        let absence = |player| Absence {
            player,
            why: "it does not start".to_owned(),
        };
        SeenThere {
            players: players(looked),
            absent: players(absent).into_iter().map(absence).collect(),
        }
    }

    fn absent(roll: &PresenceRoll, names: &[&str]) -> Option<Vec<u32>> {
        let (checked, _) = roll.result(&there(names))?;
        Some(checked.absent.iter().map(|one| one.player.0).collect())
    }

    #[test]
    fn absent_is_who_is_absent_wherever_it_was_looked_for() {
        let mut roll = PresenceRoll::new((7, 3), players(&[4]), players(&[1, 2, 3]), LIMIT);
        let both = there(&["A", "B"]);
        assert_eq!(roll.still_asked(&both, Duration::ZERO), ["A", "B"]);
        assert!(!roll.is_answered("A", 6, seen(&[1, 2, 3], &[1])), "of another question");
        assert!(
            !roll.is_answered("C", 7, seen(&[1, 2, 3], &[1])),
            "by nobody who was asked"
        );
        // It counts for nothing if a worker speaks of players it was not asked about.
        assert!(roll.is_answered("A", 7, seen(&[1, 2, 3, 4], &[1, 2, 4])));
        assert!(!roll.is_answered("A", 7, seen(&[1, 2, 3], &[])), "again");
        assert_eq!(roll.still_asked(&both, LIMIT), ["B"]);
        assert_eq!(absent(&roll, &["A", "B"]), None);
        roll.is_seen_at_runner(seen(&[4], &[4]).absent);
        assert_eq!(absent(&roll, &["A", "B"]), None);
        assert_eq!(absent(&roll, &["A"]), Some(vec![1, 2, 4]), "B has gone");
        assert!(roll.is_answered("B", 7, seen(&[1, 2, 3], &[2])));
        assert_eq!(absent(&roll, &["A", "B"]), Some(vec![2, 4]));
        let (_, differing) = roll.result(&both).expect("all have looked");
        assert_eq!(
            differing,
            ["worker A finds player 1 absent, and others find it present: it does not start"]
        );
    }

    #[test]
    fn nobody_is_absent_for_whom_nobody_has_looked() {
        let mut roll = PresenceRoll::new((1, 1), Vec::new(), players(&[1, 2]), LIMIT);
        assert_eq!(absent(&roll, &[]), None, "nobody is there who could look");
        roll.still_asked(&there(&["A"]), Duration::ZERO);
        // It has no GPU for player 2.
        assert!(roll.is_answered("A", 1, seen(&[1], &[])));
        assert_eq!(
            (absent(&roll, &["A"]), roll.uncovered(&there(&["A"]))),
            (None, players(&[2]))
        );
        assert_eq!(roll.still_asked(&there(&["A", "B"]), Duration::ZERO), ["B"]);
        assert_eq!(roll.give_up(LIMIT, LIMIT), Vec::<String>::new());
        assert_eq!(roll.give_up(LIMIT, LIMIT * 6), ["B"]);
        assert_eq!(absent(&roll, &["A", "B"]), None);
        assert!(!roll.is_unable("B", 1), "it is not waited for any more");
        // A later answer counts, even after a restart.
        roll.forget("B");
        assert_eq!(roll.still_asked(&there(&["A", "B"]), LIMIT * 6), ["B"]);
        assert!(roll.is_answered("B", 1, seen(&[2], &[2])));
        assert_eq!(absent(&roll, &["A"]), None, "who has gone says nothing");
        assert_eq!(absent(&roll, &["A", "B"]), Some(vec![2]));
    }
}
