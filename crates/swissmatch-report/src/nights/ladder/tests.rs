//! Ratings of small ladders, made by hand.

use super::*;
use crate::nights::{NightBuild, NightEnd, NightGame, VERSION};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::noise::Noise;

/// A player and what plays for it.
type PlayerVersion<'a> = (&'a str, &'a str);

/// A round, two games a pair, both with this result of the first.
fn round(number: u32, pairs: &[(PlayerVersion<'_>, PlayerVersion<'_>, Outcome)]) -> Night {
    let build = |(name, build): PlayerVersion<'_>| NightBuild::new(name, build.to_owned());
    let (mut builds, mut games, mut paired) = (Vec::new(), Vec::new(), Vec::new());
    for (board, (one, other, result)) in (1..).zip(pairs) {
        let first = u16::try_from(builds.len()).expect("small");
        builds.extend([build(*one), build(*other)]);
        paired.push([first, first + 1]);
        let back = match result {
            Outcome::WhiteWins => Outcome::BlackWins,
            Outcome::BlackWins => Outcome::WhiteWins,
            other => *other,
        };
        for (game, white, black, result) in [(1, first, first + 1, *result), (2, first + 1, first, back)] {
            games.push(NightGame {
                id: GameId {
                    round: 1,
                    playoff: 0,
                    board,
                    game,
                },
                white,
                black,
                result,
                key: None,
                fault: false,
                from: None,
            });
        }
    }
    Night {
        version: VERSION,
        run: format!("run {number}"),
        name: format!("round {number}"),
        dir: number.to_string(),
        began: jiff::Timestamp::from_second(i64::from(number) * 3600).expect("a time"),
        machine: "a machine".to_owned(),
        ended: NightEnd::Complete,
        noise: Noise::default(),
        by_time: true,
        conditions: "10+0.1".to_owned(),
        builds,
        broken: Vec::new(),
        changes: Vec::new(),
        pairs: paired,
        games,
    }
}

const A: PlayerVersion<'_> = ("A", "a1");
const B: PlayerVersion<'_> = ("B", "b1");
const C: PlayerVersion<'_> = ("C", "c1");
const D: PlayerVersion<'_> = ("D", "d1");

fn history(rounds: Vec<Night>) -> History {
    let mut history = History::default();
    for round in rounds {
        history.add(round);
    }
    history
}

fn rated(history: &History, players: &[(&str, Option<&str>, Option<i32>)]) -> Vec<Option<LadderRating>> {
    let players: Vec<InLadder<'_>> = players
        .iter()
        .map(|(name, build, fixed)| InLadder {
            name,
            build: *build,
            fixed: *fixed,
        })
        .collect();
    ladder_ratings(history, &players).expect("a fit")
}

#[test]
fn there_are_ratings_after_one_round_whatever_came_of_it() {
    let nobody = rated(&History::default(), &[("A", None, None)]);
    assert_eq!(nobody, [None]);
    for result in [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins] {
        let history = history(vec![round(1, &[(A, B, result), (C, D, Outcome::Draw)])]);
        let of = rated(&history, &["A", "B", "C", "D", "E"].map(|name| (name, None, None)));
        let rating = |at: usize| of[at].expect("it is rated").rating;
        match result {
            Outcome::WhiteWins => assert!(rating(0) > rating(2) && rating(2) > rating(1), "{of:?}"),
            Outcome::BlackWins => assert!(rating(0) < rating(2) && rating(2) < rating(1), "{of:?}"),
            _ => assert!([0, 1, 2, 3].into_iter().all(|at| rating(at) == MIDDLE), "{of:?}"),
        }
        assert_eq!(of[4], None);
        assert!(of[0].is_some_and(|a| a.provisional && a.games == 2 && a.error > 0));
    }
}

#[test]
fn a_new_version_sets_out_from_where_the_one_before_stands() {
    let won = |number| round(number, &[(A, B, Outcome::WhiteWins)]);
    let mut rounds: Vec<Night> = (1..=6).map(won).collect();
    let before = history(rounds.clone());
    let [a, new] = [None, Some("a2")].map(|build| rated(&before, &[("A", build, None), ("B", None, None)])[0]);
    let (a, new) = (a.expect("it is rated"), new.expect("it is rated"));
    assert_eq!((a.games, a.provisional), (12, false));
    assert_eq!(
        (new.rating, new.error, new.games, new.provisional),
        (a.rating, a.error, 0, true)
    );
    // A new version that loses what the old one won falls, and B gets more of it than before.
    let a2 = ("A", "a2");
    rounds.push(round(7, &[(a2, B, Outcome::BlackWins)]));
    let after = history(rounds.clone());
    let of = rated(&after, &[("A", Some("a2"), None), ("B", None, None)]);
    assert!(
        of[0].is_some_and(|new| new.rating < a.rating && new.games == 2),
        "{of:?}"
    );
    // The same bytes are the same version: what they did counts again.
    let back = rated(&after, &[("A", Some("a1"), None)])[0].expect("it is rated");
    assert_eq!(back.games, 12);
    assert!(back.rating > of[0].expect("it is rated").rating);
}

#[test]
fn fixed_ratings_do_not_move() {
    let rounds = (1..=3).map(|number| round(number, &[(A, B, Outcome::WhiteWins), (C, D, Outcome::WhiteWins)]));
    let of = rated(
        &history(rounds.collect()),
        &[("A", None, Some(2000)), ("B", None, None), ("C", None, None)],
    );
    let [a, b, c] = [0, 1, 2].map(|at| of[at].expect("it is rated"));
    assert_eq!((a.rating, a.error, a.provisional), (2000, 0, false));
    assert!(b.rating < 2000 && c.rating > 2000, "{of:?}");
}

#[test]
fn nobody_moves_by_draws_alone() {
    let drawn = |number| round(number, &[(A, B, Outcome::Draw), (C, D, Outcome::Draw)]);
    let crossed = |number| round(number, &[(A, C, Outcome::Draw), (D, B, Outcome::Draw)]);
    for rounds in [1, 2, 3, 40] {
        let rounds = (1..=rounds).map(|number| {
            if number % 2 == 0 {
                crossed(number)
            } else {
                drawn(number)
            }
        });
        let history = history(rounds.collect());
        let of = rated(
            &history,
            &[
                ("A", None, Some(1800)),
                ("B", None, None),
                ("C", None, None),
                ("D", None, None),
            ],
        );
        assert!(
            of.iter().all(|rated| rated.is_some_and(|rated| rated.rating == 1800)),
            "{of:?}"
        );
    }
}

/// Somebody may fix what the games do not bear out at all.
#[test]
fn there_are_ratings_whatever_is_fixed() {
    for (result, fixed) in [
        (Outcome::Draw, 10_000),
        (Outcome::BlackWins, 10_000),
        (Outcome::WhiteWins, -10_000),
    ] {
        let pairs = [(A, B, result), (C, D, result)];
        let crossed = [(A, D, result), (C, B, result)];
        let rounds = (1..=20).map(|number| round(number, if number % 2 == 0 { &pairs } else { &crossed }));
        let history = history(rounds.collect());
        let of = rated(
            &history,
            &[
                ("A", None, Some(fixed)),
                ("B", None, Some(-fixed)),
                ("C", None, None),
                ("D", None, None),
            ],
        );
        assert!(of.iter().all(Option::is_some), "{of:?}");
    }
}

#[test]
fn what_was_paired_counts_though_nothing_of_it_is_rated() {
    let mut broken = round(1, &[(A, B, Outcome::WhiteWins), (C, D, Outcome::Draw)]);
    broken.games.clear();
    let history = history(vec![broken, round(2, &[(A, C, Outcome::Draw)])]);
    let met: Vec<_> = met_lately(&history, 5).collect();
    assert_eq!(met, [(["A", "C"], 1), (["A", "B"], 2), (["C", "D"], 2)]);
    assert_eq!(met_lately(&history, 1).count(), 1);
    assert_eq!(["A", "B", "E"].map(|name| rounds_out(&history, name)), [0, 1, 0]);
    assert_eq!(["A", "C", "D"].map(|name| whites(&history, name)), [2, 0, -1]);
}
