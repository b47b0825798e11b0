//! An hour of an event in which agents fail all the time and the runner is killed again and again. `make endurance`; MINUTES=N for
//! another length.

mod workers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use swissmatch::shell::store::Store;
use swissmatch::tournament::log::Entry;

use crate::death::{Background, assert_empty, send};
use crate::support::{Place, engine};

const RUN: [&str; 5] = ["run", "event.toml", "--out", "run", "--quiet"];
/// How the faulty half of the field fails, each in its way, at its third move.
const FAULTS: [&str; 8] = [
    "exit",
    "illegal",
    "malformed",
    "abort",
    "huge-line",
    "close-stdout",
    "late",
    "take-memory",
];
/// From one killing to the next.
const KILL: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(300);

/// Sixteen agents, half of them faulty, and more games than an hour has room for.
fn event() -> String {
    let mut text = "[event]\nname = \"endurance\"\nrng_seed = 1\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 1000\nopenings = \"none\"\n\
                    [game]\ntime_control = \"300ms/move\"\nmax_plies = 30\nattempts = 1\n[engine]\nmax_memory = 200\nmust_start = false\n\
                    stop_grace = \"100ms\"\n[run]\nconcurrency = 4\noversubscribe = true\nmax_faults = \"none\"\nreplays = 100\n\
                    evidence_event = 50\n"
        .to_owned();
    let agent = engine("fault-agent");
    for (number, kind) in FAULTS.iter().enumerate() {
        for (name, more) in [
            ("Faulty", format!(", \"--fault\", \"{kind}\", \"--at\", \"3\"")),
            ("Honest", String::new()),
        ] {
            let _ = write!(
                text,
                "[[player]]\nname = \"{name} {number}\"\ncommand = {agent:?}\nargs = [\"--seed\", \"{number}\"{more}]\n"
            );
        }
    }
    text
}

/// An hour from now, or as many minutes as MINUTES says.
pub(crate) fn end_of_endurance() -> Instant {
    let minutes = std::env::var("MINUTES").ok().and_then(|minutes| minutes.parse().ok());
    Instant::now() + Duration::from_secs(60 * minutes.unwrap_or(60))
}

/// What a process has just now: memory in kB, and open descriptors.
pub(crate) fn uses(pid: u32) -> Option<(u64, usize)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory = line.trim().strip_suffix(" kB")?.parse().ok()?;
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    Some((memory, descriptors))
}

#[test]
#[ignore = "takes an hour: make endurance"]
fn an_hour_of_failures_and_killings() {
    let end = end_of_endurance();
    let place = Place::new();
    place.write("event.toml", &event());
    let (mut kills, mut most, mut last) = (0_u32, (0, 0), (0, 0));
    loop {
        let mut running = Background::start(&place, &RUN);
        let until = end.min(Instant::now() + KILL);
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(500));
            assert!(running.ended().is_none(), "it ended: {}", place.read("complained"));
            if let Some(now) = running.player_now().and_then(uses) {
                most = (most.0.max(now.0), most.1.max(now.1));
                last = now;
            }
        }
        if Instant::now() >= end {
            send(running.guard(), Signal::TERM);
            assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
            break;
        }
        kills += 1;
        let victim = if kills.is_multiple_of(2) {
            Some(running.guard())
        } else {
            running.player_now()
        };
        send(victim.unwrap_or(running.guard()), Signal::KILL);
        running.end(PATIENCE);
        assert_empty(&place, Duration::from_secs(5));
    }
    assert_empty(&place, Duration::from_secs(1));

    let log = Store::open_to_read(&place.path("run/run.sqlite")).expect("the log");
    let (mut games, mut interrupted) = (BTreeMap::new(), 0);
    let mut terminations: BTreeMap<&str, usize> = BTreeMap::new();
    for logged in log.entries().expect("the log") {
        match logged.entry {
            Entry::GameFinished(game) => {
                assert!(games.insert(game.id, ()).is_none(), "game {} counts twice", game.id);
                *terminations.entry(game.termination.word()).or_default() += 1;
            }
            Entry::Interrupted(_) => interrupted += 1,
            _ => {}
        }
    }
    let evidence: u64 = log
        .evidence_sizes()
        .expect("the log")
        .iter()
        .map(|parts| parts[0].1 + parts[1].1)
        .sum();
    drop(log);
    let begun = Instant::now();
    place.swissmatch(&["verify", "run"]).expect_code(0);
    println!(
        "{} games, {kills} killings of guard or player, {interrupted} entries of interrupted games; endings {terminations:?}; the player had \
         {} kB at most and {} at the end, {} descriptors at most and {} at the end; evidence {evidence} bytes; verified in {:?}",
        games.len(),
        most.0,
        last.0,
        most.1,
        last.1,
        begun.elapsed()
    );
    assert!(most.0 < 300_000 && most.1 < 300, "{most:?}");
    assert!(evidence <= 50 << 20, "{evidence}");
}
