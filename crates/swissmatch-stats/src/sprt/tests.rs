//! LLR and verdicts, by edges and by properties; `tests/core/statistics.rs` compares with the figures of others.

use proptest::prelude::*;

use super::*;

mod error_rates;
mod truncated;

fn sprt(elo0: &str, elo1: &str, model: SprtModel, counts: Units) -> Sprt {
    let decimal = |text: &str| text.parse().expect("a decimal");
    Sprt {
        elo0: decimal(elo0),
        elo1: decimal(elo1),
        alpha: decimal("0.05"),
        beta: decimal("0.05"),
        model,
        counts,
    }
}

#[test]
fn decimals_are_written_as_they_are_read() {
    for text in ["0", "5", "-1.25", "0.05", "0.000001", "-340", "2.5"] {
        assert_eq!(
            text.parse::<Decimal>().map(|decimal| decimal.to_string()),
            Ok(text.to_owned())
        );
    }
    assert_eq!("1.250".parse(), Ok(Decimal::from_millionths(1_250_000)));
    assert_eq!(".5".parse(), Ok(Decimal::from_millionths(500_000)));
    for text in ["", "-", ".", "1.0000001", "1e3", "0x1", "12345678901", "1,5", "--1"] {
        assert_eq!(text.parse::<Decimal>(), Err(DecimalError), "{text}");
    }
}

#[test]
fn bounds_are_walds() {
    let [lower, upper] = sprt("0", "5", SprtModel::Normalized, Units::Pentanomial).bounds();
    assert!((upper - 2.944_438_979_166_44).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
}

#[test]
fn nothing_seen_says_nothing() {
    for model in [SprtModel::Normalized, SprtModel::Logistic, SprtModel::Bayesian] {
        let test = sprt("0", "5", model, Units::Pentanomial);
        assert_eq!(
            (test.of_pairs(&Pairs::default()), test.of_games(&Wdl::default())),
            (0.0, 0.0)
        );
        assert_eq!(test.verdict(0.0), None);
    }
    let test = sprt("0", "5", SprtModel::Normalized, Units::Pentanomial);
    assert_eq!(
        (test.verdict(2.945), test.verdict(-2.945)),
        (Some(Verdict::H1), Some(Verdict::H0))
    );
}

/// Counts and hypotheses at which a root finder that starts at equal shares has no bracket.
#[test]
fn no_counts_and_no_hypotheses_hang() {
    for (elo0, elo1) in [("300", "340"), ("-340", "-300"), ("0", "900"), ("-900", "900")] {
        let test = sprt(elo0, elo1, SprtModel::Normalized, Units::Pentanomial);
        for number in 0..243_u64 {
            let at = |digit: u32| number / 3_u64.pow(digit) % 3;
            let pairs = Pairs {
                ll: at(0),
                ld: at(1),
                wl: at(2),
                wd: at(3),
                ww: at(4),
                dd: 0,
            };
            let (llr, of_games) = (test.of_pairs(&pairs), test.of_games(&pairs.games()));
            assert!(llr.is_finite() && of_games.is_finite(), "{pairs:?}: {llr} {of_games}");
        }
    }
}

proptest! {
    /// Seen from the other player, H1 against H0 is −elo1 against −elo0 with the opposite sign.
    #[test]
    fn both_players_have_the_same_test(counts in proptest::array::uniform6(0_u64..2000), elo0 in -100_i64..100, by in 1_i64..100) {
        let [ll, ld, wl, dd, wd, ww] = counts;
        let pairs = Pairs { ll, ld, wl, dd, wd, ww };
        let elo = |whole: i64| Decimal::from_millionths(whole * 1_000_000);
        for model in [SprtModel::Normalized, SprtModel::Logistic, SprtModel::Bayesian] {
            let test = Sprt { elo0: elo(elo0), elo1: elo(elo0 + by), ..sprt("0", "5", model, Units::Pentanomial) };
            let other = Sprt { elo0: elo(-elo0 - by), elo1: elo(-elo0), ..test };
            let (llr, mirrored) = (test.of_pairs(&pairs), -other.of_pairs(&pairs.of_the_other()));
            prop_assert!((llr - mirrored).abs() <= 1e-6 * (1.0 + llr.abs()), "{model:?}: {llr} {mirrored}");
            let (llr, mirrored) = (test.of_games(&pairs.games()), -other.of_games(&pairs.of_the_other().games()));
            prop_assert!((llr - mirrored).abs() <= 1e-6 * (1.0 + llr.abs()), "{model:?}: {llr} {mirrored}");
        }
    }
}

/// If H0 is true, H1 is accepted with the probability α, and the other way round; halfway between, the test takes
/// longest.
#[test]
fn a_test_is_expected_to_err_as_often_as_it_may() {
    for (model, counts) in [
        (SprtModel::Normalized, Units::Pentanomial),
        (SprtModel::Logistic, Units::Pentanomial),
        (SprtModel::Logistic, Units::Trinomial),
        (SprtModel::Bayesian, Units::Trinomial),
    ] {
        let test = sprt("0", "5", model, counts);
        let at = |elo| test.expected(True { elo, draws: 0.5 }).expect("it can be told");
        let [low, middle, high] = [0.0, 2.5, 5.0].map(at);
        assert!(
            (low.h1 - 0.05).abs() < 0.002 && (high.h1 - 0.95).abs() < 0.002,
            "{model:?} {low:?} {high:?}"
        );
        assert!(
            (middle.h1 - 0.5).abs() < 0.01 && middle.games > low.games,
            "{model:?} {middle:?}"
        );
    }
    let halfway = sprt("0", "5", SprtModel::Normalized, Units::Trinomial).expected(True { elo: 2.5, draws: 0.5 });
    // Between bounds of ±b a motion without drift and with variance v takes b² / v; here v = (5 · ln 10 / 800)² for
    // each game.
    let games = halfway.expect("it can be told").games;
    assert!((games - 41_860.0).abs() < 40.0, "{games}");
}

/// However far away a hypothesis is, the ratio stays a number, and the observed results decide.
#[test]
fn hypotheses_that_are_far_away() {
    let counts = Wdl {
        wins: 30,
        draws: 20,
        losses: 10,
    };
    for model in [SprtModel::Normalized, SprtModel::Logistic, SprtModel::Bayesian] {
        for elo in ["1500", "5000", "20000", "1000000", "999999999"] {
            for (elo0, elo1, sign) in [("0", elo, -1.0), (&format!("-{elo}"), "0", 1.0)] {
                let llr = sprt(elo0, elo1, model, Units::Trinomial).of_games(&counts);
                assert!(llr.is_finite() && llr * sign > 3.0, "{model:?} {elo0} {elo1}: {llr}");
            }
        }
    }
}
