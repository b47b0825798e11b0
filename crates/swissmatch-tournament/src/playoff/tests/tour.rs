//! Grand Chess Tour 2024, section 4: the tour's own play-off, worked by hand.
//!
//! May not: rest on chance; `literal` does that.

use super::*;
use crate::playoff::stand::{ContestNumbering, QuestionSubject};
use swissmatch_game::termination::Outcome::{BlackWins, Draw, WhiteWins};

pub(super) fn tour() -> PlayoffRules {
    let rapid = round_robin("900+10", "900+10");
    let blitz = round_robin("300+2", "300+2");
    rules(&[1, 3], Numbers::Lot, &[rapid.clone(), rapid, blitz.clone(), blitz])
}

fn reversed(due: &DueLot) -> Vec<PairingNumber> {
    due.among.iter().rev().copied().collect()
}

#[test]
fn gct_4_1_ties_for_first_and_third_are_broken_and_4_2_no_others() {
    let check = |first: u32, size: u32, played: bool| {
        let players: Vec<u32> = (1..=size).collect();
        let arena = Arena::new(&[tie(first, &[&players])], tour());
        assert_eq!(arena.stand().due != Due::Nothing, played, "{size} from place {first}");
    };
    check(1, 2, true);
    check(3, 2, true);
    check(2, 2, false);
    check(2, 3, true);
    check(4, 5, false);
    check(1, 3, true);
}

#[test]
fn gct_4_2_second_place_is_not_broken() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], tour());
    assert_eq!(parts(&arena.play(by_order(&[2, 1, 3]))), ["2 | 1 3"]);
}

#[test]
fn gct_4_5_separate_ties_go_on_separately() {
    // 1 and 2 win against 3, 4, 5 and draw; 3, 4, 5 draw among themselves: 1|2 and 3|4 are cut apart.
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3, 4, 5]])], tour());
    let stand = arena.play(|board, game| {
        let strong = |player: PairingNumber| player.0 <= 2;
        match (board.contest.number, strong(board.white), strong(board.black)) {
            (1, true, false) => WhiteWins,
            (1, false, true) => BlackWins,
            (1, ..) => Draw,
            _ => by_order(&[1, 2, 3, 4, 5])(board, game),
        }
    });
    let later: Vec<&String> = arena.log.iter().skip(6).collect();
    assert_eq!(
        later,
        [
            "lot: play-off: round 9, places 1-2, contest 2, numbers of group 1 = 1 2",
            "lot: play-off: round 9, places 3-5, contest 2, numbers of group 1 = 3 4 5",
            "1-2/2.1: 1-2x2 3-5/2.1: 4-5",
            "3-5/2.2: 3-4",
            "3-5/2.3: 5-3",
        ]
    );
    assert_eq!(
        parts(&stand),
        ["1 | 2 3 | 4 5"],
        "2 and 3 are told apart by their ties alone"
    );
}

#[test]
fn gct_4_5_also_initially() {
    let mut arena = Arena::new(&[tie(1, &[&[6, 4]]), tie(3, &[&[1, 5]])], tour());
    let stand = arena.play(by_order(&[6, 5, 4, 1]));
    arena.happened(&[
        "lot: play-off: round 9, places 1-2, contest 1, numbers of group 1 = 4 6",
        "lot: play-off: round 9, places 3-4, contest 1, numbers of group 1 = 1 5",
        "1-2/1.1: 4-6x2 3-4/1.1: 1-5x2",
    ]);
    assert_eq!(parts(&stand), ["6 | 4", "5 | 1"]);
}

#[test]
fn gct_4_6_two_who_are_left_play_two_games_at_the_limit_of_the_stage() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], tour());
    let stand = arena.play(|board, game| match board.contest.number {
        1 if board.white.0 == 3 => BlackWins,
        1 if board.black.0 == 3 => WhiteWins,
        1 | 2 => Draw,
        _ => by_order(&[2, 1])(board, game),
    });
    assert_eq!(parts(&stand), ["2 | 1 3"]);
    let boards = arena.facts.boards.iter();
    let games: Vec<u32> = boards.clone().map(|held| held.board.games).collect();
    assert_eq!(games, [1, 1, 1, 2, 2]);
    let limits: Vec<&TimeControl> = boards.map(|held| &held.board.limits[0]).collect();
    let (rapid, blitz) = (&time("900+10"), &time("300+2"));
    assert_eq!(limits, [rapid, rapid, rapid, rapid, blitz]);
}

#[test]
fn gct_4_7_to_4_10_colours_and_lots_of_four_round_robins_of_the_same_players_then_4_11_asks() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], tour());
    arena.lots = reversed;
    let stand = arena.play(|_, _| Draw);
    arena.happened(&[
        "lot: play-off: round 9, places 1-3, contest 1, numbers of group 1 = 3 2 1",
        "1-3/1.1: 2-1",
        "1-3/1.2: 3-2",
        "1-3/1.3: 1-3",
        "1-3/2.1: 1-2",
        "1-3/2.2: 2-3",
        "1-3/2.3: 3-1",
        "lot: play-off: round 9, places 1-3, contest 3, numbers of group 1 = 3 2 1",
        "1-3/3.1: 2-1",
        "1-3/3.2: 3-2",
        "1-3/3.3: 1-3",
        "1-3/4.1: 1-2",
        "1-3/4.2: 2-3",
        "1-3/4.3: 3-1",
    ]);
    use ContestNumbering::{Lot, Reversed};
    let numbered: Vec<ContestNumbering> = stand.contests[0]
        .iter()
        .filter_map(|contest| contest.numbered)
        .collect();
    assert_eq!(numbered, [Lot, Reversed, Lot, Reversed]);
    let table: Vec<PairingNumber> = stand.contests[0][0].table.iter().map(|row| row.player).collect();
    assert_eq!(listed(&table), "3 2 1", "the level stand by number");
    assert_eq!(
        (&stand.due, stand.questions[0].asks),
        (&Due::Decision, QuestionSubject::Tie)
    );
    assert_eq!(parts(&stand), ["?"]);
}

#[test]
fn gct_4_8_1_others_in_the_second_round_robin_new_lots() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3]])], tour());
    arena.lots = reversed;
    arena.play(|board, game| match board.contest.number {
        1 if board.white.0 == 3 => BlackWins,
        1 if board.black.0 == 3 => WhiteWins,
        1 => Draw,
        _ => by_order(&[1, 2])(board, game),
    });
    assert_eq!(
        arena.log[4..],
        [
            "lot: play-off: round 9, places 1-2, contest 2, numbers of group 1 = 2 1",
            "1-2/2.1: 2-1x2"
        ]
    );
}

#[test]
fn gct_4_10_1_after_an_odd_number_of_round_robins_reversed_only_for_the_same_players() {
    // Three players in contests 1 to 3; the third leaves 1 and 2: new lots, though three is odd.
    let mut arena = Arena::new(&[tie(3, &[&[1, 2, 3]])], tour());
    let stand = arena.play(|board, _| match board.contest.number {
        3 if board.white.0 == 3 => BlackWins,
        3 if board.black.0 == 3 => WhiteWins,
        _ => Draw,
    });
    let numbered: Vec<Option<ContestNumbering>> = stand.contests[0].iter().map(|contest| contest.numbered).collect();
    let expected = [
        ContestNumbering::Lot,
        ContestNumbering::Reversed,
        ContestNumbering::Lot,
        ContestNumbering::Lot,
    ];
    assert_eq!(numbered, expected.map(Some));
}

#[test]
fn gct_4_11_a_further_blitz_counts_as_the_fifth_round_robin_then_asks_again() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2]])], tour());
    for held in 4..7 {
        let stand = arena.play(|_, _| Draw);
        assert_eq!((&stand.due, stand.contests[0].len()), (&Due::Decision, held));
        arena.direct(&stand.questions[0], ArbiterDirection::RoundRobin(time("180+2")));
    }
    let stand = arena.play(by_order(&[2, 1]));
    assert_eq!(parts(&stand), ["2 | 1"]);
    use ContestNumbering::{Lot, Reversed};
    let numbered: Vec<ContestNumbering> = stand.contests[0]
        .iter()
        .filter_map(|contest| contest.numbered)
        .collect();
    assert_eq!(numbered, [Lot, Reversed, Lot, Reversed, Lot, Reversed, Lot]);
    let last = &arena.facts.boards.last().expect("held").board;
    assert_eq!((&last.limits[0], last.contest.number), (&time("180+2"), 7));
}
