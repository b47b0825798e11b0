//! Reports of games that were open when a runner ended.

use super::*;
use swissmatch_tournament::log::{Cause, GamesInterrupted, HowEnded};

#[test]
fn interruptions_are_told_and_who_rules_after_too_many() {
    let mut state = fixture::third_round_begun();
    let id = state.due().next().expect("a game is due").0;
    let named = GamesInterrupted {
        games: Some(vec![id]),
        ended: HowEnded {
            signal: Some(9),
            exit_code: None,
        },
        ..GamesInterrupted::default()
    };
    let unknown = GamesInterrupted {
        games: None,
        ..GamesInterrupted::default()
    };
    let service = GamesInterrupted {
        games: Some(vec![id]),
        service: Some("endpoint local: 503\u{1b}".to_owned()),
        ..GamesInterrupted::default()
    };
    let away = GamesInterrupted {
        service: Some("endpoint local: no connection".to_owned()),
        outage: true,
        ..service.clone()
    };
    let machine = GamesInterrupted::of(id, Cause::Machine("no processes".to_owned()));
    let standstill = GamesInterrupted::of(id, Cause::Standstill("no processes".to_owned()));
    for entry in [&named, &service, &away, &away, &unknown, &standstill] {
        state.apply(&Entry::Interrupted(entry.clone())).expect("it is due");
    }
    let logged = |seq, at| EntryReference { seq, at, hash: "h" };
    let case = AppealCase {
        interrupted: &[
            (logged(8, "09:00"), &named),
            (logged(9, "09:05"), &service),
            (logged(10, "09:07"), &away),
            (logged(11, "09:10"), &unknown),
            (logged(12, "09:12"), &machine),
            (logged(13, "09:13"), &standstill),
        ],
        ..case(&state, id)
    };
    assert_snapshot!(section(&text(&case, false).expect("no record"), "Interruptions"), @"
    09:00: it was noted that the runner was killed by signal 9 while the game was open (entry 8); nothing of that playing counts.
    09:05: the service of an agent did not answer: endpoint local: 503 (entry 9); nothing of that playing counts, and nobody lost by it.
    09:07: the service of an agent was away: endpoint local: no connection (entry 10); nothing of that playing counts, and nobody lost by it. It does not count for run.replays.
    09:10: it was noted that the runner ended, and nobody knows how; the game was due, and may have been open (entry 11).
    09:12: the machine could not play it: no processes (entry 12); nothing of that playing counts, and nobody lost by it.
    09:13: the machine could play nothing: no processes (entry 13); nothing of that playing counts, and nobody lost by it. It does not count for run.replays.
    It was interrupted more often than run.replays = 2 allows: the arbiter rules on it.
    ");
    let json = json(&case, false).expect("no record");
    let [known, of_service, of_outage, other] = [0, 1, 2, 3].map(|place| &json["interruptions"][place]);
    assert!(known.get("service").is_none() && other.get("service").is_none());
    assert_eq!(of_service["service"], json!("endpoint local: 503"));
    assert_eq!(
        [&of_service["outage"], &of_outage["outage"]],
        [&json!(false), &json!(true)]
    );
    assert_eq!((&known["signal"], &known["is_known"]), (&json!(9), &json!(true)));
    assert_eq!((&other["signal"], &other["is_known"]), (&Value::Null, &json!(false)));
}
