//! A run ranked by other rules: what was played stays, what it is worth changes.
//!
//! The pairings stay as they were played, although other rules might have paired otherwise.
//!
//! May not: store anything; change a game.

use crate::pairing::history::PairingNumber;
use crate::standings;
use crate::standings::Standings;
use crate::standings::results::Results;

use super::setup::{Disqualified, Setup};
use super::state::State;

/// Both standings.
#[derive(Clone, Debug)]
pub struct Rescored {
    /// By the rules of the run.
    pub before: Standings,
    /// By the other rules, without those who are out.
    pub after: Standings,
    /// What was played, as the other rules see it.
    pub results: Results,
}

/// Ranks the first `rounds` rounds by another setup; who is `out` is dealt with as its `standings.disqualified` says.
#[must_use]
pub fn rescore(state: &State, setup: Setup, rounds: usize, out: &[PairingNumber]) -> Rescored {
    let before = state.standings(rounds);
    let usage = setup.standings.disqualified;
    let state = state.by_other_rules(setup);
    let mut results = state.results(rounds);
    match usage {
        Disqualified::Annulled => results.annul(out),
        Disqualified::OffTheList => results.struck.extend_from_slice(out),
    }
    let after = standings::rank(&results, &state.setup().standings.rules());
    Rescored { before, after, results }
}
