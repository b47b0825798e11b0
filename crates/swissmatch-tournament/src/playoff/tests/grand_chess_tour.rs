//! Grand Chess Tour 2024, sections 2 and 3: events.
//!
//! May not: test the tour's own play-off.

use swiss_system::pairing::history::FirstColor;
use swiss_system::score::Points;

use super::*;
use crate::log::Draw as DrawnGame;
use crate::playoff::stand::{ContestKind, ContestNumbering, QuestionSubject};
use swissmatch_game::termination::Outcome::{BlackWins, BothLose, Draw, WhiteWins};

/// 2.3, 2.4: Rapid & Blitz.
fn rapid_and_blitz() -> PlayoffRules {
    let stages = [
        round_robin("480+3", "300+2"),
        armageddon("300+2", "240+2", Colors::Choice),
    ];
    rules(&[1], Numbers::Order, &stages)
}

/// 3.3, 3.4: Classical.
fn classical() -> PlayoffRules {
    let stages = [
        round_robin("600+5", "600+5"),
        armageddon("300+2", "240+2", Colors::Choice),
    ];
    rules(&[1], Numbers::Order, &stages)
}

#[test]
fn gct_2_1_a_tie_for_first_is_played_off_by_all_and_2_8_others_are_not() {
    let mut arena = Arena::new(&[tie(1, &[&[3], &[4], &[6]]), tie(4, &[&[1], &[2]])], rapid_and_blitz());
    let stand = arena.play(by_order(&[6, 4, 3]));
    assert_eq!(parts(&stand), ["6 | 3 4", "1 2"]);
    assert!(stand.contests[1].is_empty());
    arena.happened(&["1-3/1.1: 4-6", "1-3/1.2: 3-4", "1-3/1.3: 6-3"]);
}

#[test]
fn gct_2_3_numbers_by_criteria_and_lots_among_those_still_level() {
    let mut arena = Arena::new(&[tie(1, &[&[7], &[2, 5, 9], &[4]])], rapid_and_blitz());
    arena.lots = |_| numbers(&[9, 2, 5]);
    let stand = arena.play(by_order(&[7, 9, 2, 5, 4]));
    // C.05, five players: 2-5 3-4, 5-3 1-2, 3-1 4-5, 1-4 2-3, 4-2 5-1, over 7 9 2 5 4.
    arena.happened(&[
        "lot: play-off: round 9, places 1-5, contest 1, numbers of group 2 = 9 2 5",
        "1-5/1.1: 9-4 1-5/1.1: 2-5",
        "1-5/1.2: 4-2 1-5/1.2: 7-9",
        "1-5/1.3: 2-7 1-5/1.3: 5-4",
        "1-5/1.4: 7-5 1-5/1.4: 9-2",
        "1-5/1.5: 5-9 1-5/1.5: 4-7",
    ]);
    let contest = &stand.contests[0][0];
    assert_eq!(contest.numbered, Some(ContestNumbering::CriteriaAndLot));
    assert_eq!(
        (listed(&contest.players), contest.lots.len()),
        ("7 9 2 5 4".to_owned(), 1)
    );
    let points: Vec<Points> = contest.table.iter().map(|row| row.points).collect();
    assert_eq!(points, [4, 3, 2, 1, 0].map(Points::whole));
    assert_eq!(parts(&stand), ["7 | 2 4 5 9"]);
}

#[test]
fn gct_2_3_1_two_players_contest_a_mini_match_of_two_games_8_minutes_3_seconds() {
    check_two(rapid_and_blitz(), "480+3");
}

#[test]
fn gct_3_3_1_two_players_contest_a_mini_match_of_two_games_10_minutes_5_seconds() {
    check_two(classical(), "600+5");
}

fn check_two(rules: PlayoffRules, limits: &str) {
    let mut arena = Arena::new(&[tie(1, &[&[8], &[3]])], rules);
    let stand = arena.play(|_, game| if game == 1 { Draw } else { WhiteWins });
    arena.happened(&["1-2/1.1: 8-3x2"]);
    let board = &arena.facts.boards[0].board;
    assert_eq!(
        (&board.limits, board.draw),
        (&[time(limits), time(limits)], DrawnGame::Shared)
    );
    assert_eq!(parts(&stand), ["3 | 8"], "game 2: number 2 has White");
    assert_eq!(stand.contests[0][0].numbered, Some(ContestNumbering::Criteria));
}

#[test]
fn gct_2_3_2_three_or_more_contest_a_single_round_robin_5_minutes_2_seconds() {
    check_three(rapid_and_blitz(), "300+2");
}

#[test]
fn gct_3_3_2_three_or_more_contest_a_single_round_robin_10_minutes_5_seconds() {
    check_three(classical(), "600+5");
}

fn check_three(rules: PlayoffRules, limits: &str) {
    let mut arena = Arena::new(&[tie(1, &[&[8], &[3], &[5]])], rules);
    let stand = arena.play(by_order(&[5, 8, 3]));
    arena.happened(&["1-3/1.1: 3-5", "1-3/1.2: 8-3", "1-3/1.3: 5-8"]);
    assert!(
        arena
            .facts
            .boards
            .iter()
            .all(|held| held.board.games == 1 && held.board.limits == [time(limits), time(limits)])
    );
    assert_eq!(parts(&stand), ["5 | 3 8"]);
}

#[test]
fn gct_2_4_only_the_players_in_the_remaining_tie_play_armageddon_with_their_numbers_closed_up() {
    let mut arena = Arena::new(&[tie(1, &[&[8], &[3], &[5], &[4]])], rapid_and_blitz());
    let stand = arena.play(|board, _| {
        if board.draw == DrawnGame::WinForBlack {
            return WhiteWins;
        }
        // 8 and 4 draw and beat the others; 3 beats 5.
        if [(8, 4), (4, 8)].contains(&(board.white.0, board.black.0)) {
            return Draw;
        }
        by_order(&[8, 4, 3, 5])(board, 1)
    });
    arena.happened(&[
        "1-4/1.1: 8-4 1-4/1.1: 3-5",
        "1-4/1.2: 4-5 1-4/1.2: 8-3",
        "1-4/1.3: 3-4 1-4/1.3: 5-8",
        "lot: play-off: round 9, places 1-2, contest 2, coin of game 1.1 = 4 8",
        "1-2/2.1: 8-4",
    ]);
    let contest = &stand.contests[0][1];
    assert_eq!(
        (&contest.kind, contest.numbered),
        (&ContestKind::Armageddon, Some(ContestNumbering::Kept))
    );
    assert_eq!(listed(&contest.players), "8 4");
    assert_eq!(parts(&stand), ["8 | 3 4 5"]);
}

/// So many are tied and draw every game of the round robin, and then the better number wins: who has byes, and who
/// meets whom, round by round.
fn check_knockout(players: u32, byes: &str, rounds: &[&str]) {
    let order: Vec<u32> = (1..=players).collect();
    let groups: Vec<&[u32]> = order.iter().map(std::slice::from_ref).collect();
    let mut arena = Arena::new(&[tie(1, &groups)], classical());
    let stand = arena.play(|board, _| match board.draw {
        DrawnGame::Shared => Draw,
        DrawnGame::WinForBlack if board.white < board.black => WhiteWins,
        DrawnGame::WinForBlack => BlackWins,
    });
    let knockout = &stand.contests[0][1];
    assert_eq!(listed(&knockout.byes), byes, "{players} players");
    let mut met: Vec<String> = Vec::new();
    for held in &knockout.boards {
        let pair = format!(
            "{}-{}",
            held.board.white.min(held.board.black),
            held.board.white.max(held.board.black)
        );
        match met.get_mut(held.board.round as usize - 1) {
            Some(round) => *round = format!("{round} {pair}"),
            None => met.push(pair),
        }
    }
    assert_eq!(met, rounds, "{players} players");
    assert_eq!(stand.parts[0].as_ref().expect("settled")[0], numbers(&[1]));
}

#[test]
fn gct_2_4_1_byes_to_the_best_numbers_leave_2_4_or_8_and_best_meets_worst() {
    check_knockout(2, "", &["1-2"]);
    check_knockout(3, "1", &["2-3", "1-2"]);
    check_knockout(4, "", &["1-4 2-3", "1-2"]);
    check_knockout(5, "1 2 3", &["4-5", "1-4 2-3", "1-2"]);
    check_knockout(6, "1 2", &["3-6 4-5", "1-4 2-3", "1-2"]);
    check_knockout(7, "1", &["2-7 3-6 4-5", "1-4 2-3", "1-2"]);
    check_knockout(8, "", &["1-8 2-7 3-6 4-5", "1-4 2-3", "1-2"]);
    check_knockout(11, "1 2 3 4 5", &["6-11 7-10 8-9", "1-8 2-7 3-6 4-5", "1-4 2-3", "1-2"]);
}

#[test]
fn gct_2_4_1_whoever_is_tied_2_4_or_8_are_left_or_a_winner() {
    for players in 2..=16 {
        let order: Vec<u32> = (1..=players).collect();
        let groups: Vec<&[u32]> = order.iter().map(std::slice::from_ref).collect();
        let mut arena = Arena::new(
            &[tie(1, &groups)],
            rules(&[1], Numbers::Order, &classical().stages[1..]),
        );
        arena.play(|_, _| Draw);
        let in_round = |round| {
            arena
                .facts
                .boards
                .iter()
                .filter(|held| held.board.round == round)
                .count()
        };
        let left: Vec<usize> = (1..).map(in_round).take_while(|&games| games > 0).collect();
        let later: &[usize] = match players {
            2 => &[],
            3 | 4 => &[1],
            5..=8 => &[2, 1],
            _ => &[4, 2, 1],
        };
        assert_eq!(&left[1..], later, "{players} players");
        assert_eq!(
            left.iter().sum::<usize>(),
            players as usize - 1,
            "all but the winner are out"
        );
    }
}

#[test]
fn gct_3_4_1_pairings_of_later_rounds_go_by_the_same_numbers_whoever_went_through() {
    let mut arena = Arena::new(&[tie(1, &[&[1], &[2], &[3], &[4], &[5], &[6]])], classical());
    arena.play(|board, _| match board.draw {
        DrawnGame::Shared => Draw,
        DrawnGame::WinForBlack if board.white > board.black => WhiteWins,
        DrawnGame::WinForBlack => BlackWins,
    });
    let rounds: Vec<&String> = arena.log.iter().filter(|line| line.starts_with("1-6/2")).collect();
    // The worse number wins every game: 6 and 5 come through against 3 and 4, then 1-6 and 2-5.
    assert_eq!(
        rounds,
        ["1-6/2.1: 6-3 1-6/2.1: 5-4", "1-6/2.2: 6-1 1-6/2.2: 5-2", "1-6/2.3: 6-5"]
    );
}

/// A tie of 1 and 2 that the mini-match leaves level, with the coin to 2.
fn after_two_draws(choices: &[(u32, FirstColor)], colors: Colors, outcome: Outcome) -> (Arena, Stand) {
    let stages = [round_robin("480+3", "300+2"), armageddon("300+2", "240+2", colors)];
    let mut arena = Arena::new(&[tie(1, &[&[1], &[2]])], rules(&[1], Numbers::Order, &stages));
    arena.facts.choices = choices
        .iter()
        .map(|&(player, color)| (PairingNumber(player), color))
        .collect();
    arena.lots = |_| numbers(&[2, 1]);
    let stand = arena.play(|board, _| if board.games == 2 { Draw } else { outcome });
    (arena, stand)
}

#[test]
fn gct_2_5_1_white_has_5_minutes_and_black_4() {
    let (arena, _) = after_two_draws(&[], Colors::Choice, Draw);
    let board = &arena.facts.boards[1].board;
    assert_eq!((&board.limits, board.games), (&[time("300+2"), time("240+2")], 1));
}

#[test]
fn gct_2_5_2_a_draw_is_a_win_for_black() {
    for (outcome, winner) in [(Draw, "2 | 1"), (BlackWins, "2 | 1"), (WhiteWins, "1 | 2")] {
        let (arena, stand) = after_two_draws(&[], Colors::Choice, outcome);
        assert_eq!(arena.facts.boards[1].board.draw, DrawnGame::WinForBlack);
        assert_eq!(parts(&stand), [winner], "{outcome:?}");
    }
}

#[test]
fn gct_2_5_3_the_winner_of_the_toss_has_choice_of_colour() {
    use FirstColor::{Black, White};
    let check = |choices: &[(u32, FirstColor)], colors, expected: &str| {
        let (arena, _) = after_two_draws(choices, colors, Draw);
        arena.happened(&[
            "1-2/1.1: 1-2x2",
            "lot: play-off: round 9, places 1-2, contest 2, coin of game 1.1 = 2 1",
            expected,
        ]);
    };
    check(&[], Colors::Choice, "1-2/2.1: 1-2");
    check(&[(2, Black), (1, White)], Colors::Choice, "1-2/2.1: 1-2");
    check(&[(2, White), (1, White)], Colors::Choice, "1-2/2.1: 2-1");
    check(&[(2, Black)], Colors::Lot, "1-2/2.1: 2-1");
}

#[test]
fn a_game_to_which_neither_came_lets_nobody_through() {
    let (mut arena, stand) = after_two_draws(&[], Colors::Choice, BothLose);
    assert_eq!(
        (stand.due, parts(&arena.stand())),
        (Due::Decision, vec!["?".to_owned()])
    );
    let question = &stand.questions[0];
    assert_eq!(
        (question.asks, listed(&question.players)),
        (QuestionSubject::Game, "1 2".to_owned())
    );
    arena.direct(question, ArbiterDirection::Result(vec![numbers(&[1]), numbers(&[2])]));
    assert_eq!(
        (arena.stand().due, parts(&arena.stand())),
        (Due::Nothing, vec!["1 | 2".to_owned()])
    );
}
