//! How long a whole run takes whose games take no time: pairing, log, standings and published files of 500 players and nine rounds
//! of one game, on disk with `synchronous=FULL`. `make bench-run`.
//!
//! And how many games a second are handed out, taken and in the log, with many slots and many boards: finding a game for a slot must not
//! walk all games.
//!
//! And what a ladder takes: 13 rounds of two games each of agents that import for 40 s, which the script does not wait for, with the
//! ratings after each round, and the memory of all of it.
//!
//! Bars: 100 MB for a ladder of 334 players; a second, by `match-points` and by `dutch`; 1,000 games a second, also with 512 slots. The
//! best of several runs is printed, because other work on the machine only ever adds; the disk is that of the temporary directory.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::time::{Duration, Instant};

use swissmatch::game::Side;
use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;
use swissmatch::run::ladder::{Due, Ladder, RoundNotes};
use swissmatch::run::{EventFile, Run, RunEnd};
use swissmatch::shell::host::scripted::ScriptedHost;

const ROUNDS: usize = 9;

/// How long the start of each agent of a ladder took, with what it imports.
const IMPORT: Duration = Duration::from_secs(40);
/// Rounds of a ladder.
const LADDER: usize = 13;

/// Games of each mini-match where many are handed out.
const GAMES: usize = 40;

fn main() {
    // `-- ladder` alone.
    if !std::env::args().any(|arg| arg == "ladder") {
        runs();
    }
    ladders();
}

fn runs() {
    println!("a run of {ROUNDS} rounds of one game each, whose games take no time: seconds, best of several");
    for players in [50, 500, 1000] {
        for pairing in ["match-points", "dutch"] {
            let runs = if players == 500 { 5 } else { 2 };
            let text = event(ROUNDS, pairing, 1, players);
            let best = (0..runs).map(|_| play(&text, 8)).min();
            println!(
                "{players:>6} players, {pairing:<14}{:>7.2}",
                best.unwrap_or_default().as_secs_f64()
            );
        }
    }
    println!("a round of {GAMES} games a mini-match that take no time: games a second");
    for (players, slots) in [(50, 8), (500, 8), (500, 64), (500, 512), (50, 512)] {
        let took = play(&event(1, "match-points", GAMES, players), slots);
        let games = players / 2 * GAMES;
        let rate = games as f64 / took.as_secs_f64();
        println!("{players:>6} players, {slots:>3} slots, {games:>6} games {rate:>9.0}");
    }
}

fn ladders() {
    println!(
        "a ladder of {LADDER} rounds whose games take no time: seconds of the first and the last round, most memory so far"
    );
    for players in [84, 167, 334] {
        let rounds = climb(players);
        let [first, last] = [rounds.first(), rounds.last()].map(|round| round.map_or(0.0, Duration::as_secs_f64));
        println!("{players:>6} players {first:>7.2} {last:>7.2} {:>7} kB", most_memory());
    }
}

/// Plays a ladder; how long each round took, with all that follows from it.
fn climb(players: usize) -> Vec<Duration> {
    let place = tempfile::tempdir().expect("a directory");
    let text = format!(
        "[submissions]\ncontract = \"uci\"\nlock = 2100-01-01T00:00:00Z\n[ladder]\nschedule = \"every 60m\"\n{}",
        event(1, "match-points", 2, players)
    );
    let event = EventFile::parse(&place.path().join("event.toml"), &text).expect("an event");
    let ladder = Ladder::of(&event, &place.path().join("run")).expect("its openings are its own");
    let ladder = ladder.expect("it has one");
    let mut now: jiff::Timestamp = "2026-09-10T08:00:00Z".parse().expect("a time");
    let round = |_| {
        let begin = Instant::now();
        let Due::Round(event, dir) = ladder.due(now).expect("a round") else {
            panic!("no round is due at {now}");
        };
        let host = Box::new(ScriptedHost::new(by_numbers).with_slots(8).starting_in(IMPORT));
        std::fs::create_dir_all(dir.parent().expect("a directory")).expect("a directory");
        let run = Run::create(*event, &dir, host, &mut |_| {}).expect("a run");
        assert_eq!(run.play(&mut []).expect("it is played").ended, RunEnd::Complete);
        ladder.ends(&dir, RoundNotes::default()).expect("it is rated");
        now += jiff::SignedDuration::from_hours(1);
        begin.elapsed()
    };
    (0..LADDER).map(round).collect()
}

/// The most memory that this process has taken, in kB.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or_default()
}

fn event(rounds: usize, pairing: &str, games: usize, players: usize) -> String {
    let entry = |number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p{number}\"\n");
    format!(
        "[swiss]\nrounds = {rounds}\npairing = \"{pairing}\"\n[mini_match]\ngames = {games}\n{}",
        (1..=players).map(entry).collect::<String>()
    )
}

fn play(text: &str, slots: usize) -> Duration {
    let place = tempfile::tempdir().expect("a directory");
    let event = EventFile::parse(&place.path().join("event.toml"), text).expect("an event");
    let host = Box::new(ScriptedHost::new(by_numbers).with_slots(slots));
    let begin = Instant::now();
    let run = Run::create(event, &place.path().join("run"), host, &mut |_| {}).expect("a run");
    let played = run.play(&mut []).expect("it is played");
    assert_eq!(played.ended, RunEnd::Complete);
    begin.elapsed()
}

/// A result that looks like chance and follows from the game alone.
fn by_numbers(spec: &GameSpec) -> Outcome {
    let (white, black) = (spec.white.index() + 1, spec.black.index() + 1);
    match (white * 7 + black * 13 + spec.id.round as usize * 5) % 5 {
        0 | 1 => Outcome::Draw,
        2 => Outcome::win(Side::Black),
        _ if white < black => Outcome::win(Side::White),
        _ => Outcome::win(Side::Black),
    }
}
