//! Simulated events with known answers.

use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::pairing::dutch::rules::{ColorRule, baku};
use swiss_system::pairing::history::{History, PairingNumber, PastPlayer, RoundPairing};
use swiss_system::pairing::{dutch, match_points, round_robin};
use swiss_system::score::{Points, PointsTable};
use swiss_system::standings::RankingRules;
use swiss_system::standings::bye::ByePoints;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::results::{PlayerResults, Results};

use super::*;
use swiss_system::pairing::system::PairingRules;

use crate::simulate::Pairing;
use crate::simulate::stopping::StopRule;
use crate::stop::StopReason;

const TABLE: PointsTable = PointsTable {
    win: Points::ONE,
    draw: Points::HALF,
    loss: Points::ZERO,
};

fn event(players: u32, pairing: Pairing) -> Event {
    let field = (0..players).map(|submission| PastPlayer {
        present: true,
        submission,
        ..PastPlayer::default()
    });
    Event {
        pairing,
        history: History {
            players: field.collect(),
            ..History::default()
        },
        results: Results {
            players: vec![PlayerResults::default(); players as usize],
            names: vec![String::new(); players as usize],
            ..Results::default()
        },
        rules: RankingRules {
            order: [Code::MatchPoints, Code::H2h, Code::Buchholz, Code::SonnebornBerger]
                .map(Criterion::from)
                .to_vec(),
            ..RankingRules::default()
        },
        game: TABLE,
        match_points: TABLE,
        bye: ByePoints {
            match_points: Points::ONE,
            game_points: Some(Points::ONE),
            match_won: Points::ONE,
            game_won: Points::ONE,
        },
        bye_again: None,
    }
}

fn match_points() -> Pairing {
    let rules = match_points::MatchPointsRules {
        bye_order: vec![
            ByeCriterion::FewestByes,
            ByeCriterion::LowestMatchPoints,
            ByeCriterion::WorstPreviousPlace,
            ByeCriterion::EarliestSubmission,
        ],
    };
    Pairing::Swiss(
        (1..=20)
            .map(|rounds| (rounds, PairingRules::MatchPoints(rules.clone())))
            .collect(),
    )
}

fn dutch(players: usize, rounds: &[u32], color: ColorRule, accelerated: bool) -> Pairing {
    let rules = |&rounds: &u32| {
        let virtual_points = if accelerated {
            baku(players, rounds, Points::ONE)
        } else {
            Vec::new()
        };
        let rules = dutch::rules::DutchRules {
            color,
            rounds,
            virtual_points,
            ..dutch::rules::DutchRules::default()
        };
        (rounds, PairingRules::Dutch(rules))
    };
    Pairing::Swiss(rounds.iter().map(rules).collect())
}

fn drawn(spread: f64) -> StrengthAssumptions {
    StrengthAssumptions {
        strengths: Strengths::Drawn { spread, rated: 0 },
        rating_error: 0.0,
        draws: 0.3,
    }
}

fn run(event: &Event, assumed: &StrengthAssumptions, games: u32, rounds: &[u32], events: u32) -> Vec<SimulatedLength> {
    simulate(event, assumed, (games, rounds), 2026, events, || ())
}

#[test]
fn with_a_huge_spread_the_best_win_in_their_order() {
    let with_free_rounds = round_robin::berger(7)
        .into_iter()
        .map(|round| RoundPairing::new(round.pairs, None));
    for pairing in [
        match_points(),
        Pairing::Table(round_robin::berger(7)),
        Pairing::Table(with_free_rounds.collect()),
    ] {
        let found = run(&event(7, pairing), &drawn(100_000.0), 4, &[7], 200)[0];
        assert_eq!((found.events, found.unpaired), (200, 0));
        assert!(found.best_wins >= 198 && found.in_order >= 195, "{found:?}");
    }
}

#[test]
fn equals_share_the_wins() {
    let known = StrengthAssumptions {
        strengths: Strengths::Known(vec![0.001, 0.0, 0.0, 0.0]),
        ..drawn(0.0)
    };
    let all_play_all = event(4, Pairing::Table(round_robin::berger(4)));
    let found = run(&all_play_all, &known, 2, &[3], 4000)[0];
    assert!((900..1100).contains(&found.best_wins), "{found:?}");
    assert!(
        (2870..3130).contains(&found.top_three),
        "the three others are equals: {found:?}"
    );
}

#[test]
fn more_games_and_more_rounds_tell_more() {
    let event = event(16, match_points());
    let by_games: Vec<u32> = [2, 10, 40]
        .map(|games| run(&event, &drawn(100.0), games, &[6], 400)[0].best_wins)
        .to_vec();
    assert!(by_games.is_sorted() && by_games[2] > by_games[0] + 40, "{by_games:?}");
    let by_rounds: Vec<u32> = run(&event, &drawn(100.0), 4, &[2, 5, 9], 400)
        .iter()
        .map(|found| found.best_wins)
        .collect();
    assert!(
        by_rounds.is_sorted() && by_rounds[2] > by_rounds[0] + 20,
        "{by_rounds:?}"
    );
}

#[test]
fn the_same_seed_gives_the_same_counts_on_1_and_4_threads() {
    let event = event(9, match_points());
    let [one, four] = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| run(&event, &drawn(200.0), 6, &[2, 3, 4], 100))
    });
    assert_eq!(one, four);
    assert_ne!(one, simulate(&event, &drawn(200.0), (6, &[2, 3, 4]), 2027, 100, || ()));
}

/// One event looked at after each number of rounds gives the same as events of these lengths, each played alone.
#[test]
fn looking_in_between_changes_nothing() {
    let lengths = [3, 4, 5];
    let systems = [
        match_points(),
        dutch(12, &lengths, ColorRule::FirstGame, false),
        dutch(12, &lengths, ColorRule::Ignore, false),
        dutch(12, &lengths, ColorRule::FirstGame, true),
    ];
    for system in systems {
        let event = event(12, system);
        let together = run(&event, &drawn(150.0), 2, &lengths, 60);
        let alone = lengths.map(|rounds| run(&event, &drawn(150.0), 2, &[rounds], 60)[0]);
        assert_eq!(together, alone);
    }
}

#[test]
fn rounds_that_cannot_be_paired_are_counted_apart() {
    let mut event = event(2, match_points());
    event.history.forbidden = vec![(PairingNumber(1), PairingNumber(2))];
    let found = run(&event, &drawn(200.0), 2, &[1], 10)[0];
    assert_eq!((found.events, found.unpaired, found.best_wins), (0, 10, 0));

    let two = dutch(2, &[1, 2], ColorRule::Ignore, false);
    let found = run(&super::tests::event(2, two), &drawn(200.0), 2, &[1, 2], 10);
    assert_eq!((found[0].events, found[1].unpaired), (10, 10), "nobody meets twice");
}

#[test]
fn seeding_by_rating_is_as_good_as_the_ratings() {
    let order = |rating_error: f64, rated: usize| {
        let assumed = StrengthAssumptions {
            strengths: Strengths::Drawn { spread: 200.0, rated },
            rating_error,
            draws: 0.3,
        };
        strengths(&assumed, 50, &mut stream(1, "test", 0))
    };
    let falls = |strengths: &[f64]| strengths.windows(2).filter(|two| two[0] < two[1]).count();
    assert_eq!(falls(&order(0.0, 50)), 0);
    assert_eq!(falls(&order(0.0, 20)[..20]), 0);
    assert!(falls(&order(0.0, 20)[20..]) > 5);
    let noisy = falls(&order(200.0, 50));
    assert!((5..25).contains(&noisy), "{noisy}");
    let spread = |strengths: &[f64]| (strengths.iter().map(|s| s * s).sum::<f64>() / 50.0).sqrt();
    assert!((spread(&order(0.0, 0)) - 200.0).abs() < 60.0);
}

/// A rule applies from its round on; with a huge spread it ends with the right places, and a bound ends the rest.
#[test]
fn a_rule_ends_events_early() {
    let event = event(8, match_points());
    let rule = |places: Option<&str>, from_round, bound| StopRule {
        cycle: 1,
        rounds: 7,
        places: places.map(|text| text.parse().expect("places")),
        from_round,
        bound,
    };
    let run = |rule: &StopRule, spread: f64| stopping::simulate(&event, &drawn(spread), rule, 20, (2026, 60), || ());
    let never = run(&rule(None, 1, None), 200.0);
    assert_eq!(never.by_rounds.keys().collect::<Vec<_>>(), [&7]);
    assert_eq!((never.all().last_round, never.rounds()), (60, Some((7.0, 0.0))));

    let clear = run(&rule(Some("place 1 at 95%"), 3, None), 1e6);
    let all = clear.all();
    assert_eq!((all.events(), all.right, all.sure), (60, 60, all.sure_and_right));
    assert!(all.sure >= 50, "{clear:?}");
    assert!(clear.by_rounds.keys().all(|rounds| *rounds >= 3), "{clear:?}");

    let hard = rule(Some("places 1-3 at 95%"), 3, Some((5, StopReason::Games)));
    let hard_stops = run(&hard, 30.0);
    let all = hard_stops.all();
    assert_eq!((all.events(), all.last_round, all.time), (60, 0, 0));
    assert!(all.games >= 40, "{hard_stops:?}");
    assert_eq!(hard_stops.by_rounds.keys().max(), Some(&5));
    let alone = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    assert_eq!(alone.install(|| run(&hard, 30.0)), hard_stops);
}
