//! The path of a sequential test: its log-likelihood ratio after each pair, between its bounds.

use super::axis::{Axis, AxisDirection, extent, padded};
use super::chart::{ACROSS, Chart, HEIGHT, NamedAxis};
use super::look::{self, BLUE, GREEN, GREY, INK, Marker, TICK, VERMILLION};
use super::page::{Heading, Item, Symbol, left_out, nothing};
use super::svg::Anchor;
use super::thin::{LineKind, thinned};
use super::{font, number};

/// Most width of the bounds' names, in px, and the space before them.
const NAMES: f64 = 120.0;
const BEFORE: f64 = 6.0;

/// The LLR after each pair (or game: what the heading counts), with both bounds and the decision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LlrPath {
    pub heading: Heading,
    /// The LLR after the first, the second … of what the heading counts, in schedule order.
    pub llr: Vec<f64>,
    /// H0 is accepted at or below it.
    pub lower: f64,
    /// H1 is accepted at or above it.
    pub upper: f64,
    /// Where the test was decided; everything after it is drawn grey.
    pub decision: Option<Decision>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The number of pairs (or games), from 1.
    pub after: u64,
    pub is_h1: bool,
}

impl LlrPath {
    pub(crate) fn svg(&self) -> String {
        let last = self.llr.len().max(1) as f64;
        let bounds = [self.lower, self.upper, 0.0];
        let range = extent(self.llr.iter().copied().chain(bounds)).unwrap_or((0.0, 0.0));
        let x = NamedAxis {
            axis: Axis::linear((0.0, last), AxisDirection::Across(ACROSS), true),
            name: self.heading.counted.axis().to_owned(),
        };
        let y = NamedAxis {
            axis: Axis::linear(padded(range, 0.06, 1.0), AxisDirection::Up(HEIGHT), false),
            name: "Log-likelihood ratio (natural logarithm)".to_owned(),
        };
        let missing = self.llr.iter().filter(|llr| !llr.is_finite()).count();
        let remarks: Vec<String> = left_out(missing)
            .into_iter()
            .chain(nothing(self.llr.is_empty()))
            .collect();
        let names = [self.upper, self.lower].map(|bound| font::width(&named("H0", bound), TICK));
        let beside = names.into_iter().fold(0.0, f64::max) + BEFORE;
        let mut chart = Chart::new(&self.heading, &self.key(), x, y, beside, &remarks);
        self.draw_bounds(&mut chart);
        self.draw_path(&mut chart);
        chart.finish()
    }

    /// The decision with its LLR, if the path reaches it.
    fn decided(&self) -> Option<(Decision, f64)> {
        let decision = self.decision?;
        let nr = usize::try_from(decision.after.checked_sub(1)?).ok()?;
        let llr = self.llr.get(nr).filter(|llr| llr.is_finite())?;
        Some((decision, *llr))
    }

    fn key(&self) -> Vec<Item> {
        let mut key = vec![Item {
            symbol: Symbol::Line(BLUE, "none"),
            text: "LLR".to_owned(),
        }];
        if let Some((decision, llr)) = self.decided() {
            let which = if decision.is_h1 { "H1" } else { "H0" };
            let after = number::count(decision.after);
            let (one, llr) = (self.heading.counted.one(), number::decimal(llr, 2));
            key.push(Item {
                symbol: Symbol::Marker(Marker::Diamond, INK),
                text: format!("{which} accepted after {one} {after}, LLR {llr}"),
            });
            if decision.after < self.llr.len() as u64 {
                key.push(Item {
                    symbol: Symbol::Line(GREY, "2 2"),
                    text: "after the decision".to_owned(),
                });
            }
        }
        key
    }

    fn draw_bounds(&self, chart: &mut Chart) {
        let zero = chart.y(0.0);
        let attributes = [("class", "zero".into()), ("stroke", GREY.into())];
        chart.svg.line((chart.left, zero), (chart.right, zero), &attributes);
        let bounds = [(self.upper, "H1", GREEN, -1.0), (self.lower, "H0", VERMILLION, 1.0)];
        for (bound, name, color, away) in bounds {
            if !bound.is_finite() {
                continue;
            }
            chart.rule(bound, color, "7 4", "bound");
            // Names that would touch are moved apart, the upper one higher.
            let near = (chart.y(self.upper) - chart.y(self.lower)).abs() < 2.0 * TICK + 8.0;
            let shift = if near { away * (TICK + 4.0) } else { 0.0 };
            let y = (chart.y(bound) + shift).clamp(chart.top, chart.bottom) + TICK * 0.36;
            let ink = [("class", "bound".into()), ("fill", color.into())];
            let place = (chart.right + BEFORE, y);
            chart.svg.label(place, TICK, Anchor::Start, &ink, &named(name, bound));
        }
    }

    fn draw_path(&self, chart: &mut Chart) {
        let points = self.llr.iter().enumerate().filter(|(_, llr)| llr.is_finite());
        let points = points.map(|(nr, llr)| ((nr + 1) as u64, *llr));
        let place = |(after, llr): (u64, f64)| (chart.x(after as f64), chart.y(llr));
        let end = self.decided().map_or(u64::MAX, |(decision, _)| decision.after);
        let counted = std::iter::once((0, 0.0)).chain(points.clone().take_while(|(after, _)| *after <= end));
        let counted = thinned(counted.map(place), LineKind::Path);
        let late = thinned(points.skip_while(|(after, _)| *after < end).map(place), LineKind::Path);
        let path = |color: &'static str, dashes: &'static str, class: &'static str| {
            [
                ("class", class.into()),
                ("fill", "none".into()),
                ("stroke", color.into()),
                ("stroke-width", 1.6.into()),
                ("stroke-dasharray", dashes.into()),
                ("stroke-linejoin", "round".into()),
            ]
        };
        if late.len() > 1 {
            chart.svg.polyline(&late, &path(GREY, "2 2", "late"));
        }
        if counted.len() > 1 {
            chart.svg.polyline(&counted, &path(BLUE, "none", "path"));
        }
        if let Some((decision, llr)) = self.decided() {
            let at = (chart.x(decision.after as f64), chart.y(llr));
            let attributes = [("stroke", INK.into()), ("stroke-dasharray", "2 3".into())];
            chart.svg.line((at.0, chart.top), (at.0, chart.bottom), &attributes);
            chart.svg.group("decision", &[]);
            look::mark(&mut chart.svg, Marker::Diamond, INK, at, 4.5);
            chart.svg.end();
        }
    }
}

/// A hypothesis with the bound at which it is accepted.
fn named(hypothesis: &str, bound: f64) -> String {
    font::fitted(&format!("{hypothesis} {}", number::decimal(bound, 2)), TICK, NAMES)
}
