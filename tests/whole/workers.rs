//! A run whose games workers play, too: real programs at a real NATS server, which are killed, paused and cut off.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, assert_empty, send, until};
use crate::kill::{results, short_event};
use crate::nats::Nats;
use crate::support::{Place, Ran};

const PATIENCE: Duration = Duration::from_secs(60);

/// A runner's place beside a server.
struct Office {
    server: Nats,
    place: Place,
    address: String,
}

impl Office {
    /// With an event that has these keys of its run, and is signed.
    fn new(run_keys: &str) -> Self {
        let (server, place) = (Nats::start(), Place::new());
        let keys = format!("[run]\nlease = \"1s\"\nconcurrency = 1\n{run_keys}");
        let text = short_event()
            .replace("[run]\n", &keys)
            .replace("games = 4", "games = 6");
        let text = text.replace("nodes = 300", "nodes = 1000");
        place.write(
            "event.toml",
            &text.replace("[publish]\n", "[publish]\nsign = \"owner.key\"\n"),
        );
        make_key(&place, "owner.key");
        let address = server.address();
        Self { server, place, address }
    }

    /// Of a run whose games workers play alone.
    fn arguments(&self) -> [&str; 7] {
        [
            "run",
            "event.toml",
            "--out",
            "run",
            "--workers",
            &self.address,
            "--workers-only",
        ]
    }

    /// A worker in a place of its own, which knows the owner.
    fn worker<'a>(&self, place: &'a Place, flags: &[&str]) -> Background<'a> {
        Background::start(place, &self.worker_arguments(place, flags).each_ref_str())
    }

    fn worker_arguments(&self, place: &Place, flags: &[&str]) -> Words {
        let key = self.place.read("owner.key.pub");
        place.write("owner.pub", &key);
        let mut words = vec![
            "worker",
            &self.address,
            "--owner",
            "owner.pub",
            "--nkey",
            "nkey",
            "--event",
            "short",
        ];
        words.extend(flags);
        if !flags.contains(&"--slots") {
            words.extend(["--slots", "1"]);
        }
        Words(words.into_iter().map(str::to_owned).collect())
    }

    /// Games of a run in the log, by who played them: the runner as "".
    fn played(&self, run: &str) -> BTreeMap<String, usize> {
        let mut played = BTreeMap::new();
        for body in self.bodies(run, "game-finished") {
            let worker = body["played_on"]["worker"].as_str().unwrap_or_default();
            *played.entry(worker.to_owned()).or_insert(0) += 1;
        }
        played
    }

    /// Entries of one kind in a log, which may be written to.
    fn bodies(&self, run: &str, kind: &str) -> Vec<Value> {
        let path = self.place.path(&format!("{run}/run.sqlite"));
        let Ok(log) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY) else {
            return Vec::new();
        };
        let Ok(mut rows) = log.prepare("SELECT body FROM entries WHERE kind = ?1 ORDER BY seq") else {
            return Vec::new();
        };
        let bodies = rows.query_map([kind], |row| row.get::<_, String>(0)).expect("a query");
        let bodies = bodies.map(|body| serde_json::from_str(&body.expect("a text")).expect("JSON"));
        bodies.collect()
    }

    /// Waits until so many workers have played so many games.
    fn until_played(&self, run: &str, (workers, games): (usize, usize)) {
        let begun = Instant::now();
        loop {
            let played = self.played(run);
            if played.len() >= workers && played.values().sum::<usize>() >= games {
                return;
            }
            let said = || self.place.read("complained");
            assert!(
                begun.elapsed() < PATIENCE,
                "workers have played {played:?}:\n{}",
                said()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The run of workers has the bytes of one that was played here alone, times and places of play aside; and is right.
    fn is_as_played_alone(&self, run: &str) {
        self.place
            .swissmatch(&["run", "event.toml", "--out", "alone", "--quiet"])
            .expect_code(0);
        assert_eq!(results(&self.place, run), results(&self.place, "alone"));
        self.place.swissmatch(&["verify", run]).expect_code(0);
        let games: usize = self.played(run).values().sum();
        assert_eq!(games, 3 * 3 * 6, "each once");
    }
}

/// Words of a command.
struct Words(Vec<String>);

impl Words {
    fn each_ref_str(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

/// A key of the owner's, as a person makes one.
fn make_key(place: &Place, name: &str) {
    let path = place.path(name);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "owner", "-f"])
        .arg(&path)
        .status();
    assert!(made.expect("ssh-keygen is installed: make test-tools").success());
}

/// A coordinator and two workers play an event to the bytes of the local run, one worker killed on the way.
#[test]
fn two_workers_play_an_event_as_it_is_played_alone_though_one_is_killed() {
    let office = Office::new("");
    let [one, two] = [Place::new(), Place::new()];
    let (killed, mut other) = (office.worker(&one, &[]), office.worker(&two, &[]));
    let mut run = Background::start(&office.place, &office.arguments());
    office.until_played("run", (2, 4));
    send(killed.player(), Signal::KILL);
    assert_empty(&one, PATIENCE);
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(other.end(PATIENCE).code(), Some(0), "{}", two.read("complained"));
    let said = office.place.read("complained");
    assert!(said.contains("is silent"), "{said}");
    let admitted = office.bodies("run", "worker-admitted");
    assert_eq!(admitted.len(), 2, "{admitted:?}");
    assert_eq!(office.played("run").len(), 2);
    assert!(
        std::fs::metadata(one.path("nkey"))
            .expect("its key")
            .permissions()
            .mode()
            & 0o077
            == 0
    );
    office.is_as_played_alone("run");
}

/// "A coordinator's crash interrupts no remote game."
#[test]
fn a_killed_runner_goes_on_and_no_game_of_a_worker_was_interrupted() {
    let office = Office::new("");
    let [one, two] = [Place::new(), Place::new()];
    let mut workers = [office.worker(&one, &[]), office.worker(&two, &["--slots", "2"])];
    for games in [3, 8] {
        let mut run = Background::start(&office.place, &office.arguments());
        office.until_played("run", (1, games));
        send(run.player(), Signal::KILL);
        run.end(PATIENCE);
    }
    let ran = office.place.swissmatch(&office.arguments());
    ran.expect_code(0);
    for worker in &mut workers {
        assert_eq!(worker.end(PATIENCE).code(), Some(0));
    }
    assert_eq!(office.bodies("run", "interrupted"), Vec::<Value>::new());
    office.is_as_played_alone("run");
}

/// The server is a carrier: killed it loses nothing, and without its store games go on all the same.
#[test]
fn a_server_that_is_killed_and_one_whose_store_is_wiped_cost_no_game() {
    let mut office = Office::new("");
    let place = Place::new();
    let mut worker = office.worker(&place, &["--slots", "2"]);
    let mut run = Background::start(&office.place, &office.arguments());
    office.until_played("run", (1, 3));
    office.server.kill();
    std::thread::sleep(Duration::from_secs(2));
    office.server.start_again();
    let before = office.played("run").values().sum::<usize>();
    office.until_played("run", (1, before.min(12) + 2));
    office.server.kill();
    office.server.wipe();
    office.server.start_again();
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(worker.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    office.is_as_played_alone("run");
}

fn refused(ran: &Ran, code: i32, why: &str) {
    ran.expect_code(code);
    assert!(ran.stderr().contains(why), "{why}: {}", ran.stderr());
}

/// What cannot be is told by name before anything is made or started.
#[test]
fn what_workers_do_not_play_is_refused_by_name() {
    let office = Office::new("");
    let run =
        |place: &Place, flags: &[&str]| place.swissmatch(&[&["run", "event.toml", "--out", "run"], flags].concat());
    let workers = ["--workers", &office.address];
    let place = Place::new();
    place.write("event.toml", &short_event());
    refused(
        &run(&place, &workers),
        4,
        "publish.sign: workers play events alone that are signed",
    );
    refused(
        &run(&place, &["--workers", "nats://me:secret@localhost"]),
        4,
        "no credentials",
    );
    refused(
        &run(&place, &["--workers", "nats://example.org:4222"]),
        4,
        "has to be encrypted",
    );
    refused(&run(&place, &["--workers", "localhost:4222"]), 4, "nats://HOST:PORT");
    let text = office.place.read("event.toml");
    office
        .place
        .write("event.toml", &(text.clone() + "[schedule]\nclock = \"schedule\"\n"));
    refused(
        &run(&office.place, &workers),
        4,
        "schedule.clock: clocks of games at workers",
    );
    office.place.write("event.toml", &text);
    refused(
        &run(&office.place, &["--workers", "nats://127.0.0.1:1"]),
        5,
        "the server of --workers",
    );
    assert!(!office.place.path("run").exists());

    // A worker takes nobody's event but its owner's, and lets agents do no more than its flags say.
    office.place.write(
        "event.toml",
        &text.replace("[game]", "[engine]\nisolation = \"off\"\n[game]"),
    );
    let stranger = Place::new();
    make_key(&stranger, "stranger.key");
    let runner = Background::start(&office.place, &office.arguments());
    until("the event", PATIENCE, || {
        office.place.path("run/run.sqlite").exists().then_some(())
    });
    let at_home = Place::new();
    let words = office.worker_arguments(&at_home, &[]);
    refused(&at_home.swissmatch(&words.each_ref_str()), 4, "which takes --allow-off");
    assert!(!at_home.path("worker").join("agents").exists());
    stranger.write("owner.pub", &stranger.read("stranger.key.pub"));
    let mut waits = Background::start(
        &stranger,
        &["worker", &office.address, "--owner", "owner.pub", "--nkey", "nkey"],
    );
    until("a stranger", PATIENCE, || {
        stranger
            .read("complained")
            .contains("was not signed by --owner")
            .then_some(())
    });
    send(waits.player(), Signal::TERM);
    assert_eq!(waits.end(PATIENCE).code(), Some(130));
    send(runner.player(), Signal::KILL);
}
