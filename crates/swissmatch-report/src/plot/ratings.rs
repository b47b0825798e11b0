//! Ratings with their error bars.

use super::axis::{Axis, AxisDirection, extent, padded};
use super::look::{self, BLUE, CAPTION, EDGE, GREY, GRID, INK, LABEL, Marker, PALE_INK, TICK, VERMILLION, WIDTH};
use super::page::{Heading, Item, PlotPage, Symbol, first_of, nothing};
use super::svg::{Anchor, Svg};
use super::{font, number};

/// Most agents that are readable.
const MOST: usize = 60;
/// Most width of names, in px.
const NAMES: f64 = 230.0;
/// Height of the axis below the rows, in px.
const BELOW: f64 = 46.0;
/// Least height of the rows together, in px.
const LEAST: f64 = 60.0;

/// Agents by their ratings, the highest first, each with its error bar.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingsPlot {
    pub heading: Heading,
    /// The label of the axis with its unit, such as `Rating (Elo)`.
    pub axis: String,
    /// The meaning of the bars, such as `95 % confidence interval`.
    pub bars: String,
    /// In any order. The 60 with the highest ratings are shown.
    pub agents: Vec<RatingBar>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RatingBar {
    /// Its name, from outside.
    pub name: String,
    /// An agent without a number has a row without a mark, below the others.
    pub rating: f64,
    /// The lower end of its bar; an infinite or missing one reaches to the frame.
    pub low: f64,
    /// The upper end of its bar; an infinite or missing one reaches to the frame.
    pub high: f64,
    /// Whether its rating was given, not estimated: it has no bar.
    pub is_anchor: bool,
}

impl RatingsPlot {
    pub fn svg(&self) -> String {
        let mut agents: Vec<&RatingBar> = self.agents.iter().collect();
        agents.sort_by(|a, b| key(b).total_cmp(&key(a)));
        agents.truncate(MOST);
        let decimals = decimals(&agents);
        let figures: Vec<String> = agents.iter().map(|agent| figure(agent, decimals)).collect();
        let names = font::names(agents.iter().map(|agent| agent.name.as_str()), TICK, NAMES);
        let first = first_of(agents.len(), self.agents.len(), "agents");
        let remarks: Vec<String> = first.into_iter().chain(nothing(agents.is_empty())).collect();
        let row: f64 = if agents.len() <= 24 { 22.0 } else { 16.0 };
        let row = row.max(LEAST / agents.len().max(1) as f64);
        let rows = agents.len() as f64 * row;
        let page = PlotPage::new(&self.heading, &self.marks(), rows.max(LEAST) + BELOW, &remarks);
        let widest = |texts: &[String], size: f64| texts.iter().map(|text| font::width(text, size)).fold(0.0, f64::max);
        let left = EDGE + widest(&names, TICK) + 10.0;
        let right = WIDTH - EDGE - widest(&figures, CAPTION) - 10.0;
        let bottom = page.bottom - BELOW;
        let axis = Axis::linear(range(&agents), AxisDirection::Across(right - left), false);
        let mut rows = Rows {
            svg: page.svg,
            axis,
            left,
            right,
            top: page.top,
            bottom,
        };
        rows.draw_axis(&self.axis);
        for (nr, agent) in agents.iter().enumerate() {
            let y = page.top + (nr as f64 + 0.5) * row;
            rows.draw(agent, y, &names[nr], &figures[nr]);
        }
        rows.svg.finish()
    }

    fn marks(&self) -> Vec<Item> {
        let mut marks = vec![Item {
            symbol: Symbol::Series(look::STYLES[0]),
            text: format!("rating, {}", self.bars),
        }];
        if self.agents.iter().any(|agent| agent.is_anchor) {
            marks.push(Item {
                symbol: Symbol::Marker(Marker::HollowDiamond, VERMILLION),
                text: "anchor (given)".to_owned(),
            });
        }
        marks
    }
}

/// The key by which agents are sorted.
fn key(agent: &RatingBar) -> f64 {
    if agent.rating.is_finite() {
        agent.rating
    } else {
        f64::NEG_INFINITY
    }
}

/// The rating with its bar, as text.
fn figure(agent: &RatingBar, decimals: usize) -> String {
    let written = |value: f64| number::decimal(value, decimals);
    match agent {
        _ if !agent.rating.is_finite() => "no rating".to_owned(),
        _ if agent.is_anchor => written(agent.rating),
        _ => format!(
            "{} [{}, {}]",
            written(agent.rating),
            written(agent.low),
            written(agent.high)
        ),
    }
}

/// One decimal if bars are short.
fn decimals(agents: &[&RatingBar]) -> usize {
    let lengths = agents.iter().map(|agent| agent.high - agent.low);
    let shortest = lengths.filter(|length| *length > 0.0).fold(f64::INFINITY, f64::min);
    usize::from(shortest < 20.0)
}

/// The range of the axis: all marks, and the finite ends of bars.
fn range(agents: &[&RatingBar]) -> (f64, f64) {
    let rated = || agents.iter().filter(|agent| agent.rating.is_finite());
    let bars = rated().filter(|agent| !agent.is_anchor);
    let ends = bars.flat_map(|agent| [agent.low, agent.high]);
    let values = rated().map(|agent| agent.rating).chain(ends);
    padded(extent(values).unwrap_or((0.0, 0.0)), 0.04, 10.0)
}

struct Rows {
    svg: Svg,
    axis: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Rows {
    fn x(&self, value: f64) -> f64 {
        self.left + self.axis.share(value) * (self.right - self.left)
    }

    fn draw_axis(&mut self, name: &str) {
        let ticks: Vec<(f64, String)> = (self.axis.ticks.iter())
            .map(|tick| (self.x(tick.at), tick.label.clone()))
            .collect();
        for (at, label) in ticks {
            self.svg
                .line((at, self.top), (at, self.bottom), &[("stroke", GRID.into())]);
            self.svg.line(
                (at, self.bottom),
                (at, self.bottom + 4.0),
                &[("stroke", PALE_INK.into())],
            );
            let ink = [("class", "tick-x".into()), ("fill", INK.into())];
            self.svg
                .label((at, self.bottom + 17.0), TICK, Anchor::Middle, &ink, &label);
        }
        let ink = [("class", "label".into()), ("fill", INK.into())];
        let middle = (self.left + self.right) / 2.0;
        let name = font::fitted(name, LABEL, self.right - self.left);
        self.svg
            .label((middle, self.bottom + 38.0), LABEL, Anchor::Middle, &ink, &name);
        let frame = [
            ("class", "frame".into()),
            ("fill", "none".into()),
            ("stroke", PALE_INK.into()),
        ];
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        self.svg.rect(self.left, self.top, width, height, &frame);
    }

    fn draw(&mut self, agent: &RatingBar, y: f64, name: &str, figure: &str) {
        let ink = [("class", "name".into()), ("fill", INK.into())];
        self.svg
            .label((self.left - 10.0, y + TICK * 0.36), TICK, Anchor::End, &ink, name);
        let pale = [("class", "figure".into()), ("fill", PALE_INK.into())];
        let place = (self.right + 10.0, y + CAPTION * 0.36);
        self.svg.label(place, CAPTION, Anchor::Start, &pale, figure);
        if !agent.rating.is_finite() {
            let nothing = [
                ("class", "none".into()),
                ("stroke", GREY.into()),
                ("stroke-dasharray", "1 5".into()),
            ];
            self.svg.line((self.left, y), (self.right, y), &nothing);
            return;
        }
        let at = (self.x(agent.rating), y);
        if agent.is_anchor {
            return look::mark(&mut self.svg, Marker::HollowDiamond, VERMILLION, at, 4.0);
        }
        let or = |value: f64, otherwise: f64| if value.is_nan() { otherwise } else { value };
        let (low, high) = (or(agent.low, f64::NEG_INFINITY), or(agent.high, f64::INFINITY));
        let (from, to) = (self.x(low), self.x(high));
        let bar = [
            ("class", "bar".into()),
            ("stroke", BLUE.into()),
            ("stroke-width", 1.6.into()),
        ];
        self.svg.line((from, y), (to, y), &bar);
        let cap = [
            ("class", "cap".into()),
            ("stroke", BLUE.into()),
            ("stroke-width", 1.6.into()),
        ];
        for (end, x) in [(low, from), (high, to)] {
            if end.is_finite() {
                self.svg.line((x, y - 4.0), (x, y + 4.0), &cap);
            }
        }
        look::mark(&mut self.svg, Marker::Circle, BLUE, at, 3.6);
    }
}
