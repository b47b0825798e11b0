//! The maximum of the likelihood, by Fisher's scoring.
//!
//! The parameters are ratings, White's advantage (both in Elo) and ψ of the model. A step is the inverse of the
//! expected information times the gradient, halved until the likelihood does not fall; at the maximum of Davidson's
//! model, where expected and observed information are equal, it is Newton's. D. R. Hunter, "MM algorithms for
//! generalized Bradley-Terry models", Annals of Statistics 32 (2004) 384–406, has the other way, with many more but
//! cheaper steps; the information is needed for the errors anyway.
//!
//! May not: decide what is estimated.

use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::dense::{Cholesky, Matrix};
use super::games::Bout;
use super::model::{Outcomes, RatingModel};

/// The number of steps after which no maximum is expected.
const STEPS: usize = 200;
/// A shorter step is the last, in Elo and in thousandths of ψ.
const LAST: f64 = 1e-7;
/// After a shorter step the next one may use the same information.
const NEAR: f64 = 20.0;
/// The longest step in any difference, in natural units of x.
const LONGEST: f64 = 4.0;
/// White's advantage in natural units, or ψ, beyond which there is no maximum: no number of games puts it there.
const BEYOND: f64 = 40.0;
/// Bouts from which threads are worth it.
const BOUTS: usize = 2048;

/// The layout of the estimates: which column of the information has which parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// For each player, the column of its rating; `None` if it stays fixed.
    pub(super) players: Vec<Option<usize>>,
    /// The column of White's advantage.
    pub(super) white: Option<usize>,
    /// The column of ψ.
    pub(super) draw: Option<usize>,
    /// The number of columns.
    pub(super) columns: usize,
}

/// Values of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameters {
    /// In Elo.
    pub(super) ratings: Vec<f64>,
    /// In Elo.
    pub(super) white: f64,
    /// ψ.
    pub(super) draw: f64,
}

/// There is no maximum at finite values, or none that can be distinguished from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoMaximum;

/// The place where the likelihood is greatest, or a place on the way.
pub(super) struct Maximum {
    pub(super) parameters: Parameters,
    /// The logarithm of the likelihood.
    pub(super) log_likelihood: f64,
    parts: Vec<[LikelihoodTerm; 2]>,
}

impl Maximum {
    /// The expected information there.
    pub(super) fn information(&self, bouts: &[Bout], layout: &Layout) -> Matrix {
        information(bouts, &self.parts, layout)
    }
}

/// Climbs from `start` to the maximum.
pub(super) fn solve(
    model: RatingModel,
    bouts: &[Bout],
    layout: &Layout,
    start: Parameters,
) -> Result<Maximum, NoMaximum> {
    let mut at = look(model, bouts, start);
    let mut kept: Option<Cholesky> = None;
    let mut before = f64::INFINITY;
    for _ in 0..STEPS {
        let factor = match kept.take() {
            Some(factor) => factor,
            None => Cholesky::new(at.information(bouts, layout)).ok_or(NoMaximum)?,
        };
        let step = factor.solve(&gradient(bouts, &at.parts, layout));
        let [stretch, _] = model.stretch(at.parameters.draw);
        let longest = step.iter().enumerate().map(|(column, step)| match layout.draw {
            Some(draw) if draw == column => step.abs() * 1e3,
            _ => step.abs(),
        });
        let longest = longest.fold(0.0, f64::max);
        let mut share = (LONGEST / stretch / longest.max(f64::MIN_POSITIVE)).min(1.0);
        // The precision to which the likelihood is known.
        let least = at.log_likelihood - 1e-12 * (1.0 + at.log_likelihood.abs());
        at = loop {
            let next = look(model, bouts, moved(&at.parameters, layout, &step, share));
            if next.log_likelihood >= least {
                break next;
            }
            share /= 2.0;
            if share < 1e-12 {
                return Err(NoMaximum);
            }
        };
        let [stretch, _] = model.stretch(at.parameters.draw);
        let beyond = |column: Option<usize>, value: f64| column.is_some() && value.abs() > BEYOND;
        if beyond(layout.white, at.parameters.white * stretch) || beyond(layout.draw, at.parameters.draw) {
            return Err(NoMaximum);
        }
        if longest < LAST {
            return Ok(at);
        }
        // Near the maximum the information changes little, and computing it takes most of the time.
        if longest < NEAR && longest < before / 10.0 {
            kept = Some(factor);
        }
        before = longest;
    }
    Err(NoMaximum)
}

/// x of a game with White for the first player, and of one with White for the second, with the model's stretch at ψ.
pub(super) fn differences([stretch, _]: [f64; 2], players: [usize; 2], at: &Parameters) -> [f64; 2] {
    let ahead = at.ratings[players[0]] - at.ratings[players[1]];
    [stretch * (at.white + ahead), stretch * (at.white - ahead)]
}

/// The derivatives of the likelihood of a game by White's lead in Elo and by ψ, by its result.
pub(super) fn by_result([stretch, longer]: [f64; 2], x: f64, outcomes: &Outcomes) -> [[f64; 2]; 3] {
    // How x grows with ψ.
    let along = x / stretch * longer;
    [0, 1, 2].map(|of| {
        let (by_x, by_draw) = (outcomes.by_x[of], outcomes.by_draw[of]);
        [by_x * stretch, by_draw + by_x * along]
    })
}

/// The likelihood and its derivatives at a place.
fn look(model: RatingModel, bouts: &[Bout], at: Parameters) -> Maximum {
    let stretch = model.stretch(at.draw);
    let part = |bout: &Bout| {
        let differences = differences(stretch, bout.players, &at);
        [0, 1].map(|white: usize| {
            let counts = &bout.counts[white];
            match counts.iter().sum::<f64>() == 0.0 {
                true => LikelihoodTerm::default(),
                false => part(
                    stretch,
                    counts,
                    differences[white],
                    &model.outcomes(differences[white], at.draw),
                ),
            }
        })
    };
    let parts: Vec<[LikelihoodTerm; 2]> = bouts.par_iter().with_min_len(BOUTS).map(part).collect();
    let total: f64 = parts.iter().flatten().map(|part| part.log).sum();
    Maximum {
        parameters: at,
        log_likelihood: if total.is_nan() { f64::NEG_INFINITY } else { total },
        parts,
    }
}

fn gradient(bouts: &[Bout], parts: &[[LikelihoodTerm; 2]], layout: &Layout) -> Vec<f64> {
    let mut gradient = vec![0.0; layout.columns];
    for (bout, [first, second]) in bouts.iter().zip(parts) {
        let [one, other] = bout.players.map(|player| layout.players[player]);
        let lead = first.gradient[0] - second.gradient[0];
        for (column, value) in [
            (one, lead),
            (other, -lead),
            (layout.white, first.gradient[0] + second.gradient[0]),
            (layout.draw, first.gradient[1] + second.gradient[1]),
        ] {
            if let Some(column) = column {
                gradient[column] += value;
            }
        }
    }
    gradient
}

fn information(bouts: &[Bout], parts: &[[LikelihoodTerm; 2]], layout: &Layout) -> Matrix {
    let mut information = Matrix::zero(layout.columns);
    let mut add = |one: Option<usize>, other: Option<usize>, value: f64| {
        if let (Some(one), Some(other)) = (one, other) {
            information.add(one.max(other), one.min(other), value);
        }
    };
    for (bout, [first, second]) in bouts.iter().zip(parts) {
        let [one, other] = bout.players.map(|player| layout.players[player]);
        // By the lead of the first player, by White's advantage and by ψ.
        let sums = [0, 1, 2].map(|of: usize| first.information[of] + second.information[of]);
        let leads = [0, 1].map(|of: usize| first.information[of] - second.information[of]);
        add(one, one, sums[0]);
        add(other, other, sums[0]);
        add(one, other, -sums[0]);
        for (column, lead) in [(layout.white, leads[0]), (layout.draw, leads[1])] {
            add(one, column, lead);
            add(other, column, -lead);
        }
        add(layout.white, layout.white, sums[0]);
        add(layout.white, layout.draw, sums[1]);
        add(layout.draw, layout.draw, sums[2]);
    }
    information.mirror();
    information
}

/// The contribution of games with the same colours: by White's lead in Elo, and by ψ.
#[derive(Default)]
struct LikelihoodTerm {
    /// The contribution to the logarithm of the likelihood.
    log: f64,
    gradient: [f64; 2],
    /// Lead with lead, lead with ψ, ψ with ψ.
    information: [f64; 3],
}

fn part(stretch: [f64; 2], counts: &[f64; 3], x: f64, outcomes: &Outcomes) -> LikelihoodTerm {
    let games: f64 = counts.iter().sum();
    let by_result = by_result(stretch, x, outcomes);
    let gradient = [0, 1].map(|by| (0..3).map(|of| counts[of] * by_result[of][by]).sum());
    let [stretch, longer] = stretch;
    let along = x / stretch * longer;
    let [with_x, mixed, with_draw] = outcomes.information.map(|part| part * games);
    // A result that never occurred may have a likelihood of zero.
    let logs = counts.iter().zip(outcomes.log).filter(|(count, _)| **count > 0.0);
    LikelihoodTerm {
        log: logs.map(|(count, log)| count * log).sum(),
        gradient,
        information: [
            with_x * stretch * stretch,
            stretch * (mixed + with_x * along),
            with_draw + 2.0 * mixed * along + with_x * along * along,
        ],
    }
}

/// The parameters after a share of a step.
fn moved(at: &Parameters, layout: &Layout, step: &[f64], share: f64) -> Parameters {
    let by = |column: Option<usize>| column.map_or(0.0, |column| share * step[column]);
    let ratings = at.ratings.iter().zip(&layout.players);
    Parameters {
        ratings: ratings.map(|(rating, &column)| rating + by(column)).collect(),
        white: at.white + by(layout.white),
        draw: at.draw + by(layout.draw),
    }
}
