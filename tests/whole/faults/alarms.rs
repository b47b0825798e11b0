//! Agents that tell on standard error that something is wrong with them, and play on.

use serde_json::{Value, json};

use super::door::{Agent, Ends, Event, Game, check, check_agent, four, play};
use crate::support::Place;

const BUILT_IN: &str = "engine.alarms=[\"built-in\"]";
const LINE: &str = "search.cpp:3:5: runtime error: signed integer overflow: 2147483647 + 1";
/// Time to read what is written at full speed on a busy machine.
const LONG: &str = "game.time_control=20s/move";
const ANY_ERRORS: &str = "engine.max_stderr=1000000";

/// The alarms of each game of the faulty player; the others have none.
#[track_caller]
fn alarms(event: &Event) -> Vec<Value> {
    let is_faulty = |id: &str| event.of_faulty().iter().any(|game| game.id() == id);
    for game in event.games.iter().filter(|game| !is_faulty(&game.id())) {
        assert!(game.record.get("alarms").is_none(), "{:#}", game.record);
    }
    event
        .of_faulty()
        .iter()
        .map(|game| game.record["alarms"].clone())
        .collect()
}

/// The game goes on to its end, and its record, its evidence and `status` have the alarm. What is public has it without the line.
#[test]
fn an_alarm_costs_no_game() {
    let event = check("--fault alarm --at 2", &[BUILT_IN], Ends::UNHARMED);
    let sides = event
        .of_faulty()
        .iter()
        .map(|game| game.side_of("Faulty").expect("a side"))
        .collect::<Vec<_>>();
    let expected = |side: &&str| json!([{ "side": side, "pattern": "runtime error: ", "lines": 1, "line": LINE }]);
    assert_eq!(alarms(&event), sides.iter().map(expected).collect::<Vec<_>>());
    let said = event.ran.stderr();
    let of_faulty = event.of_faulty();
    let is_white = |game: &&&Game| game.side_of("Faulty") == Some("white");
    let game = of_faulty.iter().find(is_white).expect("colours alternate");
    let sentence = format!(
        "  alarm: Faulty gave an alarm in {} as White: \"runtime error: \" in 1 line of standard error: {LINE}",
        game.id()
    );
    assert!(said.contains(&sentence), "{said}");
    let evidence = event
        .evidence(game)
        .expect("the evidence of a game with an alarm is kept");
    let sentence = format!("\nAlarm of White: \"runtime error: \" in 1 line of standard error: {LINE}\n");
    assert!(evidence.contains(&sentence), "{evidence}");

    let place = &event.place;
    let status = place.swissmatch(&["status", "run", "--json"]).stdout();
    let status: Value = serde_json::from_str(&status).expect("JSON");
    assert_eq!(
        status["faults"],
        json!([{ "pairing_number": 1, "name": "Faulty", "games": {}, "failed_attempts": 0, "alarms": 2 }])
    );
    let status = place.swissmatch(&["status", "run"]).stdout();
    assert!(status.contains("Alarms"), "{status}");
    assert!(
        place
            .read("run/summary.md")
            .contains("| Games with an alarm in standard error | 2 |")
    );
    let told = place.swissmatch(&["explain", "game", &game.id(), "run"]).stdout();
    assert!(
        told.contains("Faulty (White) gave an alarm, \"runtime error: \" in 1 line of standard error (engine.alarms)"),
        "{told}"
    );

    for file in ["run/games.pgn", "run/games.csv", "run/summary.json"] {
        assert!(!place.read(file).contains("signed integer"), "{file}");
    }
    place
        .swissmatch(&["export", "sqlite", "run", "--output", "run.db"])
        .expect_code(0);
    let database = std::fs::read(place.path("run.db")).expect("a database");
    let has = |text: &str| database.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("runtime error: ") && !has("signed integer"));
}

/// `run.max_faults` counts a game with an alarm as one that was lost by a fault.
#[test]
fn alarms_count_towards_the_bound() {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, "--fault alarm --at 2"));
    let event = play(place, &players, &[BUILT_IN, "run.max_faults=1", "publish.junit=true"]);
    event.ran.expect_code(3);
    let said = event.ran.stderr();
    assert!(
        said.contains("Faulty gave an alarm in 2 of its 2 games; run.max_faults allows 1"),
        "{said}"
    );
    let junit = event.place.read("run/junit.xml");
    assert!(junit.contains("an agent gave an alarm in 2 games"), "{junit}");

    // Two may be allowed, and without the key there are none.
    for keys in [[BUILT_IN, "run.max_faults=2"], ["engine.alarms=[]", "run.max_faults=0"]] {
        let place = Place::new();
        let players = four(&place, Agent::fault(&place, "--fault alarm --at 2"));
        play(place, &players, &keys).ran.expect_code(0);
    }
}

/// Without the key the same line is nothing at all.
#[test]
fn without_the_key_nothing_is_looked_for() {
    let event = check("--fault alarm --at 2", &[], Ends::UNHARMED);
    for game in &event.games {
        assert!(game.record.get("alarms").is_none(), "{:#}", game.record);
        assert!(event.evidence(game).is_none(), "{}", game.id());
    }
    let log = std::fs::read(event.place.path("run/run.sqlite")).expect("the log");
    let has_alarms = log.windows(6).any(|part| part == b"alarms");
    assert!(!has_alarms, "neither games nor the setup have a word of it");
}

/// A million lines with alarms: memory stays bounded (as of every event here), and no game is lost by it.
#[test]
fn a_flood_of_alarms() {
    let event = check(
        "--fault alarm --at 2 --lines 1000000",
        &[LONG, BUILT_IN, ANY_ERRORS],
        Ends::UNHARMED,
    );
    for (alarms, game) in alarms(&event).iter().zip(event.of_faulty()) {
        assert_eq!(alarms[0]["lines"], 1_000_000, "{alarms}");
        assert_eq!(alarms[0]["line"], LINE);
        assert_eq!(alarms.as_array().map(Vec::len), Some(1));
        let evidence = event.evidence(game).expect("evidence");
        assert!(evidence.len() < 200_000, "{}", evidence.len());
    }
}

/// An alarm of a process that ended is one of the game that it lost, and a text of the event file means itself.
#[test]
fn an_agent_that_ends_with_an_alarm() {
    let faulty = |place: &Place| {
        let fatal = "printf 'FATAL (code 7)\\033[2J: out of book' >&2; exit 7";
        Agent::script(
            place,
            &format!("\"$AGENT\" --fault exit --at 2 --mark \"$MARK\"\n{fatal}"),
        )
    };
    let keys = ["engine.alarms=[\"FATAL (code\", \"built-in\"]"];
    let event = check_agent(faulty, &keys, Ends::by_crash("exited 7"));
    for alarms in alarms(&event) {
        assert_eq!(alarms.as_array().map(Vec::len), Some(1), "{alarms}");
        assert_eq!(alarms[0]["pattern"], "FATAL (code");
        assert_eq!(alarms[0]["line"], "FATAL (code 7)\\u{1b}[2J: out of book");
    }
}
