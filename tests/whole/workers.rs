//! A run whose games workers play, too: real programs at a real NATS server, which are killed, paused and cut off.

mod failures;
mod points;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::death::{Background, assert_empty, processes_in, send, until};
use crate::kill::{Log, Lot, results, short_event};
use crate::nats::Nats;
use crate::support::{Place, Ran, engine, times};

const PATIENCE: Duration = Duration::from_secs(60);

/// A runner's place beside a server.
pub(crate) struct Office {
    pub(crate) server: Nats,
    pub(crate) place: Place,
    address: String,
}

impl Office {
    /// With an event that has these keys of its run, and is signed.
    fn new(run_keys: &str) -> Self {
        Self::at(Nats::start(), run_keys)
    }

    /// The same at this server.
    fn at(server: Nats, run_keys: &str) -> Self {
        let keys = format!("[run]\nlease = \"1s\"\nconcurrency = 1\n{run_keys}");
        let text = short_event()
            .replace("[run]\n", &keys)
            .replace("games = 4", "games = 6");
        let text = text.replace("nodes = 300", "nodes = 1000");
        Self::with(
            server,
            &text.replace("[publish]\n", "[publish]\nsign = \"owner.key\"\n"),
        )
    }

    /// With this event.
    pub(crate) fn with(server: Nats, event: &str) -> Self {
        let place = Place::new();
        place.write("event.toml", event);
        make_key(&place, "owner.key");
        let address = server.address();
        Self { server, place, address }
    }

    /// Of a run whose games workers play alone.
    pub(crate) fn arguments(&self) -> [&str; 7] {
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
    pub(crate) fn worker<'a>(&self, place: &'a Place, flags: &[&str]) -> Background<'a> {
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

    /// Waits until the live lines of a run, which may not have begun, have moves of a game.
    fn until_moves_are_seen(&self, run: &str) {
        let live = until("live lines", PATIENCE, || {
            UnixStream::connect(self.place.path(&format!("{run}/live.sock"))).ok()
        });
        let mut seen = BufReader::new(live).lines();
        let is_seen = seen.find(|line| {
            line.as_ref()
                .is_ok_and(|line| line.contains("\"moves\":\"") && !line.contains("\"moves\":\"\""))
        });
        assert!(is_seen.is_some());
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

/// Stops a guard and its player, which it would send on.
fn hold(paused: [u32; 2]) {
    until("both are stopped", PATIENCE, || {
        paused.iter().for_each(|pid| send(*pid, Signal::STOP));
        std::thread::sleep(Duration::from_millis(300));
        let is_stopped = |pid: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('T'))
        };
        paused.iter().all(is_stopped).then_some(())
    });
}

/// A key of the owner's, as a person makes one.
pub(crate) fn make_key(place: &Place, name: &str) {
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

/// Killed at any instant, with a task just taken, between two games, with a result on its way or not let go yet: each game counts once, and
/// the bytes are those of the run that nobody disturbed.
#[test]
fn workers_that_are_killed_at_any_instant_cost_no_game() {
    let mut lot = Lot(52);
    for _ in 0..times(1, 50) {
        let office = Office::new("");
        let [one, two] = [Place::new(), Place::new()];
        let mut stays = office.worker(&two, &[]);
        let mut run = Background::start(&office.place, &office.arguments());
        for games in [2, 8, 14] {
            let killed = office.worker(&one, &["--slots", "2"]);
            office.until_played("run", (1, games));
            std::thread::sleep(Duration::from_millis(lot.below(400)));
            // It may be over by now.
            drop(killed);
            assert_empty(&one, PATIENCE);
        }
        assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
        assert_eq!(stays.end(PATIENCE).code(), Some(0), "{}", two.read("complained"));
        office.is_as_played_alone("run");
    }
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
    // Longer than anybody waits for an answer: what timed out comes all the same when it is there again.
    std::thread::sleep(Duration::from_secs(8));
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

/// A signal to all processes of a worker ends its agents, too: nobody loses a game by it. One that is stopped beyond its lease and goes on
/// has lost what it had, and nothing of it counts twice.
#[test]
fn a_worker_that_is_ended_with_all_its_agents_and_one_that_was_paused_cost_no_agent_a_game() {
    let office = Office::new("");
    let places = [0, 1, 2].map(|_| Place::new());
    let [mut ended, mut paused, mut third] = [0, 1, 2].map(|number| {
        let mut command = places[number].command(&office.worker_arguments(&places[number], &[]).each_ref_str());
        command.process_group(0);
        Background::start_by(&places[number], command)
    });
    let mut run = Background::start(&office.place, &office.arguments());
    office.until_played("run", (3, 6));
    let group = Pid::from_raw(i32::try_from(ended.guard()).expect("a pid")).expect("a pid");
    rustix::process::kill_process_group(group, Signal::TERM).expect("it runs");
    let stopped: Vec<u32> = processes_in(&places[1])
        .into_iter()
        .map(|process| process.pid)
        .collect();
    stopped.iter().for_each(|pid| send(*pid, Signal::STOP));
    assert_eq!(
        ended.end(PATIENCE).code(),
        Some(130),
        "{}",
        places[0].read("complained")
    );
    std::thread::sleep(Duration::from_secs(2));
    stopped.iter().for_each(|pid| send(*pid, Signal::CONT));
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(third.end(PATIENCE).code(), Some(0), "{}", places[2].read("complained"));
    assert_eq!(paused.end(PATIENCE).code(), Some(0), "{}", places[1].read("complained"));
    office.is_as_played_alone("run");
}

/// One runner has a run: another one is refused by name, and one that was overtaken while it was paused writes nothing more.
#[test]
fn a_second_runner_is_refused_and_an_overtaken_one_writes_nothing() {
    let office = Office::new("");
    // It is not to be over while the second one waits.
    let text = office.place.read("event.toml");
    office
        .place
        .write("event.toml", &text.replace("games = 6", "games = 20"));
    let place = Place::new();
    let mut worker = office.worker(&place, &["--slots", "2"]);
    let mut first = Background::start(&office.place, &office.arguments());
    office.until_played("run", (1, 4));
    let paused = [first.guard(), first.player()];
    // A copy of the run elsewhere, as after a machine was thought to be lost.
    let elsewhere = Place::new();
    for name in ["event.toml", "owner.key"] {
        std::fs::copy(office.place.path(name), elsewhere.path(name)).expect("a copy");
    }
    let copy = || {
        let _ = std::fs::remove_dir_all(elsewhere.path("run"));
        std::fs::create_dir(elsewhere.path("run")).expect("a directory");
        for name in ["run.sqlite", "run.sqlite-wal"] {
            let _ = std::fs::copy(office.place.path("run").join(name), elsewhere.path("run").join(name));
        }
    };
    copy();
    let refused = elsewhere.swissmatch(&office.arguments());
    refused.expect_code(5);
    let named = format!(
        "{}/run plays this event",
        std::fs::canonicalize(office.place.path("")).expect("there").display()
    );
    assert!(refused.stderr().contains(&named), "{named}: {}", refused.stderr());
    hold(paused);
    let paused_at = swissmatch::shell::machine::now();
    copy();
    let before = Log::read(&office.place, "run");
    elsewhere.swissmatch(&office.arguments()).expect_code(0);
    paused.iter().for_each(|pid| send(*pid, Signal::CONT));
    assert_eq!(
        first.end(PATIENCE).code(),
        Some(5),
        "{}",
        office.place.read("complained")
    );
    let said = office.place.read("complained");
    assert!(said.contains("plays this event now"), "{said}");
    // Of what was being written when it was paused the rest may come.
    let after = Log::read(&office.place, "run");
    after.assert_only_grew(&before);
    let later = after
        .rows
        .iter()
        .filter(|row| row.split(' ').nth(1).is_some_and(|at| at > paused_at.as_str()));
    assert_eq!(later.collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(worker.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    elsewhere.swissmatch(&["verify", "run"]).expect_code(0);
}

/// What is asked of a run that is played here is asked of workers as well: acts of the arbiter, late entries, live boards, evidence.
#[test]
fn acts_late_entries_live_boards_and_evidence_are_as_ever() {
    let (server, place, away) = (Nats::start(), Place::new(), Place::new());
    let player = |name: &str, seed: u32| {
        let agent = engine("fault-agent");
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"50\", \"--seed\", \"{seed}\"]\n"
        )
    };
    let players: String = (1..)
        .zip(["Anna", "Berta", "Carla", "Dora"])
        .map(|(seed, name)| player(name, seed))
        .collect();
    place.write(
        "event.toml",
        &format!(
            "[event]\nname = \"short\"\n[swiss]\nrounds = 2\n[registration]\nuntil = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\n\
             time_control = \"60+1\"\nmax_plies = 30\n[run]\nlease = \"1s\"\nevidence = \"all\"\n[publish]\nsign = \"owner.key\"\n{players}"
        ),
    );
    make_key(&place, "owner.key");
    let address = server.address();
    let office = Office { server, place, address };
    let mut worker = office.worker(&away, &["--slots", "2"]);
    let mut run = Background::start(&office.place, &office.arguments());
    office.until_moves_are_seen("run");
    let act = |words: &[&str]| {
        let signed = ["run", "--by", "Ann", "--reason", "why"];
        office.place.swissmatch(&[&["arbiter"], words, &signed].concat())
    };
    act(&["adjudicate", "1.1.1", "1-0"]).expect_code(0);
    office.place.write("emil.toml", &player("Emil", 5));
    act(&["enter", "emil.toml"]).expect_code(0);
    office.place.write("fritz.toml", &player("Fritz", 6));
    act(&["enter", "fritz.toml"]).expect_code(0);
    act(&["enter", "emil.toml"]).expect_code(4);
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(worker.end(PATIENCE).code(), Some(0), "{}", away.read("complained"));
    assert!(away.read("complained").contains("late entry: Emil"));
    let games = office.bodies("run", "game-finished");
    assert_eq!(
        games[0]["termination"]["kind"]
            .as_str()
            .or(games[0]["termination"].as_str()),
        Some("arbiter-adjudication")
    );
    let of_emil = games
        .iter()
        .filter(|game| [&game["white"], &game["black"]].contains(&&Value::from(5)));
    assert!(
        of_emil.clone().count() == 2 && of_emil.clone().all(|game| game["played_on"].is_object()),
        "{games:?}"
    );
    assert!(
        office
            .place
            .evidence("run", "1.2.1")
            .is_some_and(|said| said.contains("bestmove"))
    );
    office.place.swissmatch(&["verify", "run"]).expect_code(0);
    let listed = office.place.swissmatch(&["workers", "run", "--json"]);
    let listed: Value = serde_json::from_str(&listed.expect_code(0).stdout()).expect("JSON");
    let all = games.iter().filter(|game| game["played_on"].is_object()).count();
    assert_eq!(listed["workers"][0]["games"], all);
}
