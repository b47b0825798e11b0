//! What floods cost the runner: an event of one agent that floods and three that do not, and events in which all 24 agents do. `cargo
//! bench --bench floods`.
//!
//! Bar: the player, which serves all games, stays below 100 MB. Beside it: its guard and the keepers of the engines, what each has for
//! itself. Agents are not counted; docs/resources.md has their limits.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use process::{children, kilobytes};
use workshop::{BUILT, Workshop};

#[path = "support/process.rs"]
#[expect(dead_code, reason = "shared")]
mod process;
#[path = "support/workshop.rs"]
mod workshop;

/// What an agent does, as a word of the fault agent or as a shell script before it.
#[derive(Clone, Copy)]
enum Flood {
    Fault(&'static str),
    Script(&'static str),
}

/// A thousand options of 60 kB each.
const OPTIONS: &str = "awk 'BEGIN { d = sprintf(\"%60000s\", \"\"); gsub(/ /, \"x\", d); for (i = 0; i < 1000; i++) \
                       print \"option name O\" i \" type string default \" d; print \"uciok\" }'";

/// Each with how many agents do it, and how.
const FLOODS: [(&str, usize, Flood); 12] = [
    ("output, lines without end", 1, Flood::Fault("flood-lines")),
    ("output, bytes without a line's end", 1, Flood::Fault("flood-bytes")),
    ("one line of 200 MB", 1, Flood::Fault("huge-line")),
    ("standard error, 100 MB", 1, Flood::Fault("flood-stderr")),
    ("2000 options", 1, Flood::Fault("many-options")),
    ("1000 options of 60 kB", 1, Flood::Script(OPTIONS)),
    ("1000 options of 60 kB, 24 agents", 24, Flood::Script(OPTIONS)),
    (
        "lines instead of `uciok`, 24 agents",
        24,
        Flood::Script("yes info string not yet"),
    ),
    ("300 threads", 1, Flood::Fault("take-threads")),
    ("processes without end", 1, Flood::Script("while :; do sleep 60 & done")),
    ("300 MB of files", 1, Flood::Fault("take-disk")),
    (
        "10,000 files",
        1,
        Flood::Script("i=0; while [ $i -lt 10000 ]; do : > \"$HOME/$i\"; i=$((i+1)); done; exec \"$0\""),
    ),
];

fn main() {
    let shop = Workshop::with(&[]);
    let agent = Path::new(BUILT).with_file_name("fault-agent");
    assert!(agent.exists(), "{} is not built", agent.display());
    println!(
        "{:<38}{:>8}{:>12}{:>14}  how the agent's games ended",
        "flood", "seconds", "player, MB", "with others"
    );
    for (name, flooding, flood) in FLOODS {
        let begun = Instant::now();
        let mut command = shop.swissmatch(BUILT, &event(&agent, flooding, flood), 2);
        let run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let peak = watch(run.expect("swissmatch starts"));
        println!(
            "{name:<38}{:>8.1}{:>12.1}{:>14.1}  {}",
            begun.elapsed().as_secs_f64(),
            peak.player as f64 / 1000.0,
            peak.with_others as f64 / 1000.0,
            endings(&shop)
        );
    }
}

fn event(agent: &Path, flooding: usize, flood: Flood) -> String {
    let mut text = "[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\n\
                    time_control = \"5s/move\"\nattempts = 1\nmax_plies = 20\n[engine]\nstart_limit = \"2s\"\n\
                    start_attempts = 1\nstop_grace = \"200ms\"\nquit_grace = \"200ms\"\nmust_start = false\n\
                    max_processes = 200\nmax_disk = 100\n[run]\nmax_faults = \"none\"\n"
        .to_owned();
    for number in 0..flooding.max(4) {
        let words = match flood {
            _ if number >= flooding => format!("command = {agent:?}\n"),
            Flood::Fault(kind) => format!("command = {agent:?}\nargs = [\"--fault\", \"{kind}\", \"--at\", \"2\"]\n"),
            Flood::Script(script) => format!("command = \"/bin/sh\"\nargs = [\"-c\", {script:?}, {agent:?}]\n"),
        };
        let _ = write!(text, "[[player]]\nname = \"P{number}\"\n{words}");
    }
    text
}

/// The most memory in kB: of the player, and of all of swissmatch together.
#[derive(Clone, Copy, Default)]
struct Peak {
    player: u64,
    with_others: u64,
}

fn watch(mut run: Child) -> Peak {
    let mut peak = Peak::default();
    while run.try_wait().expect("it can be waited for").is_none() {
        let guard = run.id();
        for player in children(guard) {
            let of_player = kilobytes(player, "status", &["VmHWM"]);
            let others = children(player).into_iter().chain([guard]);
            let own: u64 = others.map(|pid| kilobytes(pid, "status", &["RssAnon"])).sum();
            peak.player = peak.player.max(of_player);
            peak.with_others = peak.with_others.max(of_player + own);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    peak
}

/// How often the games of agents that flood ended how: all games but those by the move cap.
fn endings(shop: &Workshop) -> String {
    let list = std::fs::read_to_string(shop.path("run/games.csv")).unwrap_or_default();
    let mut rows = csv::Reader::from_reader(list.as_bytes());
    let at = rows
        .headers()
        .ok()
        .and_then(|row| row.iter().position(|name| name == "Termination"));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows.records().flatten() {
        let word = at.and_then(|at| row.get(at)).unwrap_or_default();
        if word != "move-cap" {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    match counts.is_empty() {
        true => "by the move cap".to_owned(),
        false => counts.join(", "),
    }
}
