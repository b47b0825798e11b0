//! Pondering when a pipe is full or breaks; everything else that is said and sent is in `tests/data/uci/ponder.txt`.

use super::*;
use crate::play::Meanwhile;
use crate::termination::{Outcome, Termination};

/// A game in which White pondered on the answer to its first move, up to the point where that is to be written.
fn about_to_ponder() -> Game {
    let limits = GameLimits {
        ponder: [true, false],
        ..clock_limits(60 * SECOND, Duration::ZERO, None)
    };
    let mut game = Game::new(spec(limits)).expect("a legal opening");
    for line in ["readyok", "readyok", "bestmove e2e4 ponder e7e5"] {
        while let Output::Send { .. } = game.poll(Duration::ZERO) {
            game.handle(Duration::ZERO, Input::Sent { was_full: false });
        }
        game.handle(Duration::ZERO, Input::Line(line.as_bytes()));
    }
    game
}

#[test]
fn it_is_told_before_the_opponent_is_asked_and_its_output_is_read_meanwhile() {
    let mut game = about_to_ponder();
    let told = Output::Send {
        side: Side::White,
        until: SECOND,
        fresh: true,
        begins: false,
    };
    assert_eq!(game.poll(Duration::ZERO), told);
    assert_eq!(
        game.outgoing(),
        b"position startpos moves e2e4 e7e5\ngo ponder wtime 60000 btime 60000 winc 0 binc 0\n"
    );
    // Asked again, the game gives the same output, with the deadline of the first time.
    assert_eq!(game.poll(MILLI), told);
    game.handle(MILLI, Input::Sent { was_full: false });
    assert!(matches!(
        game.poll(MILLI),
        Output::Send {
            side: Side::Black,
            fresh: true,
            ..
        }
    ));
    assert_eq!(
        game.outgoing(),
        b"position startpos moves e2e4\ngo wtime 60000 btime 60000 winc 0 binc 0\n"
    );
    game.handle(2 * MILLI, Input::Sent { was_full: false });
    let wait = Output::Wait {
        side: Side::Black,
        until: 60 * SECOND + 2 * MILLI,
        other: Meanwhile::Ponders,
    };
    assert_eq!(game.poll(2 * MILLI), wait);
    game.handle(3 * MILLI, Input::Line(b"bestmove e7e5"));
    let hit = Output::Send {
        side: Side::White,
        until: 60 * SECOND + 3 * MILLI,
        fresh: false,
        begins: true,
    };
    assert_eq!((game.poll(3 * MILLI), game.outgoing()), (hit, &b"ponderhit\n"[..]));
    game.handle(4 * MILLI, Input::Sent { was_full: false });
    assert!(matches!(
        game.poll(4 * MILLI),
        Output::Wait {
            side: Side::White,
            other: Meanwhile::Rests,
            ..
        }
    ));
}

/// The engine has half a command: it is started anew, and the opponent is asked.
#[test]
fn who_does_not_read_what_it_is_to_ponder_on_is_started_anew() {
    let mut game = about_to_ponder();
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Send { side: Side::White, .. }
    ));
    game.handle(SECOND, Input::Deadline);
    let restart = Output::Restart {
        side: Side::White,
        within: Some(2 * SECOND),
    };
    assert_eq!(game.poll(SECOND), restart);
    game.handle(SECOND, Input::Restarted { waited: Duration::ZERO });
    assert!(matches!(game.poll(SECOND), Output::Send { side: Side::White, .. }));
    assert_eq!(game.outgoing(), b"ucinewgame\nisready\n");
    game.handle(SECOND, Input::Sent { was_full: false });
    assert!(matches!(game.poll(SECOND), Output::Wait { side: Side::White, .. }));
    game.handle(SECOND, Input::Line(b"readyok"));
    assert!(matches!(game.poll(SECOND), Output::Send { side: Side::Black, .. }));
    assert_eq!(
        game.outgoing(),
        b"position startpos moves e2e4\ngo wtime 60000 btime 60000 winc 0 binc 0\n"
    );
    game.handle(SECOND, Input::Sent { was_full: false });
    assert!(matches!(
        game.poll(SECOND),
        Output::Wait {
            side: Side::Black,
            other: Meanwhile::Rests,
            ..
        }
    ));
}

#[test]
fn who_has_gone_when_it_is_to_ponder_has_crashed() {
    let mut game = about_to_ponder();
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Send { side: Side::White, .. }
    ));
    game.handle(MILLI, Input::Closed(EngineEnd::Exited(1)));
    assert_eq!(game.poll(MILLI), Output::Over);
    assert_eq!(game.finish().0.termination, Termination::Crash { by: Side::White });
}

/// If a `ponderhit` cannot be written, its move cannot be asked for.
#[test]
fn who_does_not_take_its_hit_has_overrun() {
    let mut game = about_to_ponder();
    for _ in 0..2 {
        assert!(matches!(game.poll(Duration::ZERO), Output::Send { .. }));
        game.handle(Duration::ZERO, Input::Sent { was_full: false });
    }
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Wait { side: Side::Black, .. }
    ));
    game.handle(Duration::ZERO, Input::Line(b"bestmove e7e5"));
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Send { side: Side::White, .. }
    ));
    assert_eq!(game.outgoing(), b"ponderhit\n");
    game.handle(60 * SECOND, Input::Deadline);
    assert_eq!(game.poll(60 * SECOND), Output::Over);
    assert!(game.is_spoilt(Side::White));
    assert_eq!(
        game.finish().0.termination,
        Termination::TimeForfeit { by: Side::White }
    );
}

/// When the arbiter ends the game, a ponder search that is still to be stopped no longer matters.
#[test]
fn what_has_ended_is_not_ended_again_by_the_arbiter() {
    let mut game = about_to_ponder();
    for _ in 0..2 {
        assert!(matches!(game.poll(Duration::ZERO), Output::Send { .. }));
        game.handle(Duration::ZERO, Input::Sent { was_full: false });
    }
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Wait { side: Side::Black, .. }
    ));
    game.handle(MILLI, Input::Closed(EngineEnd::Exited(1)));
    game.end_by_arbiter(Outcome::Draw);
    assert!(matches!(game.poll(MILLI), Output::Send { side: Side::White, .. }));
    assert_eq!(game.outgoing(), b"stop\n");
    game.handle(MILLI, Input::Sent { was_full: false });
    game.end_by_arbiter(Outcome::Draw);
    game.handle(2 * MILLI, Input::Line(b"bestmove a2a3"));
    assert_eq!(game.poll(2 * MILLI), Output::Over);
    assert_eq!(game.finish().0.termination, Termination::Crash { by: Side::Black });
}

#[test]
fn who_cannot_be_started_anew_while_it_is_not_to_move_has_overrun() {
    let mut game = about_to_ponder();
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Send { side: Side::White, .. }
    ));
    game.handle(SECOND, Input::Deadline);
    assert!(matches!(game.poll(SECOND), Output::Restart { .. }));
    game.handle(SECOND, Input::StartFailed);
    assert_eq!(game.poll(SECOND), Output::Over);
    let (record, _) = game.finish();
    assert_eq!(record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(record.failed_attempts, []);
}
