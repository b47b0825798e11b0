//! City Chess, "Tiebreaks": two players tied for first.
//!
//! May not: know what prizes are.

use super::*;
use crate::playoff::facts::EventGame;
use crate::playoff::stand::{ContestKind, Finding};
use swissmatch_game::termination::Outcome::{BlackWins, BothLose, Draw, WhiteWins};

fn city_chess() -> PlayoffRules {
    let stages = [
        PlayoffStage::HeadToHead,
        round_robin("300", "300"),
        armageddon("360", "300", Colors::Lot),
    ];
    PlayoffRules {
        top_two: true,
        ..rules(&[1], Numbers::Order, &stages)
    }
}

fn met(white: u32, black: u32, outcome: Outcome) -> EventGame {
    EventGame {
        white: PairingNumber(white),
        black: PairingNumber(black),
        ended: ended(outcome),
    }
}

/// What is found of 4 and 7, and where that leads: the parts, or the board that is due.
fn check(that_day: &[EventGame], finding: Finding, leads_to: &str) {
    let mut arena = Arena::new(&[tie(1, &[&[4], &[7]])], city_chess());
    arena.facts.that_day = that_day.to_vec();
    let stand = arena.stand();
    assert_eq!(stand.contests[0][0].kind, ContestKind::HeadToHead(finding));
    let found = match &stand.due {
        Due::Round(boards) => write(&boards[0]),
        _ => parts(&stand)[0].clone(),
    };
    assert_eq!(found, leads_to);
}

#[test]
fn city_chess_head_to_head_a_decisive_result_of_that_day_is_used() {
    check(&[met(4, 7, WhiteWins)], Finding::Won, "4 | 7");
    check(&[met(4, 7, BlackWins)], Finding::Won, "7 | 4");
    check(
        &[met(1, 4, BlackWins), met(7, 4, WhiteWins), met(7, 2, Draw)],
        Finding::Won,
        "7 | 4",
    );
    check(&[met(4, 7, WhiteWins), met(7, 4, Draw)], Finding::Won, "4 | 7");
}

#[test]
fn city_chess_head_to_head_else_the_blitz_match() {
    check(&[], Finding::NotMet, "1-2/2.1: 4-7x2");
    check(
        &[met(1, 4, WhiteWins), met(7, 2, WhiteWins)],
        Finding::NotMet,
        "1-2/2.1: 4-7x2",
    );
    check(&[met(7, 4, Draw)], Finding::Level, "1-2/2.1: 4-7x2");
    check(
        &[met(7, 4, WhiteWins), met(4, 7, WhiteWins)],
        Finding::Level,
        "1-2/2.1: 4-7x2",
    );
}

#[test]
fn city_chess_head_to_head_a_forfeited_game_is_no_meeting() {
    let mut forfeit = met(7, 4, WhiteWins);
    forfeit.ended.termination = Termination::DidNotStart { by: Side::Black };
    check(&[forfeit], Finding::NotMet, "1-2/2.1: 4-7x2");
    check(&[met(7, 4, BothLose)], Finding::NotMet, "1-2/2.1: 4-7x2");
    check(&[forfeit, met(4, 7, WhiteWins)], Finding::Won, "4 | 7");
}

#[test]
fn city_chess_head_to_head_is_not_for_more_than_two() {
    let rules = PlayoffRules {
        top_two: false,
        ..city_chess()
    };
    let mut arena = Arena::new(&[tie(1, &[&[4], &[7], &[9]])], rules);
    arena.facts.that_day = vec![met(4, 7, WhiteWins), met(4, 9, WhiteWins), met(7, 9, WhiteWins)];
    let stand = arena.play(by_order(&[9, 7, 4]));
    assert_eq!(parts(&stand), ["9 | 4 7"]);
    assert_eq!(stand.contests[0].len(), 1);
}

#[test]
fn city_chess_two_games_of_blitz_then_armageddon_with_colours_by_lot() {
    let mut arena = Arena::new(&[tie(1, &[&[4], &[7]])], city_chess());
    arena.lots = |_| numbers(&[7, 4]);
    let stand = arena.play(|board, _| if board.games == 2 { WhiteWins } else { Draw });
    arena.happened(&[
        "1-2/2.1: 4-7x2",
        "lot: play-off: round 9, places 1-2, contest 3, coin of game 1.1 = 7 4",
        "1-2/3.1: 7-4",
    ]);
    assert_eq!(parts(&stand), ["4 | 7"]);
    let limits: Vec<&[TimeControl; 2]> = arena.facts.boards.iter().map(|held| &held.board.limits).collect();
    assert_eq!(limits, [&[time("300"), time("300")], &[time("360"), time("300")]]);
}

#[test]
fn city_chess_of_three_or_more_the_top_two_play_it() {
    let mut arena = Arena::new(&[tie(1, &[&[9], &[3, 5, 8], &[2]])], city_chess());
    arena.facts.that_day = vec![met(5, 9, WhiteWins), met(9, 3, WhiteWins)];
    arena.lots = |_| numbers(&[5, 8, 3]);
    let stand = arena.play(by_order(&[]));
    arena.happened(&["lot: play-off: round 9, places 1-5, contest 1, numbers of group 2 = 5 8 3"]);
    let kinds: Vec<&ContestKind> = stand.contests[0].iter().map(|contest| &contest.kind).collect();
    assert_eq!(kinds, [&ContestKind::TopTwo, &ContestKind::HeadToHead(Finding::Won)]);
    assert_eq!(parts(&stand), ["5 | 2 3 8 9"]);
}
