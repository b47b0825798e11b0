//! Changes of place since the round before.
//!
//! May not: rank anybody.

use std::collections::HashMap;

use maud::{Markup, html};
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;

use super::super::html::Extra;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::State;

/// A column for the standings after all rounds of an event without parts; `None` without a round before, and in a knockout, where places
/// follow the round in which a player went out.
pub(super) fn column(state: &State, rounds: usize) -> Option<Extra> {
    if rounds < 2 || state.created().format == TournamentFormat::Knockout {
        return None;
    }
    let place = |row: &swiss_system::standings::StandingsRow| (row.player, row.place);
    let before = standings_after(state, rounds - 1);
    let before: HashMap<PairingNumber, u32> = before.rows.iter().map(place).collect();
    let now = standings_after(state, rounds);
    let cells = now.rows.iter().map(|row| {
        let before = before.get(&row.player).copied();
        // Late entries were placed after all others before, and were nobody's rivals.
        let entered = state.entered_after(row.player);
        moved(
            before.filter(|_| entered.is_none_or(|after| after < rounds - 1)),
            row.place,
        )
    });
    Some(Extra {
        is_last: false,
        class: "shift",
        header: html! {
            span aria-hidden="true" title={ "Places gained or lost since round " (rounds - 1) } { "±" }
            span.unseen { "Places gained or lost since round " (rounds - 1) }
        },
        cells: cells.collect(),
    })
}

fn moved(before: Option<u32>, now: u32) -> Markup {
    let told = |class: &str, sign: &str, places: u32, way: &str| {
        html! {
            span class={ "shifted " (class) } aria-hidden="true" { (sign) (places) }
            span.unseen { (way) " " (count::of(places as usize, "place", "places")) }
        }
    };
    match before {
        None => html! { span.unseen { "new" } },
        Some(before) if before > now => told("up", "▲", before - now, "up"),
        Some(before) if before < now => told("down", "▼", now - before, "down"),
        Some(_) => html! { span.shifted aria-hidden="true" { "=" } span.unseen { "as before" } },
    }
}
