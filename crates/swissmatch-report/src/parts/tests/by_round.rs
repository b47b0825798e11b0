//! Knockouts whose rounds have different numbers of games.

use super::*;

/// Games are counted from the final; the first number counts in all rounds before its own.
#[test]
fn a_knockout_has_games_by_round() {
    let knockout = |top, games: &[u32]| StageKeys {
        games_by_round: games.to_vec(),
        ..stage("knockout", top, None)
    };
    let games_of = |state: &State| -> Vec<usize> {
        let boards = state.rounds().iter().map(|round| &round.mini_matches[0]);
        boards.map(|board| board.games.len()).collect()
    };
    let staged = |setup: &mut Setup| {
        setup.mini_match.opening_order = OpeningOrder::Sequential;
        setup.mini_match.opening_policy = OpeningPolicy::MiniMatch;
        setup.mini_match.games = 2;
        setup.event.stages = vec![stage("1-SS", None, None), knockout(Some(10), &[4, 6, 8])];
    };
    let all = 5 * 2 + 2 * 4 + 4 * 4 + 2 * 6 + 8;
    assert_eq!(games_in_all(&before(10, staged)), all);
    let state = played(10, staged);
    assert_eq!(games_of(&state), [2, 4, 4, 6, 8]);
    assert_eq!(games_in_all(&state), all);
    // What the part is told to be is what was played.
    let (_, own, _) = parts_after(&state, 5).remove(1);
    assert_eq!(
        own.setup().stages()[0].games_by_round().collect::<Vec<_>>(),
        [4, 4, 6, 8]
    );
    let mut plan = OpeningPlan::new(state.setup(), numbered(100));
    let mut first = |round, boards| of_round(&state, &mut plan, round, 0, boards, 1).concat();
    assert_eq!(first(2, 2), ["5", "7"]);
    assert_eq!(first(4, 2), ["17", "20"]);
    assert_eq!(first(5, 1), ["23"]);
    // As many as if nobody were free in the first round of the knockout.
    assert_eq!(opening_plan::needed(state.setup()), 5 + 5 * (2 + 2 + 3 + 4));
    // A list that is longer than the event counts from the end, too.
    let short = played(4, |setup| setup.event.stages = vec![knockout(None, &[2, 4, 6, 8])]);
    assert_eq!(games_of(&short), [6, 8]);
}
