//! What it costs that workers play: `make bench-workers`.
//!
//! Throughput of two workers of one slot, on this machine, beside the same two slots of the runner's own, in turn: of games of about a
//! second, and of a tenth of a second through a relay that holds back each packet for 20 ms in each direction. Bars: 0.95 and 0.8.
//!
//! How soon games go on: after a worker is killed, its games are due again within one and a half of `run.lease`; after the server is
//! killed and there again, the next game is in the log within 10 s.
//!
//! And 100,000 games that take no time, by two workers of 64 slots that play by a script: games a second that are given out, checked and in
//! the log; memory of the runner beside that of a run by a script alone, and of the server. Bars: 1,000 a second, 20 MB, 150 MB.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use swissmatch::game::Side;
use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;
use swissmatch::run::{EventFile, GameHost, Run, RunEnd};
use swissmatch::shell::host::scripted::ScriptedHost;
use swissmatch::shell::signature::{Signer, Signers};
use swissmatch_workers::allows::Allows;
use swissmatch_workers::host::{Workers, WorkersHost};
use swissmatch_workers::nkey;
use swissmatch_workers::server::Access;
use swissmatch_workers::worker::{WantedEvents, Worker, WorkerStopper};

#[expect(dead_code, reason = "tests wipe its store")]
#[path = "../tests/whole/nats.rs"]
mod nats;

use nats::Nats;

/// How often each is measured, in turn.
const TIMES: usize = 3;
/// Of `run.lease`, in seconds.
const LEASE: u32 = 2;
const PROGRAM: &str = env!("CARGO_BIN_EXE_swissmatch");
const BOARDS: usize = 250;
const GAMES: usize = 400;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, role, address, owner, directory] = words.as_slice()
        && role == "play-by-script"
    {
        return play_by_script(address, Path::new(owner), Path::new(directory));
    }
    if let [_, role] = words.as_slice()
        && role == "play-alone"
    {
        return many_alone();
    }
    // `cargo bench --bench workers -- many`: that part alone.
    let is_wanted = |part: &str| {
        let parts: Vec<&String> = words[1..].iter().filter(|word| !word.starts_with('-')).collect();
        parts.is_empty() || parts.iter().any(|word| *word == part)
    };
    let throughputs = [
        ("games of a second", "40ms/move", 16, Duration::ZERO),
        ("games of 0.1 s, 20 ms away", "4ms/move", 100, Duration::from_millis(20)),
    ];
    for (what, time, games, delay) in throughputs.into_iter().filter(|_| is_wanted("throughput")) {
        let mut ratios: Vec<f64> = Vec::new();
        for _ in 0..TIMES {
            let [own, far] = [false, true].map(|far| throughput(time, games, far.then_some(delay)));
            println!(
                "{what}: {own:.2} games a second here, {far:.2} at workers, ratio {:.3}",
                far / own
            );
            ratios.push(far / own);
        }
        ratios.sort_by(f64::total_cmp);
        println!("{what}: median ratio {:.3}", ratios[TIMES / 2]);
    }
    for _ in (0..TIMES).filter(|_| is_wanted("losses")) {
        losses();
    }
    if is_wanted("many") {
        many();
    }
}

/// An event of two boards in a directory of its own, and its key.
fn event(time: &str, games: usize) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    let engine = Path::new(PROGRAM).with_file_name("alphabeta");
    let players: String = (0..4)
        .map(|number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"{}\"\n", engine.display()))
        .collect();
    let text = format!(
        // By nodes that nobody reaches: two workers on one machine slow each other while they are measured, and would not be alike.
        "[event]\nname = \"bench\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n[game]\ntime_control = \"{time} nodes=1000000000\"\nmax_moves = 12\n\
         [run]\nconcurrency = 2\nlease = \"{LEASE}s\"\nreplays = 100\n[publish]\nsign = \"owner.key\"\n{players}"
    );
    std::fs::write(place.path().join("event.toml"), text).expect("a file");
    make_key(place.path());
    place
}

fn run(place: &Path, more: &[&str]) -> Child {
    let mut command = Command::new(PROGRAM);
    command
        .args(["run", "event.toml", "--out", "run", "--quiet"])
        .args(more);
    command.current_dir(place).stdout(Stdio::null());
    command.spawn().expect("it starts")
}

fn worker(place: &Path, address: &str, number: usize) -> Child {
    let (key, dir) = (format!("{number}.nk"), format!("worker-{number}"));
    let mut command = Command::new(PROGRAM);
    command.args([
        "worker",
        address,
        "--owner",
        "owner.key.pub",
        "--nkey",
        &key,
        "--dir",
        &dir,
    ]);
    command.args(["--event", "bench", "--slots", "1"]).current_dir(place);
    command.stderr(Stdio::null()).spawn().expect("it starts")
}

/// Games a second of two boards at two slots: here, or at workers behind a relay.
fn throughput(time: &str, games: usize, far: Option<Duration>) -> f64 {
    let place = event(time, games);
    let server = Nats::start();
    let Some(delay) = far else {
        assert!(run(place.path(), &[]).wait().expect("it ends").success());
        return rate(&place.path().join("run/run.sqlite"));
    };
    let address = server.address();
    let relayed = relay(&address, delay);
    let mut workers = [0, 1].map(|number| worker(place.path(), &relayed, number));
    let mut run = run(place.path(), &["--workers", &address, "--workers-only"]);
    assert!(run.wait().expect("it ends").success());
    for worker in &mut workers {
        assert!(worker.wait().expect("it ends").success());
    }
    rate(&place.path().join("run/run.sqlite"))
}

/// Kills a worker, and later the server, and prints how soon games go on.
fn losses() {
    let place = event("40ms/move", 40);
    let log = place.path().join("run/run.sqlite");
    let mut server = Nats::start();
    let address = server.address();
    let [mut lost, mut stays] = [0, 1].map(|number| worker(place.path(), &address, number));
    let mut running = run(place.path(), &["--workers", &address, "--workers-only"]);
    // Until both play.
    wait_for(&log, "game-finished", 4);
    lost.kill().expect("it runs");
    let killed = Instant::now();
    wait_for(&log, "interrupted", 1);
    println!(
        "a worker is killed: its games are due again after {:.1} s, the lease is {LEASE} s",
        killed.elapsed().as_secs_f64()
    );
    let _ = lost.wait();
    server.kill();
    std::thread::sleep(Duration::from_secs(1));
    let before = entries(&log, "game-finished");
    server.start_again();
    let there = Instant::now();
    wait_for(&log, "game-finished", before + 1);
    println!(
        "the server is killed: the next game is in the log {:.1} s after it is there again",
        there.elapsed().as_secs_f64()
    );
    assert!(running.wait().expect("it ends").success());
    assert!(stays.wait().expect("it ends").success());
}

/// Waits until a log has so many entries of a kind.
fn wait_for(log: &Path, kind: &str, count: usize) {
    while entries(log, kind) < count {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn entries(log: &Path, kind: &str) -> usize {
    let log = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let count = log.and_then(|log| {
        let count = "SELECT count(*) FROM entries WHERE kind = ?1";
        log.query_row(count, [kind], |row| row.get::<_, i64>(0))
    });
    count.ok().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// Games a second from the time at which both slots were at work to the last.
fn rate(log: &Path) -> f64 {
    let log = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a log");
    let mut rows = log
        .prepare("SELECT unixepoch(at, 'subsec') FROM entries WHERE kind = 'game-finished' ORDER BY seq")
        .expect("a query");
    let times = rows.query_map([], |row| row.get::<_, f64>(0)).expect("times");
    let times: Vec<f64> = times.map(|time| time.expect("a time")).collect();
    // A worker comes a moment after the other.
    let times = &times[4..times.len() - 2];
    (times.len() - 1) as f64 / (times[times.len() - 1] - times[0])
}

fn make_key(place: &Path) {
    let mut command = Command::new("ssh-keygen");
    command
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(place.join("owner.key"));
    assert!(
        command
            .status()
            .expect("ssh-keygen is installed: make test-tools")
            .success()
    );
}

/// A relay to an address that holds back what goes through it, in each direction; its own address.
fn relay(address: &str, delay: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let own = format!("nats://{}", listener.local_addr().expect("bound"));
    let to = address.trim_start_matches("nats://").to_owned();
    std::thread::spawn(move || {
        for near in listener.incoming().flatten() {
            let Ok(far) = TcpStream::connect(&to) else { continue };
            for stream in [&near, &far] {
                drop(stream.set_nodelay(true));
            }
            let (other_near, other_far) = (near.try_clone().expect("a stream"), far.try_clone().expect("a stream"));
            hold_back(near, other_far, delay);
            hold_back(far, other_near, delay);
        }
    });
    own
}

fn hold_back(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    let (send, packets) = mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut part = vec![0; 64 << 10];
        while let Ok(bytes @ 1..) = from.read(&mut part) {
            if send.send((Instant::now() + delay, part[..bytes].to_vec())).is_err() {
                break;
            }
        }
    });
    std::thread::spawn(move || {
        for (at, packet) in packets {
            std::thread::sleep(at.saturating_duration_since(Instant::now()));
            if to.write_all(&packet).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// Many games that take no time.
/// An event of many games, and its key.
fn event_of_many(place: &Path) -> EventFile {
    make_key(place);
    let entry = |number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p{number}\"\n");
    let text = format!(
        "[event]\nname = \"many\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {GAMES}\n[game]\nnodes = 100\n[publish]\nsign = \"owner.key\"\n{}",
        (1..=2 * BOARDS).map(entry).collect::<String>()
    );
    EventFile::parse(&place.join("event.toml"), &text).expect("an event")
}

fn many_alone() {
    let place = tempfile::tempdir().expect("a directory");
    let event = event_of_many(place.path());
    let before = memory("self");
    let host = Box::new(ScriptedHost::new(by_numbers).with_slots(128));
    let rate = play(event, &place.path().join("alone"), host);
    println!(
        "{} games by a script here: {rate:.0} a second, {} MB more",
        BOARDS * GAMES,
        memory("self") - before
    );
}

fn many() {
    // A process of its own: memory that one run gave back would be taken by the next.
    let mut alone = Command::new(std::env::current_exe().expect("this program"));
    assert!(alone.arg("play-alone").status().expect("it starts").success());

    let place = tempfile::tempdir().expect("a directory");
    let event = event_of_many(place.path());
    let server = Nats::start();
    let signer = Signer::read(&place.path().join("owner.key")).expect("a key");
    let workers = Workers {
        address: server.address(),
        access: Access::default(),
        lease: Duration::from_secs(30),
        signer,
        event: "many".to_owned(),
        directory: place.path().to_path_buf(),
        class: None,
        only: true,
    };
    let owner = place.path().join("owner.key.pub");
    let mut children: Vec<Child> = (0..2)
        .map(|number| {
            let mut command = Command::new(std::env::current_exe().expect("this program"));
            command.arg("play-by-script").arg(server.address()).arg(&owner);
            command
                .arg(place.path().join(format!("worker-{number}")))
                .spawn()
                .expect("it starts")
        })
        .collect();
    let before = memory("self");
    let host = WorkersHost::new(Box::new(ScriptedHost::new(by_numbers).with_slots(0)), workers);
    let rate = play(event, &place.path().join("run"), Box::new(host));
    println!(
        "{} games by a script at workers: {rate:.0} a second, {} MB more, server {} MB",
        BOARDS * GAMES,
        memory("self") - before,
        memory(&id_of(&server))
    );
    for child in &mut children {
        assert!(child.wait().expect("it ends").success());
    }
}

fn play(event: EventFile, dir: &Path, host: Box<dyn GameHost>) -> f64 {
    let run = Run::create(event, dir, host, &mut |_| {}).expect("a run");
    let begun = Instant::now();
    let played = run.play(&mut []).expect("it is played");
    assert_eq!(played.ended, RunEnd::Complete);
    (BOARDS * GAMES) as f64 / begun.elapsed().as_secs_f64()
}

/// The process of a server, which has its number in the name of a file.
fn id_of(server: &Nats) -> String {
    let files = std::fs::read_dir(server.place().join("ports")).expect("a directory");
    let names = files
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned());
    let mut ids = names.filter_map(|name| Some(name.strip_prefix("nats-server_")?.strip_suffix(".ports")?.to_owned()));
    ids.next().expect("it runs")
}

/// Memory of a process, in MB.
fn memory(process: &str) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<i64>().ok());
    kib.unwrap_or_default() / 1024
}

/// A worker that plays by a script.
fn play_by_script(address: &str, owner: &Path, directory: &Path) {
    let key = directory.with_extension("nk");
    nkey::make(&key).expect("a key");
    let seed = nkey::read_seed(&key).expect("a seed");
    let worker = Worker {
        address: address.to_owned(),
        access: Access {
            worker: Some(nkey::public(&seed).expect("a key")),
            seed: None,
            ca: None,
        },
        owners: Signers::read(owner).expect("keys"),
        wanted: WantedEvents::Named("many".to_owned()),
        slots: None,
        gpus: Vec::new(),
        class: None,
        directory: directory.to_path_buf(),
        allows: Allows {
            off: true,
            ..Allows::default()
        },
        tablebases: Vec::new(),
        host: Some(|_| Box::new(ScriptedHost::new(by_numbers).with_slots(64))),
    };
    let (_stopper, stops) = WorkerStopper::new();
    worker.work(stops, &mut |_| {}).unwrap_or_else(|why| panic!("{why}"));
}

/// A result that looks like chance and follows from the game alone.
fn by_numbers(spec: &GameSpec) -> Outcome {
    match (spec.white.index() * 7 + spec.black.index() * 13 + spec.id.game as usize) % 3 {
        0 => Outcome::Draw,
        1 => Outcome::win(Side::Black),
        _ => Outcome::win(Side::White),
    }
}
