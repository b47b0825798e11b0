//! Who is there before a round is paired: workers look for those who will play at them.
//!
//! May not: judge what an absence means.

use std::collections::BTreeSet;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{harmless, shortened};
use swissmatch_host::host::Report;
use swissmatch_tournament::log::PresenceChecked;

use super::{Coordinator, REPEATED};
use crate::roll::Roll;
use crate::wire::{RunnerSays, SeenThere};

impl Coordinator {
    /// The runner asks who is there: it looks itself for those `at_runner`.
    pub(super) async fn calls_the_roll(
        &mut self,
        round: u32,
        at_runner: Vec<PairingNumber>,
        players: Vec<PairingNumber>,
        limit: Duration,
    ) {
        self.rolls += 1;
        let number = (self.runner << 32) | self.rolls;
        self.roll = Some(Roll::new((number, round), at_runner, players, limit));
        self.goes_on_with_the_roll().await;
        let has_nobody = self.roll.as_ref().is_some_and(|roll| !roll.players.is_empty()) && self.there().is_empty();
        if has_nobody {
            self.remark("it is looked who is there as soon as a worker has come");
        }
    }

    pub(super) async fn abandons_the_roll(&mut self) {
        if self.roll.take().is_some() {
            self.say(None, RunnerSays::Abandon).await;
        }
    }

    /// The runner has looked for those who are at it alone.
    pub(super) async fn is_seen_at_runner(&mut self, checked: Result<PresenceChecked, String>) {
        match (self.roll.as_mut(), checked) {
            (None, _) => {}
            (Some(_), Err(lacks)) => {
                self.abandons_the_roll().await;
                self.shared.tell(Report::Present(Err(lacks)));
            }
            (Some(roll), Ok(checked)) => {
                roll.is_seen_at_runner(checked.absent);
                self.goes_on_with_the_roll().await;
            }
        }
    }

    /// A worker has looked.
    pub(super) async fn is_seen_at(&mut self, worker: &str, number: u64, seen: Result<SeenThere, String>) {
        let Some(roll) = self.roll.as_mut() else { return };
        let (seen, lacks) = match seen {
            Ok(seen) => (seen, None),
            Err(lacks) => {
                let nothing = SeenThere {
                    players: Vec::new(),
                    absent: Vec::new(),
                };
                (nothing, Some(lacks))
            }
        };
        if !roll.is_answered(worker, number, seen) {
            return;
        }
        if let Some(lacks) = lacks {
            let lacks = shortened(harmless(&lacks).trim(), REPEATED);
            self.remark(&format!("worker {} cannot see who is there: {lacks}", harmless(worker)));
        }
        self.goes_on_with_the_roll().await;
        if let Some(roll) = &self.roll
            && self.has_everybody_answered(roll)
            && !roll.uncovered().is_empty()
        {
            let numbers = roll
                .uncovered()
                .iter()
                .map(|player| player.0.to_string())
                .collect::<Vec<_>>();
            self.remark(&format!(
                "no worker that is there can look for these players, so one is waited for that can: {}",
                numbers.join(", ")
            ));
        }
    }

    /// Asks who has not answered, and tells what came of it when all have.
    pub(super) async fn goes_on_with_the_roll(&mut self) {
        let (there, now, lease) = (self.there(), self.now(), self.lease);
        let Some(roll) = self.roll.as_mut() else { return };
        for worker in roll.give_up(lease, now) {
            let worker = harmless(&worker);
            self.shared
                .tell(Report::Remark(format!("worker {worker} does not say who is there")));
        }
        if let Some((checked, differing)) = roll.result(&there) {
            self.roll = None;
            differing.iter().for_each(|sentence| self.remark(sentence));
            return self.shared.tell(Report::Present(Ok(checked)));
        }
        let asks = RunnerSays::WhoIsThere {
            number: roll.number,
            round: roll.round,
            players: roll.players.clone(),
            limit: roll.limit,
        };
        for worker in roll.still_asked(&there, now) {
            self.say(Some(&worker), asks.clone()).await;
        }
    }

    fn has_everybody_answered(&self, roll: &Roll) -> bool {
        self.there().iter().all(|worker| roll.has_answered(worker))
    }

    /// Workers that begin games.
    fn there(&self) -> BTreeSet<String> {
        let there = self.staff.names().filter(|worker| !self.staff.is_leaving(worker));
        there.map(str::to_owned).collect()
    }
}
