//! The meaning of a difference in strength for a game with White, Black and draws.
//!
//! x is the effective difference, White's strength less Black's plus White's advantage, as a natural logarithm:
//! strengths of Bradley and Terry are 10^(Elo/400). ψ is the parameter of draws.
//!
//! - Davidson: win, draw and loss are as e^(x/2) : ν : e^(−x/2), ψ = ln ν. R. R. Davidson, "On extending the
//!   Bradley-Terry model to accommodate ties in paired comparison experiments", JASA 65 (1970) 317–328; the advantage
//!   of an order as a factor: R. R. Davidson and R. J. Beaver, "On extending the Bradley-Terry model to incorporate
//!   within-pair order effects", Biometrics 33 (1977) 693–702.
//! - Rao and Kupper: win 1/(1 + e^(δ−x)), loss 1/(1 + e^(δ+x)), ψ = δ. P. V. Rao and L. L. Kupper, "Ties in
//!   paired-comparison experiments", JASA 62 (1967) 194–204. It is BayesElo's, whose eloDraw is δ·400/ln 10.
//! - Halves: the expected score is 1/(1 + e^(−x)), and a draw is half a win and half a loss (Ordo's): no chances but a
//!   quasi-likelihood. R. W. M. Wedderburn, "Quasi-likelihood functions, generalized linear models, and the
//!   Gauss-Newton method", Biometrika 61 (1974) 439–447.
//!
//! The strengths of the first two are not yet Elo: the more draws, the less the score follows a difference. The slope
//! of the expected score between equals is 1/4 of 1 − q for Davidson and of 1 − q² for Rao and Kupper, where q is the
//! share of draws between equals; Elo's is 1/4. So strengths times that factor are ratings (BayesElo's "scale"): near
//! equality a rating difference means the score that Elo's formula gives it.
//!
//! May not: know players.

/// The natural logarithm of strength per Elo point.
pub(super) const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// A model of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RatingModel {
    /// Davidson's, the default. With its parameters estimated, each player's expected score over its games equals its
    /// score. So ratings depend on points alone, which is what an event counts (points, White's points and the number
    /// of draws are sufficient), and draws say nothing else. Two draws are worth a win and a loss.
    #[default]
    Davidson,
    /// Rao and Kupper's, which is BayesElo's: one draw says as much about two strengths as a win and a loss together.
    RaoKupper,
    /// Ordo's: a draw is half a win, and the expected score is Elo's.
    Halves,
}

/// White's chances in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WhiteChances {
    /// Chance of a win, 0 to 1.
    pub win: f64,
    /// Chance of a draw, 0 to 1.
    pub draw: f64,
    /// Chance of a loss, 0 to 1.
    pub loss: f64,
}

impl WhiteChances {
    /// Expected score, 0 to 1.
    pub(crate) fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Variance of the score.
    pub(crate) fn variance(&self) -> f64 {
        self.win + self.draw / 4.0 - self.score() * self.score()
    }
}

/// A game as the fit sees it, by result: won, drawn, lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    /// Logarithm of the likelihood.
    pub(super) log: [f64; 3],
    /// The derivatives of `log` by x.
    pub(super) by_x: [f64; 3],
    /// The derivatives of `log` by ψ.
    pub(super) by_draw: [f64; 3],
    /// Expected information of a game: x with x, x with ψ, ψ with ψ.
    pub(super) information: [f64; 3],
}

impl RatingModel {
    /// ψ for a share of draws between equals, from 0 to below 1.
    pub(super) fn parameter(self, share: f64) -> f64 {
        match self {
            Self::Davidson => (2.0 * share / (1.0 - share)).ln(),
            Self::RaoKupper => 2.0 * share.atanh(),
            Self::Halves => 0.0,
        }
    }

    /// The share of draws between equals without White's advantage, and its derivative by ψ.
    pub(super) fn share(self, parameter: f64) -> [f64; 2] {
        match self {
            Self::Davidson => {
                let share = 1.0 / (1.0 + 2.0 * (-parameter).exp());
                [share, share * (1.0 - share)]
            }
            Self::RaoKupper => {
                let share = (parameter / 2.0).tanh();
                [share, (1.0 - share * share) / 2.0]
            }
            Self::Halves => [0.0, 0.0],
        }
    }

    /// x for a rating difference of 1, and its derivative by ψ.
    pub(super) fn stretch(self, parameter: f64) -> [f64; 2] {
        let [share, by_draw] = self.share(parameter);
        let (factor, by_share) = match self {
            Self::Davidson => (1.0 - share, -1.0),
            Self::RaoKupper => (1.0 - share * share, -2.0 * share),
            Self::Halves => (1.0, 0.0),
        };
        [PER_ELO / factor, -PER_ELO / factor / factor * by_share * by_draw]
    }

    /// White's chances. By halves, a share of `draws` is drawn between equals, and between others less by the factor
    /// 4·E·(1 − E).
    pub(super) fn chances(self, x: f64, parameter: f64, draws: f64) -> WhiteChances {
        let [win, draw, loss] = match self {
            Self::Halves => {
                let (score, rest) = (logistic(x), logistic(-x));
                let draw = (draws * 4.0 * score * rest).min(2.0 * score.min(rest));
                [score - draw / 2.0, draw, rest - draw / 2.0]
            }
            _ => self.outcomes(x, parameter).log.map(f64::exp),
        };
        WhiteChances { win, draw, loss }
    }

    pub(super) fn outcomes(self, x: f64, parameter: f64) -> Outcomes {
        match self {
            Self::Davidson => davidson(x, parameter),
            Self::RaoKupper => rao_kupper(x, parameter),
            Self::Halves => halves(x),
        }
    }
}

fn davidson(x: f64, parameter: f64) -> Outcomes {
    // Divided by the greater of e^(x/2) and e^(−x/2), so that nothing overflows.
    let far = x.abs();
    let (even, worse) = ((parameter - far / 2.0).exp(), (-far).exp());
    let sum = (even + worse).ln_1p();
    let log = [
        (x - far) / 2.0 - sum,
        parameter - far / 2.0 - sum,
        (-x - far) / 2.0 - sum,
    ];
    let all = 1.0 + even + worse;
    let [win, loss] = match x > 0.0 {
        true => [1.0 / all, worse / all],
        false => [worse / all, 1.0 / all],
    };
    let draw = even / all;
    let mean = (win - loss) / 2.0;
    Outcomes {
        log,
        by_x: [0.5 - mean, -mean, -0.5 - mean],
        by_draw: [-draw, win + loss, -draw],
        information: [(win + loss) / 4.0 - mean * mean, -mean * draw, draw * (win + loss)],
    }
}

fn rao_kupper(x: f64, parameter: f64) -> Outcomes {
    let (log_win, log_loss) = (-softplus(parameter - x), -softplus(parameter + x));
    // Both chances times e^(2δ) − 1.
    let both = (2.0 * parameter).exp_m1();
    let log_draw = log_win + log_loss + both.ln();
    let (rest_win, rest_loss) = (logistic(parameter - x), logistic(parameter + x));
    let (win, loss) = (logistic(x - parameter), logistic(-parameter - x));
    let chances = [win, win * loss * both, loss];
    let by_x = [rest_win, rest_win - rest_loss, -rest_loss];
    let drawn = 2.0 - rest_win - rest_loss + 2.0 / both;
    let by_draw = [-rest_win, if parameter > 0.0 { drawn } else { 0.0 }, -rest_loss];
    let expected = |one: [f64; 3], other: [f64; 3]| (0..3).map(|of| chances[of] * one[of] * other[of]).sum();
    Outcomes {
        log: [log_win, log_draw, log_loss],
        by_x,
        by_draw,
        information: [
            expected(by_x, by_x),
            expected(by_x, by_draw),
            expected(by_draw, by_draw),
        ],
    }
}

fn halves(x: f64) -> Outcomes {
    let (score, rest) = (logistic(x), logistic(-x));
    let (win, loss) = (-softplus(-x), -softplus(x));
    Outcomes {
        log: [win, (win + loss) / 2.0, loss],
        by_x: [rest, 0.5 - score, -score],
        by_draw: [0.0; 3],
        information: [score * rest, 0.0, 0.0],
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODELS: [RatingModel; 3] = [RatingModel::Davidson, RatingModel::RaoKupper, RatingModel::Halves];

    #[test]
    fn derivatives_are_those_of_the_likelihood() {
        for model in MODELS {
            for (x, parameter) in [(0.0, 0.4), (1.3, 0.7), (-4.0, 1.5), (9.0, 0.2)] {
                let at = model.outcomes(x, parameter);
                let step = 1e-5;
                let (right, left) = (model.outcomes(x + step, parameter), model.outcomes(x - step, parameter));
                let (more, less) = (model.outcomes(x, parameter + step), model.outcomes(x, parameter - step));
                for of in 0..3 {
                    let by_x = (right.log[of] - left.log[of]) / (2.0 * step);
                    let by_draw = (more.log[of] - less.log[of]) / (2.0 * step);
                    assert!((by_x - at.by_x[of]).abs() < 1e-8, "{model:?} {x} {of}");
                    assert!((by_draw - at.by_draw[of]).abs() < 1e-8, "{model:?} {x} {of}");
                }
                let share = (model.share(parameter + step)[0] - model.share(parameter - step)[0]) / (2.0 * step);
                assert!((share - model.share(parameter)[1]).abs() < 1e-9, "{model:?}");
                let stretch = (model.stretch(parameter + step)[0] - model.stretch(parameter - step)[0]) / (2.0 * step);
                assert!((stretch - model.stretch(parameter)[1]).abs() < 1e-9, "{model:?}");
            }
        }
    }

    #[test]
    fn information_is_the_expected_square_of_the_derivatives() {
        for model in [RatingModel::Davidson, RatingModel::RaoKupper] {
            for (x, parameter) in [(0.0, 0.4), (1.3, 0.7), (-4.0, 1.5)] {
                let at = model.outcomes(x, parameter);
                let chances = at.log.map(f64::exp);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{model:?}");
                let expected = |one: [f64; 3], other: [f64; 3]| -> f64 {
                    (0..3).map(|of| chances[of] * one[of] * other[of]).sum()
                };
                for (known, one, other) in [
                    (at.information[0], at.by_x, at.by_x),
                    (at.information[1], at.by_x, at.by_draw),
                    (at.information[2], at.by_draw, at.by_draw),
                ] {
                    assert!((known - expected(one, other)).abs() < 1e-12, "{model:?} {x}");
                }
            }
        }
    }

    #[test]
    fn between_equals_the_score_follows_a_rating_difference_as_elos_does() {
        for model in MODELS {
            for share in [0.05, 0.3, 0.9] {
                let parameter = model.parameter(share);
                let equals = model.chances(0.0, parameter, share);
                assert!((equals.draw - share).abs() < 1e-12, "{model:?} {share}");
                let near = 1e-4;
                let score = model
                    .chances(near * model.stretch(parameter)[0], parameter, share)
                    .score();
                let slope = (score - 0.5) / near;
                assert!((slope - PER_ELO / 4.0).abs() < 1e-9, "{model:?} {share}: {slope}");
            }
        }
    }

    #[test]
    fn without_draws_all_are_bradley_and_terrys() {
        for model in MODELS {
            let parameter = model.parameter(0.0);
            for x in [-30.0, -1.0, 0.0, 2.0, 800.0] {
                let chances = model.chances(x, parameter, 0.0);
                assert!((chances.win - logistic(x)).abs() < 1e-12, "{model:?} {x}");
                assert!(chances.draw.abs() < 1e-12, "{model:?} {x}");
                assert!(
                    model
                        .outcomes(x, parameter)
                        .information
                        .iter()
                        .all(|part| part.is_finite())
                );
            }
        }
    }
}
