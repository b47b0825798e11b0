//! Moves worked by hand, and the same sums a second time from White's side.

use proptest::prelude::*;

use super::*;
use crate::log::{Agent, Evaluations};
use swissmatch_game::evaluation::{self, Position, Question, ScoreChoice};
use swissmatch_game::record::GameRecord;
use swissmatch_game::time_control::Bounds;
use swissmatch_game::variant::Variant;
use swissmatch_stats::accuracy::of_move;

use Eval::{Centipawns, Mate};

/// Each evaluation is that of the side to move. White: 30 → −20 loses 50, 100 → mated loses 1100, −700 → −2500 (−1000) loses
/// 300. Black: 20 → −100 loses 120, mate → 700 loses 300, 2500 → mates loses nothing.
const WORKED: [Eval; 7] = [
    Centipawns(30),
    Centipawns(20),
    Centipawns(100),
    Mate(2),
    Centipawns(-700),
    Centipawns(2500),
    Mate(0),
];

#[test]
fn worked_by_hand() {
    let sum = |moves: [(i32, i32); 3]| {
        moves
            .iter()
            .map(|&(before, after)| u64::from(of_move(before, after)))
            .sum()
    };
    let white = Quality {
        moves: 3,
        lost: 50 + 1100 + 300,
        inaccuracies: 1,
        mistakes: 0,
        blunders: 2,
        accuracy: sum([(30, -20), (100, -1000), (-700, -1000)]),
        settled: Some(0),
    };
    let black = Quality {
        moves: 3,
        lost: 120 + 300,
        inaccuracies: 0,
        mistakes: 1,
        blunders: 1,
        accuracy: sum([(20, -100), (1000, 700), (1000, 1000)]),
        settled: Some(1),
    };
    let keys = AnalysisKeys::default();
    assert_eq!(judge(&keys, Side::White, &WORKED), [white, black]);
    assert_eq!(judge(&keys, Side::Black, &WORKED), [black, white]);
    let moves: Vec<_> = judge_moves(&keys, &WORKED)
        .map(|judged| (judged.lost, judged.class))
        .collect();
    let expected = [
        (50, Some(Class::Inaccuracy)),
        (120, Some(Class::Mistake)),
        (1100, Some(Class::Blunder)),
        (300, Some(Class::Blunder)),
        (300, Some(Class::Blunder)),
        (0, None),
    ];
    assert_eq!(moves, expected);
    // 1450 / 3 = 483.33; the accuracies of White's moves are 80.7, 0, 62.5 per cent by the published formula.
    assert_eq!((white.acpl(), black.acpl()), (Some(4833), Some(1400)));
    let of_none = Quality {
        settled: Some(0),
        ..Quality::default()
    };
    assert_eq!(judge(&keys, Side::White, &WORKED[..1]), [of_none; 2]);
}

#[test]
fn moves_without_anything_to_lose_have_no_accuracy() {
    let keys = AnalysisKeys::default();
    // White is lost until the engine finds a draw behind its last move.
    let evals = [
        Mate(-5),
        Mate(4),
        Centipawns(-2000),
        Centipawns(1000),
        Centipawns(-1000),
        Centipawns(0),
    ];
    let [white, black] = judge(&keys, Side::White, &evals);
    assert_eq!(
        (white.moves, white.settled, white.mean_accuracy()),
        (3, Some(2), Some(1000))
    );
    assert_eq!((black.moves, black.settled), (2, Some(2)));
    assert_eq!(black.mean_accuracy(), None);
    assert!(white.is_possible() && black.is_possible());
    // As an older log has them: all moves count.
    assert_eq!(black.as_before_settled().mean_accuracy(), Some(1000));
    // More than there are, or more than their accuracies allow.
    for settled in [3, 2] {
        let forged = Quality {
            accuracy: 199_999,
            settled: Some(settled),
            ..black
        };
        assert!(!forged.is_possible(), "{settled}");
    }
}

#[test]
fn a_narrower_clamp_costs_less() {
    let keys = AnalysisKeys {
        clamp: 200,
        ..AnalysisKeys::default()
    };
    // White: 50, 100 → −200, −200 → −200. Black: 120, 200 → 200, 200 → 200.
    let lost = judge(&keys, Side::White, &WORKED).map(|side| side.lost);
    assert_eq!(lost, [350, 120]);
}

#[test]
fn an_analysis_goes_on_where_no_number_would_change() {
    let begun = |change: fn(&mut AnalysisBegun)| {
        let mut begun = AnalysisBegun {
            software: "1".to_owned(),
            engine: Agent {
                program: "/bin/engine".to_owned(),
                files: vec![crate::log::FileHash {
                    path: "/bin/engine".to_owned(),
                    sha256: "ab".to_owned(),
                }],
                ..Agent::default()
            },
            keys: AnalysisKeys::default(),
        };
        change(&mut begun);
        begun
    };
    let first = begun(|_| ());
    for same in [
        begun(|begun| "2".clone_into(&mut begun.software)),
        begun(|begun| "/other/engine".clone_into(&mut begun.engine.files[0].path)),
        begun(|begun| "engine".clone_into(&mut begun.keys.command)),
        begun(|begun| begun.keys.limit *= 2),
    ] {
        assert!(first.goes_on_with(&same), "{same:?}");
    }
    for other in [
        begun(|begun| "cd".clone_into(&mut begun.engine.files[0].sha256)),
        begun(|begun| begun.keys.nodes = Some(7)),
        begun(|begun| begun.keys.depth = Some(7)),
        begun(|begun| begun.keys.mean = Mean::Games),
        begun(|begun| begun.keys.resignation_move = Some(7)),
        begun(|begun| begun.keys.clamp = 7),
        begun(|begun| begun.keys.blunder = 7),
        begun(|begun| begun.keys.args = vec!["-x".to_owned()]),
        begun(|begun| begun.keys.options.clear()),
    ] {
        assert!(!first.goes_on_with(&other), "{other:?}");
    }
}

#[test]
fn a_setup_without_the_table_is_read() {
    let keys: AnalysisKeys =
        serde_json::from_str(&serde_json::to_string(&AnalysisKeys::default()).expect("data")).expect("the same again");
    assert_eq!(keys, AnalysisKeys::default());
    let stored = r##"{"version":1,"id":"1.2.3","evals":[12,"#-3","#0"]}"##;
    let read: Evaluations = serde_json::from_str(stored).expect("evaluations");
    assert_eq!(read.evals, [Centipawns(12), Mate(-3), Mate(0)]);
    assert_eq!(serde_json::to_string(&read).expect("data"), stored);
}

fn eval() -> impl Strategy<Value = Eval> {
    prop_oneof![
        (-3000..3000_i32).prop_map(Centipawns),
        (-400..400_i32).prop_map(Centipawns),
        (-9..9_i32).prop_map(Mate),
        prop_oneof![Just(i32::MIN), Just(i32::MAX)].prop_map(Centipawns),
    ]
}

/// "mean over all moves … of max(0, eval before − eval after) … from the mover's side … clamped", all from White's side.
fn literal(clamp: i64, white_begins: bool, evals: &[Eval]) -> [(u32, u64, u32); 2] {
    let of_white: Vec<i64> = evals
        .iter()
        .enumerate()
        .map(|(ply, eval)| {
            let own = match *eval {
                Centipawns(value) => i64::from(value).min(clamp).max(-clamp),
                Mate(moves) if moves >= 1 => clamp,
                Mate(_) => -clamp,
            };
            if (ply % 2 == 0) == white_begins { own } else { -own }
        })
        .collect();
    let mut sides = [(0, 0, 0); 2];
    for ply in 0..evals.len().saturating_sub(1) {
        let white_moves = (ply % 2 == 0) == white_begins;
        let rise = of_white[ply + 1] - of_white[ply];
        let lost = if white_moves { -rise } else { rise };
        let side = &mut sides[usize::from(!white_moves)];
        side.0 += 1;
        if lost > 0 {
            side.1 += lost as u64;
        }
        if lost >= 300 {
            side.2 += 1;
        }
    }
    sides
}

proptest! {
    #[test]
    fn a_literal_reading_gives_the_same(
        evals in prop::collection::vec(eval(), 0..40), clamp in 150..2000_u32, white_begins: bool,
    ) {
        let keys = AnalysisKeys { clamp, ..AnalysisKeys::default() };
        let first = if white_begins { Side::White } else { Side::Black };
        let judged = judge(&keys, first, &evals);
        prop_assert_eq!(judged.map(|q| (q.moves, q.lost, q.blunders)), literal(clamp.into(), white_begins, &evals));
        for side in judged {
            prop_assert!(side.inaccuracies + side.mistakes + side.blunders <= side.moves);
            prop_assert!(side.accuracy <= u64::from(side.moves) * 100_000);
            prop_assert!(side.lost <= u64::from(side.moves) * 2 * u64::from(clamp));
        }
    }
}

/// What python-chess makes of a game: `tests/data/acpl/make.py` says how.
const HARNESS: &str = include_str!("../../../../tests/data/acpl/game.json");

/// The evaluations of its positions by what the engine said.
fn asked(document: &serde_json::Value, scores: ScoreChoice) -> Vec<Eval> {
    let moves = document["moves"].as_str().expect("moves");
    let record = serde_json::json!({
        "version": 1, "id": "1.1.1", "white": 1, "black": 2,
        "opening": { "fen": null, "moves": "", "name": "" }, "moves": moves,
        "result": "1-0", "termination": "checkmate",
        "ready_us": [0, 0], "time_us": vec![0; moves.split_ascii_whitespace().count()], "eval": [], "depth": [], "nodes": [],
    });
    let record: GameRecord = serde_json::from_value(record).expect("a record");
    let positions = evaluation::positions(&record).expect("a game").all;
    let harness = document["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), harness.len());
    let evals = positions.iter().zip(harness).map(|(position, harness)| {
        let fen = match position {
            Position::Known(eval) => return *eval,
            Position::Asked(fen) => fen,
        };
        assert_eq!(harness["fen"], fen.as_str());
        let question = Question::new(fen, Variant::Standard, Bounds::default(), scores);
        let (mut question, _) = question.expect("a position");
        let lines = harness["said"].as_array().expect("lines");
        let mut answers = lines.iter().filter_map(|line| {
            let line = line.as_str().expect("a line");
            question.line(line.as_bytes())
        });
        answers.next().expect("a bestmove").expect("an evaluation")
    });
    evals.collect()
}

/// "As python-chess and with it every participant's own harness takes it."
#[test]
fn a_game_costs_what_python_chess_says() {
    let document: serde_json::Value = serde_json::from_str(HARNESS).expect("JSON");
    let keys = AnalysisKeys::default();
    let evals = asked(&document, keys.scores);
    let harness = document["positions"].as_array().expect("positions");
    for (eval, harness) in evals.iter().zip(harness) {
        assert_eq!(harness["centipawns"], clamped(*eval, keys.clamp), "{}", harness["fen"]);
    }
    let sides = judge(&keys, Side::White, &evals);
    assert_eq!(document["lost"], serde_json::json!(sides.map(|side| side.lost)));
    let acpl = sides.map(|side| side.acpl().map(|tenths| format!("{}.{}", tenths / 10, tenths % 10)));
    assert_eq!(document["acpl"], serde_json::json!(acpl));
    // Another reading is another number.
    let exact = judge(&keys, Side::White, &asked(&document, ScoreChoice::Exact));
    assert_ne!(exact.map(|side| side.lost), sides.map(|side| side.lost));
}
