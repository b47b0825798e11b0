//! The results of two players against each other, and what they say about their strengths.
//!
//! A game pair is two games of one opening with colours reversed. Its two games are not independent of each other, so
//! errors come from pairs; those from single games are given as well. All figures are from the first player's point
//! of view.
//!
//! May not: know games, agents or how anything is stored.

use std::ops::AddAssign;

/// The quantile of the normal distribution that holds the middle 95 %.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
/// The chance that the true score lies beyond a bound of a 95 % interval, on each side.
pub(crate) const BEYOND: f64 = 0.025;
/// The scale of logistic and normalized Elo: 400 points are a factor of ten in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// Game pairs by the results of their two games.
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

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Loss,
    Draw,
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
    pub const NONE: Self = Self {
        wins: 0,
        draws: 0,
        losses: 0,
    };

    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Lost, drawn, won.
    pub const fn trinomial(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The figures of these games; `None` without a game.
    pub fn figures(&self) -> Option<Figures> {
        Figures::of(&self.trinomial(), 1.0)
    }

    /// The 95 % interval of the score if no game depends on another, see [`interval`]. `None` without a game.
    pub fn interval(&self) -> Option<[f64; 2]> {
        interval(self.trinomial())
    }

    /// The share of draws; `None` without a game.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws, self.games())
    }

    /// The same games, seen from the other player.
    pub const fn of_the_other(&self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl Pairs {
    pub const NONE: Self = Self {
        ll: 0,
        ld: 0,
        wl: 0,
        dd: 0,
        wd: 0,
        ww: 0,
    };

    pub fn count(&self) -> u64 {
        self.pentanomial().iter().sum()
    }

    /// Pairs by points: 0, ½, 1, 1½, 2.
    pub const fn pentanomial(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// The games of these pairs.
    pub const fn games(&self) -> Wdl {
        Wdl {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: 2 * self.dd + self.ld + self.wd,
            losses: 2 * self.ll + self.ld + self.wl,
        }
    }

    /// The figures of these pairs; `None` without a pair.
    pub fn figures(&self) -> Option<Figures> {
        Figures::of(&self.pentanomial(), 2.0)
    }

    /// The 95 % interval of the score, see [`interval`]. `None` without a pair.
    pub fn interval(&self) -> Option<[f64; 2]> {
        interval(self.pentanomial())
    }

    /// The share of level pairs; `None` without a pair.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.wl + self.dd, self.count())
    }

    /// Pairs won per pair lost; infinite if none was lost, `None` without either.
    pub fn pairs_ratio(&self) -> Option<f64> {
        ratio(self.wd + self.ww, self.ld + self.ll)
    }

    /// Level pairs with decisive games per pair of two draws; infinite if there are none of the latter, `None`
    /// without either.
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        ratio(self.wl, self.dd)
    }

    /// The same pairs, seen from the other player.
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

/// The 95 % interval of the mean of results by rising score from 0 to 1 in equal steps, which holds for few results
/// too. Each bound is Student's, of these results and one more, lost for the lower bound and won for the upper one,
/// so that nothing counts as certain because it has not been seen yet. Neither bound is nearer than that of equal
/// results with this mean. `None` without a result.
fn interval<const STEPS: usize>(counts: [u64; STEPS]) -> Option<[f64; 2]> {
    let results: u64 = counts.iter().sum();
    if results == 0 {
        return None;
    }
    let and_one = |place: usize| {
        let mut more = counts;
        more[place] += 1;
        students_bounds(more)
    };
    let (score, _) = moments(counts.iter().map(|&count| count as f64 / results as f64));
    let alike = bounds_of_alike(score, results as f64, BEYOND);
    let (and_lost, and_won) = (and_one(0), and_one(STEPS - 1));
    Some([alike[0].min(and_lost[0]).max(0.0), alike[1].max(and_won[1]).min(1.0)])
}

/// Bounds of the mean by Student's distribution; needs at least two results.
fn students_bounds<const STEPS: usize>(counts: [u64; STEPS]) -> [f64; 2] {
    let results: u64 = counts.iter().sum();
    let freedom = results - 1;
    let (score, variance) = moments(counts.iter().map(|&count| count as f64 / results as f64));
    let error = students_quantile(freedom) * (variance / freedom as f64).sqrt();
    [score - error, score + error]
}

/// Bounds of the true score if this many independent results were all equal; each is wrong with at most this chance.
/// If a share p of all results is like that, the chance of the observation is p^results, so p is at least
/// chance^(1/results) (C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404–413); the others give at least 0 and
/// at most 1.
pub(crate) fn bounds_of_alike(score: f64, results: f64, chance: f64) -> [f64; 2] {
    let least = chance.powf(1.0 / results);
    [least * score, least * score + (1.0 - least)]
}

/// The quantile of Student's distribution with `freedom` degrees of freedom, at least one, that holds the middle 95 %
/// (Student, Biometrika 6 (1908) 1–25): the usual table, and beyond it the expansion 26.7.5 of M. Abramowitz and I.
/// A. Stegun, Handbook of Mathematical Functions (1964).
fn students_quantile(freedom: u64) -> f64 {
    const TABLE: [f64; 10] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157, 2.228_139,
    ];
    let of_table = usize::try_from(freedom)
        .ok()
        .and_then(|freedom| TABLE.get(freedom.checked_sub(1)?));
    of_table.copied().unwrap_or_else(|| {
        let (z, per) = (Z95, 1.0 / freedom as f64);
        let terms = [
            z,
            (z.powi(3) + z) / 4.0,
            (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
            (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
            (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92_160.0,
        ];
        terms.iter().rev().fold(0.0, |sum, term| sum * per + term)
    })
}

/// `None` if both are zero.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (part > 0 || whole > 0).then(|| part as f64 / whole as f64)
}

/// Figures about the difference of two players. A field is `None` if it is not defined: a score of 0 or 1 has no Elo,
/// and results that are all equal have no variance, so neither an error nor a likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Half of the 95 % interval of the score by the normal distribution, which suits many results. For few pairs use
    /// [`Pairs::interval`].
    pub score_error: Option<f64>,
    /// Difference on the logistic scale: 400·log10(s / (1 − s)).
    pub elo: Option<f64>,
    /// Half of its 95 % interval, in Elo.
    pub elo_error: Option<f64>,
    /// Normalized Elo: (s − ½) / σ · 800 / ln 10, where σ is the deviation of a game (of a pair: σ of its mean, times √2).
    /// Van den Bergh, "Normalized Elo" (2021).
    pub nelo: Option<f64>,
    /// Half of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability that the true score is above ½, by the normal approximation.
    pub los: Option<f64>,
}

impl Figures {
    /// The figures of counts of results by rising score from 0 to 1 in equal steps, each result of `games` games.
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

/// The difference for a score, on the logistic scale; `None` at 0, 1 and beyond.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| SCALE * (score / (1.0 - score)).ln())
}

/// The expected score at a difference on the logistic scale.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The cumulative standard normal distribution.
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests;
