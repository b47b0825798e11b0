//! The words of the rule; places that are sure, and places that are not.

use swiss_system::pairing::history::FirstColor;
use swiss_system::score::{Points, PointsTable};
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::results::{MatchResult, PlayerResults, PlayerRound, Results, RoundFate};

use super::*;
use crate::confidence::{MiniMatch, Share, confidence};

#[test]
fn a_rule_reads_as_it_is_written() {
    for text in [
        "places 1-3 at 95%",
        "place 1 at 50%",
        "places 2-10 at 99.9%",
        "place 4 at 97.5%",
    ] {
        let places: SurePlaces = text.parse().expect("places");
        assert_eq!(places.to_string(), text);
    }
    let places: SurePlaces = "place 2 at 95.0%".parse().expect("places");
    assert_eq!((places.first, places.last, places.level), (2, 2, 950));
    for (text, why) in [
        ("", SurePlacesError::Form),
        ("places 1-3", SurePlacesError::Form),
        ("places 1–3 at 95%", SurePlacesError::Form),
        ("places 1-3 at 95", SurePlacesError::Form),
        ("places 1 at 95%", SurePlacesError::Form),
        ("place 1-3 at 95%", SurePlacesError::Form),
        ("places +1-3 at 95%", SurePlacesError::Form),
        ("top 3 at 95%", SurePlacesError::Form),
        ("places 0-3 at 95%", SurePlacesError::Places),
        ("place 0 at 95%", SurePlacesError::Places),
        ("places 3-1 at 95%", SurePlacesError::Places),
        ("places 2-2 at 95%", SurePlacesError::Places),
        ("places 1-3 at 49.9%", SurePlacesError::Level),
        ("places 1-3 at 100%", SurePlacesError::Level),
        ("places 1-3 at 95.55%", SurePlacesError::Level),
        ("places 1-3 at 4294967295%", SurePlacesError::Level),
    ] {
        assert_eq!(text.parse::<SurePlaces>(), Err(why), "{text}");
    }
}

/// Players 1, 2 and 3, each pair of whom met in a round of its own, with the half points of the first in each game
/// pair.
fn event(played: [&[i64]; 3]) -> ResampledEvent {
    let share = |halves: i64| Share {
        points: Points::halves(halves),
        ..Share::default()
    };
    let mut results = Results {
        players: vec![
            PlayerResults {
                rounds: vec![PlayerRound::absent(); 3],
                ..PlayerResults::default()
            };
            3
        ],
        submission: vec![0, 1, 2],
        lots: vec![0, 1, 2],
        names: vec![String::new(); 3],
        ..Results::default()
    };
    let mut mini_matches = Vec::new();
    let table = PointsTable::STANDARD;
    for (round, (halves, [one, other])) in played.into_iter().zip([[1, 2], [2, 3], [1, 3]]).enumerate() {
        let sum: i64 = halves.iter().sum();
        let all = 4 * i64::try_from(halves.len()).expect("few");
        for (own, opponent, points) in [(one, other, sum), (other, one, all - sum)] {
            let (result, match_points) = match (2 * points).cmp(&all) {
                std::cmp::Ordering::Greater => (MatchResult::Won, table.win),
                std::cmp::Ordering::Equal => (MatchResult::Drawn, table.draw),
                std::cmp::Ordering::Less => (MatchResult::Lost, table.loss),
            };
            let of_round = &mut results.players[own as usize - 1].rounds[round];
            of_round.fate = RoundFate::Played {
                opponent: PairingNumber(opponent),
                color: FirstColor::White,
                result,
            };
            of_round.points = match_points;
            of_round.game_points = Points::halves(points);
        }
        mini_matches.push(MiniMatch {
            round,
            players: [one, other].map(PairingNumber),
            pairs: halves
                .iter()
                .map(|&halves| [share(halves), share(4 - halves)])
                .collect(),
            rest: [Share::default(); 2],
        });
    }
    ResampledEvent {
        results,
        rules: RankingRules {
            order: vec![Criterion::from(Code::MatchPoints)],
            ..RankingRules::default()
        },
        match_points: table,
        mini_matches,
    }
}

fn sure(event: &ResampledEvent, text: &str) -> Option<Vec<(u32, u32, String)>> {
    let held = text.parse::<SurePlaces>().expect("places").sure(event, 7)?;
    let told = held
        .iter()
        .map(|held| (held.place, held.player.0, held.share.to_string()));
    Some(told.collect())
}

#[test]
fn who_won_every_game_is_sure_of_its_place() {
    let all: &[i64] = &[4, 4, 4];
    let clear = event([all, all, all]);
    let held = vec![(1, 1, "1".to_owned()), (2, 2, "1".to_owned()), (3, 3, "1".to_owned())];
    assert_eq!(sure(&clear, "places 1-3 at 99.9%"), Some(held));
    assert_eq!(sure(&clear, "place 2 at 99.9%"), Some(vec![(2, 2, "1".to_owned())]));
    assert_eq!(sure(&clear, "places 3-4 at 50%"), None, "there are three");
}

/// The share is that of `standings --confidence`, and the level is a bound that is kept.
#[test]
fn the_share_is_that_of_rank_confidence() {
    // The first beats the second by 3 pairs to 1; both beat the third.
    let close = event([&[4, 4, 4, 0], &[4, 4], &[4, 4]]);
    let first = confidence(&close, 7, SAMPLES, || ())[0].shares[0];
    assert!((0.7..0.95).contains(&first), "{first}");
    let tenths = (first * 1000.0 + 1e-6).floor() as u32;
    let text = |tenths: u32| format!("place 1 at {}.{}%", tenths / 10, tenths % 10);
    let share = Decimal::nearest(first).to_string();
    assert_eq!(sure(&close, &text(tenths)), Some(vec![(1, 1, share)]));
    assert_eq!(sure(&close, &text(tenths + 1)), None);
}

/// A place that two share has no holder, however sure it is that both have it.
#[test]
fn a_shared_place_is_not_sure() {
    let shared = event([&[2, 2], &[4, 4], &[4, 4]]);
    assert_eq!(sure(&shared, "place 1 at 50%"), None);
    assert_eq!(sure(&shared, "places 1-2 at 50%"), None);
    assert_eq!(sure(&shared, "place 3 at 99.9%"), Some(vec![(3, 3, "1".to_owned())]));
}
