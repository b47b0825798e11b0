//! What two players scored against each other, and what that says of their strengths.
//!
//! A game pair is two games of one opening with colours reversed. Its two games are not independent of each other, so errors come
//! from pairs; those from single games are given beside them. All figures are of the first of the two players.
//!
//! May not: know games, agents or how anything is stored.

use std::ops::AddAssign;

/// The quantile of the normal distribution that holds the middle 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;
/// The chance that the true score lies beyond a bound of a 95 % interval, on each side.
pub const BEYOND: f64 = 0.025;
/// Of the logistic and of the normalised scale: 400 points are a factor of ten in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

/// Game pairs by what the two games gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Both lost: 0 points.
    pub ll: u64,
    /// One lost and one drawn: ½ point.
    pub ld: u64,
    /// One won and one lost: 1 point.
    pub wl: u64,
    /// Both drawn: 1 point.
    pub dd: u64,
    /// One won and one drawn: 1½ points.
    pub wd: u64,
    /// Both won: 2 points.
    pub ww: u64,
}

/// What one game gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl AddAssign<Score> for Wdl {
    fn add_assign(&mut self, score: Score) {
        *match score {
            Score::Loss => &mut self.losses,
            Score::Draw => &mut self.draws,
            Score::Win => &mut self.wins,
        } += 1;
    }
}

impl AddAssign<[Score; 2]> for Pairs {
    fn add_assign(&mut self, pair: [Score; 2]) {
        use Score::{Draw, Loss, Win};
        *match pair {
            [Loss, Loss] => &mut self.ll,
            [Loss, Draw] | [Draw, Loss] => &mut self.ld,
            [Win, Loss] | [Loss, Win] => &mut self.wl,
            [Draw, Draw] => &mut self.dd,
            [Win, Draw] | [Draw, Win] => &mut self.wd,
            [Win, Win] => &mut self.ww,
        } += 1;
    }
}

impl Wdl {
    /// No game.
    pub const NONE: Self = Self {
        wins: 0,
        draws: 0,
        losses: 0,
    };

    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Lost, drawn, won.
    pub const fn trinomial(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// What they say; `None` without a game.
    pub fn figures(&self) -> Option<Figures> {
        Figures::of(&self.trinomial(), 1.0)
    }

    /// The share of draws; `None` without a game.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws, self.games())
    }

    /// The same for the other player.
    pub const fn of_the_other(&self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl Pairs {
    /// No pair.
    pub const NONE: Self = Self {
        ll: 0,
        ld: 0,
        wl: 0,
        dd: 0,
        wd: 0,
        ww: 0,
    };

    /// All pairs.
    pub fn count(&self) -> u64 {
        self.pentanomial().iter().sum()
    }

    /// Pairs by points: 0, ½, 1, 1½, 2.
    pub const fn pentanomial(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// Their games.
    pub const fn games(&self) -> Wdl {
        Wdl {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: 2 * self.dd + self.ld + self.wd,
            losses: 2 * self.ll + self.ld + self.wl,
        }
    }

    /// What they say; `None` without a pair.
    pub fn figures(&self) -> Option<Figures> {
        Figures::of(&self.pentanomial(), 2.0)
    }

    /// The 95 % interval of the score, and whether it is exact: of pairs that all gave the same, which have no variance. `None` without
    /// a pair.
    pub fn interval(&self) -> Option<([f64; 2], bool)> {
        let figures = self.figures()?;
        Some(match figures.score_error {
            Some(error) => ([figures.score - error, figures.score + error], false),
            None => (bounds_of_alike(figures.score, self.count() as f64, BEYOND), true),
        })
    }

    /// The share of level pairs; `None` without a pair.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.wl + self.dd, self.count())
    }

    /// Pairs won for each pair lost; infinite without one that was lost, `None` without either.
    pub fn pairs_ratio(&self) -> Option<f64> {
        ratio(self.wd + self.ww, self.ld + self.ll)
    }

    /// Level pairs with decisive games for each one of two draws; infinite without one of those, `None` without either.
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        ratio(self.wl, self.dd)
    }

    /// The same for the other player.
    pub const fn of_the_other(&self) -> Self {
        Self {
            ll: self.ww,
            ld: self.wd,
            wl: self.wl,
            dd: self.dd,
            wd: self.ld,
            ww: self.ll,
        }
    }
}

/// Bounds of the true score where so many results that do not depend on each other all gave this one; each is wrong with at most this
/// chance. If a share p of all results is such, so many are with p^results; so p is at least chance^(1/results) (C. J. Clopper and E. S.
/// Pearson, Biometrika 26 (1934) 404–413), and the others give 0 at least and 1 at most.
pub fn bounds_of_alike(score: f64, results: f64, chance: f64) -> [f64; 2] {
    let least = chance.powf(1.0 / results);
    [least * score, least * score + (1.0 - least)]
}

/// `None` of nothing by nothing.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (part > 0 || whole > 0).then(|| part as f64 / whole as f64)
}

/// What results say of the difference of two players. Fields are `None` where there is no such number: a score of 0 or 1 is no Elo,
/// and results that are all the same have no variance, so neither an error nor a likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Half of the 95 % interval of the score.
    pub score_error: Option<f64>,
    /// Difference on the logistic scale: 400·log10(s / (1 − s)).
    pub elo: Option<f64>,
    /// Half of the 95 % interval of the score, in Elo.
    pub elo_error: Option<f64>,
    /// Normalised Elo: (s − ½) / σ · 800 / ln 10, where σ is the deviation of a game (of a pair: σ of its mean, times √2).
    /// Van den Bergh, "Normalized Elo" (2021).
    pub nelo: Option<f64>,
    /// Half of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability that the true score is above ½, by the normal approximation.
    pub los: Option<f64>,
}

impl Figures {
    /// Of counts of results by rising score from 0 to 1 in equal steps, each result of so many games.
    fn of(counts: &[u64], games: f64) -> Option<Self> {
        let results = counts.iter().sum::<u64>() as f64;
        if results == 0.0 {
            return None;
        }
        let (score, variance) = moments(counts.iter().map(|&count| count as f64 / results));
        let deviation = (variance / results).sqrt();
        let score_error = Z95 * deviation;
        let bounds = [score - score_error, score + score_error].map(elo_of_score);
        let scale = 2.0 * SCALE;
        let varies = variance > 0.0;
        Some(Self {
            score,
            score_error: varies.then_some(score_error),
            elo: elo_of_score(score),
            elo_error: (bounds[1].zip(bounds[0]))
                .filter(|_| varies)
                .map(|(high, low)| (high - low) / 2.0),
            nelo: varies.then(|| (score - 0.5) / (games * variance).sqrt() * scale),
            nelo_error: varies.then(|| Z95 * scale / (games * results).sqrt()),
            los: varies.then(|| normal((score - 0.5) / deviation)),
        })
    }
}

/// Mean and variance of a distribution over scores from 0 to 1 in equal steps.
pub(super) fn moments(shares: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let step = 1.0 / (shares.len() - 1) as f64;
    let scores = || (0..).map(|number: u32| f64::from(number) * step).zip(shares.clone());
    let mean: f64 = scores().map(|(score, share)| score * share).sum();
    let variance = scores().map(|(score, share)| (score - mean).powi(2) * share).sum();
    (mean, variance)
}

/// The difference that a score stands for, on the logistic scale; `None` at 0, 1 and beyond.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| SCALE * (score / (1.0 - score)).ln())
}

/// The expected score at a difference on the logistic scale.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The cumulative distribution of the standard normal one.
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_are_counted() {
        use Score::{Draw, Loss, Win};
        let (mut pairs, mut games) = (Pairs::default(), Wdl::default());
        let all = [
            [Win, Win],
            [Win, Loss],
            [Loss, Win],
            [Draw, Draw],
            [Draw, Loss],
            [Win, Draw],
            [Loss, Loss],
        ];
        for pair in all {
            pairs += pair;
            pair.into_iter().for_each(|score| games += score);
        }
        assert_eq!(pairs.pentanomial(), [1, 1, 3, 1, 1]);
        assert_eq!((pairs.count(), pairs.games(), games.games()), (7, games, 14));
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(3.0 / 7.0), Some(1.0)));
        assert_eq!(pairs.wl_dd_ratio(), Some(2.0));
        assert_eq!(pairs.of_the_other().games(), games.of_the_other());
    }

    #[test]
    fn what_is_no_number_is_none() {
        assert_eq!(Wdl::default().figures(), None);
        assert_eq!(Pairs::default().pairs_ratio(), None);
        let won = Pairs {
            ww: 3,
            ..Pairs::default()
        };
        let figures = won.figures().expect("three pairs");
        assert_eq!(
            (figures.score, figures.elo, figures.nelo, figures.los),
            (1.0, None, None, None)
        );
        assert_eq!(won.pairs_ratio(), Some(f64::INFINITY));
        // One pair, and several that gave the same, say nothing of how sure they are.
        for pairs in [
            Pairs { wd: 1, ..Pairs::NONE },
            Pairs { ld: 9, ..Pairs::NONE },
            Pairs {
                dd: 4,
                wl: 1,
                ..Pairs::NONE
            },
        ] {
            let figures = pairs.figures().expect("pairs");
            let errors = [figures.score_error, figures.elo_error, figures.nelo_error, figures.los];
            assert!(figures.elo.is_some() && errors == [None; 4], "{figures:?}");
        }
    }

    /// Six pairs that are lost show a regression, four do not: the chance that all are lost between equals is 2⁻⁶ and 2⁻⁴.
    #[test]
    fn pairs_that_all_gave_the_same_have_exact_bounds() {
        let lost = |ll| Pairs { ll, ..Pairs::NONE }.interval().expect("pairs");
        assert!(lost(4).0[1] > 0.5 && lost(5).0[1] > 0.5 && lost(6).0[1] < 0.5);
        let ([low, high], is_exact) = lost(20);
        assert!(
            is_exact && low == 0.0 && (high - 0.168_433_470_983_085).abs() < 1e-12,
            "{high}"
        );
        let won = Pairs { ww: 20, ..Pairs::NONE }.interval().expect("pairs");
        assert!((won.0[0] + high - 1.0).abs() < 1e-12 && won.0[1] == 1.0);
        let level = Pairs { dd: 40, ..Pairs::NONE }.interval().expect("pairs");
        assert!(
            (level.0[0] + level.0[1] - 1.0).abs() < 1e-12 && level.0[1] < 0.55,
            "{level:?}"
        );
        let mixed = Pairs {
            ll: 3,
            ww: 5,
            ..Pairs::NONE
        };
        let error = mixed
            .figures()
            .and_then(|figures| figures.score_error)
            .expect("they vary");
        assert_eq!(mixed.interval(), Some(([0.625 - error, 0.625 + error], false)));
        assert_eq!(Pairs::NONE.interval(), None);
    }

    #[test]
    fn elo_and_score_are_the_inverse_of_each_other() {
        for elo in [-800.0, -3.5, 0.0, 100.0, 1200.0] {
            let back = elo_of_score(score_of_elo(elo)).expect("between 0 and 1");
            assert!((back - elo).abs() < 1e-9, "{elo}: {back}");
        }
        assert!((normal(1.0) - 0.841_344_746_068_543).abs() < 1e-15);
    }
}
