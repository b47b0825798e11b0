//! The sequential probability ratio test of two hypotheses about the difference of two players (Wald 1945),
//! generalised to results of more than two kinds: each hypothesis is taken at its likeliest distribution of results
//! (Van den Bergh, "Generalized Sequential Probability Ratio Test", 2021).
//!
//! May not: know games or when they ended.

mod length;
mod likeliest;
mod truncated;

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use swiss_system::decimal;
use swiss_system::word::words;

use super::pairs::{Pairs, Wdl, score_of_elo};

pub use length::{ExpectedLength, True};
pub use truncated::TruncatedSprt;

/// The scale of the points of both hypotheses, `sprt.model`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SprtModel {
    /// `"normalized"`: normalized Elo, the difference in standard deviations of a game.
    #[default]
    Normalized,
    /// `"logistic"`: Elo.
    Logistic,
    /// `"bayesian"`: Elo as in BayesElo, at the observed share of draws.
    Bayesian,
}

words!(SprtModel {
    Normalized => "normalized",
    Logistic => "logistic",
    Bayesian => "bayesian",
});

/// The results that the test looks at, `sprt.counts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// `"pentanomial"`: game pairs, by their points.
    #[default]
    Pentanomial,
    /// `"trinomial"`: games.
    Trinomial,
}

words!(Units {
    Pentanomial => "pentanomial",
    Trinomial => "trinomial",
});

/// The hypothesis that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `"H0"`: the difference is `elo0`.
    H0,
    /// `"H1"`: the difference is `elo1`.
    H1,
    /// `"neither"`: no outcome of the remaining games could lead to either.
    Neither,
}

words!(Verdict {
    H0 => "H0",
    H1 => "H1",
    Neither => "neither",
});

/// A decimal with at most six digits after the point, kept in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i64);

impl Decimal {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(1_000_000);

    /// The sum, capped at the largest or smallest number.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The product with a whole number, capped in the same way.
    #[must_use]
    pub const fn times(self, number: i64) -> Self {
        Self(self.0.saturating_mul(number))
    }

    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// The nearest floating-point number.
    pub fn value(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The nearest such decimal.
    pub fn nearest(value: f64) -> Self {
        Self((value * 1e6).round() as i64)
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 1_000_000, self.0.unsigned_abs() % 1_000_000);
        let text = format!("{whole}.{rest:06}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{}{text}", if self.0 < 0 { "-" } else { "" })
    }
}

/// A text that is not such a decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a decimal such as -1.25, with at most six digits after the point")]
pub struct DecimalError;

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // A double of JSON may end in zeros.
        let rest = rest.trim_end_matches('0');
        let has_digits = whole.len() + rest.len() > 0 || digits.contains('0');
        if !has_digits || whole.len() > 9 || rest.len() > 6 || !is_number(whole) || !is_number(rest) {
            return Err(DecimalError);
        }
        let whole: i64 = format!("0{whole}").parse().map_err(|_| DecimalError)?;
        let rest: i64 = format!("{rest:0<6}").parse().map_err(|_| DecimalError)?;
        Ok(Self(sign * (whole * 1_000_000 + rest)))
    }
}

impl Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        decimal::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decimal::deserialize(deserializer)
    }
}

/// The settings of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of H0.
    pub elo0: Decimal,
    /// The difference of H1, which is greater.
    pub elo1: Decimal,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: Decimal,
    /// The probability of accepting H0 if H1 is true.
    pub beta: Decimal,
    /// The scale of the differences.
    pub model: SprtModel,
    /// The results that it looks at.
    pub counts: Units,
}

/// The state of a test at some results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The logarithm of the likelihood ratio, to six digits.
    pub llr: Decimal,
    /// H0 is accepted at or below it.
    pub lower: Decimal,
    /// H1 is accepted at or above it.
    pub upper: Decimal,
    /// The hypothesis that is accepted, if any.
    pub verdict: Option<Verdict>,
}

impl Sprt {
    /// The lower and the upper bound of the logarithm of the likelihood ratio (LLR): ln(β / (1 − α)) and ln((1 − β) /
    /// α).
    pub fn bounds(&self) -> [f64; 2] {
        let (alpha, beta) = (self.alpha.value(), self.beta.value());
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The LLR of game pairs.
    pub fn of_pairs(&self, pairs: &Pairs) -> f64 {
        self.llr(&pairs.pentanomial(), &pairs.games())
    }

    /// The LLR of games.
    pub fn of_games(&self, games: &Wdl) -> f64 {
        self.llr(&games.trinomial(), games)
    }

    /// The state of the test at these results.
    pub fn look(&self, pairs: &Pairs, games: &Wdl) -> Look {
        let llr = match self.counts {
            Units::Pentanomial => self.of_pairs(pairs),
            Units::Trinomial => self.of_games(games),
        };
        let [lower, upper] = self.bounds().map(Decimal::nearest);
        Look {
            llr: Decimal::nearest(llr),
            lower,
            upper,
            verdict: self.verdict(llr),
        }
    }

    /// The verdict at an LLR.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        let [lower, upper] = self.bounds();
        match () {
            () if llr >= upper => Some(Verdict::H1),
            () if llr <= lower => Some(Verdict::H0),
            () => None,
        }
    }

    /// The LLR of counts by rising score; `games` give the share of draws.
    fn llr(&self, counts: &[u64], games: &Wdl) -> f64 {
        if counts.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let elos = [self.elo0, self.elo1].map(Decimal::value);
        match self.model {
            SprtModel::Normalized => likeliest::llr_of_normalized(counts, elos),
            SprtModel::Logistic => likeliest::llr_of_means(counts, elos.map(score_of_elo)),
            // The share of draws is not defined then.
            SprtModel::Bayesian if games.wins == 0 || games.losses == 0 => 0.0,
            SprtModel::Bayesian => likeliest::llr_of_means(counts, elos.map(|elo| score_of_bayeselo(elo, games))),
        }
    }
}

/// The expected score at a difference on BayesElo's scale, whose draw parameter comes from the observed shares.
/// Coulom's model (after Rao & Kupper 1967): a win has 1 / (1 + 10^((draw − elo) / 400)), a loss 1 / (1 + 10^((draw +
/// elo) / 400)).
fn score_of_bayeselo(elo: f64, games: &Wdl) -> f64 {
    let [losses, draws, wins] = likeliest::shares(&games.trinomial());
    // Each as odds against the rest.
    let draw = 200.0 * ((draws + wins) / losses * (draws + losses) / wins).log10();
    let chance = |ahead: f64| 1.0 / (1.0 + 10_f64.powf((draw - ahead) / 400.0));
    let (win, loss) = (chance(elo), chance(-elo));
    win + (1.0 - win - loss) / 2.0
}

#[cfg(test)]
mod tests;
