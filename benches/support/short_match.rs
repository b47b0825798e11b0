//! What a short match costs beside what its engines need: two games by one node a move, and the two engines that come with swissmatch
//! started by hand. Where the directory for temporary files is in memory (`TMPDIR`) no disk is waited for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::median;
use crate::workshop::BUILT;

/// Prints the median of so many of each, in turn, and what a match takes more than its engines.
pub(crate) fn measure(times: usize) {
    let engines = ["alphabeta", "greedy"].map(|name| Path::new(BUILT).with_file_name(name));
    for engine in &engines {
        let remedy = "build it by `cargo build --release --workspace --bins`";
        assert!(engine.exists(), "there is no {}: {remedy}", engine.display());
    }
    let (mut by_hand, mut off, mut guarded) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..times {
        by_hand.push(milliseconds(|| engines.iter().for_each(|engine| ask(engine))));
        off.push(milliseconds(|| play(&engines, "off")));
        guarded.push(milliseconds(|| play(&engines, "guarded")));
    }
    let by_hand = median(by_hand);
    println!("a match of 2 games by nodes=1, and its engines by hand, median of {times}: by hand {by_hand:.1} ms");
    for (word, took) in [("off", median(off)), ("guarded", median(guarded))] {
        println!(
            "  {word:<8} {took:>7.1} ms, {:>6.1} ms more than by hand",
            took - by_hand
        );
    }
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1e3
}

fn ask(engine: &Path) {
    let mut process = Command::new(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut to_engine = process.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
    for (asked, answer) in [
        ("uci\n", "uciok"),
        ("isready\n", "readyok"),
        ("position startpos\ngo nodes 1\n", "bestmove"),
    ] {
        to_engine.write_all(asked.as_bytes()).expect("it listens");
        let answered = lines.any(|line| line.expect("text").starts_with(answer));
        assert!(answered, "{} does not say {answer}", engine.display());
    }
    to_engine.write_all(b"quit\n").expect("it listens");
    assert!(process.wait().expect("it is ours").success());
}

fn play(engines: &[PathBuf], isolation: &str) {
    // Where there is a run of the same words, that would go on.
    let place = tempfile::tempdir().expect("a directory");
    let output = Command::new(BUILT)
        .arg("match")
        .args(engines)
        .args(["--games", "2", "--time", "nodes=1", "--isolation", isolation, "--quiet"])
        .current_dir(place.path())
        .output()
        .expect("swissmatch starts");
    assert!(
        output.status.success(),
        "the match failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
