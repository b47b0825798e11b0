//! Which pairs a match has so far, of runs and of files.

use Score::{Draw, Loss, Win};

use super::*;
use crate::sprt::tests::{game, state};
use swissmatch_game::pgn_results::{Depth, UsableGame, read};
use swissmatch_game::termination::Termination;

fn after(games: &[(u32, Score, Termination)], leave_out_faults: bool) -> Course {
    let mut state = state(|_| {});
    for (number, score, termination) in games {
        let entry = game(*number, *score, *termination);
        state.apply(&entry).expect("it is due");
    }
    Course::of_run(&state, leave_out_faults).expect("two players")
}

const MATE: Termination = Termination::Checkmate;

#[test]
fn pairs_of_a_run_count_as_far_as_nothing_is_missing() {
    let course = after(&[], false);
    assert_eq!(
        course.players,
        ["New", "Old"],
        "the first of the event file comes first"
    );
    assert_eq!(course.results, CourseResults::Games(Vec::new()));
    // The second pair lacks a game, so the third one waits.
    let games = [
        (1, Win, MATE),
        (2, Loss, MATE),
        (3, Win, MATE),
        (5, Win, MATE),
        (6, Win, MATE),
    ];
    let course = after(&games, false);
    assert_eq!(
        (course.results, course.single),
        (CourseResults::Pairs(vec![[Win, Loss]]), 0)
    );
    let whole = after(&[&games[..], &[(4, Draw, Termination::Stalemate)]].concat(), false);
    assert_eq!(
        whole.results,
        CourseResults::Pairs(vec![[Win, Loss], [Win, Draw], [Win, Win]])
    );
}

#[test]
fn games_that_do_not_count_leave_the_other_one_alone() {
    // White, who is the second player of the file, crashed.
    let crash = Termination::Crash { by: Side::White };
    let awarded = Termination::Awarded;
    let games = [
        (1, Win, crash),
        (2, Loss, MATE),
        (3, Win, MATE),
        (4, Win, MATE),
        (5, Win, awarded),
        (6, Win, MATE),
    ];
    let all = after(&games, false);
    assert_eq!(
        (all.results, all.single),
        (CourseResults::Pairs(vec![[Win, Loss], [Win, Win]]), 1)
    );
    let without = after(&games, true);
    assert_eq!(
        (without.results, without.single),
        (CourseResults::Pairs(vec![[Win, Win]]), 2)
    );
}

fn of_file(games: &[(u32, &str, &str, &str)]) -> Option<Course> {
    let text: String = (games.iter())
        .map(|(round, white, black, result)| {
            format!(
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{book}} e5 {result}\n\n"
            )
        })
        .collect();
    let (mut rows, mut names) = (Vec::new(), Names::default());
    let each = |game: Result<UsableGame, _>| rows.extend(game.map(|game| game.row));
    read(text.as_bytes(), Depth::Moves, &mut names, each).expect("a text");
    Course::of_file(&rows, &names, false)
}

#[test]
fn pairs_of_a_file_are_its_own() {
    let course = of_file(&[
        (2, "A", "B", "0-1"),
        (1, "A", "B", "1-0"),
        (1, "B", "A", "1/2-1/2"),
        (2, "B", "A", "0-1"),
        (3, "A", "B", "1-0"),
        (4, "B", "A", "*"),
    ]);
    let course = course.expect("two players");
    assert_eq!(course.players, ["A", "B"]);
    assert_eq!(course.results, CourseResults::Pairs(vec![[Win, Draw], [Loss, Win]]));
    assert_eq!(course.single, 1);
    // Without pairs games count.
    let alone = of_file(&[(1, "A", "B", "1-0"), (2, "A", "B", "1/2-1/2")]).expect("two players");
    assert_eq!(
        (alone.results, alone.single),
        (CourseResults::Games(vec![Win, Draw]), 0)
    );
    assert_eq!(of_file(&[(1, "A", "B", "1-0"), (1, "A", "C", "1-0")]), None);
    assert_eq!(of_file(&[]), None);
}
