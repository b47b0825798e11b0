//! How fast the standings are computed with every tie-break there is: every code, with every cut, and every way to take it,
//! by each edition. `make bench-standings`; `LARGEST=N` leaves out fields above N.
//!
//! Bar: 10,000 players after 11 rounds in less than 100 ms, every tie-break of one edition. The best of several
//! runs is printed, because other work on the machine only ever adds.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::time::Duration;
use std::time::Instant;

use swiss_system::lot::Draws;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::RankingRules;
use swiss_system::standings::criterion::Code;
use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::rank;
use swiss_system::standings::results::Bye;
use swiss_system::standings::results::ColorCounts;
use swiss_system::standings::results::GameCounts;
use swiss_system::standings::results::MatchResult;
use swiss_system::standings::results::PlayerResults;
use swiss_system::standings::results::PlayerRound;
use swiss_system::standings::results::Results;
use swiss_system::standings::results::RoundFate;
use swiss_system::standings::unplayed::TieBreakEdition;

const ROUNDS: usize = 11;
const EDITIONS: [(TieBreakEdition, &str); 4] = [
    (TieBreakEdition::Of2026, "2026"),
    (TieBreakEdition::Of2024, "2024"),
    (TieBreakEdition::Of2022, "2022"),
    (TieBreakEdition::PlayedOnly, "played-only"),
];

fn main() {
    let largest = std::env::var("LARGEST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100_000);
    let all = every_criterion();
    let once: Vec<Criterion> = Code::all().map(Criterion::from).collect();
    println!(
        "standings after {ROUNDS} rounds: milliseconds, best of several, by each of the {} tie-breaks as it is, and by all {} \
         ways to take them",
        once.len(),
        all.len()
    );
    for players in [1000, 10_000, 100_000]
        .into_iter()
        .filter(|&players| players <= largest)
    {
        let results = tournament(players);
        for (edition, name) in EDITIONS {
            let [once, all] = [&once, &all].map(|criteria| best(&results, criteria, edition).as_secs_f64() * 1000.0);
            println!("{players:>7} players, {name:<12}{once:>9.1}{all:>9.1}");
        }
    }
    let results = tournament(10_000.min(largest));
    println!(
        "the dearest alone (with the totals that all share), edition 2026, {} players:",
        results.players.len()
    );
    let each = all
        .iter()
        .map(|&criterion| (best(&results, &[criterion], TieBreakEdition::Of2026), criterion));
    let mut each: Vec<_> = each.collect();
    each.sort_by_key(|&(took, _)| std::cmp::Reverse(took));
    for (took, criterion) in each.iter().take(12) {
        println!("{:>9.1} ms  {criterion}", took.as_secs_f64() * 1000.0);
    }
}

/// Every code as it is and with every modifier, points first and then the encounters, which so are of large groups.
fn every_criterion() -> Vec<Criterion> {
    let mut all: Vec<Criterion> = Vec::new();
    let first = Code::all()
        .filter(|code| code.is_points())
        .chain(Code::all().filter(|code| code.is_stage()));
    for code in first.chain(Code::all()) {
        for modifier in ["", "/C1", "/C2", "/M1", "/M2", "/P", ":GP", ":GP/C1", "/F", "/L1", "/R"] {
            let criterion = format!("{}{modifier}", code.name()).parse();
            all.extend(criterion.ok().filter(|criterion| !all.contains(criterion)));
        }
    }
    all
}

/// The least that it took.
fn best(results: &Results, criteria: &[Criterion], edition: TieBreakEdition) -> Duration {
    let rules = RankingRules {
        order: criteria.to_vec(),
        edition,
        ..RankingRules::default()
    };
    let took = (0..7).map(|_| {
        let start = Instant::now();
        let standings = rank(results, &rules);
        let took = start.elapsed();
        assert_eq!(standings.rows.len(), results.players.len());
        took
    });
    took.min().expect("several")
}

/// Neighbours by points meet; of a hundred rounds four are forfeits and four byes.
fn tournament(players: usize) -> Results {
    let draws = &mut Draws::new(players as u64, "benchmark");
    let mut results = Results {
        players: vec![PlayerResults::default(); players],
        submission: (0..).take(players).collect(),
        lots: (0..).take(players).collect(),
        names: (0..players).map(|player| format!("P{player}")).collect(),
        ..Results::default()
    };
    for player in &mut results.players {
        player.ratings = vec![1400 + draws.below(1000) as i32];
    }
    let mut points = vec![Points::ZERO; players];
    for _ in 0..ROUNDS {
        let mut order: Vec<(Points, u64, usize)> = points
            .iter()
            .enumerate()
            .map(|(player, &points)| (points, draws.below(1 << 40), player))
            .collect();
        order.sort_unstable();
        let mut of_round = vec![PlayerRound::bye(Bye::PairingAllocated, Points::ONE, Points::ONE); players];
        for pair in order.chunks_exact(2) {
            let (one, other) = (pair[0].2, pair[1].2);
            let lot = draws.below(100);
            for (player, opponent, color) in [(one, other, FirstColor::White), (other, one, FirstColor::Black)] {
                of_round[player] = side(lot, opponent, color);
            }
        }
        for (player, round) in of_round.into_iter().enumerate() {
            points[player] += round.points;
            results.players[player].rounds.push(round);
        }
    }
    results
}

/// One side of a pairing, by its lot from 0 to 99.
fn side(lot: u64, opponent: usize, color: FirstColor) -> PlayerRound {
    let opponent = PairingNumber::from_index(opponent);
    let is_white = color == FirstColor::White;
    if lot < 4 {
        return PlayerRound::bye(Bye::HalfPoint, Points::HALF, Points::HALF);
    }
    let result = match lot {
        70.. => MatchResult::Drawn,
        _ if lot.is_multiple_of(2) == is_white => MatchResult::Won,
        _ => MatchResult::Lost,
    };
    let points = match result {
        MatchResult::Won => Points::ONE,
        MatchResult::Drawn => Points::HALF,
        MatchResult::Lost => Points::ZERO,
    };
    let fate = if lot < 8 {
        RoundFate::Forfeit {
            opponent: Some(opponent),
            result,
        }
    } else {
        RoundFate::Played {
            opponent,
            color,
            result,
        }
    };
    let mut games = GameCounts::default();
    if lot >= 8 {
        let counts = ColorCounts {
            won: u32::from(result == MatchResult::Won),
            drawn: u32::from(result == MatchResult::Drawn),
            lost: u32::from(result == MatchResult::Lost),
        };
        *(if is_white { &mut games.white } else { &mut games.black }) = counts;
    }
    PlayerRound {
        fate,
        points,
        game_points: points,
        games,
        repeat: false,
        sat_out: false,
    }
}
