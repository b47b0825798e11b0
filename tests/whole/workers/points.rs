//! A worker that is killed at a point that is certain: its task taken, its first game over, the result at the server, the result in the log.
//! The time until what it had begins again is printed.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use super::failures::{kept_at, slow_event};
use super::{Office, PATIENCE, hold};
use crate::death::{Background, assert_empty, processes_in, send, until};
use crate::nats::Nats;
use crate::support::{Place, times};

/// A result in the server's store begins so.
const RESULT: &str = "swissmatch.result.";
const FIRST: &str = "\"1.1.1\"";
const SECOND: &str = "\"1.1.2\"";

/// Workers in these places: first the one at which the first of the two games of a run is under way, which has both; the others have nothing
/// to play.
fn begun<'a>(office: &Office, places: &[&'a Place]) -> Vec<(Background<'a>, &'a Place)> {
    // A worker that finds no event looks a second later.
    until("the event", PATIENCE, || {
        office.place.read("complained").contains("To stop").then_some(())
    });
    let workers = places.iter().map(|place| (office.worker(place, &[]), *place));
    let mut workers: Vec<_> = workers.collect();
    for place in places {
        until("a worker", PATIENCE, || {
            place.read("complained").contains("ready for").then_some(())
        });
    }
    until_one_plays(places);
    workers.sort_by_key(|(_, place)| !plays(place));
    workers
}

fn plays(place: &Place) -> bool {
    let processes = processes_in(place);
    processes.iter().any(|process| process.line.contains("--fault sleep"))
}

/// What a worker keeps of its first game, once that is over.
fn first_kept(place: &Place) -> Value {
    let (game, record) = until("a game is over", PATIENCE, || kept_at(place).pop_first());
    assert_eq!(game, FIRST);
    record
}

fn until_stored(office: &Office) {
    until("the result at the server", PATIENCE, || {
        office.server.stores(RESULT).then_some(())
    });
}

/// No process of it is left.
fn kill(mut worker: Background<'_>, place: &Place) {
    let pids = [worker.player(), worker.guard()];
    // The guard may be held, and ends when it sees that its player has.
    send(pids[0], Signal::KILL);
    send(pids[1], Signal::CONT);
    worker.end(PATIENCE);
    assert_empty(place, PATIENCE);
}

/// How long it takes until an engine plays at one of these.
fn until_one_plays(places: &[&Place]) -> Duration {
    let begun = Instant::now();
    until("an engine", PATIENCE, || {
        places.iter().any(|place| plays(place)).then_some(())
    });
    begun.elapsed()
}

/// The run's end: each game counts once, the first one as it was played before the worker was killed, if it was. Of the games of the killed
/// worker this one alone was interrupted.
fn ends(
    office: &Office,
    run: &mut Background<'_>,
    workers: Vec<Background<'_>>,
    (played, interrupted): (Option<Value>, &str),
) {
    let said = || office.place.read("complained");
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", said());
    for mut worker in workers {
        assert_eq!(worker.end(PATIENCE).code(), Some(0));
    }
    let games = office.bodies("run", "game-finished");
    let mut games: Vec<String> = games.iter().map(|game| game["id"].to_string()).collect();
    games.sort();
    assert_eq!(games, [FIRST, SECOND], "{}", said());
    let entries = office.bodies("run", "interrupted");
    let entries: Vec<_> = entries.iter().map(|entry| entry["games"].to_string()).collect();
    assert_eq!(entries, [format!("[{interrupted}]")], "{}", said());
    let records = office.place.swissmatch(&["export", "records", "run"]).stdout();
    let mut records = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    let first = records
        .find(|record| record["id"] == FIRST.trim_matches('"'))
        .expect("its record");
    if let Some(played) = played {
        assert_eq!(first["time_us"], played["time_us"], "it was played again: {}", said());
    }
    office.place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Plays it as often as it is to be, and prints how long it took until what had been begun began again.
fn each_time(point: &str, play: impl Fn(&mut Office, [&Place; 2]) -> Duration) {
    let again: Vec<Duration> = (0..times(3, 50))
        .map(|_| {
            let mut office = Office::with(Nats::start(), &slow_event("", "80"));
            play(&mut office, [&Place::new(), &Place::new()])
        })
        .collect();
    let [least, most] = [again.iter().min(), again.iter().max()].map(|time| time.map_or(0.0, Duration::as_secs_f64));
    println!(
        "a worker was killed {} times, {point}: its game began again after {least:.1} to {most:.1} s",
        again.len()
    );
}

#[test]
fn killed_at_a_point_a_task_taken() {
    each_time("with a task just taken", |office, places| {
        let mut run = Background::start(&office.place, &office.arguments());
        let mut workers = begun(office, &places).into_iter();
        let [(worker, place), (other, there)] = [(); 2].map(|()| workers.next().expect("one of two"));
        kill(worker, place);
        let again = until_one_plays(&[there]);
        assert!(kept_at(place).is_empty(), "no game was over");
        ends(office, &mut run, vec![other], (None, FIRST));
        again
    });
}

/// What it has played is told by nobody but its next start.
#[test]
fn killed_at_a_point_its_first_game_over() {
    each_time("with its first game over and the server away", |office, places| {
        let mut run = Background::start(&office.place, &office.arguments());
        let (worker, place) = begun(office, &places[..1]).remove(0);
        office.server.kill();
        let played = first_kept(place);
        kill(worker, place);
        assert!(!office.server.stores(RESULT));
        office.server.start_again();
        let back = office.worker(place, &[]);
        let again = until_one_plays(&[place]);
        ends(office, &mut run, vec![back], (Some(played), FIRST));
        again
    });
}

/// The server has what the worker, which never comes back, has played.
#[test]
fn killed_at_a_point_its_result_published() {
    each_time("with its first result at the server", |office, places| {
        let mut run = Background::start(&office.place, &office.arguments());
        let mut workers = begun(office, &places).into_iter();
        let [(worker, place), (other, there)] = [(); 2].map(|()| workers.next().expect("one of two"));
        let runner = [run.guard(), run.player()];
        hold(runner);
        let played = first_kept(place);
        until_stored(office);
        kill(worker, place);
        assert_eq!(kept_at(place).len(), 1, "its second game was under way");
        assert_eq!(office.played("run").len(), 0);
        runner.iter().for_each(|pid| send(*pid, Signal::CONT));
        let again = until_one_plays(&[there]);
        ends(office, &mut run, vec![other], (Some(played), SECOND));
        again
    });
}

/// The log has what the worker does not know to be there.
#[test]
fn killed_at_a_point_its_result_not_acknowledged() {
    each_time(
        "with its first result in the log, which it had not heard",
        |office, places| {
            let mut run = Background::start(&office.place, &office.arguments());
            let (worker, place) = begun(office, &places[..1]).remove(0);
            let runner = [run.guard(), run.player()];
            hold(runner);
            let played = first_kept(place);
            until_stored(office);
            hold([worker.guard(), worker.player()]);
            runner.iter().for_each(|pid| send(*pid, Signal::CONT));
            office.until_played("run", (1, 1));
            kill(worker, place);
            assert_eq!(first_kept(place), played);
            let back = office.worker(place, &[]);
            let again = until_one_plays(&[place]);
            ends(office, &mut run, vec![back], (Some(played), SECOND));
            assert!(kept_at(place).is_empty());
            again
        },
    );
}
