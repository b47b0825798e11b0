//! A thousand games at once of engines that wait, as language models do: memory of the runner and its processor time over a
//! minute in which all of them play. `make bench`; `GAMES=N SECONDS=S` change number and length.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use process::{children, kilobytes, processor_time};
use workshop::Workshop;

#[path = "support/process.rs"]
mod process;
#[path = "support/workshop.rs"]
mod workshop;

/// What an engine waits before each move, in microseconds.
const WAIT: u32 = 2_000_000;
/// How long all engines may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (games, seconds): (usize, u64) = (number("GAMES", 1000) as usize, number("SECONDS", 60));
    let games = games.next_multiple_of(2);
    let shop = Workshop::with(&["parrot"]);
    let mut event = format!(
        "preset = \"none\"\n[event]\nname = \"slow\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\ntime_control = \"30s/move\"\nmax_plies = 300\n"
    );
    for name in ["A", "B"] {
        event +=
            &format!("[[player]]\nname = \"{name}\"\ncommand = \"./parrot\"\nargs = [\"game300.txt\", \"{WAIT}\"]\n");
    }
    let begun = Instant::now();
    let mut guard = shop
        .swissmatch(workshop::BUILT, &event, games)
        .stdin(Stdio::null())
        .spawn()
        .expect("swissmatch starts");
    let (player, keepers) = all_playing(&mut guard, 2 * games, begun);
    println!(
        "{games} games at once, {} engines up after {:.1} s",
        keepers.len(),
        begun.elapsed().as_secs_f64()
    );
    std::thread::sleep(Duration::from_secs(5));

    let runner = [guard.id(), player];
    let used = |processes: &[u32]| -> f64 { processes.iter().filter_map(|&process| processor_time(process)).sum() };
    let (runner_before, keepers_before) = (used(&runner), used(&keepers));
    let begun = Instant::now();
    std::thread::sleep(Duration::from_secs(seconds));
    let took = begun.elapsed().as_secs_f64();
    let busy = [used(&runner) - runner_before, used(&keepers) - keepers_before].map(|seconds| seconds / took * 100.0);
    assert!(
        guard.try_wait().expect("the child is ours").is_none(),
        "the event is not over"
    );

    let engines: Vec<u32> = keepers.iter().flat_map(|&keeper| children(keeper)).collect();
    let memory = |processes: &[u32]| {
        let sum = |fields: &[&str]| {
            processes
                .iter()
                .map(|&p| kilobytes(p, "smaps_rollup", fields))
                .sum::<u64>() as f64
                / 1024.0
        };
        [sum(&["Rss"]), sum(&["Pss"]), sum(&["Private_Clean", "Private_Dirty"])]
    };
    println!("{took:.0} s of play:");
    for (name, processes, busy) in [
        ("guard and player", &runner[..], Some(busy[0])),
        ("keepers", &keepers, Some(busy[1])),
        ("engines", &engines, None),
    ] {
        let [resident, share, private] = memory(processes);
        let busy = busy.map_or(String::new(), |busy| format!(", {busy:.1} % of one core"));
        println!(
            "  {name:<16} {:>5} processes: {resident:>6.0} MiB resident, {share:>6.0} MiB proportional, {private:>6.0} MiB private{busy}",
            processes.len()
        );
    }
    stop(guard);
}

/// Waits until every engine is up; gives the playing process and the keepers.
fn all_playing(guard: &mut Child, engines: usize, begun: Instant) -> (u32, Vec<u32>) {
    loop {
        assert!(
            guard.try_wait().expect("the child is ours").is_none(),
            "swissmatch ended"
        );
        if let Some(&player) = children(guard.id()).first() {
            let keepers = children(player);
            if keepers.len() >= engines && keepers.iter().all(|&keeper| !children(keeper).is_empty()) {
                return (player, keepers);
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{} of {engines} engines after {PATIENCE:?}",
                keepers.len()
            );
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Asks the runner to stop at once, which is asking twice; waits until it and all engines have gone.
fn stop(mut guard: Child) {
    let begun = Instant::now();
    for _ in 0..2 {
        let asked = std::process::Command::new("kill")
            .args(["-TERM", &guard.id().to_string()])
            .status();
        assert!(asked.is_ok_and(|status| status.success()), "the runner is there");
        std::thread::sleep(Duration::from_millis(500));
    }
    guard.wait().expect("the child is ours");
    println!("stopped in {:.1} s", begun.elapsed().as_secs_f64());
}
