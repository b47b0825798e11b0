//! What is recorded of the lines that engines write about their moves.

use super::*;
use crate::eval::Eval;
use crate::record::OddInfo;

/// The record of a game in which the sides write these lines in turn, a `bestmove` each, one millisecond a line.
fn record_of(lines: &[&str]) -> GameRecord {
    let mut game = Game::new(spec(protocol_limits())).expect("a legal opening");
    let mut now = Duration::ZERO;
    for line in ["readyok", "readyok"].iter().chain(lines) {
        while let Output::Send { .. } = game.poll(now) {
            game.handle(now, Input::Sent { was_full: false });
        }
        now += MILLI;
        if line.starts_with("bestmove") {
            game.wakeup(Some(7 * MICRO));
        }
        game.handle(now, Input::Line(line.as_bytes()));
    }
    game.finish().0
}

#[test]
fn every_field_has_its_column() {
    let record = record_of(&[
        "info depth 12 seldepth 20 multipv 1 score cp 31 nodes 4000 nps 100000 hashfull 3 tbhits 9 time 40 pv e2e4 e7e5",
        "bestmove e2e4",
        "bestmove e7e5",
    ]);
    assert_eq!(record.eval, [Some(Eval::Centipawns(31)), None]);
    assert_eq!(record.depth, [Some(12), None]);
    assert_eq!(record.seldepth, [Some(20), None]);
    assert_eq!(record.nodes, [Some(4000), None]);
    assert_eq!(record.nps, [Some(100_000), None]);
    assert_eq!(record.hashfull, [Some(3), None]);
    assert_eq!(record.tbhits, [Some(9), None]);
    assert_eq!(record.engine_time_ms, [Some(40), None]);
    assert_eq!(record.wakeup_us, [Some(7), Some(7)]);
    assert_eq!(
        (record.pv.of_ply(0), record.pv.of_ply(1), record.pv.len()),
        ("e2e4 e7e5", "", 2)
    );
    let text = serde_json::to_string(&record).expect("records serialize");
    assert!(text.contains(r#""pv":["e2e4 e7e5",""]"#), "{text}");
    assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("and back"), record);
}

#[test]
fn a_failed_answer_has_its_wakeup_too() {
    let record = record_of(&["bestmove a1a1"]);
    assert_eq!(record.failed_attempts[0].wakeup_us, Some(7));
    let text = serde_json::to_string(&record).expect("records serialize");
    assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("and back"), record);
    let older = text.replace(r#","wakeup_us":7"#, "");
    let older: GameRecord = serde_json::from_str(&older).expect("a record of a version without it");
    assert_eq!(older.failed_attempts[0].wakeup_us, None);
}

#[test]
fn columns_without_a_value_are_not_stored() {
    let text = serde_json::to_string(&record_of(&["info depth 3", "bestmove e2e4"])).expect("records serialize");
    assert!(text.contains(r#""depth":[3]"#), "{text}");
    for column in [
        "eval",
        "nodes",
        "seldepth",
        "nps",
        "hashfull",
        "tbhits",
        "engine_time_ms",
        "pv",
        "odd_info",
    ] {
        assert!(!text.contains(&format!("\"{column}\"")), "{column}: {text}");
    }
}

/// Some engines send a separate line for each field.
#[test]
fn fields_of_several_lines_come_together() {
    let record = record_of(&[
        "info depth 7",
        "info pv e2e4 e7e5 g1f3",
        "info score cp 20",
        "info nodes 500 nps 1000",
        "info nodes 900 time 12",
        "bestmove e2e4",
    ]);
    assert_eq!(
        (record.eval[0], record.depth[0], record.nodes[0], record.nps[0]),
        (Some(Eval::Centipawns(20)), Some(7), Some(900), Some(1000))
    );
    assert_eq!(
        (record.engine_time_ms[0], record.pv.of_ply(0)),
        (Some(12), "e2e4 e7e5 g1f3")
    );
}

/// The last depth begun was not finished; later counts are still used.
#[test]
fn a_score_keeps_its_depth_while_nodes_go_on() {
    let record = record_of(&[
        "info depth 9 score cp 11 nodes 100 pv d2d4",
        "info depth 10 nodes 250 nps 9",
        "info depth 11 currmove e2e4 nodes 999",
        "info string depth 99 nodes 1",
        "bestmove d2d4",
        "info nodes 5",
        "bestmove d7d5",
    ]);
    assert_eq!(record.depth, [Some(9), None]);
    assert_eq!(record.nodes, [Some(250), Some(5)]);
    assert_eq!(record.nps, [Some(9), None]);
}

#[test]
fn other_lines_of_the_search_are_noise_wherever_they_say_so() {
    let record = record_of(&[
        "info depth 5 multipv 1 score cp 10 pv e2e4",
        "info depth 5 multipv 2 score cp 900 pv d2d4",
        "info depth 5 score cp 800 multipv 3 pv c2c4",
        "info multipv 2 depth 60 nodes 7",
        "bestmove e2e4",
    ]);
    assert_eq!(
        (record.eval[0], record.depth[0], record.pv.of_ply(0)),
        (Some(Eval::Centipawns(10)), Some(5), "e2e4")
    );
    assert_eq!(record.nodes, []);
}

#[test]
fn a_variation_is_words_of_moves_in_lower_case() {
    let long = format!("info score cp 1 pv{}", " g1f3 g8f6 f3g1 f6g8".repeat(30));
    let record = record_of(&[
        "INFO DEPTH 4 PV E2E4 e7e5 0000 d7d8Q \x1b[31m d2d4 SCORE CP 3",
        "bestmove e2e4",
        &long,
        "bestmove e7e5",
        "info score cp 1 pv Nf3 e4",
        "bestmove g1f3",
    ]);
    assert_eq!(record.pv.of_ply(0), "e2e4 e7e5 0000 d7d8q");
    assert_eq!(record.eval[0], Some(Eval::Centipawns(3)));
    assert_eq!(record.pv.of_ply(1).split(' ').count(), 60);
    assert_eq!((record.pv.of_ply(2), record.pv.of_ply(3)), ("", ""));
}

#[test]
fn bounds_and_what_is_no_number_are_marked() {
    let record = record_of(&[
        "info depth 8 score cp 55 lowerbound nodes 3",
        "bestmove e2e4",
        "info depth -1 score cp 99999999999 nodes 4",
        "bestmove e7e5",
        "info depth 3 score mate \x1b[2J",
        "bestmove g1f3",
        "info depth 3 score",
        "bestmove g8f6",
    ]);
    assert_eq!(record.eval_bounds, [0]);
    assert_eq!(record.nodes, [Some(3), Some(4), None, None]);
    let odd = |ply, field: &str, said: &str| OddInfo {
        ply,
        field: field.to_owned(),
        said: said.to_owned(),
    };
    assert_eq!(
        record.odd_info,
        [odd(1, "depth", "-1"), odd(2, "score mate", "[2J"), odd(3, "score", "")]
    );
}

#[test]
fn a_record_of_version_1_loads() {
    let stored = r##"{"version":1,"id":"1.1.1","white":1,"black":2,
        "opening":{"fen":null,"moves":"","name":"-"},"moves":"e2e4 e7e5","result":"1/2-1/2","termination":"move-cap",
        "time_us":[5,6],"ready_us":[7,8],"eval":[12,"#-3"],"depth":[1,null],"nodes":[null,7]}"##;
    let record: GameRecord = serde_json::from_str(stored).expect("a record");
    assert_eq!(record.eval, [Some(Eval::Centipawns(12)), Some(Eval::Mate(-3))]);
    assert_eq!(
        (record.pv.of_ply(0), record.wakeup_us.len(), record.eval_bounds.len()),
        ("", 0, 0)
    );
}
