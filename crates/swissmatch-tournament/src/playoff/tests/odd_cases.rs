//! Cases that no text has an example of.
//!
//! May not: test what the rules settle plainly.

use super::tour::tour;
use super::*;
use crate::playoff::stand::ContestKind;
use swissmatch_game::termination::Outcome::{BlackWins, BothLose, Draw, WhiteWins};

#[test]
fn a_level_mini_match_of_a_knockout_is_told_apart_whatever_the_boundaries() {
    let mut board = tie(1, &[&[4, 13]]);
    board.key.board = 3;
    let mut arena = Arena::new(&[board], rules(&[], Numbers::Lot, &[round_robin("300+2", "300+2")]));
    let stand = arena.play(by_order(&[13, 4]));
    arena.happened(&[
        "lot: play-off: round 9, board 3, contest 1, numbers of group 1 = 4 13",
        "board 3/1.1: 4-13x2",
    ]);
    assert_eq!(parts(&stand), ["13 | 4"]);
}

#[test]
fn several_level_mini_matches_are_one_round() {
    let ties: Vec<Tie> = (0..3)
        .map(|index| {
            let mut tie = tie(1, &[&[2 * index + 1], &[2 * index + 2]]);
            tie.key.board = index + 1;
            tie
        })
        .collect();
    let mut arena = Arena::new(&ties, rules(&[], Numbers::Order, &[round_robin("300+2", "300+2")]));
    let stand = arena.play(by_order(&[2, 1, 3, 4, 6, 5]));
    arena.happened(&["board 1/1.1: 1-2x2 board 2/1.1: 3-4x2 board 3/1.1: 5-6x2"]);
    assert_eq!(parts(&stand), ["2 | 1", "3 | 4", "6 | 5"]);
}

#[test]
fn armageddon_is_passed_over_where_a_tie_is_cut_twice_and_the_arbiter_is_asked() {
    let stages = [armageddon("300+2", "240+2", Colors::Lot)];
    let arena = Arena::new(
        &[tie(1, &[&[1], &[2], &[3], &[4]])],
        rules(&[1, 3], Numbers::Order, &stages),
    );
    let stand = arena.stand();
    assert_eq!((&stand.due, &stand.questions[0].cuts), (&Due::Decision, &vec![1, 3]));
    assert!(stand.contests[0].is_empty());
}

#[test]
fn armageddon_tells_third_place_where_the_tie_begins_with_it() {
    let stages = [armageddon("300+2", "240+2", Colors::Lot)];
    let mut arena = Arena::new(&[tie(3, &[&[1], &[2]])], rules(&[1, 3], Numbers::Order, &stages));
    assert_eq!(parts(&arena.play(|_, _| Draw)), ["2 | 1"]);
}

#[test]
fn one_boundary_in_the_middle_of_a_level_group_keeps_the_others_out() {
    // 1 beats all, 5 loses to all, 2 3 4 draw: 3|4 alone is open, between places 2 and 4.
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3, 4, 5]])], tour());
    let stand = arena.play(|board, game| {
        let ends = |player: PairingNumber| player.0 == 1 || player.0 == 5;
        if board.contest.number == 1 && !ends(board.white) && !ends(board.black) {
            return Draw;
        }
        by_order(&[1, 2, 3, 4, 5])(board, game)
    });
    assert!(
        arena.log[6].starts_with("lot: play-off: round 9, places 2-4, contest 2"),
        "{}",
        arena.log[6]
    );
    assert_eq!(parts(&stand), ["1 | 2 3 | 4 5"]);
}

#[test]
fn of_a_round_robin_to_which_nobody_comes_everybody_is_level() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], tour());
    let stand = arena.play(|_, _| BothLose);
    assert_eq!((&stand.due, stand.contests[0].len()), (&Due::Decision, 4));
}

#[test]
fn a_game_that_one_side_did_not_come_to_counts_as_its_outcome_says() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2]])], tour());
    // Game 1: neither came. Game 2: 2 has White and wins by forfeit.
    let stand = arena.play(|_, game| if game == 1 { BothLose } else { WhiteWins });
    assert_eq!(parts(&stand), ["2 | 1"]);
}

#[test]
fn a_mini_match_is_played_to_its_end_although_nothing_can_change() {
    let mut arena = Arena::new(
        &[tie(1, &[&[1], &[2]])],
        rules(&[1], Numbers::Order, &[round_robin("60", "60")]),
    );
    let Due::Round(boards) = arena.stand().due else {
        panic!("numbers need no lot")
    };
    arena.facts.boards.push(BegunBoard {
        board: boards[0].clone(),
        games: vec![Some(ended(WhiteWins)), None],
    });
    assert_eq!(
        (arena.stand().due, parts(&arena.stand())),
        (Due::Playing, vec!["?".to_owned()])
    );
    assert_eq!(
        arena.stand().contests[0][0].boards.len(),
        1,
        "what is being played is shown"
    );
}

#[test]
fn who_had_white_is_as_it_was_begun_whatever_is_chosen_later() {
    use swiss_system::pairing::history::FirstColor::{Black, White};
    let stages = [armageddon("300+2", "240+2", Colors::Choice)];
    let mut arena = Arena::new(&[tie(1, &[&[1], &[2]])], rules(&[1], Numbers::Order, &stages));
    arena.facts.choices = vec![(PairingNumber(1), White)];
    assert_eq!(parts(&arena.play(|_, _| WhiteWins)), ["1 | 2"]);
    arena.facts.choices = vec![(PairingNumber(1), Black)];
    assert_eq!(parts(&arena.stand()), ["1 | 2"]);
}

#[test]
fn top_two_by_lot_then_lots_for_their_games() {
    let rules = PlayoffRules {
        top_two: true,
        ..rules(&[1], Numbers::Lot, &[round_robin("300", "300")])
    };
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], rules);
    arena.lots = |due| due.among.iter().rev().copied().collect();
    let stand = arena.play(|_, game| if game == 1 { BlackWins } else { Draw });
    arena.happened(&[
        "lot: play-off: round 9, places 1-3, contest 1, numbers of group 1 = 3 2 1",
        "lot: play-off: round 9, places 1-2, contest 2, numbers of group 1 = 3 2",
        "1-2/2.1: 3-2x2",
    ]);
    assert_eq!(parts(&stand), ["2 | 1 3"]);
    assert_eq!(stand.contests[0][0].kind, ContestKind::TopTwo);
}

#[test]
fn top_two_does_not_keep_anybody_from_a_second_boundary() {
    let rules = PlayoffRules {
        top_two: true,
        ..rules(&[1, 3], Numbers::Order, &[round_robin("300", "300")])
    };
    let mut arena = Arena::new(&[tie(1, &[&[1], &[2], &[3], &[4]])], rules);
    assert_eq!(parts(&arena.play(by_order(&[4, 3, 2, 1]))), ["4 | 2 3 | 1"]);
}

#[test]
fn without_stages_the_arbiter_is_asked_at_once() {
    let arena = Arena::new(
        &[tie(1, &[&[1, 2]]), tie(3, &[&[3, 4]])],
        rules(&[1, 3], Numbers::Lot, &[]),
    );
    let stand = arena.stand();
    assert_eq!((stand.due, stand.questions.len()), (Due::Decision, 2));
}

#[test]
fn without_ties_nothing_is_due() {
    let stand = Arena::new(&[], tour()).stand();
    assert_eq!((stand.due, stand.parts.len()), (Due::Nothing, 0));
}

#[test]
fn top_two_of_those_whom_a_second_boundary_let_play() {
    let rules = PlayoffRules {
        top_two: true,
        ..rules(
            &[1, 3],
            Numbers::Order,
            &[round_robin("300", "300"), round_robin("60", "60")],
        )
    };
    // 7 loses all games; the others are level for place 1 alone, of whom 9 and 8 have the best numbers.
    let mut arena = Arena::new(&[tie(1, &[&[9], &[7], &[8], &[6]])], rules);
    let stand = arena.play(
        |board, game| match (board.contest.number, board.white.0, board.black.0) {
            (1, 7, _) => BlackWins,
            (1, _, 7) => WhiteWins,
            (1, ..) => Draw,
            _ => by_order(&[8, 9])(board, game),
        },
    );
    assert_eq!(parts(&stand), ["8 | 6 9 | 7"]);
}

#[test]
fn a_lot_among_others_is_none() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2]])], tour());
    let before = arena.stand();
    let Due::Lots(due) = &before.due else {
        panic!("a lot is due")
    };
    arena.facts.lots.push(Lot {
        purpose: due[0].purpose,
        drawn: numbers(&[2, 3]),
    });
    assert_eq!(arena.stand(), before);
}
