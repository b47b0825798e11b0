//! Axes: their ranges, their ticks, and the labels of these.

use super::look::TICK;
use super::{font, number};

/// Numbers beyond these are drawn at the edge, as infinities are.
const LARGEST: f64 = 1e15;
/// Numbers below this have no place on a logarithmic axis.
pub(super) const SMALLEST: f64 = 1e-15;
/// Least space between two labels in a row, in px.
const GAP: f64 = 16.0;
/// Least distance of ticks above each other, in px.
const ABOVE: f64 = 42.0;

/// How values are mapped to positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisKind {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Like [`Self::Linear`], but need not include 0.
    Free,
    /// Equal ratios have equal lengths; values below 1e-15 have no place.
    Log,
}

pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

pub(super) struct Axis {
    low: f64,
    high: f64,
    kind: AxisKind,
    pub(super) ticks: Vec<Tick>,
}

/// The direction of an axis, and its length in px.
#[derive(Clone, Copy)]
pub(super) enum AxisDirection {
    Across(f64),
    Up(f64),
}

/// The lowest and the highest value, without those that are no numbers or out of bounds.
pub(super) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let numbers = values.into_iter().filter(|value| value.abs() <= LARGEST);
    numbers.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

/// A range, widened at either end by a part of its length; a range without length becomes `least` long.
pub(super) fn padded((low, high): (f64, f64), part: f64, least: f64) -> (f64, f64) {
    let least = least.max(low.abs().max(high.abs()) * 1e-9);
    let missing = (least - (high - low)).max(0.0) / 2.0;
    let more = (high - low) * part + missing;
    (low - more, high + more)
}

impl Axis {
    /// An axis from `low` to `high`; the ticks of a `whole` axis are whole numbers.
    pub(super) fn linear((low, high): (f64, f64), run: AxisDirection, whole: bool) -> Self {
        let ticks_by = |most: f64| {
            let step = step((high - low) / most, whole);
            linear_ticks(low, high, step)
        };
        let ticks = match run {
            AxisDirection::Up(length) => ticks_by((length / ABOVE).max(1.0)),
            AxisDirection::Across(length) => {
                let tried = (1..=9).rev().map(|most| ticks_by(f64::from(most)));
                let mut fitting = tried.filter(|ticks| are_apart(ticks, low, high, length));
                fitting.next().unwrap_or_default()
            }
        };
        Self {
            low,
            high,
            kind: AxisKind::Linear,
            ticks,
        }
    }

    /// An axis from below `low` to above `high`, both above 0, with ticks at powers of ten.
    pub(super) fn log((low, high): (f64, f64), length: f64) -> Self {
        let (low, high) = (low.log10(), high.log10());
        let more = ((high - low) * 0.05).max(0.05);
        let (low, high) = (low - more, high + more);
        let decade = (((high - low) * ABOVE / length).ceil() as i32).max(1);
        let has_between = (high - low) * ABOVE * 3.0 < length;
        let mut ticks = Vec::new();
        for power in low.floor() as i32..=high.ceil() as i32 {
            if power.rem_euclid(decade) != 0 {
                continue;
            }
            for digit in [1.0, 2.0, 5.0] {
                let at = digit * 10_f64.powi(power);
                if (digit == 1.0 || has_between) && (low..=high).contains(&at.log10()) {
                    // An axis that reaches millions says `10 k` and `1 M`.
                    let decimals = usize::try_from(-power).unwrap_or(0);
                    let label = match power {
                        3.. if high >= 6.0 => with_unit(at).unwrap_or_default(),
                        ..-4 => format!("{at:.0e}").replace('-', "−"),
                        _ => number::decimal(at, decimals),
                    };
                    ticks.push(Tick { at, label });
                }
            }
        }
        Self {
            low,
            high,
            kind: AxisKind::Log,
            ticks,
        }
    }

    /// The position of a value along the axis, from 0 to 1; values beyond an end lie at it.
    pub(super) fn share(&self, value: f64) -> f64 {
        let value = match self.kind {
            AxisKind::Linear | AxisKind::Free => value,
            AxisKind::Log => value.max(f64::MIN_POSITIVE).log10(),
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn step(least: f64, whole: bool) -> f64 {
    let power = 10_f64.powi(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0 * power);
    if whole { step.max(1.0) } else { step }
}

fn linear_ticks(low: f64, high: f64, step: f64) -> Vec<Tick> {
    let slack = step * 1e-6;
    let first = ((low - slack) / step).ceil();
    let largest = low.abs().max(high.abs());
    let decimals = (-step.log10()).ceil().max(0.0) as usize;
    let ticks = (0..200).map(|nr| (first + f64::from(nr)) * step);
    let inside = ticks.take_while(|at| *at <= high + slack);
    inside
        .map(|at| Tick {
            at,
            label: labelled(at, decimals, largest),
        })
        .collect()
}

/// The label of a tick.
fn labelled(value: f64, decimals: usize, largest: f64) -> String {
    let has_units = largest > 1e6 && value != 0.0;
    let with_unit = has_units.then(|| with_unit(value)).flatten();
    with_unit.unwrap_or_else(|| number::decimal(value, decimals))
}

/// A number in thousands, millions and more, such as `1.5 M`; `None` below a thousand.
fn with_unit(value: f64) -> Option<String> {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (unit, name) = units.into_iter().find(|(unit, _)| value.abs() >= *unit)?;
    let text = number::decimal(value / unit, 9);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Some(format!("{text}\u{a0}{name}"))
}

fn are_apart(ticks: &[Tick], low: f64, high: f64, length: f64) -> bool {
    let px = |tick: &Tick| (tick.at - low) / (high - low) * length;
    ticks.windows(2).all(|pair| {
        let widths = pair.iter().map(|tick| font::width(&tick.label, TICK)).sum::<f64>();
        px(&pair[1]) - px(&pair[0]) >= widths / 2.0 + GAP
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::linear((-3.2, 3.2), AxisDirection::Up(300.0), false);
        assert_eq!(labels(&axis), ["−3", "−2", "−1", "0", "1", "2", "3"]);
        let axis = Axis::linear((0.431, 0.569), AxisDirection::Up(300.0), false);
        assert_eq!(labels(&axis), ["0.44", "0.46", "0.48", "0.50", "0.52", "0.54", "0.56"]);
        let axis = Axis::linear((0.0, 1_000_000.0), AxisDirection::Across(700.0), true);
        assert_eq!(
            labels(&axis),
            ["0", "200,000", "400,000", "600,000", "800,000", "1,000,000"]
        );
        let axis = Axis::linear((0.0, 2.5e9), AxisDirection::Up(250.0), false);
        assert_eq!(
            labels(&axis),
            ["0", "500\u{a0}M", "1\u{a0}G", "1.5\u{a0}G", "2\u{a0}G", "2.5\u{a0}G"]
        );
        let axis = Axis::linear((0.0, 2.0), AxisDirection::Across(700.0), true);
        assert_eq!(labels(&axis), ["0", "1", "2"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let axis = Axis::log((0.003, 4000.0), 300.0);
        assert_eq!(labels(&axis), ["0.01", "0.1", "1", "10", "100", "1,000"]);
        let axis = Axis::log((2e4, 3e7), 300.0);
        assert_eq!(labels(&axis), ["100\u{a0}k", "1\u{a0}M", "10\u{a0}M"]);
        assert!(!Axis::log((2.0, 2.0), 300.0).ticks.is_empty());
        let axis = Axis::log((1e-15, 1e15), 300.0);
        assert!((3..=8).contains(&axis.ticks.len()), "{:?}", labels(&axis));
        assert_eq!(labels(&axis)[0], "1e−15");
    }

    #[test]
    fn every_value_has_a_place() {
        let (low, high) = padded(extent([3.0, f64::NAN, f64::INFINITY]).unwrap(), 0.05, 1.0);
        assert_eq!((low, high), (2.5, 3.5));
        let axis = Axis::linear((low, high), AxisDirection::Up(100.0), false);
        let shares = [f64::NEG_INFINITY, 2.5, 3.0, 1e300, f64::INFINITY].map(|value| axis.share(value));
        assert_eq!(shares, [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(extent([f64::NAN]), None);
        for range in [
            (0.0, 0.0),
            (1e15, 1e15),
            (-1e15, 1e15),
            (1e-12, 2e-12),
            (1e9, 1e9 + 1e-6),
        ] {
            let range = padded(range, 0.05, 1e-12);
            for run in [
                AxisDirection::Up(400.0),
                AxisDirection::Across(700.0),
                AxisDirection::Up(1.0),
            ] {
                let axis = Axis::linear(range, run, false);
                assert!(axis.ticks.len() <= 12, "{range:?}: {}", axis.ticks.len());
                assert!(axis.share(range.0).is_finite());
            }
        }
    }
}
