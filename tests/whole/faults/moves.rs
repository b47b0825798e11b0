//! Answers that are no moves, too many, or oddly written.

use super::door::{self, Agent, Ends, PATIENT, SHORT, assert_harmless, check, check_agent, four, slowed};
use crate::support::Place;

use serde_json::Value;

#[test]
fn illegal() {
    let twice = Ends::by_moves(&["illegal a1a1", "illegal a1a1"]);
    check("--fault illegal --at 2", &[], twice);
}

#[test]
fn malformed() {
    let twice = Ends::by_moves(&["unparsable xyzzy", "unparsable xyzzy"]);
    check("--fault malformed --at 2", &[], twice);
}

#[test]
fn none() {
    let twice = Ends::by_moves(&["unparsable (none)", "unparsable (none)"]);
    check("--fault none --at 2", &[], twice);
}

#[test]
fn null() {
    let twice = Ends::by_moves(&["unparsable 0000", "unparsable 0000"]);
    check("--fault null --at 2", &[], twice);
}

/// Where attempts share the limit the second one begins at once: the engine is not brought in step before.
#[test]
fn null_on_a_limit_that_attempts_share() {
    let twice = Ends::by_moves(&["unparsable 0000", "unparsable 0000"]);
    let event = check("--fault null --at 2", &["game.attempts_share=true"], twice);
    for game in event.of_faulty() {
        let attempts = game.record["failed_attempts"].as_array().expect("its attempts");
        assert!(
            attempts.iter().all(|attempt| attempt["ready_us"].is_null()),
            "{attempts:?}"
        );
    }
}

#[test]
fn empty() {
    let twice = Ends::by_moves(&["unparsable", "unparsable"]);
    check("--fault empty --at 2", &[], twice);
}

/// Refused, and told.
#[test]
fn uppercase() {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, "--fault uppercase --at 2"));
    let event = door::play(place, &players, &["game.max_plies=6"]);
    for game in event.of_faulty() {
        let attempts = game.record["failed_attempts"].as_array().expect("its attempts");
        let is_told = |attempt: &Value| attempt["meant"]["notation"] == "upper-case";
        assert!(!attempts.is_empty() && attempts.iter().all(is_told), "{attempts:?}");
    }
}

/// The second answer came with the first: it is no answer to the next question.
#[test]
fn twice() {
    check("--fault twice --every", &[], Ends::UNHARMED);
}

/// What is said while the opponent thinks is thrown away: nothing of it is an answer to the next question.
#[track_caller]
fn check_unasked(flags: &str) {
    let place = Place::new();
    let faulty = Agent::fault(&place, flags);
    let players = slowed(&place, four(&place, faulty), 150);
    let event = door::play(place, &players, &["game.max_plies=6"]);
    event.ran.expect_code(0);
    assert_eq!(event.games.len(), 4);
    for game in &event.games {
        assert_eq!(game.line["termination"], "move-cap", "{:#}", game.record);
        assert_eq!(game.attempts().len(), 0, "{:#}", game.record);
    }
}

/// What is said when the next question has been asked is taken for its answer, which is this agent's own harm alone.
#[track_caller]
fn check_unasked_against_quick_opponents(flags: &str) {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, flags));
    let event = door::play(place, &players, &["game.max_plies=60", "game.attempts=3"]);
    event.ran.expect_code(0);
    assert_eq!(event.games.len(), 4);
    for game in &event.games {
        let faulty = game.side_of("Faulty");
        let fault_of = game.line["fault_of"].as_str();
        assert!(fault_of.is_none() || fault_of == faulty, "{:#}", game.line);
        let sides = [("white", 0), ("black", 1)];
        for (_, honest) in sides.into_iter().filter(|(side, _)| Some(*side) != faulty) {
            assert_eq!(game.line["failed_attempts"][honest], 0, "{:#}", game.line);
        }
        let attempts = game.attempts();
        assert!(
            attempts.iter().all(|attempt| attempt.starts_with("illegal ")),
            "{attempts:?}"
        );
    }
}

#[test]
fn twice_late() {
    check_unasked("--fault twice-late --every");
}

#[test]
fn twice_late_against_quick_opponents() {
    check_unasked_against_quick_opponents("--fault twice-late --every");
}

#[test]
fn speaks_early() {
    check_unasked("--fault speaks-early");
}

#[test]
fn speaks_early_against_quick_opponents() {
    check_unasked_against_quick_opponents("--fault speaks-early");
}

/// What cannot be read is left out of the record, which keeps what was said before; the game does not suffer.
#[test]
fn wrong_info() {
    let event = check("--fault wrong-info --every", &[], Ends::UNHARMED);
    for game in event.of_faulty() {
        let of_faulty = usize::from(game.side_of("Faulty") == Some("black"));
        let evaluations = game.record["eval"].as_array().expect("evaluations");
        assert!(evaluations.iter().skip(of_faulty).step_by(2).all(|eval| eval == 12));
        assert!(evaluations.iter().skip(1 - of_faulty).step_by(2).all(|eval| eval == 0));
    }
    check_warnings(&event);
}

/// Each game of the faulty one, and no other, is warned of; what is shown does no harm.
#[track_caller]
fn check_warnings(event: &door::Event) {
    let status = event.place.swissmatch(&["status", "run", "--warnings"]);
    status.expect_code(0);
    let text = status.stdout();
    assert_harmless(&text);
    assert!(text.contains("\n  Faulty: illegal move in a variation "), "{text}");
    for honest in ["Alice", "Bob", "Carol"] {
        assert!(!text.contains(&format!(" by {honest}: ")), "{text}");
    }
    let status = event.place.swissmatch(&["status", "run", "--warnings", "--json"]);
    let status: Value = serde_json::from_str(&status.stdout()).expect("JSON");
    assert_eq!(status["warnings"][0]["name"], "Faulty", "{status:#}");
    let exported = event.place.swissmatch(&["export", "warnings", "run"]).stdout();
    let lines: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str(line).expect("a warning"))
        .collect();
    assert!(lines.iter().all(|line| line["player"] == "Faulty"), "{exported}");
    for game in event.of_faulty() {
        assert!(lines.iter().any(|line| line["game"] == game.id()), "{exported}");
    }
    let counts = status["warnings"][0]["kinds"].as_object().expect("kinds");
    let count: u64 = counts.values().filter_map(Value::as_u64).sum();
    assert_eq!(count, lines.len() as u64);
}

/// "shared": illegal moves have as many attempts as overruns.
#[test]
fn illegal_attempts_shared() {
    let thrice = Ends::by_moves(&["illegal a1a1"; 3]);
    let keys = ["game.attempts=3", "game.illegal_attempts=shared"];
    check("--fault illegal --at 2", &keys, thrice);
}

/// A number of their own: the first illegal move loses, whatever overruns may.
#[test]
fn one_illegal_attempt() {
    let keys = ["game.attempts=3", "game.illegal_attempts=1"];
    check("--fault illegal --at 2", &keys, Ends::by_moves(&["illegal a1a1"]));
}

/// And an overrun does not use that number up.
#[test]
fn overruns_beside_one_illegal_attempt() {
    let keys = ["game.attempts=2", "game.illegal_attempts=1", SHORT, PATIENT];
    check("--fault stall --at 2", &keys, Ends::on_time(&["late", "late"]));
}

/// Both kinds count together, and the last one names the ending.
#[test]
fn an_illegal_move_then_an_overrun() {
    let once_illegal = |place: &Place| {
        Agent::script(
            place,
            "first=\"--fault illegal --at 1 --times 1\"\n\
             \"$AGENT\" $first --mark \"$MARK\" | sed -u 's/bestmove a1a1/bestmove a1a1\\ninfo string then silent/;t;/bestmove/d'",
        )
    };
    let place = Place::new();
    let players = four(&place, once_illegal(&place));
    let event = door::play(place, &players, &[SHORT]);
    event.ran.expect_code(0);
    for game in event.of_faulty() {
        assert_eq!(game.line["termination"], "time-forfeit", "{:#}", game.record);
        assert_eq!(game.line["fault_of"], game.side_of("Faulty").unwrap_or_default());
    }
    assert_eq!(event.of_faulty()[0].attempts(), ["illegal a1a1", "silent"]);
}

/// The same position is asked again in the same process, and the answer counts.
#[test]
fn a_retry_after_an_illegal_move() {
    let once = Ends::PlaysOn([&["illegal a1a1"], &[]]);
    check("--fault illegal --at 2 --times 1", &[], once);
}

#[test]
fn a_retry_after_a_malformed_move_under_a_clock() {
    let once = Ends::PlaysOn([&["unparsable xyzzy"], &[]]);
    let keys = ["preset=none", "game.time_control=10+0.1", "game.illegal_attempts=2"];
    check("--fault malformed --at 2 --times 1", &keys, once);
}

/// What an agent says for a move is repeated in records, evidence and PGN: none of it acts on a terminal.
#[test]
fn an_escape_sequence_for_a_move() {
    let place = Place::new();
    let faulty = Agent::scripted(
        &place,
        "printf 'bestmove \\033]0;owned\\007\\033[31m\\342\\200\\256x\\n'",
    );
    let players = four(&place, faulty);
    let event = door::play(place, &players, &[]);
    event.ran.expect_code(0);
    for game in event.of_faulty() {
        assert_eq!(game.line["termination"], "illegal-move");
        assert_eq!(
            game.attempts(),
            ["unparsable ]0;owned[31mx", "unparsable ]0;owned[31mx"]
        );
        assert_harmless(&event.evidence(game).expect("evidence"));
    }
    assert_harmless(&event.place.read("run/games.pgn"));
}

/// One answer too many costs the attempt for which it is taken, and no more: the agent is brought in step before the
/// next attempt, or every answer after it would come for the question before.
#[test]
fn one_stray_answer_is_one_failed_attempt() {
    let stray = |place: &Place| {
        let filter = "answers=0\nwhile read -r line; do case \"$line\" in bestmove*) answers=$((answers + 1))\n\
                      if [ $answers = 2 ]; then echo bestmove a1a1; fi; sleep 0.03 ;; esac; echo \"$line\"; done";
        Agent::script(place, &format!("\"$AGENT\" --mark \"$MARK\" | {{ {filter}; }}"))
    };
    check_agent(stray, &[], Ends::PlaysOn([&["illegal a1a1"], &[]]));
}
