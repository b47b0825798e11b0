//! Which games begin: the conductor's games between being due and being in the log.
//!
//! May not: choose among games that are due; that is `tournament::schedule`.

use std::collections::BTreeSet;
use std::time::Instant;

use swiss_system::count;
use swiss_system::text::{harmless, shortened};
use swissmatch_game::record::GameId;
use swissmatch_host::host::{GameReport, HostOrder, IssuedGame, NotPlayedCause, Task};
use swissmatch_host::open_games::{self, GuardMessage};
use swissmatch_host::writer::Item;
use swissmatch_tournament::log::{Cause, Entry, GamesInterrupted};
use swissmatch_tournament::schedule::{self, SlotRequest};

use super::failures::Follows;
use super::{Conductor, Reader, Slot, item};

/// Most characters that the log has of what was told of a service or a machine.
const MOST_TOLD: usize = 400;

/// Games that may wait to be in the log while others begin.
const MOST_UNSAVED: usize = 1024;

/// A game that was handed out and not played, and why.
#[derive(Debug)]
pub(super) struct UnplayedGame {
    id: GameId,
    why: Cause,
}

impl Conductor {
    pub(super) fn forfeit(&mut self) {
        let room = MOST_UNSAVED.saturating_sub(self.unsaved());
        let forfeits: Vec<_> = schedule::each_forfeit(&self.state, &self.in_flight)
            .take(room)
            .collect();
        for finished in forfeits {
            self.in_flight.insert(finished.id);
            self.writer.append(item(Entry::GameFinished(finished)));
        }
    }

    /// How many games wait to be in the log.
    pub(super) fn unsaved(&self) -> usize {
        let given = self.playing.len() + self.behind().count();
        self.in_flight.len().saturating_sub(given)
    }

    /// The games that slots were given and do not play yet.
    pub(super) fn behind(&self) -> impl Iterator<Item = GameId> {
        self.slots.iter().flat_map(Slot::behind)
    }

    /// No game begins that slots were given and do not play yet: those are due again.
    pub(super) fn recall(&mut self) {
        let games: Vec<GameId> = self.behind().collect();
        if !games.is_empty() {
            self.host.order(HostOrder::Recall { games });
        }
    }

    /// A game of this slot has ended or will not be played, and it goes on with the next that it was given.
    pub(super) fn next_of(&mut self, slot: usize, over: GameId) {
        self.slots[slot].over(over);
        if let Some(next) = self.slots[slot].plays()
            && !self.playing.contains(&next)
        {
            self.begun(slot, next);
        }
    }

    /// A game begins at a slot; the guard is told of those that end with the runner.
    fn begun(&mut self, slot: usize, game: GameId) {
        self.playing.insert(game);
        if !self.slots[slot].outlives {
            open_games::tell(&GuardMessage::Begun(game));
        }
    }

    /// How many GPUs the games that slots of a group have leave over.
    pub(super) fn gpus_left(&self, group: usize) -> usize {
        let all = self.groups[group].gpus;
        if all == 0 {
            return 0;
        }
        let slots = self.slots.iter().filter(|slot| slot.group == group);
        let games = slots.filter_map(Slot::plays);
        let taken: usize = games.map(|game| schedule::gpus_of_game(&self.state, game)).sum();
        all.saturating_sub(taken)
    }

    /// The most GPUs that slots of a group have.
    pub(super) fn most_gpus(&self) -> usize {
        // Whether another machine has some is not known.
        let own = self.groups.iter().filter(|group| !group.outlives);
        own.map(|group| group.gpus).max().unwrap_or(0)
    }

    pub(super) fn hand_out(&mut self, reader: &impl Reader) {
        // Until the state knows who did not start, the next game of that mini-match would be tried in vain.
        if !self.unstarted.is_empty() {
            return;
        }
        // Games that end faster than they can be saved would fill the memory.
        if self.unsaved() >= MOST_UNSAVED {
            return;
        }
        // Slots whose engines are up choose first, or one at rest would take the next game of their mini-match.
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        order.sort_by_key(|&number| (self.slots[number].is_empty(), self.slots[number].resting));
        // Where nothing is due for one slot nothing is due for any of its group.
        let mut dry = Vec::new();
        let waiting = self.services.waiting(&self.state);
        for number in order {
            let slot = &self.slots[number];
            let site = (slot.group, self.homes.at(number).to_owned());
            let is_dry = dry.contains(&site);
            if !slot.is_free() || (is_dry && slot.resting) {
                continue;
            }
            if !reader.may_begin(self.in_flight.len()) {
                return;
            }
            let wanted = SlotRequest {
                takes: slot.takes,
                gpus: self.gpus_left(slot.group),
                seated: slot.seated,
                waiting: &waiting,
                home: self.homes.of_slot(&site.1),
            };
            let next = match is_dry {
                true => None,
                false => self.next_due(wanted),
            };
            if next.is_none() && !is_dry {
                dry.push(site.clone());
            }
            match next {
                Some(first) => {
                    let since = self.clock_runs_since();
                    let most = if since.is_some() {
                        1
                    } else {
                        self.games_a_task(slot.group)
                    };
                    let mut games = vec![first];
                    self.in_flight.insert(first);
                    while games.len() < most
                        && let Some(next) = self.next_with(first, wanted)
                    {
                        self.in_flight.insert(next);
                        games.push(next);
                    }
                    self.homes.begins(first, &site.1);
                    self.slots[number].play(&games);
                    self.begun(number, first);
                    let games = games.into_iter().map(|id| IssuedGame {
                        spec: schedule::spec(&self.state, &mut self.openings, id).expect("it is on the schedule"),
                        issue: self.state.issue_of(id),
                    });
                    let games = games.collect();
                    let task = Box::new(Task { games, since });
                    self.host.order(HostOrder::Play { slot: number, task });
                }
                // Nothing for it: its engines must not hold the machine while others play.
                None if !self.slots[number].resting => {
                    self.slots[number].rest();
                    self.host.order(HostOrder::Rest { slot: number });
                }
                None => {}
            }
        }
    }

    /// How many games a slot of a group is given at once.
    fn games_a_task(&self, group: usize) -> usize {
        self.groups[group].games_a_task.clamp(1, self.pace.games_a_task())
    }

    /// The game that a slot is given: one that could not be played only where there is no other.
    fn next_due(&self, wanted: SlotRequest<'_>) -> Option<GameId> {
        let next = |but: &BTreeSet<GameId>| schedule::next_that_it_takes(&self.state, but, &self.playing, wanted);
        let failed = &self.failures.games;
        let other = (!failed.is_empty()).then(|| next(&self.in_flight.union(failed).copied().collect()));
        other.flatten().or_else(|| next(&self.in_flight))
    }

    /// Another game that a slot may be given with this one: the next of its mini-match.
    fn next_with(&self, first: GameId, wanted: SlotRequest<'_>) -> Option<GameId> {
        let seated = Some(first);
        let wanted = SlotRequest { seated, ..wanted };
        let next = schedule::next_that_it_takes(&self.state, &self.in_flight, &self.playing, wanted)?;
        first.mini_match().contains(&next).then_some(next)
    }

    pub(super) fn played(&mut self, played: Box<GameReport>, stopping: bool) {
        let id = played.record.id;
        self.playing.remove(&id);
        if stopping && played.doubtful {
            // The signal that stops this runner ended the engine too: nobody's fault. The guard is not told that it is over:
            // whoever sent the signal interrupted it.
            self.in_flight.remove(&id);
            return self.desk.forget(id);
        }
        if !played.record.termination.was_played() {
            self.unstarted.insert(id);
        }
        match self.desk.take_end(id) {
            Some(asked) => self.ended(played, asked),
            None => self.writer.append(Item::Game(played)),
        }
    }

    /// A game that was handed out was not played.
    pub(super) fn is_due_again(&mut self, id: GameId) {
        self.in_flight.remove(&id);
        self.is_over(id);
    }

    /// A game was not played because of a service, the machine or the organizer. But for the last it is due again when the log has that, so
    /// that it is known how often that was.
    pub(super) fn was_not_played(
        &mut self,
        slot: usize,
        id: GameId,
        (whose, why): (NotPlayedCause, String),
        reader: &mut impl Reader,
    ) {
        let told = shortened(harmless(&why).trim(), MOST_TOLD);
        let why = match whose {
            NotPlayedCause::Configuration => {
                self.slots[slot].pause();
                self.is_due_again(id);
                return self.has_to_be_mended(why, reader);
            }
            NotPlayedCause::Service => {
                self.slots[slot].pause();
                match self.services.keep_waiting(&self.state, id) {
                    true => Cause::Outage(told),
                    false => Cause::Service(told),
                }
            }
            // Another machine is lost: the game may be what ends machines, so that it counts whatever else was played.
            NotPlayedCause::Host if self.slots[slot].outlives => {
                self.slots[slot].pause_longer();
                self.failures.games.insert(id);
                Cause::Machine(told)
            }
            NotPlayedCause::Host | NotPlayedCause::Machine | NotPlayedCause::Stop => {
                self.slots[slot].pause_longer();
                if whose == NotPlayedCause::Machine {
                    self.trace_shortage(reader);
                }
                match self.failures.failed(id, &self.playing, Instant::now()) {
                    Follows::Counts => Cause::Machine(told),
                    Follows::IsTheMachines => Cause::Standstill(told),
                    Follows::HasToBeMended => {
                        self.has_to_be_mended(format!("no game could be played any more: {why}"), reader);
                        Cause::Standstill(told)
                    }
                }
            }
        };
        self.is_over(id);
        self.unplayed.push(UnplayedGame { id, why });
    }

    /// No other game begins until this is mended.
    fn has_to_be_mended(&mut self, why: String, reader: &mut impl Reader) {
        if self.to_mend.is_none() {
            let left = count::of(self.playing.len(), "game", "games");
            reader.warn(&format!("no other game begins until that is mended; {left} under way"));
        }
        self.to_mend.get_or_insert(why);
        self.recall();
    }

    fn is_over(&mut self, id: GameId) {
        self.playing.remove(&id);
        open_games::tell(&GuardMessage::Over(id));
        self.desk.forget(id);
    }

    /// Has the log note the games that were not played; when nothing is being committed that may take them off the schedule.
    pub(super) fn note_unplayed(&mut self) {
        if self.pending > 0 {
            return;
        }
        for UnplayedGame { id, why } in std::mem::take(&mut self.unplayed) {
            if !self.state.is_due(id) {
                self.in_flight.remove(&id);
                continue;
            }
            self.pending += 1;
            self.writer
                .append(item(Entry::Interrupted(GamesInterrupted::of(id, why))));
        }
    }
}
