//! How fast games are hosted, with agents that are isolated and with such that are not: plies per second beside the floor (bare
//! blocking pipes, no chess), the runner's own processor time a ply, and its memory at 2 and at 200 games at once. First what
//! isolation costs: a start, and an answer; and what a short match costs. The page of the event, which is made when all games are over, is
//! left out but for a row of its own. `make bench`; `RUNS=N SECONDS=S STARTS=N ASKED=N MATCHES=N` change the length.
//! A short match alone: `ONLY=match TMPDIR=/dev/shm cargo bench --bench hosting`, after `cargo build --release --workspace --bins`.
//! `C_CHESS_CLI=… FASTCHESS=… CUTECHESS=…` name the programs of other runners, which then play in the same runs;
//! `BEFORE=…` names an older build of swissmatch, which does too.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use peers::{Job, Kind, Peer};
use process::{children, kilobytes, processor_time};
use workshop::Workshop;

#[path = "support/isolated.rs"]
mod isolated;
#[path = "support/peers.rs"]
mod peers;
#[path = "support/process.rs"]
mod process;
#[path = "support/short_match.rs"]
mod short_match;
#[path = "support/workshop.rs"]
mod workshop;

/// Plies of each game, as in the floor's own measure.
const PLIES: usize = 200;

fn main() {
    swissmatch::begin();
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (runs, seconds): (usize, f64) = (number("RUNS", 7.0) as usize, number("SECONDS", 10.0));
    short_match::measure(number("MATCHES", 15.0) as usize);
    if std::env::var("ONLY").is_ok_and(|only| only == "match") {
        return;
    }
    let shop = Workshop::with(&["parrot", "pipe_limit"]);
    isolated::measure(
        &shop,
        number("STARTS", 300.0) as usize,
        number("ASKED", 20_000.0) as usize,
    );
    let peers = Peer::found();
    let before = std::env::var("BEFORE").ok();
    let built = [
        ("off", Some("off"), NO_PAGE),
        ("guarded", Some("guarded"), NO_PAGE),
        ("sealed", Some("sealed"), NO_PAGE),
        ("and page", Some("off"), ""),
    ];
    let built = built.map(|(name, isolation, page)| Build {
        name,
        program: workshop::BUILT,
        isolation,
        page,
    });
    let before = before.as_deref().map(|program| Build {
        name: "before",
        program,
        isolation: knows(program, "doctor").then_some("off"),
        page: if knows(program, "serve") { NO_PAGE } else { "" },
    });
    let ours: Vec<Build<'_>> = built.into_iter().chain(before).collect();

    // Half of them are a mini-match, which has at most 10,000.
    let games = ((floor(&shop, 1000) * seconds / PLIES as f64) as usize).min(20_000);
    println!(
        "{runs} interleaved runs; floor {games} games, swissmatch {} games of {PLIES} plies, 2 at once",
        games / 2
    );
    let names = ours
        .iter()
        .map(|build| build.name)
        .chain(peers.iter().map(|peer| peer.name));
    let mut figures: Vec<(&str, Vec<Cost>)> = names.map(|name| (name, Vec::new())).collect();
    for run in 1..=runs {
        let floor = floor(&shop, games);
        println!("run {run}: floor {floor:>7.0} plies/s");
        let builds = ours
            .iter()
            .map(|build| swissmatch(&shop, build, games / 2, PLIES, 2, 0));
        let costs = peers.iter().map(|peer| {
            // About as long as the others.
            let part = if peer.kind == Kind::CChessCli { 3 } else { 15 };
            played_by(peer, &shop, (games / part).max(2))
        });
        for (cost, (name, all)) in builds.chain(costs).zip(&mut figures) {
            let ratio = cost.plies_a_second / floor;
            println!(
                "  {name:<13} {:>7.0} plies/s   ratio {ratio:.3}   runner {:.2} µs CPU/ply",
                cost.plies_a_second, cost.cpu_a_ply
            );
            all.push(Cost { ratio, ..cost });
        }
    }
    println!("medians:");
    for (name, costs) in &figures {
        let ratios: Vec<String> = costs.iter().map(|cost| format!("{:.3}", cost.ratio)).collect();
        println!("  {name:<13} ratios {}", ratios.join(" "));
        let median = |value: fn(&Cost) -> f64| median(costs.iter().map(value).collect());
        println!(
            "  {name:<13} {:.3} of the floor, {:.2} µs CPU of the runner alone a ply",
            median(|cost| cost.ratio),
            median(|cost| cost.cpu_a_ply)
        );
    }

    let of = |name: &str| {
        let (_, costs) = figures
            .iter()
            .find(|(other, _)| *other == name)
            .expect("it was measured");
        median(costs.iter().map(|cost| cost.ratio).collect())
    };
    let guarded = of("guarded") / of("off");
    println!("guarded {guarded:.3} of off (at least 0.95: {})", guarded >= 0.95);
    println!("sealed  {:.3} of off: who rests is stopped", of("sealed") / of("off"));

    for (at_once, games, plies, micros) in [(2, 2000, PLIES, 0), (200, 800, 100, 20_000)] {
        let ours = swissmatch(&shop, &ours[0], games, plies, at_once, micros);
        println!(
            "memory at {at_once:>3} games at once: runner {} kB peak, all {} keepers together {} kB (private)",
            ours.peak_kb, ours.keepers, ours.keepers_kb
        );
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The page of the event, which is made when all games are over, is no part of hosting them.
const NO_PAGE: &str = "[publish]\nreport = false\n";

/// A build of swissmatch, the isolation of its agents, and its key of the page.
struct Build<'a> {
    name: &'static str,
    program: &'a str,
    isolation: Option<&'static str>,
    page: &'static str,
}

/// Builds from before there was isolation, or a page, have no such command, and no such keys.
fn knows(program: &str, command: &str) -> bool {
    let asked = std::process::Command::new(program).args(["help", command]).output();
    asked.is_ok_and(|answer| answer.status.success())
}

/// What one run cost.
#[derive(Default)]
struct Cost {
    plies_a_second: f64,
    /// Of the floor beside it.
    ratio: f64,
    /// Microseconds of the playing process, engines and keepers not counted.
    cpu_a_ply: f64,
    peak_kb: u64,
    keepers: usize,
    keepers_kb: u64,
}

/// The floor's plies per second.
fn floor(shop: &Workshop, games: usize) -> f64 {
    let output = std::process::Command::new(shop.path("pipe_limit"))
        .args(["./parrot", "game300.txt", &games.to_string(), &PLIES.to_string(), "2"])
        .current_dir(shop.path(""))
        .output()
        .expect("the floor runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let plies = said.split(' ').next().and_then(|n| n.parse().ok());
    plies.unwrap_or_else(|| panic!("the floor said: {said}"))
}

/// One event of two parrots: full records, PGN, standings.
fn swissmatch(shop: &Workshop, build: &Build<'_>, games: usize, plies: usize, at_once: usize, micros: u64) -> Cost {
    let games = games + games % 2;
    let isolation = build
        .isolation
        .map_or_else(String::new, |word| format!("[engine]\nisolation = \"{word}\"\n"));
    let page = build.page;
    let args = format!("args = [\"game300.txt\", \"{micros}\"]");
    let event = format!(
        "preset = \"none\"\n[event]\nname = \"bench\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\ntime_control = \"10+0.1\"\nmax_plies = {plies}\n{isolation}{page}\
         [[player]]\nname = \"A\"\ncommand = \"./parrot\"\n{args}\n[[player]]\nname = \"B\"\ncommand = \"./parrot\"\n{args}\n"
    );
    let mut command = shop.swissmatch(build.program, &event, at_once);
    let begun = Instant::now();
    let cost = watch(command.stdin(Stdio::null()).spawn().expect("swissmatch starts"), true);
    let took = begun.elapsed();
    let written = std::fs::read_to_string(shop.path("run/games.pgn")).expect("the PGN is there");
    assert_eq!(written.matches("[Event ").count(), games, "every game is in the PGN");
    cost.of(games * plies, took)
}

/// The same by another runner.
fn played_by(peer: &Peer, shop: &Workshop, games: usize) -> Cost {
    let job = Job {
        engine: "parrot",
        args: ["game300.txt 0", "game300.txt 0"].map(str::to_owned),
        games: games + games % 2,
        plies: PLIES,
        at_once: 2,
    };
    let mut command = peer.command(&shop.path(""), &job);
    let begun = Instant::now();
    let cost = watch(command.spawn().expect("the peer starts"), false);
    let took = begun.elapsed();
    let told = peers::games(&shop.path(""));
    assert_eq!(told.len(), job.games, "{}: every game is in the PGN", peer.name);
    let whites = told.iter().filter(|game| game.a_is_white).count();
    assert_eq!(whites, job.games / 2, "{}: as often White as Black", peer.name);
    let plies: usize = told.iter().map(|game| game.times.len()).sum();
    assert!(
        plies.abs_diff(job.games * PLIES) <= 2 * job.games,
        "{}: {plies} plies in {} games",
        peer.name,
        job.games
    );
    cost.of(plies, took)
}

impl Cost {
    /// Per ply; until then `cpu_a_ply` is seconds in all.
    fn of(self, plies: usize, took: Duration) -> Self {
        Self {
            plies_a_second: plies as f64 / took.as_secs_f64(),
            cpu_a_ply: self.cpu_a_ply / plies as f64 * 1e6,
            ..self
        }
    }
}

/// Looks at the playing process until the run ends: the child itself, or with `guarded` the child's only child, and the
/// keepers below that.
fn watch(mut child: Child, guarded: bool) -> Cost {
    let mut cost = Cost::default();
    let mut looked_at_keepers = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            assert!(status.success(), "the runner failed: {status}");
            return cost;
        }
        let playing = if guarded {
            children(child.id()).first().copied()
        } else {
            Some(child.id())
        };
        if let Some(playing) = playing {
            cost.cpu_a_ply = cost.cpu_a_ply.max(processor_time(playing).unwrap_or(0.0));
            cost.peak_kb = cost.peak_kb.max(kilobytes(playing, "status", &["VmHWM"]));
            if guarded && looked_at_keepers.elapsed() > Duration::from_secs(1) {
                looked_at_keepers = Instant::now();
                let keepers = children(playing);
                let private = ["Private_Clean", "Private_Dirty"];
                let together = keepers
                    .iter()
                    .map(|&keeper| kilobytes(keeper, "smaps_rollup", &private))
                    .sum();
                if together > cost.keepers_kb {
                    (cost.keepers, cost.keepers_kb) = (keepers.len(), together);
                }
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
