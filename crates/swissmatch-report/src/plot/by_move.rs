//! A quantity by move number, or by night, for each agent: its median or rating, with a band around it.

use super::axis::{Axis, AxisDirection, AxisKind, SMALLEST, extent, padded};
use super::chart::{ACROSS, Chart, HEIGHT, NamedAxis};
use super::font;
use super::look::{self, INK, STYLES, Style, TICK};
use super::page::{Heading, Item, Symbol, first_of, left_out, nothing};
use super::thin::{LineKind, thinned};

/// Most agents whose bands can be told apart.
const MOST_BANDS: usize = 3;
/// Most width of names, in px: two stand side by side.
const NAMES: f64 = 320.0;
/// Least length of an axis, in its unit.
const LEAST: f64 = 1e-9;
/// Least length of an axis that need not begin at 0.
const LEAST_FREE: f64 = 10.0;
/// Bands beyond this many times the largest median are cut, as they would hide the rest.
const FAR: f64 = 2.5;
/// Distance between the markers of a line, in px.
const BETWEEN_MARKERS: f64 = 70.0;

/// What the lower axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// Full moves; lines are medians.
    Moves,
    /// Nights of a league; lines are ratings.
    Nights,
    /// Rounds of a ladder; lines are ratings.
    Rounds,
}

impl Across {
    const fn axis(self) -> &'static str {
        match self {
            Self::Moves => "Move number",
            Self::Nights => "Night",
            Self::Rounds => "Round",
        }
    }

    const fn lines(self) -> &'static str {
        match self {
            Self::Moves => "Medians",
            Self::Nights | Self::Rounds => "Ratings",
        }
    }
}

/// Time, depth, nodes or speed over the move number, or a rating over the nights, for each agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ByMove {
    pub heading: Heading,
    pub across: Across,
    /// The quantity with its unit, such as `Time per move (s)`.
    pub axis: String,
    /// How its values are mapped to positions.
    pub kind: AxisKind,
    /// The meaning of the bands, such as `quartiles`.
    pub band: String,
    /// The agents. The first eight are shown; more than three are shown without their bands, which nobody could tell apart.
    pub agents: Vec<AgentSeries>,
    /// A limit, drawn as a line, in the unit of the axis.
    pub limit: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AgentSeries {
    /// Its name, from outside.
    pub name: String,
    /// By ascending number.
    pub moves: Vec<AtMove>,
}

/// One agent's figures at one move, or in one night.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtMove {
    /// The number of the full move or of the night, from 1.
    pub number: u32,
    /// The median, or the rating, in the unit of the axis.
    pub median: f64,
    /// The lower end of the band; NaN without one.
    pub low: f64,
    /// The upper end of the band; NaN without one.
    pub high: f64,
}

impl ByMove {
    pub fn svg(&self) -> String {
        let shown = &self.agents[..self.agents.len().min(STYLES.len())];
        let has_bands = shown.len() <= MOST_BANDS;
        let moves = || shown.iter().flat_map(|agent| &agent.moves);
        let kept = || moves().filter(|at| self.has_place(at.median));
        let x = NamedAxis {
            axis: Axis::linear(range_of_moves(kept()), AxisDirection::Across(ACROSS), true),
            name: self.across.axis().to_owned(),
        };
        let bands = kept().filter(|_| has_bands).flat_map(|at| [at.low, at.high]);
        let values = kept().map(|at| at.median).chain(bands).chain(self.limit);
        let values = values.filter(|value| self.has_place(*value));
        let medians = kept().map(|at| at.median).chain(self.limit);
        let (extent, is_cut) = self.cut(extent(values), extent(medians));
        let y = NamedAxis {
            axis: self.vertical(extent),
            name: self.axis.clone(),
        };
        let first = first_of(shown.len(), self.agents.len(), "agents");
        let unbanded = (!has_bands).then(|| format!("{}; {} are left out.", self.across.lines(), self.band));
        let missing = moves().count() - kept().count();
        let missing = match self.kind {
            AxisKind::Linear | AxisKind::Free => left_out(missing),
            AxisKind::Log => {
                (missing > 0).then(|| format!("{missing} medians that are no number above 0 are left out."))
            }
        };
        let cut = is_cut.then(|| "Bands beyond the frame are drawn at its edge.".to_owned());
        let remarks = first.into_iter().chain(unbanded).chain(missing).chain(cut);
        let remarks: Vec<String> = remarks.chain(nothing(kept().next().is_none())).collect();
        let mut chart = Chart::new(&self.heading, &self.key(shown, has_bands), x, y, 8.0, &remarks);
        let styled = || shown.iter().zip(STYLES);
        if has_bands {
            for (agent, style) in styled() {
                self.draw_band(&mut chart, agent, style);
            }
        }
        if let Some(limit) = self.limit.filter(|limit| self.has_place(*limit)) {
            chart.rule(limit, INK, "10 3 2 3", "limit");
        }
        for (agent, style) in styled() {
            self.draw_line(&mut chart, agent, style);
        }
        chart.finish()
    }

    fn has_place(&self, value: f64) -> bool {
        value.is_finite() && (self.kind != AxisKind::Log || value >= SMALLEST)
    }

    /// The range of a linear axis for all values, given that of the medians, and whether it leaves any out.
    fn cut(&self, all: Option<(f64, f64)>, medians: Option<(f64, f64)>) -> (Option<(f64, f64)>, bool) {
        match (self.kind, all, medians) {
            (AxisKind::Linear, Some((low, high)), Some((_, median))) if median > 0.0 && high > median * FAR => {
                (Some((low, median * FAR)), true)
            }
            _ => (all, false),
        }
    }

    fn vertical(&self, extent: Option<(f64, f64)>) -> Axis {
        match self.kind {
            AxisKind::Log => Axis::log(extent.unwrap_or((1.0, 10.0)), HEIGHT),
            AxisKind::Free => Axis::linear(
                padded(extent.unwrap_or((0.0, 0.0)), 0.05, LEAST_FREE),
                AxisDirection::Up(HEIGHT),
                false,
            ),
            AxisKind::Linear => {
                let (low, high) = extent.unwrap_or((0.0, 1.0));
                let (low, high) = padded((low.min(0.0), high.max(0.0)), 0.05, LEAST);
                let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
                // A quantity that is never below 0 begins there.
                let low = if extent.is_none_or(|(lowest, _)| lowest >= 0.0) {
                    0.0
                } else {
                    low
                };
                Axis::linear((low, high), AxisDirection::Up(HEIGHT), false)
            }
        }
    }

    fn key(&self, shown: &[AgentSeries], has_bands: bool) -> Vec<Item> {
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
        if self.limit.is_some_and(|limit| self.has_place(limit)) {
            key.push(Item {
                symbol: Symbol::Line(INK, "10 3 2 3"),
                text: "limit".to_owned(),
            });
        }
        key
    }

    fn draw_band(&self, chart: &mut Chart, agent: &AgentSeries, style: Style) {
        let moves = agent.moves.iter().filter(|at| self.has_place(at.median));
        let moves: Vec<&AtMove> = moves.filter(|at| !at.low.is_nan() && !at.high.is_nan()).collect();
        let edge = |value: fn(&AtMove) -> f64, line: LineKind| {
            let places = moves
                .iter()
                .map(|at| (chart.x(f64::from(at.number)), chart.y(value(at))));
            thinned(places, line)
        };
        let mut band = edge(|at| at.high, LineKind::Upper);
        band.extend(edge(|at| at.low, LineKind::Lower).into_iter().rev());
        let area = [
            ("class", "band".into()),
            ("fill", style.color.into()),
            ("fill-opacity", 0.16.into()),
        ];
        chart.svg.polygon(&band, &area);
    }

    fn draw_line(&self, chart: &mut Chart, agent: &AgentSeries, style: Style) {
        let moves = agent.moves.iter().filter(|at| self.has_place(at.median));
        let places = moves.map(|at| (chart.x(f64::from(at.number)), chart.y(at.median)));
        let places = thinned(places, LineKind::Path);
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
}

fn range_of_moves<'a>(moves: impl Iterator<Item = &'a AtMove>) -> (f64, f64) {
    let numbers = moves.map(|at| f64::from(at.number));
    let (first, last) = extent(numbers).unwrap_or((1.0, 1.0));
    padded((first.min(1.0), last), 0.0, 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::page::CountedUnit;
    use super::*;

    fn plot(kind: AxisKind, high: f64) -> ByMove {
        let at = |number| AtMove {
            number,
            median: 10.0,
            low: 8.0,
            high: if number == 3 { high } else { 12.0 },
        };
        ByMove {
            heading: Heading {
                title: String::new(),
                n: 5,
                counted: CountedUnit::Moves,
                note: String::new(),
            },
            across: Across::Moves,
            axis: "Depth (plies)".to_owned(),
            kind,
            band: "quartiles".to_owned(),
            agents: vec![AgentSeries {
                name: "A".to_owned(),
                moves: (1..6).map(at).collect(),
            }],
            limit: None,
        }
    }

    #[test]
    fn bands_far_beyond_the_medians_are_cut() {
        let is_cut = |kind, high| plot(kind, high).svg().contains("Bands beyond the frame");
        assert!(!is_cut(AxisKind::Linear, 20.0) && is_cut(AxisKind::Linear, 245.0));
        assert!(!is_cut(AxisKind::Log, 245.0), "there is room for all");
        let cut = plot(AxisKind::Linear, 245.0).cut(Some((8.0, 245.0)), Some((10.0, 10.0)));
        assert_eq!(cut, (Some((8.0, 25.0)), true));
        let limit = ByMove {
            limit: Some(200.0),
            ..plot(AxisKind::Linear, 245.0)
        };
        assert!(
            !limit.svg().contains("Bands beyond the frame"),
            "the limit is shown whole"
        );
    }
}
