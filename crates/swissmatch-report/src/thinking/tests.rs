//! How agents thought, as it is shown, of records made by hand.

use std::num::NonZeroU32;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::fixture;
use crate::plot::{AxisKind, Plot};
use swissmatch_game::record::GameRecord;
use swissmatch_tournament::thinking::ThinkingQuery;

/// A record of a game of Alpha and Charlie, Alpha with White in the odd ones.
fn record(game: u32, more: &Value) -> GameRecord {
    let players = if game % 2 == 1 { [1, 3] } else { [3, 1] };
    let mut record = json!({
        "version": GameRecord::VERSION,
        "id": format!("1.1.{game}"),
        "white": players[0],
        "black": players[1],
        "opening": { "fen": null, "moves": "", "name": "" },
        "moves": "",
        "result": "1-0",
        "termination": "checkmate",
        "ready_us": [0, 0],
    });
    let more = more.as_object().expect("a table").clone();
    record.as_object_mut().expect("a table").extend(more);
    serde_json::from_value(record).expect("a record")
}

fn thought(state: &State, players: &[u32], records: &[GameRecord]) -> Thinking {
    let mut thinking = Thinking::new(ThinkingQuery {
        players: players.iter().map(|number| PairingNumber(*number)).collect(),
        one_by_one: 8,
        band: NonZeroU32::new(2).expect("above 0"),
        near: None,
    });
    records.iter().for_each(|record| thinking.add(state, record));
    thinking
}

fn two_games() -> Vec<GameRecord> {
    let first = json!({
        "time_us": [1_200_000, 30, 29_990_000, 40, 500_000],
        "depth": [12, null, 20, null, 14],
        "nodes": [1_200_000, null, 45_000_000, null, 700_000],
        "eval": [31, null, 45, null, "#4"],
        "engine_time_ms": [1198, null, 29_950, null, 502],
        "failed_attempts": [
            { "ply": 4, "side": "white", "attempt": 1, "time_us": 31_500_000, "end": "late" },
        ],
    });
    let second = json!({ "time_us": [35, 900_000, 45], "eval": [null, -12, null], "depth": [null, 11, null] });
    vec![record(1, &first), record(2, &second)]
}

fn shown(records: &[GameRecord], look: impl Fn(ThinkingReport<'_>)) {
    let state = fixture::two_rounds();
    let thinking = thought(&state, &[1, 3], records);
    look(ThinkingReport {
        state: &state,
        thinking: &thinking,
        without_record: 1,
        has_bands: true,
    });
}

#[test]
fn tables_say_what_moves_took() {
    shown(&two_games(), |shown| {
        assert_snapshot!(shown.pages().text(None), @"
        How agents used their time in Spring qualifier: 2 games, 8 moves

        Player   Games  Moves  Failed attempts  Mean ms  Median ms  95 % ms  Longest ms  Depth  Mean depth    Nodes  Nodes/s
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha        2      4                1    16022       1200    32000       32000     12        14.2  1200127  1479962
        Charlie      2      4                0    0.037      0.035    0.045       0.045      –           –        –        –

        Times are the runner's, from `go` to `bestmove`, of all attempts at a move. Depth and nodes are what the engines said, of the moves of which they said it: medians. Nodes/s: all nodes by all time of the attempts that gave these moves.
        Warning: Alpha needed more than one attempt at 1 of its 4 moves.
        1 game has no record: nobody was asked for a move.

        By the number of the move

        Player   Band  Moves  Mean ms  Median ms  95 % ms  Longest ms  Depth  Mean depth    Nodes  Nodes/s
        ──────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha     1–2      3    10697       1200    29950       29950     12        14.3  1200127  1481243
        Alpha     3–4      1    32000      32000    32000       32000     14        14.0   700000  1400000
        Charlie   1–2      4    0.037      0.035    0.045       0.045      –           –        –        –

        Moves are counted from the end of the opening: 1 is the first that the player made.

        How near they came to their limits

        Player   Near misses  Least left ms  Excused  Overruns  Unanswered  Largest ms  Time forfeits  Clock used %
        ───────────────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha              1           10.0        0         1           0        1500              0             –
        Charlie            0          30000        0         0           0           –              0             –

        Near misses: moves with less than 20ms left of their limit or clock (under a time per move at most half of the overhead). Excused: moves beyond it that were in time by the margin, or because the machine had taken the time.
        Overruns: attempts that were too late. Unanswered: those without an answer. Largest: the answer that was furthest beyond its limit. Clock used: of the time that the clock gave in a game, the mean.

        First evaluations after the opening, in pawns, from the player's own side

        Player  Colour  Games   Mean  Deviation  Lowest  Highest  Mates  At move
        ────────────────────────────────────────────────────────────────────────
        Alpha   White       1  +0.31          –   +0.31    +0.31      0      1.0
        Alpha   Black       1  -0.12          –   -0.12    -0.12      0      1.0

        Of each game the first evaluation that the engine gave; mates are counted apart. Deviation: how far evaluations are from their mean, so of openings that differ.

        The runner's time beside the engine's own

        Player  Moves  Mean ms  Own mean ms  Beyond ms  Beyond 95 % ms  Own longer
        ──────────────────────────────────────────────────────────────────────────
        Alpha       3    10563        10550       21.0            40.0           1

        Own: what the engine said as its time with the move. Beyond: by how much the runner's time is longer, of the moves of which it is. Own longer: moves of which it is not, by more than 1 ms: the engine pondered, reckons otherwise, or the machine was too busy for the runner to time them.
        ");
    });
}

/// One move in twenty is not yet often.
#[test]
fn who_often_needs_more_than_one_attempt_is_warned_of() {
    let warned = |plies: usize| {
        let failed = json!([{ "ply": 4, "side": "white", "attempt": 1, "time_us": 9, "end": { "illegal": "0000" } }]);
        let game = record(1, &json!({ "time_us": vec![1; plies], "failed_attempts": failed }));
        let state = fixture::two_rounds();
        let thinking = thought(&state, &[1, 3], &[game]);
        let shown = ThinkingReport {
            state: &state,
            thinking: &thinking,
            without_record: 0,
            has_bands: true,
        };
        let text = shown.pages().text(None);
        text.lines()
            .find(|line| line.starts_with("Warning: "))
            .map(str::to_owned)
    };
    assert_eq!(warned(39), None);
    assert_eq!(
        warned(37).as_deref(),
        Some("Warning: Alpha needed more than one attempt at 1 of its 19 moves.")
    );
}

#[test]
fn json_and_csv_have_all_of_it() {
    shown(&two_games(), |shown| {
        let json: Value = serde_json::from_str(&shown.json()).expect("JSON");
        let alpha = &json["players"][0];
        assert_eq!((&json["games"], &alpha["moves"]), (&json!(2), &json!(4)));
        assert_eq!(
            (&alpha["failed_attempts"], &alpha["moves_tried_again"]),
            (&json!(1), &json!(1))
        );
        assert_eq!(
            alpha["time_ms"]["mean"],
            json!((1_200_000 + 29_990_000 + 31_500_000 + 500_000 + 900_000) as f64 / 4000.0)
        );
        assert_eq!(
            alpha["bands"][1],
            json!({
                "from": 3, "to": 4, "moves": 1,
                "time_ms": { "count": 1, "mean": 32_000.0, "median": 32_000.0, "percentile_95": 32_000.0, "largest": 32_000.0 },
                "depth": { "count": 1, "mean": 14.0, "median": 14.0, "percentile_95": 14.0, "largest": 14.0 },
                "nodes": { "count": 1, "mean": 700_000.0, "median": 700_000.0, "percentile_95": 700_000.0, "largest": 700_000.0 },
                "nodes_per_second": { "mean": 1_400_000.0, "count": 1, "median": 1_400_000.0, "percentile_95": 1_400_000.0, "largest": 1_400_000.0 },
            })
        );
        assert_eq!(alpha["limits"]["near_misses"], 1);
        assert_eq!(
            alpha["limits"]["least_left"],
            json!({ "ms": 10.0, "game": "1.1.1", "move": 2 })
        );
        assert_eq!(
            alpha["limits"]["largest_overrun"],
            json!({ "ms": 1500.0, "game": "1.1.1", "move": 3 })
        );
        assert_eq!(alpha["own_time"]["own_longer"], 1);
        assert_eq!(json["players"][1]["first_evaluations"], json!([]));
        let csv = shown.pages().csv();
        assert!(csv.starts_with("Part,Player,"), "{csv}");
        assert!(csv.contains("\nbands,Alpha,"), "{csv}");
    });
}

#[test]
fn plots_have_the_medians_of_each_move() {
    shown(&two_games(), |shown| {
        let plot = shown.time_plot();
        assert_eq!((plot.kind, plot.axis.as_str()), (AxisKind::Log, "Time per move (ms)"));
        assert_eq!(plot.heading.n, 8);
        let medians: Vec<(u32, f64)> = (plot.agents[0].moves.iter())
            .map(|at| (at.number, (at.median * 100.0).round() / 100.0))
            .collect();
        // Charlie's second game has two moves, Alpha's one.
        assert_eq!(medians[0].0, 1);
        assert!((medians[0].1 - 900.0).abs() < 4.0, "the lower of two: {medians:?}");
        assert_eq!(plot.agents[1].moves.len(), 2);
        let plots = shown.plots();
        let names: Vec<&str> = plots.iter().map(|plot| plot.name).collect();
        assert_eq!(names, ["time-per-move", "depth", "nodes", "speed"]);
        let has = |plot: &Plot, text: &str| plot.svg.contains(text);
        assert!(
            plots
                .iter()
                .all(|plot| has(plot, "Spring qualifier") && has(plot, ">Charlie<"))
        );
    });
}

#[test]
fn a_limit_is_drawn_where_it_is_not_far_above_all_times() {
    let used = |us: u64| vec![record(1, &json!({ "time_us": [us, us] }))];
    let limit_of = |us: u64, expected: Option<f64>| {
        shown(&used(us), |shown| {
            assert_eq!(shown.time_plot().limit, expected, "{us}");
        });
    };
    limit_of(29_000_000, Some(30.0));
    limit_of(9_000_000, Some(30_000.0));
    limit_of(2_000_000, None);
}

#[test]
fn without_a_game_there_is_nothing() {
    shown(&[], |shown| {
        let text = shown.pages().text(None);
        assert!(
            text.contains("0 games, 0 moves") && text.contains("1 game has no record"),
            "{text}"
        );
        let json: Value = serde_json::from_str(&shown.json()).expect("JSON");
        assert_eq!(json["players"][0]["time_ms"], Value::Null);
        for plot in shown.plots() {
            assert!(plot.svg.contains("There is nothing to show yet."), "{}", plot.name);
        }
    });
}

#[test]
fn what_is_near_is_said() {
    let state = fixture::two_rounds();
    let mut thinking = thought(&state, &[1], &[]);
    let shown = |thinking: &Thinking| {
        let shown = ThinkingReport {
            state: &state,
            thinking,
            without_record: 0,
            has_bands: true,
        };
        shown.pages().text(None)
    };
    assert!(
        shown(&thinking).contains("less than 20ms left of their limit or clock (under a time per move at most half")
    );
    thinking.wanted.near = Some(Duration::from_millis(100));
    assert!(shown(&thinking).contains("less than 100ms left of their limit or clock. Excused"));
}

#[test]
fn calls_are_shown_of_who_asked() {
    let mut games = two_games();
    let call = |cost: Option<u64>| {
        json!({
            "side": "white", "ply": 0, "input": 900, "output": 40, "cached": cost, "cost": cost, "first_byte_us": 250_000,
            "latency_us": 1_500_000, "tries": 2,
        })
    };
    let calls = json!({ "list": [call(Some(1_250)), call(Some(750))], "ledger": "aa" });
    games[0].calls = serde_json::from_value(calls).expect("calls");
    shown(&games, |shown| {
        let text = shown.pages().text(None);
        let (_, table) = text.split_once("What they asked over the network").expect("a table");
        assert_snapshot!(table, @"
        Player  Calls  Tries  No answer  Legal %  Legal in prompt  Constrained  Tokens in  Cached  Tokens out  Reasoning      Cost  First byte ms  99 % ms  Latency ms  99 % ms
        ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha       2      4          0     80.0  –                no                1800    2000          80          –  0.002000            250      250        1500     1500

        Of games that were played; tokens as services told them. Legal %: of all attempts, those that gave a legal move in time. Legal in prompt: which legal moves the prompt shows, by what its template asks for. Constrained: whether the service was told what form an answer has. Tokens with a + are at least so many: the service did not tell those of all calls. A cost of which a part is unknown is –. First byte and latency: medians, and what 99 % did not exceed; with all that was off the clock.
        ");
        let found: Value = serde_json::from_str(&shown.json()).expect("JSON");
        let calls = &found["players"][0]["calls"];
        assert_eq!((&calls["cost"], &calls["constrained"]), (&json!(2_000), &json!(false)));
        assert_eq!(
            found["players"][0]["calls"]["latency_us"],
            json!({ "median": 1_500_000, "percentile_99": 1_500_000 })
        );
        assert_eq!(found["players"][1].get("calls"), None);
    });
    let unknown = json!({ "list": [call(Some(1_250)), call(None)], "ledger": "aa" });
    games[0].calls = serde_json::from_value(unknown).expect("calls");
    shown(&games, |shown| {
        let csv = shown.pages().text(None);
        let row = csv.lines().rfind(|line| line.starts_with("Alpha")).expect("a row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((cells[8], cells[11]), ("1250+", "–"), "{row}");
    });
}
