//! Live lines of the event in `fixture`.

use std::time::Duration;

use jiff::Timestamp;

use super::fixture;
use swissmatch_game::record::GameRecord;
use swissmatch_game::seen::{GameView, Running};
use swissmatch_tournament::live::{Bill, LiveLine};
use swissmatch_tournament::state::State;

/// A game of this round, as the fixture has it.
fn seen(state: &State, round: u32) -> GameView {
    let finished = state
        .finished_games()
        .find(|game| game.finished.id.round == round)
        .expect("it was played");
    GameView::whole(&GameRecord {
        moves: "e2e4 e7e5".to_owned(),
        time_us: vec![1000, 2000],
        ..fixture::empty_record(&finished)
    })
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

#[test]
fn a_line_is_complete_and_read_back() {
    let state = fixture::with_names(["Al\u{202e}pha\u{7}", "Bravo", "Charlie", "Delta", "Echo"]);
    let bill = Bill::new(&state, 2);
    let event = serde_json::to_string(&bill.line()).expect("plain data");
    insta::assert_snapshot!(event, @r#"{"type":"event","schema":1,"event":"Spring qualifier","round":1,"rounds":3,"delay_ms":0,"slots":2,"players":[{"pairing_number":1,"name":"Alpha"},{"pairing_number":2,"name":"Bravo"},{"pairing_number":3,"name":"Charlie"},{"pairing_number":4,"name":"Delta"},{"pairing_number":5,"name":"Echo"}]}"#);

    let state = fixture::over();
    let bill = Bill::new(&state, 2);
    let mut seen = seen(&state, 1);
    let (at, begun) = (at("2026-11-22T18:00:10Z"), at("2026-11-22T18:00:00.5Z"));
    let text = |seen: &GameView| {
        let line = bill.game(at, 1, begun, seen.clone()).expect("nothing is held back");
        let text = serde_json::to_string(&line).expect("plain data");
        assert_eq!(serde_json::from_str::<LiveLine>(&text).expect("and back"), line);
        text
    };
    insta::assert_snapshot!(text(&seen), @r#"{"type":"game","schema":1,"at":"2026-11-22T18:00:10Z","slot":1,"id":"1.1.1","begun":"2026-11-22T18:00:00.5Z","white":{"pairing_number":1,"name":"Alpha","last":{"ply":0,"time_us":1000}},"black":{"pairing_number":3,"name":"Charlie","last":{"ply":1,"time_us":2000}},"opening":{"name":""},"moves":"e2e4 e7e5","plies":2,"ended":{"result":"1-0","termination":"checkmate"}}"#);
    seen.ended = None;
    seen.running = Some(Running {
        since: Duration::from_millis(250),
        limit: Duration::from_secs(30),
    });
    insta::assert_snapshot!(text(&seen), @r#"{"type":"game","schema":1,"at":"2026-11-22T18:00:10Z","slot":1,"id":"1.1.1","begun":"2026-11-22T18:00:00.5Z","white":{"pairing_number":1,"name":"Alpha","last":{"ply":0,"time_us":1000}},"black":{"pairing_number":3,"name":"Charlie","last":{"ply":1,"time_us":2000}},"opening":{"name":""},"moves":"e2e4 e7e5","plies":2,"to_move":"white","since":"2026-11-22T18:00:00.75Z","limit_us":30000000}"#);
}

#[test]
fn what_is_under_embargo_is_not_told() {
    let held_back = fixture::over_with(|setup| setup.publish.embargo_rounds = 2);
    let bill = Bill::new(&held_back, 1);
    let begun = at("2026-11-22T18:00:00Z");
    let told = |bill: &Bill, round| bill.game(begun, 0, begun, seen(&held_back, round)).is_some();
    assert_eq!([1, 2, 3].map(|round| told(&bill, round)), [true, false, false]);
    let LiveLine::Event(event) = bill.line() else {
        panic!("that is the line of the event");
    };
    assert_eq!((event.round, event.rounds, event.embargo_after), (1, 3, Some(1)));
    let whole = Bill::new(&fixture::over(), 1);
    assert_eq!([1, 2, 3].map(|round| told(&whole, round)), [true; 3]);
}
