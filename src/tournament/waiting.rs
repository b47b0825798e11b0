//! What an event waits for that only time can bring.
//!
//! May not: ask the time; wait.

use jiff::Timestamp;

use super::director::Coming;
use super::event::Event;
use super::playoff::stand::Due;
use super::state::{BrokenLog, State};
use super::ties;
use super::timetable::{Plan, Timetable};

/// When what is over ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The last game.
    game: Option<Timestamp>,
    /// The last pairing of a round, which may have no game.
    pairing: Option<Timestamp>,
    /// An act of the arbiter that changed who is tied.
    tied: Option<Timestamp>,
}

impl Ends {
    /// An event was put into the log: it is applied to the state.
    ///
    /// # Errors
    /// When it cannot follow the events so far.
    pub fn apply(&mut self, state: &mut State, event: &Event, at: Timestamp) -> Result<(), BrokenLog> {
        let before = matches!(event, Event::Acted(_)).then(|| ties::tied(state));
        state.apply(event)?;
        match event {
            Event::GameFinished(_) => self.game = Some(at),
            Event::RoundPaired(_) => self.pairing = Some(at),
            // "A correction that changes who is tied starts the wait anew."
            Event::Acted(_) if before.is_some_and(|before| before != ties::tied(state)) => self.tied = Some(at),
            _ => {}
        }
        Ok(())
    }

    /// When the last round ended; `None` before the first.
    #[must_use]
    pub fn round(self) -> Option<Timestamp> {
        self.game.max(self.pairing)
    }

    /// When the last game ended.
    #[must_use]
    pub fn last_game(self) -> Option<Timestamp> {
        self.game
    }

    /// Since when it has been known who plays off.
    fn tied(self) -> Option<Timestamp> {
        self.game.max(self.tied)
    }
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The first games of a round, from 1.
    Round(u32),
    /// A play-off.
    Playoff,
    /// The next games of what is being played: the window is closed.
    Games,
}

/// What is waited for, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What.
    pub awaited: Awaited,
    /// Not before this.
    pub until: Timestamp,
}

/// When what comes next may happen; `None` where nothing but itself is in its way.
#[must_use]
pub fn plan(state: &State, coming: &Coming, ends: Ends, now: Timestamp) -> Option<(Awaited, Plan)> {
    let timetable = Timetable::from(state.setup());
    match coming {
        Coming::Round(round) => Some((Awaited::Round(*round), timetable.round(*round, ends.round(), now))),
        Coming::Playoffs(playoffs) => {
            let held = state.rounds().last().map_or(0, |round| round.playoffs.len());
            // "That time is for protests, so lots and pairing numbers are drawn at its end."
            let begins = held == 0 && matches!(playoffs.stand.due, Due::Lots(_) | Due::Round(_));
            begins.then(|| (Awaited::Playoff, timetable.playoff(ends.tied(), now)))
        }
        Coming::Nothing | Coming::Stage(_) => None,
    }
}

/// The first instant, not before `now`, at which a game of the last sitting may begin.
#[must_use]
pub fn games_may_begin(state: &State, now: Timestamp) -> Timestamp {
    let last = state.rounds().last();
    // A play-off begins when it is paired.
    let starts = last
        .filter(|round| round.playoffs.is_empty())
        .and_then(|round| round.starts);
    Timetable::from(state.setup()).may_begin(starts, now)
}

/// What the event waits for; `None` where it waits for nothing that time alone brings.
#[must_use]
pub fn awaited(state: &State, coming: &Coming, ends: Ends, now: Timestamp) -> Option<Wait> {
    // What may be paired is announced when it has been.
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
                Awaited::Games
            } else {
                Awaited::Round(sitting.round)
            },
            until: games_may_begin(state, now),
        }
    });
    of_games.or(of_coming).filter(|wait| wait.until > now)
}
