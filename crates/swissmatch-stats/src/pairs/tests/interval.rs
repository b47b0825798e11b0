//! The interval for few pairs: how often it errs, over all possible results.

use super::super::*;

/// Pairs with these counts by points.
const fn of(counts: [u64; 5]) -> Pairs {
    let [ll, ld, dd, wd, ww] = counts;
    Pairs {
        ll,
        ld,
        wl: 0,
        dd,
        wd,
        ww,
    }
}

/// All ways in which this many pairs can end.
fn all(pairs: u64) -> Vec<[u64; 5]> {
    let mut all = Vec::new();
    for ll in 0..=pairs {
        for ld in 0..=pairs - ll {
            for dd in 0..=pairs - ll - ld {
                for wd in 0..=pairs - ll - ld - dd {
                    all.push([ll, ld, dd, wd, pairs - ll - ld - dd - wd]);
                }
            }
        }
    }
    all
}

fn interval(counts: [u64; 5]) -> [f64; 2] {
    of(counts).interval().expect("pairs")
}

/// The chance of these counts, if a pair ends with the chances given in sixteenths.
fn chance(counts: [u64; 5], sixteenths: [u64; 5]) -> f64 {
    let factorial = |number: u64| (1..=number).map(|number| number as f64).product::<f64>();
    let ways = factorial(counts.iter().sum()) / counts.iter().map(|&count| factorial(count)).product::<f64>();
    let each = counts.iter().zip(sixteenths);
    ways * each
        .map(|(&count, share)| (share as f64 / 16.0).powf(count as f64))
        .product::<f64>()
}

/// Five pairs never show a difference, whatever their results; six that are lost do, but not if one of them is drawn.
#[test]
fn a_handful_of_pairs_shows_nothing_unless_all_are_lost() {
    for counts in (1..=5).flat_map(all) {
        let [low, high] = interval(counts);
        assert!(low < 0.5 && high > 0.5, "{counts:?}: {low} {high}");
    }
    let shown: Vec<_> = all(6).into_iter().filter(|counts| interval(*counts)[1] < 0.5).collect();
    assert_eq!(shown, [[6, 0, 0, 0, 0]]);
    // Three pairs with 0, 0 and ½ a point: by the normal distribution they would lie below ½.
    assert!(interval([2, 0, 1, 0, 0])[1] > 0.9);
    assert_eq!(Pairs::NONE.interval(), None);
}

/// For single games as for pairs, and for shares, which are games without a draw: nothing is certain because it was
/// not seen yet.
#[test]
fn games_have_an_interval_like_that_of_pairs() {
    let of = |wins, draws, losses| Wdl { wins, draws, losses }.interval().expect("games");
    assert_eq!(Wdl::NONE.interval(), None);
    let [low, high] = of(20, 0, 0);
    assert!((low - 0.831_566_529_016_915).abs() < 1e-12 && high == 1.0, "{low}");
    let pairs = interval([3, 0, 5, 0, 7]);
    assert_eq!(of(7, 5, 3), pairs);
    let [low, high] = of(998, 0, 2);
    assert!(low > 0.99 && low < 0.998 && high > 0.998, "{low} {high}");
}

#[test]
fn pairs_that_are_all_alike_have_exact_bounds() {
    let [low, high] = interval([20, 0, 0, 0, 0]);
    assert!(low == 0.0 && (high - 0.168_433_470_983_085).abs() < 1e-12, "{high}");
    let won = interval([0, 0, 0, 0, 20]);
    assert!((won[0] + high - 1.0).abs() < 1e-12 && won[1] == 1.0);
    let level = interval([0, 0, 40, 0, 0]);
    assert!(
        (level[0] + level[1] - 1.0).abs() < 1e-12 && level[1] < 0.55,
        "{level:?}"
    );
}

/// If a result shows that the first player is weaker, so does a worse one.
#[test]
fn a_worse_result_has_no_better_verdict() {
    for counts in [6, 7, 9, 12].into_iter().flat_map(all) {
        if interval(counts)[1] >= 0.5 {
            continue;
        }
        for better in (1..5).filter(|&better| counts[better] > 0) {
            let mut worse = counts;
            worse[better] -= 1;
            worse[better - 1] += 1;
            assert!(interval(worse)[1] < 0.5, "{counts:?} and {worse:?}");
        }
    }
}

/// For equals, however their pairs are spread in sixteenths: neither side is found weaker in more than 2.5 % of all
/// matches.
#[test]
fn equals_are_told_apart_no_more_often_than_it_says() {
    let spreads: Vec<_> = all(16)
        .into_iter()
        .filter(|shares| {
            shares
                .iter()
                .zip(0..)
                .map(|(share, points)| share * points)
                .sum::<u64>()
                == 32
        })
        .collect();
    assert_eq!(spreads.len(), 177);
    for pairs in 6..=14 {
        let shown: Vec<_> = all(pairs)
            .into_iter()
            .filter(|counts| interval(*counts)[1] < 0.5)
            .collect();
        assert!(!shown.is_empty());
        for spread in &spreads {
            let wrong: f64 = shown.iter().map(|&counts| chance(counts, *spread)).sum();
            assert!(wrong <= BEYOND, "{pairs} pairs, {spread:?}: {wrong}");
            // The other side follows by symmetry.
        }
    }
    for counts in all(9) {
        let mut turned = counts;
        turned.reverse();
        let ([low, _], [_, high]) = (interval(counts), interval(turned));
        assert!((low + high - 1.0).abs() < 1e-12, "{counts:?}");
    }
}

/// By the distribution itself, whose closed form for whole degrees of freedom is 26.7.3 and 26.7.4 of Abramowitz and
/// Stegun.
#[test]
fn students_quantile_is_that_of_his_distribution() {
    for freedom in (1..=60).chain([99, 1000]) {
        let angle = (students_quantile(freedom) / (freedom as f64).sqrt()).atan();
        let (sine, cosine) = angle.sin_cos();
        let is_odd = freedom % 2 == 1;
        let (mut term, mut sum) = if is_odd { (cosine, cosine) } else { (1.0, 1.0) };
        for step in (if is_odd { 3 } else { 2 }..freedom.saturating_sub(1)).step_by(2) {
            term *= cosine * cosine * (step - 1) as f64 / step as f64;
            sum += term;
        }
        let middle = match freedom {
            1 => 2.0 * angle / std::f64::consts::PI,
            _ if is_odd => (angle + sine * sum) * 2.0 / std::f64::consts::PI,
            _ => sine * sum,
        };
        assert!((middle - 0.95).abs() < 1e-6, "{freedom}: {middle}");
    }
}
