//! How many games are played beside cores, and which: events of models, web services and engines.

use super::*;
use crate::director;
use crate::log::{Agent, Entry, LOG_VERSION, RunCreated, Suite};
use crate::schedule::{SlotRequest, next_that_it_takes};
use crate::setup::{Rounds, Seeding};

/// Players by what they are: `ENDPOINT:MODEL`, `http://…`, or an engine.
fn setup(players: &[&str], at_once: u32) -> Setup {
    let mut setup = Setup::default();
    setup.endpoints.push(EndpointKeys {
        name: "a".to_owned(),
        at_once,
        ..EndpointKeys::default()
    });
    let player = |(number, kind): (usize, &&str)| PlayerKeys {
        name: format!("P{number}"),
        move_url: kind.starts_with("http").then(|| (*kind).to_owned()),
        model: (kind.contains(':') && !kind.starts_with("http")).then(|| (*kind).to_owned()),
        ..PlayerKeys::default()
    };
    setup.players = players.iter().enumerate().map(player).collect();
    setup.swiss.rounds = Rounds::Number(1);
    setup.swiss.seeding = Seeding::Listed;
    setup.mini_match.games = 2;
    setup
}

#[test]
fn there_are_as_many_as_services_and_pairs_allow() {
    let engines = ["e"; 4];
    let web = ["http://x/1", "http://x/2", "http://x/3"];
    for (players, at_once, expected) in [
        (&engines[..], 16, 0),
        (&["a:m", "e"], 16, 0),
        (&["a:m", "a:n"], 16, 2),
        (&["a:m"; 8], 16, 8),
        (&["a:m"; 8], 10, 5),
        (&["a:m"; 8], 1, 1),
        (&["a:m", "a:n", "e", "a:o", "a:p"], 100, 4),
        // The usual bound of an endpoint that has none of its own is that of a web service.
        (&["b:m", "c:m"], 16, 2),
        (&web, 16, 2),
        (&["http://x/1"; 20], 16, 4),
    ] {
        assert_eq!(slots(&setup(players, at_once)), expected, "{players:?}, {at_once}");
    }
    let mut many = setup(&["http://x/1", "http://x/2", "http://x/3", "a:m", "a:n"], 4);
    many.mini_match.games = 100;
    // Two games at the endpoint; four web games at each of three addresses are six.
    assert_eq!(slots(&many), 2 + 6);
    many.run.max_games_per_player = Some(1);
    assert_eq!(slots(&many), 2);
    many.run.concurrency = Some(16);
    assert_eq!(slots(&many), 0, "a number counts all games");
}

/// The event with its round paired: 1-4, 2-5, 3-6, all games due.
fn paired(setup: Setup) -> State {
    let agent = Agent::default();
    let plan = setup.plan();
    let created = RunCreated {
        log_version: LOG_VERSION,
        software: String::new(),
        agents: vec![agent; setup.players.len()],
        order: (0..setup.players.len()).collect(),
        rounds: plan.rounds,
        format: plan.format,
        openings: Suite {
            source: String::new(),
            sha256: None,
            count: 0,
        },
        tour: None,
        machine: None,
        setup,
    };
    let mut state = State::fold(&[Entry::Created(Box::new(created))]).expect("a log");
    let director::Next::Entries(entries) = director::next(&state, jiff::civil::Date::ZERO).expect("a pairing") else {
        panic!("a round is due");
    };
    for entry in &entries {
        state.apply(entry).expect("it fits");
    }
    state
}

/// All games that slots of one kind take one after the other while those before go on, by their boards' players from 1.
fn taken(state: &State, takes: Takes) -> Vec<[u32; 2]> {
    let mut playing = BTreeSet::new();
    let mut taken = Vec::new();
    let waiting = BTreeSet::new();
    let wanted = SlotRequest {
        takes,
        gpus: 0,
        seated: None,
        waiting: &waiting,
        home: None,
    };
    while let Some(id) = next_that_it_takes(state, &playing, &playing, wanted) {
        playing.insert(id);
        let board = state.mini_match(id).expect("it is due");
        let mut players = [board.pair.white.0, board.pair.black.0];
        players.sort_unstable();
        taken.push(players);
    }
    taken.sort_unstable();
    taken
}

#[test]
fn a_slot_takes_games_of_its_kind_as_services_allow() {
    // Two models, a model and an engine, two engines.
    let state = |at_once| paired(setup(&["a:m", "a:n", "e", "a:o", "e", "e"], at_once));
    let wide = state(8);
    assert_eq!(taken(&wide, Takes::Beside), [[1, 4]; 2]);
    assert_eq!(taken(&wide, Takes::OnCores), [[2, 5], [2, 5], [3, 6], [3, 6]]);
    assert_eq!(taken(&wide, Takes::All).len(), 6);
    let narrow = state(2);
    assert_eq!(taken(&narrow, Takes::Beside), [[1, 4]], "half of two calls");
    assert_eq!(taken(&narrow, Takes::All).len(), 6, "a number of games counts all");
    // A game at two services counts at both.
    let mixed = paired(setup(
        &["a:m", "a:n", "a:o", "http://x/1", "http://x/1", "http://x/1"],
        100,
    ));
    assert_eq!(taken(&mixed, Takes::Beside).len(), 4);
}
