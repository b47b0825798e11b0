//! What spectators cost: as many games at once as there are cores, of agents that wait, and the page's server beside them with a
//! thousand open streams of events. `make bench-viewers`; `VIEWERS=N SECONDS=S RUNS=N MS=N` change how many watch, how long each
//! watched part is, how often it is done and what an agent waits before each move: a game has 300 moves and must outlast a
//! watched part and its start. With `LATE=1` all viewers ask for the whole game at once when the watched part begins.
//!
//! 1. Recorded times less the agents' own, of the same games with so many viewers and with as many idle connections to another
//!    program, in turn: the medians of a game differ by at most 0.2 ms.
//! 2. The server's memory: below 100 MiB.
//! 3. The server's processor time, beside that of a process which does nothing but write as many bytes in the same pieces at the
//!    same times to as many sockets: at most three times as much.
//! 4. How old the state of a game is when a viewer has it: at most a second.
//!
//! Whoever reads is a process of its own at the lowest priority, and is counted apart. All sockets are on loopback.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use process::{children, kilobytes, processor_time};
use rustix::time::ClockId;
use serde_json::Value;
use workshop::Workshop;

use load::{Heard, Load};

#[path = "support/bare.rs"]
mod bare;
#[path = "support/load.rs"]
mod load;
#[path = "support/process.rs"]
mod process;
#[path = "support/workshop.rs"]
#[expect(dead_code, reason = "shared")]
mod workshop;

/// Plies of each game.
const PLIES: u64 = 300;
/// How long a run may take until all viewers are there, in seconds, if nothing is said of agents.
const START: f64 = 3.5;
/// After the last connection was opened nothing is measured for so long.
const SETTLE: Duration = Duration::from_millis(300);
/// How long the program may take to do anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most microseconds by which medians may differ.
const DIFFERENCE: f64 = 200.0;
/// Most MiB of the server.
const MEMORY: f64 = 100.0;
/// Most times the processor time of bare writes.
const RATIO: f64 = 3.0;
/// Most seconds that a viewer may be behind.
const BEHIND: f64 = 1.0;

struct Plan {
    viewers: usize,
    seconds: f64,
    games: usize,
    /// What an agent waits, in milliseconds.
    wait: u64,
    /// Whether all viewers come to a game that is under way.
    late: bool,
}

/// One run.
struct Measured {
    /// Of each game: recorded less true times in the watched part, in microseconds.
    added: Vec<Vec<f64>>,
    /// Of the server: seconds of processor time in the watched part; MiB resident at most, at its end, and shared fairly.
    processor_time: f64,
    memory: [f64; 3],
    heard: Heard,
}

/// Both kinds of the same games, and what bare writes of the same pieces took.
struct Turn {
    viewed: Measured,
    idle: Measured,
    bare: Bare,
}

/// Writes of what viewers received, by a process that does nothing else.
struct Bare {
    processor_time: f64,
    heard: Heard,
}

fn main() {
    // Cargo gives a benchmark `--bench`.
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("load") => return load::main(&words[1..]),
        Some("bare") => return bare::main(&words[1..]),
        _ => {}
    }
    let number = |name: &str, default: f64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (runs, seconds) = (number("RUNS", 3.0) as usize, number("SECONDS", 5.0));
    let plan = Plan {
        viewers: number("VIEWERS", 1000.0) as usize,
        seconds,
        games: std::thread::available_parallelism().map_or(1, usize::from),
        wait: number("MS", ((seconds + START) * 1000.0 / PLIES as f64).ceil()) as u64,
        late: number("LATE", 0.0) > 0.0,
    };
    let shop = Workshop::with(&["parrot"]);
    println!(
        "{} games at once of agents that wait {} ms a move; {runs} times {seconds} s with {viewers} viewers, and as long with \
         {viewers} idle connections",
        plan.games,
        plan.wait,
        viewers = plan.viewers
    );
    println!("recorded less true time, median of each game, in µs:");
    let turns: Vec<Turn> = (1..=runs).map(|run| turn(&shop, &plan, run)).collect();
    say_times(&turns);
    say_memory(&turns);
    say_processor_time(&turns, &plan);
    say_how_far_behind(&turns);
}

fn turn(shop: &Workshop, plan: &Plan, run: usize) -> Turn {
    let (viewed, idle) = if run % 2 == 1 {
        let viewed = play(shop, plan, true);
        (viewed, play(shop, plan, false))
    } else {
        let idle = play(shop, plan, false);
        (play(shop, plan, true), idle)
    };
    let bare = write_barely(plan, &viewed.heard);
    let turn = Turn { viewed, idle, bare };
    for (name, values) in [
        ("viewers", turn.viewed.medians()),
        ("idle", turn.idle.medians()),
        ("difference", turn.differences()),
    ] {
        let values: String = values.iter().map(|value| format!("{value:>8.1}")).collect();
        println!("  run {run}  {name:<10} {values}");
    }
    turn
}

impl Turn {
    fn differences(&self) -> Vec<f64> {
        let pairs = self.viewed.medians().into_iter().zip(self.idle.medians());
        pairs.map(|(viewed, idle)| viewed - idle).collect()
    }
}

impl Measured {
    fn medians(&self) -> Vec<f64> {
        let median = |added: &Vec<f64>| {
            let mut added = added.clone();
            added.sort_by(f64::total_cmp);
            added[added.len() / 2]
        };
        self.added.iter().map(median).collect()
    }
}

fn say_times(turns: &[Turn]) {
    let largest = turns
        .iter()
        .flat_map(Turn::differences)
        .map(f64::abs)
        .fold(0.0, f64::max);
    let games = turns
        .iter()
        .flat_map(|turn| turn.viewed.added.iter().chain(&turn.idle.added));
    println!(
        "  largest difference {largest:.1} µs, each median of at least {} moves; at most {DIFFERENCE} µs: {}",
        games.map(Vec::len).min().unwrap_or(0),
        yes(largest <= DIFFERENCE)
    );
}

fn say_memory(turns: &[Turn]) {
    let most = |at: usize| turns.iter().map(|turn| turn.viewed.memory[at]).fold(0.0, f64::max);
    println!(
        "the server's memory: {:.1} MiB resident at its highest, {:.1} when it was watched ({:.1} proportional); below {MEMORY} MiB: {}",
        most(0),
        most(1),
        most(2),
        yes(most(0) < MEMORY)
    );
}

fn say_processor_time(turns: &[Turn], plan: &Plan) {
    let sum = |of: &dyn Fn(&Turn) -> f64| turns.iter().map(of).sum::<f64>();
    let whole = turns.len() as f64 * plan.seconds;
    let pieces = sum(&|turn| turn.viewed.heard.pieces.len() as f64) * plan.viewers as f64;
    println!("in {whole} s of watching, some {pieces:.0} pieces:");
    let say = |name: &str, seconds: f64, bytes: f64| {
        println!(
            "  {name:<11} {seconds:>6.2} s of processor time, {:>5.1} % of a core, {:>5.1} µs a piece, {:>5.0} MiB",
            seconds / whole * 100.0,
            seconds * 1e6 / pieces,
            bytes / f64::from(1 << 20)
        );
    };
    let (server, bare) = (
        sum(&|turn| turn.viewed.processor_time),
        sum(&|turn| turn.bare.processor_time),
    );
    say("the server", server, sum(&|turn| turn.viewed.heard.bytes as f64));
    say("bare writes", bare, sum(&|turn| turn.bare.heard.bytes as f64));
    println!(
        "  {:.2} times as much; at most {RATIO} times: {}",
        server / bare,
        yes(server <= RATIO * bare)
    );
    println!(
        "  apart: the server without viewers {:.2} s; who read of the server {:.2} s, of bare writes {:.2} s",
        sum(&|turn| turn.idle.processor_time),
        sum(&|turn| turn.viewed.heard.processor_time),
        sum(&|turn| turn.bare.heard.processor_time)
    );
}

fn say_how_far_behind(turns: &[Turn]) {
    let behind = turns.iter().flat_map(|turn| &turn.viewed.heard.behind);
    let mut behind: Vec<f64> = behind.copied().collect();
    behind.sort_by(f64::total_cmp);
    assert!(!behind.is_empty(), "no viewer heard of a game");
    let at = |share: f64| behind[((behind.len() - 1) as f64 * share) as usize];
    println!(
        "a viewer is behind: median {:.3} s, 99 % {:.3} s, at most {:.3} s, of {} states of games; at most {BEHIND} s: {}",
        at(0.5),
        at(0.99),
        at(1.0),
        behind.len(),
        yes(at(1.0) <= BEHIND)
    );
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "NO" }
}

/// Plays the games once, with viewers or with idle connections elsewhere.
fn play(shop: &Workshop, plan: &Plan, is_viewed: bool) -> Measured {
    let mut event = format!(
        "preset = \"none\"\n[event]\nname = \"viewers\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 1\nopenings = \"none\"\n\
         [game]\ntime_control = \"10s/move\"\nmax_plies = {PLIES}\n[engine]\nisolation = \"off\"\n"
    );
    for player in 1..=2 * plan.games {
        let _ = std::fs::remove_file(shop.path(&stamps_of(player)));
        event += &format!(
            "[[player]]\nname = \"Parrot {player}\"\ncommand = \"./parrot\"\nargs = [\"game300.txt\", \"{}\", \"{}\"]\n",
            plan.wait * 1000,
            stamps_of(player)
        );
    }
    let said = File::create(shop.path("said")).expect("a file in the workshop");
    let mut guard = shop
        .talking(workshop::BUILT, &event, plan.games)
        .arg("--serve=127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(said)
        .spawn()
        .expect("swissmatch starts");
    let address = until(&mut guard, "its page's address", || {
        let said = std::fs::read_to_string(shop.path("said")).ok()?;
        let (_, rest) = said.split_once("the page: http://")?;
        rest.split_once('/')?.0.parse().ok()
    });
    let id = guard.id();
    let server = until(&mut guard, "the page's server", || server_of(id));
    let load = match (is_viewed, plan.late) {
        (true, true) => Load::Late(address),
        (true, false) => Load::Viewers(address),
        (false, _) => Load::Idle,
    };
    let mut helper = Helper::of(load, plan.viewers);
    std::thread::sleep(SETTLE);

    let used = || processor_time(server).expect("the server is there");
    let (from, before) = (monotonic(), used());
    helper.tell("begin");
    std::thread::sleep(Duration::from_secs_f64(plan.seconds));
    let (to, processor_time) = (monotonic(), used() - before);
    let memory = [("status", "VmHWM"), ("smaps_rollup", "Rss"), ("smaps_rollup", "Pss")]
        .map(|(file, field)| kilobytes(server, file, &[field]) as f64 / 1024.0);
    let heard = helper.heard();
    assert_eq!(heard.lost, 0, "connections were closed");
    if is_viewed && plan.late {
        assert_eq!(heard.joined.len(), plan.viewers, "everybody has the game");
        println!(
            "  all {} who came late had the game after {:.2} s",
            plan.viewers,
            heard.joined.iter().copied().fold(0.0, f64::max)
        );
    }
    drop(helper);
    let status = guard.wait().expect("the child is ours");
    assert!(
        status.success(),
        "{}",
        std::fs::read_to_string(shop.path("said")).unwrap_or_default()
    );
    Measured {
        added: added(shop, plan, from..to),
        processor_time,
        memory,
        heard,
    }
}

/// The file to which a player writes when it slept.
fn stamps_of(player: usize) -> String {
    format!("{player}.stamps")
}

/// Waits for what is there soon, while the run goes on.
fn until<T>(guard: &mut Child, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        let ended = guard.try_wait().expect("the child is ours");
        assert!(ended.is_none(), "swissmatch ended: {ended:?}");
        assert!(begun.elapsed() < PATIENCE, "{what}: not there after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The page's server of this run.
fn server_of(guard: u32) -> Option<u32> {
    let player = *children(guard).first()?;
    let is_server = |process: &u32| {
        let line = std::fs::read(format!("/proc/{process}/cmdline"));
        line.is_ok_and(|line| line.starts_with(b"swissmatch-server"))
    };
    children(player).into_iter().find(is_server)
}

/// Nanoseconds, by the clock of the parrots' stamps.
fn monotonic() -> u64 {
    let time = rustix::time::clock_gettime(ClockId::Monotonic);
    let time = Duration::try_from(time).expect("it is not before the machine began");
    u64::try_from(time.as_nanos()).expect("less than some centuries")
}

/// Of each game: recorded less true times of the moves that were thought about between `from` and `to`, in microseconds.
fn added(shop: &Workshop, plan: &Plan, watched: Range<u64>) -> Vec<Vec<f64>> {
    let records = Command::new(workshop::BUILT)
        .args(["export", "records", "run"])
        .current_dir(shop.path(""))
        .output()
        .expect("swissmatch exports");
    let records = String::from_utf8(records.stdout).expect("records are text");
    let added = |record: &str| {
        let record: Value = serde_json::from_str(record).expect("a record");
        let number = |field: &str| record[field].as_u64().expect("a number") as usize;
        let sleeps = [number("white"), number("black")].map(|player| sleeps(shop, player));
        let times = record["time_us"].as_array().expect("a column of the record");
        assert_eq!(times.len(), sleeps.iter().map(Vec::len).sum::<usize>(), "all moves");
        let last = sleeps[0].last().expect("moves").1;
        assert!(
            last > watched.end,
            "the games were over too soon: MS must be more than {}",
            plan.wait
        );
        let moves = times.iter().enumerate().filter_map(|(ply, time)| {
            let (before, after) = sleeps[ply % 2][ply / 2];
            let is_watched = watched.contains(&before) && watched.contains(&after);
            is_watched.then(|| time.as_f64().expect("microseconds") - (after - before) as f64 / 1e3)
        });
        moves.collect()
    };
    let added: Vec<Vec<f64>> = records.lines().map(added).collect();
    assert_eq!(added.len(), plan.games, "as many games as there are pairs of agents");
    added
}

/// When a player's sleeps began and ended.
fn sleeps(shop: &Workshop, player: usize) -> Vec<(u64, u64)> {
    let text = std::fs::read_to_string(shop.path(&stamps_of(player))).expect("stamps");
    let stamps = text.lines().filter_map(|line| line.split_once(' '));
    let stamp = |stamp: &str| stamp.parse().expect("nanoseconds");
    stamps.map(|(before, after)| (stamp(before), stamp(after))).collect()
}

/// Writes what the first viewer received to as many as there were.
fn write_barely(plan: &Plan, heard: &Heard) -> Bare {
    let mut writer = Helper::start(&["bare".to_owned(), plan.viewers.to_string()]);
    let address: SocketAddr = writer.line().parse().expect("an address");
    let mut readers = Helper::of(Load::Readers(address), plan.viewers);
    writer.tell(&serde_json::to_string(&heard.pieces).expect("plain data"));
    assert_eq!(writer.line(), "ready");
    std::thread::sleep(SETTLE);
    readers.tell("begin");
    writer.tell("begin");
    let processor_time = writer.line().parse().expect("seconds");
    std::thread::sleep(SETTLE);
    Bare {
        processor_time,
        heard: readers.heard(),
    }
}

/// This program again, as another process; it ends when this is dropped, or this process ends.
struct Helper {
    child: Child,
    tell: Option<ChildStdin>,
    says: BufReader<ChildStdout>,
}

impl Helper {
    fn start(words: &[String]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("this program starts");
        let says = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            tell: child.stdin.take(),
            says,
            child,
        }
    }

    /// Connections, all of which are open.
    fn of(load: Load, count: usize) -> Self {
        let [kind, address] = load.words();
        let mut helper = Self::start(&["load".to_owned(), kind, address, count.to_string()]);
        assert_eq!(helper.line(), "open");
        helper
    }

    fn tell(&mut self, line: &str) {
        let tell = self.tell.as_mut().expect("it is open");
        // In one piece, as the other side reads it.
        tell.write_all(format!("{line}\n").as_bytes()).expect("it listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let taken = self.says.read_line(&mut line).expect("a pipe");
        assert!(taken > 0, "it ended");
        line.trim_end().to_owned()
    }

    fn heard(&mut self) -> Heard {
        self.tell("end");
        serde_json::from_str(&self.line()).expect("what it heard")
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        drop(self.tell.take());
        let _ = self.child.wait();
    }
}
