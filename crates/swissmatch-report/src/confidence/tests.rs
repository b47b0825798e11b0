//! Rank confidence as it is shown, with shares made by hand.

use insta::assert_snapshot;

use super::super::fixture;
use super::*;
use swissmatch_game::Side;
use swissmatch_game::termination::Outcome::{BlackWins, Draw, WhiteWins};
use swissmatch_game::termination::Termination::{Checkmate, DidNotStart, Stalemate};
use swissmatch_stats::places::PlaceShares;
use swissmatch_tournament::resampled::{FixedBoard, ResampleError, resampled};

/// Shares of five players that sum up to 1 both ways.
fn places() -> Vec<PlaceShares> {
    let shares = [
        [0.9995, 0.0005, 0.0, 0.0, 0.0],
        [0.0005, 0.6, 0.2, 0.1995, 0.0],
        [0.0, 0.3, 0.4, 0.2995, 0.0005],
        [0.0, 0.0995, 0.4, 0.5, 0.0005],
        [0.0, 0.0, 0.0, 0.001, 0.999],
    ];
    shares
        .map(|shares| PlaceShares {
            shares: shares.to_vec(),
        })
        .to_vec()
}

fn shown<'a>(places: &'a [PlaceShares], fixed: &'a [FixedBoard]) -> SampledPlaces<'a> {
    SampledPlaces {
        places,
        samples: 2000,
        rng_seed: 7,
        fixed,
    }
}

#[test]
fn repeated_games_are_told_below_the_table() {
    let note = |state: &State| {
        let page = page(state, 3, &shown(&places(), &[]));
        page.notes
            .into_iter()
            .find(|note| note.starts_with("The places are less sure"))
    };
    assert_eq!(note(&fixture::over()), None);
    let all_alike = note(&fixture::with_movetexts(|_| Some("a".repeat(64)))).expect("a note");
    assert!(
        all_alike.contains(" games repeat an earlier one of the same two players"),
        "{all_alike}"
    );
}

#[test]
fn columns_say_how_sure_the_places_are() {
    let page = page(&fixture::over(), 3, &shown(&places(), &[(3, 2)]));
    let last: Vec<String> = page
        .table
        .rows
        .iter()
        .map(|row| row[row.len() - 3..].join(" | "))
        .collect();
    assert_eq!(
        last,
        [
            ">99.9 | 100 | 1",
            "<0.1 | 80.0 | 2–4",
            "0 | 70.0 | 2–4",
            "0 | 50.0 | 2–4",
            "0 | 0 | 5"
        ]
    );
    assert_snapshot!(page.notes[page.notes.len() - 2..].join("\n"), @"
    1st, top 3: how often in 2000 samples (rng_seed 7); places: 95 % of the samples. Each sample draws the game pairs of every finished mini-match anew from those played, with replacement; who met whom stays the same. Tied players share their places.
    Not drawn anew, because still being played or cut short by an engine that did not start: board 3.2.
    ");
}

#[test]
fn a_plot_has_the_share_of_each_place() {
    let plot = drawn(&fixture::over(), 3, &shown(&places(), &[]));
    assert_eq!(plot.name, "rank-confidence");
    let document = roxmltree::Document::parse(&plot.svg).expect("an SVG");
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for said in ["Rank confidence: Spring qualifier", "Alpha", "Echo", ">99", "60"] {
        assert!(texts.contains(&said), "{said}: {texts:?}");
    }
    let caption = texts.iter().any(|text| text.starts_with("n = 2,000 samples."));
    assert!(caption, "{texts:?}");
}

#[test]
fn json_has_every_share() {
    let places = places();
    let text = json(&fixture::over(), 3, &shown(&places, &[(3, 2)]));
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(json["confidence"]["samples"], 2000);
    assert_eq!(json["confidence"]["unchanged_boards"][0], "3.2");
    let second = json["players"]
        .as_array()
        .and_then(|players| players.iter().find(|player| player["pairing_number"] == 2));
    let second = &second.expect("it is listed")["confidence"];
    assert_eq!(second["top_three"], 0.8005);
    assert_eq!(
        (second["best_place"].as_u64(), second["worst_place"].as_u64()),
        (Some(2), Some(4))
    );
    assert_eq!(second["places"].as_array().map(Vec::len), Some(5));
    assert!(
        !standings::json(&fixture::over(), 3).contains("confidence"),
        "only where it was asked for"
    );
}

#[test]
fn pairs_are_two_games_of_one_opening() {
    let mates = [(WhiteWins, Checkmate), (WhiteWins, Checkmate), (BlackWins, Checkmate)];
    let last = (Draw, Stalemate);
    let (event, fixed) =
        resampled(&fixture::one_board(4, &[mates[0], mates[1], mates[2], last]), 1).expect("two pairs");
    assert_eq!((event.mini_matches.len(), fixed.len()), (1, 0));
    let points = |pair: &[swissmatch_stats::confidence::Share; 2]| pair.map(|share| share.points.to_string());
    let pairs: Vec<[String; 2]> = event.mini_matches[0].pairs.iter().map(points).collect();
    assert_eq!(
        pairs,
        [["1", "1"], ["0.5", "1.5"]],
        "each wins with White; Bravo with Black, and a draw"
    );
    let black = event.mini_matches[0].pairs.iter().map(|[_, bravo]| bravo.games.black);
    assert_eq!(black.map(|counts| counts.won).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(points(&event.mini_matches[0].rest), ["0", "0"]);
}

#[test]
fn forfeits_stay_beside_what_is_drawn() {
    let by_alpha = |white| DidNotStart {
        by: if white { Side::White } else { Side::Black },
    };
    let mate = (WhiteWins, Checkmate);
    let forfeits = [(BlackWins, by_alpha(true)), (WhiteWins, by_alpha(false))];
    let of = |pairs: usize| {
        let games: Vec<_> = std::iter::repeat_n([mate, mate], pairs)
            .chain(std::iter::repeat_n(forfeits, 3 - pairs))
            .flatten()
            .collect();
        fixture::one_board(6, &games)
    };
    let (event, fixed) = resampled(&of(2), 1).expect("two pairs");
    assert_eq!((event.mini_matches[0].pairs.len(), fixed.len()), (2, 0));
    assert_eq!(event.mini_matches[0].rest[1].points.to_string(), "2");

    assert_eq!(
        resampled(&of(1), 1),
        Err(ResampleError::NothingPlayed),
        "one pair, and an engine that did not start"
    );
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |state, rounds| resampled(&state, rounds).map(|_| ());
    let pairs_of = |board, pairs| Err(ResampleError::TooFewPairs { round: 1, board, pairs });
    assert_eq!(refused(fixture::over(), 3), pairs_of(1, 1));
    assert_eq!(refused(fixture::one_board(1, &[(Draw, Stalemate)]), 1), pairs_of(1, 0));
    assert_eq!(refused(fixture::created_only(), 0), Err(ResampleError::NothingPlayed));
    assert_eq!(
        refused(fixture::one_board(40, &[(Draw, Stalemate); 39]), 1),
        Err(ResampleError::NothingPlayed),
        "it is still being played"
    );
}
