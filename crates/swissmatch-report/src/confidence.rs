//! Rank confidence: columns of the standings, bars, a plot, and the standings in JSON with it.
//!
//! May not: draw samples; that is `swissmatch_stats`.

mod drawn;

pub use self::drawn::drawn;

use swiss_system::count;
use swiss_system::standings::Standings;
use swissmatch_tournament::ranking::standings_after;

use super::duplicates::Repeated;
use super::sampled::{LEVEL, Sampled, TOP, written};
use super::share::percent;
use super::standings;
use super::table::{Column, Page, Table};
use super::untrusted::name;
use swissmatch_stats::places::Places;
use swissmatch_tournament::state::State;

/// Width of the bars where there is no terminal, in columns.
const WIDTH: u16 = 80;
/// Columns of text that one place has at most.
const WIDEST: usize = 3;
/// What bars keep free for names.
const NAMES: usize = 20;
/// Bars from low to full height.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// More than nothing, less than the lowest bar.
const TRACE: char = '·';

/// The standings after the first `rounds` rounds, with columns of how sure the places are.
pub fn page(state: &State, rounds: usize, shown: &Sampled<'_>) -> Page {
    let mut page = standings::page(state, rounds);
    page.table.columns.extend([
        Column::figures("1st %"),
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
    let repeated = Repeated::of(state).of_same_players();
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

/// How often each player came in each place, a row of bars a player.
pub fn bars(state: &State, rounds: usize, shown: &Sampled<'_>, width: Option<u16>) -> Page {
    let listed = listed(state, rounds);
    let names: Vec<String> = listed.rows.iter().map(|row| name(state, row.player)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    // Two gaps, the place, and the last number of the axis, which may stand out over its bar.
    let beside = 3 + 2 * listed.rows.len().to_string().len() + longest.min(NAMES);
    let room = usize::from(width.unwrap_or(WIDTH)).saturating_sub(beside).max(1);
    let axis = Axis::new(listed.rows.len(), room);
    let heights: Vec<Vec<f64>> = listed
        .rows
        .iter()
        .map(|row| axis.heights(&shown.places[row.player.index()]))
        .collect();
    let highest = heights.iter().flatten().copied().fold(0.0, f64::max);
    // A full bar is a round number of tenths.
    let full = (highest * 10.0).ceil() / 10.0;
    let rows = listed
        .rows
        .iter()
        .zip(&names)
        .zip(&heights)
        .map(|((row, name), heights)| {
            let bars: String = heights.iter().map(|&height| axis.bar(height / full)).collect();
            vec![row.place.to_string(), name.clone(), bars.trim_end().to_owned()]
        });
    let together = match axis.together {
        1 => String::new(),
        places => format!(", {places} places a column"),
    };
    Page {
        title: format!("How often in each place{together}"),
        table: Table {
            rows: rows.collect(),
            columns: vec![
                Column::figures("#"),
                Column::names("Name"),
                Column::words(axis.labels()),
            ],
        },
        notes: vec![format!(
            "{} is {:.0} % of the samples, {TRACE} less than {}, blank never.",
            BARS[BARS.len() - 1],
            full * 100.0,
            BARS[0],
        )],
    }
}

/// The standings with how sure the places are, as of [`standings::json`].
pub fn json(state: &State, rounds: usize, shown: &Sampled<'_>) -> String {
    standings::json_with(state, rounds, Some(shown))
}

fn listed(state: &State, rounds: usize) -> Standings {
    standings_after(state, rounds.min(state.rounds().len()))
}

/// Where the places stand over their bars.
struct Axis {
    places: usize,
    /// Places that share a bar.
    together: usize,
    /// Columns of a bar, with the blank after it.
    wide: usize,
}

impl Axis {
    fn new(places: usize, room: usize) -> Self {
        Self {
            places,
            together: places.div_ceil(room).max(1),
            wide: (room / places.max(1)).clamp(1, WIDEST),
        }
    }

    fn heights(&self, places: &Places) -> Vec<f64> {
        places
            .shares
            .chunks(self.together)
            .map(|shares| shares.iter().sum())
            .collect()
    }

    fn bar(&self, height: f64) -> String {
        let shown = match (height * BARS.len() as f64).round() as usize {
            0 if height > 0.0 => TRACE,
            0 => ' ',
            step => BARS[step.min(BARS.len()) - 1],
        };
        let solid = self.wide.saturating_sub(1).max(1);
        shown.to_string().repeat(solid) + &" ".repeat(self.wide - solid)
    }

    /// The numbers of places, each where its bar begins; as many as have room.
    fn labels(&self) -> String {
        let column = |place: usize| (place - 1) / self.together * self.wide;
        let longest = self.places.to_string().len();
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10_usize.pow(power)));
        let step = steps
            .into_iter()
            .find(|step| column(1 + step) > longest)
            .unwrap_or(self.places);
        let mut labels = "1".to_owned();
        for place in (step..=self.places).step_by(step) {
            if let Some(gap) = column(place).checked_sub(labels.len()).filter(|gap| *gap > 0) {
                labels.extend([" ".repeat(gap), place.to_string()]);
            }
        }
        labels
    }
}

#[cfg(test)]
mod tests;
