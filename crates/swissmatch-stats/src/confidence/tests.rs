//! Rank confidence on small events made by hand.

use swiss_system::pairing::history::FirstColor;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::results::{ColorCounts, PlayerResults, PlayerRound};

use super::*;

const MATCH: PointsTable = PointsTable {
    win: Points::ONE,
    draw: Points::HALF,
    loss: Points::ZERO,
};

fn number(number: u32) -> PairingNumber {
    PairingNumber(number)
}

/// A game pair with this many half points of four for the first player, who has White in its first game.
fn pair(halves: i64) -> [Share; 2] {
    let share = |halves: i64| Share {
        points: Points::halves(halves),
        games: GameCounts {
            white: ColorCounts {
                won: u32::from(halves >= 3),
                drawn: u32::from((1..3).contains(&halves)),
                lost: u32::from(halves == 0),
            },
            black: ColorCounts {
                won: u32::from(halves == 4),
                drawn: u32::from(halves == 1 || halves == 3),
                lost: u32::from(halves == 0 || halves == 2),
            },
            ..GameCounts::default()
        },
    };
    [share(halves), share(4 - halves)]
}

/// An event of players 1, 2, … with mini-matches (round, the two, half points of the first in each game pair).
fn event(players: u32, rounds: usize, played: &[(usize, [u32; 2], &[i64])]) -> ResampledEvent {
    let mut results = Results {
        players: vec![
            PlayerResults {
                rounds: vec![PlayerRound::absent(); rounds],
                ..PlayerResults::default()
            };
            players as usize
        ],
        submission: (0..players).collect(),
        lots: (0..players).collect(),
        names: (1..=players).map(|number| format!("P{number}")).collect(),
        ..Results::default()
    };
    let mut mini_matches = Vec::new();
    for &(round, [one, other], halves) in played {
        for (own, opponent, color) in [(one, other, FirstColor::White), (other, one, FirstColor::Black)] {
            results.players[own as usize - 1].rounds[round].fate = RoundFate::Played {
                opponent: number(opponent),
                color,
                result: MatchResult::Drawn,
            };
        }
        mini_matches.push(MiniMatch {
            round,
            players: [number(one), number(other)],
            pairs: halves.iter().map(|&halves| pair(halves)).collect(),
            rest: [Share::default(); 2],
        });
    }
    ResampledEvent {
        results,
        rules: RankingRules {
            order: [
                Code::MatchPoints,
                Code::H2h,
                Code::ChallengeSonnebornBerger,
                Code::GamePoints,
            ]
            .map(Criterion::from)
            .to_vec(),
            ..RankingRules::default()
        },
        match_points: MATCH,
        mini_matches,
    }
}

fn shares(event: &ResampledEvent, samples: u32) -> Vec<Vec<f64>> {
    let places = confidence(event, 2026, samples, || ());
    places.into_iter().map(|places| places.shares).collect()
}

#[test]
fn who_won_every_game_is_certain() {
    let all = [4; 5];
    let event = event(3, 3, &[(0, [1, 2], &all), (1, [2, 3], &all), (2, [1, 3], &all)]);
    assert_eq!(shares(&event, 200), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
}

/// The first has won 3 pairs of 4 and lost 1: it draws 4 of them, and is ahead with 3 or 4 wins, level with 2.
/// 4 wins: (3/4)^4 = 81/256; 3: 4 · 27/256 = 108/256; 2: 6 · 9/256 = 54/256, all of them shared.
#[test]
fn shares_are_those_of_the_binomial_distribution() {
    let event = event(2, 1, &[(0, [1, 2], &[4, 4, 4, 0])]);
    let first = shares(&event, 40_000)[0][0];
    let expected = (81.0 + 108.0 + 54.0 / 2.0) / 256.0;
    assert!((first - expected).abs() < 0.01, "{first} beside {expected}");
}

#[test]
fn the_alike_share_the_places() {
    let even = [4, 0, 2, 2, 3, 1];
    let event = event(
        4,
        2,
        &[
            (0, [1, 2], &even),
            (0, [3, 4], &even),
            (1, [1, 3], &even),
            (1, [2, 4], &even),
        ],
    );
    for shares in shares(&event, 20_000) {
        assert!(shares.iter().all(|share| (share - 0.25).abs() < 0.02), "{shares:?}");
    }
}

#[test]
fn what_is_not_drawn_anew_stays_as_it_was() {
    let mut event = event(3, 2, &[(0, [1, 2], &[4, 0, 4])]);
    event.results.players[2].rounds[1] = PlayerRound::bye(
        swiss_system::standings::results::Bye::FullPoint,
        Points::whole(5),
        Points::ZERO,
    );
    assert_eq!(shares(&event, 100)[2], [1.0, 0.0, 0.0]);

    event.mini_matches[0].rest[1].points = Points::whole(7);
    event.results.players[2].rounds[1].points = Points::ZERO;
    assert_eq!(
        shares(&event, 100)[1],
        [1.0, 0.0, 0.0],
        "six points of games cannot beat seven of forfeits"
    );
}

#[test]
fn the_same_seed_gives_the_same_shares_on_1_and_4_threads() {
    let event = event(
        4,
        2,
        &[
            (0, [1, 2], &[4, 0, 3]),
            (0, [3, 4], &[1, 2, 4]),
            (1, [1, 3], &[0, 3, 4]),
            (1, [2, 4], &[4, 1]),
        ],
    );
    let [one, four] = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| shares(&event, 500))
    });
    assert_eq!(one, four);
    let other_seed: Vec<Vec<f64>> = confidence(&event, 2027, 500, || ())
        .into_iter()
        .map(|places| places.shares)
        .collect();
    assert_ne!(one, other_seed);
}
