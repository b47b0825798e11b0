//! How long `swissmatch plan` computes, and how that grows with the field: the whole command, 1,000 simulated events, on the
//! default rules and by the Dutch system with colours. `make bench-plan`; `LARGEST=N` leaves out fields above N.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::process::Command;
use std::time::Instant;

/// Agents, and by how much two neighbours differ in rating.
const FIELDS: [u32; 5] = [16, 32, 64, 128, 256];
const STEP: u32 = 5;

fn main() {
    let largest = std::env::var("LARGEST").ok().and_then(|n| n.parse().ok());
    let dir = tempfile::tempdir().expect("a temporary directory");
    for system in ["match-points", "dutch"] {
        println!(
            "plan of a Swiss, {system}: seconds on {} cores, and growth between two lines",
            cores()
        );
        let mut before: Option<(u32, f64)> = None;
        for players in FIELDS
            .into_iter()
            .filter(|players| largest.is_none_or(|largest| *players <= largest))
        {
            let file = dir.path().join("event.toml");
            std::fs::write(&file, event(players, system)).expect("the file is written");
            let begun = Instant::now();
            let mut command = Command::new(env!("CARGO_BIN_EXE_swissmatch"));
            let output = command.arg("plan").arg(&file).output().expect("swissmatch runs");
            let seconds = begun.elapsed().as_secs_f64();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let growth =
                before.map(|(fewer, less)| (seconds / less).ln() / (f64::from(players) / f64::from(fewer)).ln());
            let growth = growth.map_or(String::new(), |growth| format!("   growth n^{growth:.1}"));
            println!("{players:>6} agents: {seconds:>7.2} s{growth}");
            before = Some((players, seconds));
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn event(players: u32, system: &str) -> String {
    let color = if system == "dutch" {
        "color = \"first-game\"\n"
    } else {
        ""
    };
    let mut event = format!("[event]\nname = \"benchmark\"\n[swiss]\npairing = \"{system}\"\n{color}");
    for number in 0..players {
        let rating = 2000 - STEP * number;
        event += &format!("[[player]]\nname = \"A{number}\"\ncommand = \"a\"\nrating = {rating}\n");
    }
    event
}
