//! Agents that write far too much. That the player's memory stays bounded is checked for every event at the door.

use super::door::{Agent, Ends, SHORT, check, check_agent};
use crate::support::Place;

/// More than an agent can write in a second.
const ANY_OUTPUT: &str = "engine.max_output=100000000";
const SILENT: Ends<'_> = Ends::on_time(&["silent", "silent"]);
/// Time to read what is written at full speed on a busy machine.
const LONG: &str = "game.time_control=20s/move";

#[test]
fn flood_of_lines() {
    let lines = "--fault flood-lines --at 2";
    check(lines, &[LONG], Ends::over_limit("over-limit output"));
    check(lines, &[SHORT, ANY_OUTPUT], SILENT);
}

#[test]
fn flood_of_lines_then_an_answer() {
    let lines = "--fault flood-lines-answer --at 2";
    check(lines, &[LONG, ANY_OUTPUT], Ends::UNHARMED);
}

#[test]
fn flood_of_bytes() {
    let bytes = "--fault flood-bytes --at 2";
    check(bytes, &[SHORT], Ends::over_limit("over-limit line"));
    check(
        bytes,
        &[SHORT, "engine.max_line=65536"],
        Ends::over_limit("over-limit output"),
    );
}

#[test]
fn flood_of_standard_error() {
    let stderr = "--fault flood-stderr --at 2";
    for (keys, ends) in [
        (&[LONG][..], Ends::over_limit("over-limit standard-error")),
        (&[LONG, "engine.max_stderr=1000000"], Ends::UNHARMED),
    ] {
        let event = check(stderr, keys, ends);
        assert!(!event.ran.stderr().contains("eeee"), "an agent's words are not ours");
    }
}

/// Of what it wrote the last part is kept, and no more than can be read.
#[test]
fn last_words_of_a_flood() {
    let faulty = |place: &Place| {
        let flood = "head -c 50000000 /dev/zero | tr '\\0' e >&2; echo ' the end' >&2; exit 7";
        Agent::script(
            place,
            &format!("\"$AGENT\" --fault exit --at 2 --mark \"$MARK\"\n{flood}"),
        )
    };
    let keys = [LONG, "engine.max_stderr=1000000"];
    let event = check_agent(faulty, &keys, Ends::by_crash("exited 7"));
    for game in event.of_faulty() {
        let evidence = event.evidence(game).expect("evidence");
        assert!(
            evidence.ends_with("eee the end\n"),
            "{}",
            &evidence[evidence.len() - 100..]
        );
        assert!(evidence.len() < 200_000, "{}", evidence.len());
    }
}

/// A line is not read to its end where it is too long.
#[test]
fn huge_line() {
    check("--fault huge-line --at 2", &[LONG], Ends::over_limit("over-limit line"));
}
