//! A record that contradicts itself, or the game that was to be played, is refused: many small changes to games of
//! several kinds. All other tests show that records of games as they are played are accepted: [`Game::finish`] checks
//! each.

use super::*;
use crate::resource::{Overuse, Resource};
use crate::termination::{Outcome, Termination};

/// Games with clocks, attempts, doubt and ended processes, with their tasks.
fn games() -> Vec<(GameSpec, GameRecord)> {
    let mate = moves(&FOOLS_MATE);
    let late = |say| [&[Does::OverrunsThen(MILLI, "bestmove f2f3"), say], &mate[1..]].concat();
    let play = |limits: GameLimits, measured: &[MeasuredTime], script: &[Does]| {
        let spec = spec(limits);
        let mut game = Script::new(spec.clone());
        game.measured = measured.to_vec().into();
        (spec, game.play(script).record)
    };
    let paused = MeasuredTime {
        pauses: 5 * SECOND,
        ..MeasuredTime::default()
    };
    let in_doubt = [&[Does::Says(5_200 * MILLI, "bestmove f2f3")], &mate[1..]].concat();
    let hourglass = GameLimits {
        time_controls: both(Limit::Hourglass(10 * SECOND)),
        ..protocol_limits()
    };
    let silent = [&mate[..3], &[Does::Nothing]].concat();
    let over = EngineEnd::OverLimit(Overuse {
        resource: Resource::Memory,
        used: 2,
        limit: 1,
    });
    vec![
        play(clock_limits(10 * SECOND, 100 * MILLI, None), &[], &mate),
        play(clock_limits(3 * SECOND, 100 * MILLI, None), &[paused], &in_doubt),
        play(hourglass, &[], &mate),
        play(protocol_limits(), &[], &late(Does::Says(MILLI, "bestmove f2f3"))),
        play(protocol_limits(), &[], &[Does::Says(MILLI, "bestmove e2e5"); 3]),
        play(protocol_limits(), &[], &[Does::OverrunsThen(MILLI, "bestmove e2e4"); 3]),
        play(clock_limits(SECOND, MILLI, None), &[], &silent),
        play(
            protocol_limits(),
            &[],
            &[&mate[..2], &[Does::Goes(EngineEnd::Exited(1))]].concat(),
        ),
        play(
            protocol_limits(),
            &[],
            &[&mate[..2], &[Does::Goes(EngineEnd::ClosedPipe)]].concat(),
        ),
        play(protocol_limits(), &[], &[&mate[..2], &[Does::Goes(over)]].concat()),
    ]
}

/// Every change that makes a record impossible.
fn changed(record: &GameRecord) -> Vec<(String, GameRecord)> {
    let mut all: Vec<(String, GameRecord)> = Vec::new();
    let mut with = |what: String, change: &dyn Fn(&mut GameRecord)| {
        let mut other = record.clone();
        change(&mut other);
        all.push((what, other));
    };
    with("another game".to_owned(), &|other| other.id.game += 1);
    with("other colours".to_owned(), &|other| {
        (other.white, other.black) = (other.black, other.white);
    });
    with("another version".to_owned(), &|other| other.version += 1);
    with("another start".to_owned(), &|other| {
        other.opening.fen = Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned());
    });
    for ply in 0..record.plies() {
        with(format!("an illegal move at {ply}"), &|other| {
            let mut words: Vec<&str> = other.moves.split(' ').collect();
            words[ply] = "a1h8";
            other.moves = words.join(" ");
        });
        with(format!("a move of a minute at {ply}"), &|other| {
            other.time_us[ply] += 60_000_000
        });
        if !record.clock_us.is_empty() {
            with(format!("a little more time at {ply}"), &|other| {
                other.clock_us[ply] += 1_000
            });
            with(format!("a little less time at {ply}"), &|other| {
                other.clock_us[ply] -= 1_000
            });
            with(format!("a shorter move at {ply}"), &|other| other.time_us[ply] = 0);
        }
        with(format!("no time at {ply}"), &|other| {
            other.time_us.remove(ply);
        });
        with(format!("a short column from {ply}"), &|other| {
            other.depth = vec![Some(1); ply + 5]
        });
        with(format!("an attempt at {ply}"), &|other| {
            let attempt = crate::record::FailedAttempt {
                ply: u32::try_from(ply).expect("few"),
                side: record.side_at(ply),
                attempt: 9,
                time_us: 1,
                end: AttemptEnd::Empty,
                wakeup_us: None,
                service_us: None,
                ready_us: None,
                doubt: None,
                meant: None,
            };
            other.failed_attempts.push(attempt);
        });
    }
    with("one more move".to_owned(), &|other| {
        other.moves = format!("{} a7a6", other.moves).trim().to_owned();
        other.time_us.push(1);
    });
    let outcomes = [
        Outcome::WhiteWins,
        Outcome::BlackWins,
        Outcome::Draw,
        Outcome::BothLose,
        Outcome::Void,
    ];
    for outcome in outcomes {
        if outcome != record.outcome {
            with(format!("{outcome:?}"), &|other| other.outcome = outcome);
        }
    }
    // The arbiter may end any game; whether that happened is recorded elsewhere.
    for termination in Termination::all().filter(|end| *end != Termination::ArbiterAdjudication) {
        if termination.word() != record.termination.word() {
            with(termination.word().to_owned(), &|other| other.termination = termination);
        }
    }
    for at in 0..record.failed_attempts.len() {
        with(format!("attempt {at} of the other side"), &|other| {
            let side = &mut other.failed_attempts[at].side;
            *side = side.other();
        });
        with(format!("attempt {at} of another number"), &|other| {
            other.failed_attempts[at].attempt += 1
        });
        with(format!("attempt {at} of the other kind"), &|other| {
            let failed = &mut other.failed_attempts[at];
            failed.end = match failed.end.is_overrun() {
                true => AttemptEnd::Empty,
                false => AttemptEnd::Late,
            };
        });
        if record.failed_attempts[at].end == AttemptEnd::Late {
            with(format!("attempt {at} in time"), &|other| {
                other.failed_attempts[at].time_us = 1_000
            });
        }
        if !record.termination.is_fault() {
            continue;
        }
        with(format!("without attempt {at}"), &|other| {
            other.failed_attempts.remove(at);
        });
    }
    for at in 0..record.in_doubt.len() {
        with(format!("without the doubt of answer {at}"), &|other| {
            other.in_doubt.remove(at);
        });
        with(format!("less doubt of answer {at}"), &|other| {
            other.in_doubt[at].doubt.pauses_us = 1
        });
        with(format!("a longer limit of answer {at}"), &|other| {
            other.in_doubt[at].limit_us += 1_000
        });
    }
    with("another end of a process".to_owned(), &|other| {
        other.engine_end = match other.engine_end {
            Some(EngineEnd::ClosedPipe) => Some(EngineEnd::Exited(0)),
            _ => Some(EngineEnd::ClosedPipe),
        };
    });
    all
}

#[test]
fn a_record_that_contradicts_itself_or_its_task_is_refused() {
    let mut refused = 0;
    for (number, (spec, record)) in games().iter().enumerate() {
        assert_eq!(record.check(spec), Ok(()), "{record:#?}");
        for (what, other) in changed(record) {
            assert!(other.check(spec).is_err(), "game {number}: {what}: {other:#?}");
            refused += 1;
        }
    }
    assert!(refused >= 400, "{refused}");
}
