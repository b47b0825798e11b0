//! How sure the places are, as in `standings --confidence`.
//!
//! May not: draw samples; that is `swissmatch_stats`.

use swiss_system::pairing::rounds::TournamentFormat;

use super::super::confidence;
use super::super::sampled::SampledPlaces;
use super::super::table::Page;
use swissmatch_stats::confidence::confidence as drawn;
use swissmatch_tournament::resampled::{FixedBoard, resampled};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

/// The default of `standings --confidence`, so that both have the same figures.
const SAMPLES: u32 = 1000;
/// Most rounds of all players together while an event goes on. With more, drawing takes longer than everything else on the page, which is
/// written again and again: 360 take a tenth of a second on two cores, 2200 more than half a second.
const MOST: usize = 1000;
/// Like [`MOST`], but once the event is over, as the page no longer changes.
const MOST_AT_THE_END: usize = 10_000;

/// How sure the places of an event without parts are.
pub(super) enum Sure {
    /// The standings with columns for it.
    Page(Page),
    /// A sentence in its place.
    Note(String),
    /// Nothing: it is too early, or the question makes no sense here.
    Nothing,
}

/// The answer after `rounds` rounds; `named` gives the name of a board in the event.
pub(super) fn of(state: &State, rounds: usize, named: &dyn Fn(FixedBoard) -> FixedBoard) -> Sure {
    let has_answer = state.created().format != TournamentFormat::Knockout && state.house_players().next().is_none();
    if rounds == 0 || !has_answer || state.rounds_over() < rounds {
        return Sure::Nothing;
    }
    let Ok((event, fixed)) = resampled(state, rounds) else {
        return Sure::Nothing;
    };
    let most = if event_is_over(state) { MOST_AT_THE_END } else { MOST };
    if state.player_count() * rounds > most {
        return Sure::Note(
            "How sure the places are is left out here, because the event is large: `swissmatch standings RUN --confidence`."
                .to_owned(),
        );
    }
    let rng_seed = state.setup().event.rng_seed;
    let fixed: Vec<FixedBoard> = fixed.into_iter().map(named).collect();
    let places = drawn(&event, rng_seed, SAMPLES, || ());
    Sure::Page(confidence::page(
        state,
        rounds,
        &SampledPlaces {
            places: &places,
            samples: SAMPLES,
            rng_seed,
            fixed: &fixed,
        },
    ))
}
