//! What anybody may read of a report on a game.

use super::*;
use swissmatch_game::resource::{Overuse, Resource};

/// Words that no page may have: they stand in the fixture's state or in what is kept of the game.
const PRIVATE: [&str; 6] = [
    "/secret/engine",
    "--key",
    "TOKEN",
    "sha-of-engine",
    "stack trace",
    "swissmatch ",
];

fn told_of(state: &State, record: &GameRecord, log: &FromLog<'_>) -> Vec<AccountSection> {
    let game = state.finished_game(record.id).expect("it has ended");
    told(state, &game, record, log).expect("a game")
}

fn titles(told: &[AccountSection]) -> Vec<&str> {
    told.iter().map(|told| told.title).collect()
}

#[test]
fn it_is_told_without_commands_files_machine_and_evidence() {
    let state = fixture::over_with(|setup| {
        for player in &mut setup.players {
            player.command = "/secret/engine".to_owned();
            player.args = vec!["--key".to_owned(), "TOKEN".to_owned()];
        }
    });
    let mut record = record(&state, id(1, 2, 2));
    record.isolation = vec![IsolatedAgent::default(); 2];
    record.failed_attempts = vec![FailedAttempt {
        ply: 1,
        side: Side::Black,
        attempt: 1,
        time_us: 40_000,
        end: AttemptEnd::Illegal("e5e6\u{1b}[31m\u{202e}".to_owned()),
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    }];
    let logged = EntryReference {
        seq: 6,
        at: "2026-01-30T10:05:00Z",
        hash: "sha-of-engine",
    };
    let log = FromLog {
        paired_at: Some("2026-01-30T10:00:00Z"),
        logged: Some(logged),
        ..FromLog::default()
    };
    let told = told_of(&state, &record, &log);
    assert_eq!(
        titles(&told),
        [
            "The game",
            "How it ended, and by which rule",
            "What it gave",
            "Failed attempts",
            "Clocks",
            "Limits in force"
        ]
    );
    let text = serde_json::to_string(&told).expect("plain data");
    for private in PRIVATE {
        assert!(!text.contains(private), "{private}: {text}");
    }
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    let of = |title| {
        told.iter()
            .find(|told| told.title == title)
            .expect("a section")
            .lines
            .clone()
    };
    assert!(of("The game").contains(&"Ended, and committed to the log, at 2026-01-30 10:05:00 UTC.".to_owned()));
    assert_eq!(
        of("What it gave"),
        [
            "Game points of this game: Delta 0, Bravo 1.",
            "It is one of 2 games of its mini-match."
        ]
    );
    assert!(
        of("Failed attempts")[0].starts_with("move 1... Bravo (Black), attempt 1, after 0.040000 s: answered \"e5e6")
    );
}

/// Causes that the record knows are told; those that only the evidence knows are not.
#[test]
fn the_cause_of_an_end_is_told_from_the_record_alone() {
    let state = fixture::over();
    let mut crashed = record(&state, id(2, 1, 2));
    crashed.engine_end = Some(EngineEnd::Signalled(11));
    let told = told_of(&state, &crashed, &FromLog::default());
    assert!(
        told[1]
            .lines
            .contains(&"Its process: was killed by signal 11.".to_owned()),
        "{told:?}"
    );
    crashed.engine_end = Some(EngineEnd::OverLimit(Overuse {
        resource: Resource::Memory,
        used: 2048,
        limit: 1024,
    }));
    assert!(
        told_of(&state, &crashed, &FromLog::default())[1]
            .lines
            .iter()
            .any(|line| line.contains("and was ended"))
    );
    let unplayed = fixture::empty_record(&state.finished_game(id(3, 2, 1)).expect("it has ended"));
    let text = format!("{:?}", told_of(&state, &unplayed, &FromLog::default()));
    assert!(
        text.contains("engine.start_limit") && !text.contains("Start failed"),
        "{text}"
    );
}

#[test]
fn rulings_are_told_where_they_are_given() {
    let state = fixture::two_rounds();
    let id = id(1, 2, 2);
    let acted = ArbiterActed {
        act: Act::Void { game: id },
        by: "C. Arbiter".to_owned(),
        reason: "power cut".to_owned(),
        overruled: Vec::new(),
    };
    let logged = EntryReference {
        seq: 9,
        at: "11:00",
        hash: "ab",
    };
    let record = record(&state, id);
    assert!(!titles(&told_of(&state, &record, &FromLog::default())).contains(&"Rulings of the arbiter"));
    let log = FromLog {
        acts: vec![OnGame { logged, acted: &acted }],
        ..FromLog::default()
    };
    let told = told_of(&state, &record, &log);
    let rulings = told
        .iter()
        .find(|told| told.title == "Rulings of the arbiter")
        .expect("there is one");
    assert!(
        rulings.lines[0].ends_with("(entry 9). Reason: power cut"),
        "{rulings:?}"
    );
}
