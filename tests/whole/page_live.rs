//! What the page of a run that is played is told: how the event stands, and of a game all plies, whenever one begins to watch.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, processes_in, send, until};
use crate::schemas;
use crate::serve::{Stream, address, event, get};
use crate::support::Place;

const PATIENCE: Duration = Duration::from_secs(60);

const RUN: [&str; 5] = ["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0"];

fn act(place: &Place, act: &str, reason: &str) {
    let words = ["arbiter", act, "run", "--by", "A. Arbiter", "--reason", reason];
    place.swissmatch(&words).expect_code(0);
}

#[test]
fn it_is_told_how_the_event_stands_and_what_it_waits_for() {
    let place = Place::new();
    place.write(
        "event.toml",
        &event(20, "[schedule]\nnotice = \"3s\"\nbreak = \"4s\"\n"),
    );
    let mut running = Background::start(&place, &RUN);
    let address = address(&place);
    let mut stream = Stream::open(&address, "?slots=none", None);
    let mut stands = |state: &str| {
        let told = stream.until(state, |piece| piece.kind == "run" && piece.data["state"] == state);
        (
            told.data["next_at"].as_str().map(str::to_owned),
            told.data["why"].clone(),
            told.data["held_back"].clone(),
        )
    };
    let (next, why, held_back) = stands("before");
    assert_eq!((next.is_some(), why, held_back), (true, Value::Null, false.into()));
    assert_eq!(stands("playing").0, None);
    let (next, ..) = stands("between");
    assert!(next.is_some());
    act(&place, "pause", "the lights <b>went out</b>");
    let (next, why, _) = stands("paused");
    assert_eq!((next, why), (None, "the lights <b>went out</b>".into()));
    act(&place, "resume", "they are back");
    stands("playing");
    stands("over");
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));

    // Under embargo the second round is played, and neither when nor why anything waits is told.
    let held = event(20, "[schedule]\nbreak = \"4s\"\n[publish]\nembargo_rounds = 1\n");
    place.write("event.toml", &held.replace("Served <b>", "Held back"));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "held", "--serve=127.0.0.1:0"]);
    let address = self::address(&place);
    let mut stream = Stream::open(&address, "?slots=none", None);
    let run = stream.until("the break", |piece| {
        piece.kind == "run" && piece.data["state"] == "between"
    });
    assert_eq!(
        (&run.data["held_back"], &run.data["next_at"]),
        (&true.into(), &Value::Null)
    );
    let pause = ["arbiter", "pause", "held", "--by", "A", "--reason", "a secret"];
    place.swissmatch(&pause).expect_code(0);
    let run = stream.until("the pause", |piece| {
        piece.kind == "run" && piece.data["state"] == "paused"
    });
    assert_eq!((&run.data["held_back"], &run.data["why"]), (&true.into(), &Value::Null));
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
}

/// The plies of a game as they are served, from a number on; `None` where it is not being played.
fn plies(address: &str, id: &str, from: usize) -> Option<Vec<Value>> {
    let answer = get(address, &format!("/live/{id}.json?from={from}"));
    if answer.status == 404 {
        assert_eq!(
            answer.body,
            "This game is not being played, or it is not shown while it is played.\n"
        );
        return None;
    }
    let told = answer.json();
    schemas::check("page-live", &told);
    assert_eq!((&told["id"], &told["columns"]["from"]), (&id.into(), &from.into()));
    let times = told["columns"]["time_us"].as_array().expect("times").clone();
    assert_eq!(told["plies"], from + times.len());
    Some(times)
}

/// The game at slot 0, when the news are of so many plies of it.
fn game_of(address: &str, least: u64) -> (String, usize) {
    until("a game", PATIENCE, || {
        let news = get(address, "/news?after=0&slots=0").json();
        let game = news["news"].as_array()?.iter().find(|piece| piece["type"] == "game")?["data"].clone();
        assert!(
            game.get("columns").is_none(),
            "every viewer would have them again and again"
        );
        let plies = game["plies"].as_u64().filter(|plies| *plies >= least)?;
        Some((game["id"].as_str()?.to_owned(), usize::try_from(plies).ok()?))
    })
}

fn server(place: &Place) -> Option<u32> {
    let mut processes = processes_in(place).into_iter();
    let server = processes.find(|process| process.line.starts_with("swissmatch-server"));
    server.map(|server| server.pid)
}

/// Kills the server, and waits for the next one.
fn kill_the_server(place: &Place) {
    let first = server(place).expect("a server");
    send(first, Signal::KILL);
    until("another server", PATIENCE, || {
        server(place).filter(|server| *server != first)
    });
}

/// A game of at most 40 full moves, each of this many milliseconds.
fn long_games(ms: u32, more: &str) -> String {
    event(ms, more).replace("max_moves = 10", "max_moves = 40")
}

#[test]
fn whoever_comes_late_has_all_plies_and_so_has_a_server_that_is_started_again() {
    let place = Place::new();
    place.write("event.toml", &long_games(150, ""));
    let mut running = Background::start(&place, &RUN);
    let address = address(&place);
    let (id, shown) = game_of(&address, 9);
    let all = plies(&address, &id, 0).expect("it is being played");
    assert!(all.len() >= shown, "whoever hears of a ply finds its figures");
    let rest = plies(&address, &id, 5).expect("it is being played");
    assert_eq!(rest[..all.len() - 5], all[5..]);
    kill_the_server(&place);
    let again = until("the game", PATIENCE, || plies(&address, &id, 0));
    assert!(again.len() >= all.len());
    assert_eq!(again[..all.len()], all);
    for path in ["/live/9.9.9.json", "/live/..%2Fevent.json", "/live/1.1.1"] {
        assert_eq!(get(&address, path).status, 404, "{path}");
    }
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
    let records = place.swissmatch(&["export", "records", "run"]).expect_code(0).stdout();
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    let record: Value = records
        .into_iter()
        .find(|record: &Value| record["id"] == *id)
        .expect("it is in the log");
    assert_eq!(record["time_us"].as_array().expect("times")[..again.len()], again);
}

/// No ply is served before its time, whenever the server has begun; those that are due are there.
#[test]
fn with_a_delay_nobody_has_plies_that_are_too_new() {
    const DELAY: f64 = 4.0;
    const MOVE: f64 = 0.15;
    let place = Place::new();
    place.write("event.toml", &long_games(150, "[publish]\ndelay = \"4s\"\n"));
    let mut running = Background::start(&place, &RUN);
    let address = address(&place);
    let (id, _) = game_of(&address, 4);
    let news = get(&address, "/news?after=0&slots=0").json();
    let pieces = news["news"].as_array().expect("news").clone();
    let game = pieces.iter().find(|piece| piece["type"] == "game").expect("a game");
    let begun: jiff::Timestamp = game["data"]["begun"]
        .as_str()
        .and_then(|at| at.parse().ok())
        .expect("a time");
    let since = || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
        now.as_secs_f64() - begun.as_nanosecond() as f64 / 1e9
    };
    // Each move takes that time at the least.
    let served = || {
        let plies = plies(&address, &id, 0)?.len();
        let due = (since() - DELAY) / MOVE;
        assert!((plies as f64) <= due, "{plies} plies are served, {due} are due");
        Some(plies)
    };
    let before = until("some plies", PATIENCE, || served().filter(|plies| *plies >= 6));
    kill_the_server(&place);
    let begins = Instant::now();
    let least = until("what was there", PATIENCE, || served().filter(|plies| *plies >= before));
    assert!(least >= before, "after {:?}", begins.elapsed());
    send(running.guard(), Signal::INT);
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
}
