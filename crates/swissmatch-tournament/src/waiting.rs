//! What an event waits for that only the passing of time can bring.
//!
//! May not: ask the time; wait.

use std::time::Duration;

use jiff::Timestamp;

use super::director::Coming;
use super::playoff::stand::Due;
use super::state::{BrokenLogError, State};
use super::ties;
use super::timetable::{RoundTimes, Timetable};
use crate::log::Entry;

/// The times at which things ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The end of the last game.
    game: Option<Timestamp>,
    /// The last pairing of a round, which may have no game.
    pairing: Option<Timestamp>,
    /// The arbiter's last act that changed who is tied.
    tied: Option<Timestamp>,
    /// How far the clock on the wall has been set back since that pairing.
    set_back: Duration,
}

impl Ends {
    /// Applies an entry of the log to the state, and keeps its time.
    ///
    /// # Errors
    /// The entry cannot follow those before it.
    pub fn apply(&mut self, state: &mut State, entry: &Entry, at: Timestamp) -> Result<(), BrokenLogError> {
        let before = matches!(entry, Entry::Acted(_)).then(|| ties::tied(state));
        state.apply(entry)?;
        match entry {
            Entry::GameFinished(_) => self.game = Some(at),
            Entry::RoundPaired(_) => (self.pairing, self.set_back) = (Some(at), Duration::ZERO),
            // "A correction that changes who is tied starts the wait anew."
            Entry::Acted(_) if before.is_some_and(|before| before != ties::tied(state)) => self.tied = Some(at),
            _ => {}
        }
        Ok(())
    }

    /// The clock on the wall has been set back by this much: the past stays as long ago as it was.
    pub fn set_back(&mut self, by: Duration) {
        let earlier = |at: Timestamp| at.checked_sub(by).unwrap_or(Timestamp::MIN);
        self.game = self.game.map(earlier);
        self.pairing = self.pairing.map(earlier);
        self.tied = self.tied.map(earlier);
        self.set_back += by;
    }

    /// An end after `now` was timed by a clock that has been set back since, and its true age is unknown: it counts as
    /// ended now.
    #[must_use]
    pub fn not_after(self, now: Timestamp) -> Self {
        let sooner = |at: Timestamp| at.min(now);
        Self {
            game: self.game.map(sooner),
            pairing: self.pairing.map(sooner),
            tied: self.tied.map(sooner),
            ..self
        }
    }

    /// When the last round ended; `None` before the first.
    pub fn round(self) -> Option<Timestamp> {
        self.game.max(self.pairing)
    }

    pub fn last_game(self) -> Option<Timestamp> {
        self.game
    }

    /// Since when the players of the play-off have been known.
    fn tied(self) -> Option<Timestamp> {
        self.game.max(self.tied)
    }
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedPlay {
    /// The first games of a round, from 1.
    Round(u32),
    Playoff,
    /// The next games of what is being played: the window is closed.
    Games,
}

/// What is waited for, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What is to begin or go on.
    pub awaited: AwaitedPlay,
    /// Not before this.
    pub until: Timestamp,
}

/// The times of what comes next; `None` if it can go ahead without waiting.
pub fn plan(state: &State, coming: &Coming, ends: Ends, now: Timestamp) -> Option<(AwaitedPlay, RoundTimes)> {
    let timetable = Timetable::from(state.setup());
    match coming {
        Coming::Round(round) => Some((AwaitedPlay::Round(*round), timetable.round(*round, ends.round(), now))),
        Coming::Playoffs(playoffs) => {
            let held = state.rounds().last().map_or(0, |round| round.playoffs.len());
            // "That time is for protests, so lots and pairing numbers are drawn at its end."
            let begins = held == 0 && matches!(playoffs.stand.due, Due::Lots(_) | Due::Round(_));
            begins.then(|| (AwaitedPlay::Playoff, timetable.playoff(ends.tied(), now)))
        }
        Coming::Nothing | Coming::Stop(_) | Coming::Withdrawals(_) | Coming::Stage(_) => None,
    }
}

/// The first instant, not before `now`, at which a game of the last sitting may begin. A round that begins a set time
/// after the one before, and not at an instant of its own, is not put off by a clock on the wall that is set back.
pub fn games_may_begin(state: &State, ends: Ends, now: Timestamp) -> Timestamp {
    let last = state.rounds().last();
    // A play-off begins as soon as it is paired.
    let starts = last
        .filter(|round| round.playoffs.is_empty())
        .and_then(|round| round.starts);
    let (round, keys) = (state.rounds().len(), &state.setup().schedule);
    let has_instant = round <= keys.rounds_at.len() || (round == 1 && keys.start.is_some());
    let starts = starts.map(|starts| match has_instant {
        true => starts,
        false => starts.checked_sub(ends.set_back).unwrap_or(starts),
    });
    Timetable::from(state.setup()).may_begin(starts, now)
}

/// What the event waits for; `None` if it waits for nothing that time alone brings.
pub fn awaited(state: &State, coming: &Coming, ends: Ends, now: Timestamp) -> Option<Wait> {
    // What can already be paired is announced once it has been paired.
    let of_coming = plan(state, coming, ends, now).filter(|(_, plan)| plan.pair > now);
    let of_coming = of_coming.map(|(awaited, plan)| Wait {
        awaited,
        until: plan.begin,
    });
    let last = state.sittings().last().filter(|sitting| !sitting.is_over());
    let of_games = last.map(|sitting| {
        let begun = sitting.playoff > 0 || sitting.finished_games().next().is_some();
        Wait {
            awaited: if begun {
                AwaitedPlay::Games
            } else {
                AwaitedPlay::Round(sitting.round)
            },
            until: games_may_begin(state, ends, now),
        }
    });
    of_games.or(of_coming).filter(|wait| wait.until > now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_leaves_what_has_ended_as_long_ago() {
        let at = |second| Timestamp::from_second(second).expect("an instant");
        let mut ends = Ends {
            game: Some(at(5000)),
            ..Ends::default()
        };
        ends.set_back(Duration::from_secs(3600));
        assert_eq!(
            (ends.round(), ends.set_back),
            (Some(at(1400)), Duration::from_secs(3600))
        );
        assert_eq!(ends.not_after(at(1300)).round(), Some(at(1300)));
        assert_eq!(ends.not_after(at(1500)).round(), Some(at(1400)));
    }
}
