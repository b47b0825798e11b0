//! Presence checks before a round is paired: workers check the players who will play at them.
//!
//! May not: judge what an absence means.

use std::collections::BTreeSet;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{harmless, shortened};
use swissmatch_host::host::HostReport;
use swissmatch_tournament::log::PresenceChecked;

use super::{Coordinator, REPEATED};
use crate::roll::PresenceRoll;
use crate::wire::{RunnerSays, SeenThere};

impl Coordinator {
    /// Starts a presence check for the runner, which checks the players `at_runner` itself.
    pub(super) async fn calls_the_roll(
        &mut self,
        round: u32,
        at_runner: Vec<PairingNumber>,
        players: Vec<PairingNumber>,
        limit: Duration,
    ) {
        self.rolls += 1;
        let number = (self.runner << 32) | self.rolls;
        self.roll = Some(PresenceRoll::new((number, round), at_runner, players, limit));
        self.goes_on_with_the_roll().await;
        let has_nobody = self.roll.as_ref().is_some_and(|roll| !roll.players.is_empty()) && self.there().is_empty();
        if has_nobody {
            self.remark("presence is checked as soon as a worker is there");
        }
    }

    pub(super) async fn abandons_the_roll(&mut self) {
        if self.roll.take().is_some() {
            self.say(None, RunnerSays::Abandon).await;
        }
    }

    /// Takes the runner's result on the players who play only there.
    pub(super) async fn is_seen_at_runner(&mut self, checked: Result<PresenceChecked, String>) {
        match (self.roll.as_mut(), checked) {
            (None, _) => {}
            (Some(_), Err(lacks)) => {
                self.abandons_the_roll().await;
                self.shared.tell(HostReport::Present(Err(lacks)));
            }
            // The answer belongs to an earlier check.
            (Some(roll), Ok(checked)) if checked.round != roll.round => {}
            (Some(roll), Ok(checked)) => {
                roll.is_seen_at_runner(checked.absent);
                self.goes_on_with_the_roll().await;
            }
        }
    }

    /// Takes a worker's result.
    pub(super) async fn is_seen_at(&mut self, worker: &str, number: u64, seen: Result<SeenThere, String>) {
        let Some(roll) = self.roll.as_mut() else { return };
        let is_news = match seen {
            Ok(seen) => roll.is_answered(worker, number, seen),
            Err(lacks) => {
                let is_news = roll.is_unable(worker, number);
                if is_news {
                    let (worker, lacks) = (
                        harmless(worker),
                        shortened(harmless(&lacks).trim(), REPEATED).to_string(),
                    );
                    self.remark(&format!("worker {worker} cannot check who is present: {lacks}"));
                }
                is_news
            }
        };
        if !is_news {
            return;
        }
        self.goes_on_with_the_roll().await;
        let there = self.there();
        let uncovered = self.roll.as_ref().map_or_else(Vec::new, |roll| roll.uncovered(&there));
        if !uncovered.is_empty() {
            let numbers: Vec<String> = uncovered.iter().map(|player| player.0.to_string()).collect();
            self.remark(&format!(
                "no worker that is there can check these players, so the round waits for one that can: {}",
                numbers.join(", ")
            ));
        }
    }

    /// Asks workers that have not answered, and reports the result once all have.
    pub(super) async fn goes_on_with_the_roll(&mut self) {
        let (there, now, lease) = (self.there(), self.now(), self.lease);
        let Some(roll) = self.roll.as_mut() else { return };
        for worker in roll.give_up(lease, now) {
            let worker = harmless(&worker);
            self.shared.tell(HostReport::Remark(format!(
                "worker {worker} has not said who is present"
            )));
        }
        if let Some((checked, differing)) = roll.result(&there) {
            self.roll = None;
            differing.iter().for_each(|sentence| self.remark(sentence));
            return self.shared.tell(HostReport::Present(Ok(checked)));
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

    /// Workers that begin games.
    fn there(&self) -> BTreeSet<String> {
        let there = self.staff.names().filter(|worker| !self.staff.is_leaving(worker));
        there.map(str::to_owned).collect()
    }
}
