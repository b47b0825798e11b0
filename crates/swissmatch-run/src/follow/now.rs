//! How an event that is followed stands: whether it is played, what it waits for, and until when.
//!
//! May not: tell more than the page may show.

use jiff::Timestamp;
use serde::Serialize;
use swiss_system::text::harmless;

use swissmatch_tournament::director::Coming;
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::presence;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::waiting::{self, AwaitedPlay};

use super::Follow;

/// How an event stands, as it is to be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Now {
    /// What is done.
    pub state: Doing,
    /// When what comes next begins at the earliest, as spectators see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// Why the event is paused, in the arbiter's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether the round that is played, or that comes next, is under embargo.
    pub held_back: bool,
}

/// What is done of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// Round 1 has not begun.
    Before,
    /// Games are played.
    Playing,
    /// What comes next is waited for.
    Between,
    /// The arbiter has paused it.
    Paused,
    /// It is over.
    Over,
    /// Nobody is at work on it.
    Stopped,
}

impl Follow {
    /// How it stands at `now`.
    pub fn now(&self, now: Timestamp) -> Now {
        let state = self.state();
        let nothing = |state| Now {
            state,
            next_at: None,
            why: None,
            held_back: false,
        };
        if event_is_over(state) {
            return nothing(Doing::Over);
        }
        // What spectators have not seen yet is still being played, for them.
        if !self.is_played() && !self.is_behind() {
            return nothing(Doing::Stopped);
        }
        let held_back = embargo(state).is_some_and(|rounds| next_round(state) > rounds);
        if let Some((_, reason)) = &state.orders().paused {
            return Now {
                why: embargo(state).is_none().then(|| harmless(reason)),
                held_back,
                ..nothing(Doing::Paused)
            };
        }
        let delay = self.delay();
        let seen = now.checked_sub(delay).unwrap_or(now);
        let coming = self.coming();
        let wait = waiting::awaited(state, coming, self.ends, seen);
        let is_asked = matches!(coming, Coming::Round(round) if is_asked(state, *round));
        let doing = match wait.map(|wait| wait.awaited) {
            Some(AwaitedPlay::Round(1)) => Doing::Before,
            Some(AwaitedPlay::Round(_) | AwaitedPlay::Playoff) => Doing::Between,
            _ if state.rounds().is_empty() => Doing::Before,
            // What comes at once is nothing to wait for.
            None if is_asked => Doing::Between,
            Some(AwaitedPlay::Games) | None => Doing::Playing,
        };
        let next_at = wait.filter(|_| !held_back).map(|wait| wait.until);
        Now {
            next_at: next_at.and_then(|at| at.checked_add(delay).ok()),
            held_back,
            ..nothing(doing)
        }
    }
}

/// The round that is played, or else the one that comes next.
fn next_round(state: &State) -> usize {
    let paired = state.rounds().len();
    match state.sittings().last() {
        Some(sitting) if !sitting.is_over() => paired,
        _ if state.rounds_are_over() => paired,
        _ => paired + 1,
    }
}

/// Whether somebody is asked before a round: its players whether they are there, or the arbiter whether its pairing is right.
fn is_asked(state: &State, round: u32) -> bool {
    let is_confirmed = state.orders().confirmed.as_ref().is_some_and(|(of, _)| *of == round);
    presence::is_to_be_checked(state, round) || (state.setup().arbiter.confirm_rounds && !is_confirmed)
}
