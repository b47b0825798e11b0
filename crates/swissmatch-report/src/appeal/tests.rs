//! Reports of games without engines: every kind of ending, clocks, games without a record.

mod asked;
mod attempts;
mod interruptions;
mod public;
mod rulings;

use std::time::Duration;

use insta::assert_snapshot;

use super::*;
use crate::fixture;
use swissmatch_game::adjudicate::{Adjudication, DecisiveScore};
use swissmatch_game::eval::Eval;
use swissmatch_game::isolation::{IsolatedAgent, Isolation, Protection};
use swissmatch_game::notation::{MeantMove, Notation};
use swissmatch_game::record::{AttemptEnd, EngineEnd, FailedAttempt};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::{Side, claims};
use swissmatch_tournament::embargo::{embargo, is_held_back, published, up_to};
use swissmatch_tournament::log::{Act, ArbiterActed, Entry};
use swissmatch_tournament::setup::{ClockStart, PlayerKeys};

fn id(round: u32, mini_match: u32, game: u32) -> GameId {
    GameId {
        round,
        playoff: 0,
        board: mini_match,
        game,
    }
}

fn case(state: &State, id: GameId) -> AppealCase<'_> {
    AppealCase {
        state,
        id,
        game: state.finished_game(id),
        finished: None,
        record: None,
        warnings: &[],
        paired_at: None,
        logged: None,
        evidence: None,
        manifest: None,
        run: "results/spring",
        is_played: false,
        acts: &[],
        replayed: &[],
        interrupted: &[],
    }
}

/// The end of game 1.2.2.
fn late() -> GameFinished {
    let termination = Termination::TimeForfeit { by: Side::White };
    let entry = fixture::entry_of((1, 2, 2), (4, 2), Outcome::BlackWins, termination);
    GameFinished { plies: 12, ..entry }
}

/// A record of the game, which began 1. e4 e5 2. Nf3.
fn record(state: &State, id: GameId) -> GameRecord {
    let mut record = fixture::empty_record(&state.finished_game(id).expect("it has ended"));
    record.moves = "e2e4 e7e5 g1f3".to_owned();
    record.time_us = vec![1_000_000, 45, 2_500_000];
    record
}

fn section(text: &str, title: &str) -> String {
    let from = text.split(&format!("\n{title}\n")).nth(1).unwrap_or_default();
    from.split("\n\n").next().unwrap_or_default().to_owned()
}

#[test]
fn the_memory_of_an_engine_is_told_where_it_was_counted() {
    let (state, id) = (fixture::two_rounds(), id(1, 2, 2));
    let mut record = record(&state, id);
    let told = |record: &GameRecord| {
        let case = AppealCase {
            record: Some(record),
            ..case(&state, id)
        };
        let text = text(&case, false).expect("a game");
        (
            section(&text, "Memory"),
            json(&case, false).expect("a game")["memory_peak"].clone(),
        )
    };
    assert_eq!(told(&record), (String::new(), json!({ "white": null, "black": null })));
    record.memory_peak = vec![None, Some(300 << 20)];
    let line = "  Bravo (Black): at most 300.0 MiB since its engine was started.";
    let json = json!({ "white": null, "black": 300 << 20 });
    assert_eq!(told(&record), (line.to_owned(), json));
}

#[test]
fn a_time_forfeit_with_what_was_measured() {
    let state = fixture::two_rounds();
    let id = id(1, 2, 2);
    let mut record = record(&state, id);
    let failed = |attempt, time_us, end| FailedAttempt {
        ply: 3,
        side: Side::Black,
        attempt,
        time_us,
        end,
        wakeup_us: (attempt == 1).then_some(120),
        service_us: None,
        ready_us: (attempt < 3).then_some(1_500),
        doubt: None,
        meant: None,
    };
    record.failed_attempts = vec![
        failed(1, 30_200_000, AttemptEnd::Late),
        failed(2, 40_000, AttemptEnd::Illegal("e5e6\u{1b}[31m".to_owned())),
        failed(3, 31_000_000, AttemptEnd::Silent),
    ];
    record.isolation = vec![
        IsolatedAgent {
            isolation: Isolation::Guarded,
            protections: vec![Protection::Files, Protection::Network],
        },
        IsolatedAgent::default(),
    ];
    let evidence = "Game\n\n     0.000001 White > go\nStandard error of Black:\n     0.000002 Black ! \u{1b}[2Jhelp\n";
    let manifest = json!({ "machine": { "processor": "P\u{7}", "topology": [1] }, "seating": null });
    let mut finished = late();
    (finished.record, finished.evidence) = (Some("aa".to_owned()), Some("bb".to_owned()));
    let mut game = state.finished_game(id).expect("it has ended");
    (game.finished.has_record, game.finished.has_evidence) = (true, true);
    record.failed_attempts.insert(
        0,
        FailedAttempt {
            ply: 0,
            side: Side::White,
            meant: Some(MeantMove {
                notation: Notation::San,
                uci: "g1f3".to_owned(),
            }),
            ..failed(1, 99_999, AttemptEnd::Unparsable("Nf3".to_owned()))
        },
    );
    let case = AppealCase {
        game: Some(game),
        finished: Some(&finished),
        record: Some(&record),
        evidence: Some(evidence),
        manifest: Some(&manifest),
        paired_at: Some("2026-01-30T10:00:00Z"),
        logged: Some(EntryReference {
            seq: 6,
            at: "2026-01-30T10:05:00Z",
            hash: "abcd",
        }),
        ..case(&state, id)
    };
    let text = text(&case, false).expect("a game");
    assert_snapshot!(text, @r#"
    Game 1.2.2 of Spring qualifier: Delta – Bravo: 0-1, time-forfeit

    The game
      Round 1 of 3, board 2, game 2 of the 2 of its mini-match.
      White: Delta, pairing number 4, rated -5.
      Black: Bravo, pairing number 2, rated 2000.
      Paired at 2026-01-30 10:00:00 UTC.
      Ended, and committed to the log, at 2026-01-30 10:05:00 UTC.
      Opening: , no moves, from rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      Played: 3 plies.

    Limits in force
      Both (`30s/move`): 30s for every move.
      Engines are told 50ms less than a time per move (game.move_overhead), at most a tenth of it; the full limit counts.
      An answer after the limit is late: there is no margin (game.margin).
      The limit grows by the doubt: the time of the answer that the machine took and not the engine, as far as it is measured (docs/time-controls.md).
      A move has 3 attempts under a time per move: overruns, illegal and unparsable answers together.
      After the limit `stop` is sent; an engine that is silent for 1s more is killed and started anew (engine.stop_grace).
      After 400 plies of play, not counting the opening, the game is a draw.
      An engine may use up half of the machine's memory, 1024 processes and threads, 1.0 GiB written to disk, 4.0 MiB of output and 1.0 MiB of standard error a second, lines of 64.0 KiB, all its processes together (engine.max_*; docs/resources.md says what counts and how often it is looked at).

    How it ended, and by which rule
      0-1: White resigns (loses on time after 3 attempts).
      Each attempt at a move has the full limit; the third failed attempt at one move loses, and Delta's last one was an overrun. It counts as a resignation.
      Measured: move 2... Bravo (Black), attempt 1, after 30.200 s (including 0.000120 s in which the runner waited for a processor): answered too late; the limit is 30s; ready to be asked again 0.001500 s later.
      Measured: move 2... Bravo (Black), attempt 2, after 0.040000 s: answered "e5e6[31m", which is not legal; the limit is 30s; ready to be asked again 0.001500 s later.
      Measured: move 2... Bravo (Black), attempt 3, after 31.000 s: no answer, not even after `stop`; the engine was killed; the limit is 30s.
      The last move was 2. Nf3.
      The position at the end: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2

    What it gave
      Game points of this game: Delta 0, Bravo 1.
      Game points of the mini-match without it: Delta 0, Bravo 1; with it: Delta 0, Bravo 2.
      2 of the 2 games of the mini-match have ended.
      The mini-match is over; match points: Delta 0, Bravo 1.

    Failed attempts at other moves
      move 1. Delta (White), attempt 1, after 0.099999 s (including 0.000120 s in which the runner waited for a processor): answered "Nf3", which is not a move: standard algebraic notation (SAN); in UCI it is g1f3; the limit is 30s; ready to be asked again 0.001500 s later

    Clocks
      Delta (White): 2 moves in 3.600 s, of which 1 failed attempt took 0.099999 s; longest 2. Nf3 2.500 s, 1. e4 1.100 s.
      Bravo (Black): 1 move in 61.240 s, of which 3 failed attempts took 61.240 s; longest 1... e5 0.000045 s.

    Agents
      Delta (White): engine, did not start before the event
        Isolation guarded: files, network; this machine lacked: processes, memory, pids, cpu, kill, ipc
      Bravo (Black): engine, did not start before the event
        Isolation off
      These are the files as they were when the run began; a runner that resumes the run accepts no others.

    Machine
      machine processor: P

    To check it
      Its result is entry 6 of the log; the chain of hashes stands at abcd there.
      swissmatch verify results/spring   plays every move of the record again and compares every hash
      swissmatch export pgn results/spring --only 1.2.2
      swissmatch evidence 1.2.2 results/spring   puts all that is kept of it into one archive
      swissmatch export records results/spring --only 1.2.2
      swissmatch export evidence results/spring --only 1.2.2

    Evidence
      Record (moves, times, attempts): SHA-256 aa, in run.sqlite.
      Transcript and standard error: SHA-256 bb, in run.sqlite.
      Transcript:
      | Game
      |
      |      0.000001 White > go
      Standard error:
      | Standard error of Black:
      |      0.000002 Black ! \u{1b}[2Jhelp
    "#);
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
    let json = json(&case, false).expect("a game");
    assert_eq!(json["failed_attempts"][2]["said"], "e5e6[31m");
    assert_eq!(json["end"]["termination"], "time-forfeit");
    assert_eq!(json["clocks"][0]["longest"][0]["move"], "2. Nf3");
}

#[test]
fn a_clock_tells_what_it_had() {
    let state = fixture::over_with(|setup| {
        setup.game.time_control = "40/90+0.5".parse().expect("a control");
        setup.game.margin = Duration::from_millis(20);
    });
    let id = id(1, 2, 2);
    let mut record = record(&state, id);
    record.clock_us = vec![89_500_000, 90_499_955, 87_500_000];
    record.failed_attempts = vec![FailedAttempt {
        ply: 3,
        side: Side::Black,
        attempt: 1,
        time_us: 90_600_000,
        end: AttemptEnd::Late,
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    }];
    let case = AppealCase {
        record: Some(&record),
        ..case(&state, id)
    };
    let text = text(&case, false).expect("a game");
    assert_snapshot!(section(&text, "How it ended, and by which rule"), @"
    0-1: White loses on time.
    Under a clock, the side whose flag falls loses at once, unless the other side cannot mate; it was Delta's flag.
    Measured: move 2... Bravo (Black), attempt 1, after 90.600 s: answered too late; its clock had 90.500 s.
    The last move was 2. Nf3.
    The position at the end: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
    ");
    assert_snapshot!(section(&text, "Clocks"), @"
    Delta (White): 2 moves in 3.500 s; longest 2. Nf3 2.500 s, 1. e4 1.000 s; 87.500 s left after its last move.
    Bravo (Black): 1 move in 90.600 s, of which 1 failed attempt took 90.600 s; longest 1... e5 0.000045 s; 90.500 s left after its last move.
    ");
    assert!(
        text.contains("90s for every 40 moves, 500ms added after each move"),
        "{text}"
    );
    assert!(text.contains("until 20ms after the limit"), "{text}");
}

#[test]
fn every_ending_has_its_rule() {
    let by = Side::Black;
    let endings = [
        (Outcome::WhiteWins, Termination::Checkmate),
        (Outcome::Draw, Termination::Stalemate),
        (Outcome::Draw, Termination::ThreefoldRepetition),
        (Outcome::Draw, Termination::FiftyMoveRule),
        (Outcome::Draw, Termination::InsufficientMaterial),
        (Outcome::Draw, Termination::MoveCap),
        (Outcome::WhiteWins, Termination::TimeForfeit { by }),
        (Outcome::Draw, Termination::FlagFallDraw { by }),
        (Outcome::WhiteWins, Termination::IllegalMove { by }),
        (Outcome::WhiteWins, Termination::Resignation { by }),
        (Outcome::WhiteWins, Termination::Crash { by }),
        (Outcome::WhiteWins, Termination::Disconnect { by }),
        (Outcome::WhiteWins, Termination::DidNotStart { by }),
        (Outcome::BothLose, Termination::NeitherStarted),
        (Outcome::WhiteWins, Termination::ResignAdjudication),
        (Outcome::Draw, Termination::DrawAdjudication),
        (Outcome::Draw, Termination::Tablebase),
    ];
    let rules = endings.map(|ending| {
        let state = fixture::one_board(2, &[ending]);
        let text = text(&case(&state, id(1, 1, 1)), false).expect("no record");
        section(&text, "How it ended, and by which rule")
    });
    assert_snapshot!(rules.join("\n"), @"
    1-0: White mates.
    The side to move is in check and has no legal move (Laws of Chess 5.1.1).
    1/2-1/2: Draw by stalemate.
    The side to move has no legal move and is not in check: a draw (Laws of Chess 5.2.1).
    1/2-1/2: Draw by 3-fold repetition.
    The same position stood for the third time with the same side to move: a draw (Laws of Chess 9.2), which the runner claims for both sides.
    1/2-1/2: Draw by fifty moves rule.
    Both sides made fifty moves without a capture or a pawn move: a draw (Laws of Chess 9.3), which the runner claims for both sides.
    1/2-1/2: Draw by insufficient mating material.
    No sequence of legal moves can mate with the men that are left: a draw (Laws of Chess 5.2.2).
    1/2-1/2: Draw by the move cap.
    The game reached 30 plies, the cap of this event (game.max_moves, game.max_plies): a draw.
    1-0: Black loses on time.
    Each attempt at a move has the full limit; the third failed attempt at one move loses, and Bravo's last one was an overrun. It counts as a resignation.
    1/2-1/2: Draw: Black's flag fell against too little material.
    It was Bravo's flag that fell, and the game is a draw because Alpha cannot mate by any series of legal moves with the men that are left (Laws of Chess 6.9) (game.flag_fall).
    1-0: Black makes an illegal move.
    The third failed attempt at one move loses, overruns counted too; Bravo's last one was illegal or was not a move (game.illegal_attempts).
    1-0: Black resigns.
    A player that is no engine may resign by `resign` in place of a move, and loses at once: Bravo did so.
    1-0: Black crashes.
    An engine whose process ends loses as soon as something is asked of it: Bravo was asked, and its process had gone.
    1-0: Black disconnects.
    An engine that closes its input or output loses as soon as something is asked of it, even if its process is still running: Bravo's did so.
    1-0: Black forfeits: its engine did not start.
    An engine has 10s for each of `uciok` and `readyok` (engine.start_limit) and 2 tries to start (engine.start_attempts). An engine that does not come up loses the game without a move, and the rest of the mini-match with it.
    Its start was not tried for this game.
    0-0: Both forfeit: neither engine started.
    An engine has 10s for each of `uciok` and `readyok` (engine.start_limit) and 2 tries to start (engine.start_attempts). An engine that does not come up loses the game without a move, and the rest of the mini-match with it.
    Its start was not tried for this game.
    1-0: White wins by adjudication.
    It was ended by adjudication, by the rule of this event that is given above.
    1/2-1/2: Draw by adjudication.
    It was ended by adjudication, by the rule of this event that is given above.
    1/2-1/2: Draw by adjudication: SyzygyTB.
    It was ended by adjudication, by the rule of this event that is given above.
    ");
}

/// Where clocks run by the schedule, attempts at starting do not decide; the time before the first move is told.
#[test]
fn a_clock_by_the_schedule_has_its_own_rule() {
    let state = fixture::after_games(
        [
            (Outcome::BlackWins, Termination::DidNotStart { by: Side::White }),
            (Outcome::BlackWins, Termination::Checkmate),
        ],
        |setup| setup.schedule.clock = ClockStart::Schedule,
    );
    let text_of = |case: &AppealCase<'_>| text(case, false).expect("a game");
    let rule = section(&text_of(&case(&state, id(1, 1, 1))), "How it ended, and by which rule");
    assert!(
        rule.contains("not up when its own clock has run out loses") && !rule.contains("engine.start_attempts"),
        "{rule}"
    );
    let id = id(1, 1, 2);
    let mut record = record(&state, id);
    record.late_us = Some(4_000_000);
    let case = AppealCase {
        record: Some(&record),
        run: "results/\u{1b}[31mspring",
        logged: Some(EntryReference {
            seq: 6,
            at: "",
            hash: "",
        }),
        ..case(&state, id)
    };
    let text = text_of(&case);
    assert!(
        section(&text, "Clocks").contains("4.000 s of White's clock had gone before the first `go`"),
        "{text}"
    );
    assert!(
        text.contains("verify results/[31mspring ") && !text.contains('\u{1b}'),
        "{text}"
    );
    let clocks = &json(&case, false).expect("a game")["clocks"];
    assert_eq!(
        [&clocks[0]["late_us"], &clocks[1]["late_us"]],
        [&json!(4_000_000), &Value::Null]
    );
}

#[test]
fn the_files_of_a_late_entry_are_those_of_its_entry() {
    let mut state = fixture::of_players(3, |_| ());
    let acted = ArbiterActed {
        act: Act::Enter {
            player: Box::new(PlayerKeys {
                name: "Late".to_owned(),
                ..state.setup().players[0].clone()
            }),
            agent: Box::new(state.created().agents[0].clone()),
        },
        by: "the arbiter".to_owned(),
        reason: "a test".to_owned(),
        overruled: Vec::new(),
    };
    state.apply(&Entry::Acted(Box::new(acted))).expect("in turn");
    state.apply(&fixture::paired(1, &[(1, 4, false)], 2)).expect("in turn");
    let text = text(&case(&state, id(1, 1, 1)), false).expect("no record");
    assert!(
        text.contains("when the run began, those of Late as they were when it entered; a runner"),
        "{text}"
    );
}

#[test]
fn processes_and_adjudications_are_told() {
    let state = fixture::two_rounds();
    let id = id(1, 2, 2);
    let measured = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = record(&state, id);
        change(&mut record);
        let case = AppealCase {
            record: Some(&record),
            ..case(&state, id)
        };
        let text = text(&case, false).expect("a game");
        let of_section = section(&text, "How it ended, and by which rule");
        let lines = of_section
            .lines()
            .filter(|line| line.contains("Measured") || line.contains("process:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let ends = [
        EngineEnd::Exited(3),
        EngineEnd::Signalled(11),
        EngineEnd::ClosedPipe,
        EngineEnd::KeeperLost,
    ];
    let texts = ends.map(|end| measured(&|record| record.engine_end = Some(end)));
    assert_snapshot!(texts.join("\n"), @"
    Its process: exited with code 3.
    Its process: was killed by signal 11.
    Its process: closed a pipe and lived on.
    Its process: lost the process that keeps it, which somebody killed.
    ");
    let scores = |evals: &[(usize, Eval)]| {
        let claims = evals.iter().map(|&(ply, eval)| DecisiveScore {
            ply,
            side: if ply % 2 == 0 { Side::White } else { Side::Black },
            eval,
        });
        claims.collect::<Vec<_>>()
    };
    let resigned = measured(&|record| {
        record.adjudication = Some(Adjudication::Resign {
            loser: Side::Black,
            scores: scores(&[(1, Eval::Centipawns(-900)), (2, Eval::Mate(3))]),
        });
    });
    assert_snapshot!(resigned, @"  Measured: Black has lost by these scores, each from the point of view of the side that moved: 1... e5 -900 cp, 2. Nf3 mate in 3.");
}

#[test]
fn games_without_a_record_and_games_that_have_not_ended() {
    let state = fixture::third_round_begun();
    let due = case(&state, id(3, 1, 2));
    assert_snapshot!(text(&due, false).expect("no record"), @"
    Game 3.1.2 of Spring qualifier: Alpha – Charlie: not ended

    The game
      Round 3 of 3, board 1, game 2 of the 2 of its mini-match.
      White: Alpha, pairing number 1, rated 2100.
      Black: Charlie, pairing number 3, rated 1900.

    Limits in force
      Both (`30s/move`): 30s for every move.
      Engines are told 50ms less than a time per move (game.move_overhead), at most a tenth of it; the full limit counts.
      An answer after the limit is late: there is no margin (game.margin).
      The limit grows by the doubt: the time of the answer that the machine took and not the engine, as far as it is measured (docs/time-controls.md).
      A move has 3 attempts under a time per move: overruns, illegal and unparsable answers together.
      After the limit `stop` is sent; an engine that is silent for 1s more is killed and started anew (engine.stop_grace).
      After 400 plies of play, not counting the opening, the game is a draw.
      An engine may use up half of the machine's memory, 1024 processes and threads, 1.0 GiB written to disk, 4.0 MiB of output and 1.0 MiB of standard error a second, lines of 64.0 KiB, all its processes together (engine.max_*; docs/resources.md says what counts and how often it is looked at).

    How it ended, and by which rule
      It has not ended, and no runner is at work: it is due, and will be played from its first move.

    What it gave
      1 of the 2 games of the mini-match have ended.

    Agents
      Alpha (White): engine, did not start before the event
      Charlie (Black): engine, did not start before the event
      These are the files as they were when the run began; a runner that resumes the run accepts no others.

    Machine
      The run has no manifest that could be read.
    ");
    let played = AppealCase { is_played: true, ..due };
    assert!(
        text(&played, false)
            .expect("no record")
            .contains("A runner is at work.")
    );
    assert_eq!(json(&due, false).expect("no record")["end"]["result"], Value::Null);
    let forfeited = fixture::over();
    let text = text(&case(&forfeited, id(3, 2, 2)), false).expect("no record");
    assert!(
        text.contains("There is no record: nothing was sent to any engine."),
        "{text}"
    );
}

#[test]
fn claims_that_do_not_hold_are_listed_and_a_record_that_is_none_is_refused() {
    let state = fixture::two_rounds();
    let id = id(1, 2, 2);
    let mut record = record(&state, id);
    record.eval = vec![None, Some(Eval::Mate(0)), None];
    let warnings = claims::warnings(&record).expect("a game");
    let case = AppealCase {
        record: Some(&record),
        warnings: &warnings,
        ..case(&state, id)
    };
    let text = text(&case, false).expect("a game");
    let said = section(&text, "What engines said that does not fit the game");
    assert_snapshot!(said, @"
    1... e7e5 by Bravo: mate in 0 is claimed in a position with legal moves
    None of this changes a result.
    ");
    let of_other_moves = |count: usize| {
        let warning = claims::Warning {
            claim: claims::FalseClaimError::OtherMove,
            ..warnings[0].clone()
        };
        let warnings = vec![warning; count];
        let case = AppealCase {
            warnings: &warnings,
            ..case
        };
        let text = super::text(&case, false).expect("a game");
        let claims = json(&case, false).expect("a game")["claims"].as_array().map(Vec::len);
        (section(&text, "What engines said that does not fit the game"), claims)
    };
    let (said, claims) = of_other_moves(6);
    assert_snapshot!(said, @"
    1... e7e5, 1... e7e5, 1... e7e5, 1... e7e5 and 2 more by Bravo: the variation begins with a different move from the one played
    None of this changes a result.
    Engines that are set to play below their strength often play another move than their variation's.
    ");
    assert_eq!(claims, Some(6));
    let mut broken = record.clone();
    broken.moves = "e2e5".to_owned();
    let case = AppealCase {
        record: Some(&broken),
        ..case
    };
    assert!(super::text(&case, false).is_err());
    assert!(json(&case, false).is_err());
}

/// `State::up_to` leaves what was there then, without analyses of later games.
#[test]
fn an_event_cut_off_after_a_round_tells_of_nothing_later() {
    let all = [((1, 1, 1), [(30, 90), (30, 60)]), ((2, 1, 1), [(35, 70), (35, 10)])];
    let whole = fixture::analysed(&all, |_| ());
    let first = fixture::analysed(&all[..1], |_| ());
    let cut = up_to(&whole, 1);
    assert_eq!((cut.rounds().len(), cut.finished_games().count()), (1, 4));
    let page = |state: &State| crate::analysis::page(state).expect("an analysis").markdown();
    assert_eq!(page(&cut), page(&up_to(&first, 1)));
    assert_ne!(page(&whole), page(&first));
    assert_eq!(up_to(&whole, 2), whole);
    assert!(embargo(&whole).is_none() && !is_held_back(&whole, id(2, 1, 1)));
    let held_back = whole.by_other_rules({
        let mut setup = whole.setup().clone();
        setup.publish.embargo_rounds = 2;
        setup
    });
    assert_eq!(embargo(&held_back), Some(1), "of three rounds");
    assert!(is_held_back(&held_back, id(2, 1, 1)) && !is_held_back(&held_back, id(1, 1, 1)));
    assert_eq!(published(&held_back).rounds().len(), 1);
}

#[test]
fn an_overhead_that_is_none_is_not_told() {
    let state = fixture::over_with(|setup| setup.game.move_overhead = Duration::ZERO);
    let told = text(&case(&state, id(1, 1, 1)), false).expect("a game");
    assert!(told.contains("30s for every move"), "{told}");
    assert!(!told.contains("less than a time per move"), "{told}");
}
