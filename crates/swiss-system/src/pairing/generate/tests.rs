//! Random tournaments: what they are made of, and that they can be repeated.

use super::*;
use crate::trf;

fn made(spec: &Spec) -> Tournament {
    let made = generate(spec).expect("the spec is right");
    assert_eq!(made.stop, None);
    made.tournament
}

fn text(spec: &Spec) -> String {
    trf::write(&made(spec)).expect("the format holds it")
}

fn results(tournament: &Tournament) -> Vec<ResultCode> {
    let cells = tournament.players().flat_map(|player| &player.rounds);
    cells.filter_map(|cell| cell.result).collect()
}

fn share(tournament: &Tournament, wanted: ResultCode) -> usize {
    let results = results(tournament);
    results.iter().filter(|&&result| result == wanted).count() * 1000 / results.len()
}

#[test]
fn a_rate_is_a_percentage_with_a_decimal() {
    for (text, thousandths) in [
        ("0", 0),
        ("30", 300),
        ("2.5", 25),
        ("2.5%", 25),
        ("100", 1000),
        ("100.0", 1000),
    ] {
        assert_eq!(text.parse(), Ok(Rate::per_mille(thousandths)), "{text}");
    }
    for text in ["", "%", "101", "100.1", "-1", "2.55", "2.", ".5", "1e1", "ten", "1 %"] {
        assert_eq!(text.parse::<Rate>(), Err(ParseRateError(text.to_owned())));
    }
    assert_eq!(Rate::per_mille(25).to_string(), "2.5");
    assert_eq!(Rate::per_mille(300).to_string(), "30");
    assert_eq!(Rate::per_mille(5000).to_string(), "100");
}

/// Places of the published table.
#[test]
fn expectation_is_fides_table() {
    for (difference, percent) in [
        (0, 50),
        (3, 50),
        (4, 51),
        (100, 64),
        (200, 76),
        (400, 92),
        (735, 99),
        (736, 100),
    ] {
        assert_eq!(expectation(1000 + difference, 1000), percent, "{difference}");
        assert_eq!(expectation(1000, 1000 + difference), 100 - percent, "-{difference}");
    }
}

#[test]
fn results_follow_the_expectation_whatever_the_draws() {
    for draw in [0, 300, 1000] {
        let rates = Rates {
            draw: Rate::per_mille(draw),
            ..Rates::default()
        };
        let mut draws = Draws::new(1, "test");
        let (mut halves, mut drawn) = (0, 0);
        for _ in 0..10_000 {
            match outcome(rates, [2000, 2193], &mut draws) {
                [ResultCode::Win, ResultCode::Loss] => halves += 2,
                [ResultCode::Draw, ResultCode::Draw] => (halves, drawn) = (halves + 1, drawn + 1),
                [ResultCode::Loss, ResultCode::Win] => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(
            (4800..5200).contains(&halves),
            "25 % of 10000 are expected: {halves} halves"
        );
        // No more than half of the games can be drawn if one side scores 25 %.
        assert!((draw.min(500) * 10).abs_diff(drawn) < 200, "{draw}: {drawn} drawn");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let spec = Spec {
        rates: everything(),
        ..Spec::new(20, 7, 5)
    };
    assert_eq!(text(&spec), text(&spec));
    assert_ne!(
        text(&spec),
        text(&Spec {
            rng_seed: 6,
            ..spec.clone()
        })
    );
}

fn everything() -> Rates {
    Rates {
        draw: Rate::per_mille(300),
        forfeit: Rate::per_mille(50),
        double_forfeit: Rate::per_mille(30),
        half_point_bye: Rate::per_mille(60),
        zero_point_bye: Rate::per_mille(40),
        late_entry: Rate::per_mille(100),
        withdrawal: Rate::per_mille(100),
    }
}

#[test]
fn rates_are_kept() {
    let tournament = made(&Spec {
        rates: Rates {
            late_entry: Rate::default(),
            withdrawal: Rate::default(),
            ..everything()
        },
        ..Spec::new(400, 9, 11)
    });
    for (result, least, most) in [
        (ResultCode::HalfPointBye, 45, 75),
        (ResultCode::ZeroPointBye, 25, 55),
        (ResultCode::ForfeitWin, 12, 33),
        // Half of the one-sided ones, and the double ones.
        (ResultCode::ForfeitLoss, 35, 75),
        (ResultCode::Draw, 150, 300),
        (ResultCode::Win, 250, 400),
    ] {
        let share = share(&tournament, result);
        assert!((least..=most).contains(&share), "{result:?}: {share} of 1000");
    }
}

#[test]
fn without_rates_nobody_misses_a_round() {
    let tournament = made(&Spec::new(30, 6, 3));
    for result in results(&tournament) {
        assert!(
            matches!(result, ResultCode::Win | ResultCode::Draw | ResultCode::Loss),
            "{result:?}"
        );
    }
}

#[test]
fn late_entries_and_withdrawals_are_zero_point_byes_at_the_ends() {
    let tournament = made(&Spec {
        rates: Rates {
            late_entry: Rate::per_mille(500),
            withdrawal: Rate::per_mille(500),
            ..Rates::default()
        },
        ..Spec::new(60, 8, 4)
    });
    let (mut late, mut gone) = (0, 0);
    for player in tournament.players() {
        let played: Vec<bool> = player
            .rounds
            .iter()
            .map(|cell| cell.result != Some(ResultCode::ZeroPointBye))
            .collect();
        let first = played
            .iter()
            .position(|&played| played)
            .expect("everybody plays a round");
        let last = played
            .iter()
            .rposition(|&played| played)
            .expect("everybody plays a round");
        assert!(played[first..=last].iter().all(|&played| played), "{}", player.number);
        assert!(first < 4, "nobody enters after the middle");
        late += usize::from(first > 0);
        gone += usize::from(last < 7);
    }
    assert!((20..40).contains(&late), "{late} of 60 were late");
    assert!((20..40).contains(&gone), "{gone} of 60 left");
}

#[test]
fn everything_that_pairing_needs_stands_in_the_file() {
    let spec = Spec {
        points: [Points::whole(3), Points::ONE, Points::ZERO],
        is_baku: true,
        forbidden_pairs: 2,
        edition: DutchEdition::Of2017,
        initial_color: Some(Color::Black),
        ..Spec::new(6, 3, 1)
    };
    insta::assert_snapshot!(text(&spec), @"
    012 Random tournament 1
    062 6
    142 3
    152 B
    162  W 3.0    D 1.0    L 0.0
    192 FIDE_DUTCH_2017
    ### editions: C.04.3 2017
    001    1      Entrant 0001                      2331                             7.0    1     4 b 1     6 w 1     3 b =
    001    2      Entrant 0002                      2310                             5.0    2     3 w =     5 b =     6 b 1
    001    3      Entrant 0003                      2235                             5.0    3     2 b =     4 w 1     1 w =
    001    4      Entrant 0004                      2202                             3.0    4     1 w 0     3 b 0     5 w 1
    001    5      Entrant 0005                      2029                             1.0    6     6 b 0     2 w =     4 b 0
    001    6      Entrant 0006                      1943                             3.0    5     5 w 1     1 b 0     2 w 0
    250       3.0   1   1    1    4
    250       1.5   2   2    1    4
    260   1   3    2    4
    260   1   3    3    6
    ");
}

#[test]
fn numbers_are_in_order_of_ratings_within_bounds() {
    let spec = Spec {
        lowest_rating: 2000,
        highest_rating: 2010,
        ..Spec::new(50, 1, 9)
    };
    let ratings: Vec<u32> = made(&spec).players().filter_map(|player| player.rating).collect();
    assert!(ratings.is_sorted_by(|a, b| a >= b));
    assert_eq!((ratings[0], ratings[49]), (2010, 2000));
}

#[test]
fn a_round_without_a_pairing_ends_it() {
    let made = generate(&Spec::new(4, 5, 1)).expect("the spec is right");
    let stop = made.stop.expect("four players have three rounds");
    assert_eq!(stop.round, 4);
    assert!(
        matches!(stop.reason, NoPairingError::NoLegalPairing(_)),
        "{}",
        stop.reason
    );
    assert_eq!(file::rounds_played(&made.tournament), 3);
    assert_eq!(made.tournament.rounds(), Some(5), "the round before was not the last");
}

#[test]
fn a_round_without_players_is_no_obstacle() {
    let tournament = made(&Spec {
        rates: Rates {
            half_point_bye: Rate::per_mille(1000),
            ..Rates::default()
        },
        ..Spec::new(5, 4, 1)
    });
    assert_eq!(share(&tournament, ResultCode::HalfPointBye), 1000);
    assert_eq!(file::rounds_played(&tournament), 4);
    let alone = made(&Spec::new(1, 1, 1));
    assert_eq!(results(&alone), [ResultCode::PairingAllocatedBye]);
}

#[test]
fn impossible_numbers_are_refused() {
    let right = Spec::new(10, 3, 1);
    for (spec, said) in [
        (Spec::new(0, 3, 1), "players: 0 is not from 1 to 9999"),
        (Spec::new(10_000, 3, 1), "players: 10000 is not from 1 to 9999"),
        (Spec::new(10, 0, 1), "rounds: 0 is not from 1 to 999"),
        (
            Spec {
                lowest_rating: 2401,
                ..right.clone()
            },
            "the lowest rating: 2401 is not from 1 to 2400",
        ),
        (
            Spec {
                highest_rating: 10_000,
                ..right.clone()
            },
            "the highest rating: 10000 is not from 1 to 9999",
        ),
        (
            Spec {
                forbidden_pairs: 46,
                ..right.clone()
            },
            "forbidden pairs: 46 is not from 0 to 45",
        ),
        (
            Spec {
                points: [Points::HALF, Points::ONE, Points::ZERO],
                ..right.clone()
            },
            "a win, a draw and a loss are worth 0.5, 1 and 0: write the highest first, none below 0",
        ),
    ] {
        assert_eq!(
            generate(&spec).map_err(|error| error.to_string()).err().as_deref(),
            Some(said)
        );
    }
}
