//! An hour of workers, servers and runners that are lost. `make endurance`; MINUTES=N for another length.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use swissmatch::shell::store::Store;
use swissmatch::tournament::log::Entry;

use super::{end_of_endurance, uses};
use crate::death::{Background, assert_empty, processes_in, send, until};
use crate::kill::Lot;
use crate::nats::Nats;
use crate::support::{Place, engine};
use crate::workers::Office;

const PATIENCE: Duration = Duration::from_secs(60);
const VERIFY: Duration = Duration::from_secs(1800);
/// From one loss to the next.
const LOSS: Duration = Duration::from_secs(8);

/// Six agents, and more games than an hour has room for.
fn event() -> String {
    let mut text = "[event]\nname = \"short\"\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 20000\n[game]\nnodes = 300\nmax_moves = 60\n\
                    [run]\nlease = \"2s\"\nconcurrency = 1\nreplays = 100\nmax_faults = \"none\"\n[publish]\nsign = \"owner.key\"\n"
        .to_owned();
    for (number, name) in ["alphabeta", "greedy", "random-mover"]
        .iter()
        .cycle()
        .take(6)
        .enumerate()
    {
        text += &format!(
            "[[player]]\nname = \"{name} {number}\"\ncommand = \"{}\"\n",
            engine(name)
        );
    }
    text
}

#[test]
#[ignore = "takes an hour: make endurance"]
fn an_hour_of_workers_that_are_lost() {
    let end = end_of_endurance();
    let mut office = Office::with(Nats::start(), &event());
    let places = [0, 1, 2].map(|_| Place::new());
    let mut workers = [0, 1, 2].map(|number: usize| Some(office.worker(&places[number], &[])));
    let arguments = office.arguments().map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut running = Some(Background::start(&office.place, &arguments));
    let (mut lot, mut losses, mut most) = (Lot(7), BTreeMap::<&str, usize>::new(), 0);
    while Instant::now() < end {
        std::thread::sleep(LOSS.min(end.saturating_duration_since(Instant::now())));
        let runner = running.as_mut().expect("it was started");
        let (ended, said) = (runner.ended(), office.place.read("complained"));
        assert!(ended.is_none(), "it ended after {losses:?}: {ended:?}: {said}");
        if let Some((memory, _)) = runner.player_now().and_then(uses) {
            most = most.max(memory);
        }
        let number = usize::try_from(lot.below(3)).expect("small");
        let what = match lot.below(6) {
            0 | 1 => {
                // It ends whatever runs there, so before another one begins.
                kill(workers[number].take());
                assert_empty(&places[number], PATIENCE);
                workers[number] = Some(office.worker(&places[number], &[]));
                "a worker killed"
            }
            2 => {
                let stopped = processes_in(&places[number]);
                stopped.iter().for_each(|process| send(process.pid, Signal::STOP));
                std::thread::sleep(Duration::from_secs(4));
                stopped.iter().for_each(|process| send(process.pid, Signal::CONT));
                "a worker paused beyond its lease"
            }
            3 => {
                office.server.kill();
                std::thread::sleep(Duration::from_millis(lot.below(8000)));
                office.server.start_again();
                "the server killed"
            }
            4 => {
                office.server.kill();
                office.server.wipe();
                office.server.start_again();
                "its store wiped"
            }
            _ => {
                kill(running.take());
                running = Some(Background::start(&office.place, &arguments));
                // One that finds no server ends, and says so.
                until("a runner at work", PATIENCE, || {
                    office.place.read("complained").contains("To stop").then_some(())
                });
                "the runner killed"
            }
        };
        *losses.entry(what).or_default() += 1;
    }
    let all = workers.iter_mut().zip(&places);
    for (running, place) in std::iter::once((&mut running, &office.place)).chain(all) {
        let mut running = running.take().expect("it was started");
        send(running.guard(), Signal::TERM);
        assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
        assert_empty(place, PATIENCE);
    }
    let log = Store::open_to_read(&office.place.path("run/run.sqlite")).expect("the log");
    let (mut games, mut interrupted, mut by) = (BTreeSet::new(), 0, BTreeMap::<String, usize>::new());
    for logged in log.entries().expect("the log") {
        match logged.entry {
            Entry::GameFinished(game) => {
                assert!(games.insert(game.id), "game {} counts twice", game.id);
                *by.entry(game.played_on.map_or_else(String::new, |on| on.worker))
                    .or_default() += 1;
            }
            Entry::Interrupted(_) => interrupted += 1,
            _ => {}
        }
    }
    drop(log);
    // Of some hundred thousand games it takes longer than a run of a test may.
    let mut verified = Background::start(&office.place, &["verify", "run"]);
    assert_eq!(verified.end(VERIFY).code(), Some(0), "{}", office.place.read("said"));
    println!(
        "{} games at {} workers, {losses:?}, {interrupted} entries of interrupted games; the runner had {most} kB at most",
        games.len(),
        by.len()
    );
    assert!(most < 300_000, "{most}");
}

fn kill(running: Option<Background<'_>>) {
    let mut running = running.expect("it was started");
    send(running.player_now().unwrap_or(running.guard()), Signal::KILL);
    running.end(PATIENCE);
}
