//! How fast games are hosted: plies per second beside the floor (bare blocking pipes, no chess), the runner's own processor
//! time a ply, and its memory at 2 and at 200 games at once. `make bench`; `RUNS=N SECONDS=S` change its length.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Plies of each game, as in the floor's own measure.
const PLIES: usize = 200;
/// Clock ticks a second, as Linux reports processor time.
const TICKS: f64 = 100.0;

fn main() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (runs, seconds): (usize, f64) = (number("RUNS", 7.0) as usize, number("SECONDS", 10.0));
    let bench = Bench::prepare();

    let (calibrated, _) = bench.floor(1000);
    let games = (calibrated * seconds / PLIES as f64) as usize;
    println!(
        "{runs} interleaved runs; floor {games} games, swissmatch {} games of {PLIES} plies, 2 at once",
        games / 2
    );
    let mut ratios = Vec::new();
    let mut costs = Vec::new();
    for run in 1..=runs {
        let (floor, _) = bench.floor(games);
        let ours = bench.swissmatch(games / 2, PLIES, 2, 0);
        let ratio = ours.plies_a_second / floor;
        println!(
            "run {run}: floor {floor:>7.0} plies/s   swissmatch {:>7.0} plies/s   ratio {ratio:.3}   runner {:.2} µs CPU/ply",
            ours.plies_a_second, ours.cpu_a_ply
        );
        ratios.push(ratio);
        costs.push(ours.cpu_a_ply);
    }
    println!("median ratio {:.3} of the floor", median(&mut ratios));
    println!("median CPU of the runner alone {:.2} µs a ply", median(&mut costs));

    for (at_once, games, plies, micros) in [(2, 2000, PLIES, 0), (200, 800, 100, 20_000)] {
        let ours = bench.swissmatch(games, plies, at_once, micros);
        println!(
            "memory at {at_once:>3} games at once: runner {} kB peak, all {} keepers together {} kB (private)",
            ours.peak_kb, ours.keepers, ours.keepers_kb
        );
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Bench {
    dir: tempfile::TempDir,
}

/// What one run of swissmatch cost.
#[derive(Default)]
struct Cost {
    plies_a_second: f64,
    /// Microseconds of the playing process, engines and keepers not counted.
    cpu_a_ply: f64,
    peak_kb: u64,
    keepers: usize,
    keepers_kb: u64,
}

impl Bench {
    /// Compiles the instant engine and the floor.
    fn prepare() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor");
        for program in ["parrot", "pipe_limit"] {
            let compiled = Command::new("cc")
                .args(["-O2", "-o"])
                .arg(dir.path().join(program))
                .arg(source.join(format!("{program}.c")))
                .status();
            assert!(
                compiled.is_ok_and(|status| status.success()),
                "{program}.c does not compile"
            );
        }
        std::fs::copy(source.join("game300.txt"), dir.path().join("game300.txt")).expect("the game is copied");
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The floor's plies per second, and what it says.
    fn floor(&self, games: usize) -> (f64, String) {
        let output = Command::new(self.path("pipe_limit"))
            .args(["./parrot", "game300.txt", &games.to_string(), &PLIES.to_string(), "2"])
            .current_dir(self.dir.path())
            .output()
            .expect("the floor runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let plies = said.split(' ').next().and_then(|n| n.parse().ok());
        (plies.unwrap_or_else(|| panic!("the floor said: {said}")), said)
    }

    /// One event of two parrots: full records, PGN, standings.
    fn swissmatch(&self, games: usize, plies: usize, at_once: usize, micros: u64) -> Cost {
        let games = games + games % 2;
        let args = format!("args = [\"game300.txt\", \"{micros}\"]");
        let event = format!(
            "preset = \"none\"\n[event]\nname = \"bench\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n\
             openings = \"none\"\n[game]\ntime_control = \"10+0.1\"\nmax_plies = {plies}\n\
             [[player]]\nname = \"A\"\ncommand = \"./parrot\"\n{args}\n[[player]]\nname = \"B\"\ncommand = \"./parrot\"\n{args}\n"
        );
        std::fs::write(self.path("event.toml"), event).expect("the event file is written");
        let begun = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_swissmatch"))
            .args([
                "run",
                "event.toml",
                "--fresh",
                "--quiet",
                "--out",
                "run",
                "--concurrency",
                &at_once.to_string(),
            ])
            .current_dir(self.dir.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("swissmatch starts");
        let mut cost = watch(child);
        let took = begun.elapsed().as_secs_f64();
        let written = std::fs::read_to_string(self.path("run/games.pgn")).expect("the PGN is there");
        assert_eq!(written.matches("[Event ").count(), games, "every game is in the PGN");
        for old in std::fs::read_dir(self.dir.path())
            .expect("the directory is there")
            .flatten()
        {
            if old.file_name().to_string_lossy().starts_with("run") {
                std::fs::remove_dir_all(old.path()).expect("old runs are removed");
            }
        }
        let all = (games * plies) as f64;
        cost.plies_a_second = all / took;
        cost.cpu_a_ply = cost.cpu_a_ply / all * 1e6;
        cost
    }
}

/// Looks at the playing process and its keepers until the run ends; `cpu_a_ply` is still seconds in all.
fn watch(mut child: Child) -> Cost {
    let mut cost = Cost::default();
    let read = |pid: u32, file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let children = |pid: u32| -> Vec<u32> {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        lists
            .flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
            .collect()
    };
    let field_kb = |text: &str, name: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_whitespace().nth(1))
            .and_then(|n| n.parse().ok())
            .unwrap_or(0)
    };
    let mut looked_at_keepers = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            assert!(status.success(), "swissmatch failed: {status}");
            return cost;
        }
        if let Some(&player) = children(child.id()).first() {
            let stat = read(player, "stat");
            let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
            if let [user, system] = [11, 12].map(|at| fields.get(at).and_then(|n| n.parse::<f64>().ok()))
                && let (Some(user), Some(system)) = (user, system)
            {
                cost.cpu_a_ply = cost.cpu_a_ply.max((user + system) / TICKS);
            }
            cost.peak_kb = cost.peak_kb.max(field_kb(&read(player, "status"), "VmHWM:"));
            if looked_at_keepers.elapsed() > Duration::from_secs(1) {
                looked_at_keepers = Instant::now();
                let keepers = children(player);
                let private: u64 = keepers
                    .iter()
                    .map(|&keeper| {
                        let rollup = read(keeper, "smaps_rollup");
                        field_kb(&rollup, "Private_Clean:") + field_kb(&rollup, "Private_Dirty:")
                    })
                    .sum();
                if private > cost.keepers_kb {
                    (cost.keepers, cost.keepers_kb) = (keepers.len(), private);
                }
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
