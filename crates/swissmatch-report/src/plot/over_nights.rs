//! Ratings over the nights of a league, with a band around each.

use super::axis::{Axis, Run, extent, padded};
use super::chart::{ACROSS, Chart, HEIGHT, Named};
use super::font;
use super::look::{self, STYLES, Style, TICK};
use super::page::{Heading, Item, Symbol, first_of, left_out, nothing};
use super::thin::{Line, thinned};

/// Most agents whose bands are told apart.
const MOST_BANDS: usize = 3;
/// How wide names may be, in px: two stand beside each other.
const NAMES: f64 = 320.0;
/// The axis is at least so long, in its unit.
const LEAST: f64 = 10.0;
/// How far apart markers of a line are, in px.
const BETWEEN_MARKERS: f64 = 70.0;

/// A rating over the nights, for each agent.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingsOverNights {
    /// Title, n and note.
    pub heading: Heading,
    /// What is shown, with its unit, such as `Rating (Elo)`.
    pub axis: String,
    /// What the bands are, such as `95 % intervals`.
    pub band: String,
    /// The agents. The first eight are shown; more than three are shown without their bands, which nobody could tell apart.
    pub agents: Vec<Series>,
}

/// One agent's ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, foreign text.
    pub name: String,
    /// Its ratings by ascending number of the night.
    pub nights: Vec<AtNight>,
}

/// One agent's rating in one night.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtNight {
    /// The number of the night, from 1.
    pub number: u32,
    /// The rating, in the unit of the axis.
    pub rating: f64,
    /// The lower end of the band; none (NaN) where there is none.
    pub low: f64,
    /// The upper end of the band, likewise.
    pub high: f64,
}

impl RatingsOverNights {
    /// The plot.
    pub fn svg(&self) -> String {
        let shown = &self.agents[..self.agents.len().min(STYLES.len())];
        let has_bands = shown.len() <= MOST_BANDS;
        let nights = || shown.iter().flat_map(|agent| &agent.nights);
        let kept = || nights().filter(|at| at.rating.is_finite());
        let numbers = kept().map(|at| f64::from(at.number));
        let (first, last) = extent(numbers).unwrap_or((1.0, 1.0));
        let x = Named {
            axis: Axis::linear(padded((first.min(1.0), last), 0.0, 2.0), Run::Across(ACROSS), true),
            name: "Night".to_owned(),
        };
        let bands = kept().filter(|_| has_bands).flat_map(|at| [at.low, at.high]);
        let values = kept()
            .map(|at| at.rating)
            .chain(bands)
            .filter(|value| value.is_finite());
        let range = padded(extent(values).unwrap_or((0.0, 0.0)), 0.05, LEAST);
        let y = Named {
            axis: Axis::linear(range, Run::Up(HEIGHT), false),
            name: self.axis.clone(),
        };
        let first = first_of(shown.len(), self.agents.len(), "agents");
        let unbanded = (!has_bands).then(|| format!("Ratings; {} are left out.", self.band));
        let missing = left_out(nights().count() - kept().count());
        let remarks = first.into_iter().chain(unbanded).chain(missing);
        let remarks: Vec<String> = remarks.chain(nothing(kept().next().is_none())).collect();
        let mut chart = Chart::new(&self.heading, &self.key(shown, has_bands), x, y, 8.0, &remarks);
        let styled = || shown.iter().zip(STYLES);
        if has_bands {
            for (agent, style) in styled() {
                draw_band(&mut chart, agent, style);
            }
        }
        for (agent, style) in styled() {
            draw_line(&mut chart, agent, style);
        }
        chart.finish()
    }

    fn key(&self, shown: &[Series], has_bands: bool) -> Vec<Item> {
        let names = font::names(shown.iter().map(|agent| agent.name.as_str()), TICK, NAMES);
        let mut key: Vec<Item> = (names.into_iter().zip(STYLES))
            .map(|(text, style)| Item {
                symbol: Symbol::Series(style),
                text,
            })
            .collect();
        if has_bands && !shown.is_empty() {
            key.push(Item {
                symbol: Symbol::Band(look::GREY),
                text: self.band.clone(),
            });
        }
        key
    }
}

fn draw_band(chart: &mut Chart, agent: &Series, style: Style) {
    let nights = agent.nights.iter().filter(|at| at.rating.is_finite());
    let nights: Vec<&AtNight> = nights.filter(|at| !at.low.is_nan() && !at.high.is_nan()).collect();
    let edge = |value: fn(&AtNight) -> f64, line: Line| {
        let places = nights
            .iter()
            .map(|at| (chart.x(f64::from(at.number)), chart.y(value(at))));
        thinned(places, line)
    };
    let mut band = edge(|at| at.high, Line::Upper);
    band.extend(edge(|at| at.low, Line::Lower).into_iter().rev());
    let area = [
        ("class", "band".into()),
        ("fill", style.color.into()),
        ("fill-opacity", 0.16.into()),
    ];
    chart.svg.polygon(&band, &area);
}

fn draw_line(chart: &mut Chart, agent: &Series, style: Style) {
    let nights = agent.nights.iter().filter(|at| at.rating.is_finite());
    let places = nights.map(|at| (chart.x(f64::from(at.number)), chart.y(at.rating)));
    let places = thinned(places, Line::Path);
    let path = [
        ("class", "path".into()),
        ("fill", "none".into()),
        ("stroke", style.color.into()),
        ("stroke-width", 1.8.into()),
        ("stroke-dasharray", style.dashes.into()),
        ("stroke-linejoin", "round".into()),
    ];
    if places.len() > 1 {
        chart.svg.polyline(&places, &path);
    }
    let mut next = f64::NEG_INFINITY;
    for place in places {
        if place.0 >= next {
            look::mark(&mut chart.svg, style.marker, style.color, place, 3.4);
            next = place.0 + BETWEEN_MARKERS;
        }
    }
}
