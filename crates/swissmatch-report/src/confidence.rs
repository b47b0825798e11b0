//! Rank confidence: columns of the standings, a plot, and the standings in JSON with it.
//!
//! May not: draw samples; that is `swissmatch_stats`.

mod drawn;

pub use self::drawn::drawn;

use swiss_system::count;
use swiss_system::standings::Standings;
use swissmatch_tournament::ranking::standings_after;

use super::duplicates::RepeatedGames;
use super::sampled::{LEVEL, SampledPlaces, TOP, written};
use super::share::percent;
use super::standings;
use super::table::{Column, Page};
use swissmatch_tournament::state::State;

/// The header of the column with the share of samples in which each player is first.
pub(super) const FIRST: &str = "1st %";

/// The standings after the first `rounds` rounds, with columns that tell how sure the places are.
pub fn page(state: &State, rounds: usize, shown: &SampledPlaces<'_>) -> Page {
    let mut page = standings::page(state, rounds);
    page.table.columns.extend([
        Column::figures(FIRST),
        Column::figures(format!("Top {TOP} %")),
        Column::figures("Places"),
    ]);
    for (cells, row) in page.table.rows.iter_mut().zip(&listed(state, rounds).rows) {
        let places = &shown.places[row.player.index()];
        let interval = match places.interval(LEVEL) {
            (best, worst) if best == worst => best.to_string(),
            (best, worst) => format!("{best}–{worst}"),
        };
        cells.extend([percent(places.within(1)), percent(places.within(TOP)), interval]);
    }
    page.notes.push(format!(
        "1st, top {TOP}: how often in {} samples (rng_seed {}); places: {} % of the samples. Each sample draws the game pairs \
         of every finished mini-match anew from those played, with replacement; who met whom stays the same. Tied players share \
         their places.",
        shown.samples,
        shown.rng_seed,
        LEVEL * 100.0
    ));
    let repeated = RepeatedGames::of(state).of_same_players();
    if repeated > 0 {
        page.notes.push(format!(
            "The places are less sure than this shows: {} an earlier one of the same two players move by move, and tells \
             nothing new.",
            count::of(repeated, "game repeats", "games repeat")
        ));
    }
    if !shown.fixed.is_empty() {
        let boards: Vec<String> = shown.fixed.iter().map(|board| written(*board)).collect();
        page.notes.push(format!(
            "Not drawn anew, because still being played or cut short by an engine that did not start: {} {}.",
            if boards.len() == 1 { "board" } else { "boards" },
            boards.join(", ")
        ));
    }
    page
}

/// Like [`standings::json`], but with how sure the places are.
pub fn json(state: &State, rounds: usize, shown: &SampledPlaces<'_>) -> String {
    standings::json_with(state, rounds, Some(shown))
}

fn listed(state: &State, rounds: usize) -> Standings {
    standings_after(state, rounds.min(state.rounds().len()))
}

#[cfg(test)]
mod tests;
