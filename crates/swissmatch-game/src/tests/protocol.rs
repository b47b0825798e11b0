//! What is sent, and how the answers are read.

use super::*;
use crate::eval::Eval;
use crate::uci::{self, DeclaredOption, OptionKind, UciLine};

#[test]
fn the_position_is_one_growing_line_and_both_are_readied_first() {
    let played = Script::new(spec(protocol_limits())).play(&moves(&FOOLS_MATE));
    assert_eq!(played.sent[..2], ["ucinewgame\nisready\n"; 2]);
    assert_eq!(
        played.sent[2..],
        [
            "position startpos\ngo movetime 29950\n",
            "position startpos moves f2f3\ngo movetime 29950\n",
            "position startpos moves f2f3 e7e5\ngo movetime 29950\n",
            "position startpos moves f2f3 e7e5 g2g4\ngo movetime 29950\n",
        ]
    );
    assert_eq!(played.record.moves, "f2f3 e7e5 g2g4 d8h4");
}

#[test]
fn the_last_info_with_a_score_is_the_evaluation_of_the_move() {
    let mut game = Game::new(spec(protocol_limits())).expect("a legal opening");
    let say = |game: &mut Game, line: &str| {
        while let Output::Send { .. } = game.poll(Duration::ZERO) {
            game.handle(Duration::ZERO, Input::Sent { was_full: false });
        }
        game.handle(MILLI, Input::Line(line.as_bytes()));
    };
    for line in [
        "readyok",
        "readyok",
        "info depth 1 score cp 10 nodes 20",
        "info depth 12 seldepth 20 multipv 1 score cp 31 nodes 4000 nps 1 pv e2e4 e7e5",
        "info depth 12 multipv 2 score cp -500 nodes 4001",
        "info depth 13 currmove e2e4",
        "info string score cp 9999",
        "bestmove e2e4 ponder e7e5",
        "info depth 5 score mate -3",
        "bestmove e7e5",
        "info depth 99999999999 score cp nonsense nodes -5",
        "bestmove g1f3",
        "bestmove g8f6",
    ] {
        say(&mut game, line);
    }
    let (record, _) = game.finish();
    assert_eq!(
        record.eval,
        [Some(Eval::Centipawns(31)), Some(Eval::Mate(-3)), None, None]
    );
    assert_eq!(record.depth, [Some(12), Some(5), None, None]);
    assert_eq!(record.nodes, [Some(4000), None, None, None]);
}

/// The figures of a move stay together: those of the last line with a score, and later counts.
#[test]
fn a_score_that_cannot_be_read_leaves_the_one_before_it() {
    let valid = "info depth 12 seldepth 20 score cp 31 lowerbound nodes 4000 pv e2e4 e7e5";
    let odd = |field: &str, said: &str| Some((field.to_owned(), said.to_owned()));
    for (last, told) in [
        ("info depth 13 score cp x nodes 5000 pv d2d4", odd("score cp", "x")),
        (
            "info depth 13 score cp 99999999999 nodes 5000 pv d2d4",
            odd("score cp", "99999999999"),
        ),
        (
            "info depth 13 score mate nodes 5000 pv d2d4",
            odd("score mate", "nodes"),
        ),
        ("info depth 13 score wdl 1 2 3 nodes 5000 pv d2d4", odd("score", "wdl")),
        ("info depth 13 nodes 5000 score", odd("score", "")),
    ] {
        let mut game = Game::new(spec(protocol_limits())).expect("a legal opening");
        for line in ["readyok", "readyok", valid, last, "bestmove e2e4"] {
            while let Output::Send { .. } = game.poll(Duration::ZERO) {
                game.handle(Duration::ZERO, Input::Sent { was_full: false });
            }
            game.handle(MILLI, Input::Line(line.as_bytes()));
        }
        let (record, _) = game.finish();
        assert_eq!(
            (&record.eval[..], &record.depth[..]),
            (&[Some(Eval::Centipawns(31))][..], &[Some(12)][..]),
            "{last}"
        );
        assert_eq!(
            (record.pv.of_ply(0), &record.nodes[..]),
            ("e2e4 e7e5", &[Some(5000)][..]),
            "{last}"
        );
        assert_eq!(record.eval_bounds, [0], "{last}");
        let found = record.odd_info.first().map(|odd| (odd.field.clone(), odd.said.clone()));
        assert_eq!(found, told, "{last}");
    }
}

/// Transcripts of real engines: blanks, tabs, line ends.
#[test]
fn lines_are_read_leniently() {
    fn check(line: &str, expected: UciLine<'_>) {
        assert_eq!(uci::read(line.as_bytes()), expected, "{line:?}");
    }
    check("bestmove e2e4\r", UciLine::BestMove(b"e2e4"));
    check("  \t bestmove\te2e4   ponder e7e5", UciLine::BestMove(b"e2e4"));
    check("bestmove", UciLine::BestMove(b""));
    check("readyok \r", UciLine::ReadyOk);
    check("\treadyok", UciLine::ReadyOk);
    check("uciok", UciLine::UciOk);
    check("id name  Some Engine 1.0 \r", UciLine::Id(b"name", b"Some Engine 1.0"));
    check("info string bestmove e2e4", UciLine::Other);
    check("bestmoves e2e4", UciLine::Other);
    check("", UciLine::Other);
    assert_eq!(
        uci::read_move(b"e7e8Q").map(|m| m.to_string()).as_deref(),
        Some("e7e8q")
    );
    for no_move in ["", "(none)", "0000", "e2", "e2e4e5", "P@e4", "ü2e4", "E2E4"] {
        let read = uci::read_move(no_move.as_bytes());
        assert!(
            !matches!(read, Some(m) if matches!(m, shakmaty::uci::UciMove::Normal { .. })),
            "{no_move}"
        );
    }
}

#[test]
fn text_of_engines_is_tamed() {
    assert_eq!(
        uci::kept(b"Evil\x1b[31m\x07 \xff name\x00\r\n"),
        "Evil[31m \u{fffd} name"
    );
    assert_eq!(uci::kept("a\u{202e}b\u{200b}c".as_bytes()), "abc");
    assert_eq!(uci::kept(&[b'x'; 1000]), "x".repeat(199) + "…");
}

#[test]
fn options_are_checked_against_what_was_declared() {
    let declared: Vec<DeclaredOption> = [
        "name Hash type spin default 16 min 1 max 1024",
        "name UCI_Chess960 type check default false",
        "name Style type combo default Normal var Solid var Normal var Very Risky",
        "name Clear Hash type button",
        "name Syzygy Path type string default <empty>",
    ]
    .into_iter()
    .filter_map(|line| uci::read_option(line.as_bytes()))
    .collect();
    assert_eq!(declared.len(), 5);
    assert_eq!(
        declared[0].kind,
        OptionKind::Spin {
            min: Some(1),
            max: Some(1024),
            default: Some(16),
        }
    );
    let check = |name: &str, value: &str, expected: &str| {
        let wanted = [(name.to_owned(), value.to_owned())].into();
        let text = uci::set_options(&wanted, &declared).map_or_else(|e| e.to_string(), |lines| lines.concat());
        assert_eq!(text, expected);
    };
    check("hash", "32", "setoption name Hash value 32\n");
    check(
        "Hash",
        "0",
        "option `Hash` does not take `0`: a whole number from 1 to 1024",
    );
    check("Hsah", "32", "the engine has no option `Hsah`; did it mean `Hash`?");
    check("Contempt", "1", "the engine has no option `Contempt`");
    check(
        "uci_chess960",
        "yes",
        "option `UCI_Chess960` does not take `yes`: true or false",
    );
    check("Style", "very risky", "setoption name Style value Very Risky\n");
    check("Style", " very  risky", "setoption name Style value Very Risky\n");
    check(
        "Style",
        "Wild",
        "option `Style` does not take `Wild`: one of Solid, Normal, Very Risky",
    );
    check("Clear Hash", "true", "setoption name Clear Hash\n");
    check("Syzygy Path", "/a b", "setoption name Syzygy Path value /a b\n");
}

fn sent(declared: &str, name: &str, value: &str) -> String {
    let declared: Vec<DeclaredOption> = declared
        .lines()
        .filter_map(|line| uci::read_option(line.as_bytes()))
        .collect();
    let wanted = [(name.to_owned(), value.to_owned())].into();
    uci::set_options(&wanted, &declared).map_or_else(|refused| refused.to_string(), |lines| lines.concat())
}

#[test]
fn a_bound_of_more_than_64_bits_is_no_bound() {
    let check = |bounds: &str, value: &str, is_sent: bool| {
        let found = sent(&format!("name Nodes type spin default 1 {bounds}"), "Nodes", value);
        let line = format!("setoption name Nodes value {value}\n");
        assert_eq!(found == line, is_sent, "{bounds} {value}: {found}");
    };
    let (above, below) = ("18446744073709551615", "-18446744073709551616");
    for max in ["", "max 9223372036854775808", "max 18446744073709551615", "max none"] {
        check(max, above, true);
        check(max, "9223372036854775807", true);
        check(&format!("min 0 {max}"), "-1", false);
        check(&format!("min 0 {max}"), below, false);
        check(&format!("min 0 {max}"), above, true);
    }
    check("min -9223372036854775809 max 5", below, true);
    check("min -9223372036854775809 max 5", "6", false);
    check("min 0 max 9223372036854775807", above, false);
    for no_number in ["", "1.5", "1e3", "0x10", "one"] {
        check("", no_number, false);
    }
}

#[test]
fn an_option_that_was_not_understood_is_sent() {
    for declared in [
        "name Skill Level type slider default 5",
        "name Skill Level type",
        "name Skill Level default 5 min 0",
        "name Skill Level typ spin default 5",
        "name Skill Level",
        "Skill Level type spin default 5 min 0 max 1",
        "name Skill Level type combo default 5",
    ] {
        let found = sent(declared, "skill level", "7");
        assert_eq!(found, "setoption name Skill Level value 7\n", "{declared}");
    }
    let refused = "the engine has no option `Skill`";
    assert!(sent("name Skilled type slider", "Skill", "7").starts_with(refused));
    assert!(sent("name Skill Level type spin", "Skill", "7").starts_with(refused));
    // The declaration that is understood comes first.
    let both = "name Hash Full type slider\nname Hash type spin min 1 max 4";
    assert!(sent(both, "Hash", "5").contains("does not take `5`"));
    assert_eq!(uci::read_option(b"name"), None);
    assert_eq!(uci::read_option(b" \t"), None);
}

/// Sends the engine's own spelling and, of two that differ in case, the one that was asked for.
#[test]
fn a_choice_is_sent_as_it_was_declared() {
    let declared = "name Style type combo default Solid var Solid var solid var \u{c9}lan  Vital";
    for (asked, spelled) in [
        ("Solid", "Solid"),
        ("solid", "solid"),
        ("SOLID", "Solid"),
        ("\u{e9}lan vital", "\u{c9}lan Vital"),
    ] {
        assert_eq!(
            sent(declared, "style", asked),
            format!("setoption name Style value {spelled}\n")
        );
    }
}

#[test]
fn an_engine_that_is_not_ready_is_started_anew_and_then_given_up() {
    let mut game = Game::new(spec(protocol_limits())).expect("a legal opening");
    let mut restarts = 0;
    let mut now = Duration::ZERO;
    loop {
        match game.poll(now) {
            Output::Send { .. } => game.handle(now, Input::Sent { was_full: false }),
            Output::Wait { side: Side::White, .. } => game.handle(now, Input::Line(b"readyok")),
            Output::Wait { until, .. } => {
                now = until;
                game.handle(now, Input::Deadline);
            }
            Output::Restart { side, .. } => {
                assert_eq!(side, Side::Black);
                restarts += 1;
                game.handle(now, Input::Restarted { waited: Duration::ZERO });
            }
            Output::Doubt { .. } => game.handle(now, Input::Doubt(MeasuredTime::default())),
            Output::Probe => unreachable!("there are no tablebases"),
            Output::Over => break,
        }
    }
    assert_eq!(restarts, 2);
    let (record, _) = game.finish();
    assert_eq!(
        record.termination,
        crate::termination::Termination::DidNotStart { by: Side::Black }
    );
}

#[test]
fn a_record_keeps_everything_through_storage() {
    let mut played = Script::new(spec(protocol_limits())).play(&moves(&FOOLS_MATE)).record;
    played.eval = vec![None, Some(Eval::Mate(-3)), None, None];
    let text = serde_json::to_string(&played).expect("records serialize");
    assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("and back"), played);
}

/// "Both dead: 0–0", also if both fail only when the game is about to begin; void if that is the rule.
#[test]
fn two_engines_that_never_get_ready_have_both_not_started() {
    for (both_failed, outcome) in [
        (BothFailed::Lost, crate::termination::Outcome::BothLose),
        (BothFailed::Void, crate::termination::Outcome::Void),
    ] {
        let limits = GameLimits {
            both_failed,
            ..protocol_limits()
        };
        let mut game = Game::new(spec(limits)).expect("a legal opening");
        let mut now = Duration::ZERO;
        loop {
            match game.poll(now) {
                Output::Send { .. } => game.handle(now, Input::Sent { was_full: false }),
                Output::Wait { until, .. } => {
                    now = until;
                    game.handle(now, Input::Deadline);
                }
                Output::Restart { .. } => game.handle(now, Input::StartFailed),
                Output::Doubt { .. } => game.handle(now, Input::Doubt(MeasuredTime::default())),
                Output::Probe => unreachable!("there are no tablebases"),
                Output::Over => break,
            }
        }
        let (record, _) = game.finish();
        assert_eq!(record.outcome, outcome);
        assert_eq!(record.termination, crate::termination::Termination::NeitherStarted);
    }
}
