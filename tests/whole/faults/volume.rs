//! Agents that write far too much. That the player's memory stays bounded is checked for every event at the door.

use super::door::{Agent, Ends, SHORT, check, check_agent};
use crate::support::Place;

const SILENT: Ends<'_> = Ends::on_time(&["silent", "silent"]);
/// Time to read what is written at full speed on a busy machine.
const LONG: &str = "game.time_control=20s/move";

#[test]
fn flood_of_lines() {
    check("--fault flood-lines --at 2", &[SHORT], SILENT);
}

#[test]
fn flood_of_lines_then_an_answer() {
    check("--fault flood-lines-answer --at 2", &[LONG], Ends::UNHARMED);
}

#[test]
fn flood_of_bytes() {
    check("--fault flood-bytes --at 2", &[SHORT], SILENT);
}

#[test]
fn flood_of_standard_error() {
    let event = check("--fault flood-stderr --at 2", &[LONG], Ends::UNHARMED);
    assert!(!event.ran.stderr().contains("eeee"), "an agent's words are not ours");
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
    let event = check_agent(faulty, &[LONG], Ends::by_crash("exited 7"));
    for game in event.of_faulty() {
        let evidence = event.evidence(game).expect("evidence");
        assert!(
            evidence.ends_with("eee the end\n\n"),
            "{}",
            &evidence[evidence.len() - 100..]
        );
        assert!(evidence.len() < 200_000, "{}", evidence.len());
    }
}

/// A line is read to its end, however long, and the answer after it counts.
#[test]
fn huge_line() {
    check("--fault huge-line --at 2", &[LONG], Ends::UNHARMED);
}
