//! Games as the page has them, made by hand.

use serde_json::{Value, json};

use super::*;
use crate::fixture;
use swissmatch_game::alarm::Alarm;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::log::Entry;

fn game(state: &State, game: u32) -> EndedGame {
    let id = GameId {
        round: 1,
        playoff: 0,
        board: 2,
        game,
    };
    state.finished_game(id).expect("it has ended")
}

/// A game that began 1. e4 e5 2. Nf3.
fn played(state: &State, number: u32, evals: Option<Vec<Eval>>) -> PageGame<'static> {
    let game = game(state, number);
    let mut record = fixture::empty_record(&game);
    record.moves = "e2e4 e7e5 g1f3".to_owned();
    record.time_us = vec![1_000_000, 45, 2_500_000];
    PageGame {
        game,
        record,
        evals,
        log: FromLog::default(),
    }
}

fn read(state: &State, played: &[PageGame<'_>]) -> Value {
    serde_json::from_str(&json(state, played, "2026.01.30").expect("games")).expect("JSON")
}

#[test]
fn an_analysed_game_has_a_value_a_position_and_what_moves_lost() {
    let state = fixture::analysed(&[((1, 2, 1), [(2, 450), (1, 0)])], |_| ());
    let evals = vec![
        Eval::Centipawns(30),
        Eval::Centipawns(20),
        Eval::Centipawns(100),
        Eval::Mate(2),
    ];
    let both = [played(&state, 1, Some(evals)), played(&state, 2, None)];
    let document = read(&state, &both);
    let game = &document["games"][0];
    assert_eq!(game["reference"], json!([30, 20, 100, "#2"]));
    assert_eq!(
        (&game["lost"], &game["marks"]),
        (&json!([50, 120, 1100]), &json!("imb"))
    );
    assert_eq!(game["quality"][0]["moves"], 2);
    assert_eq!(game["quality"][0]["acpl"].as_f64(), Some(225.0));
    // Unknown figures are left out.
    let other = &document["games"][1];
    for key in ["reference", "lost", "marks", "quality", "late_us", "clock_used"] {
        assert!(other.get(key).is_none(), "{key}");
    }
}

#[test]
fn each_game_has_its_tags_and_its_account() {
    let created = fixture::with_names(["Alpha", "</script>\"\\\u{202e}", "Charlie", "Delta", "Echo"]);
    let finished = fixture::entry_of((1, 2, 1), (2, 4), Outcome::Draw, Termination::Stalemate);
    let entries = [
        Entry::Created(Box::new(created.created().clone())),
        fixture::paired(1, &[(1, 3, false), (2, 4, false)], 5),
        Entry::GameFinished(finished),
    ];
    let state = State::fold(&entries).expect("a log");
    let document = read(&state, &[played(&state, 1, None)]);
    let account = &document["accounts"][0];
    assert_eq!(account["game"], 1);
    let tags = account["tags"].as_str().expect("tags");
    assert!(
        tags.starts_with("[Event \"Spring qualifier\"]\n[Site \"?\"]\n[Date \"2026.01.30\"]\n[Round \"1.2.1\"]\n"),
        "{tags}"
    );
    assert!(tags.contains("[White \"</script>\\\"\\\\\"]\n"), "{tags}");
    assert!(
        tags.contains("[Result \"1/2-1/2\"]\n") && tags.contains("[PlyCount \"3\"]\n"),
        "{tags}"
    );
    assert!(tags.ends_with("\"]\n"));
    assert_eq!(account["account"][0]["title"], "The game");
}

#[test]
fn what_a_clock_gave_is_told_of_games_under_one() {
    let state = fixture::over_with(|setup| setup.game.time_control = "10+1".parse().expect("a clock"));
    let document = read(&state, &[played(&state, 1, None)]);
    // 3.5 of 12 s, and 45 µs of 11 s.
    assert_eq!(document["games"][0]["clock_used"], json!([291, 0]));
}

#[test]
fn a_record_that_is_no_game_is_an_error() {
    let state = fixture::over();
    let mut broken = played(&state, 1, None);
    broken.record.moves = "e2e5".to_owned();
    assert!(json(&state, &[broken], "").is_err());
}

/// A page tells that there was an alarm, but not what the agent wrote to standard error.
#[test]
fn an_alarm_is_told_without_its_line() {
    let state = fixture::two_rounds();
    let mut of = played(&state, 1, None);
    of.record.alarms = vec![Alarm {
        side: Side::Black,
        pattern: "runtime error: ".to_owned(),
        lines: 2,
        line: "/home/me/secret.cpp:3:5: runtime error: overflow".to_owned(),
    }];
    let text = json(&state, &[of], "2026.01.30").expect("games");
    let sentence = "Delta (Black) gave an alarm, \\\"runtime error: \\\" in 2 lines of standard error (engine.alarms)";
    assert!(text.contains(sentence), "{text}");
    assert!(!text.contains("secret") && !text.contains("overflow"), "{text}");
}

#[test]
fn what_a_model_said_is_there_where_the_page_shows_it() {
    let of = |rationale| {
        let state = fixture::over_with(|setup| {
            for player in &mut setup.players {
                player.model = Some("local:m".to_owned());
            }
            setup.model.rationale = Some(rationale);
        });
        let mut played = played(&state, 1, None);
        played.record.rationale = vec![Some("A\u{1b}\u{202e}b {c}".to_owned()), None, Some("x".repeat(1000))];
        read(&state, &[played])["games"][0]["rationale"].clone()
    };
    let shown = of(Rationale::Page);
    assert_eq!((&shown[0], &shown[1]), (&json!("Ab {c}"), &Value::Null));
    assert_eq!(
        shown[2].as_str().map(|said| said.chars().count()),
        Some(LONGEST_RATIONALE)
    );
    assert_eq!(of(Rationale::Pgn), Value::Null);
    assert_eq!(of(Rationale::None), Value::Null);
}
