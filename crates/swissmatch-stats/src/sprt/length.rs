//! The length of a test, and how often it accepts each hypothesis, by the theory of Brownian motion between two bounds.
//!
//! May not: draw anything.

use super::likeliest::{self, SeenResults};
use super::{Sprt, SprtModel, Units, score_of_bayeselo};
use crate::pairs::{Wdl, moments, score_of_elo};

/// The true strength in a match, whose games do not depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct True {
    /// The difference, on the scale of the test's model.
    pub elo: f64,
    /// The share of draws between equals, from 0 to below 1.
    pub draws: f64,
}

/// The expected course of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedLength {
    /// The mean number of games.
    pub games: f64,
    /// The probability that H1 is accepted.
    pub h1: f64,
}

impl Sprt {
    /// The expected course; `None` if no result can be told from any other.
    pub fn expected(&self, truth: True) -> Option<ExpectedLength> {
        let (shares, games) = match self.counts {
            Units::Pentanomial => (self.shares_of_pairs(truth), 2.0),
            Units::Trinomial => (self.shares_of_games(truth).to_vec(), 1.0),
        };
        let steps = likeliest::ratios(&shares, |seen| self.likeliest(seen, truth));
        let mean: f64 = shares.iter().zip(&steps).map(|(share, step)| share * step).sum();
        let variance: f64 = shares
            .iter()
            .zip(&steps)
            .map(|(share, step)| share * (step - mean).powi(2))
            .sum();
        if variance <= 0.0 || !variance.is_finite() {
            return None;
        }
        let [lower, upper] = self.bounds();
        // Wald's identity for exp(−2·drift/variance · LLR).
        let rate = -2.0 * mean / variance;
        if (rate * (upper - lower)).abs() < 1e-9 {
            return Some(ExpectedLength {
                games: games * -lower * upper / variance,
                h1: -lower / (upper - lower),
            });
        }
        let h1 = (1.0 - (rate * lower).exp()) / ((rate * upper).exp() - (rate * lower).exp());
        Some(ExpectedLength {
            games: games * (h1 * upper + (1.0 - h1) * lower) / mean,
            h1,
        })
    }

    /// The likeliest distributions of both hypotheses for these observed results.
    fn likeliest(&self, seen: &SeenResults, truth: True) -> [Vec<f64>; 2] {
        let elos = [self.elo0, self.elo1].map(super::Decimal::value);
        match self.model {
            SprtModel::Logistic => elos.map(|elo| seen.at_mean(score_of_elo(elo))),
            SprtModel::Bayesian => {
                let shares = self.shares_of_games(truth);
                let [losses, draws, wins] = shares.map(|share| (share * 1e12) as u64);
                let games = Wdl { wins, draws, losses };
                elos.map(|elo| seen.at_mean(score_of_bayeselo(elo, &games)))
            }
            SprtModel::Normalized => elos.map(|elo| seen.at_normalized_mean(self.deviations(elo))),
        }
    }

    /// A difference in normalized Elo as standard deviations of one result.
    pub(super) fn deviations(&self, nelo: f64) -> f64 {
        let games = match self.counts {
            Units::Pentanomial => 2.0_f64,
            Units::Trinomial => 1.0,
        };
        nelo / (800.0 / std::f64::consts::LN_10) * games.sqrt()
    }

    /// The shares of losses, draws and wins: the share of draws falls from that between equals as in Davidson (1970).
    fn shares_of_games(&self, truth: True) -> [f64; 3] {
        let at = |ahead: f64| {
            // Odds of a draw against the geometric mean of a win and a loss.
            let odds = 2.0 * truth.draws / (1.0 - truth.draws);
            let win = ahead.exp();
            let all = win + 1.0 / win + odds;
            [1.0 / win / all, odds / all, win / all]
        };
        // The wanted value grows with the lead.
        let is_below = |ahead: f64| {
            let shares = at(ahead);
            let (mean, variance) = moments(shares.into_iter());
            match self.model {
                SprtModel::Logistic => mean < score_of_elo(truth.elo),
                SprtModel::Normalized => (mean - 0.5) / variance.sqrt() < truth.elo / (800.0 / std::f64::consts::LN_10),
                SprtModel::Bayesian => {
                    let [losses, draws, wins] = shares;
                    let elo = 200.0 * (wins * (draws + wins) / losses / (draws + losses)).log10();
                    elo < truth.elo
                }
            }
        };
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if is_below(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        at((low + high) / 2.0)
    }

    /// The shares of pairs of two such games.
    pub(super) fn shares_of_pairs(&self, truth: True) -> Vec<f64> {
        let [loss, draw, win] = self.shares_of_games(truth);
        vec![
            loss * loss,
            2.0 * loss * draw,
            2.0 * win * loss + draw * draw,
            2.0 * win * draw,
            win * win,
        ]
    }
}
