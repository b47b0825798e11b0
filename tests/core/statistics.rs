//! Figures of matches beside those that others give for the same counts: an exact computation that shares no code with any program,
//! and what fastchess 1.8.2 prints. `tests/data/stats/counts.json` has 27 sets of counts, each with ten pairs of hypotheses.

use serde::Deserialize;
use swissmatch::stats::pairs::{Figures, Pairs, Wdl};
use swissmatch::stats::sprt::{Decimal, Sprt, SprtModel, Units};

/// Score, Elo, its error, normalized Elo, its error, LOS.
type Six = [Option<f64>; 6];

#[derive(Deserialize)]
struct Table {
    hypotheses: Vec<[f64; 2]>,
    counts: Vec<Counts>,
}

#[derive(Deserialize)]
struct Counts {
    /// LL, LD, WL, DD, WD, WW.
    pairs: [u64; 6],
    wins: u64,
    draws: u64,
    losses: u64,
    games: Six,
    of_pairs: Six,
    printed: Printed,
    printed_games: Printed,
    ratios: [Option<f64>; 3],
    llr: Llrs,
}

#[derive(Deserialize)]
struct Printed {
    elo: String,
    nelo: String,
    los: String,
}

#[derive(Deserialize)]
struct Llrs {
    normalized: Llr,
    logistic: Llr,
    bayesian: Llr,
}

#[derive(Deserialize)]
struct Llr {
    games: Vec<Option<f64>>,
    #[serde(default)]
    pairs: Vec<Option<f64>>,
}

impl Counts {
    fn pairs(&self) -> Pairs {
        let [ll, ld, wl, dd, wd, ww] = self.pairs;
        Pairs { ll, ld, wl, dd, wd, ww }
    }

    fn games(&self) -> Wdl {
        Wdl {
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
        }
    }
}

fn table() -> Table {
    serde_json::from_str(include_str!("../data/stats/counts.json")).expect("it is in order")
}

/// Within a thousandth, or of a large number its thousandth part of a thousandth.
#[track_caller]
fn expect_near(what: &str, ours: Option<f64>, exact: Option<f64>) {
    match (ours.filter(|ours| ours.is_finite()), exact) {
        (Some(ours), Some(exact)) => {
            assert!(
                (ours - exact).abs() <= 1e-3_f64.max(exact.abs() * 1e-6),
                "{what}: {ours}, exactly {exact}"
            );
        }
        (None, None) => {}
        (ours, exact) => panic!("{what}: {ours:?}, exactly {exact:?}"),
    }
}

#[track_caller]
fn expect_figures(what: &str, figures: Option<Figures>, exact: Six, printed: &Printed) {
    let figures = figures.expect("there are games");
    let ours = [
        Some(figures.score),
        figures.elo,
        figures.elo_error,
        figures.nelo,
        figures.nelo_error,
        figures.los,
    ];
    let exact_nelo = exact[3];
    let names = ["score", "Elo", "error", "nElo", "its error", "LOS"];
    for (name, (ours, exact)) in names.into_iter().zip(ours.into_iter().zip(exact)) {
        // Without any variance there is no nElo, and we have neither an error nor a LOS; an error of 0 is what the formula gives.
        let exact = exact.filter(|_| exact_nelo.is_some() || !["error", "LOS"].contains(&name));
        expect_near(&format!("{what}: {name}"), ours, exact);
    }
    // To the last digit that is printed; fastchess prints numbers that are none as well.
    let with_error = |value: Option<f64>, error: Option<f64>| Some(format!("{:.2} +/- {:.2}", value?, error?));
    for (ours, printed) in [
        (with_error(figures.elo, figures.elo_error), &printed.elo),
        (with_error(figures.nelo, figures.nelo_error), &printed.nelo),
        (figures.los.map(|los| format!("{:.2} %", los * 100.0)), &printed.los),
    ] {
        if let Some(ours) = ours {
            // Zero has a sign there.
            let unsigned = |text: &str| text.replace("-0.00 ", "0.00 ");
            assert_eq!(unsigned(&ours), unsigned(printed), "{what}");
        } else {
            // What it prints where nothing varies.
            let of_nothing = [" +/- 0.00", "0.00 %", "100.00 %"];
            let is_known = exact_nelo.is_none() && of_nothing.iter().any(|end| printed.ends_with(end));
            assert!(
                is_known || printed.contains("nan") || printed.contains("inf"),
                "{what}: {printed}"
            );
        }
    }
}

#[test]
fn figures_are_the_exact_ones_and_those_that_fastchess_prints() {
    let Table { counts, .. } = table();
    assert_eq!(counts.len(), 27);
    for set in counts {
        let pairs = set.pairs();
        assert_eq!(pairs.games(), set.games(), "{pairs:?}");
        expect_figures(
            &format!("{:?}", set.games()),
            set.games().figures(),
            set.games,
            &set.printed_games,
        );
        expect_figures(&format!("{pairs:?}"), pairs.figures(), set.of_pairs, &set.printed);
        let ours = [
            pairs.draw_ratio().map(|share| share * 100.0),
            pairs.pairs_ratio(),
            pairs.wl_dd_ratio(),
        ];
        for (ours, theirs) in ours.into_iter().zip(set.ratios) {
            expect_near(&format!("{pairs:?}: a ratio"), ours, theirs);
        }
    }
}

#[test]
fn likelihood_ratios_are_the_exact_ones() {
    let Table { counts, hypotheses } = table();
    let mut compared = 0;
    for set in &counts {
        for (model, exact) in [
            (SprtModel::Normalized, &set.llr.normalized),
            (SprtModel::Logistic, &set.llr.logistic),
            (SprtModel::Bayesian, &set.llr.bayesian),
        ] {
            for (number, &[elo0, elo1]) in hypotheses.iter().enumerate() {
                let sprt = Sprt {
                    elo0: Decimal::nearest(elo0),
                    elo1: Decimal::nearest(elo1),
                    alpha: Decimal::nearest(0.05),
                    beta: Decimal::nearest(0.05),
                    model,
                    counts: Units::Pentanomial,
                };
                let what = format!("{:?} {model:?} [{elo0}, {elo1}]", set.pairs());
                expect_near(&what, Some(sprt.of_games(&set.games())), exact.games[number]);
                if let Some(exact) = exact.pairs.get(number) {
                    expect_near(&what, Some(sprt.of_pairs(&set.pairs())), *exact);
                }
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 27 * 30);
}
