//! The speed of a machine under full load: the positions per second that each game has while all are played at once.
//!
//! Engines walk through positions and look into tables too large for any cache; so does this. May not: judge the
//! result.

use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

use swissmatch_host::threads;

/// The length of a measurement, and how many there are. The best counts, because anything else that the machine does
/// only slows it down.
const ROUND: Duration = Duration::from_millis(150);
const ROUNDS: usize = 6;
/// The number of words in the table that each thread looks into, 8 MiB.
const WORDS: usize = 1 << 20;
/// Plies after which a walk begins anew.
const PLIES: usize = 80;
/// Fixed, so that the walk is the same everywhere.
const SEED: u64 = 0x5377_6973_734d_6174;

/// Positions per second of each of `threads` threads running at once.
///
/// # Errors
/// The machine cannot start that many threads.
pub(crate) fn measure(threads: usize) -> io::Result<u64> {
    let threads = threads.max(1);
    // The first round also builds tables.
    let begun = Instant::now();
    let walked = std::thread::scope(|scope| {
        let started: io::Result<Vec<_>> = (0..threads).map(|_| threads::start_in(scope, || walk(begun))).collect();
        let joined = started?.into_iter().map(|thread| thread.join().unwrap_or([0; ROUNDS]));
        Ok::<_, io::Error>(joined.collect::<Vec<_>>())
    })?;
    let of_round = |round: usize| walked.iter().map(|walked| walked[round]).sum::<u64>();
    let best = (1..ROUNDS).map(of_round).max().unwrap_or(0);
    let in_a_second = best * 1000 / u64::try_from(ROUND.as_millis()).unwrap_or(1000);
    Ok(in_a_second / threads as u64)
}

/// How many positions a thread walks through in each round.
fn walk(begun: Instant) -> [u64; ROUNDS] {
    let mut table = vec![0_u64; WORDS];
    let mut walked = [0; ROUNDS];
    let mut lot = SEED;
    loop {
        let mut position = Chess::default();
        for _ in 0..PLIES {
            let round = usize::try_from(begun.elapsed().as_nanos() / ROUND.as_nanos()).unwrap_or(ROUNDS);
            let Some(count) = walked.get_mut(round) else {
                black_box(&table);
                return walked;
            };
            *count += 1;
            let Zobrist64(hash) = position.zobrist_hash(EnPassantMode::Legal);
            let at = usize::try_from(hash).unwrap_or(0) % WORDS;
            table[at] = table[at].wrapping_add(hash);
            // Knuth's generator (MMIX).
            lot = lot
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let moves = position.legal_moves();
            let chosen = (lot >> 33) as usize % moves.len().max(1);
            match moves.get(chosen) {
                Some(chosen) => position.play_unchecked(*chosen),
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_walks_through_positions() {
        let alone = measure(1).expect("a thread");
        assert!(alone > 1000, "{alone} positions a second");
    }
}
