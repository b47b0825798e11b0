//! What viewers are given, of made-up lines and of records.

use jiff::ToSpan as _;

use super::*;
use crate::fixture;
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::seen::LastMove;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::live::{LiveSide, SCHEMA};

fn at(second: i64) -> Timestamp {
    let begun: Timestamp = "2026-11-22T18:00:00Z".parse().expect("a time");
    begun + second.seconds()
}

/// The game 1.1.1 of the fixture after these moves.
fn line(second: i64, moves: &str, last: [Option<LastMove>; 2]) -> LiveGame {
    let finished = fixture::over().finished_games().next().expect("it was played").finished;
    let plies = u32::try_from(moves.split_whitespace().count()).expect("a few");
    let [white, black] = last;
    let side = |number, last| LiveSide {
        pairing_number: number,
        name: String::new(),
        clock_us: Some(299_480_000),
        last,
    };
    LiveGame {
        schema: SCHEMA,
        at: at(second),
        slot: 0,
        id: finished.id,
        begun: at(0),
        white: side(finished.white, white),
        black: side(finished.black, black),
        opening: Opening::start(swissmatch_game::variant::Variant::Standard),
        moves: moves.to_owned(),
        plies,
        to_move: Some(Side::White),
        since: None,
        limit_us: None,
        ended: None,
        columns: None,
    }
}

fn said(ply: u32, eval: Eval, pv: &str) -> Option<LastMove> {
    Some(LastMove {
        ply,
        time_us: 520_400,
        eval: Some(eval),
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(6000),
        nps: Some(11_538),
        hashfull: Some(12),
        tbhits: Some(0),
        pv: pv.to_owned(),
    })
}

fn watched(delay: u64) -> ViewerGames {
    ViewerGames::new(Heads::new(&fixture::over()), Duration::from_secs(delay))
}

fn game(line: LiveGame) -> LiveLine {
    LiveLine::Game(Box::new(line))
}

#[test]
fn a_game_under_way_is_shown_move_by_move() {
    let mut watched = watched(0);
    watched.take(game(line(1, "", [None, None])));
    watched.take(game(line(
        2,
        "e2e4",
        [said(0, Eval::Centipawns(31), "e2e4 e7e5 e1e8"), None],
    )));
    let black = said(1, Eval::Mate(-3), "c7c5 } [White \"x\"]");
    watched.take(game(line(3, "e2e4 c7c5", [said(0, Eval::Centipawns(31), ""), black])));
    let mut told = Vec::new();
    assert!(watched.advance(at(3), &mut |heads, board| told.push(for_lichess(heads, board))));
    assert_eq!(told.len(), 1, "once for all that came");
    insta::assert_snapshot!(watched.pgn(), @r#"
    [Event "Spring qualifier"]
    [Site "?"]
    [Date "2026.11.22"]
    [Round "1.1.1"]
    [White "Alpha"]
    [Black "Charlie"]
    [Result "*"]
    [Board "1"]
    [WhiteElo "2100"]
    [BlackElo "1900"]
    [TimeControl "30/move"]
    [GameStartTime "2026-11-22T18:00:00.000 UTC"]
    [Termination "unterminated"]
    [PlyCount "2"]

    1. e4 {[%clk 0:04:59.4] [%eval 0.31], d=12, sd=20, mt=520, tl=299480, s=11538, n=6000, pv=e4 e5, tb=0, h=1.2, wv=0.31}
    c5 {[%clk 0:04:59.4] [%eval #3], d=12, sd=20, mt=520, tl=299480, s=11538, n=6000, pv=c5, tb=0, h=1.2, wv=M3}
    *
    "#);
    assert!(told[0].contains("[Site \"game 1.1.1\"]\n"), "{}", told[0]);
    let moves = "\n1. e4 {[%clk 0:04:59.4] [%eval 0.31]} c5 {[%clk 0:04:59.4] [%eval #3]} *\n\n";
    assert!(told[0].ends_with(moves), "{}", told[0]);
    let json: serde_json::Value = serde_json::from_str(&watched.json()).expect("JSON");
    assert_eq!(
        (&json["Headers"]["White"], &json["Games"]),
        (&"Alpha".into(), &serde_json::json!([]))
    );
    let after = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let planned = serde_json::json!({ "San": "c5", "Moves": [{ "m": "c5", "from": "c7", "to": "c5", "fen": after }] });
    let last = &json["Moves"][1];
    assert_eq!(
        (&last["fen"], &last["pv"], &last["wv"]),
        (&after.into(), &planned, &"M3".into())
    );
    assert!(!watched.advance(at(4), &mut |_, _| panic!("nothing has changed")));
}

#[test]
fn everything_is_shown_after_the_delay_and_the_rest_at_the_end() {
    let mut watched = watched(60);
    watched.take(game(line(1, "e2e4", [None, None])));
    watched.take(game(line(5, "e2e4 c7c5", [None, None])));
    let mut ignore = |_: &Heads, _: &ViewerGame| {};
    assert!(!watched.advance(at(60), &mut ignore));
    assert_eq!(watched.pgn(), "");
    assert!(watched.advance(at(61), &mut ignore));
    assert!(watched.pgn().contains("\n1. e4 *\n"), "{}", watched.pgn());
    assert!(watched.finish(&mut ignore));
    assert!(watched.pgn().contains("\n1. e4 c5 *\n"), "{}", watched.pgn());
}

#[test]
fn a_game_that_no_line_told_of_is_shown_by_its_record() {
    let state = fixture::over();
    let first = state.finished_games().next().expect("it was played");
    let record = GameRecord {
        moves: "e2e4 e7e5".to_owned(),
        time_us: vec![1000, 2_000_000],
        ..fixture::empty_record(&first)
    };
    let finished = |termination| GameFinished {
        id: first.finished.id,
        white: first.finished.white,
        black: first.finished.black,
        outcome: Outcome::BlackWins,
        termination,
        plies: 2,
        failed_attempts: [0; 2],
        in_doubt: [0; 2],
        thinking: None,
        record: None,
        evidence: None,
        evidence_bytes: None,
        movetext: None,
        alarms: Vec::new(),
        asked: None,
        taken_from: None,
        played_on: None,
    };
    let mut watched = watched(0);
    let mut told = Vec::new();
    watched.finished(at(1), finished(Termination::MoveCap), Some(record.clone()));
    // One that nobody began has no moves.
    watched.finished(at(2), finished(Termination::NeitherCame), None);
    watched.advance(at(2), &mut |heads, board| told.push(for_lichess(heads, board)));
    assert!(told[0].contains("[Result \"0-1\"]\n"), "{}", told[0]);
    assert!(
        told[0].ends_with("\n1. e4 {[%emt 0:00:00.0]} e5 {[%emt 0:00:02.0]} 0-1\n\n"),
        "{}",
        told[0]
    );
    assert!(told[1].ends_with("\n\n0-1\n\n"), "{}", told[1]);
    assert_eq!(watched.pgn(), "", "it stood at no slot");

    // One that stands at a slot is completed, and one that makes way is told.
    watched.take(game(line(3, "e2e4", [None, None])));
    watched.finished(at(4), finished(Termination::MoveCap), Some(record));
    let mut next = line(5, "d2d4", [None, None]);
    (next.id.game, next.begun) = (2, at(5));
    watched.take(game(next));
    told.clear();
    watched.advance(at(5), &mut |heads, board| told.push(for_lichess(heads, board)));
    assert_eq!(told.len(), 2);
    assert!(told[0].contains("e5 {") && told[0].ends_with("0-1\n\n"), "{}", told[0]);
    assert!(told[1].ends_with("\n1. d4 *\n\n"), "{}", told[1]);
    // Colours change, and what the other game was begun from does not count.
    assert!(watched.pgn().contains("[Round \"1.1.2\"]"));
}

#[test]
fn what_is_no_legal_move_ends_what_is_shown() {
    let mut watched = watched(0);
    watched.take(game(line(1, "e2e4 e2e4 e7e5", [None, None])));
    watched.advance(at(1), &mut |_, _| {});
    assert!(watched.pgn().ends_with("\n1. e4 *\n\n"), "{}", watched.pgn());
}

#[test]
fn a_line_of_a_suite_is_no_name_of_an_opening() {
    for (name, tags) in [("line 2", 0), ("Ruy Lopez", 1)] {
        let mut watched = watched(0);
        let mut of_suite = line(1, "", [None, None]);
        of_suite.opening.moves = vec!["e2e4".parse().expect("a move")];
        of_suite.opening.name = name.to_owned();
        watched.take(game(of_suite));
        watched.advance(at(1), &mut |_, _| {});
        assert_eq!(watched.pgn().matches("[Opening ").count(), tags, "{}", watched.pgn());
    }
}
