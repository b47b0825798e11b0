//! Sides that are asked over the network: "queueing and failed tries are off the clock and told beside it".

use proptest::prelude::*;

use super::*;
use crate::termination::{Outcome, Termination};

fn play(limits: GameLimits, told: &[(Duration, Option<AttemptEnd>)], script: &[Does]) -> PlayedGame {
    let mut game = Script::new(spec(limits));
    game.told = told.to_vec().into();
    game.play(script)
}

fn control(text: &str) -> GameLimits {
    let control: TimeControl = text.parse().unwrap_or_else(|error| panic!("{error}"));
    GameLimits {
        time_controls: [control.clone(), control],
        ..protocol_limits()
    }
}

const fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

#[test]
fn what_was_the_services_is_off_the_clock_and_stands_beside_it() {
    let script = [
        Does::Says(12 * SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove e7e5"),
        Does::Says(SECOND, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let limits = clock_limits(10 * SECOND, SECOND, None);
    // Nothing is said of the last two answers.
    let told = [(9 * SECOND, None), (Duration::ZERO, None)];
    let played = play(limits.clone(), &told, &script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.time_us, [3_000_000, 1_000_000, 1_000_000, 1_000_000]);
    assert_eq!(played.record.clock_us, [8_000_000, 10_000_000, 8_000_000, 10_000_000]);
    assert_eq!(played.record.service_us, [Some(9_000_000), None, None, None]);
    assert!(played.record.in_doubt.is_empty(), "it was no doubt");
    // Without the broker's word the time is the side's own, and no more than the wait can be the service's.
    let fallen = play(limits.clone(), &[], &script[..1]);
    assert_eq!(fallen.record.termination, Termination::TimeForfeit { by: Side::White });
    let played = play(limits, &[(60 * SECOND, None)], &script);
    assert_eq!(
        (played.record.time_us[0], played.record.service_us[0]),
        (0, Some(12_000_000))
    );
    // Without a service the record is written as before.
    let written = serde_json::to_string(&fallen.record).expect("JSON");
    assert!(
        !written.contains("service_us") && !written.contains("calls"),
        "{written}"
    );
}

/// A game polled by hand until White's first move is waited for, and the deadline of that.
fn asked(limits: GameLimits) -> (Game, Duration) {
    let mut game = Game::new(spec(limits)).expect("a legal opening");
    loop {
        match game.poll(Duration::ZERO) {
            Output::Send { .. } => game.handle(Duration::ZERO, Input::Sent { was_full: false }),
            Output::Wait { .. } if game.outgoing().ends_with(b"isready\n") => {
                game.handle(Duration::ZERO, Input::Line(b"readyok"));
            }
            Output::Wait { until, .. } => return (game, until),
            other => panic!("{other:?}"),
        }
    }
}

fn served(service: Duration) -> Input<'static> {
    Input::Doubt(MeasuredTime {
        service,
        ..MeasuredTime::default()
    })
}

/// Passes the deadline, with `service` as the service's part of the time until then; returns the next deadline.
fn deadline(game: &mut Game, at: Duration, service: Duration) -> Duration {
    game.handle(at, Input::Deadline);
    assert!(matches!(game.poll(at), Output::Doubt { answered: false, .. }));
    game.handle(at, served(service));
    match game.poll(at) {
        Output::Wait { until, .. } | Output::Send { until, .. } => until,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_deadline_moves_by_what_is_the_services_and_the_answer_counts_it_once() {
    let (mut game, until) = asked(protocol_limits());
    assert_eq!(until, 30 * SECOND);
    assert_eq!(deadline(&mut game, until, 20 * SECOND), 50 * SECOND);
    assert_eq!(deadline(&mut game, 50 * SECOND, 25 * SECOND), 55 * SECOND);
    // 54 s, of which 24 s were the service's: to the microsecond.
    let mut late = asked(protocol_limits()).0;
    let after = 54 * SECOND + MICRO;
    late.of_service(24 * SECOND, None);
    late.handle(after, Input::Line(b"bestmove f2f3"));
    assert!(matches!(late.poll(after), Output::Doubt { answered: true, .. }));
    late.handle(after, served(24 * SECOND));
    assert!(
        matches!(late.poll(after), Output::Send { side: Side::White, .. }),
        "it has to get in step"
    );
    game.of_service(24 * SECOND, None);
    game.handle(54 * SECOND, Input::Line(b"bestmove f2f3"));
    assert!(matches!(game.poll(54 * SECOND), Output::Send { side: Side::Black, .. }));
    game.end_by_arbiter(Outcome::Draw);
    late.end_by_arbiter(Outcome::Draw);
    let (record, _) = game.finish();
    assert_eq!(
        (record.time_us, record.service_us),
        (vec![30_000_000], vec![Some(24_000_000)])
    );
    let (record, _) = late.finish();
    let [failed] = &record.failed_attempts[..] else {
        panic!("{:?}", record.failed_attempts);
    };
    assert_eq!(
        (&failed.end, failed.time_us, failed.service_us),
        (&AttemptEnd::Late, 30_000_001, Some(24_000_000))
    );
    assert_eq!(
        failed.doubt.map(|doubt| (doubt.service_us, doubt.doubt_us)),
        Some((0, 0))
    );
}

/// The broker had said that the service takes the time, and then finds that it answers others.
#[test]
fn an_answer_is_late_after_the_broker_took_its_time_back() {
    let (mut game, until) = asked(protocol_limits());
    assert_eq!(deadline(&mut game, until, 5 * SECOND), 35 * SECOND);
    game.of_service(SECOND, None);
    let after = 33 * SECOND;
    game.handle(after, Input::Line(b"bestmove f2f3"));
    game.handle(after, served(5 * SECOND));
    let Output::Send { side: Side::White, .. } = game.poll(after) else {
        panic!("it has to get in step");
    };
    game.end_by_arbiter(Outcome::Draw);
    let failed = game.finish().0.failed_attempts.remove(0);
    assert_eq!(
        (failed.end, failed.time_us, failed.service_us),
        (AttemptEnd::Late, 32_000_000, Some(1_000_000))
    );
}

#[test]
fn silence_has_what_was_the_services_in_its_doubt() {
    let (mut game, until) = asked(protocol_limits());
    assert_eq!(deadline(&mut game, until, 5 * SECOND), 35 * SECOND);
    // The doubt grows no more: `stop`, and the grace.
    assert_eq!(deadline(&mut game, 35 * SECOND, 5 * SECOND), 36 * SECOND);
    assert_eq!(game.outgoing(), b"stop\n");
    game.handle(35 * SECOND, Input::Sent { was_full: false });
    assert!(matches!(game.poll(35 * SECOND), Output::Wait { .. }));
    game.handle(36 * SECOND, Input::Deadline);
    game.handle(36 * SECOND, served(5 * SECOND));
    assert!(matches!(
        game.poll(36 * SECOND),
        Output::Restart { side: Side::White, .. }
    ));
    game.end_by_arbiter(Outcome::Draw);
    let failed = game.finish().0.failed_attempts.remove(0);
    let doubt = failed.doubt.expect("it was looked into");
    assert_eq!(
        (failed.end, failed.time_us, failed.service_us),
        (AttemptEnd::Silent, 36_000_000, None)
    );
    assert_eq!((doubt.service_us, doubt.doubt_us), (5_000_000, 5_000_000));
    assert!(
        doubt.figures().starts_with("the service took 5.000 s; "),
        "{}",
        doubt.figures()
    );
    let written = serde_json::to_string(&doubt).expect("JSON");
    assert_eq!(
        serde_json::from_str::<crate::doubt::Doubt>(&written).expect("as written"),
        doubt
    );
}

/// "The broker's word alone counts", whatever the answer says.
#[test]
fn the_broker_says_how_an_attempt_failed() {
    let ends = [AttemptEnd::Empty, AttemptEnd::Truncated, AttemptEnd::Refused];
    let told: Vec<_> = ends.iter().map(|end| (SECOND, Some(end.clone()))).collect();
    let script = [
        Does::Says(2 * SECOND, "bestmove f2f3"),
        Does::Says(3 * SECOND, "bestmove (none)"),
        Does::Says(4 * SECOND, "bestmove resign"),
    ];
    let limits = GameLimits {
        resigns: [true; 2],
        ..protocol_limits()
    };
    let played = play(limits, &told, &script);
    assert_eq!(played.record.termination, Termination::IllegalMove { by: Side::White });
    let failed = &played.record.failed_attempts;
    let found: Vec<_> = failed
        .iter()
        .map(|failed| (failed.end.clone(), failed.time_us, failed.service_us))
        .collect();
    let expected = [1_000_000, 2_000_000, 3_000_000].into_iter().zip(ends);
    let expected: Vec<_> = expected.map(|(time, end)| (end, time, Some(1_000_000))).collect();
    assert_eq!(found, expected);
    assert!(played.restarts.is_empty(), "nothing was killed");
    // An answer that comes too late is late, however it failed.
    let refused = [(Duration::ZERO, Some(AttemptEnd::Refused))];
    let limits = clock_limits(10 * SECOND, SECOND, None);
    let played = play(limits, &refused, &[Does::Says(11 * SECOND, "bestmove f2f3")]);
    assert_eq!(played.record.failed_attempts[0].end, AttemptEnd::Late);
}

/// Attempts that share a time per move do not share the service's time.
#[test]
fn attempts_share_what_is_their_own() {
    let limits = || GameLimits {
        attempts_share: true,
        ..control("10s/move")
    };
    let told = [(5 * SECOND, Some(AttemptEnd::Refused)), (5 * SECOND, None)];
    let script = |second| {
        [
            &[
                Does::Says(8 * SECOND, "bestmove a1a1"),
                Does::Says(second, "bestmove f2f3"),
            ],
            &moves(&FOOLS_MATE)[1..],
        ]
        .concat()
    };
    let played = play(limits(), &told, &script(12 * SECOND));
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.time_us[0], 7_000_000);
    let late = play(limits(), &told, &script(12 * SECOND + MICRO)[..2]);
    assert_eq!(late.record.termination, Termination::TimeForfeit { by: Side::White });
}

#[test]
fn who_is_no_engine_may_resign() {
    let limits = GameLimits {
        resigns: [false, true],
        ..protocol_limits()
    };
    let script = [
        Does::Says(SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove ReSign"),
    ];
    let played = play(limits.clone(), &[], &script);
    let (outcome, termination) = (played.record.outcome, played.record.termination);
    assert_eq!(
        (outcome, termination),
        (Outcome::WhiteWins, Termination::Resignation { by: Side::Black })
    );
    assert!(played.record.failed_attempts.is_empty() && !played.record.has_faults());
    assert_eq!((played.record.plies(), played.spoilt), (1, [false; 2]));
    // From an engine it is not a move.
    let played = play(limits, &[], &[Does::Says(SECOND, "bestmove resign"); 3]);
    assert_eq!(played.record.termination, Termination::IllegalMove { by: Side::White });
    let unparsable = AttemptEnd::Unparsable("resign".to_owned());
    assert!(
        played
            .record
            .failed_attempts
            .iter()
            .all(|failed| failed.end == unparsable)
    );
}

proptest! {
    /// Whatever part of a wait was the service's, clocks and times are as if it had taken none.
    #[test]
    fn clocks_are_as_if_the_service_had_taken_nothing(
        own in proptest::collection::vec(0..4_000_u64, 8),
        services in proptest::collection::vec(0..90_000_u64, 8),
        which in 0..6_usize,
    ) {
        let kind = ["1:00+2", "G/1 d3", "40/90 SD/30 d5", "hourglass 1:00", "20s/move", "G/90 +30"][which];
        let line = ["bestmove g1f3", "bestmove g8f6", "bestmove f3g1", "bestmove f6g8"].into_iter().cycle();
        let limits = GameLimits { max_plies: Some(7), ..control(kind) };
        let run = |services: &[u64]| {
            let told: Vec<_> = services.iter().map(|service| (ms(*service), None)).collect();
            let waits = own.iter().zip(services).map(|(own, service)| ms(own + service));
            let script: Vec<_> = waits.zip(line.clone()).take(7).map(|(wait, said)| Does::Says(wait, said)).collect();
            play(limits.clone(), &told, &script)
        };
        let (with, without) = (run(&services), run(&[0; 8]));
        prop_assert_eq!(&with.record.time_us, &without.record.time_us);
        prop_assert_eq!(&with.record.clock_us, &without.record.clock_us);
        prop_assert_eq!(with.gos(), without.gos());
        prop_assert_eq!(with.record.termination, Termination::MoveCap);
    }
}
