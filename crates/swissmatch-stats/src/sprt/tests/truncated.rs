//! A test that knows how many pairs its match has, over all possible results.

use std::collections::HashMap;

use super::sprt;
use crate::pairs::{Pairs, Wdl};
use crate::sprt::{Decimal, Sprt, SprtModel, True, TruncatedSprt, Units, Verdict};

/// Pairs by points.
type PentanomialCounts = [u64; 5];

fn pairs([ll, ld, dd, wd, ww]: PentanomialCounts) -> Pairs {
    Pairs {
        ll,
        ld,
        wl: 0,
        dd,
        wd,
        ww,
    }
}

/// The verdict at these counts, while the match is not over.
fn verdict(test: &TruncatedSprt, counts: PentanomialCounts) -> Option<Verdict> {
    let pairs = pairs(counts);
    let at_bound = test.sprt.verdict(test.sprt.of_pairs(&pairs));
    at_bound.or_else(|| test.verdict(&pairs, &Wdl::NONE, pairs.count()))
}

/// The counts with one more pair.
fn next(counts: PentanomialCounts) -> impl Iterator<Item = PentanomialCounts> {
    (0..5).map(move |kind| {
        let mut more = counts;
        more[kind] += 1;
        more
    })
}

/// How often H0, H1 and neither are accepted if pairs have these shares: exactly, over all orders in which they may
/// come.
fn shares_of_verdicts(test: &TruncatedSprt, shares: &[f64; 5], units: u64) -> [f64; 3] {
    let mut open = HashMap::from([([0; 5], 1.0)]);
    let mut accepted = [0.0; 3];
    for _ in 0..units {
        let mut after: HashMap<PentanomialCounts, f64> = HashMap::new();
        for (counts, chance) in open {
            for (more, share) in next(counts).zip(shares).filter(|(_, share)| **share > 0.0) {
                *after.entry(more).or_default() += chance * share;
            }
        }
        open = HashMap::new();
        for (counts, chance) in after {
            match verdict(test, counts) {
                Some(Verdict::H0) => accepted[0] += chance,
                Some(Verdict::H1) => accepted[1] += chance,
                Some(Verdict::Neither) => accepted[2] += chance,
                None => {
                    open.insert(counts, chance);
                }
            }
        }
    }
    accepted[2] += open.values().sum::<f64>();
    accepted
}

/// The shares of pairs of a player this far ahead, if equals draw this share of games; with none drawn, both games of
/// a pair end alike, so that all are lost or won most often.
fn shares(test: &Sprt, elo: f64, draws: Option<f64>) -> [f64; 5] {
    match draws {
        Some(draws) => test.shares_of_pairs(True { elo, draws }).try_into().expect("five"),
        None => {
            let loss = test.chance_of_loss(elo);
            [loss, 0.0, 0.0, 0.0, 1.0 - loss]
        }
    }
}

/// "An all-lost match at its end fails at a level that is taken off beta, the SPRT running at what remains."
#[test]
fn both_errors_stay_within_what_is_asked_for() {
    for (elos, model) in [
        (["-5", "0"], SprtModel::Normalized),
        (["0", "5"], SprtModel::Normalized),
        (["-80", "0"], SprtModel::Normalized),
        (["-5", "0"], SprtModel::Logistic),
    ] {
        let asked = sprt(elos[0], elos[1], model, Units::Pentanomial);
        for units in [5, 6, 9] {
            let test = TruncatedSprt::new(&asked, units);
            for draws in [None, Some(0.0), Some(0.7)] {
                let at = |elo: Decimal| shares_of_verdicts(&test, &shares(&asked, elo.value(), draws), units);
                let (with_h0, with_h1) = (at(asked.elo0), at(asked.elo1));
                println!(
                    "{elos:?} {model:?}, {units} pairs, draws {draws:?}: H1 {:.4}, H0 {:.4}",
                    with_h0[1], with_h1[0]
                );
                assert!(with_h0[1] <= asked.alpha.value() + 1e-12, "{with_h0:?}");
                assert!(with_h1[0] <= asked.beta.value() + 1e-12, "{with_h1:?}");
            }
            let lost = shares_of_verdicts(&test, &[1.0, 0.0, 0.0, 0.0, 0.0], units);
            assert_eq!(lost[0] > 0.0, units >= 6, "{units} pairs, all lost: {lost:?}");
        }
    }
}

/// The remaining error is exact, and in a long match all of it remains.
#[test]
fn the_end_of_the_match_has_its_part_of_the_errors() {
    let asked = sprt("-5", "0", SprtModel::Normalized, Units::Pentanomial);
    let of = |units| TruncatedSprt::new(&asked, units).sprt;
    assert_eq!(of(6).beta, "0.034375".parse().expect("a decimal"));
    assert_eq!((of(4), of(10_000), of(0)), (asked, asked, asked));
    let lost = pairs([20, 0, 0, 0, 0]);
    let test = TruncatedSprt::new(&asked, 20);
    assert_eq!(test.sprt.verdict(test.sprt.of_pairs(&lost)), None);
    assert_eq!(test.verdict(&lost, &Wdl::NONE, 20), Some(Verdict::H0));
    assert_eq!(
        test.verdict(&pairs([0, 0, 0, 0, 20]), &Wdl::NONE, 20),
        Some(Verdict::H1)
    );
    // A pair that does not count is not lost.
    assert_eq!(test.verdict(&pairs([19, 0, 0, 0, 0]), &Wdl::NONE, 20), None);
    assert_eq!(test.verdict(&pairs([19, 1, 0, 0, 0]), &Wdl::NONE, 20), None);
    assert_eq!(
        test.verdict(&pairs([3, 1, 0, 0, 0]), &Wdl::NONE, 4),
        Some(Verdict::Neither)
    );
    assert_eq!(test.verdict(&pairs([4, 0, 0, 0, 0]), &Wdl::NONE, 4), None);
    let games = sprt("0", "5", SprtModel::Bayesian, Units::Trinomial);
    let test = TruncatedSprt::new(&games, 40);
    let lost = Wdl {
        losses: 40,
        ..Wdl::NONE
    };
    assert_eq!(test.verdict(&Pairs::NONE, &lost, 40), Some(Verdict::H0));
}

/// "It ends as soon as no outcome of the games that are left changes the verdict": of all counts that there can be.
#[test]
fn no_verdict_is_given_up_that_could_come() {
    let asked = Sprt {
        alpha: "0.2".parse().expect("a decimal"),
        beta: "0.2".parse().expect("a decimal"),
        ..sprt("-80", "0", SprtModel::Normalized, Units::Pentanomial)
    };
    let units = 8;
    let test = TruncatedSprt::new(&asked, units);
    let mut known = HashMap::new();
    let (mut given_up, mut decided) = (0, 0);
    let can = can_be_decided(&test, [0; 5], units, &mut known);
    assert!(can);
    for (counts, can) in &known {
        let pairs = pairs(*counts);
        match test.verdict(&pairs, &Wdl::NONE, pairs.count()) {
            Some(Verdict::Neither) => {
                given_up += 1;
                assert!(!can, "{counts:?}");
            }
            _ => decided += u32::from(*can),
        }
    }
    println!("{} counts: {given_up} given up, {decided} open", known.len());
    assert!(given_up > 100 && decided > 100);
}

/// True if H0 or H1 is accepted at these counts, or after any others that may follow.
fn can_be_decided(
    test: &TruncatedSprt,
    counts: PentanomialCounts,
    units: u64,
    known: &mut HashMap<PentanomialCounts, bool>,
) -> bool {
    if let Some(can) = known.get(&counts) {
        return *can;
    }
    let pairs = pairs(counts);
    let count = pairs.count();
    let at_bound = test.sprt.verdict(test.sprt.of_pairs(&pairs)).is_some();
    let at_end = || matches!(test.verdict(&pairs, &Wdl::NONE, count), Some(Verdict::H0 | Verdict::H1));
    let can = match count == units {
        true => at_bound || at_end(),
        // All that follow are visited, so that each is known.
        false => next(counts).fold(at_bound, |can, more| can_be_decided(test, more, units, known) || can),
    };
    known.insert(counts, can);
    can
}
