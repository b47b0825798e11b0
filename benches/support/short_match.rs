//! What a short match costs beside what its engines need: its start, up to the first `go`, and two games by one node a move as a whole,
//! with the end. Where the directory for temporary files is in memory (`TMPDIR`) no disk is waited for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

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
        off.push(milliseconds(|| drop(play(&engines, "off"))));
        guarded.push(milliseconds(|| drop(play(&engines, "guarded"))));
    }
    let by_hand = median(by_hand);
    println!("a match of 2 games by nodes=1, and its engines by hand, median of {times}: by hand {by_hand:.1} ms");
    for (word, took) in [("off", median(off)), ("guarded", median(guarded))] {
        println!(
            "  {word:<8} {took:>7.1} ms, {:>6.1} ms more than by hand",
            took - by_hand
        );
    }
    measure_starts(times);
}

/// An engine that says in its move, an illegal one, when it was told `go`.
const TELLS_ITS_GO: &str = r#"#!/bin/sh
while read -r line; do
    case $line in
        uci) echo uciok;;
        isready) echo readyok;;
        go*) echo "bestmove at$(date +%s%N)";;
        quit) exit;;
    esac
done
"#;

/// Prints how long it takes to the first `go` of a match, and to start two such engines by hand.
fn measure_starts(times: usize) {
    let place = tempfile::tempdir().expect("a directory");
    let engines = ["first", "second"].map(|name| place.path().join(name));
    for engine in &engines {
        std::fs::write(engine, TELLS_ITS_GO).expect("it is written");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(engine, executable).expect("it is ours");
    }
    let (mut by_hand, mut off, mut guarded) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..times {
        by_hand.push(milliseconds(|| engines.iter().for_each(|engine| ask(engine))));
        off.push(to_first_go(&engines, "off"));
        guarded.push(to_first_go(&engines, "guarded"));
    }
    let by_hand = median(by_hand);
    println!("up to the first go, median of {times}: by hand {by_hand:.1} ms, with the engines' end");
    for (word, took) in [("off", median(off)), ("guarded", median(guarded))] {
        println!(
            "  {word:<8} {took:>7.1} ms, {:>6.1} ms more than by hand",
            took - by_hand
        );
    }
}

/// Milliseconds until the first `go` of a match, which its games tell.
fn to_first_go(engines: &[PathBuf], isolation: &str) -> f64 {
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    let place = play(engines, isolation);
    let runs = std::fs::read_dir(place.path().join("results")).expect("a run");
    let games = runs.flatten().map(|run| run.path().join("games.pgn"));
    let games = games.filter_map(|file| std::fs::read_to_string(file).ok());
    let told = |text: String| -> Vec<u128> {
        let words = text.split("illegal move: at").skip(1);
        let digits = words.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        digits.map(|digits| digits.parse().expect("nanoseconds")).collect()
    };
    let first = games.flat_map(told).min().expect("a game tells it");
    (first - begun.as_nanos()) as f64 / 1e6
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

/// The directory where it was played.
fn play(engines: &[PathBuf], isolation: &str) -> tempfile::TempDir {
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
    place
}
