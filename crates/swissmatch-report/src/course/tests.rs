//! Plots of matches made by hand.

use Score::{Draw, Loss, Win};
use swiss_system::pairing::history::{Pair, PairingNumber, RoundPairing};

use super::*;
use crate::fixture;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_stats::pairs::Score;
use swissmatch_stats::sprt::Decimal;
use swissmatch_tournament::log::{Entry, RoundPaired};

fn course(results: CourseResults, single: u64) -> Course {
    Course {
        players: ["New", "Old"].map(str::to_owned),
        results,
        single,
    }
}

#[test]
fn the_score_has_the_interval_of_its_pairs() {
    let pairs = [[Win, Win], [Win, Win], [Loss, Draw], [Win, Loss]].repeat(2);
    let plot = score(&course(CourseResults::Pairs(pairs), 1));
    assert_eq!((plot.heading.n, plot.heading.counted), (8, CountedUnit::Pairs));
    assert!(
        plot.heading.note.contains("1 game without a pair is left out"),
        "{}",
        plot.heading.note
    );
    let scores: Vec<f64> = plot.points.iter().map(|point| point.score).collect();
    assert_eq!(scores[..5], [1.0, 1.0, 0.75, 0.6875, 0.75]);
    // Two equal pairs do not tell how sure they are.
    assert!(plot.points[1].low.is_nan() && plot.points[1].high.is_nan());
    let fourth = plot.points[3];
    assert_eq!((fourth.low, fourth.high), (0.0, 1.0), "no score is beyond 0 and 1");
    // Of these pairs and one that is lost the mean is 11/18 and σ² = (4 · 7² + 2 · 6.5² + 2 · 2² + 11²) / 18² / 8; Student's quantile is
    // 2.306.
    let error = 2.306_004 * (409.5 / 324.0 / 8.0 / 9.0_f64).sqrt();
    let last = plot.points[7];
    assert_eq!(last.after, 8);
    assert!((last.low - (11.0 / 18.0 - error)).abs() < 1e-6, "{last:?}");
}

#[test]
fn without_pairs_the_score_is_over_games() {
    let plot = score(&course(CourseResults::Games(vec![Win, Draw]), 0));
    assert_eq!((plot.heading.n, plot.heading.counted), (2, CountedUnit::Games));
    assert!(plot.heading.note.starts_with("There are no game pairs"));
    assert_eq!(plot.points[1].score, 0.75);
    let none = plots_of_file(&course(CourseResults::Games(Vec::new()), 0));
    assert!(none[0].svg.contains("There is nothing to show yet."));
}

/// A match with a test after these games, White's results.
fn played(outcomes: &[Outcome]) -> State {
    let mut state = fixture::of_players(2, |created| {
        created.setup.mini_match.games = 8;
        created.setup.sprt.elo0 = Some(Decimal::from_millionths(0));
        created.setup.sprt.elo1 = Some(Decimal::from_millionths(10_000_000));
        created.rounds = 1;
    });
    let [white, black] = [1, 2].map(PairingNumber);
    let pair = Pair {
        white,
        black,
        repeat: false,
    };
    let paired = RoundPaired {
        round: 1,
        pairing: RoundPairing::new(vec![pair], None),
        day: jiff::civil::date(2026, 1, 30),
        starts: None,
    };
    state.apply(&Entry::RoundPaired(paired)).expect("it is due");
    for (number, outcome) in (1..).zip(outcomes) {
        let players = if number % 2 == 1 { (1, 2) } else { (2, 1) };
        let game = fixture::entry_of((1, 1, number), players, *outcome, Termination::Checkmate);
        state.apply(&Entry::GameFinished(game)).expect("it is due");
    }
    state
}

#[test]
fn a_run_with_a_test_has_the_path_of_its_test() {
    let outcomes = [
        Outcome::WhiteWins,
        Outcome::BlackWins,
        Outcome::WhiteWins,
        Outcome::WhiteWins,
        Outcome::Draw,
    ];
    let state = played(&outcomes);
    let path = llr(&state).expect("a test");
    assert_eq!((path.llr.len(), path.decision), (2, None), "whole pairs alone");
    assert!(path.llr[0] > 0.0, "{:?}", path.llr);
    assert!((path.upper - 2.944).abs() < 1e-3 && (path.lower + 2.944).abs() < 1e-3);
    assert!(
        path.heading
            .note
            .contains("[0, 10] in normalized Elo; alpha 0.05, beta 0.05")
    );
    let plots = plots_of_run(&state, false);
    let names: Vec<&str> = plots.iter().map(|plot| plot.name).collect();
    assert_eq!(names, ["score", "llr"]);
    assert!(plots.iter().all(|plot| plot.svg.contains("n = 2 game pairs.")));
    assert!(
        plots_of_run(&fixture::over(), false).is_empty(),
        "more than two players"
    );
    let none = plots_of_run(&played(&[]), false);
    assert!(
        none.iter()
            .all(|plot| plot.svg.contains("There is nothing to show yet."))
    );
}
