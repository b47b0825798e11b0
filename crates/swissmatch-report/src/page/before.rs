//! Before the first round: the players and the rules.
//!
//! May not: show more of an agent than docs/page.md allows: name, rating, author, section.

use std::collections::BTreeSet;

use maud::{Markup, html};
use swiss_system::count;
use swiss_system::text::harmless;

use super::super::html::{self, Links};
use super::super::table::{Column, Table};
use super::super::untrusted::name;
use swissmatch_tournament::part::section_name;
use swissmatch_tournament::stage::Stage;
use swissmatch_tournament::state::State;

pub(super) fn section(state: &State, links: &Links<'_>) -> Markup {
    let (players, rounds) = (state.player_count(), state.created().rounds);
    let stages = state.setup().stages();
    let games: BTreeSet<u32> = stages.iter().flat_map(Stage::games_by_round).collect();
    // Where it differs between rounds, the rules have it.
    let games = games.first().copied().filter(|_| games.len() == 1).unwrap_or(1);
    html! {
        p {
            (count::of(players, "agent plays ", "agents play ")) (count::of(rounds, "round", "rounds"))
            @if games > 1 { ", " (games) " games against each opponent" }
            ". " a href="#rules" { "The rules in force" } "."
        }
        (html::table(&who(state), links))
    }
}

/// All players in the order of their pairing numbers.
fn who(state: &State) -> Table {
    let of = |player| state.player(player);
    let has_sections = state.numbers().any(|player| section_name(state, player).is_some());
    let has_ratings = state.numbers().any(|player| of(player).rating.is_some());
    let has_authors = state.numbers().any(|player| of(player).author.is_some());
    let mut columns = vec![Column::figures("#"), Column::names("Name")];
    columns.extend(has_ratings.then(|| Column::figures("Rating")));
    columns.extend(has_authors.then(|| Column::words("Author")));
    columns.extend(has_sections.then(|| Column::words("Section")));
    let rows = state.numbers().map(|player| {
        let mut cells = vec![player.to_string(), name(state, player)];
        let rating = || of(player).rating.map_or_else(String::new, |rating| rating.to_string());
        cells.extend(has_ratings.then(rating));
        cells.extend(has_authors.then(|| of(player).author.as_deref().map_or_else(String::new, harmless)));
        cells.extend(has_sections.then(|| section_name(state, player).map_or_else(String::new, harmless)));
        cells
    });
    let rows = rows.collect();
    Table { columns, rows }
}
