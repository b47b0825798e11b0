//! What is published of an event: everything, or during an embargo only the rounds before the last ones
//! (`publish.embargo_rounds`).
//!
//! May not: hide anything from the organizer's own commands, which read the log.

use std::borrow::Cow;

use swissmatch_game::record::GameId;

use super::state::State;

/// The number of rounds that may be published; `None` if all may: nothing is held back, or it has been released.
pub fn embargo(state: &State) -> Option<usize> {
    let held_back = state.setup().publish.embargo_rounds;
    let lasts = held_back > 0 && !state.orders().released;
    lasts.then(|| state.created.rounds.saturating_sub(held_back) as usize)
}

/// True if a game may not be published yet.
pub fn is_held_back(state: &State, id: GameId) -> bool {
    embargo(state).is_some_and(|rounds| id.round as usize > rounds)
}

/// The event with only what may be published.
pub fn published(state: &State) -> Cow<'_, State> {
    match embargo(state) {
        Some(rounds) if state.rounds.len() > rounds => Cow::Owned(up_to(state, rounds)),
        _ => Cow::Borrowed(state),
    }
}

/// The event as if only its first `rounds` rounds, with their play-offs, had been paired. The arbiter's acts on these
/// rounds count whenever they were done, and so do later entries, withdrawals and disqualifications.
pub fn up_to(state: &State, rounds: usize) -> State {
    let mut cut = state.clone();
    let is_in = |round: u32| round as usize <= rounds;
    cut.rounds.truncate(rounds);
    cut.lots.retain(|lot| is_in(lot.purpose.contest.tie.round));
    cut.void_lots.retain(|lot| is_in(lot.purpose.contest.tie.round));
    cut.decisions
        .retain(|decided| is_in(decided.decision.contest.tie.round));
    if let Some(analysis) = &mut cut.analysis {
        analysis.games.retain(|id, _| is_in(id.round));
    }
    cut.interrupted.retain(|id, _| is_in(id.round));
    let stages = state.stages();
    let begun = stages
        .iter()
        .skip(1)
        .filter(|stage| (stage.rounds_before as usize) < rounds);
    cut.fields.truncate(begun.count());
    let orders = &mut cut.orders;
    orders.presence.take_if(|(round, _)| !is_in(*round));
    orders.confirmed.take_if(|(round, _)| !is_in(*round));
    orders.awards.retain(|(round, _), _| is_in(*round));
    cut
}
