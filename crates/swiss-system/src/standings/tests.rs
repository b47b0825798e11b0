//! Worked numbers of the rules, and invariants that hold for any results.

use proptest::prelude::*;

use super::results::{Bye, ColorCounts, MatchResult, PlayerResults, RoundFate};
use super::*;
use crate::pairing::history::FirstColor;
use Code::{
    ChallengeBuchholz as Buchholz, ChallengeSonnebornBerger as SonnebornBerger, GamePoints, H2h as HeadToHead,
    MatchPoints,
};

const PROTOCOL: [Code; 4] = [MatchPoints, HeadToHead, Buchholz, SonnebornBerger];

/// Ranks by these criteria, with every column of the protocol.
fn rank(results: &Results, order: &[Code]) -> Standings {
    let criteria = |codes: &[Code]| codes.iter().map(|&code| Criterion::from(code)).collect();
    let rules = RankingRules {
        order: criteria(order),
        also: criteria(&PROTOCOL),
        ..RankingRules::default()
    };
    super::rank(results, &rules)
}

/// The cell of a row for a code.
fn cell(standings: &Standings, row: &StandingsRow, code: Code) -> StandingsCell {
    row.cells[standings.position(&code.into()).expect("computed")]
}

/// One round as written: mini-matches `(a, b, half game points of a, of b)`, players from 1.
type RoundScores<'a> = &'a [(u32, u32, i64, i64)];

/// Players named `P1`, `P2`, …, submitted in that order, with no round yet.
fn players(count: usize) -> Results {
    Results {
        players: vec![PlayerResults::default(); count],
        submission: (0..).take(count).collect(),
        lots: (0..).take(count).collect(),
        names: (1..=count).map(|player| format!("P{player}")).collect(),
        ..Results::default()
    }
}

/// Adds finished mini-matches; 1, ½ and 0 match points. A player who is not in them is absent.
fn play(results: &mut Results, round: RoundScores<'_>) {
    let mut rounds = vec![PlayerRound::absent(); results.players.len()];
    for &(a, b, a_halves, b_halves) in round {
        for (own, opponent, own_halves, opponent_halves) in [(a, b, a_halves, b_halves), (b, a, b_halves, a_halves)] {
            let (result, match_points) = match own_halves.cmp(&opponent_halves) {
                std::cmp::Ordering::Greater => (MatchResult::Won, Points::ONE),
                std::cmp::Ordering::Equal => (MatchResult::Drawn, Points::HALF),
                std::cmp::Ordering::Less => (MatchResult::Lost, Points::ZERO),
            };
            let color = if own == a { FirstColor::White } else { FirstColor::Black };
            let opponent = PairingNumber(opponent);
            rounds[PairingNumber(own).index()] = PlayerRound {
                fate: RoundFate::Played {
                    opponent,
                    color,
                    result,
                },
                game_points: Points::halves(own_halves),
                points: match_points,
                games: GameCounts::default(),
                repeat: false,
                sat_out: false,
            };
        }
    }
    for (player, round) in results.players.iter_mut().zip(rounds) {
        player.rounds.push(round);
    }
}

fn give_bye(results: &mut Results, player: u32, match_halves: i64, game_halves: i64) {
    let (points, game_points) = (Points::halves(match_halves), Points::halves(game_halves));
    let bye = PlayerRound::bye(Bye::PairingAllocated, points, game_points);
    *results.players[PairingNumber(player).index()]
        .rounds
        .last_mut()
        .expect("a round") = bye;
}

/// A line per player: place, number, MP, H2H (`~` not all met, `-` alone), Buchholz, SB, GP.
fn check(results: &Results, order: &[Code], expected: &[&str]) {
    let standings = rank(results, order);
    let line = |row: &StandingsRow| {
        let shown = |code| match cell(&standings, row, code) {
            StandingsCell { value: None, .. } => "-".to_owned(),
            StandingsCell {
                value: Some(value),
                all_met,
            } => format!("{value}{}", if all_met { "" } else { "~" }),
        };
        let [h2h, buchholz, berger] = [HeadToHead, Buchholz, SonnebornBerger].map(shown);
        let StandingsRow {
            place,
            player,
            points,
            game_points,
            ..
        } = row;
        format!("{place} #{player} {points} {h2h} {buchholz} {berger} {game_points}")
    };
    let lines: Vec<String> = standings.rows.iter().map(line).collect();
    assert_eq!(lines, expected);
}

#[test]
fn nobody() {
    check(&players(0), &PROTOCOL, &[]);
}

#[test]
fn worked_example_of_the_rule() {
    // A = 1, B = 2, C = 3, each 3 points in the end: A beat B 21–19, B beat C 30–10, A and C did not meet.
    let mut results = players(9);
    play(&mut results, &[(1, 2, 42, 38), (3, 4, 80, 0), (5, 6, 40, 40)]);
    play(&mut results, &[(2, 3, 60, 20), (1, 5, 80, 0)]);
    play(&mut results, &[(1, 6, 80, 0), (2, 7, 80, 0), (3, 8, 80, 0)]);
    play(&mut results, &[(2, 9, 80, 0), (3, 5, 80, 0)]);
    let standings = rank(&results, &PROTOCOL);
    let top: Vec<_> = standings.rows[..3]
        .iter()
        .map(|row| (row.place, row.player.0, row.points, cell(&standings, row, HeadToHead)))
        .collect();
    let h2h = |points: i64| StandingsCell {
        value: Some(Value::whole(points)),
        all_met: false,
    };
    let three = Points::whole(3);
    assert_eq!(
        top,
        [(1, 2, three, h2h(49)), (2, 1, three, h2h(21)), (3, 3, three, h2h(10))]
    );
}

#[test]
fn h2h_is_not_computed_again_for_sub_groups() {
    // 1 and 2 are level on H2H in the group of three; that 2 beat 1 does not count a second time.
    let mut results = players(3);
    play(&mut results, &[(2, 1, 50, 30)]);
    give_bye(&mut results, 3, 2, 0);
    play(&mut results, &[(1, 3, 60, 20)]);
    play(&mut results, &[(3, 2, 40, 40)]);
    give_bye(&mut results, 1, 1, 0);
    let lines = ["1 #1 1.5 45 3 1.5 45", "1 #2 1.5 45 3 2.25 45", "3 #3 1.5 30 3 0.75 30"];
    check(&results, &[MatchPoints, HeadToHead], &lines);
    check(
        &results,
        &PROTOCOL,
        &[lines[1], &lines[0].replace("1 #", "2 #"), lines[2]],
    );
}

#[test]
fn byes_and_absences_add_nothing_to_tie_breaks() {
    let mut results = players(3);
    play(&mut results, &[(1, 2, 60, 20)]);
    give_bye(&mut results, 3, 1, 2);
    play(&mut results, &[(1, 3, 40, 40)]);
    check(
        &results,
        &PROTOCOL,
        &["1 #1 1.5 - 1 0.5 50", "2 #3 1 - 1.5 0.75 21", "3 #2 0 - 1.5 0 10"],
    );
}

#[test]
fn a_repeat_counts_once_a_mini_match() {
    let mut results = players(2);
    play(&mut results, &[(1, 2, 60, 20)]);
    play(&mut results, &[(1, 2, 40, 40)]);
    check(&results, &PROTOCOL, &["1 #1 1.5 - 1 0.75 50", "2 #2 0.5 - 3 0.75 30"]);
    play(&mut results, &[(2, 1, 41, 39)]);
    check(
        &results,
        &PROTOCOL,
        &["1 #1 1.5 69.5 4.5 2.25 69.5", "2 #2 1.5 50.5 4.5 2.25 50.5"],
    );
}

#[test]
fn unfinished_mini_matches_count_game_points_only() {
    let unfinished = |results: &mut Results| {
        play(results, &[(1, 2, 3, 1)]);
        for player in &mut results.players {
            let round = player.rounds.last_mut().expect("a round");
            if let RoundFate::Played { opponent, color, .. } = round.fate {
                round.fate = RoundFate::Unfinished { opponent, color };
                round.points = Points::ZERO;
            }
        }
    };
    let mut results = players(2);
    unfinished(&mut results);
    check(&results, &PROTOCOL, &["1 #1 0 1.5~ 0 0 1.5", "2 #2 0 0.5~ 0 0 0.5"]);
    let mut results = players(2);
    play(&mut results, &[(1, 2, 0, 4)]);
    unfinished(&mut results);
    check(&results, &PROTOCOL, &["1 #2 1 - 0 0 2.5", "2 #1 0 - 1 0 1.5"]);
}

#[test]
fn still_tied_share_the_place_by_submission_then_name() {
    let mut results = players(4);
    play(&mut results, &[(1, 2, 40, 40), (3, 4, 40, 40)]);
    results.submission = vec![3, 1, 2, 0];
    let all = [
        "1 #4 0.5 20~ 0.5 0.25 20",
        "1 #2 0.5 20~ 0.5 0.25 20",
        "1 #3 0.5 20~ 0.5 0.25 20",
        "1 #1 0.5 20~ 0.5 0.25 20",
    ];
    check(&results, &PROTOCOL, &all);
    assert_eq!(rank(&results, &PROTOCOL).listing_places(), [4, 2, 3, 1]);
    assert_eq!(rank(&results, &PROTOCOL).places(), [1; 4]);
    results.submission = vec![0; 4];
    results.names = ["d", "c", "b", "a"].map(str::to_owned).to_vec();
    assert_eq!(rank(&results, &PROTOCOL).listing_places(), [4, 3, 2, 1]);
}

#[test]
fn other_orders() {
    let mut results = players(4);
    play(&mut results, &[(1, 2, 41, 39), (3, 4, 80, 0)]);
    play(&mut results, &[(1, 3, 41, 39), (2, 4, 39, 41)]);
    // By game points nobody is level, so nobody has an H2H.
    let lines = [
        "1 #3 1 - 3 1 59.5",
        "2 #1 2 - 1 1 41",
        "3 #2 0 - 3 0 39",
        "4 #4 1 - 1 0 20.5",
    ];
    check(&results, &[GamePoints, HeadToHead], &lines);
    // H2H first is counted among all players, if nothing else is a criterion.
    let lines = [
        "1 #3 1 59.5~ 3 1 59.5",
        "2 #1 2 41~ 1 1 41",
        "3 #2 0 39~ 3 0 39",
        "4 #4 1 20.5~ 1 0 20.5",
    ];
    check(&results, &[HeadToHead], &lines);
    // Before match points it is still counted among those level on these: 3 and 4.
    let lines = [
        "1 #3 1 40 3 1 59.5",
        "2 #1 2 - 1 1 41",
        "3 #4 1 0 1 0 20.5",
        "4 #2 0 - 3 0 39",
    ];
    check(&results, &[HeadToHead, MatchPoints], &lines);
    // Without any criterion all are level.
    assert_eq!(rank(&results, &[]).places(), [1; 4]);
}

#[test]
fn rows_count_games_byes_and_repeats() {
    let mut results = players(2);
    play(&mut results, &[(1, 2, 3, 1)]);
    play(&mut results, &[(1, 2, 3, 1)]);
    let color = |won, drawn| ColorCounts { won, drawn, lost: 0 };
    let counts = GameCounts {
        white: color(1, 0),
        black: color(0, 1),
        forfeits_won: 2,
        forfeits_won_with_black: 1,
        forfeit_points: Points::whole(2),
        forfeits_lost: 3,
        faults: 4,
        failed_attempts: 7,
        moves: 5,
        thinking_us: 6,
    };
    for round in &mut results.players[0].rounds {
        (round.games, round.repeat) = (counts, true);
    }
    play(&mut results, &[]);
    give_bye(&mut results, 1, 1, 2);
    let standings = rank(&results, &PROTOCOL);
    let row = &standings.rows[0];
    let twice = GameCounts {
        white: color(2, 0),
        black: color(0, 2),
        forfeits_won: 4,
        forfeits_won_with_black: 2,
        forfeit_points: Points::whole(4),
        forfeits_lost: 6,
        faults: 8,
        failed_attempts: 14,
        moves: 10,
        thinking_us: 12,
    };
    assert_eq!((row.games, row.byes, row.repeats), (twice, 1, 2));
    assert_eq!(row.win_rate().to_string(), "50.0");
    assert_eq!(standings.rows[1].win_rate().to_string(), "–");
}

/// Each player's value by a criterion; `-` if not defined.
fn values(results: &Results, criterion: &str) -> Vec<String> {
    let rules = RankingRules {
        order: vec![criterion.parse().expect("a criterion")],
        ..RankingRules::default()
    };
    let mut rows = super::rank(results, &rules).rows;
    rows.sort_by_key(|row| row.player);
    let shown = |row: &StandingsRow| row.cells[0].value.map_or("-".to_owned(), |value| value.to_string());
    rows.iter().map(shown).collect()
}

#[test]
fn fore_buchholz_takes_games_that_go_on_as_draws() {
    let mut results = players(4);
    play(&mut results, &[(1, 2, 2, 0), (3, 4, 2, 0)]);
    play(&mut results, &[(1, 3, 2, 0), (2, 4, 2, 0)]);
    // "As if every paired game of the last round were a draw": how it ends, or whether it has ended, cannot matter.
    let drawn = ["2", "2", "2", "2"];
    assert_eq!(values(&results, "FB"), drawn);
    for player in &mut results.players {
        if let Some(PlayerRound { fate, points, .. }) = player.rounds.last_mut()
            && let RoundFate::Played { opponent, color, .. } = *fate
        {
            (*fate, *points) = (RoundFate::Unfinished { opponent, color }, Points::ZERO);
        }
    }
    assert_eq!(values(&results, "FB"), drawn);
    assert_eq!(values(&results, "BH"), ["0", "1", "0", "1"]);
}

/// "Buchholz as if all paired games of the final round had ended in draws" (C.07 art. 8.3): no other round is changed.
#[test]
fn fore_buchholz_before_the_last_round_is_buchholz() {
    let mut results = players(4);
    play(&mut results, &[(1, 2, 2, 0), (3, 4, 2, 0)]);
    play(&mut results, &[(1, 3, 2, 0), (2, 4, 2, 0)]);
    play(&mut results, &[(1, 4, 2, 0), (2, 3, 2, 0)]);
    assert_eq!(values(&results, "BH"), ["3", "4", "5", "6"]);
    let as_draws = ["3.5", "4.5", "4.5", "5.5"];
    assert_eq!(values(&results, "FB"), as_draws);
    results.planned = Some(3);
    assert_eq!(values(&results, "FB"), as_draws);
    results.planned = Some(4);
    for (fore, plain) in [("FB", "BH"), ("FB/C1", "BH/C1"), ("FB:GP", "BH:GP"), ("AOB/F", "AOB")] {
        assert_eq!(values(&results, fore), values(&results, plain), "{fore}");
    }
}

#[test]
fn half_of_the_maximum_in_an_odd_field_that_meets_twice() {
    let mut results = players(3);
    results.format = results::ResultsFormat::RoundRobin;
    for _ in 0..2 {
        play(&mut results, &[(1, 2, 2, 0)]);
        play(&mut results, &[(2, 3, 2, 0)]);
        play(&mut results, &[(1, 3, 1, 1)]);
    }
    // 3, 2 and 1 points of 4 games: two have half of the maximum.
    assert_eq!(values(&results, "PTS"), ["3", "2", "1"]);
    assert_eq!(values(&results, "KS"), ["2", "0", "1"]);
}

#[test]
fn a_mean_of_nothing_is_not_defined() {
    let mut results = players(3);
    play(&mut results, &[(1, 2, 2, 0)]);
    play(&mut results, &[(1, 3, 2, 0)]);
    for (player, rating) in results.players.iter_mut().zip([2000, 1900, 1800]) {
        player.ratings = vec![rating];
    }
    assert_eq!(values(&results, "ARO"), ["1850", "2000", "2000"]);
    assert_eq!(values(&results, "ARO/C1"), ["1900", "-", "-"]);
    assert_eq!(values(&results, "ARO/M1"), ["-", "-", "-"]);
}

#[test]
fn an_unplayed_round_uses_up_a_cut_of_ratings_in_2022() {
    let mut results = players(5);
    play(&mut results, &[(1, 2, 2, 0), (3, 4, 2, 0)]);
    play(&mut results, &[(1, 3, 2, 0), (2, 5, 2, 0)]);
    play(&mut results, &[(1, 4, 2, 0), (2, 3, 2, 0)]);
    for (player, rating) in results.players.iter_mut().zip([2000, 1900, 1800, 1700, 1600]) {
        player.ratings = vec![rating];
    }
    let of = |edition, criterion: &str| {
        let rules = RankingRules {
            order: vec![criterion.parse().expect("a criterion")],
            edition,
            ..RankingRules::default()
        };
        let standings = super::rank(&results, &rules);
        let value = |number| {
            let row = standings.rows.iter().find(|row| row.player == PairingNumber(number));
            row.expect("listed").cells[0]
                .value
                .map_or("-".to_owned(), |value| value.exact())
        };
        [value(1), value(4), value(5)]
    };
    // Player 1 played three rounds, 4 two, 5 one.
    assert_eq!(of(TieBreakEdition::Of2022, "ARO"), ["1800", "1900", "1900"]);
    assert_eq!(of(TieBreakEdition::Of2022, "ARO/C1"), ["1850", "1900", "1900"]);
    assert_eq!(of(TieBreakEdition::Of2022, "ARO/C2"), ["1900", "2000", "1900"]);
    assert_eq!(of(TieBreakEdition::Of2022, "ARO/M1"), ["1800", "1800", "1900"]);
    assert_eq!(of(TieBreakEdition::Of2026, "ARO/C1"), ["1850", "2000", "-"]);
}

#[test]
fn criteria_are_written_as_logs_have_them() {
    let all = [MatchPoints, HeadToHead, Buchholz, SonnebornBerger, GamePoints].map(Criterion::from);
    let text = serde_json::to_string(&all).expect("plain names");
    let stored = r#"["match-points","h2h","buchholz","sonneborn-berger","game-points"]"#;
    assert_eq!(text, stored);
    assert_eq!(serde_json::from_str::<Vec<Criterion>>(stored).expect("criteria"), all);
}

/// Rounds of shuffled neighbours with any results; with an odd number, one has a bye.
fn any_results() -> impl Strategy<Value = Results> {
    (1..=9_usize, 0..=5_usize).prop_flat_map(|(count, rounds)| {
        let shuffled = Just((1..=u32::try_from(count).expect("small")).collect::<Vec<_>>()).prop_shuffle();
        let round = (shuffled, proptest::collection::vec(0..=4_i64, count));
        proptest::collection::vec(round, rounds).prop_map(move |rounds| {
            let mut results = players(count);
            for (shuffled, halves) in rounds {
                let pairs: Vec<_> = shuffled
                    .chunks_exact(2)
                    .zip(halves)
                    .map(|(pair, h)| (pair[0], pair[1], h, 4 - h))
                    .collect();
                play(&mut results, &pairs);
                if let [last] = *shuffled.chunks_exact(2).remainder() {
                    give_bye(&mut results, last, 1, 2);
                }
            }
            results
        })
    })
}

/// The same tournament with player `i` (from 0) numbered `to[i]`.
fn renumbered(results: &Results, to: &[usize]) -> Results {
    let mut renumbered = results.clone();
    for (from, &to_index) in to.iter().enumerate() {
        let mut player = results.players[from].clone();
        for round in &mut player.rounds {
            if let RoundFate::Played { opponent, .. } = &mut round.fate {
                *opponent = PairingNumber::from_index(to[opponent.index()]);
            }
        }
        renumbered.players[to_index] = player;
        renumbered.submission[to_index] = results.submission[from];
        renumbered.names[to_index].clone_from(&results.names[from]);
    }
    renumbered
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn renumbering_players_renumbers_the_standings(
        (results, to) in any_results().prop_flat_map(|results| {
            let numbers: Vec<usize> = (0..results.players.len()).collect();
            (Just(results), Just(numbers).prop_shuffle())
        })
    ) {
        let mut expected = rank(&results, &PROTOCOL);
        for row in &mut expected.rows {
            row.player = PairingNumber::from_index(to[row.player.index()]);
        }
        prop_assert_eq!(rank(&renumbered(&results, &to), &PROTOCOL), expected);
    }

    #[test]
    fn a_name_changes_no_value(results in any_results(), renamed in any::<prop::sample::Index>()) {
        let mut other = results.clone();
        let renamed = renamed.index(results.players.len());
        other.names[renamed] = "a".to_owned();
        prop_assert_eq!(rank(&other, &PROTOCOL), rank(&results, &PROTOCOL));
    }

    #[test]
    fn places_and_sums_hold_together(results in any_results()) {
        let standings = rank(&results, &PROTOCOL);
        let values = |row: &StandingsRow| PROTOCOL.map(|code| cell(&standings, row, code).value);
        for (listed, pair) in (1..).zip(standings.rows.windows(2)) {
            prop_assert!(values(&pair[0]) >= values(&pair[1]));
            let shared = values(&pair[0]) == values(&pair[1]);
            prop_assert_eq!(pair[1].place, if shared { pair[0].place } else { listed + 1 });
        }
        let mut listing = standings.listing_places();
        listing.sort_unstable();
        prop_assert!(listing.into_iter().eq((1..).take(results.players.len())));
        // A mini-match gives one match point in all, the bye of these rounds half of one.
        let rounds = results.players.iter().map(|player| player.rounds.len()).max().unwrap_or(0);
        let given: Points = standings.rows.iter().map(|row| row.points).sum();
        let whole = (results.players.len() / 2 * rounds) * 2 + (results.players.len() % 2) * rounds;
        prop_assert_eq!(given, Points::halves(i64::try_from(whole).expect("small")));
    }
}
