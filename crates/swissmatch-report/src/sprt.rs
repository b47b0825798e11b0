//! A sequential probability ratio test of given counts, and its expected length.
//!
//! May not: decide a test; draw anything.

use serde::Serialize;
use swiss_system::word::Word as _;

use super::counts::ResultCounts;
use super::table::{Column, Page, Table};
use super::versus::{hypotheses, two, way};
use swissmatch_stats::pairs::{Pairs, Wdl};
use swissmatch_stats::sprt::{Decimal, ExpectedLength, Look, Sprt, SprtModel, True, Units, Verdict};

/// The share of draws between equal players if nothing else is known.
pub(crate) const USUAL_DRAWS: f64 = 0.5;

/// The source of the share of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draws {
    Given(f64),
    /// The share in the counts.
    Seen(f64),
    /// [`USUAL_DRAWS`].
    Assumed,
}

/// Why counts do not fit a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtCountsError {
    /// The test looks at pairs, but games are given.
    #[error("the test looks at game pairs, and --wdl has games: give --pentanomial, or --counts trinomial")]
    NoPairs,
    /// The test looks at games, but pairs by points are given.
    #[error(
        "the test looks at games, and five counts of --pentanomial leave open which pairs of one point were two draws: give six counts \
         (LL,LD,WL,DD,WD,WW), or --wdl"
    )]
    NoGames,
}

/// A test with its counts and questions.
#[derive(Clone, Debug)]
pub struct SprtReport {
    sprt: Sprt,
    look: Option<(Look, u64)>,
    draws: Draws,
    elos: Vec<Decimal>,
}

impl SprtReport {
    /// A test, at `counts` if there are any. It tells the expected length at H0, at H1, halfway, and at `more`.
    ///
    /// # Errors
    /// When the counts are not what the test looks at.
    pub fn new(
        sprt: Sprt,
        counts: Option<ResultCounts>,
        draws: Option<f64>,
        more: &[Decimal],
    ) -> Result<Self, SprtCountsError> {
        let look = counts.map(|counts| look(&sprt, &counts)).transpose()?;
        let seen = counts
            .and_then(|counts| counts.games()?.draw_ratio())
            .filter(|share| *share < 1.0);
        let draws = match (draws, seen) {
            (Some(draws), _) => Draws::Given(draws),
            (None, Some(seen)) => Draws::Seen(seen),
            (None, None) => Draws::Assumed,
        };
        let halfway = Decimal::nearest(f64::midpoint(sprt.elo0.value(), sprt.elo1.value()));
        let mut elos = vec![sprt.elo0, halfway, sprt.elo1];
        elos.extend(more);
        elos.sort_unstable();
        elos.dedup();
        Ok(Self {
            sprt,
            look,
            draws,
            elos,
        })
    }

    /// The accepted hypothesis; `None` without counts, `Some(None)` if nothing is accepted.
    pub fn verdict(&self) -> Option<Option<Verdict>> {
        self.look.map(|(look, _)| look.verdict)
    }

    pub fn page(&self) -> Page {
        let sprt = &self.sprt;
        let [lower, upper] = sprt.bounds().map(Decimal::nearest);
        let title = format!(
            "SPRT of {}, {}, alpha {}, beta {}: H0 at an LLR of {}, H1 at {}",
            hypotheses(sprt),
            sprt.counts.word(),
            sprt.alpha,
            sprt.beta,
            two(lower),
            two(upper)
        );
        let columns = vec![
            Column::figures("True difference"),
            Column::figures("Games expected"),
            Column::figures("Accepts H1"),
        ];
        let dash = || "–".to_owned();
        let row = |elo: &Decimal| {
            let expected = self.expected(*elo);
            vec![
                elo.to_string(),
                expected.map_or_else(dash, |expected| format!("{:.0}", expected.games)),
                expected.map_or_else(dash, |expected| format!("{:.1} %", expected.h1 * 100.0)),
            ]
        };
        let mut notes: Vec<String> = self
            .look
            .iter()
            .map(|(look, units)| self.stands(look, *units))
            .collect();
        let draws = match self.draws {
            Draws::Given(_) => "given by --draws",
            Draws::Seen(_) => "as in the counts",
            Draws::Assumed => "assumed; --draws SHARE says another",
        };
        notes.push(format!(
            "Share of draws between equals: {:.1} %, {draws}. Lengths are means, as if no game depended on another; single tests are \
             often half or twice as long.",
            self.share() * 100.0
        ));
        Page {
            title,
            table: Table {
                columns,
                rows: self.elos.iter().map(row).collect(),
            },
            notes,
        }
    }

    /// The test as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        let sprt = &self.sprt;
        let [lower, upper] = sprt.bounds().map(Decimal::nearest);
        let document = SprtJson {
            schema: 1,
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: sprt.model,
            counts: sprt.counts,
            lower,
            upper,
            look: self.look.map(|(look, units)| SprtLookJson {
                after: units,
                llr: look.llr,
                verdict: look.verdict,
            }),
            draws: self.share(),
            draws_from: match self.draws {
                Draws::Given(_) => "given",
                Draws::Seen(_) => "seen",
                Draws::Assumed => "assumed",
            },
            expected: self.elos.iter().map(|elo| self.length(*elo)).collect(),
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }

    /// The state of the test, in a sentence.
    fn stands(&self, look: &Look, units: u64) -> String {
        let several = match self.sprt.counts {
            Units::Pentanomial => "game pairs",
            Units::Trinomial => "games",
        };
        let stands = match look.verdict {
            Some(verdict) => format!("{} is accepted", verdict.word()),
            None => {
                let to = if look.llr < Decimal::default() { "H0" } else { "H1" };
                format!(
                    "undecided, {} % of the way to {to}",
                    way(look.llr, look.lower, look.upper)
                )
            }
        };
        let bounds = format!("({}, {})", two(look.lower), two(look.upper));
        format!("LLR {} {bounds} after {units} {several}: {stands}.", two(look.llr))
    }

    fn share(&self) -> f64 {
        match self.draws {
            Draws::Given(share) | Draws::Seen(share) => share,
            Draws::Assumed => USUAL_DRAWS,
        }
    }

    fn expected(&self, elo: Decimal) -> Option<ExpectedLength> {
        let truth = True {
            elo: elo.value(),
            draws: self.share(),
        };
        let expected = self.sprt.expected(truth)?;
        (expected.games.is_finite() && expected.h1.is_finite()).then_some(expected)
    }

    fn length(&self, elo: Decimal) -> ExpectedLengthJson {
        let expected = self.expected(elo);
        ExpectedLengthJson {
            elo,
            games: expected.map(|expected| expected.games),
            h1: expected.map(|expected| expected.h1),
        }
    }
}

/// The test at these counts, and the number of units it has seen.
fn look(sprt: &Sprt, counts: &ResultCounts) -> Result<(Look, u64), SprtCountsError> {
    match sprt.counts {
        Units::Pentanomial => {
            let pairs = counts.pairs().ok_or(SprtCountsError::NoPairs)?;
            Ok((sprt.look(&pairs, &Wdl::NONE), pairs.count()))
        }
        Units::Trinomial => {
            let games = counts.games().ok_or(SprtCountsError::NoGames)?;
            Ok((sprt.look(&Pairs::NONE, &games), games.games()))
        }
    }
}

#[derive(Serialize)]
struct SprtJson {
    schema: u32,
    elo0: Decimal,
    elo1: Decimal,
    alpha: Decimal,
    beta: Decimal,
    model: SprtModel,
    counts: Units,
    lower: Decimal,
    upper: Decimal,
    look: Option<SprtLookJson>,
    draws: f64,
    draws_from: &'static str,
    expected: Vec<ExpectedLengthJson>,
}

#[derive(Serialize)]
struct SprtLookJson {
    after: u64,
    llr: Decimal,
    verdict: Option<Verdict>,
}

#[derive(Serialize)]
struct ExpectedLengthJson {
    elo: Decimal,
    games: Option<f64>,
    h1: Option<f64>,
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn sprt(counts: Units) -> Sprt {
        let decimal = |text: &str| text.parse().expect("a decimal");
        Sprt {
            elo0: decimal("0"),
            elo1: decimal("5"),
            alpha: decimal("0.05"),
            beta: decimal("0.05"),
            model: SprtModel::Normalized,
            counts,
        }
    }

    #[test]
    fn without_counts_lengths_alone() {
        let asked = SprtReport::new(sprt(Units::Pentanomial), None, None, &[Decimal::nearest(-2.5)]).expect("a test");
        assert_eq!(asked.verdict(), None);
        assert_snapshot!(asked.page().text(None), @"
        SPRT of [0, 5] in normalized Elo, pentanomial, alpha 0.05, beta 0.05: H0 at an LLR of -2.94, H1 at 2.94

        True difference  Games expected  Accepts H1
        ───────────────────────────────────────────
                   -2.5           14140       0.3 %
                      0           25592       5.0 %
                    2.5           41866      50.0 %
                      5           25600      95.0 %

        Share of draws between equals: 50.0 %, assumed; --draws SHARE says another. Lengths are means, as if no game depended on another; single tests are often half or twice as long.
        ");
    }

    #[test]
    fn with_counts_how_it_stands() {
        let counts = ResultCounts::of_games("164,23,13").expect("counts");
        let asked = SprtReport::new(sprt(Units::Trinomial), Some(counts), None, &[]).expect("a test");
        assert_eq!(asked.verdict(), Some(None));
        assert_snapshot!(asked.page().text(None), @"
        SPRT of [0, 5] in normalized Elo, trinomial, alpha 0.05, beta 0.05: H0 at an LLR of -2.94, H1 at 2.94

        True difference  Games expected  Accepts H1
        ───────────────────────────────────────────
                      0           25593       5.0 %
                    2.5           41866      50.0 %
                      5           25596      95.0 %

        LLR 2.29 (-2.94, 2.94) after 200 games: undecided, 77.8 % of the way to H1.
        Share of draws between equals: 11.5 %, as in the counts. Lengths are means, as if no game depended on another; single tests are often half or twice as long.
        ");
        let json: serde_json::Value = serde_json::from_str(&asked.json()).expect("JSON");
        assert_eq!(json["look"]["after"], 200);
        assert_eq!(json["draws_from"], "seen");
        assert_eq!(json["expected"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn a_verdict() {
        let counts = ResultCounts::of_pairs("20,100,400,900,300").expect("counts");
        let asked = SprtReport::new(sprt(Units::Pentanomial), Some(counts), Some(0.25), &[]).expect("a test");
        assert_eq!(asked.verdict(), Some(Some(Verdict::H1)));
        assert_snapshot!(asked.page().notes.join("\n"), @"
        LLR 21.07 (-2.94, 2.94) after 1720 game pairs: H1 is accepted.
        Share of draws between equals: 25.0 %, given by --draws. Lengths are means, as if no game depended on another; single tests are often half or twice as long.
        ");
    }

    #[test]
    fn counts_of_another_kind_are_refused() {
        let games = ResultCounts::of_games("1,2,3").ok();
        let pairs = ResultCounts::of_pairs("1,2,3,4,5").ok();
        let of = |units, counts| SprtReport::new(sprt(units), counts, None, &[]).err();
        assert_eq!(of(Units::Pentanomial, games), Some(SprtCountsError::NoPairs));
        assert_eq!(of(Units::Trinomial, pairs), Some(SprtCountsError::NoGames));
    }
}
