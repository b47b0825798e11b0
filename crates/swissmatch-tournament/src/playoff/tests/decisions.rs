//! What the arbiter may direct, and when.
//!
//! May not: leave a refusal without its sentence.

use super::tour::tour;
use super::*;
use crate::log::ContestId;
use crate::playoff::stand::ContestKind;
use swissmatch_game::termination::Outcome::{BothLose, Draw};

/// Five from place 1 on, whom four round robins leave level.
fn asked() -> (Arena, Stand) {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2, 3, 4, 5]])], tour());
    let stand = arena.play(|_, _| Draw);
    (arena, stand)
}

fn result(groups: &[&[u32]]) -> ArbiterDirection {
    ArbiterDirection::Result(groups.iter().map(|group| numbers(group)).collect())
}

/// The sentence of a refusal, or the parts that a decision leads to.
fn check(directed: ArbiterDirection, expected: &str) {
    let (mut arena, stand) = asked();
    let decision = Decision {
        contest: stand.questions[0].contest,
        directed,
    };
    let said = match decision::check(&decision, &stand) {
        Err(refused) => {
            arena.facts.decisions.push(decision);
            assert_eq!(arena.stand(), stand, "what is refused changes nothing");
            refused.to_string()
        }
        Ok(()) => {
            arena.facts.decisions.push(decision);
            let stand = arena.stand();
            assert_eq!(
                stand.contests[0].last().map(|contest| &contest.kind),
                Some(&ContestKind::Decided)
            );
            parts(&stand)[0].clone()
        }
    };
    assert_eq!(said, expected);
}

#[test]
fn gct_4_11_a_result_breaks_the_boundaries_and_need_not_tell_more() {
    check(result(&[&[4], &[1, 2], &[5, 3]]), "4 | 1 2 | 3 5");
    check(result(&[&[5], &[4], &[3], &[2], &[1]]), "5 | 3 4 | 1 2");
}

#[test]
fn gct_4_11_refused_results_say_why() {
    check(
        result(&[&[4, 1], &[2], &[5, 3]]),
        "the result does not separate place 1 from place 2: players 4, 1 are level there; put one before the other",
    );
    check(
        result(&[&[4], &[2], &[1, 5, 3]]),
        "the result does not separate place 3 from place 4: players 1, 5, 3 are level there; put one before the other",
    );
    check(
        result(&[&[4], &[2, 1], &[3]]),
        "the result leaves out player 5: name all who are tied",
    );
    check(
        result(&[&[4], &[2, 1], &[3, 5], &[6]]),
        "player 6 is not one of those to be decided about: players 1, 2, 3, 4, 5",
    );
    check(
        result(&[&[4], &[2, 1], &[3, 4]]),
        "player 4 is named twice: give everybody one place",
    );
    check(
        result(&[&[4], &[], &[2, 1], &[3, 5]]),
        "the result has an empty group: leave it out",
    );
}

#[test]
fn a_decision_given_too_early_is_refused_and_changes_nothing() {
    let mut arena = Arena::new(&[tie(1, &[&[1, 2]])], tour());
    let before = arena.stand();
    let contest = ContestId {
        tie: arena.ties[0].key,
        number: 1,
    };
    let decision = Decision {
        contest,
        directed: result(&[&[1], &[2]]),
    };
    let refused = decision::check(&decision, &before).expect_err("nothing is asked");
    assert_eq!(
        refused.to_string(),
        "round 9, places 1-2, contest 1 needs no decision; no tie is waiting for the arbiter"
    );
    arena.facts.decisions.push(decision.clone());
    assert_eq!(arena.stand(), before);
    let stand = arena.play(|_, _| Draw);
    assert_eq!(stand.due, Due::Decision);
    let late = decision::check(&decision, &stand).expect_err("another contest is asked about");
    assert_eq!(
        late.to_string(),
        "round 9, places 1-2, contest 1 needs no decision; the arbiter is asked about: round 9, places 1-2, \
         contest 5"
    );
}

#[test]
fn one_tie_may_be_decided_while_another_is_played() {
    let rapid = round_robin("900+10", "900+10");
    let mut arena = Arena::new(
        &[tie(1, &[&[1, 2]]), tie(3, &[&[3, 4, 5]])],
        rules(&[1, 3], Numbers::Lot, &[rapid]),
    );
    // Places 1|2 are level after the first round of the two round robins.
    for _ in 0..2 {
        match arena.stand().due {
            Due::Lots(lots) => lots.iter().for_each(|due| arena.draw(due)),
            Due::Round(boards) => arena.facts.boards.extend(boards.into_iter().map(|board| BegunBoard {
                games: vec![Some(ended(Draw)); board.games as usize],
                board,
            })),
            due => panic!("{due:?}"),
        }
    }
    let stand = arena.stand();
    assert!(
        matches!(&stand.due, Due::Round(boards) if boards.len() == 1),
        "{:?}",
        stand.due
    );
    arena.direct(&stand.questions[0], ArbiterDirection::RoundRobin(time("60")));
    let stand = arena.play(by_order(&[5, 4, 3, 2, 1]));
    arena.happened(&[
        "lot: play-off: round 9, places 1-2, contest 1, numbers of group 1 = 1 2",
        "lot: play-off: round 9, places 3-5, contest 1, numbers of group 1 = 3 4 5",
        "1-2/2.1: 2-1x2 3-5/1.2: 3-4",
        "3-5/1.3: 5-3",
    ]);
    // 4 and 5 drew with each other and beat 3, so the arbiter is asked about them.
    assert_eq!(parts(&stand), ["2 | 1", "?"]);
    assert_eq!(listed(&stand.questions[0].players), "4 5");
}

#[test]
fn two_games_to_which_nobody_came_are_two_questions() {
    let stages = [armageddon("300+2", "240+2", Colors::Lot)];
    let mut arena = Arena::new(
        &[tie(1, &[&[1], &[2], &[3], &[4]])],
        rules(&[1], Numbers::Order, &stages),
    );
    let stand = arena.play(|_, _| BothLose);
    let asked: Vec<String> = stand
        .questions
        .iter()
        .map(|question| listed(&question.players))
        .collect();
    assert_eq!(asked, ["1 4", "2 3"]);
    let said = |directed| {
        let contest = stand.questions[0].contest;
        decision::check(&Decision { contest, directed }, &stand)
            .expect_err("no answer")
            .to_string()
    };
    assert_eq!(
        said(result(&[&[2, 3]])),
        "the result does not separate place 1 from place 2: players 2, 3 are level there; put one before the other"
    );
    assert_eq!(
        said(ArbiterDirection::RoundRobin(time("60"))),
        "neither side came to the game of players 1, 4: say who goes through; a round robin cannot stand in for it"
    );
    arena.direct(&stand.questions[1], result(&[&[3], &[2]]));
    let stand = arena.play(|_, _| Draw);
    assert_eq!((&stand.due, stand.questions.len()), (&Due::Decision, 1));
    arena.direct(&stand.questions[0], result(&[&[4], &[1]]));
    let stand = arena.play(by_order(&[3, 4]));
    assert_eq!(parts(&stand), ["3 | 1 2 4"]);
}
