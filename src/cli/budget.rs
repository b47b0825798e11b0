//! What ends a match or a night before all of its games are played: the time, a number of games, faults.
//!
//! May not: say what that means.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use swissmatch_game::record::GameId;
use swissmatch_report::faults::over_bound;
use swissmatch_run::conduct::{CommittedEntry, Reader, RunEnd, Stopper};
use swissmatch_tournament::log::{Entry, RoundPaired};
use swissmatch_tournament::state::{EndedGame, State};
use swissmatch_tournament::waiting::Wait;

use super::run::RunObserver;

/// Why nothing is played any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndOfPlay {
    /// There is nothing left to be played.
    Over,
    /// The time is up.
    Time,
    /// There were as many games as there may be.
    Games,
    /// An agent was at fault too often.
    AtFault,
    /// Somebody asked it to stop.
    Interrupted,
}

/// Asks a run to stop when something is used up. Games under way are finished then.
#[derive(Debug, Default)]
pub(super) struct Budget {
    until: Option<Instant>,
    /// Games that may be played; those that are taken from elsewhere are free.
    games: Option<usize>,
    /// Whether an agent at fault too often ends it.
    heeds_faults: bool,
    /// Games that were played by this runner and before.
    played: usize,
    stopper: Option<Stopper>,
    /// Why it has asked the run to stop.
    asked: Option<EndOfPlay>,
    ended: Option<(State, EndOfPlay)>,
}

impl Budget {
    /// Of a match that is over as soon as an agent is at fault too often.
    pub(super) fn of_gate(most: Option<Duration>) -> Self {
        Self {
            heeds_faults: true,
            ..Self::new(most, None)
        }
    }

    /// Of so much time and so many games.
    pub(super) fn new(most: Option<Duration>, games: Option<u32>) -> Self {
        Self {
            until: most.map(|most| Instant::now() + most),
            games: games.map(|games| games as usize),
            ..Self::default()
        }
    }

    /// How it ended, and what it left; `None`: it did not begin.
    pub(super) fn ended(self) -> Option<(State, EndOfPlay)> {
        self.ended
    }

    fn ask(&mut self, why: EndOfPlay) {
        if let (None, Some(stopper)) = (self.asked, &self.stopper) {
            stopper.stop();
            self.asked = Some(why);
        }
    }

    /// Asks for the end when all games were played that may be.
    fn count(&mut self) {
        if !self.may_begin(0) {
            self.ask(EndOfPlay::Games);
        }
    }
}

impl RunObserver for Budget {
    fn begin(&mut self, state: &State, stopper: Option<Stopper>) {
        self.stopper = stopper;
        let is_played = |game: &EndedGame| !game.finished.is_taken && game.finished.termination.was_played();
        self.played = state.finished_games().filter(is_played).count();
        self.count();
    }

    fn has_asked_to_stop(&self) -> bool {
        self.asked.is_some()
    }

    fn end(&mut self, state: &State, ended: &RunEnd) {
        let ended = match (ended, self.asked) {
            (RunEnd::Complete, _) => EndOfPlay::Over,
            (_, Some(asked)) => asked,
            _ => EndOfPlay::Interrupted,
        };
        self.ended = Some((state.clone(), ended));
    }
}

impl Reader for Budget {
    fn committed(&mut self, state: &State, committed: &CommittedEntry) {
        let Entry::GameFinished(finished) = &committed.bundle.entry else {
            return;
        };
        self.played += usize::from(finished.taken_from.is_none() && finished.termination.was_played());
        if self.heeds_faults && finished.is_faulty() && !over_bound(state).is_empty() {
            self.ask(EndOfPlay::AtFault);
        }
        self.count();
    }

    fn may_begin(&self, in_flight: usize) -> bool {
        self.games.is_none_or(|most| self.played + in_flight < most)
    }

    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            self.ask(EndOfPlay::Time);
        }
    }

    fn stopping(&mut self, _: usize) {}

    fn waiting(&mut self, _: &State, _: Option<Wait>) {}

    fn proposed(&mut self, _: &State, _: &RoundPaired) {}

    fn remark(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}
