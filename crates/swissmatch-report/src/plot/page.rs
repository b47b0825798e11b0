//! The parts around every plot: its title, the key of its marks, and the caption with n.

use swiss_system::count;
use swiss_system::text::{harmless, shortened};

use super::look::{self, CAPTION, EDGE, INK, Marker, PALE_INK, Style, TICK, TITLE, WIDTH};
use super::svg::{Anchor, Svg};
use super::{font, number};

/// Height of a line of the key, and of one of the caption, in px.
const KEY_LINE: f64 = 20.0;
const CAPTION_LINE: f64 = 15.0;
/// Width of a mark in the key, with the space behind it, in px.
const SYMBOL: f64 = 34.0;
const SYMBOL_GAP: f64 = 7.0;
/// Space between two items of the key, in px.
const ITEM_GAP: f64 = 22.0;

/// Most characters of a note.
const LONGEST_NOTE: usize = 600;

/// What n counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedUnit {
    Games,
    /// Game pairs: two games of one opening with colours reversed.
    Pairs,
    /// Moves of one side.
    Moves,
    /// Random samples.
    Samples,
}

/// The texts around a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Names from outside are made harmless in it.
    pub title: String,
    /// The number of games, pairs or moves behind the figures.
    pub n: u64,
    pub counted: CountedUnit,
    /// Sentences of the caption after n, such as the conditions; may be empty.
    pub note: String,
}

/// An entry of the key: a mark and its meaning.
pub(super) struct Item {
    pub(super) symbol: Symbol,
    pub(super) text: String,
}

pub(super) enum Symbol {
    /// A line with its marker.
    Series(Style),
    Line(&'static str, &'static str),
    Band(&'static str),
    Marker(Marker, &'static str),
}

/// The page of a plot, which lies between `top` and `bottom`.
pub(super) struct PlotPage {
    pub(super) svg: Svg,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl CountedUnit {
    /// A number of them, such as `1,000 game pairs`.
    pub(crate) fn of(self, n: u64) -> String {
        let (one, several) = match self {
            CountedUnit::Games => ("game", "games"),
            CountedUnit::Pairs => ("game pair", "game pairs"),
            CountedUnit::Moves => ("move", "moves"),
            CountedUnit::Samples => ("sample", "samples"),
        };
        count::of(number::count(n), one, several)
    }

    /// The word for one of them.
    pub(super) fn one(self) -> &'static str {
        match self {
            CountedUnit::Games => "game",
            CountedUnit::Pairs => "pair",
            CountedUnit::Moves => "move",
            CountedUnit::Samples => "sample",
        }
    }

    /// The word for several of them on an axis.
    pub(super) fn axis(self) -> &'static str {
        match self {
            CountedUnit::Games => "Games",
            CountedUnit::Pairs => "Game pairs",
            CountedUnit::Moves => "Moves",
            CountedUnit::Samples => "Samples",
        }
    }
}

impl PlotPage {
    /// A page whose plot has this height, in px. Remarks are sentences about what is shown.
    pub(super) fn new(heading: &Heading, key: &[Item], height: f64, remarks: &[String]) -> Self {
        let room = WIDTH - 2.0 * EDGE;
        let title = font::fitted(&heading.title, TITLE, room);
        let rows = rows(key);
        let mut caption = format!("n = {}.", heading.counted.of(heading.n));
        let note = shortened(&harmless(&heading.note), LONGEST_NOTE);
        for sentence in [&note].into_iter().chain(remarks) {
            caption.push(' ');
            caption.push_str(sentence);
        }
        let caption = font::lines(&caption, CAPTION, room);
        let top = EDGE + TITLE + 12.0 + rows.len() as f64 * KEY_LINE;
        let bottom = top + height;
        let whole = bottom + 8.0 + caption.len() as f64 * CAPTION_LINE + 8.0;
        let mut svg = Svg::new(WIDTH, whole, &shortened(&heading.title, LONGEST_NOTE));
        let ink = [("class", "title".into()), ("fill", INK.into())];
        svg.label((WIDTH / 2.0, EDGE + TITLE * 0.8), TITLE, Anchor::Middle, &ink, &title);
        for (nr, row) in rows.iter().enumerate() {
            let y = EDGE + TITLE + 12.0 + nr as f64 * KEY_LINE + 6.0;
            for (x, item) in row {
                draw(&mut svg, &item.symbol, (*x, y));
                let place = (x + SYMBOL, y + TICK * 0.36);
                let ink = [("class", "key".into()), ("fill", INK.into())];
                let text = font::fitted(&item.text, TICK, room - SYMBOL);
                svg.label(place, TICK, Anchor::Start, &ink, &text);
            }
        }
        for (nr, line) in caption.iter().enumerate() {
            let y = bottom + 8.0 + (nr + 1) as f64 * CAPTION_LINE - 4.0;
            let ink = [("class", "caption".into()), ("fill", PALE_INK.into())];
            svg.label((EDGE, y), CAPTION, Anchor::Start, &ink, line);
        }
        Self { svg, top, bottom }
    }
}

/// A remark on the number of values that are left out; `None` for 0.
pub(super) fn left_out(values: usize) -> Option<String> {
    let are = if values == 1 { "is" } else { "are" };
    let values = (values > 0).then(|| count::of(number::count(values as u64), "value", "values"))?;
    Some(format!("{values} that {are} no number {are} left out."))
}

/// A remark that there is nothing to show.
pub(super) fn nothing(is_empty: bool) -> Option<String> {
    is_empty.then(|| "There is nothing to show yet.".to_owned())
}

/// A remark that only the first of more are shown; `None` if all are.
pub(super) fn first_of(shown: usize, all: usize, what: &str) -> Option<String> {
    (shown < all).then(|| format!("The first {shown} of {} {what} are shown.", number::count(all as u64)))
}

/// The items of the key in centred rows, each with its position.
fn rows(key: &[Item]) -> Vec<Vec<(f64, &Item)>> {
    let room = WIDTH - 2.0 * EDGE;
    let wide = |item: &Item| SYMBOL + font::width(&font::fitted(&item.text, TICK, room - SYMBOL), TICK);
    let mut rows: Vec<(f64, Vec<(f64, &Item)>)> = Vec::new();
    for item in key {
        let wide = wide(item);
        match rows.last_mut() {
            Some((end, row)) if *end + ITEM_GAP + wide <= room => {
                row.push((*end + ITEM_GAP, item));
                *end += ITEM_GAP + wide;
            }
            _ => rows.push((wide, vec![(0.0, item)])),
        }
    }
    let centred = |(end, row): (f64, Vec<(f64, _)>)| {
        let shift = (WIDTH - end) / 2.0;
        row.into_iter().map(|(x, item)| (x + shift, item)).collect()
    };
    rows.into_iter().map(centred).collect()
}

fn draw(svg: &mut Svg, symbol: &Symbol, (x, y): (f64, f64)) {
    let end = x + SYMBOL - SYMBOL_GAP;
    let middle = ((x + end) / 2.0, y);
    let mut line = |color: &'static str, dashes: &'static str| {
        let attributes = [
            ("stroke", color.into()),
            ("stroke-width", 1.8.into()),
            ("stroke-dasharray", dashes.into()),
        ];
        svg.line((x, y), (end, y), &attributes);
    };
    match *symbol {
        Symbol::Series(style) => {
            line(style.color, style.dashes);
            look::mark(svg, style.marker, style.color, middle, 3.6);
        }
        Symbol::Line(color, dashes) => line(color, dashes),
        Symbol::Band(color) => {
            let attributes = [("fill", color.into()), ("fill-opacity", 0.22.into())];
            svg.rect(x, y - 6.0, end - x, 12.0, &attributes);
        }
        Symbol::Marker(marker, color) => look::mark(svg, marker, color, middle, 4.5),
    }
}
