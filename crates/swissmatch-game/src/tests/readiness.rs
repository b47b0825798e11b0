//! No time is given away for getting ready: after a failed attempt, as a new process, between games.

use super::*;
use crate::play::PreparationTime;
use crate::record::AttemptEnd;
use crate::termination::{Outcome, Termination};

const AT_ONCE: Duration = Duration::ZERO;
const REFUSED: Does = Does::Says(Duration::from_secs(10), "bestmove a1a1");

/// A game whose first move fails like this before fool's mate is played.
fn after(failed: &[Does], ready: &[Duration], starts: &[Duration]) -> PlayedGame {
    let script = [failed, &moves(&FOOLS_MATE)].concat();
    let ready = [&[AT_ONCE; 2], ready].concat();
    let played = Script::new(spec(protocol_limits()))
        .slowly(&ready, starts)
        .play(&script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    played
}

fn ends(played: &PlayedGame) -> Vec<(AttemptEnd, u64, Option<u64>)> {
    let attempts = played.record.failed_attempts.iter();
    attempts
        .map(|attempt| (attempt.end.clone(), attempt.time_us, attempt.ready_us))
        .collect()
}

/// "After a refused answer, getting ready has what is left of that attempt's limit."
#[test]
fn after_a_refused_answer_the_limit_runs_on() {
    let refused = AttemptEnd::Illegal("a1a1".to_owned());
    let played = after(&[REFUSED], &[20 * SECOND], &[]);
    assert_eq!(ends(&played), [(refused.clone(), 10_000_000, Some(20_000_000))]);
    let played = after(&[REFUSED], &[20 * SECOND + MICRO], &[]);
    let expected = [
        (refused, 10_000_000, None),
        (AttemptEnd::OutOfStep, 20_000_000, Some(0)),
    ];
    assert_eq!(ends(&played), expected, "the next attempt has failed too");
    assert_eq!(played.restarts, [Side::White]);
    assert_eq!(played.record.failed_attempts[1].attempt, 2);
}

/// "After an overrun a small key (`engine.step_limit`, 1 s)."
#[test]
fn after_an_overrun_it_has_the_step_limit() {
    let late = Does::OverrunsThen(MILLI, "bestmove f2f3");
    let played = after(&[late], &[SECOND], &[]);
    assert_eq!(ends(&played), [(AttemptEnd::Late, 30_001_000, Some(1_000_000))]);
    let played = after(&[late], &[SECOND + MICRO], &[]);
    let expected = [
        (AttemptEnd::Late, 30_001_000, None),
        (AttemptEnd::OutOfStep, 1_000_000, Some(0)),
    ];
    assert_eq!(ends(&played), expected);
}

/// "A start in mid-game may take as long as that agent's slowest start before the event plus `engine.step_limit`,
/// longer is one more failed attempt": the time ends when the engine is ready to be asked, after `ucinewgame`.
#[test]
fn a_start_in_mid_game_has_its_limit() {
    let played = after(&[Does::Nothing], &[SECOND], &[SECOND]);
    assert_eq!(ends(&played), [(AttemptEnd::Silent, 31_000_000, Some(2_000_000))]);
    for (ready, starts) in [(&[SECOND + MICRO][..], &[SECOND][..]), (&[], &[2 * SECOND + MICRO])] {
        let played = after(&[Does::Nothing], ready, starts);
        let expected = [
            (AttemptEnd::Silent, 31_000_000, None),
            (AttemptEnd::SlowStart, 2_000_000, Some(0)),
        ];
        assert_eq!(ends(&played), expected);
        assert_eq!(played.restarts, [Side::White; 2]);
    }
}

/// Failures to get ready are overruns: the last one names the ending, and no process is left.
#[test]
fn the_last_attempt_may_be_one_that_was_never_asked_for() {
    let ready = [AT_ONCE, AT_ONCE, 30 * SECOND];
    let starts = [3 * SECOND];
    let played = Script::new(spec(protocol_limits()))
        .slowly(&ready, &starts)
        .play(&[REFUSED]);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(played.record.last_attempts(), 3);
    assert_eq!(played.spoilt, [true, false]);
    assert_eq!(played.took, 10 * SECOND + 20 * SECOND + 2 * SECOND);
}

/// "Between games each process has `engine.ready_limit` once and `engine.step_limit` more for each game that it began."
#[test]
fn between_games_time_adds_up() {
    let used = |time, games| PreparationTime { time, games };
    let begin = |white: PreparationTime, ready: &[Duration]| {
        let mut script = Script::new(spec(protocol_limits())).slowly(ready, &[]);
        script.game = script.game.after([white, PreparationTime::default()]);
        script
    };
    // 10 s once, and 1 s for the game before.
    let script = begin(used(9 * SECOND, 1), &[2 * SECOND]);
    let played = script.play(&moves(&FOOLS_MATE));
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.ready_us, [2_000_000, 0]);
    let played = begin(used(9 * SECOND, 1), &[2 * SECOND + MICRO]).play(&[]);
    assert_eq!(played.record.termination, Termination::NotReady { by: Side::White });
    assert_eq!(played.record.outcome, Outcome::BlackWins);
    assert_eq!(played.spoilt, [false; 2], "it is in step, and may play the next game");
    // An engine that has used more already is not asked; silence until the end of the time exceeds the sum too.
    let played = begin(used(11 * SECOND + MICRO, 1), &[]).play(&[]);
    assert_eq!(played.record.termination, Termination::NotReady { by: Side::White });
    assert_eq!(played.sent.len(), 1, "{:?}", played.sent);
    let played = begin(used(9 * SECOND, 1), &[60 * SECOND]).play(&[]);
    assert_eq!(played.record.termination, Termination::NotReady { by: Side::White });
    assert_eq!(played.spoilt, [true, false]);
    // "And that game adds to the sum."
    for (both_failed, outcome) in [(BothFailed::Lost, Outcome::BothLose), (BothFailed::Void, Outcome::Void)] {
        let limits = GameLimits {
            both_failed,
            ..protocol_limits()
        };
        let mut game = Game::new(spec(limits)).expect("a legal opening");
        game = game.after([used(11 * SECOND + MICRO, 1); 2]);
        assert_eq!(game.poll(Duration::ZERO), Output::Over);
        assert_eq!(game.prepared(Side::White).games, 2);
        let (record, _) = game.finish();
        assert_eq!(
            (record.outcome, record.termination),
            (outcome, Termination::NeitherReady)
        );
    }
}
