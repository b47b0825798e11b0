//! A league with a year behind it: how long a night takes to start, and its report to be made. `make bench-league`.
//!
//! The history has 365 nights of 30 builds and 1,000 games each, of 1,000 builds or more in all. Bars: a night starts in less than 1 s
//! (until its run is there), which the same league without a history is shown beside; the report is there in less than 5 s.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use swissmatch::game::record::GameId;
use swissmatch::game::termination::Outcome;
use swissmatch::report::nights::{Night, NightBuild, NightEnd, NightGame, VERSION};
use swissmatch::run::league::history::HistoryFile;
use swissmatch::shell::machine;
use swissmatch::tournament::noise::Noise;

const NIGHTS: u32 = 365;
const PLACES: usize = 30;
const GAMES: u32 = 1000;
/// Builds of which each night has new programs.
const NEW: usize = 3;
const RUNS: usize = 5;

fn main() {
    let release = Path::new(env!("CARGO_BIN_EXE_swissmatch"));
    let with = tempfile::tempdir().expect("a directory");
    let without = tempfile::tempdir().expect("a directory");
    let mut hashes: Vec<u32> = (0..PLACES).map(|_| 0).collect();
    let mut random = Pcg64::seed_from_u64(1);
    let mut distinct = BTreeSet::new();
    for (dir, nights) in [(&with, NIGHTS), (&without, 0)] {
        write_league(dir.path(), release);
        for lines in [false, true] {
            let name = if lines { "history.jsonl" } else { "history.sqlite" };
            let file = HistoryFile::new(dir.path().join(name), lines);
            for number in 0..nights {
                if !lines {
                    for step in 0..NEW {
                        hashes[(number as usize * NEW + step) % (PLACES - 1) + 1] = number + 1;
                    }
                }
                let night = night(number, &hashes, &mut random);
                distinct.extend(night.builds.iter().map(|build| build.build.clone()));
                file.add(&night).expect("it is written");
            }
        }
    }
    let size = |name: &str| std::fs::metadata(with.path().join(name)).map_or(0, |file| file.len() / 1_000_000);
    println!(
        "{NIGHTS} nights of {PLACES} places and {GAMES} games, {} builds: {} MB as SQLite, {} MB as lines",
        distinct.len(),
        size("history.sqlite"),
        size("history.jsonl")
    );
    for (what, dir) in [("without a history", &without), ("with it", &with)] {
        let times: Vec<Duration> = (0..RUNS).map(|run| start(dir.path(), run)).collect();
        println!("a night starts, {what}: {}", shown(times));
    }
    let report = |dir: &Path| {
        let begun = Instant::now();
        let mut show = Command::new(env!("CARGO_BIN_EXE_swissmatch"));
        show.args(["league", "show", "LEAGUE.toml", "--html", "out.html"])
            .current_dir(dir);
        assert!(show.stdout(Stdio::null()).status().expect("it runs").success());
        begun.elapsed()
    };
    println!(
        "the report: {}",
        shown((0..RUNS).map(|_| report(with.path())).collect())
    );
}

fn write_league(dir: &Path, release: &Path) {
    let program = release.with_file_name("alphabeta");
    let mut text = String::from("[league]\nname = \"Bench\"\nformat = \"round-robin\"\nmax_games = 1\n");
    for place in 0..PLACES {
        // Each is another build by its options.
        text += &format!(
            "[[build]]\nname = \"build {place}\"\npath = \"{}\"\noptions = {{ Skill = {} }}\n",
            program.display(),
            place % 21
        );
    }
    text += "[game]\ntime_control = \"nodes=10\"\n[engine]\nisolation = \"off\"\n";
    std::fs::write(dir.join("LEAGUE.toml"), text).expect("it is written");
}

/// A night by chance: the builds of these numbers.
fn night(number: u32, hashes: &[u32], random: &mut Pcg64) -> Night {
    let build = |(place, version): (usize, &u32)| NightBuild {
        version: format!("{version:08x}"),
        elo: (place == 0).then_some(0),
        ..NightBuild::new(&format!("build {place}"), format!("{place:032x}{version:032x}"))
    };
    let games = (0..GAMES).map(|game| {
        let white = random.random_range(0..PLACES);
        let black = (white + random.random_range(1..PLACES)) % PLACES;
        NightGame {
            id: GameId {
                round: 1,
                playoff: 0,
                board: game + 1,
                game: 1,
            },
            white: u16::try_from(white).expect("few"),
            black: u16::try_from(black).expect("few"),
            result: [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins][random.random_range(0..3)],
            key: Some(format!("{:032x}", u64::from(number) << 32 | u64::from(game))),
            fault: false,
            from: None,
        }
    });
    Night {
        version: VERSION,
        run: format!("{number:064x}"),
        name: format!("night {number}"),
        dir: format!("night-{number}"),
        began: Timestamp::from_second(i64::from(number) * 86_400).expect("a time"),
        machine: machine::class(),
        ended: NightEnd::Complete,
        noise: Noise::default(),
        by_time: false,
        conditions: "nodes=10, openings bundled".to_owned(),
        builds: hashes.iter().enumerate().map(build).collect(),
        broken: Vec::new(),
        changes: Vec::new(),
        pairs: Vec::new(),
        games: games.collect(),
    }
}

/// Until the run of a night is there.
fn start(dir: &Path, run: usize) -> Duration {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_swissmatch"));
    child
        .args(["league", "run", "--quiet", "--night", &format!("run{run}")])
        .current_dir(dir);
    child.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("it starts");
    let is_there = || {
        let nights = std::fs::read_dir(dir.join("nights")).into_iter().flatten().flatten();
        let name = format!("run{run}-");
        nights
            .filter(|night| night.file_name().to_string_lossy().starts_with(&name))
            .any(|night| night.path().join("run.sqlite").exists())
    };
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no run");
        std::thread::sleep(Duration::from_millis(2));
    }
    let took = begun.elapsed();
    child.wait().expect("it ends");
    took
}

fn shown(mut times: Vec<Duration>) -> String {
    times.sort();
    format!(
        "median {:.3} s, longest {:.3} s",
        times[times.len() / 2].as_secs_f64(),
        times[times.len() - 1].as_secs_f64()
    )
}
