//! Numbers that rules and others have worked out by hand, by the product and by the wording.

use serde::Deserialize;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::RankingRules;
use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::rank;
use swiss_system::standings::results::Bye;
use swiss_system::standings::results::GameCounts;
use swiss_system::standings::results::MatchResult;
use swiss_system::standings::results::PlayerResults;
use swiss_system::standings::results::PlayerRound;
use swiss_system::standings::results::Results;
use swiss_system::standings::results::RoundFate;

use super::literal;
use super::literal::Name;
use super::literal::fraction::Fraction;
use super::literal::view::View;

/// One round as crosstables write it: `W`, `D`, `L` against somebody; `B` full-point bye, `X` won by forfeit, `H` half-point
/// bye, `Z` lost by forfeit, `U` unplayed.
fn round(letter: char, opponent: u32) -> PlayerRound {
    let opponent = PairingNumber(opponent);
    let played = |result| RoundFate::Played {
        opponent,
        color: FirstColor::White,
        result,
    };
    let forfeit = |result| RoundFate::Forfeit {
        opponent: Some(opponent),
        result,
    };
    let (fate, points) = match letter {
        'W' => (played(MatchResult::Won), Points::ONE),
        'D' => (played(MatchResult::Drawn), Points::HALF),
        'L' => (played(MatchResult::Lost), Points::ZERO),
        'B' => (RoundFate::Bye(Bye::FullPoint), Points::ONE),
        'H' => (RoundFate::Bye(Bye::HalfPoint), Points::HALF),
        'U' => (RoundFate::Bye(Bye::ZeroPoint), Points::ZERO),
        'X' => (forfeit(MatchResult::Won), Points::ONE),
        'Z' => (forfeit(MatchResult::Lost), Points::ZERO),
        other => panic!("{other} is no round"),
    };
    PlayerRound {
        fate,
        points,
        game_points: points,
        games: GameCounts::default(),
        repeat: false,
        sat_out: false,
    }
}

/// A field: each row the rounds of one player and whom they were against, from 1. The last player, who is added, is the
/// sparring partner of whoever has nobody else.
fn field(rows: &[Vec<(char, u32)>]) -> Results {
    let mut players: Vec<PlayerResults> = Vec::new();
    for row in rows {
        players.push(PlayerResults {
            rounds: row.iter().map(|&(letter, opponent)| round(letter, opponent)).collect(),
            ..PlayerResults::default()
        });
    }
    let rounds = rows.iter().map(Vec::len).max().unwrap_or(0);
    players.push(PlayerResults {
        rounds: vec![PlayerRound::absent(); rounds],
        ..PlayerResults::default()
    });
    Results {
        submission: (0..).take(players.len()).collect(),
        lots: (0..).take(players.len()).collect(),
        names: (1..=players.len()).map(|player| format!("P{player}")).collect(),
        players,
        ..Results::default()
    }
}

/// The rounds of one player against the sparring partner.
fn alone(letters: &str) -> Results {
    field(&[letters.chars().map(|letter| (letter, 2)).collect()])
}

/// The rounds of player 1 against somebody of whom the rounds against others are known; all others spar.
fn against(own: &str, opponents: &[&str]) -> Results {
    let sparring = u32::try_from(opponents.len() + 2).expect("few");
    let mut rows = vec![own.chars().zip(2..).collect()];
    for (number, opponent) in opponents.iter().enumerate() {
        let with = |round| if round == number { 1 } else { sparring };
        rows.push(
            opponent
                .chars()
                .enumerate()
                .map(|(round, letter)| (letter, with(round)))
                .collect(),
        );
    }
    field(&rows)
}

/// Checks what player 1 has by a criterion, by the product and by the wording.
fn check(results: &Results, criterion: &str, expected: &str) {
    let order: Vec<Criterion> = vec![criterion.parse().expect("a criterion")];
    let rules = RankingRules {
        order,
        ..RankingRules::default()
    };
    let standings = rank(results, &rules);
    let row = standings
        .rows
        .iter()
        .find(|row| row.player == PairingNumber(1))
        .expect("listed");
    let value = row.cells[0].value.expect("defined");
    assert_eq!(value.exact(), expected, "{criterion}");
    let view = View::new(results, &rules);
    let by_the_text = literal::value(&view, &Name::of(criterion), 0);
    assert_eq!(by_the_text, Some(Fraction::from(value)), "{criterion} by the wording");
}

/// Rounds of an opponent who lost (or won) the round against the player and has so many points of five after all.
fn opponent(round: usize, lost: bool, points: usize) -> String {
    let mut letters = vec!['L'; 5];
    letters[round] = if lost { 'L' } else { 'W' };
    let mut missing = points - usize::from(!lost);
    for (other, letter) in letters.iter_mut().enumerate() {
        if other != round && missing > 0 {
            *letter = 'W';
            missing -= 1;
        }
    }
    assert_eq!(missing, 0, "so many points can be had");
    letters.into_iter().collect()
}

/// Four wins and one loss, against opponents who have so many points: the one with 5 won.
fn four_of_five(points: [usize; 5]) -> Results {
    let lost: Vec<bool> = points.iter().map(|&points| points != 5).collect();
    let own: String = lost.iter().map(|&lost| if lost { 'W' } else { 'L' }).collect();
    let rounds = points.iter().zip(&lost).enumerate();
    let opponents: Vec<String> = rounds
        .map(|(round, (&points, &lost))| opponent(round, lost, points))
        .collect();
    let opponents: Vec<&str> = opponents.iter().map(String::as_str).collect();
    against(&own, &opponents)
}

#[test]
fn the_two_players_of_the_wintd_manual() {
    for (opponents, solkoff, modified_median) in [([0, 3, 3, 4, 5], "15", "15"), ([3, 2, 5, 3, 3], "16", "14")] {
        let results = four_of_five(opponents);
        check(&results, "PTS", "4");
        check(&results, "solkoff", solkoff);
        check(&results, "modified-median", modified_median);
    }
}

#[test]
fn running_scores_that_others_have_printed() {
    for (rounds, expected, source) in [
        ("BWLDW", "10", "renaissanceknights.org, michess.org"),
        ("WLWDL", "9", "americanchess.net; the rules"),
        ("WLWHL", "8.5", "Wikipedia: the draw a half-point bye"),
        ("WWDLL", "10.5", "Wikipedia; the rules"),
        ("WWLLW", "10", "scichess.org"),
        ("LLWWW", "6", "scichess.org"),
        ("WWWLL", "12", "forum of uschess.org"),
        ("WLWLW", "9", "forum of uschess.org"),
        // "Less 1 for each unplayed win."
        ("XWLDW", "10", "the rules"),
        ("WZWDU", "9", "the rules: nothing was won"),
    ] {
        let results = alone(rounds);
        println!("{rounds}: {source}");
        check(&results, "cumulative", expected);
    }
}

#[test]
fn a_running_score_counts_for_the_opponent() {
    // Bye, win, loss, draw, win makes 10; he met the player in round 3.
    check(
        &against("UUWUU", &["", "", "BWLDW", "", ""]),
        "cumulative-of-opposition",
        "10",
    );
}

#[test]
fn an_opponent_who_withdrew_has_half_a_point_for_each_round() {
    // "Won 1, won 1, lost 0, then withdrew with rounds 4 and 5 unplayed = 1 + 1 + 0 + 0.5 + 0.5 = 3."
    check(&against("UUWUU", &["", "", "WWLUU", "", ""]), "solkoff", "3");
    check(&against("UUWUU", &["", "", "WWLHU", "", ""]), "solkoff", "3");
    check(&against("UUWUU", &["", "", "WWLZX", "", ""]), "solkoff", "3");
}

#[test]
fn what_is_discarded_hangs_on_the_own_score() {
    // Opponents with 0, 1, 2, 3 points after four rounds; "exactly half of the maximum" discards both ends.
    let opponents = |lost: [bool; 4]| {
        let letters = ["LLLL", "LWLL", "LWLW", "WWLW"];
        let own: String = lost.iter().map(|&lost| if lost { 'L' } else { 'W' }).collect();
        against(&own, &letters)
    };
    for (lost, expected) in [
        ([false; 4], "6"),
        ([true, true, false, false], "3"),
        ([true, true, true, false], "3"),
    ] {
        check(&opponents(lost), "modified-median", expected);
        check(&opponents(lost), "median", "3");
    }
    // "The player's own unplayed rounds count as opponents with adjusted score 0 (these zeros may be what is discarded)."
    check(&against("WWWU", &["LLLL", "LLWW", "WWLL"]), "modified-median", "4");
    // "Nine rounds or more: two instead of one each time": without 0 and 1.
    let nine: Vec<String> = (0..9)
        .map(|points| "W".repeat(points) + &"L".repeat(9 - points))
        .collect();
    let nine: Vec<&str> = nine.iter().map(String::as_str).collect();
    check(&against("WWWWWWWWW", &nine), "modified-median", "35");
    check(&against("WWWWWWWWW", &nine), "median", "20");
    check(&against("LLLLLLLLL", &nine), "modified-median", "21");
}

#[test]
fn what_a_cut_takes_where_rounds_were_left_out_by_choice() {
    // Contributions: half-point bye 2 × ½ (capped at four draws), 0.5 × 1, forfeit lost 2.5 × 0, 2 × 1. The plain cut takes
    // 0.5; "the lowest contribution coming from" the voluntary rounds is 0, lower than that. The second plain cut takes 1.
    let results = field(&[
        vec![('H', 0), ('W', 2), ('Z', 3), ('W', 4)],
        vec![('D', 5), ('L', 1), ('L', 5), ('L', 5)],
        vec![('W', 5), ('W', 5), ('X', 1), ('W', 5)],
        vec![('W', 5), ('W', 5), ('L', 5), ('L', 1)],
    ]);
    for criterion in ["SB", "EMMSB", "EGGSB", "EMGSB", "EGMSB"] {
        check(&results, criterion, "3.5");
        check(&results, &format!("{criterion}/C1"), "3");
        check(&results, &format!("{criterion}/C2"), "2");
        // Then the highest-scored: the forfeit, which gave 0.
        check(&results, &format!("{criterion}/M1"), "3");
        check(&results, &format!("{criterion}/M2"), "0");
    }
}

/// One of the examples of `tests/data/us-chess`.
#[derive(Deserialize)]
struct Example {
    id: String,
    #[serde(default)]
    opponents_adjusted_scores: Vec<usize>,
    #[serde(default)]
    opponent_results: Vec<String>,
    #[serde(default)]
    results: Vec<String>,
    expected: std::collections::BTreeMap<String, serde_json::Number>,
}

#[test]
fn the_examples_of_others() {
    let text = include_str!("../../data/us-chess/examples.json");
    let examples: Vec<Example> = serde_json::from_str(text).expect("examples");
    let mut checked = 0;
    for example in &examples {
        let letters = |results: &[String]| -> String {
            let letter = |result: &String| {
                if result == "unplayed" {
                    "U".to_owned()
                } else {
                    result.clone()
                }
            };
            results.iter().map(letter).collect()
        };
        let results = if let Ok(points) = <[usize; 5]>::try_from(example.opponents_adjusted_scores.clone()) {
            four_of_five(points)
        } else if example.results.is_empty() {
            against("LUUUU", &[&letters(&example.opponent_results)])
        } else {
            alone(&letters(&example.results))
        };
        for (what, expected) in &example.expected {
            // The sum of one opponent's adjusted score is that score.
            let criterion = if what == "adjusted_score" { "solkoff" } else { what };
            println!("{}: {what}", example.id);
            check(&results, &criterion.replace('_', "-"), &expected.to_string());
            checked += 1;
        }
    }
    assert_eq!((examples.len(), checked), (5, 6), "all of them");
}

#[test]
fn head_to_head_of_the_reference_protocol() {
    // "MP 3, 3, 3 for A, B, C; A beat B 21–19, B beat C 30–10, A and C did not meet: H2H is A 21, B 19 + 30 = 49, C 10, so B,
    // A, C, marked 'not all met'."
    let mut results = field(&[
        vec![('W', 2), ('W', 4), ('W', 4), ('U', 0)],
        vec![('L', 1), ('W', 3), ('W', 4), ('W', 4)],
        vec![('W', 4), ('L', 2), ('W', 4), ('W', 4)],
    ]);
    for (player, round, points) in [(0, 0, 21), (1, 0, 19), (1, 1, 30), (2, 1, 10)] {
        results.players[player].rounds[round].game_points = Points::whole(points);
    }
    let order = ["match-points", "h2h"]
        .map(|criterion| criterion.parse().expect("a criterion"))
        .to_vec();
    let rules = RankingRules {
        order,
        ..RankingRules::default()
    };
    let standings = rank(&results, &rules);
    let shown: Vec<String> = standings.rows[..3]
        .iter()
        .map(|row| {
            let [points, h2h] = [0, 1].map(|cell| row.cells[cell].value.expect("defined").to_string());
            format!("{} {} {points} {h2h} {}", row.place, row.player, row.cells[1].all_met)
        })
        .collect();
    assert_eq!(shown, ["1 2 3 49 false", "2 1 3 21 false", "3 3 3 10 false"]);
    let view = View::new(&results, &rules);
    let (_, places) = literal::standings(&view, &rules.order, &[]);
    assert_eq!(places, [2, 1, 3, 4]);
}
