//! How long a whole run takes whose games take no time: pairing, log, standings and published files of 500 players and nine rounds
//! of one game, on disk with `synchronous=FULL`. `make bench-run`.
//!
//! Bar: a second, by `match-points` and by `dutch`. The best of several runs is printed, because other work on the machine only
//! ever adds; the disk is that of the temporary directory.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::time::{Duration, Instant};

use swissmatch::game::Side;
use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;
use swissmatch::run::{Ended, EventFile, Run};
use swissmatch::shell::host::scripted::ScriptedHost;

const ROUNDS: usize = 9;

fn main() {
    println!("a run of {ROUNDS} rounds of one game each, whose games take no time: seconds, best of several");
    for players in [50, 500, 1000] {
        for pairing in ["match-points", "dutch"] {
            let runs = if players == 500 { 5 } else { 2 };
            let best = (0..runs).map(|_| play(players, pairing)).min();
            println!(
                "{players:>6} players, {pairing:<14}{:>7.2}",
                best.unwrap_or_default().as_secs_f64()
            );
        }
    }
}

fn play(players: usize, pairing: &str) -> Duration {
    let place = tempfile::tempdir().expect("a directory");
    let entry = |number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p{number}\"\n");
    let text = format!(
        "[swiss]\nrounds = {ROUNDS}\npairing = \"{pairing}\"\n[mini_match]\ngames = 1\n{}",
        (1..=players).map(entry).collect::<String>()
    );
    let event = EventFile::parse(&place.path().join("event.toml"), &text).expect("an event");
    let host = Box::new(ScriptedHost::new(by_numbers).with_slots(8));
    let begin = Instant::now();
    let run = Run::create(event, &place.path().join("run"), host, &mut |_| {}).expect("a run");
    let played = run.play(&mut []).expect("it is played");
    assert_eq!(played.ended, Ended::Complete);
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
