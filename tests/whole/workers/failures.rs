//! What fails far away: games that nobody ends, a store that is lost while nobody looks, a line that is cut, agents that are not there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use super::{Office, PATIENCE, make_key};
use crate::death::{Background, assert_empty, send, until};
use crate::nats::Nats;
use crate::support::{Place, engine, say_what_is_missing};

/// Two agents that think for so long at each move.
pub(super) fn slow_event(keys: &str, thinks: &str) -> String {
    let agent = engine("fault-agent");
    let player = |(name, seed)| {
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"{thinks}\", \"--seed\", \"{seed}\"]\n"
        )
    };
    let players: String = [("Anna", 1), ("Berta", 2)].map(player).concat();
    format!(
        "[event]\nname = \"short\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nnodes = 100\nmax_plies = 20\n\
         [run]\nlease = \"1s\"\n{keys}[publish]\nsign = \"owner.key\"\n{players}"
    )
}

/// A game that ends each worker at which it is played is left to the arbiter, and is not given to one after the other for ever.
#[test]
fn a_game_that_no_worker_survives_is_left_to_the_arbiter() {
    let office = Office::with(Nats::start(), &slow_event("replays = 0\n", "80"));
    let mut run = Background::start(&office.place, &office.arguments());
    for _ in 0..2 {
        let place = Place::new();
        let worker = office.worker(&place, &[]);
        office.until_moves_are_seen("run");
        send(worker.player(), Signal::KILL);
        assert_empty(&place, PATIENCE);
        let told = office.place.read("complained").matches("is silent").count();
        until("silence", PATIENCE, || {
            (office.place.read("complained").matches("is silent").count() > told).then_some(())
        });
    }
    let code = run.end(PATIENCE).code();
    let said = office.place.read("complained");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("swissmatch arbiter replay"), "{said}");
    let workers: BTreeSet<String> = office
        .bodies("run", "interrupted")
        .iter()
        .map(|entry| entry["machine"].to_string())
        .collect();
    assert_eq!(workers.len(), 2, "{workers:?}");
    for game in ["1.1.1", "1.1.2"] {
        let words = [
            "arbiter",
            "replay",
            game,
            "run",
            "--by",
            "Ann",
            "--reason",
            "the machines were mended",
        ];
        office.place.swissmatch(&words).expect_code(0);
    }
    let place = Place::new();
    let mut worker = office.worker(&place, &[]);
    office.place.swissmatch(&office.arguments()).expect_code(0);
    assert_eq!(worker.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    office.place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// "Store wiped in mid-round with the coordinator down: all spooled results booked, no finished game played again."
#[test]
fn a_store_that_is_wiped_while_the_runner_is_down_costs_no_game() {
    let mut office = Office::new("");
    let place = Place::new();
    let mut worker = office.worker(&place, &["--slots", "2"]);
    let mut run = Background::start(&office.place, &office.arguments());
    office.until_played("run", (1, 3));
    send(run.player(), Signal::KILL);
    run.end(PATIENCE);
    let kept = until("results that nobody has", PATIENCE, || {
        let kept = kept_at(&place);
        std::thread::sleep(Duration::from_millis(700));
        (!kept.is_empty() && kept == kept_at(&place)).then_some(kept)
    });
    office.server.kill();
    office.server.wipe();
    office.server.start_again();
    office.place.swissmatch(&office.arguments()).expect_code(0);
    assert_eq!(worker.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    let issues: BTreeSet<u64> = office
        .bodies("run", "game-finished")
        .iter()
        .filter_map(|game| game["played_on"]["issue"].as_u64())
        .collect();
    assert_eq!(issues, BTreeSet::from([1]), "none was given out again");
    let records = office.place.swissmatch(&["export", "records", "run"]).stdout();
    let records: BTreeMap<String, Value> = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
        .map(|record| (record["id"].to_string(), record))
        .collect();
    for (game, was) in kept {
        assert_eq!(
            records[&game]["time_us"], was["time_us"],
            "game {game} was played again"
        );
    }
    office.is_as_played_alone("run");
}

/// Records that a worker keeps, by their games.
pub(super) fn kept_at(place: &Place) -> BTreeMap<String, Value> {
    let mut kept = BTreeMap::new();
    for event in std::fs::read_dir(place.path("worker")).into_iter().flatten().flatten() {
        for result in std::fs::read_dir(event.path().join("played"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let text = std::fs::read_to_string(result.path()).unwrap_or_default();
            if let Ok(message) = serde_json::from_str::<Value>(&text) {
                let record = &message["came"]["played"]["record"];
                kept.insert(record["id"].to_string(), record.clone());
            }
        }
    }
    kept
}

/// A network namespace, which ends with its process.
struct Net(Child);

impl Net {
    /// One of its own, below those of `outer` where that is given; `None` where that is not allowed here.
    fn new(outer: Option<&Net>) -> Option<Self> {
        let mut command = match outer {
            None => Command::new("unshare"),
            Some(outer) => outer.command("unshare"),
        };
        if outer.is_none() {
            command.args(["--user", "--map-root-user"]);
        }
        // It ends when nobody holds its input any more.
        command.args(["--net", "sh", "-c", "ip link set lo up && echo ready && exec cat"]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let mut said = [0; 6];
        let read = process.stdout.as_mut()?.read_exact(&mut said);
        let net = Self(process);
        read.is_ok().then_some(net)
    }

    /// A command in it.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args([
            "--target",
            &self.0.id().to_string(),
            "--user",
            "--net",
            "--preserve-credentials",
        ]);
        command.arg(program);
        command
    }

    fn run(&self, words: &str) {
        let mut words = words.split(' ');
        let program = words.next().expect("a program");
        let ran = self.command(program).args(words).status();
        assert!(ran.expect("it starts").success());
    }

    /// A command of `swissmatch` in it.
    fn start<'a>(&self, place: &'a Place, args: &[&str]) -> Background<'a> {
        let inner = place.command(args);
        let mut outer = self.command(&inner.get_program().to_string_lossy());
        outer.args(inner.get_args()).current_dir(place.path(""));
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => outer.env(name, value),
                None => outer.env_remove(name),
            };
        }
        Background::start_by(place, outer)
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The line to one of two workers is cut for longer than its lease, and mended; it is encrypted, as it leaves the machine.
#[test]
fn a_worker_whose_line_is_cut_loses_its_games_and_comes_back() {
    let Some(here) = Net::new(None) else {
        say_what_is_missing("network namespaces are not allowed here");
        return;
    };
    let far = Net::new(Some(&here)).expect("a namespace in one's own");
    here.run(&format!(
        "ip link add line type veth peer name line netns {}",
        far.0.id()
    ));
    here.run("ip addr add 10.77.0.1/24 dev line");
    here.run("ip link set line up");
    far.run("ip addr add 10.77.0.2/24 dev line");
    far.run("ip link set line up");
    let certificates = Place::new();
    make_certificates(&certificates);
    let [certificate, key] = ["server.pem", "server.key"].map(|name| certificates.path(name).display().to_string());
    let keys = format!("tls: {{ cert_file: \"{certificate}\", key_file: \"{key}\" }}\n");
    let server = Nats::start_by(here.command("env"), "10.77.0.1", &keys);
    let office = Office::at(server, "");
    let ca = certificates.path("ca.pem").display().to_string();
    let [near_place, far_place] = [Place::new(), Place::new()];
    let flags = ["--ca", &ca];
    let mut near = here.start(
        &near_place,
        &office.worker_arguments(&near_place, &flags).each_ref_str(),
    );
    let mut away = far.start(&far_place, &office.worker_arguments(&far_place, &flags).each_ref_str());
    let arguments = [&office.arguments()[..], &["--workers-ca", &ca]].concat();
    let mut run = here.start(&office.place, &arguments);
    office.until_played("run", (2, 4));
    here.run("ip link set line down");
    until("silence", PATIENCE, || {
        office.place.read("complained").contains("is silent").then_some(())
    });
    here.run("ip link set line up");
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(near.end(PATIENCE).code(), Some(0), "{}", near_place.read("complained"));
    assert_eq!(away.end(PATIENCE).code(), Some(0), "{}", far_place.read("complained"));
    office.is_as_played_alone("run");
}

/// A certificate of one who vouches, and one of the server, as the tutorial makes them.
fn make_certificates(place: &Place) {
    place.write("server.ext", "subjectAltName=IP:10.77.0.1\nbasicConstraints=CA:FALSE\n");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    for words in [
        format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=organizer"),
        format!("req {key} -keyout server.key -out server.csr -subj /CN=runner"),
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile server.ext -out server.pem"
            .to_owned(),
    ] {
        let made = Command::new("openssl")
            .args(words.split(' '))
            .current_dir(place.path(""))
            .output();
        assert!(
            made.expect("openssl is installed: make test-tools").status.success(),
            "{words}"
        );
    }
}

/// An agent that is there until a file is, wherever it runs.
const GOES: &str = "#!/bin/sh\n[ -e \"$MARK\" ] && exit 1\nexec \"$@\"\n";

/// "Presence, roll call: by the worker that will play": an agent that is gone there is absent, though the runner's machine has it; one that
/// is gone at one worker alone is not.
#[test]
fn workers_look_who_is_there() {
    let (server, place) = (Nats::start(), Place::new());
    let greedy = engine("greedy");
    place.write("goes", GOES);
    std::fs::copy(&greedy, place.path("greedy")).expect("a copy");
    let player = |name: &str| format!("[[player]]\nname = \"{name}\"\ncommand = \"./greedy\"\n");
    let goes = "[[player]]\nname = \"Goes\"\ncommand = \"/bin/sh\"\nargs = [\"./goes\", \"./greedy\"]\nenv = { MARK = \"$MARK\" }\n";
    place.write(
        "event.toml",
        &format!(
            "[event]\nname = \"short\"\n[swiss]\nrounds = 3\n[presence]\ncheck = \"before-each-round\"\n[mini_match]\ngames = 40\n\
             openings = \"none\"\n[game]\nnodes = 100\nmax_plies = 60\n[engine]\nisolation = \"off\"\n[run]\nlease = \"1s\"\n[publish]\n\
             sign = \"owner.key\"\n{goes}{}",
            ["Ada", "Bob", "Cyd"].map(player).concat()
        ),
    );
    make_key(&place, "owner.key");
    let address = server.address();
    let office = Office { server, place, address };
    let flags = ["--allow-off", "--allow-env", "MARK"];
    let start = |place, mark: &str, arguments: &[&str]| {
        let mut command = Place::command(place, arguments);
        command.env("MARK", mark);
        Background::start_by(place, command)
    };
    let [one, two] = [Place::new(), Place::new()];
    let mark = one.path("gone").display().to_string();
    let mut first = start(&one, &mark, &office.worker_arguments(&one, &flags).each_ref_str());
    let mut run = start(&office.place, "/nowhere", &office.arguments());
    office.until_played("run", (1, 1));
    one.write("gone", "");
    until("the next round's check", PATIENCE, || {
        office.bodies("run", "presence-checked").get(1).cloned()
    });
    // It has not gone here.
    let mut second = start(&two, "/nowhere", &office.worker_arguments(&two, &flags).each_ref_str());
    assert_eq!(run.end(PATIENCE).code(), Some(0), "{}", office.place.read("complained"));
    assert_eq!(first.end(PATIENCE).code(), Some(0), "{}", one.read("complained"));
    assert_eq!(second.end(PATIENCE).code(), Some(0), "{}", two.read("complained"));
    let checked = office.bodies("run", "presence-checked");
    let absent: Vec<usize> = checked
        .iter()
        .map(|checked| checked["absent"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(absent, [0, 1, 0], "{checked:?}");
    assert_eq!(checked[1]["absent"][0]["player"], 1);
    let said = office.place.read("complained");
    assert!(
        said.contains("finds player 1 absent, and others find it present"),
        "{said}"
    );
    office.place.swissmatch(&["verify", "run"]).expect_code(0);
}
