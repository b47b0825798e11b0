//! `swissmatch sprt --elo0 ELO --elo1 ELO`
//!
//! May not: test anything.

use anyhow::anyhow;
use clap::{ArgGroup, Args};
use swiss_system::word::Word;

use swissmatch_report::counts::ResultCounts;
use swissmatch_report::sprt::SprtReport;
use swissmatch_stats::sprt::{Decimal, Sprt as Test, SprtModel, Units, Verdict};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;

/// An SPRT of counts: how it stands, and how long one takes
///
/// Of a sequential probability ratio test, tells the expected number of games if the true difference is elo0, elo1, or halfway between them,
/// and with counts the logarithm of the likelihood ratio (LLR), its bounds and the verdict. The exit
/// code is then 0 if H1 is accepted, 1 if H0 is, 2 if neither is. `[sprt]` of an event file ends a
/// match by such a test; docs/statistics.md has the formulas.
///
///   swissmatch sprt --elo0 0 --elo1 5                              how long it takes
///   swissmatch sprt --elo0 0 --elo1 5 --pentanomial 2,0,10,21,67   how it stands
///   swissmatch sprt --elo0 0 --elo1 5 --wdl 164,23,13              by games alone
///   swissmatch sprt --elo0=-3 --elo1 1 --model logistic --draws 0.7 --elo 2
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(group(ArgGroup::new("results").args(["wdl", "pentanomial"])))]
pub(super) struct SprtArgs {
    /// The difference of H0
    #[arg(long, value_name = "ELO", value_parser = elo, allow_negative_numbers = true)]
    elo0: Decimal,
    /// The difference of H1, which is greater
    #[arg(long, value_name = "ELO", value_parser = elo, allow_negative_numbers = true)]
    elo1: Decimal,
    /// The probability of accepting H1 where H0 is true
    #[arg(long, value_name = "SHARE", value_parser = probability, default_value = "0.05")]
    alpha: Decimal,
    /// The probability of accepting H0 where H1 is true
    #[arg(long, value_name = "SHARE", value_parser = probability, default_value = "0.05")]
    beta: Decimal,
    /// What a difference means: normalized, logistic or bayesian
    #[arg(long, value_name = "MODEL", value_parser = model, default_value = "normalized")]
    model: SprtModel,
    /// What is looked at: pentanomial, game pairs by points, or trinomial, games (default: games for --wdl and for the
    /// bayesian model, else pairs)
    #[arg(long, value_name = "KIND", value_parser = units)]
    counts: Option<Units>,
    /// Games so far: won, drawn, lost
    #[arg(long, value_name = "W,D,L", value_parser = ResultCounts::of_games)]
    wdl: Option<ResultCounts>,
    /// Game pairs so far: those with 0, ½, 1, 1½ and 2 points, or six counts LL,LD,WL,DD,WD,WW
    #[arg(long, value_name = "COUNTS", value_parser = ResultCounts::of_pairs)]
    pentanomial: Option<ResultCounts>,
    /// The share of draws between equals, for the expected length (default: as in the counts, else 0.5)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    draws: Option<f64>,
    /// Tell the expected length for this true difference too; may be given several times
    #[arg(long, value_name = "ELO", value_parser = elo, allow_negative_numbers = true)]
    elo: Vec<Decimal>,
    #[command(flatten)]
    form: FormFlags,
}

impl SprtArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let test = self.test()?;
        let asked =
            SprtReport::new(test, self.wdl.or(self.pentanomial), self.draws, &self.elo).map_err(Failure::usage)?;
        print(&self.form.text(|| asked.page(), || asked.json()));
        Ok(match asked.verdict() {
            None | Some(Some(Verdict::H1)) => Exit::Done,
            Some(Some(Verdict::H0)) => Exit::CheckFailed,
            Some(Some(Verdict::Neither) | None) => Exit::Inconclusive,
        })
    }

    fn test(&self) -> Result<Test, Failure> {
        if self.elo0 >= self.elo1 {
            return Err(Failure::usage(anyhow!(
                "--elo1 {} is not above --elo0 {}: make it greater",
                self.elo1,
                self.elo0
            )));
        }
        let one = Decimal::from_millionths(1_000_000);
        if self.alpha.value() + self.beta.value() >= one.value() {
            return Err(Failure::usage(anyhow!(
                "--alpha {} and --beta {} leave no room between the bounds: together they must be below 1",
                self.alpha,
                self.beta
            )));
        }
        let usual = match self.model {
            SprtModel::Bayesian => Units::Trinomial,
            _ if self.wdl.is_some() => Units::Trinomial,
            _ => Units::Pentanomial,
        };
        let counts = self.counts.unwrap_or(usual);
        if self.model == SprtModel::Bayesian && counts == Units::Pentanomial {
            return Err(Failure::usage(anyhow!(
                "--counts pentanomial: BayesElo's model knows games, and no pairs; write --counts trinomial, or another --model"
            )));
        }
        Ok(Test {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model,
            counts,
        })
    }
}

/// The greatest difference that a test may be of: no score is told from 0 or 1 beyond it.
const FARTHEST: f64 = 1000.0;

fn elo(text: &str) -> Result<Decimal, String> {
    match text.parse::<Decimal>() {
        Ok(elo) if elo.value().abs() <= FARTHEST => Ok(elo),
        Ok(_) => Err(format!("give a difference between -{FARTHEST} and {FARTHEST}")),
        Err(error) => Err(format!("expected {error}")),
    }
}

fn probability(text: &str) -> Result<Decimal, String> {
    match text.parse::<Decimal>() {
        Ok(share) if share.value() > 0.0 && share.value() < 1.0 => Ok(share),
        _ => Err("give a probability above 0 and below 1, such as 0.05".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..1.0).contains(&share) => Ok(share),
        _ => Err("give a share from 0 to below 1, such as 0.6".to_owned()),
    }
}

fn model(text: &str) -> Result<SprtModel, String> {
    word(text)
}

fn units(text: &str) -> Result<Units, String> {
    word(text)
}

/// The value of a word.
fn word<T: Word>(text: &str) -> Result<T, String> {
    T::of_word(text).ok_or_else(|| format!("expected one of {}", T::all_words()))
}
