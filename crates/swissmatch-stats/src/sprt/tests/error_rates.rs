//! Error rates and length of tests in drawn matches: the promises of the bounds.

use rand::{Rng, RngExt as _};
use rayon::prelude::*;

use super::sprt;
use crate::pairs::{Pairs, Wdl};
use crate::sprt::{ExpectedLength, Sprt, SprtModel, True, TruncatedSprt, Units, Verdict};
use crate::stream::stream;

/// Share of draws between equals.
const DRAWS: f64 = 0.5;

/// The most that one more pair moves the LLR, per point of nElo between the hypotheses: two and a half times what the
/// most unlikely pair does, if equals draw half of their games.
const STEP: f64 = 0.02;
/// The number of pairs before which it may move further, since the spread of few pairs may be anything.
const FEW: u64 = 100;

/// A drawn match: true if H1 was accepted, and the number of games. The test is checked after each pair at which it
/// may be decided.
fn match_of(test: &Sprt, shares: &[f64], number: u32) -> (bool, u64) {
    let mut random = stream(2026, "sprt", number);
    let mut pairs = Pairs::NONE;
    let [lower, upper] = test.bounds();
    let step = STEP * (test.elo1.value() - test.elo0.value());
    let (mut llr, mut looked, mut next) = (0.0, 0, 1);
    loop {
        draw(&mut random, shares, &mut pairs);
        let count = pairs.count();
        if count < next {
            continue;
        }
        let before = llr;
        llr = test.of_pairs(&pairs);
        let (moved, may) = ((llr - before).abs(), step * (count - looked) as f64);
        assert!(looked < FEW || moved <= may, "{moved} within {} pairs", count - looked);
        if let Some(verdict) = test.verdict(llr) {
            return (verdict == Verdict::H1, 2 * count);
        }
        looked = count;
        let away = ((upper - llr).min(llr - lower) / step) as u64;
        next = count + if count < FEW { 1 } else { away.max(1) };
    }
}

/// Draws one more pair.
fn draw(random: &mut impl Rng, shares: &[f64], pairs: &mut Pairs) {
    let mut left: f64 = random.random();
    let drawn = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    *match drawn {
        Some(0) => &mut pairs.ll,
        Some(1) => &mut pairs.ld,
        Some(2) => &mut pairs.wl,
        Some(3) => &mut pairs.wd,
        _ => &mut pairs.ww,
    } += 1;
}

/// Plays this many matches at each of elo0, halfway and elo1. No error is more frequent than allowed plus three
/// deviations, and the mean length differs from theory by no more than this share.
fn check([elo0, elo1]: [&str; 2], matches: u32, share: f64) {
    let test = sprt(elo0, elo1, SprtModel::Normalized, Units::Pentanomial);
    for (part, name) in [(0.0, "elo0"), (0.5, "halfway"), (1.0, "elo1")] {
        let truth = True {
            elo: test.elo0.value() + part * (test.elo1.value() - test.elo0.value()),
            draws: DRAWS,
        };
        let shares = test.shares_of_pairs(truth);
        let played: Vec<(bool, u64)> = (0..matches)
            .into_par_iter()
            .map(|number| match_of(&test, &shares, number))
            .collect();
        let h1 = played.iter().filter(|(h1, _)| *h1).count() as f64 / f64::from(matches);
        let games = played.iter().map(|(_, games)| *games as f64).sum::<f64>() / f64::from(matches);
        let ExpectedLength { games: expected, .. } = test.expected(truth).expect("it can be told");
        println!(
            "[{elo0}, {elo1}] {name}: H1 in {:.2} %, {games:.0} games, by theory {expected:.0}",
            h1 * 100.0
        );
        let deviation = (0.05 * 0.95 / f64::from(matches)).sqrt();
        let error = match name {
            "elo0" => h1,
            "elo1" => 1.0 - h1,
            _ => 0.0,
        };
        assert!(error <= 0.05 + 3.0 * deviation, "{name}: {error}");
        assert!((games / expected - 1.0).abs() <= share, "{name}: {games} of {expected}");
    }
}

#[test]
fn a_test_errs_no_more_often_than_it_may() {
    check(["0", "40"], 1000, 0.12);
}

#[test]
#[ignore = "20,000 matches for each strength: make statistics-check"]
fn a_test_errs_no_more_often_than_it_may_in_many_matches() {
    check(["0", "20"], 20_000, 0.05);
}

/// The bounds of `swissmatch gate`.
#[test]
#[ignore = "10,000 matches of some 30,000 games for each strength: make statistics-check"]
fn a_gate_errs_no_more_often_than_it_may() {
    check(["-5", "0"], 10_000, 0.05);
}

/// The test of a gate of 200 pairs: it ends if nothing more can follow, and errs no more often. A match that is lost
/// whole fails.
#[test]
#[ignore = "5,000 matches of up to 400 games for each strength: make statistics-check"]
fn a_truncated_test_errs_no_more_often_than_it_may() {
    const PAIRS: u32 = 200;
    const MATCHES: u32 = 5_000;
    let asked = sprt("0", "40", SprtModel::Normalized, Units::Pentanomial);
    let test = TruncatedSprt::new(&asked, PAIRS.into());
    for (name, elo) in [("elo0", 0.0), ("halfway", 20.0), ("elo1", 40.0)] {
        let shares = asked.shares_of_pairs(True { elo, draws: DRAWS });
        let played: Vec<(Option<Verdict>, u64)> = (0..MATCHES)
            .into_par_iter()
            .map(|number| truncated_match(&test, &shares, number, PAIRS))
            .collect();
        let share = |wanted: Option<Verdict>| {
            let found = played.iter().filter(|(verdict, _)| *verdict == wanted).count();
            found as f64 / f64::from(MATCHES)
        };
        let [h0, h1, neither] = [Some(Verdict::H0), Some(Verdict::H1), Some(Verdict::Neither)].map(share);
        let games = played.iter().map(|(_, games)| *games as f64).sum::<f64>() / f64::from(MATCHES);
        println!(
            "{name}: H0 {:.2} %, H1 {:.2} %, given up {:.2} %, {games:.0} games",
            h0 * 100.0,
            h1 * 100.0,
            neither * 100.0
        );
        let deviation = (0.05 * 0.95 / f64::from(MATCHES)).sqrt();
        assert!(name != "elo0" || h1 <= 0.05 + 3.0 * deviation, "{h1}");
        assert!(name != "elo1" || h0 <= 0.05 + 3.0 * deviation, "{h0}");
        assert!(neither > 0.0, "some end early");
    }
}

fn truncated_match(test: &TruncatedSprt, shares: &[f64], number: u32, most: u32) -> (Option<Verdict>, u64) {
    let mut random = stream(2026, "truncated", number);
    let mut pairs = Pairs::NONE;
    for count in 1..=u64::from(most) {
        draw(&mut random, shares, &mut pairs);
        let at_bound = test.sprt.verdict(test.sprt.of_pairs(&pairs));
        if let Some(verdict) = at_bound.or_else(|| test.verdict(&pairs, &Wdl::NONE, count)) {
            return (Some(verdict), 2 * count);
        }
    }
    (None, 2 * u64::from(most))
}

/// The drawn results have the mean that is asked for.
#[test]
fn drawn_pairs_have_the_strength_that_is_asked_for() {
    let test = sprt("0", "40", SprtModel::Normalized, Units::Pentanomial);
    for elo in [-30.0, 0.0, 40.0] {
        let shares = test.shares_of_pairs(True { elo, draws: DRAWS });
        let of = |share: f64| (share * 1e12) as u64;
        let pairs = Pairs {
            ll: of(shares[0]),
            ld: of(shares[1]),
            wl: of(shares[2]),
            dd: 0,
            wd: of(shares[3]),
            ww: of(shares[4]),
        };
        let nelo = pairs
            .figures()
            .and_then(|figures| figures.nelo)
            .expect("results differ");
        assert!((nelo - elo).abs() < 1e-3, "{elo}: {nelo}");
        assert!(pairs.games() != Wdl::NONE);
    }
}
