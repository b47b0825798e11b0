//! How long a fit of a million games of a thousand players takes: as game pairs of everybody with everybody, as a Swiss of long
//! mini-matches, and as games without pairs. `make bench-ratings`; `PLAYERS=N` changes how many there are.
//!
//! Bar: 2 s for a thousand players. The best of several runs is printed, because other work on the machine only ever adds.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::time::Instant;

use swiss_system::lot::Draws;
use swissmatch::stats::rating::games::{GamePairs, Meeting, RatedGames};
use swissmatch::stats::rating::{Options, fit};

const GAMES: usize = 1_000_000;
/// Game pairs of a mini-match of a Swiss.
const PAIRS: usize = 20;
const RUNS: usize = 5;

fn main() {
    let players: usize = std::env::var("PLAYERS")
        .ok()
        .and_then(|players| players.parse().ok())
        .unwrap_or(1000);
    println!("ratings of {players} players from {GAMES} games; best of {RUNS}");
    let draws = &mut Draws::new(1, "benchmark");
    // From −400 to 400 Elo.
    let strengths: Vec<f64> = (0..players).map(|_| draws.below(801) as f64 - 400.0).collect();
    let everybody = (0..players).flat_map(|one| (0..one).map(move |other| [other, one]));
    let everybody: Vec<[usize; 2]> = everybody.collect();
    let neighbours = |number: usize| {
        let one = number % players;
        [one, (one + 1 + number / players) % players]
    };
    let swiss: Vec<[usize; 2]> = (0..GAMES / 2 / PAIRS).map(neighbours).collect();

    let of_everybody = everybody.iter().cycle().take(GAMES / 2);
    let pairs = |met: &mut dyn Iterator<Item = &[usize; 2]>, of_each: usize, draws: &mut Draws| {
        let rows = met.map(|&players| {
            let mut row = GamePairs {
                players,
                ..GamePairs::default()
            };
            for _ in 0..of_each {
                let [one, other] = players.map(|player| strengths[player]);
                let as_white = result(one - other, draws);
                let as_black = 2 - result(other - one, draws);
                row.counts[as_white][as_black] += 1;
            }
            row
        });
        RatedGames {
            players,
            single: Vec::new(),
            pairs: rows.collect(),
        }
    };
    let singles = everybody.iter().cycle().take(GAMES).enumerate().map(|(number, &both)| {
        let [white, black] = if number % 2 == 0 { both } else { [both[1], both[0]] };
        let mut counts = [0; 3];
        counts[result(strengths[white] - strengths[black], draws)] = 1;
        let [wins, draws, losses] = counts;
        Meeting {
            white,
            black,
            wins,
            draws,
            losses,
        }
    });
    let singles = RatedGames {
        players,
        single: singles.collect(),
        pairs: Vec::new(),
    };
    measure(
        "game pairs, everybody with everybody",
        &pairs(&mut of_everybody.into_iter(), 1, draws),
    );
    measure(
        "game pairs, a Swiss of mini-matches of 40",
        &pairs(&mut swiss.iter(), PAIRS, draws),
    );
    measure("games without pairs", &singles);
}

fn measure(what: &str, games: &RatedGames) {
    let options = Options::default();
    let took = (0..RUNS).map(|_| {
        let begun = Instant::now();
        let fit = fit(games, &options).expect("there is a maximum");
        let took = begun.elapsed().as_secs_f64();
        assert!(fit.superiority(0, 1).is_some());
        took
    });
    let took = took.min_by(f64::total_cmp).expect("several");
    println!("{what:<42}{:>6.0} ms", took * 1000.0);
}

/// White's result by chance, 0 won, 1 drawn, 2 lost, where White is so many Elo better: with an advantage of 30 and 40 draws of 100
/// between equals, by Davidson's model.
fn result(better: f64, draws: &mut Draws) -> usize {
    let win = 10_f64.powf((better + 30.0) / 800.0);
    let draw = 4.0 / 3.0;
    let drawn = draws.below(1 << 30) as f64 / f64::from(1 << 30) * (win + draw + 1.0 / win);
    if drawn < win {
        0
    } else if drawn < win + draw {
        1
    } else {
        2
    }
}
