//! Which games are pairs.

use proptest::prelude::*;

use super::*;

/// Reads games written as `WHITE BLACK RESULT ROUND OPENING`, one a line.
fn games(lines: &str) -> (Vec<GameRow>, Names) {
    let mut names = Names::default();
    let mut rows = Vec::new();
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &[white, black, result, round, opening] = words.as_slice() else {
            panic!("five words: {line}");
        };
        let text = format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [FEN \"{opening}\"]\n\n1. e4 {result}\n\n"
        );
        let read = read(text.as_bytes(), Depth::Results, &mut names, |game| {
            rows.push(game.expect("a game").row);
        });
        read.expect("memory can be read");
    }
    (rows, names)
}

fn pairs(lines: &str) -> Vec<(u32, u32)> {
    let (rows, _) = games(lines);
    game_pairs(&rows).iter().map(|pair| (pair.first, pair.second)).collect()
}

#[test]
fn games_of_one_number_wherever_they_stand() {
    let found = pairs(
        "A B 1-0 2 y
         A B 1-0 1 x
         A C 1-0 1 x
         B A 1-0 2 y
         B A 1-0 1 x
         C A 0-1 1 x",
    );
    assert_eq!(found, [(1, 4), (2, 5), (0, 3)]);
}

#[test]
fn a_round_of_several_pairs() {
    // The games ended in another order than they began; two openings in one encounter.
    let found = pairs(
        "A B 1-0 1 x
         A B 1-0 1 y
         A B 1-0 1 x
         B A 1-0 1 y
         B A 1-0 1 x
         B A 1-0 1 x",
    );
    assert_eq!(found, [(0, 4), (1, 3), (2, 5)]);
}

#[test]
fn games_of_successive_numbers() {
    let found = pairs(
        "A B 1-0 1 x
         A B 1-0 3 x
         B A 1-0 2 x
         B A 1-0 4 x
         A B 1-0 5.1 y
         B A 1-0 5.2 y",
    );
    assert_eq!(found, [(0, 2), (1, 3), (4, 5)]);
    let without_numbers = pairs(
        "A B 1-0 ? x
         A B 1-0 ? y
         B A 1-0 ? x
         B A 1-0 - y",
    );
    assert_eq!(without_numbers, [(0, 2), (1, 3)]);
}

#[test]
fn games_that_are_no_pair() {
    for lines in [
        "A B 1-0 1 x\nB A 1-0 1 y",
        "A B 1-0 1 x\nA B 1-0 1 x",
        "A B 1-0 1 x\nC A 1-0 1 x",
        "A B * 1 x\nB A 1-0 1 x",
        // One half of each is missing, and there were games between them.
        "A B 1-0 1 x\nA B 1-0 2 y\nB A 1-0 2 y\nB A 1-0 9 x",
    ] {
        let found = pairs(lines);
        assert!(!found.iter().any(|&(first, _)| first == 0), "{lines}: {found:?}");
    }
}

#[test]
fn a_game_played_again_takes_the_place_of_the_unfinished() {
    assert_eq!(pairs("A B * 1 x\nA B 1-0 1 x\nB A 1-0 1 x"), [(1, 2)]);
}

/// A match of 200 games that fastchess played and counted: the results of both games of each pair, from White's side
/// (w, d, b).
const MATCH: &str = "bd ww bw bb db dw db ww bd dd bb wd ww wb dw bw wb dd wb ww \
                     wd wd bw wd bb bw wd wb ww bb wd db ww bw bw ww wb ww bw wb \
                     bb wb wb dw bb bb ww ww dw bb wd wb bw wb dw wb ww db bb dw \
                     wb ww wb wd wd ww ww bw wd wd wb bd dw wb wb wb ww ww bd wb \
                     bd db wd bb ww bb ww wb ww wb wb wb wb bw wd wb wb dw ww dw";

#[test]
fn the_pairs_of_a_match_are_counted_as_by_its_runner() {
    let result = |word: char| match word {
        'w' => "1-0",
        'b' => "0-1",
        _ => "1/2-1/2",
    };
    let mut in_schedule = Vec::new();
    for (round, pair) in (1..).zip(MATCH.split_ascii_whitespace()) {
        let words: Vec<char> = pair.chars().collect();
        in_schedule.push(format!("first second {} {round} o{round}", result(words[0])));
        in_schedule.push(format!("second first {} {round} o{round}", result(words[1])));
    }
    let mut mixed = in_schedule.clone();
    // The order in which they may end with eight at a time.
    mixed.chunks_mut(8).for_each(<[String]>::reverse);
    for lines in [in_schedule, mixed] {
        let (rows, names) = games(&lines.join("\n"));
        let found = game_pairs(&rows);
        for (player, expected) in [("first", [10, 14, 33, 18, 25]), ("second", [25, 18, 33, 14, 10])] {
            let player = names.find(player).expect("it played");
            let mut counts = [0; 5];
            for pair in &found {
                counts[usize::from(pair.half_points(&rows, player).expect("it played"))] += 1;
            }
            assert_eq!(counts, expected);
        }
    }
}

proptest! {
    #[test]
    fn pairs_are_pairs(games in prop::collection::vec((0..3_u32, 1..3_u32, 0..4_usize, 0..3_u64, 0..2_u64), 0..40)) {
        let rows: Vec<GameRow> = games
            .into_iter()
            .map(|(white, other, result, round, opening)| {
                GameRow::new(&GameFields {
                    white: NameId(white),
                    black: NameId((white + other) % 3),
                    result: PgnResult::ALL[result],
                    ending: Ending::Unspecified,
                    blame: Blame::Nobody,
                    plies: 1,
                    opening,
                    moves: None,
                    round,
                })
            })
            .collect();
        let found = game_pairs(&rows);
        let mut seen = vec![false; rows.len()];
        for pair in &found {
            let [one, other] = [pair.first, pair.second].map(|game| rows[game as usize]);
            prop_assert_eq!(one.player(Side::White), other.player(Side::Black));
            prop_assert_eq!(one.player(Side::Black), other.player(Side::White));
            prop_assert_eq!(one.opening(), other.opening());
            prop_assert!((one.round(), pair.first) < (other.round(), pair.second));
            prop_assert!(pair.half_points(&rows, one.player(Side::White)).is_some());
            for game in [pair.first, pair.second] {
                prop_assert!(!std::mem::replace(&mut seen[game as usize], true));
            }
        }
        // Nothing that could be a pair is left in a round.
        for (at, one) in rows.iter().enumerate() {
            for (other_at, other) in rows.iter().enumerate().skip(at + 1) {
                let could = one.player(Side::White) == other.player(Side::Black)
                    && one.player(Side::Black) == other.player(Side::White)
                    && (one.opening(), one.round()) == (other.opening(), other.round())
                    && [one, other].iter().all(|row| row.result() != PgnResult::Unfinished);
                prop_assert!(!could || seen[at] || seen[other_at]);
            }
        }
    }
}
