//! The time of games, by games made by hand.

use serde_json::json;

use super::*;
use crate::duration::{Outlook, Room, likely_game};
use crate::setup::EndpointKeys;

/// Two models and two engines who play one round of two games each, at most 10 moves of 30 s.
fn event() -> Setup {
    let mut setup = Setup::default();
    setup.endpoints.push(EndpointKeys {
        name: "a".to_owned(),
        ..EndpointKeys::default()
    });
    let player = |name: &str, model: Option<&str>| PlayerKeys {
        name: name.to_owned(),
        model: model.map(str::to_owned),
        ..PlayerKeys::default()
    };
    setup.players = vec![
        player("M", Some("a:m")),
        player("E", None),
        player("N", Some("a:n")),
        player("F", None),
    ];
    setup.game.time_control = "30s/move".parse().expect("a time control");
    setup.game.max_moves = Some(10);
    setup.swiss.rounds = "1".parse().expect("a format");
    setup.mini_match.games = 2;
    setup
}

/// A game of two moves of each side, of which White's first took 4 s and 1 s of its service; Black failed once, after 2 s.
fn record() -> GameRecord {
    let record = json!({
        "version": GameRecord::VERSION,
        "id": "1.1.1",
        "white": 1,
        "black": 2,
        "opening": { "fen": null, "moves": "", "name": "" },
        "moves": "e2e4 e7e5 g1f3 b8c6",
        "result": "1-0",
        "termination": "checkmate",
        "time_us": [4_000_000, 100_000, 5_000_000, 900_000],
        "service_us": [1_000_000],
        "failed_attempts": [{ "ply": 1, "side": "black", "attempt": 1, "time_us": 2_000_000, "end": "late" }],
        "ready_us": [0, 0],
    });
    serde_json::from_value(record).expect("a record")
}

fn seconds(time: GameTime) -> [u64; 3] {
    [time.mean, time.on_cores, time.beside].map(|time| time.as_secs())
}

#[test]
fn sides_that_were_measured_are_put_together_as_they_meet() {
    let event = event();
    let find = |name: &str| {
        event
            .players
            .iter()
            .find(|player| player.name == name)
            .expect("a player")
    };
    let mut took = Took::default();
    assert_eq!(took.of_event(&event, Assumptions::default()), None);
    // M takes 10 s, E 3 s.
    took.add(&event, &event, [find("M"), find("E")], &record());
    // The others by their limits: half the time of ten moves of 30 s.
    let time = took.of_event(&event, Assumptions::default()).expect("a time");
    assert_eq!(seconds(time), [(10 + 150 + 3 + 150) / 2, (3 * 313 - 160) / 5, 160]);
    took.add(&event, &event, [find("N"), find("F")], &record());
    let time = took.of_event(&event, Assumptions::default()).expect("a time");
    assert_eq!(seconds(time), [13, (3 * 26 - 20) / 5, 20]);
    // The round lasts as long as the longer of two: 4 games of engines one after the other, or one pair of models.
    let measured = Assumptions {
        measured: Some(time),
        ..Assumptions::default()
    };
    let outlook = Outlook::new(&event, Room::on(&event, 1));
    assert_eq!(outlook.likely(measured).map(|time| time.as_millis()), Some(4 * 11_600));
    assert_eq!(likely_game(&event, measured), Some(Duration::from_secs(13)));
    // All on cores.
    let mut counted = event.clone();
    counted.run.concurrency = Some(1);
    let time = took.of_event(&counted, Assumptions::default()).expect("a time");
    assert_eq!(seconds(time), [13; 3]);
}

#[test]
fn whoever_plays_by_other_limits_counts_only_where_a_service_sets_the_pace() {
    let (run, mut event) = (event(), event());
    event.game.time_control = "60s/move".parse().expect("a time control");
    let players = [&run.players[0], &run.players[1]];
    let mut took = Took::default();
    took.add(&event, &run, players, &record());
    let time = took.of_event(&event, Assumptions::default()).expect("a time");
    assert_eq!(time.mean.as_secs(), (10 + 3 * 300) / 2);
    // Nodes end its searches, and it has not played.
    event.players[3].nodes = Some(1000);
    assert_eq!(took.of_event(&event, Assumptions::default()), None);
    // Another model of the same name, and a game that was not played.
    event.players[0].model = Some("a:other".to_owned());
    let mut took = Took::default();
    took.add(&event, &run, players, &record());
    let mut unplayed = record();
    unplayed.termination = swissmatch_game::termination::Termination::NeitherCame;
    took.add(&run, &run, players, &unplayed);
    assert_eq!(took.of_event(&run, Assumptions::default()), None);
}
