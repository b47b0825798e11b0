//! "White's clock starts at the scheduled time, whether White is connected or not" (Immortal Game).

use super::*;
use crate::termination::Termination;

fn limits() -> GameLimits {
    clock_limits(10 * SECOND, 100 * MILLI, None)
}

/// Plays a script in which the engine of the side to move first comes `late`.
fn play(spec: GameSpec, late: Duration, script: &[Does]) -> PlayedGame {
    let mut played = Script::new(spec);
    played.game = played.game.by_schedule(late);
    played.now = late;
    played.play(script)
}

#[test]
fn what_white_is_late_is_taken_from_its_clock() {
    let played = play(spec(limits()), 4 * SECOND, &moves(&FOOLS_MATE));
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(
        played.gos()[..2],
        [
            "go wtime 6000 btime 10000 winc 100 binc 100",
            "go wtime 6099 btime 10000 winc 100 binc 100",
        ]
    );
    assert_eq!(played.record.late_us, Some(4_000_000));
    assert_eq!(played.record.time_us, [4_001_000, 1_000, 1_000, 1_000]);
    assert_eq!(played.record.clock_us, [6_099_000, 10_099_000, 6_198_000, 10_198_000]);
    assert_eq!(played.record.thinking()[0].time_us, 4_002_000);
}

#[test]
fn the_late_clock_falls_to_the_microsecond() {
    for (thinks, ending) in [
        (6 * SECOND, Termination::Checkmate),
        (6 * SECOND + MICRO, Termination::TimeForfeit { by: Side::White }),
    ] {
        let mut script = moves(&FOOLS_MATE);
        script[0] = Does::Says(thinks, FOOLS_MATE[0]);
        let asked = if ending == Termination::Checkmate { 4 } else { 1 };
        let played = play(spec(limits()), 4 * SECOND, &script[..asked]);
        assert_eq!(played.record.termination, ending);
    }
}

/// An engine that comes in its last second may be asked; it is stopped when that is over.
#[test]
fn a_silent_late_side_is_stopped_at_its_limit() {
    let played = play(
        spec(limits()),
        9 * SECOND,
        &[Does::OverrunsThen(MILLI, "bestmove f2f3")],
    );
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(played.took, 10 * SECOND + MILLI);
    assert_eq!(played.record.failed_attempts[0].time_us, 10_001_000);
}

/// Under a time per move the first move has less time; a second attempt at it has the whole limit.
#[test]
fn the_first_move_is_shorter_by_it() {
    let script = [
        Does::OverrunsThen(MILLI, "bestmove f2f3"),
        Does::Says(29 * SECOND, "bestmove f2f3"),
        Does::Says(29 * SECOND, "bestmove e7e5"),
        Does::Says(29 * SECOND, "bestmove g2g4"),
        Does::Says(MILLI, "bestmove d8h4"),
    ];
    let played = play(spec(protocol_limits()), 10 * SECOND, &script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.gos()[..2], ["go movetime 19950", "go movetime 29950"]);
    assert_eq!(played.record.failed_attempts[0].time_us, 30_001_000);
    assert_eq!(played.record.time_us[0], 29_000_000);
    // Attempts that share the limit share what is left of it, too.
    let shared = GameLimits {
        attempts_share: true,
        ..protocol_limits()
    };
    let mut script = moves(&FOOLS_MATE);
    script.insert(0, Does::Says(5 * SECOND, "bestmove 0000"));
    let played = play(spec(shared), 10 * SECOND, &script);
    assert_eq!(played.gos()[..2], ["go movetime 19950", "go movetime 14950"]);
}

/// If Black moves first, Black's clock runs.
#[test]
fn the_clock_of_the_side_that_moves_first_runs() {
    let fen = "6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 0 1";
    let played = play(
        from_fen(limits(), fen),
        2 * SECOND,
        &[Does::Says(MILLI, "bestmove a2a1")],
    );
    assert_eq!(played.gos(), ["go wtime 10000 btime 8000 winc 100 binc 100"]);
    assert_eq!(played.record.clock_us, [8_099_000]);
}

/// Getting ready for the game counts too, but only for the side whose clock runs.
#[test]
fn time_to_get_ready_counts_for_the_first_side_alone() {
    let mut game = Game::new(spec(limits())).expect("a legal opening").by_schedule(SECOND);
    // White was up after a second, Black after five.
    let mut now = 5 * SECOND;
    for _ in Side::BOTH {
        assert!(matches!(game.poll(now), Output::Send { .. }));
        game.handle(now, Input::Sent { was_full: false });
    }
    for (side, takes) in [(Side::White, 2 * SECOND), (Side::Black, 3 * SECOND)] {
        assert!(matches!(game.poll(now), Output::Wait { side: asked, .. } if asked == side));
        now += takes;
        game.handle(now, Input::Line(b"readyok"));
    }
    assert!(matches!(game.poll(now), Output::Send { side: Side::White, .. }));
    let told = String::from_utf8_lossy(game.outgoing());
    assert!(
        told.ends_with("go wtime 7000 btime 10000 winc 100 binc 100\n"),
        "{told}"
    );
}

/// Without the schedule none of this is recorded.
#[test]
fn a_game_by_itself_has_no_late_side() {
    let played = Script::new(spec(limits())).play(&moves(&FOOLS_MATE));
    assert_eq!(played.record.late_us, None);
    assert!(
        !serde_json::to_string(&played.record)
            .expect("plain data")
            .contains("late")
    );
}
