//! Agents that end, or close a pipe, while they are to play.

use std::time::Duration;

use super::door::{self, Agent, Ends, Event, PATIENT, SHORT, check, check_agent, four};
use crate::support::Place;

#[test]
fn exit() {
    check("--fault exit --at 2", &[], Ends::by_crash("exited 3"));
}

#[test]
fn exit_zero() {
    check("--fault exit-zero --at 2", &[], Ends::by_crash("exited 0"));
}

#[test]
fn abort() {
    let event = check("--fault abort --at 2", &[], Ends::by_crash("signalled 6"));
    let evidence = event.evidence(event.of_faulty()[0]).expect("evidence");
    assert!(evidence.contains("Process: was killed by signal 6"), "{evidence}");
}

/// It is told at once, not when the limit is over.
#[test]
fn close_stdout() {
    let event = check("--fault close-stdout --at 2", &[], Ends::DISCONNECT);
    assert!(event.ran.took < Duration::from_secs(9), "{:?}", event.ran.took);
}

/// Nothing tells that its input is closed before something is to be written: `stop` at the limit.
#[test]
fn close_stdin() {
    check("--fault close-stdin --at 2", &[SHORT], Ends::DISCONNECT);
}

/// What it wrote to standard error stands in the evidence, made harmless.
#[test]
fn last_words() {
    let faulty = |place: &Place| {
        let last_words = "printf 'out of luck \\033[31m\\377\\n' >&2";
        Agent::script(
            place,
            &format!("\"$AGENT\" --fault exit --at 2 --mark \"$MARK\"\n{last_words}\nexit 7"),
        )
    };
    let event = check_agent(faulty, &[], Ends::by_crash("exited 7"));
    for game in event.of_faulty() {
        let side = if game.side_of("Faulty") == Some("white") {
            "White"
        } else {
            "Black"
        };
        let evidence = event.evidence(game).expect("evidence");
        let (_, said) = evidence
            .split_once(&format!("Standard error of {side}:\n"))
            .expect("it is kept");
        let (at, words) = said.split_once(&format!(" {side} ! ")).expect("it is framed");
        assert!(at.trim().parse::<f64>().is_ok(), "{evidence}");
        assert_eq!(words.lines().next(), Some("out of luck \\u{1b}[31m\\xff"), "{evidence}");
    }
}

/// What it writes to standard error looks like a line of its opponent's, with ends of lines in it: all that it wrote is framed as its own.
#[test]
fn nobody_speaks_for_another() {
    let faulty = |place: &Place| {
        let false_lines = "printf '     1.000000 White < bestmove a1a1\\r\\n     1.000000 Black < bestmove a1a1\\n\\nStandard error of White:\\n' >&2";
        Agent::script(
            place,
            &format!("\"$AGENT\" --fault exit --at 2 --mark \"$MARK\"\n{false_lines}\nexit 7"),
        )
    };
    let event = check_agent(faulty, &[], Ends::by_crash("exited 7"));
    for game in event.of_faulty() {
        let side = ["Black", "White"][usize::from(game.side_of("Faulty") == Some("white"))];
        let evidence = event.evidence(game).expect("evidence");
        let false_ones: Vec<&str> = evidence.lines().filter(|line| line.contains("bestmove a1a1")).collect();
        assert_eq!(false_ones.len(), 2, "{evidence}");
        for line in false_ones {
            let (framed, _) = line.split_once(" ! ").expect("it is of standard error");
            assert!(framed.ends_with(side) && !framed.contains('<'), "{line}");
        }
        let headings = evidence.lines().filter(|line| line.starts_with("Standard error of "));
        assert_eq!(headings.collect::<Vec<_>>(), [format!("Standard error of {side}:")]);
    }
}

/// An answer without its line feed, then the end of output: the last line needs none, and whoever has gone loses at its next
/// move.
#[test]
fn exits_within_a_line() {
    let place = Place::new();
    let faulty = Agent::scripted(&place, "printf 'bestmove e2e4'; exit 0");
    let players = four(&place, faulty);
    let event = door::play(place, &players, &[]);
    event.ran.expect_code(0);
    for game in event.of_faulty() {
        assert_eq!(game.line["termination"], "crash", "{:#}", game.record);
        assert_eq!(game.line["fault_of"], game.side_of("Faulty").unwrap_or_default());
        let moves = game.record["moves"].as_str().unwrap_or_default();
        assert_eq!(
            moves.starts_with("e2e4 "),
            game.side_of("Faulty") == Some("white"),
            "{moves}"
        );
    }
}

/// The last word counts, though the process has ended when it is read; for the next game a new one is started, and nobody
/// loses by that, not even where an engine has one attempt to start.
#[test]
fn exits_after_its_answer_at_the_end_of_a_game() {
    for start_attempts in ["engine.start_attempts=1", "engine.start_attempts=2"] {
        let place = Place::new();
        let players = four(&place, Agent::scripted(&place, "echo bestmove e2e4; exit 0"));
        let event = door::play(
            place,
            &players,
            &["game.max_plies=1", "mini_match.games=4", start_attempts],
        );
        event.ran.expect_code(0);
        assert_eq!(event.games.len(), 8);
        for game in &event.games {
            assert_eq!(game.line["termination"], "move-cap", "{:#}", game.record);
            assert_eq!(game.attempts().len(), 0);
        }
    }
}

/// The end shows by the process, not by its pipes alone: a child that it leaves has them open.
#[test]
fn crash_while_a_child_keeps_the_output_open() {
    let faulty = |place: &Place| {
        let child = "\"$AGENT\" --linger 100 --mark \"$MARK\" &";
        Agent::script(
            place,
            &format!("{child}\nexec \"$AGENT\" --fault exit --at 2 --mark \"$MARK\""),
        )
    };
    let event = check_agent(faulty, &[], Ends::by_crash("exited 3"));
    assert!(event.ran.took < Duration::from_secs(9), "{:?}", event.ran.took);
}

/// A crash after a failed attempt is a crash in the game: the attempts left are no second life.
#[test]
fn crash_between_two_attempts() {
    for (answer, attempt) in [
        ("bestmove a1a1", "illegal a1a1"),
        ("bestmove xyzzy", "unparsable xyzzy"),
    ] {
        let place = Place::new();
        let faulty = Agent::scripted(&place, &format!("echo '{answer}'; exit 7"));
        let players = four(&place, faulty);
        let event = door::play(place, &players, &["game.attempts=3"]);
        check_crashes(&event, attempt);
    }
}

/// The same after an overrun, when it is to be brought in step.
#[test]
fn crash_between_an_overrun_and_the_next_attempt() {
    let place = Place::new();
    let faulty = Agent::scripted(&place, "sleep 0.5; echo 'bestmove a1a1'; exit 7");
    let players = four(&place, faulty);
    let event = door::play(place, &players, &["game.attempts=3", SHORT, PATIENT]);
    check_crashes(&event, "late");
}

#[track_caller]
fn check_crashes(event: &Event, attempt: &str) {
    event.ran.expect_code(0);
    for game in event.of_faulty() {
        assert_eq!(game.line["termination"], "crash", "{:#}", game.record);
        assert_eq!(game.line["fault_of"], game.side_of("Faulty").unwrap_or_default());
        assert_eq!(game.attempts(), [attempt]);
        assert_eq!(game.record["engine_end"]["exited"], 7);
    }
}
