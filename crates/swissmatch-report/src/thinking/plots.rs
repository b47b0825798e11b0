//! The thinking of agents, as plots over the number of the move.
//!
//! May not: touch files.

use super::ThinkingReport;
use crate::plot::{Across, AgentSeries, AtMove, AxisKind, ByMove, CountedUnit, Heading, Plot};
use crate::untrusted::{event, name};
use swissmatch_stats::spread::Spread;
use swissmatch_tournament::thinking::{Figures, MOST_MOVES, PlayerThinking};

/// Moves that fewer than one in this many of an agent's games reached are left out, and so are moves that fewer games than this reached.
const ONE_IN: u64 = 10;
const FEW: u64 = 4;
/// Agents whose medians are further apart than this are shown on a logarithmic axis.
const FAR: f64 = 100.0;
/// Longest time that is shown in milliseconds; itself in microseconds.
const SHORT: f64 = 10_000_000.0;
/// A limit this many times above all times is not drawn, as it would hide them.
const HIGH: f64 = 4.0;

/// A quantity of moves.
struct Quantity {
    title: &'static str,
    axis: &'static str,
    /// The plotted unit, in the unit in which it is kept.
    unit: f64,
    kind: AxisKind,
    of: fn(&Figures) -> &Spread,
}

impl ThinkingReport<'_> {
    /// Time, depth, nodes and speed over the number of the move.
    pub fn plots(&self) -> Vec<Plot> {
        let plots = [
            ("time-per-move", self.time_plot()),
            (
                "depth",
                self.plot(&Quantity {
                    title: "Depth",
                    axis: "Depth (plies)",
                    unit: 1.0,
                    kind: AxisKind::Linear,
                    of: |figures| &figures.depth,
                }),
            ),
            (
                "nodes",
                self.plot(&Quantity {
                    title: "Nodes",
                    axis: "Nodes per move",
                    unit: 1.0,
                    kind: AxisKind::Log,
                    of: |figures| &figures.nodes,
                }),
            ),
            (
                "speed",
                self.plot(&Quantity {
                    title: "Speed",
                    axis: "Speed (nodes/s)",
                    unit: 1.0,
                    kind: AxisKind::Log,
                    of: |figures| &figures.speed,
                }),
            ),
        ];
        plots
            .into_iter()
            .map(|(name, plot)| Plot { name, svg: plot.svg() })
            .collect()
    }

    fn time(&self) -> Quantity {
        let shown = self.thinking.players.iter().take(self.thinking.wanted.one_by_one);
        let medians = || {
            let medians = shown.clone().filter_map(|player| player.all.time.median());
            medians.map(|time| time as f64)
        };
        let longest = medians().fold(0.0, f64::max);
        let shortest = medians().fold(f64::INFINITY, f64::min).max(1.0);
        let (axis, unit) = match longest < SHORT {
            true => ("Time per move (ms)", 1000.0),
            false => ("Time per move (s)", 1_000_000.0),
        };
        Quantity {
            title: "Time per move",
            axis,
            unit,
            kind: match longest > shortest * FAR {
                true => AxisKind::Log,
                false => AxisKind::Linear,
            },
            of: |figures| &figures.time,
        }
    }

    /// The plot of times, with the limit if one limit judged all.
    pub(super) fn time_plot(&self) -> ByMove {
        let time = self.time();
        let mut plot = self.plot(&time);
        let limit = self.thinking.time_per_move();
        let limit = limit.map(|limit| limit.as_micros() as f64 / time.unit);
        let moves = || plot.agents.iter().flat_map(|agent| &agent.moves);
        let highest = moves().map(|at| at.high).fold(0.0, f64::max);
        plot.limit = limit.filter(|limit| time.kind == AxisKind::Log || highest * HIGH > *limit);
        plot
    }

    fn plot(&self, quantity: &Quantity) -> ByMove {
        let shown = self.thinking.wanted.one_by_one;
        let agents = self.each().take(shown);
        let of_all = |player: &PlayerThinking| (quantity.of)(&player.all).count();
        let n = agents.map(|(_, player)| of_all(player)).sum();
        let series = |(number, player): (_, &PlayerThinking)| AgentSeries {
            name: name(self.state, number),
            moves: at_moves(player, quantity),
        };
        ByMove {
            heading: Heading {
                title: format!("{}: {}", quantity.title, event(self.state)),
                n,
                counted: CountedUnit::Moves,
                note: format!(
                    "Lines are medians. Moves are counted from the end of the opening; left out are those that fewer than one in \
                     {ONE_IN} of a player's games reached, or fewer than {FEW} games."
                ),
            },
            across: Across::Moves,
            axis: quantity.axis.to_owned(),
            kind: quantity.kind,
            band: "quartiles".to_owned(),
            agents: self.each().map(series).collect(),
            limit: None,
        }
    }
}

fn at_moves(player: &PlayerThinking, quantity: &Quantity) -> Vec<AtMove> {
    let most = player.moves.iter().map(|figures| (quantity.of)(figures).count()).max();
    let most = most.unwrap_or(0);
    let least = most.div_ceil(ONE_IN).max(FEW.min(most)).max(1);
    // The last one includes all later moves.
    let moves = (1..).zip(player.moves.iter().take(MOST_MOVES - 1));
    moves
        .filter_map(|(number, figures)| {
            let spread = (quantity.of)(figures);
            let value = |percent| {
                spread
                    .quantile(percent)
                    .map_or(f64::NAN, |value| value as f64 / quantity.unit)
            };
            (spread.count() >= least).then(|| AtMove {
                number,
                median: value(50),
                low: value(25),
                high: value(75),
            })
        })
        .collect()
}
