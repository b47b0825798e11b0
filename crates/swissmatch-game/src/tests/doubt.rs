//! "An answer within the limit plus the doubt is in time."

use super::*;
use crate::record::AttemptEnd;
use crate::termination::{Outcome, Termination};

fn paused(time: Duration) -> MeasuredTime {
    MeasuredTime {
        pauses: time,
        ..MeasuredTime::default()
    }
}

fn play(limits: GameLimits, measured: &[MeasuredTime], script: &[Does]) -> PlayedGame {
    let mut game = Script::new(spec(limits));
    game.measured = measured.to_vec().into();
    game.play(script)
}

fn then_mate(first: Does) -> Vec<Does> {
    [&[first], &moves(&FOOLS_MATE)[1..]].concat()
}

/// The runner is stopped for five seconds under 3+0.1: the answer is read after that. "A clock goes no lower than
/// zero before the increment."
#[test]
fn the_stopped_runner_loses_nobody_a_game() {
    let limits = clock_limits(3 * SECOND, 100 * MILLI, None);
    let script = then_mate(Does::Says(5_200 * MILLI, "bestmove f2f3"));
    let played = play(limits.clone(), &[paused(5 * SECOND)], &script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.clock_us[0], 100_000);
    assert_eq!(played.record.time_us[0], 5_200_000);
    let [answer] = &played.record.in_doubt[..] else {
        panic!("{:?}", played.record.in_doubt);
    };
    assert_eq!((answer.ply, answer.side, answer.time_us), (0, Side::White, 5_200_000));
    assert_eq!(
        (answer.limit_us, answer.doubt.pauses_us, answer.doubt.doubt_us),
        (3_000_000, 5_000_000, 5_000_000)
    );
    assert_eq!(played.record.in_doubt_of_sides(), [1, 0]);
    assert!(played.transcript.contains("in time: "), "{}", played.transcript);
    // To the microsecond.
    let script = then_mate(Does::Says(5_200 * MILLI, "bestmove f2f3"));
    play(limits.clone(), &[paused(2_200 * MILLI)], &script);
    let short = paused(2_200 * MILLI - MICRO);
    let played = play(limits, &[short], &script[..1]);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(
        played.record.failed_attempts[0].doubt.map(|doubt| doubt.doubt_us),
        Some(2_199_999)
    );
}

/// "At the deadline the doubt so far moves it, again until it moves no more."
#[test]
fn a_deadline_moves() {
    let mut game = Game::new(spec(protocol_limits())).expect("a legal opening");
    let mut now = Duration::ZERO;
    let mut waits = Vec::new();
    let mut doubts = [2 * SECOND, 3 * SECOND, 3 * SECOND].into_iter();
    let stopped = loop {
        match game.poll(now) {
            Output::Send { begins, .. } if game.outgoing() == b"stop\n" => break begins,
            Output::Send { .. } => game.handle(now, Input::Sent { was_full: false }),
            Output::Wait { .. } if game.outgoing().ends_with(b"isready\n") => game.handle(now, Input::Line(b"readyok")),
            Output::Wait { until, .. } => {
                waits.push(until);
                now = until;
                game.handle(now, Input::Deadline);
            }
            Output::Doubt { side, since, answered } => {
                assert_eq!((side, since, answered), (Side::White, Duration::ZERO, false));
                let doubt = doubts.next().expect("no doubt more than that");
                game.handle(now, Input::Doubt(paused(doubt)));
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(waits, [30 * SECOND, 32 * SECOND, 33 * SECOND]);
    assert!(!stopped, "the time is still that of the `go`");
    // An answer after `stop` is judged by the doubt up to then.
    game.handle(now, Input::Sent { was_full: false });
    let Output::Wait { until, .. } = game.poll(now) else {
        panic!("the answer is waited for");
    };
    assert_eq!(until, 34 * SECOND, "the grace");
    now += 100 * MILLI;
    game.handle(now, Input::Line(b"bestmove f2f3"));
    assert!(matches!(game.poll(now), Output::Doubt { answered: true, .. }));
    game.handle(now, Input::Doubt(paused(3_100 * MILLI)));
    assert!(matches!(game.poll(now), Output::Send { side: Side::Black, .. }));
}

/// Silence is judged in the same way, and the measurement is in the record.
#[test]
fn silence_has_its_doubt() {
    let script = [Does::Nothing, Does::Says(SECOND, "bestmove f2f3")];
    let script = [&script, &moves(&FOOLS_MATE)[1..]].concat();
    // At the limit, again, at the end of the grace, again.
    let measured = [SECOND, SECOND, 3 * SECOND, 3 * SECOND].map(paused);
    let played = play(protocol_limits(), &measured, &script);
    let failed = &played.record.failed_attempts[0];
    assert_eq!((&failed.end, failed.time_us), (&AttemptEnd::Silent, 34_000_000));
    assert_eq!(failed.doubt.map(|doubt| doubt.doubt_us), Some(3_000_000));
}

/// After a refused answer within its doubt, the rest of limit and doubt is left to get in step.
#[test]
fn what_is_left_of_a_doubt_is_left_to_get_in_step() {
    let script = [&[Does::Says(32 * SECOND, "bestmove a1a1")], &moves(&FOOLS_MATE)[..]].concat();
    let mut game = Script::new(spec(protocol_limits())).slowly(&[Duration::ZERO, Duration::ZERO, SECOND], &[]);
    game.measured = [paused(3 * SECOND)].into();
    let played = game.play(&script);
    assert_eq!(played.record.failed_attempts.len(), 1);
    assert_eq!(played.record.failed_attempts[0].ready_us, Some(1_000_000));
}

/// The runner was stopped while an engine got ready, for the game and for its next attempt.
#[test]
fn getting_ready_has_its_doubt() {
    let late = Does::OverrunsThen(MILLI, "bestmove f2f3");
    let script = [&[late], &moves(&FOOLS_MATE)[..]].concat();
    let mut game = Script::new(spec(protocol_limits())).slowly(&[Duration::ZERO, Duration::ZERO, 5 * SECOND], &[]);
    // No doubt for the deadline and the late answer; then for getting in step.
    game.measured = [Duration::ZERO, Duration::ZERO, 5 * SECOND].map(paused).into();
    let played = game.play(&script);
    assert_eq!(played.record.failed_attempts.len(), 1);
    // At its deadline, and when it is ready five seconds later.
    let mut game = Script::new(spec(protocol_limits())).slowly(&[15 * SECOND, 5 * SECOND], &[]);
    game.measured = [6 * SECOND; 2].map(paused).into();
    let played = game.play(&moves(&FOOLS_MATE));
    assert_eq!(played.record.outcome, Outcome::BlackWins);
    assert_eq!(played.record.ready_us, [9_000_000, 0]);
}

/// Threads that burn beside the one that thinks give nobody time, on either side.
#[test]
fn burnt_time_is_no_doubt() {
    let burning = MeasuredTime {
        longest_wait: 25 * SECOND,
        waits: 200 * SECOND,
        ran: 60 * SECOND,
        ..MeasuredTime::default()
    };
    let limits = GameLimits {
        attempts: Attempts::Apart {
            overruns: 1,
            illegal: 1,
        },
        ..protocol_limits()
    };
    let late = [Does::Says(31 * SECOND, "bestmove f2f3")];
    let played = play(limits.clone(), &[burning], &late);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    // The other side burns: the mover waits, and runs no longer than its limit.
    let starved = MeasuredTime {
        longest_wait: 25 * SECOND,
        waits: 25 * SECOND,
        ran: 6 * SECOND,
        rested: 31 * SECOND,
        ..MeasuredTime::default()
    };
    let played = play(limits, &[starved], &then_mate(late[0]));
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.in_doubt[0].doubt.rested_us, 31_000_000);
}
