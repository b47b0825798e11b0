//! Parts of an event as events of their own, including what its play-offs settled in them.
//!
//! May not: pair or rank anybody.

use super::part::{Part, as_event, is_of_knockout, parts_of};
use super::state::{OfEvent, State};
use super::ties;
use super::ties::Playoffs;

/// The parts that had begun after the event's first `rounds` rounds, each as an event of its own, with the number of
/// those rounds that are its own.
pub fn parts_after(state: &State, rounds: usize) -> Vec<(Part, State, usize)> {
    let playoffs = ties::at_the_end(state);
    let begun = parts_of(state).into_iter().filter_map(|part| {
        let own = part.own_rounds(rounds)?;
        let event = as_event(state, &part, settled_in(state, &part, playoffs.as_ref()));
        Some((part, event, own))
    });
    begun.collect()
}

/// A part as an event of its own.
///
/// # Panics
/// If the part belongs to another event.
pub fn event_of_part(state: &State, part: &Part) -> State {
    as_event(state, part, settled_in(state, part, ties::at_the_end(state).as_ref()))
}

/// What play-offs settled in a part; `at_the_end` are the play-offs after the last round.
fn settled_in(state: &State, part: &Part, at_the_end: Option<&Playoffs>) -> OfEvent {
    let paired = u32::try_from(state.rounds().len()).expect("few rounds");
    let last = paired.min(part.rounds_before + part.rounds);
    let of_knockout = last > part.rounds_before && is_of_knockout(state, last);
    let went_through = if of_knockout {
        ties::went_through(state, last)
    } else {
        Default::default()
    };
    OfEvent {
        refined: at_the_end.map_or_else(Vec::new, |playoffs| ties::refined_of_part(playoffs, part)),
        went_through: went_through
            .into_iter()
            .filter_map(|player| part.own_number(player))
            .collect(),
    }
}
