//! What scores mean, of matches made by hand.

use serde_json::{Value, json};

use super::*;
use crate::fixture;
use swissmatch_game::Side;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_stats::sprt::Decimal as Exact;

use Outcome::{BlackWins, Draw, WhiteWins};
use Termination::{Checkmate, DidNotCome, Stalemate};

fn value(what: &impl Serialize) -> Value {
    serde_json::to_value(what).expect("plain data")
}

fn meaning(games: &[(Outcome, Termination)], of: u32) -> Option<Value> {
    let state = fixture::one_board(of, games);
    let board = &state.rounds()[0].mini_matches[0];
    of_mini_match(&state, board).as_ref().map(value)
}

#[test]
fn whole_pairs_of_games_that_count_are_counted() {
    let won = (WhiteWins, Checkmate);
    let drawn = (Draw, Stalemate);
    assert_eq!(meaning(&[won], 4), None);
    // White of game 1 has Black in the second one.
    let found = meaning(&[won, (BlackWins, Checkmate), drawn, won], 4).expect("two pairs");
    assert_eq!(
        (&found["player"], &found["pairs"]),
        (&1.into(), &json!([0, 1, 0, 0, 1]))
    );
    assert_eq!(found["score"].as_f64(), Some(0.625));
    assert!(
        found.get("interval").is_none() && found.get("elo_error").is_none(),
        "{found}"
    );
    // Nobody played the second pair.
    let unplayed = (BlackWins, DidNotCome { by: Side::White });
    let found = meaning(&[won, (BlackWins, Checkmate), unplayed, won], 4).expect("a pair");
    assert_eq!(found["pairs"], json!([0, 0, 0, 0, 1]));
}

#[test]
fn ten_pairs_that_differ_have_the_interval_of_the_statistics() {
    let mut games = vec![(WhiteWins, Checkmate); 10];
    games.extend(vec![(Draw, Stalemate); 10]);
    let found = meaning(&games[..18], 20).expect("nine pairs");
    assert!(found.get("interval").is_none(), "{found}");
    // White wins each game: each pair is level. So are the drawn ones: nothing differs.
    assert!(meaning(&games, 20).expect("ten pairs").get("interval").is_none());
    games[1] = (BlackWins, Checkmate);
    let found = meaning(&games, 20).expect("ten pairs");
    let pairs = Pairs {
        wl: 4,
        dd: 5,
        ww: 1,
        ..Pairs::NONE
    };
    let figures = pairs.figures().expect("pairs");
    let [low, high] = pairs.interval().expect("pairs");
    let is =
        |shown: &Value, value: f64, digits: f64| shown.as_f64().is_some_and(|shown| (shown - value).abs() <= digits);
    assert!(is(&found["interval"][0], low, 5e-5), "{found}");
    assert!(is(&found["interval"][1], high, 5e-5), "{found}");
    assert!(is(&found["elo"], figures.elo.expect("a number"), 0.05), "{found}");
}

#[test]
fn a_match_of_two_has_its_test_with_its_way() {
    let games: Vec<_> = (0..40)
        .map(|game| {
            if game % 8 < 5 {
                (WhiteWins, Checkmate)
            } else {
                (BlackWins, Checkmate)
            }
        })
        .collect();
    let state = fixture::two_players(60, &games, |setup| {
        setup.sprt.elo0 = Some(Exact::ZERO);
        setup.sprt.elo1 = Some(Exact::from_millionths(10_000_000));
    });
    let found = value(&of_match(&state).expect("a match"));
    let versus = Versus::now(&state);
    let look = versus.look(&state).expect("a test");
    assert_eq!(found["test"]["llr"].to_string(), format!("{:.2}", look.llr.value()));
    assert_eq!((&found["player"], &found["opponent"]), (&1.into(), &2.into()));
    let pairs: Vec<u64> = serde_json::from_value(found["pairs"].clone()).expect("numbers");
    assert_eq!(pairs.iter().sum::<u64>(), 20);
    let path = found["test"]["path"].as_array().expect("a path");
    assert_eq!((path.len(), &path[0]), (21, &json!([0, 0])));
    assert_eq!(path[20][1].to_string(), found["test"]["llr"].to_string());
    assert!(found["test"].get("verdict").is_none());
    assert_eq!(found["test"]["hypotheses"], "[0, 10] in normalized Elo");
}

#[test]
fn a_long_test_has_a_path_of_few_points() {
    let games: Vec<_> = (0..2000)
        .map(|game| {
            if game % 4 < 2 {
                (WhiteWins, Checkmate)
            } else {
                (Draw, Stalemate)
            }
        })
        .collect();
    let state = fixture::two_players(4000, &games, |setup| {
        setup.sprt.elo0 = Some(Exact::ZERO);
        setup.sprt.elo1 = Some(Exact::from_millionths(1_000));
    });
    let test = value(&of_match(&state).expect("a match"))["test"].clone();
    let path = test["path"].as_array().expect("a path");
    assert!(path.len() <= MOST_POINTS as usize + 2, "{}", path.len());
    assert_eq!(path.last().expect("points")[0], test["after"]);
}

#[test]
fn other_events_are_no_match() {
    assert!(of_match(&fixture::over()).is_none());
    assert!(of_match(&fixture::two_players(4, &[], |_| ())).is_none());
}
