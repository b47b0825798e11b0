//! The covariance of the fitted parameters: how far they may be off.
//!
//! May not: fit by anything but [`super::solve`].

use rand_distr::{Distribution as _, Gamma};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::super::stream::stream;
use super::dense::{Matrix, dot};
use super::games::{self, Bout, GamesRow, WeightedCounts};
use super::model::RatingModel;
use super::solve::{self, Layout, NoMaximum, Parameters};

/// The fewest units (game pairs, and games without a pair) of any player with games; `None` if nobody has games.
pub(super) fn least_units(rows: &[GamesRow], players: usize) -> Option<f64> {
    let mut units = vec![0.0; players];
    for row in rows {
        row.players
            .iter()
            .for_each(|&player| units[player] += row.counts.units());
    }
    units.into_iter().filter(|units| *units > 0.0).reduce(f64::min)
}

/// The middle of the covariance, from the deviations of units from their expectation: the sum over independent units
/// (games, or pairs too if `whole_pairs`) of the product of the unit's gradient with itself. With the inverse
/// information on both sides this is the "sandwich": P. J. Huber, "The behavior of maximum likelihood estimates under
/// nonstandard conditions", Proceedings of the Fifth Berkeley Symposium 1 (1967) 221–233; by clusters: K.-Y. Liang
/// and S. L. Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986) 13–22. Because
/// the fit reduces the spread, it is multiplied by n / (n − p) for n units and p parameters: J. G. MacKinnon and H.
/// White, "Some heteroskedasticity-consistent covariance matrix estimators with improved finite sample properties",
/// Journal of Econometrics 29 (1985) 305–325 (HC1).
pub(super) fn sandwich(
    model: RatingModel,
    rows: &[GamesRow],
    layout: &Layout,
    at: &Parameters,
    whole_pairs: bool,
) -> Matrix {
    let mut middle = Matrix::zero(layout.columns);
    let mut units = 0.0;
    let stretch = model.stretch(at.draw);
    for row in rows {
        let differences = solve::differences(stretch, row.players, at);
        let [white, black] = differences.map(|x| solve::by_result(stretch, x, &model.outcomes(x, at.draw)));
        // By the first player's rating (the second's is its negative), by White's advantage, by ψ.
        let first = |[lead, draw]: [f64; 2]| [lead, lead, draw];
        let second = |[lead, draw]: [f64; 2]| [-lead, lead, draw];
        let mut squares = [[0.0; 3]; 3];
        let pairs_of_two = !whole_pairs && matches!(row.counts, WeightedCounts::Pairs(_));
        units += row.counts.units() * if pairs_of_two { 2.0 } else { 1.0 };
        let mut add = |count: f64, gradient: [f64; 3]| {
            for (one, squares) in squares.iter_mut().enumerate() {
                for (other, square) in squares.iter_mut().enumerate() {
                    *square += count * gradient[one] * gradient[other];
                }
            }
        };
        for result in 0..3 {
            match row.counts {
                WeightedCounts::Single(counts) => add(counts[result], first(white[result])),
                WeightedCounts::Pairs(pairs) => {
                    for with_black in 0..3 {
                        let count = pairs[result][with_black];
                        let one = first(white[result]);
                        // A loss of the first with Black is a win of the second with White.
                        let other = second(black[2 - with_black]);
                        if whole_pairs {
                            add(count, [0, 1, 2].map(|by| one[by] + other[by]));
                        } else {
                            add(count, one);
                            add(count, other);
                        }
                    }
                }
            }
        }
        let [one, other] = row.players.map(|player| layout.players[player]);
        let columns = [
            (one, 0, 1.0),
            (other, 0, -1.0),
            (layout.white, 1, 1.0),
            (layout.draw, 2, 1.0),
        ];
        for (row, by, sign) in columns {
            for (column, with, other_sign) in columns {
                if let (Some(row), Some(column)) = (row, column) {
                    middle.add(row, column, sign * other_sign * squares[by][with]);
                }
            }
        }
    }
    let parameters = f64::from(u32::try_from(layout.columns).expect("players are few"));
    middle.scale(units / (units - parameters).max(1.0));
    middle
}

/// Data that all resamples share.
pub(super) struct Resampling<'a> {
    pub(super) model: RatingModel,
    pub(super) rows: &'a [GamesRow],
    pub(super) layout: &'a Layout,
    /// The fit to the games that were played.
    pub(super) fitted: &'a Parameters,
    /// Draws of the prior.
    pub(super) prior: f64,
    pub(super) seed: u64,
    pub(super) samples: u32,
}

impl Resampling<'_> {
    /// The covariance of the figures that `values` computes from the parameters of a resample. In each resample every
    /// unit (game or pair) has a random weight from the exponential distribution: D. B. Rubin, "The Bayesian
    /// bootstrap", Annals of Statistics 9 (1981) 130–134. Nobody's games ever drop out, so a resample has a maximum
    /// if the games have one; and the sum of equal units has a gamma distribution, so that a million games need no
    /// million numbers.
    pub(super) fn covariance(&self, values: impl Fn(&Parameters) -> Vec<f64> + Sync) -> Result<Matrix, NoMaximum> {
        let samples = (0..self.samples).into_par_iter();
        let drawn: Result<Vec<Vec<f64>>, NoMaximum> =
            samples.map(|sample| Ok(values(&self.resample(sample)?))).collect();
        let drawn = drawn?;
        let count = f64::from(self.samples);
        let side = values(self.fitted).len();
        // By value, minus the mean.
        let by_value: Vec<Vec<f64>> = (0..side)
            .map(|value| {
                let mut all: Vec<f64> = drawn.iter().map(|sample| sample[value]).collect();
                let mean = all.iter().sum::<f64>() / count;
                all.iter_mut().for_each(|value| *value -= mean);
                all
            })
            .collect();
        Ok(Matrix::symmetric(side, |row, column| {
            dot(&by_value[row], &by_value[column]) / (count - 1.0)
        }))
    }

    fn resample(&self, sample: u32) -> Result<Parameters, NoMaximum> {
        let mut stream = stream(self.seed, "rating resample", sample);
        let rows = self.rows.iter().map(|row| GamesRow {
            counts: row.counts.replaced(|count| {
                let weight = Gamma::new(count, 1.0).expect("a count is above zero");
                weight.sample(&mut stream)
            }),
            ..*row
        });
        let mut bouts: Vec<Bout> = games::bouts(rows);
        if self.prior > 0.0 {
            games::add_prior(&mut bouts, self.fitted.ratings.len(), self.prior);
        }
        Ok(solve::solve(self.model, &bouts, self.layout, self.fitted.clone())?.parameters)
    }
}
