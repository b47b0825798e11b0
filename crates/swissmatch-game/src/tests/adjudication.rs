//! Games that scores or tablebases end: streaks and what breaks them, who is believed, and what comes first.

use super::*;
use crate::adjudicate::{Adjudication, Decides, Draw, Resign, Tables};
use crate::eval::Eval;
use crate::termination::{Outcome, Termination};

/// Moves without captures or pawn moves; no position occurs a third time.
const QUIET: [&str; 20] = [
    "b1c3", "g8f6", "a1b1", "h8g8", "b1a1", "f6h5", "c3b1", "h5f6", "b1c3", "g8h8", "a1b1", "f6g8", "b1a1", "g8f6",
    "c3b1", "h8g8", "b1c3", "f6h5", "a1b1", "h5f6",
];

/// A side that says 800 centipawns twice is believed; level is 10 centipawns, twice, from move 3 on.
const RULES: AdjudicationRules = AdjudicationRules {
    resign: Some(Resign {
        score: 800,
        moves: 2,
        two_sided: true,
    }),
    draw: Some(Draw {
        score: 10,
        moves: 2,
        from_move: 3,
    }),
    tables: None,
};

const ONE_SIDED: AdjudicationRules = AdjudicationRules {
    resign: Some(Resign {
        score: 800,
        moves: 2,
        two_sided: false,
    }),
    ..RULES
};

fn adjudicated(rules: AdjudicationRules) -> GameSpec {
    GameSpec {
        adjudication: rules,
        ..spec(protocol_limits())
    }
}

/// Plays quiet moves with these scores, White's first; "" stands for no score.
fn with_scores(spec: GameSpec, scores: &[&'static str], then: &[Does]) -> GameRecord {
    let says = scores.iter().zip(QUIET).map(|(score, uci)| Does::Holds(score, uci));
    let script: Vec<Does> = says.chain(then.iter().copied()).collect();
    Script::new(spec).play(&script).record
}

/// Checks that the last of these scores ends the game, and how.
#[track_caller]
fn ends(rules: AdjudicationRules, scores: &[&'static str], outcome: Outcome, termination: Termination) -> GameRecord {
    let record = with_scores(adjudicated(rules), scores, &[]);
    assert_eq!((record.outcome, record.termination), (outcome, termination));
    assert_eq!(record.plies(), scores.len());
    assert_eq!(record.termination.blame(), None);
    assert!(!record.has_faults(), "an adjudication is nobody's fault");
    record
}

/// Checks that the game goes on after these scores.
#[track_caller]
fn goes_on(rules: AdjudicationRules, scores: &[&'static str]) {
    let record = with_scores(adjudicated(rules), scores, &[Does::Goes(EngineEnd::Exited(1))]);
    assert!(matches!(record.termination, Termination::Crash { .. }), "{record:?}");
    assert_eq!((record.plies(), record.adjudication), (scores.len(), None));
}

#[test]
fn black_resigns_when_both_have_said_so_often_enough() {
    let scores = ["cp 900", "cp -900", "cp 800", "cp -800"];
    let record = ends(RULES, &scores, Outcome::WhiteWins, Termination::ResignAdjudication);
    let Some(Adjudication::Resign { loser, scores }) = record.adjudication else {
        panic!("{:?}", record.adjudication)
    };
    assert_eq!(loser, Side::Black);
    let told: Vec<_> = scores.iter().map(|claim| (claim.ply, claim.side, claim.eval)).collect();
    assert_eq!(
        told,
        [
            (0, Side::White, Eval::Centipawns(900)),
            (1, Side::Black, Eval::Centipawns(-900)),
            (2, Side::White, Eval::Centipawns(800)),
            (3, Side::Black, Eval::Centipawns(-800)),
        ]
    );
    assert_eq!(
        record.termination.sentence(record.outcome, 0),
        "White wins by adjudication"
    );
}

#[test]
fn white_resigns_and_the_winner_may_speak_last() {
    let scores = ["cp 0", "cp 300", "cp -900", "cp 900", "cp -900", "cp 900"];
    ends(RULES, &scores, Outcome::BlackWins, Termination::ResignAdjudication);
}

#[test]
fn mates_are_beyond_every_score() {
    let scores = ["mate 9", "cp -900", "cp 900", "mate -2"];
    ends(RULES, &scores, Outcome::WhiteWins, Termination::ResignAdjudication);
    // A side that has just moved is not mated.
    goes_on(RULES, &["mate 9", "mate 0", "mate 8", "mate 0", "mate 7", "mate 0"]);
}

#[test]
fn a_streak_is_broken_by_a_missing_score_a_smaller_one_and_the_other_sign() {
    for breaks in ["", "cp -799", "cp 900", "mate 3"] {
        goes_on(RULES, &["cp 900", "cp -900", "cp 900", breaks]);
        goes_on(RULES, &["cp 900", "cp -900", "cp 900", breaks, "cp 900", "cp -900"]);
        let scores = [
            "cp 900", "cp -900", "cp 900", breaks, "cp 900", "cp -900", "cp 900", "cp -900",
        ];
        ends(RULES, &scores, Outcome::WhiteWins, Termination::ResignAdjudication);
    }
}

#[test]
fn who_says_zero_for_ever_is_resigned_by_nobody_and_draws_with_nobody() {
    let liar = ["cp 900", "cp 0"].repeat(7);
    goes_on(RULES, &liar);
    goes_on(ONE_SIDED, &liar);
    goes_on(RULES, &["cp 900", ""].repeat(7));
}

#[test]
fn one_sided_the_loser_is_believed_alone_and_the_winner_never() {
    let record = ends(
        ONE_SIDED,
        &["cp 30", "cp -900", "cp 30", "cp -900"],
        Outcome::WhiteWins,
        Termination::ResignAdjudication,
    );
    let Some(Adjudication::Resign { scores, .. }) = record.adjudication else {
        panic!("{:?}", record.adjudication)
    };
    assert!(scores.iter().all(|claim| claim.side == Side::Black) && scores.len() == 2);
    goes_on(RULES, &["cp 30", "cp -900"].repeat(4));
    goes_on(ONE_SIDED, &["cp 900", "cp 30"].repeat(4));
}

#[test]
fn two_who_both_say_that_they_win_play_on() {
    goes_on(RULES, &["cp 900"; 12]);
    goes_on(RULES, &["cp -900"; 12]);
}

#[test]
fn a_draw_needs_both_and_begins_at_its_move() {
    // Both agree from the start: not before both have made move 3.
    let record = ends(RULES, &["cp 0"; 6], Outcome::Draw, Termination::DrawAdjudication);
    let Some(Adjudication::Draw { scores }) = record.adjudication else {
        panic!("{:?}", record.adjudication)
    };
    assert_eq!(scores.iter().map(|claim| claim.ply).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!(record.termination.sentence(record.outcome, 0), "Draw by adjudication");
    // The streak may begin later, and end with White's move.
    let scores = ["cp 50", "cp 50", "cp 50", "cp 10", "cp -10", "cp 0", "cp 5"];
    ends(RULES, &scores, Outcome::Draw, Termination::DrawAdjudication);
    for breaks in ["", "cp 11", "cp -11", "mate 5"] {
        goes_on(
            RULES,
            &["cp 50", "cp 50", "cp 0", "cp 0", "cp 0", breaks, "cp 0", "cp 0", "cp 0"],
        );
    }
}

#[test]
fn move_numbers_of_draws_are_those_of_the_position() {
    let mut spec = adjudicated(RULES);
    spec.opening.fen = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30".to_owned());
    let record = with_scores(spec, &["cp 0"; 4], &[]);
    assert_eq!(record.termination, Termination::DrawAdjudication);
}

#[test]
fn captures_and_pawn_moves_begin_the_count_of_a_draw_anew() {
    let level = |line: &[&'static str]| -> Vec<Does> { line.iter().map(|uci| Does::Holds("cp 0", uci)).collect() };
    let line = ["b1c3", "g8f6", "a1b1", "h8g8", "e2e4", "f6h5", "b1a1", "h5f6"];
    let played = Script::new(adjudicated(RULES)).play(&level(&line));
    assert_eq!(played.record.termination, Termination::DrawAdjudication);
    assert_eq!(played.record.plies(), 8, "the pawn move of ply 4 is the first of four");
}

#[test]
fn the_rules_of_the_game_stand_before_adjudication() {
    let mates = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let script: Vec<_> = mates.iter().map(|uci| Does::Holds("cp 0", uci)).collect();
    let eager = AdjudicationRules {
        draw: Some(Draw {
            score: 10,
            moves: 1,
            from_move: 2,
        }),
        ..RULES
    };
    let record = Script::new(adjudicated(eager)).play(&script).record;
    assert_eq!(
        (record.termination, record.adjudication),
        (Termination::Checkmate, None)
    );
    let mut capped = adjudicated(RULES);
    capped.limits.max_plies = Some(6);
    let record = with_scores(capped, &["cp 0"; 6], &[]);
    assert_eq!((record.termination, record.adjudication), (Termination::MoveCap, None));
}

#[test]
fn a_failed_attempt_is_no_move_and_breaks_nothing() {
    let mut script = vec![
        Does::Holds("cp 900", "b1c3"),
        Does::Holds("cp -900", "g8f6"),
        Does::Holds("cp 900", "a1b1"),
    ];
    script.extend([Does::Holds("cp 0", "e8e4"), Does::Holds("cp -900", "h8g8")]);
    let record = Script::new(adjudicated(RULES)).play(&script).record;
    assert_eq!(record.termination, Termination::ResignAdjudication);
    assert_eq!(record.failed_attempts.len(), 1);
}

/// White takes the last black man but the king; the tables say that Black has lost.
const TAKES: &str = "4k3/8/8/8/8/8/7r/R3K2R w - - 5 70";

fn with_tables(decides: Decides, tables: fn(&Chess) -> Option<TablebaseVerdict>, script: &[Does]) -> PlayedGame {
    let rules = AdjudicationRules {
        tables: Some(Tables {
            men: 4,
            rule50: true,
            decides,
        }),
        ..RULES
    };
    let spec = GameSpec {
        adjudication: rules,
        ..from_fen(protocol_limits(), TAKES)
    };
    let mut game = Script::new(spec);
    game.tables = Some(tables);
    game.play(script)
}

#[test]
fn tables_end_a_game_after_the_capture() {
    let lost = |position: &Chess| {
        use shakmaty::Position;
        assert_eq!(
            position.board().occupied().count(),
            4,
            "no position with more men is asked about"
        );
        assert!(position.castles().is_empty());
        Some(TablebaseVerdict::Loss)
    };
    // Scores that say the contrary count for nothing.
    let played = with_tables(Decides::WinDraw, lost, &[Does::Holds("cp 0", "h1h2")]);
    let record = played.record;
    assert_eq!(
        (record.outcome, record.termination),
        (Outcome::WhiteWins, Termination::Tablebase)
    );
    let (men, to_move, verdict) = (4, Side::Black, TablebaseVerdict::Loss);
    assert_eq!(
        record.adjudication,
        Some(Adjudication::Tablebase { men, to_move, verdict })
    );
    let sentence = record.termination.sentence(record.outcome, 0);
    assert_eq!(sentence, "White wins by adjudication: SyzygyTB");
}

#[test]
fn a_verdict_that_is_not_wanted_or_not_known_leaves_the_game_to_the_scores() {
    let says = [
        Does::Holds("cp 900", "h1h2"),
        Does::Holds("cp -900", "e8e7"),
        Does::Holds("cp 900", "h2h7"),
        Does::Holds("cp -900", "e7e8"),
    ];
    let lost = |_: &Chess| Some(TablebaseVerdict::Loss);
    let played = with_tables(Decides::Draw, lost, &says);
    assert_eq!(played.record.termination, Termination::ResignAdjudication);
    let played = with_tables(Decides::WinDraw, |_| None, &says);
    assert_eq!(played.record.termination, Termination::ResignAdjudication);
}

#[test]
fn tables_are_asked_while_no_clock_runs() {
    let mut spec = from_fen(clock_limits(SECOND, Duration::ZERO, None), TAKES);
    spec.adjudication.tables = Some(Tables {
        men: 4,
        rule50: true,
        decides: Decides::Win,
    });
    let mut game = Game::new(spec).expect("a legal opening");
    let mut now = Duration::ZERO;
    let mut asked = 0;
    let mut moves = ["bestmove h1h2", "bestmove e8e7"].into_iter();
    loop {
        match game.poll(now) {
            Output::Send { .. } => game.handle(now, Input::Sent { was_full: false }),
            Output::Wait { .. } if game.outgoing().ends_with(b"isready\n") => game.handle(now, Input::Line(b"readyok")),
            Output::Wait { .. } => match moves.next() {
                Some(bestmove) => game.handle(now, Input::Line(bestmove.as_bytes())),
                None => break,
            },
            Output::Doubt { .. } => game.handle(now, Input::Doubt(MeasuredTime::default())),
            Output::Probe => {
                asked += 1;
                // A slow disk.
                now += 100 * SECOND;
                game.handle(now, Input::Probed(None));
            }
            Output::Restart { .. } | Output::Over => panic!("the game goes on"),
        }
    }
    assert_eq!(asked, 1, "a win is certain directly after the capture alone");
    assert_eq!(game.finish().0.clock_us, [1_000_000, 1_000_000]);
}
