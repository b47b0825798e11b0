//! What is said of attempts at a move that share its limit.

use super::*;

/// Each attempt's share of a common limit, and the rule by which the game ended.
#[test]
fn attempts_that_share_a_limit_are_told_with_what_was_left() {
    let state = fixture::over_with(|setup| setup.game.attempts_share = true);
    let id = id(1, 2, 2);
    let mut record = record(&state, id);
    let failed = |attempt, time_us, end| FailedAttempt {
        ply: 3,
        side: Side::Black,
        attempt,
        time_us,
        end,
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    };
    let illegal = AttemptEnd::Illegal("0000".to_owned());
    record.failed_attempts = vec![failed(1, 20_000_000, illegal), failed(2, 10_000_001, AttemptEnd::Late)];
    let case = AppealCase {
        record: Some(&record),
        ..case(&state, id)
    };
    let told = text(&case, false).expect("a game");
    assert_snapshot!(section(&told, "How it ended, and by which rule"), @r#"
    0-1: White resigns (loses on time after 2 attempts).
    The attempts at a move have its limit together (game.attempts_share), so that an overrun leaves nothing for another; Delta's last attempt was one. It counts as a resignation.
    Measured: move 2... Bravo (Black), attempt 1, after 20.000 s: answered "0000", which is not legal; the limit is 30s.
    Measured: move 2... Bravo (Black), attempt 2, after 10.000 s: answered too late; the limit is 30s, of which the attempts before it had taken 20.000 s.
    The last move was 2. Nf3.
    The position at the end: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
    "#);
    let limits = section(&told, "Limits in force");
    let attempts: Vec<&str> = limits.lines().filter(|line| line.contains("attempts_share")).collect();
    assert_snapshot!(attempts.join("\n"), @"  The attempts at a move have its time per move together (game.attempts_share): an overrun loses, and so does the third illegal or unparsable answer, or one that leaves nothing of that time.");
    record.service_us = vec![None, Some(4_000_000), None];
    record.failed_attempts[0].end = AttemptEnd::Late;
    record.failed_attempts[0].service_us = Some(2_500_000);
    record.failed_attempts[1].end = AttemptEnd::Refused;
    record.failed_attempts[1].time_us = 1_000_000;
    let case = AppealCase {
        record: Some(&record),
        ..self::case(&state, id)
    };
    let told = text(&case, false).expect("a game");
    assert!(
        told.contains(
            "attempt 1, after 20.000 s, and 2.500 s of its service's that are off the clock: answered too late; the limit is 30s."
        ),
        "{told}"
    );
    assert!(told.contains("after 1.000 s: refused to answer; "), "{told}");
    assert!(
        told.contains("; its service took 6.500 s besides, off the clock."),
        "{told}"
    );
    let found = json(&case, false).expect("a game");
    let kinds = |place: usize| &found["failed_attempts"][place];
    assert_eq!(
        (&kinds(1)["kind"], &kinds(0)["service_us"]),
        (&json!("refused"), &json!(2_500_000))
    );
    let illegal = fixture::after_games(
        [(Outcome::BlackWins, Termination::IllegalMove { by: Side::White }); 2],
        |setup| {
            setup.game.attempts_share = true;
        },
    );
    let told = text(&self::case(&illegal, self::id(1, 1, 1)), false).expect("no record");
    assert_snapshot!(section(&told, "How it ended, and by which rule"), @"
    0-1: White makes an illegal move.
    The third illegal or unparsable answer at one move loses, and so does one that leaves nothing of the limit, which the attempts at a move have together (game.attempts_share); Alpha's last one was illegal or was not a move (game.illegal_attempts).
    ");
}
