//! Rated rounds before an event.

use super::*;
use swissmatch_tournament::setup::{Openings, Seeding};

/// A player who hands in, and one of the organizer's, with these keys of the ladder and others before.
fn with(before: &str, ladder: &str) -> String {
    format!(
        "{before}\n[submissions]\ncontract = \"get-move\"\nlock = 2026-09-11T18:00:00+01:00\n[ladder]\n{ladder}\n\
         [[player]]\nname = \"A\"\n[[player]]\nname = \"Reference 1\"\ncommand = \"b\"\n"
    )
}

#[test]
fn a_ladder_is_read_and_written() {
    let text = with(
        "swiss.seeding = \"ladder\"",
        "schedule = \"hourly 08-22\"\nfixed = { \"Reference 1\" = 1500 }\ngames = 1\nopenings = \"book.epd\"",
    );
    let loaded = load_text(&text).expect("an event");
    let ladder = &loaded.setup.ladder;
    assert_eq!(
        ladder.schedule.map(|schedule| schedule.to_string()).as_deref(),
        Some("hourly 08-22")
    );
    assert_eq!(ladder.fixed.get("Reference 1"), Some(&1500));
    assert_eq!(
        (ladder.games, &ladder.openings),
        (1, &Openings::File("book.epd".to_owned()))
    );
    assert_eq!(loaded.setup.swiss.seeding, Seeding::Ladder);
    let again = load_text(&effective(&loaded)).map(|loaded| loaded.setup);
    assert_eq!(again, Ok(loaded.setup));
}

#[test]
fn what_does_not_go_together_is_refused() {
    check_whole(
        &with("", "schedule = \"daily\""),
        "6:12: ladder.schedule: \"daily\": write \"hourly\" or \"every 15m\" (1s to 1440m), with hours of the day or without, as in \"hourly 08-22\"",
    );
    check_whole(
        &with("", "schedule = \"every 1440m 07-08\""),
        "6:12: ladder.schedule: \"every 1440m 07-08\": no round would ever begin: they are counted from midnight on, and none is within those hours",
    );
    check_whole(
        &with("", "games = 1"),
        "6:1: ladder.games: there is no ladder, because ladder.schedule is not given; write schedule = \"hourly\" or another one under \
         [ladder], or leave this out",
    );
    check_whole(
        &with("swiss.seeding = \"ladder\"", ""),
        "1:7: swiss.seeding: there is no ladder; write schedule = \"hourly\" or another one under [ladder], or take another seeding",
    );
    check_whole(
        &with("", "schedule = \"hourly\"\nfixed = { \"Reference 2\" = 1500 }"),
        "7:1: ladder.fixed: there is no player \"Reference 2\"; did you mean \"Reference 1\"?",
    );
    check_whole(
        &with("", "schedule = \"hourly\"\nfixed = { A = 1500 }"),
        "7:1: ladder.fixed: what plays for \"A\" is handed in, and may be another one tomorrow; fix the ratings of players with a program \
         of yours alone",
    );
    check_whole(
        &with("", "schedule = \"hourly\"\nfixed = { A = \"x\" }"),
        "7:15: ladder.fixed: expected a table of ratings, such as { \"Reference 1\" = 1500 }, found \"x\"",
    );
    check_whole(
        &with("", "schedule = \"hourly\"\nopenings = \"bundled\""),
        "7:1: ladder.openings: whoever plays in the ladder would see openings of the event itself (mini_match.openings); name other \
         openings, or \"none\"",
    );
    check_whole(
        &with("", "schedule = \"hourly\"").replace("lock = 2026-09-11T18:00:00+01:00\n", ""),
        "5:1: ladder.schedule: a ladder goes on until submissions.lock, which is not given; write contract and lock under [submissions]",
    );
}
