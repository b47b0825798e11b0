//! How fast rounds are paired, and how that grows with the field: generated tournaments of nine rounds, in memory. The Dutch
//! system (edition 2026) and `match-points`. `make bench-pairing`; `LARGEST=N` leaves out fields above N.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::time::Instant;

use swiss_system::lot::Draws;
use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::pairing::history::{Encounter, FirstColor, History, PastPlayer, PastRound, RoundPairing};
use swiss_system::pairing::{dutch, match_points};
use swiss_system::score::Points;

/// The round that is measured, of so many.
const ROUND: usize = 6;
const ROUNDS: u32 = 9;

fn main() {
    let largest: usize = std::env::var("LARGEST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000);
    let match_points = match_points::MatchPointsRules {
        bye_order: vec![ByeCriterion::FewestByes, ByeCriterion::LowestMatchPoints],
    };
    grow("match-points", &[100, 200, 500, 1000, 2000, 5000], largest, |history| {
        match_points::pair(history, &match_points).expect("whoever is present can be paired")
    });
    let dutch = dutch::rules::DutchRules {
        rounds: ROUNDS,
        ..dutch::rules::DutchRules::default()
    };
    let fields = [100, 200, 500, 1000, 2000, 5000, 10_000];
    grow("Dutch system", &fields, largest, |history| {
        dutch::pair(history, &dutch).expect("a large field can be paired")
    });
}

/// Measures a system with fields of these sizes.
fn grow(system: &str, fields: &[usize], largest: usize, pair: impl Fn(&History) -> RoundPairing) {
    println!("{system}, round {ROUND}: seconds, and how they grow with the field (the exponent between two lines)");
    let mut before: Option<(usize, f64)> = None;
    for &players in fields.iter().filter(|&&players| players <= largest) {
        let (measured, slowest) = measure(players, &pair);
        let growth = before.map(|(fewer, less)| (measured / less).ln() / (players as f64 / fewer as f64).ln());
        let growth = growth.map_or(String::new(), |growth| format!("   growth n^{growth:.1}"));
        println!("{players:>6} players: {measured:>8.4} s   slowest of rounds 1 to {ROUNDS}: {slowest:>8.4} s{growth}");
        before = Some((players, measured));
    }
    println!("peak memory so far: {} kB", peak_kb());
}

/// Seconds for round [`ROUND`] and for the slowest round.
fn measure(players: usize, pair: impl Fn(&History) -> RoundPairing) -> (f64, f64) {
    let mut draws = Draws::new(players as u64, "benchmark");
    let mut history = History {
        players: vec![
            PastPlayer {
                present: true,
                ..PastPlayer::default()
            };
            players
        ],
        ..History::default()
    };
    let (mut measured, mut slowest) = (0.0, 0.0_f64);
    for round in 1..=ROUNDS as usize {
        let start = Instant::now();
        let pairing = pair(&history);
        let seconds = start.elapsed().as_secs_f64();
        slowest = slowest.max(seconds);
        if round == ROUND {
            measured = seconds;
        }
        let mut had: Vec<PastRound> = vec![Encounter::PairingAllocatedBye.worth(Points::ONE); players];
        for pair in &pairing.pairs {
            // Three draws in ten, and White wins as often as Black.
            let white = match draws.below(20) {
                0..6 => Points::HALF,
                6..13 => Points::ONE,
                _ => Points::ZERO,
            };
            let met = |opponent, color| Encounter::Met { opponent, color };
            had[pair.white.index()] = met(pair.black, FirstColor::White).worth(white);
            had[pair.black.index()] = met(pair.white, FirstColor::Black).worth(Points::ONE - white);
        }
        for (player, round) in history.players.iter_mut().zip(had) {
            player.points += round.points;
            player.rounds.push(round);
        }
    }
    (measured, slowest)
}

/// The process's greatest resident size so far.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
