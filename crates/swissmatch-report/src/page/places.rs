//! Why each place is above the next: the output of `swissmatch explain A B` for every two neighbours of the standings.
//!
//! May not: rank anybody.

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::{LONGEST_NAME, brief};

use super::super::html::Extra;
use super::super::standings::header;
use super::super::why::{ExplainedStandings, meaning};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// With more players the sums are left out: they would be most of the page.
const MOST_WITH_SUMS: usize = 40;

/// A column of links, and their targets.
pub(super) struct PlaceReasons {
    pub(super) links: Extra,
    pub(super) told: Markup,
}

/// The reasons after `rounds` rounds of an event without parts, or of a part; `table` is the number of its table on the page. `None` if
/// nobody is ranked by criteria yet.
pub(super) fn of(state: &State, rounds: usize, table: usize) -> Option<PlaceReasons> {
    let is_knockout = state.created().format == TournamentFormat::Knockout;
    let standings = standings_after(state, rounds);
    if rounds == 0 || is_knockout || standings.rows.len() < 2 {
        return None;
    }
    let results = results_after(state, rounds);
    let called = |number: PairingNumber| brief(&state.player(number).name, LONGEST_NAME);
    let rules = state.setup().standings.rules();
    let case = ExplainedStandings::of_event(state, &rules, (&results, &standings), &called);
    let id = |place: usize| format!("why-{table}-{place}");
    let has_sums = standings.rows.len() <= MOST_WITH_SUMS;
    let pairs = || (1..).zip(standings.rows.windows(2));
    let links = (1..standings.rows.len()).map(|place| {
        html! { a.ask href={ "#" (id(place)) } aria-label={ "why? Place " (place) } { "why?" } }
    });
    let told = html! {
        details.why.places {
            summary { "Why each place is above the next" }
            ol { @for (place, two) in pairs() { li id=(id(place)) {
                (case.in_short(two[0].player, two[1].player))
                @if has_sums { details {
                    summary { "The sums" }
                    pre { (case.pair(two[0].player, two[1].player)) }
                } }
            } } }
            @if !has_sums { p.note { "The sums of two players: " code { "swissmatch explain A B --run RUN" } "." } }
        }
    };
    Some(PlaceReasons {
        links: Extra {
            is_last: true,
            class: "asks",
            header: html! { span.unseen { "Why this place" } },
            cells: links.collect(),
        },
        told,
    })
}

/// Explanations of the columns of criteria, by their headers.
pub(super) fn meanings(state: &State) -> Vec<(String, String)> {
    let keys = &state.setup().standings;
    let shown = keys.columns.iter().filter_map(|column| match column {
        Column::Criterion(criterion) => Some(criterion),
        _ => None,
    });
    let told = shown.chain(&keys.order).map(|criterion| {
        let told = meaning(criterion, keys.edition);
        (header(Column::Criterion(*criterion)), told)
    });
    told.collect()
}
