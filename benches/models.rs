//! What players that are models cost: the overhead of a move against a server that answers at once, then 200 games at once against one
//! that takes two seconds, with the processor time and the memory (PSS) of swissmatch and all of its adapters and keepers, and how often
//! they were given a processor, which depends less on what else the machine does.
//! `cargo bench --bench models`; `PLAYERS=N SECONDS=S` change its length, `SWISSMATCH=PROGRAM` measures another build.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use process::{children, kilobytes};
use workshop::{BUILT, Workshop};

#[path = "support/process.rs"]
#[expect(dead_code, reason = "threads are counted here by what is finer than ticks")]
mod process;
#[path = "support/workshop.rs"]
mod workshop;

/// The most calls at once that the event allows.
const AT_ONCE: usize = 400;
/// Two processor cores are what the figures are of.
const CORES: f64 = 2.0;

fn main() {
    swissmatch::begin();
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (players, seconds): (usize, u64) = (number("PLAYERS", 40) as usize, number("SECONDS", 30));
    let shop = Workshop::with(&[]);
    std::fs::write(shop.path("move.jinja"), "{{ first_legal_move }}").expect("the prompt is written");
    overhead(&shop);
    many(&shop, players, Duration::from_secs(seconds));
}

/// The build that is measured.
fn built() -> String {
    std::env::var("SWISSMATCH").unwrap_or_else(|_| BUILT.to_owned())
}

/// A server that says the move that it was asked with, after a pause.
struct Server {
    address: String,
    most: Arc<AtomicUsize>,
}

impl Server {
    fn start(pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("it has one"));
        let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = (open, Arc::clone(&most));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counts = counts.clone();
                std::thread::spawn(move || serve(stream, pause, &counts));
            }
        });
        Self { address, most }
    }
}

/// Answers one connection until it ends.
fn serve(stream: TcpStream, pause: Duration, (open, most): &(Arc<AtomicUsize>, Arc<AtomicUsize>)) -> Option<()> {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut length = 0;
        let mut line = String::new();
        while reader.read_line(&mut line).ok()? > 2 {
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok()?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let said = body["messages"].as_array()?.last()?["content"].as_str()?;
        most.fetch_max(open.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        std::thread::sleep(pause);
        open.fetch_sub(1, Ordering::Relaxed);
        let part = serde_json::json!({
            "model": "m",
            "choices": [{ "delta": { "content": format!("<uci_move>{said}</uci_move>") }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 4, "completion_tokens": 12 },
        });
        let events = format!("data: {part}\n\ndata: [DONE]\n\n");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
        // At once: `write!` would send each part of it by itself.
        let answer = format!("{head}content-length: {}\r\n\r\n{events}", events.len());
        stream.write_all(answer.as_bytes()).ok()?;
    }
}

fn event(server: &Server, players: usize, games: usize, plies: usize) -> String {
    let mut text = format!(
        "preset = \"none\"\n[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = {games}\nopenings = \"none\"\n\
         [game]\ntime_control = \"30s/move\"\nmax_plies = {plies}\n[endpoint.local]\nurl = \"{}\"\nat_once = {AT_ONCE}\n\
         [model]\nprompt = \"move.jinja\"\n[publish]\nreport = false\n",
        server.address
    );
    for number in 0..players {
        text += &format!("[[player]]\nname = \"P{number}\"\nmodel = \"local:m\"\n");
    }
    text
}

/// Games of two players one after the other: how long a move takes, of which the server has next to nothing.
fn overhead(shop: &Workshop) {
    let server = Server::start(Duration::ZERO);
    let mut command = shop.swissmatch(&built(), &event(&server, 2, 200, 200), 1);
    let status = command.stdout(Stdio::null()).status().expect("swissmatch starts");
    assert!(status.success(), "{status}");
    let mut export = std::process::Command::new(built());
    let records = export
        .args(["export", "records", "run"])
        .current_dir(shop.path(""))
        .output();
    let records = String::from_utf8(records.expect("swissmatch starts").stdout).expect("text");
    let games = records
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let games: Vec<Vec<u64>> = games
        .map(|record| {
            let times = record["time_us"].as_array().cloned().unwrap_or_default();
            times.iter().filter_map(serde_json::Value::as_u64).collect()
        })
        .collect();
    let told = |what: &str, mut times: Vec<u64>| {
        times.sort_unstable();
        let of = |thousandths: usize| times[(times.len() - 1) * thousandths / 1000];
        println!(
            "{what}, {} moves: median {} µs, 90 % within {} µs, 99 % within {} µs (aim: 1,000), 99.9 % within {} µs",
            times.len(),
            of(500),
            of(900),
            of(990),
            of(999)
        );
    };
    let between = |from: usize, to: usize| {
        let plies = games.iter().flat_map(move |times| times.iter().take(to).skip(from));
        plies.copied().collect::<Vec<u64>>()
    };
    told("a move against a server that answers at once", between(0, usize::MAX));
    for (what, from, to) in [
        ("of these the first fifty plies", 0, 50),
        ("of these the plies after 100", 100, usize::MAX),
    ] {
        let times = between(from, to);
        if !times.is_empty() {
            told(what, times);
        }
    }
}

/// Many games at once: what all processes of swissmatch use together.
fn many(shop: &Workshop, players: usize, length: Duration) {
    let server = Server::start(Duration::from_secs(2));
    let at_once = AT_ONCE / 2;
    let games = (at_once * 2).div_ceil(players) * 2;
    let mut command = shop.swissmatch(&built(), &event(&server, players, games, 400), at_once);
    let mut run = command.stdout(Stdio::null()).spawn().expect("swissmatch starts");
    // The engines of all games are up, and each has been asked.
    let patience = Instant::now() + Duration::from_secs(120);
    while server.most.load(Ordering::Relaxed) < at_once && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(100));
        assert!(run.try_wait().expect("it can be waited for").is_none(), "it is over");
    }
    std::thread::sleep(Duration::from_secs(5));
    let (before, begun) = (used(&run), Instant::now());
    std::thread::sleep(length);
    let (after, seconds) = (used(&run), begun.elapsed().as_secs_f64());
    let spent_by = |kind: &Kind| {
        let ((now, switched), (then, had_switched)) = (after[kind], before.get(kind).copied().unwrap_or_default());
        (
            (now - then) / seconds,
            switched.saturating_sub(had_switched) as f64 / seconds,
        )
    };
    let spent: f64 = after.keys().map(|kind| spent_by(kind).0).sum();
    for kind in after.keys() {
        let (spent, switched) = spent_by(kind);
        println!(
            "  {kind}: {:.2} % of {CORES} cores, {switched:.0} times a second",
            spent / CORES * 100.0
        );
    }
    let memory = all(run.id())
        .map(|pid| kilobytes(pid, "smaps_rollup", &["Pss"]))
        .sum::<u64>();
    println!(
        "{at_once} games at once against a server that takes 2 s, {} processes: {:.1} % of {CORES} cores (aim: 5), \
         {:.2} GiB of PSS (aim: 1.25); the server saw {} calls at once of {AT_ONCE}",
        all(run.id()).count(),
        spent / CORES * 100.0,
        memory as f64 / f64::from(1 << 20),
        server.most.load(Ordering::Relaxed),
    );
    let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::TERM);
    run.wait().expect("it ends");
}

/// What a process is, by its own name and its first argument where that says what it is one of.
type Kind = String;

/// Of each kind of process of a run, by the kernel's count of its threads: seconds that they ran, and how often they were given a processor.
fn used(run: &Child) -> BTreeMap<Kind, (f64, u64)> {
    let mut all_used: BTreeMap<Kind, (f64, u64)> = BTreeMap::new();
    for pid in all(run.id()) {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = command.split('\0');
        let name = words.next().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let role = words.next().filter(|word| word.starts_with("__")).unwrap_or_default();
        let (sum, switched) = all_used
            .entry(format!("{name} {role}").trim_end().to_owned())
            .or_default();
        for thread in std::fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let counts = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            let mut counts = counts.split_whitespace().map(|count| count.parse::<u64>().unwrap_or(0));
            *sum += counts.next().unwrap_or(0) as f64 / 1e9;
            *switched += counts.nth(1).unwrap_or(0);
        }
    }
    all_used
}

/// A process and all that are below it.
fn all(pid: u32) -> impl Iterator<Item = u32> {
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(&pid) = found.get(at) {
        found.extend(children(pid));
        at += 1;
    }
    found.into_iter()
}
