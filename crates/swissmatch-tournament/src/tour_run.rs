//! A tour and its runs: what each event contributes, and the run that plays off its ties.

use swiss_system::pairing::history::PairingNumber;

use crate::log::{TourEvent, TourEventsError, names_of_players};
use crate::prizes;
use crate::ranking::final_places;
use crate::state::{RefinedTie, State};
use crate::ties;
use crate::tour::{Entrant, Overall, overall};

/// What a finished event contributes to a tour; `log` is the hash of the last entry of its log.
pub fn tour_event(state: &State, log: &str) -> TourEvent {
    let statement = prizes::statement(&final_places(state), &state.setup().prizes);
    let accounts = statement.accounts.iter();
    let points = accounts.map(|account| (state.player(account.player).name.clone(), account.points()));
    TourEvent {
        name: state.setup().event.name.clone(),
        points: points.collect(),
        log: log.to_owned(),
    }
}

/// The overall standings of a tour whose play-offs are a run of their own, as far as they are settled.
///
/// # Errors
/// Like [`overall`].
pub fn overall_of_run(state: &State, events: &[TourEvent]) -> Result<Overall, TourEventsError> {
    let names = names_of_players(events)?;
    let entrant = |player: &PairingNumber| {
        let name = state.player(*player).name.as_str();
        names.binary_search(&name).expect("whoever plays off is in the tour")
    };
    let refined = |playoffs: &ties::Playoffs| {
        let ties = playoffs.ties.iter().zip(&playoffs.stand.parts);
        let settled = ties.filter_map(|(tie, parts)| {
            let parts = parts.as_ref()?.iter().map(|part| part.iter().map(entrant).collect());
            Some(RefinedTie {
                first_place: tie.key.first,
                parts: parts.collect(),
                is_over: true,
            })
        });
        settled.collect::<Vec<RefinedTie<Entrant>>>()
    };
    let refined: Vec<_> = ties::at_the_end(state).iter().flat_map(refined).collect();
    let setup = state.setup();
    overall(events, &setup.tour, &ties::places(setup), &refined)
}
