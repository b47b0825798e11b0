//! The score over the games, with its band.

use super::axis::{Axis, AxisDirection, extent, padded};
use super::chart::{ACROSS, Chart, HEIGHT, NamedAxis};
use super::font;
use super::look::{self, BLUE, GREY, Marker, TICK};
use super::page::{Heading, Item, Symbol, left_out, nothing};
use super::thin::{LineKind, thinned};

/// The share of the games after which everything lies inside the frame: the first few games may have any score.
const SETTLED: f64 = 0.05;

/// Most width of the name, in px.
const NAMES: f64 = 380.0;

/// The first agent's share of the points over what the heading counts, with its band.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScoreOverGames {
    pub heading: Heading,
    /// Whose score it is; from outside.
    pub name: String,
    /// The meaning of the band, such as `95 % confidence interval`.
    pub band: String,
    /// After more and more games, in ascending order.
    pub points: Vec<ScoreAfter>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScoreAfter {
    /// The number of games (or pairs).
    pub after: u64,
    /// The share of the points, from 0 to 1.
    pub score: f64,
    /// The lower end of the band; NaN without one.
    pub low: f64,
    /// The upper end of the band; NaN without one.
    pub high: f64,
}

impl ScoreOverGames {
    pub(crate) fn svg(&self) -> String {
        let points: Vec<&ScoreAfter> = self.points.iter().filter(|point| point.score.is_finite()).collect();
        let last = points.last().map_or(1, |point| point.after.max(1)) as f64;
        let settled = points.iter().filter(|point| point.after as f64 >= last * SETTLED);
        let values = settled.flat_map(|point| [point.score, point.low, point.high]);
        let percents = extent(values.chain([0.5])).unwrap_or((0.5, 0.5));
        let (low, high) = padded((percents.0.max(0.0) * 100.0, percents.1.min(1.0) * 100.0), 0.06, 2.0);
        let (low, high) = (low.max(-2.0), high.min(102.0));
        let x = NamedAxis {
            axis: Axis::linear((0.0, last), AxisDirection::Across(ACROSS), true),
            name: self.heading.counted.axis().to_owned(),
        };
        let y = NamedAxis {
            axis: Axis::linear((low, high), AxisDirection::Up(HEIGHT), false),
            name: "Score (%)".to_owned(),
        };
        let beyond = |value: f64| value * 100.0 < low || value * 100.0 > high;
        let is_cut = points
            .iter()
            .any(|point| beyond(point.score) || beyond(point.low) || beyond(point.high));
        let cut = is_cut.then(|| "What lies beyond the frame is drawn at its edge.".to_owned());
        let missing = left_out(self.points.len() - points.len());
        let remarks: Vec<String> = (missing.into_iter().chain(cut))
            .chain(nothing(self.points.is_empty()))
            .collect();
        let mut chart = Chart::new(&self.heading, &self.key(), x, y, 8.0, &remarks);
        draw(&mut chart, &points);
        chart.finish()
    }

    fn key(&self) -> Vec<Item> {
        let score = Item {
            symbol: Symbol::Line(BLUE, "none"),
            text: font::fitted(&format!("score of {}", self.name), TICK, NAMES),
        };
        let band = Item {
            symbol: Symbol::Band(BLUE),
            text: self.band.clone(),
        };
        let even = Item {
            symbol: Symbol::Line(GREY, "7 4"),
            text: "50 %".to_owned(),
        };
        vec![score, band, even]
    }
}

fn draw(chart: &mut Chart, points: &[&ScoreAfter]) {
    let edge = |value: fn(&ScoreAfter) -> f64, line: LineKind| {
        let places = points
            .iter()
            .filter(|point| !point.low.is_nan() && !point.high.is_nan());
        let places = places.map(|point| (chart.x(point.after as f64), chart.y(value(point) * 100.0)));
        thinned(places, line)
    };
    let mut band = edge(|point| point.high, LineKind::Upper);
    band.extend(edge(|point| point.low, LineKind::Lower).into_iter().rev());
    let scores = points
        .iter()
        .map(|point| (chart.x(point.after as f64), chart.y(point.score * 100.0)));
    let scores = thinned(scores, LineKind::Path);
    let area = [
        ("class", "band".into()),
        ("fill", BLUE.into()),
        ("fill-opacity", 0.18.into()),
    ];
    chart.svg.polygon(&band, &area);
    chart.rule(50.0, GREY, "7 4", "even");
    let path = [
        ("class", "path".into()),
        ("fill", "none".into()),
        ("stroke", BLUE.into()),
        ("stroke-width", 1.8.into()),
        ("stroke-linejoin", "round".into()),
    ];
    if let [only] = scores[..] {
        // A band of one point is a bar.
        if let [high, low] = band[..] {
            chart
                .svg
                .line(high, low, &[("class", "bar".into()), ("stroke", BLUE.into())]);
        }
        look::mark(&mut chart.svg, Marker::Circle, BLUE, only, 3.6);
    } else {
        chart.svg.polyline(&scores, &path);
    }
}
