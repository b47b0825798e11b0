//! "On overrun the same move is asked again, 3 attempts in all … the last failure names the ending."

use super::*;
use crate::record::AttemptEnd;
use crate::termination::{Outcome, Termination};

const WHITE_OVERRAN: Termination = Termination::TimeForfeit { by: Side::White };

/// Plays `script`, then fool's mate if a move came in the end.
fn check(limits: GameLimits, script: &[Does], mated: bool) -> PlayedGame {
    let mut whole = script.to_vec();
    if mated {
        whole.extend(moves(&FOOLS_MATE).into_iter().skip(1));
    }
    let played = Script::new(spec(limits)).play(&whole);
    let expected = if mated {
        Termination::Checkmate
    } else {
        played.record.termination
    };
    assert_eq!(played.record.termination, expected);
    played
}

#[test]
fn a_move_at_the_limit_counts_and_one_a_microsecond_later_does_not() {
    let in_time = check(protocol_limits(), &[Does::Says(30 * SECOND, "bestmove f2f3")], true);
    assert_eq!(in_time.record.failed_attempts, []);
    assert_eq!(in_time.record.time_us[0], 30_000_000);
    let late = [
        Does::Says(30 * SECOND + MICRO, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove f2f3"),
    ];
    let late = check(protocol_limits(), &late, true);
    assert_eq!(late.record.failed_attempts.len(), 1);
    assert_eq!(late.record.failed_attempts[0].end, AttemptEnd::Late);
    assert_eq!(late.record.failed_attempts[0].time_us, 30_000_001);
    assert_eq!(
        late.record.time_us[0], 1_000_000,
        "the attempt that gave the move is its time"
    );
}

#[test]
fn the_margin_is_added_to_the_limit_that_judges() {
    let limits = GameLimits {
        margins: [20 * MILLI, Duration::ZERO],
        ..protocol_limits()
    };
    let played = check(limits, &[Does::Says(30_020 * MILLI, "bestmove f2f3")], true);
    assert_eq!(played.record.failed_attempts, []);
    // Each side has its own limit.
    let of_black = GameLimits {
        margins: [Duration::ZERO, 20 * MILLI],
        ..protocol_limits()
    };
    let late = Does::OverrunsThen(20 * MILLI, "bestmove f2f3");
    let played = check(of_black, &[late, Does::Says(SECOND, "bestmove f2f3")], true);
    assert_eq!(played.record.failed_attempts.len(), 1);
}

#[test]
fn three_overruns_lose_and_every_attempt_is_recorded() {
    let late = Does::OverrunsThen(200 * MILLI, "bestmove f2f3");
    let played = check(protocol_limits(), &[late; 3], false);
    assert_eq!(
        (played.record.termination, played.record.outcome),
        (WHITE_OVERRAN, Outcome::BlackWins)
    );
    let attempts: Vec<_> = played
        .record
        .failed_attempts
        .iter()
        .map(|a| (a.attempt, a.time_us, a.end.clone()))
        .collect();
    assert_eq!(
        attempts,
        [1, 2, 3].map(|attempt| (attempt, 30_200_000, AttemptEnd::Late))
    );
    assert_eq!(played.record.last_attempts(), 3);
    assert_eq!(played.restarts, [], "an engine that obeys stop lives on");
    assert_eq!(
        played.gos(),
        ["go movetime 29950"; 3],
        "each attempt has the full limit"
    );
    assert!(
        played.sent.iter().filter(|text| *text == "isready\n").count() == 2,
        "brought in step before each new attempt"
    );
    assert_eq!(
        played.record.termination.sentence(played.record.outcome, 3),
        "White resigns (loses on time after 3 attempts)"
    );
}

#[test]
fn a_late_bestmove_is_no_answer_to_the_next_attempt() {
    let played = check(
        protocol_limits(),
        &[
            Does::OverrunsThen(MILLI, "bestmove e2e4"),
            Does::Says(SECOND, "bestmove f2f3"),
        ],
        true,
    );
    assert!(played.record.moves.starts_with("f2f3"));
}

#[test]
fn silence_past_the_grace_kills_the_engine_and_the_next_attempt_begins() {
    let played = check(
        protocol_limits(),
        &[Does::Nothing, Does::Says(SECOND, "bestmove f2f3")],
        true,
    );
    assert_eq!(played.restarts, [Side::White]);
    assert_eq!(played.record.failed_attempts[0].end, AttemptEnd::Silent);
    assert_eq!(played.record.failed_attempts[0].time_us, 31_000_000, "limit and grace");
    assert_eq!(played.spoilt, [false; 2]);
    assert!(played.transcript.contains("killed and started anew"));
}

#[test]
fn silence_at_the_last_attempt_loses_and_spoils_the_process() {
    let played = check(protocol_limits(), &[Does::Nothing; 3], false);
    assert_eq!(played.record.termination, WHITE_OVERRAN);
    assert_eq!(played.restarts, [Side::White; 2]);
    assert_eq!(played.spoilt, [true, false]);
    assert_eq!(played.took, 3 * 31 * SECOND);
}

#[test]
fn an_engine_that_does_not_take_its_go_has_its_limit_from_the_first_try() {
    let played = check(
        protocol_limits(),
        &[Does::ReadsNothing, Does::Says(SECOND, "bestmove f2f3")],
        true,
    );
    assert_eq!(played.record.failed_attempts[0].time_us, 30_000_000);
    assert_eq!(played.record.failed_attempts[0].end, AttemptEnd::Silent);
    assert_eq!(played.restarts, [Side::White]);
}

#[test]
fn illegal_moves_and_overruns_share_the_attempts() {
    let script = [
        Does::Says(SECOND, "bestmove e2e5"),
        Does::OverrunsThen(MILLI, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove nonsense"),
    ];
    let played = check(protocol_limits(), &script, false);
    assert_eq!(
        played.record.termination,
        Termination::IllegalMove { by: Side::White },
        "the last failure names it"
    );
    let ends: Vec<_> = played
        .record
        .failed_attempts
        .iter()
        .map(|attempt| attempt.end.clone())
        .collect();
    let illegal = AttemptEnd::Illegal("e2e5".to_owned());
    assert_eq!(
        ends,
        [illegal, AttemptEnd::Late, AttemptEnd::Unparsable("nonsense".to_owned())]
    );
}

#[test]
fn attempts_apart_are_counted_apart() {
    let limits = GameLimits {
        attempts: Attempts::Apart {
            overruns: 2,
            illegal: 2,
        },
        ..protocol_limits()
    };
    let script = [
        Does::Says(SECOND, "bestmove e2e5"),
        Does::OverrunsThen(MILLI, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove f2f3"),
    ];
    check(limits.clone(), &script, true);
    let played = check(limits, &[script[0], script[1], script[0]], false);
    assert_eq!(played.record.termination, Termination::IllegalMove { by: Side::White });
}

#[test]
fn one_illegal_attempt_loses_at_once() {
    let limits = GameLimits {
        attempts: Attempts::Apart {
            overruns: 1,
            illegal: 1,
        },
        ..protocol_limits()
    };
    for said in [
        "bestmove a1a1",
        "bestmove (none)",
        "bestmove 0000",
        "bestmove",
        "bestmove e7e5",
        "bestmove xyzzy",
    ] {
        let played = check(limits.clone(), &[Does::Says(SECOND, said)], false);
        assert_eq!(
            played.record.termination,
            Termination::IllegalMove { by: Side::White },
            "{said}"
        );
    }
}

#[test]
fn attempts_start_anew_with_each_move() {
    let illegal = Does::Says(SECOND, "bestmove a1a1");
    let script = [
        illegal,
        illegal,
        Does::Says(SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove e7e5"),
        illegal,
        illegal,
        Does::Says(SECOND, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let played = Script::new(spec(protocol_limits())).play(&script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.failed_attempts.len(), 4);
}

/// The reference protocol, with 30 s that all attempts at a move share.
fn shared_limit() -> GameLimits {
    GameLimits {
        attempts_share: true,
        ..protocol_limits()
    }
}

#[test]
fn attempts_that_share_a_limit_have_what_is_left_of_it() {
    let script = [
        Does::Says(20 * SECOND, "bestmove 0000"),
        Does::Says(9 * SECOND, "bestmove 0000"),
        Does::Says(SECOND, "bestmove f2f3"),
    ];
    let played = check(shared_limit(), &script, true);
    assert_eq!(
        &played.gos()[..4],
        [
            "go movetime 29950",
            "go movetime 9950",
            "go movetime 950",
            "go movetime 29950"
        ]
    );
    assert_eq!(played.record.failed_attempts.len(), 2);
    assert_eq!(played.record.time_us[0], 1_000_000);
    let asked_ready = played.sent.iter().filter(|text| *text == "isready\n").count();
    assert_eq!(asked_ready, 0, "no time is given away between the attempts");
    // A microsecond more is an overrun, which leaves nothing for another attempt.
    let late = [script[0], Does::Says(10 * SECOND + MICRO, "bestmove f2f3")];
    let played = check(shared_limit(), &late, false);
    assert_eq!(played.record.termination, WHITE_OVERRAN);
    assert_eq!(played.took, 30 * SECOND + MICRO);
    let alone = check(shared_limit(), &[Does::OverrunsThen(MILLI, "bestmove f2f3")], false);
    assert_eq!(
        (alone.record.termination, alone.record.last_attempts()),
        (WHITE_OVERRAN, 1)
    );
}

#[test]
fn a_refused_answer_that_leaves_nothing_of_a_shared_limit_loses() {
    let limits = GameLimits {
        margins: [SECOND; 2],
        ..shared_limit()
    };
    let used_up = Does::Says(30 * SECOND + 500 * MILLI, "bestmove 0000");
    let played = check(limits.clone(), &[used_up], false);
    assert_eq!(played.record.termination, Termination::IllegalMove { by: Side::White });
    // The margin is granted once, to the last attempt.
    let script = [
        Does::Says(29 * SECOND, "bestmove 0000"),
        Does::Says(2 * SECOND, "bestmove f2f3"),
    ];
    assert_eq!(check(limits, &script, true).record.time_us[0], 2_000_000);
}

#[test]
fn attempts_share_the_limit_beside_bounds_and_as_many_as_there_are() {
    let limits = GameLimits {
        time_controls: [0, 1].map(|_| "nodes=9".parse().expect("a time control")),
        attempts: Attempts::Apart {
            overruns: 3,
            illegal: 2,
        },
        ..shared_limit()
    };
    let half = Does::Says(30 * SECOND, "bestmove 0000");
    let played = check(limits.clone(), &[half, Does::Says(30 * SECOND, "bestmove f2f3")], true);
    assert_eq!(played.record.failed_attempts.len(), 1);
    let played = check(limits, &[half, Does::Says(SECOND, "bestmove 0000")], false);
    assert_eq!(played.record.termination, Termination::IllegalMove { by: Side::White });
}

/// White has a time per move, Black a clock: the attempts of one side take nothing from the other.
#[test]
fn what_attempts_share_is_of_their_side() {
    let limits = GameLimits {
        time_controls: [
            Limit::MoveTime(30 * SECOND).into(),
            Limit::Clock(Clock::sudden_death(60 * SECOND)).into(),
        ],
        ..shared_limit()
    };
    let script = [
        Does::Says(10 * SECOND, "bestmove 0000"),
        Does::Says(SECOND, "bestmove f2f3"),
        Does::Says(20 * SECOND, "bestmove 0000"),
        Does::Says(SECOND, "bestmove e7e5"),
        Does::Says(SECOND, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(
        played.gos(),
        [
            "go movetime 29950",
            "go movetime 19950",
            "go wtime 30000 btime 60000 winc 0 binc 0",
            "go wtime 30000 btime 40000 winc 0 binc 0",
            "go movetime 29950",
            "go wtime 30000 btime 39000 winc 0 binc 0",
        ]
    );
}

#[test]
fn an_engine_that_goes_loses_at_once_with_its_end_recorded() {
    for (end, termination) in [
        (EngineEnd::Exited(3), Termination::Crash { by: Side::Black }),
        (EngineEnd::Signalled(6), Termination::Crash { by: Side::Black }),
        (EngineEnd::KeeperLost, Termination::Crash { by: Side::Black }),
        (EngineEnd::ClosedPipe, Termination::Disconnect { by: Side::Black }),
    ] {
        let script = [Does::Says(SECOND, "bestmove e2e4"), Does::Goes(end)];
        let played = Script::new(spec(protocol_limits())).play(&script);
        assert_eq!(played.record.termination, termination);
        assert_eq!(played.record.outcome, Outcome::WhiteWins);
        assert_eq!(played.record.engine_end, Some(end));
        assert_eq!(played.spoilt, [false, true]);
    }
}
