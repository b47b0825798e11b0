//! The likeliest distribution of results under a hypothesis, and the logarithm of the ratio of two such likelihoods.
//!
//! Results are counted by rising score from 0 to 1 in equal steps. A count of zero is taken as [`NONE`], as in
//! fishtest and fastchess: otherwise results that have not been seen yet would be impossible for ever.

use crate::pairs::moments;

/// The value that replaces a count of zero.
const NONE: f64 = 1e-3;
/// The least distance of a mean score from 0 and from 1: some 3600 points of Elo.
const NEAREST: f64 = 1e-9;
/// How often a bracket is halved: a double has no more digits.
const HALVINGS: u32 = 55;
/// The most steps to a distribution with a given normalized mean. Some ten are usual; if this many do not suffice,
/// another method is used.
const STEPS: u32 = 100;
/// With fewer results there may be several such distributions far from equality, and all are searched for the
/// likeliest.
const FEW: f64 = 100.0;
/// A difference of this many deviations is far: some 120 points of normalized Elo.
const FAR: f64 = 0.35;
/// The number of deviations that are then tried.
const TRIED: u32 = 64;
/// A step that changes no share by more is the last one.
const EXACT: f64 = 1e-11;
/// The precision with which a distribution has to meet its hypothesis.
const NEAR: f64 = 1e-7;

/// The share of each result.
pub(super) fn shares<const N: usize>(counts: &[u64; N]) -> [f64; N] {
    let counts = counts.map(at_least);
    let all: f64 = counts.iter().sum();
    counts.map(|count| count / all)
}

fn at_least(count: u64) -> f64 {
    if count == 0 { NONE } else { count as f64 }
}

/// The LLR of two mean scores, the second against the first.
pub(super) fn llr_of_means(counts: &[u64], means: [f64; 2]) -> f64 {
    let seen = SeenResults::new(counts);
    let likeliest = means.map(|mean| seen.at_mean(mean));
    seen.llr(&likeliest)
}

/// The LLR of two differences in normalized Elo.
pub(super) fn llr_of_normalized(counts: &[u64], nelos: [f64; 2]) -> f64 {
    let seen = SeenResults::new(counts);
    // A pair is the mean of two games: its deviation is smaller by √2.
    let games = if counts.len() == 5 { 2.0_f64 } else { 1.0 };
    let scale = 800.0 / std::f64::consts::LN_10;
    let likeliest = nelos.map(|nelo| seen.at_normalized_mean(nelo / scale * games.sqrt()));
    seen.llr(&likeliest)
}

/// The logarithm of the ratio of two likeliest distributions for each result of a true distribution, by the same
/// hypotheses.
pub(super) fn ratios(truth: &[f64], likeliest: impl Fn(&SeenResults) -> [Vec<f64>; 2]) -> Vec<f64> {
    let seen = SeenResults::of_shares(truth.to_vec());
    let [first, second] = likeliest(&seen);
    first
        .iter()
        .zip(&second)
        .map(|(first, second)| (second / first).ln())
        .collect()
}

/// Observed results.
pub(super) struct SeenResults {
    counts: Vec<f64>,
    scores: Vec<f64>,
    shares: Vec<f64>,
}

impl SeenResults {
    fn new(counts: &[u64]) -> Self {
        Self::of_shares(counts.iter().map(|&count| at_least(count)).collect())
    }

    fn of_shares(counts: Vec<f64>) -> Self {
        let all: f64 = counts.iter().sum();
        let last = (counts.len() - 1) as f64;
        Self {
            scores: (0..counts.len()).map(|number| number as f64 / last).collect(),
            shares: counts.iter().map(|count| count / all).collect(),
            counts,
        }
    }

    /// The LLR of two distributions, the second against the first.
    fn llr(&self, [first, second]: &[Vec<f64>; 2]) -> f64 {
        let of_each = self.counts.iter().zip(first.iter().zip(second));
        of_each
            .map(|(count, (first, second))| count * (second / first).ln())
            .sum()
    }

    /// The likeliest distribution with this mean score, between 0 and 1; a mean nearer to them than can be computed
    /// is moved to [`NEAREST`] from them.
    pub(super) fn at_mean(&self, mean: f64) -> Vec<f64> {
        let mean = mean.clamp(NEAREST, 1.0 - NEAREST);
        let beyond: Vec<f64> = self.scores.iter().map(|score| score - mean).collect();
        self.at_zero(&beyond).unwrap_or_else(|| self.shares.clone())
    }

    /// The likeliest distribution in which these values have the mean 0. By Lagrange each share p becomes p / (1 +
    /// λ·value), where λ makes the mean of the values 0. `None` if all have one sign, so that there is none.
    fn at_zero(&self, values: &[f64]) -> Option<Vec<f64>> {
        let (least, most) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
                (least.min(*value), most.max(*value))
            });
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let mean = |lambda: f64| -> f64 {
            let of_each = self.shares.iter().zip(values);
            of_each
                .map(|(share, value)| share * value / (1.0 + lambda * value))
                .sum()
        };
        // Falling from ∞ to −∞ between the poles.
        let lambda = root(-1.0 / most, -1.0 / least, mean);
        let of_each = self.shares.iter().zip(values);
        Some(of_each.map(|(share, value)| share / (1.0 + lambda * value)).collect())
    }

    /// The likeliest distribution whose mean is `t` deviations above ½.
    ///
    /// At the likeliest one the values (a − μ) − t·((a − μ)² − σ²) / (2σ) of the scores a have the mean 0, with its
    /// own mean μ and deviation σ. So these are inserted, and the next distribution is computed, until nothing
    /// changes (Van den Bergh, "Normalized Elo").
    pub(super) fn at_normalized_mean(&self, t: f64) -> Vec<f64> {
        // Starts from equal shares: near results that are almost all equal there are other distributions that no
        // small change improves.
        let mut found = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        for _ in 0..STEPS {
            let (mean, variance) = moments(found.iter().copied());
            let Some(next) = self.near(t, mean, variance.sqrt()) else {
                break;
            };
            let change = next
                .iter()
                .zip(&found)
                .map(|(next, found)| (next - found).abs())
                .fold(0.0, f64::max);
            found = next;
            if change < EXACT && misses(&found, t).abs() < NEAR {
                let other = match t.abs() > FAR && self.counts.iter().sum::<f64>() < FEW {
                    true => self.at_deviation(t),
                    false => None,
                };
                return other
                    .filter(|other| self.likelihood(other) > self.likelihood(&found))
                    .unwrap_or(found);
            }
        }
        let none = || vec![f64::NAN; self.shares.len()];
        self.at_deviation(t).unwrap_or_else(none)
    }

    /// The logarithm of a distribution's likelihood, for one result.
    fn likelihood(&self, found: &[f64]) -> f64 {
        let of_each = self.shares.iter().zip(found);
        of_each.map(|(share, found)| share * found.ln()).sum()
    }

    /// The likeliest distribution for a mean and a deviation near its own.
    fn near(&self, t: f64, mean: f64, deviation: f64) -> Option<Vec<f64>> {
        let value = |score: &f64| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let values: Vec<f64> = self.scores.iter().map(value).collect();
        self.at_zero(&values)
    }

    /// Like [`Self::at_normalized_mean`], by a search over all deviations that a distribution with such a mean can
    /// have; `None` if none is found.
    fn at_deviation(&self, t: f64) -> Option<Vec<f64>> {
        // A score from 0 to 1 with the mean ½ + tσ has a variance of (½ + tσ)(½ − tσ) at most.
        let most = 0.5 / (1.0 + t * t).sqrt();
        let at = |deviation: f64| self.near(t, 0.5 + t * deviation, deviation);
        let misses_at =
            |deviation: f64| at(deviation).map(|found| moments(found.iter().copied()).0 - 0.5 - t * deviation);
        // Closer and closer to the greatest, which only 0 and 1 together have.
        let steps = (1..TRIED).map(|number| f64::from(number) / f64::from(TRIED));
        let last = (7..50).step_by(2).map(|number| 1.0 - 0.5_f64.powi(number));
        let tried: Vec<f64> = steps.chain(last).map(|part| most * part).collect();
        let crossings = tried.array_windows().filter_map(|&[low, high]| {
            let (first, second) = (misses_at(low)?, misses_at(high)?);
            (first * second <= 0.0).then(|| {
                let sign = if first > 0.0 { 1.0 } else { -1.0 };
                let deviation = root(low, high, |deviation| {
                    misses_at(deviation).map_or(0.0, |missed| sign * missed)
                });
                at(deviation)
            })?
        });
        crossings
            .filter(|found| misses(found, t).abs() < NEAR)
            .max_by(|one, other| self.likelihood(one).total_cmp(&self.likelihood(other)))
    }
}

/// The distance of a distribution's mean from `t` deviations above ½.
fn misses(found: &[f64], t: f64) -> f64 {
    let (mean, variance) = moments(found.iter().copied());
    mean - 0.5 - t * variance.sqrt()
}

/// The zero of a falling function, to the last digits that the width of the bracket has.
fn root(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How fast the likelihood grows from `found` in the direction `toward`, as far as that keeps to the hypothesis.
    fn slope(seen: &SeenResults, found: &[f64], t: f64, toward: [f64; 5]) -> f64 {
        let (mean, variance) = moments(found.iter().copied());
        let deviation = variance.sqrt();
        let grows = |score: &f64| score - mean - t * ((score - mean).powi(2) - variance) / (2.0 * deviation);
        let by_scores: Vec<f64> = seen.scores.iter().map(grows).collect();
        // Without the components that change the sum, or the distance of the mean from ½.
        let mut way = toward.to_vec();
        let mut bases: Vec<Vec<f64>> = Vec::new();
        for base in [vec![1.0; 5], by_scores] {
            let mut base = base;
            for before in &bases {
                take_away(&mut base, before);
            }
            bases.push(base);
        }
        bases.iter().for_each(|base| take_away(&mut way, base));
        let of_each = way.iter().zip(seen.shares.iter().zip(found));
        of_each.map(|(way, (share, found))| way * share / found).sum()
    }

    fn dot(one: &[f64], other: &[f64]) -> f64 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    }

    fn take_away(way: &mut [f64], base: &[f64]) {
        let by = dot(way, base) / dot(base, base);
        way.iter_mut().zip(base).for_each(|(way, base)| *way -= by * base);
    }

    fn few_or_many() -> impl Strategy<Value = [u64; 5]> {
        prop_oneof![
            proptest::array::uniform5(0_u64..300),
            proptest::array::uniform5(0_u64..6).prop_filter("something was seen", |counts| *counts != [0; 5]),
        ]
    }

    proptest! {
        /// The result of the steps is the same as that of the search.
        #[test]
        fn steps_lead_to_what_is_found_by_looking(counts in few_or_many(), t in -0.6_f64..0.6) {
            prop_assume!(t.abs() <= FAR || counts.iter().sum::<u64>() >= 100);
            let seen = SeenResults::new(&counts);
            let (found, other) = (seen.at_normalized_mean(t), seen.at_deviation(t));
            let other = other.map(|other| seen.likelihood(&other));
            let found = seen.likelihood(&found);
            prop_assert!(other.is_some_and(|other| (found - other).abs() < 1e-7), "{found} {other:?}");
        }

        #[test]
        fn from_the_likeliest_distribution_no_way_leads_up(
            counts in proptest::array::uniform5(1_u64..500),
            t in -0.4_f64..0.4,
            toward in proptest::array::uniform5(-1.0_f64..1.0),
        ) {
            let seen = SeenResults::new(&counts);
            let found = seen.at_normalized_mean(t);
            prop_assert!(misses(&found, t).abs() < 1e-8);
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-8);
            let slope = slope(&seen, &found, t, toward);
            prop_assert!(slope.abs() < 1e-5, "{slope}");
        }
    }
}
