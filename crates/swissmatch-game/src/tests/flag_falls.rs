//! The consequence of a flag fall: "the game is drawn if the position is such that the opponent cannot checkmate the
//! player's king by any possible series of legal moves" (Laws of Chess 6.9), and other rules.

use super::*;
use crate::termination::{Outcome, Termination};

const RULES: [FlagFall; 4] = [
    FlagFall::DrawIfCannotMate,
    FlagFall::UsChess,
    FlagFall::DrawIfBareKing,
    FlagFall::Loses,
];

fn limits(control: &str, rule: FlagFall) -> GameLimits {
    let control: TimeControl = control.parse().expect("a time control");
    GameLimits {
        time_controls: [control.clone(), control],
        flag_fall: rule,
        ..protocol_limits()
    }
}

/// How a game from this position ends when the side to move stays silent in all its attempts.
fn silent(limits: GameLimits, fen: &str) -> (Outcome, Termination) {
    let attempts = match limits.time_controls[0].runs_through() {
        true => 1,
        false => 3,
    };
    let played = Script::new(from_fen(limits, fen)).play(&vec![Does::OverrunsThen(MILLI, "bestmove 0000"); attempts]);
    assert_eq!(played.record.failed_attempts.len(), attempts);
    (played.record.outcome, played.record.termination)
}

fn drawn(by: Side) -> (Outcome, Termination) {
    (Outcome::Draw, Termination::FlagFallDraw { by })
}

fn lost(by: Side) -> (Outcome, Termination) {
    (Outcome::win(by.other()), Termination::TimeForfeit { by })
}

/// White's flag falls: which of the rules make that a draw?
#[test]
fn a_flag_that_falls_against_a_side_that_cannot_mate() {
    for (fen, is_drawn) in [
        ("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1", [true, true, true, false]),
        // A knight mates with the help of a pawn, which 14E2 does not ask about.
        ("8/8/4n3/4k3/8/8/4KP2/8 w - - 0 1", [false, true, false, false]),
        // A queen does not help it, nor does a bishop help a bishop of the other colour.
        ("8/8/4n3/4k3/8/8/4KQ2/8 w - - 0 1", [true, true, false, false]),
        ("8/8/4b3/4k3/8/8/4KR2/8 w - - 0 1", [true, true, false, false]),
        ("8/8/3bk3/8/8/8/4KN2/8 w - - 0 1", [false, true, false, false]),
        // Two knights mate with help; by 14E3 they do not count if the other side has no pawns.
        ("8/8/3nn3/4k3/8/8/4KR2/8 w - - 0 1", [false, true, false, false]),
        ("8/8/3nn3/4k3/8/8/4KP2/8 w - - 0 1", [false; 4]),
        ("8/8/3bn3/4k3/8/8/4KR2/8 w - - 0 1", [false; 4]),
        ("8/8/4p3/4k3/8/8/4KR2/8 w - - 0 1", [false; 4]),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [false; 4]),
    ] {
        for (rule, is_drawn) in RULES.into_iter().zip(is_drawn) {
            let expected = if is_drawn {
                drawn(Side::White)
            } else {
                lost(Side::White)
            };
            assert_eq!(silent(limits("1:00+1", rule), fen), expected, "{rule:?} {fen}");
        }
    }
}

/// The rule asks what the other side has to win with: against a rook the flag of a bare king loses.
#[test]
fn the_flag_of_the_bare_king_loses() {
    for rule in RULES {
        let ended = silent(limits("1:00+1", rule), "8/8/8/4k3/8/8/4K3/4R3 b - - 0 1");
        assert_eq!(ended, lost(Side::Black), "{rule:?}");
    }
}

/// Every clock that runs through the game has a flag. A time per move has none: there the attempts decide, and only
/// cutechess-cli asks what the other side has.
#[test]
fn of_every_kind_of_time_control() {
    let rook = "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1";
    for control in [
        "G/1",
        "1:00+1",
        "40/60",
        "G/1 d2",
        "1+0 b2",
        "40/90 SD/30 +5",
        "hourglass 1:00",
        "1:00+1 nodes=500",
    ] {
        let Ok(_) = control.parse::<TimeControl>() else {
            panic!("{control} is no time control");
        };
        let by_default = silent(limits(control, FlagFall::DrawIfCannotMate), rook);
        assert_eq!(by_default, drawn(Side::White), "{control}");
        assert_eq!(
            silent(limits(control, FlagFall::Loses), rook),
            lost(Side::White),
            "{control}"
        );
    }
    for rule in RULES {
        let expected = match rule {
            FlagFall::DrawIfBareKing => drawn(Side::White),
            _ => lost(Side::White),
        };
        assert_eq!(silent(limits("30s/move", rule), rook), expected, "{rule:?}");
    }
}

/// Neither castling rights of Chess960 nor a late mating move changes the result: the position in which the flag fell
/// counts.
#[test]
fn the_position_counts_in_which_the_flag_fell() {
    let mate_in_one = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let rule = FlagFall::DrawIfCannotMate;
    let script = [Does::OverrunsThen(MILLI, "bestmove a1a8")];
    let played = Script::new(from_fen(limits("1:00+0", rule), mate_in_one)).play(&script);
    assert_eq!((played.record.outcome, played.record.termination), drawn(Side::White));
    assert_eq!(played.record.moves, "");
    let spec = GameSpec {
        opening: Opening {
            fen: Some("8/8/8/3k4/8/8/8/1K2R3 w E - 0 1".to_owned()),
            ..Opening::start(Variant::Chess960)
        },
        ..spec(limits("1:00+0", rule))
    };
    let played = Script::new(spec).play(&script);
    assert_eq!((played.record.outcome, played.record.termination), drawn(Side::White));
}

/// A side that does not stop pondering has overrun its clock, too.
#[test]
fn who_does_not_stop_pondering_draws_against_a_bare_king() {
    let limits = GameLimits {
        ponder: [true, false],
        ..limits("1:00+0", FlagFall::DrawIfCannotMate)
    };
    let spec = from_fen(limits, "8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let mut game = Game::new(spec).expect("a legal opening");
    for line in ["readyok", "readyok", "bestmove e1e2 ponder e5d5", "bestmove e5f5"] {
        while let Output::Send { .. } = game.poll(Duration::ZERO) {
            game.handle(Duration::ZERO, Input::Sent { was_full: false });
        }
        game.handle(Duration::ZERO, Input::Line(line.as_bytes()));
    }
    assert!(matches!(
        game.poll(Duration::ZERO),
        Output::Send { side: Side::White, .. }
    ));
    assert_eq!(game.outgoing(), b"stop\n");
    game.handle(Duration::ZERO, Input::Sent { was_full: false });
    game.handle(SECOND, Input::Deadline);
    while let Output::Doubt { .. } = game.poll(SECOND) {
        game.handle(SECOND, Input::Doubt(MeasuredTime::default()));
    }
    assert_eq!(game.poll(SECOND), Output::Over);
    let record = game.finish().0;
    assert_eq!((record.outcome, record.termination), drawn(Side::White));
}

/// Limits in a record from before the rule existed.
#[test]
fn before_there_was_the_key_a_flag_fall_lost() {
    let mut stored = serde_json::to_value(protocol_limits()).expect("plain data");
    stored.as_object_mut().expect("a table").remove("flag_fall");
    let read: GameLimits = serde_json::from_value(stored).expect("limits");
    assert_eq!(read.flag_fall, FlagFall::Loses);
}
