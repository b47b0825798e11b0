//! A match of a million games whose games take no time: memory and time beside one of a thousand games, and how long it takes to go
//! on with it. `make bench-long-match`; `GAMES=N` plays another number.
//!
//! Bars: at most 32 MB more memory than a thousand games, and 10 s from the start of a runner that goes on to its first game. Each
//! runner is a process of its own, so that its peak is its own.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use swissmatch::game::record::{GameId, GameSpec};
use swissmatch::game::termination::Outcome;
use swissmatch::run::{EventFile, HeldRun, Reader, Run, RunEnd, Stopper};
use swissmatch::shell::host::scripted::ScriptedHost;
use swissmatch::shell::store::CommittedEntry;
use swissmatch::tournament::log::{Entry, RoundPaired};
use swissmatch::tournament::state::State;
use swissmatch::tournament::waiting::Wait;

/// Games of the match with which a long one is compared.
const SHORT: u32 = 1000;
/// Games that are left when a runner is asked to stop, at most: some thousand more may wait to be saved then.
const LEFT: u32 = 5000;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, role, dir, games, until] = words.as_slice()
        && role == "play"
    {
        play(Path::new(dir), number(games), number(until));
        return;
    }
    let games = std::env::var("GAMES").map_or(1_000_000, |games| number(&games));
    println!("a match whose games take no time");
    let [short, long] = [SHORT, games].map(measured);
    println!("more memory than {SHORT} games: {} kB", long.saturating_sub(short));
}

fn number(text: &str) -> u32 {
    text.parse().expect("a number")
}

/// Plays so many games in two runners; the most memory that either took, in kB.
fn measured(games: u32) -> u64 {
    let place = tempfile::tempdir().expect("a directory");
    let run = |until: u32| {
        let program = std::env::current_exe().expect("a program");
        let mut command = Command::new(program);
        command
            .arg("play")
            .arg(place.path())
            .args([games, until].map(|number| number.to_string()));
        let output = command.output().expect("a runner");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{games:>9} games, {until:>9} of them at the end: {}", text.trim());
        let peak = text.rsplit(' ').nth(1).expect("a figure with its unit");
        peak.parse::<u64>().expect("a number")
    };
    run(games - LEFT.min(games / 2)).max(run(games))
}

fn play(place: &Path, games: u32, until: u32) {
    let entry = |name| format!("[[player]]\nname = \"{name}\"\ncommand = \"{name}\"\n");
    let text = format!(
        "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = {games}\n{}{}",
        entry("New"),
        entry("Old")
    );
    let event = EventFile::parse(&place.join("event.toml"), &text).expect("an event");
    let host = Box::new(ScriptedHost::new(by_number).with_slots(8));
    let begun = Instant::now();
    let dir: PathBuf = place.join("run");
    let run = match dir.exists() {
        false => Run::create(event, &dir, host, &mut |_| {}).expect("a run"),
        true => match Run::resume(event, &dir, host, &mut |_| {}).expect("a run") {
            HeldRun::Run(run) => *run,
            // A short match is over before it can be stopped.
            HeldRun::Over(_) => {
                println!("over before it was stopped, most memory {} kB", peak());
                return;
            }
        },
    };
    let mut watch = Watch {
        begun,
        until,
        first: None,
        stopper: run.stopper(),
    };
    let played = run.play(&mut [&mut watch]).expect("it is played");
    assert!(matches!(played.ended, RunEnd::Complete | RunEnd::Stopped));
    println!(
        "first game in the log after {:.2} s, all after {:.1} s, most memory {} kB",
        watch.first.unwrap_or_default(),
        begun.elapsed().as_secs_f64(),
        peak()
    );
}

/// The most memory that this process had, in kB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let figure = line.and_then(|line| line.split_whitespace().next());
    figure.and_then(|figure| figure.parse().ok()).expect("a figure")
}

fn by_number(spec: &GameSpec) -> Outcome {
    match spec.id.game % 5 {
        0 | 1 => Outcome::WhiteWins,
        2 | 3 => Outcome::Draw,
        _ => Outcome::BlackWins,
    }
}

/// Looks at the clock, and stops in time.
struct Watch {
    begun: Instant,
    until: u32,
    first: Option<f64>,
    stopper: Stopper,
}

impl Reader for Watch {
    fn committed(&mut self, _: &State, committed: &CommittedEntry) {
        let Entry::GameFinished(finished) = &committed.bundle.entry else {
            return;
        };
        self.first.get_or_insert_with(|| self.begun.elapsed().as_secs_f64());
        if finished.id.game == self.until {
            self.stopper.stop();
        }
    }

    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}
    fn stopping(&mut self, _: usize) {}
    fn waiting(&mut self, _: &State, _: Option<Wait>) {}
    fn proposed(&mut self, _: &State, _: &RoundPaired) {}
    fn remark(&mut self, _: &str) {}
    fn warn(&mut self, sentence: &str) {
        eprintln!("{sentence}");
    }
}
