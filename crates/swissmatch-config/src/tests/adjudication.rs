//! `[adjudication]`: off unless asked for, and what is refused or warned of.

use super::*;
use swissmatch_game::adjudicate::{AdjudicationRules, Decides, Draw, Resign, Tables};

#[test]
fn every_preset_adjudicates_nothing() {
    for (preset, _) in PRESETS {
        let setup = loaded(&format!("preset = \"{preset}\"\n")).setup;
        assert_eq!(setup.adjudication.rules(), AdjudicationRules::default(), "{preset}");
        // So it is in events stored before this table existed: nothing of them changes when they are taken up.
        assert_eq!(setup.adjudication, Default::default(), "{preset}");
    }
}

#[test]
fn what_is_asked_for_is_what_games_get() {
    let all = loaded(
        "[adjudication]\nresign_score = 900\nresign_moves = 3\nresign_two_sided = false\ndraw_score = 8\ndraw_moves = 6\n\
         draw_from_move = 34\ntablebases = [\"345\", \"/six\"]\ntablebase_men = 6\ntablebase_rule50 = false\n\
         tablebase_adjudicate = \"draw\"\n",
    );
    let expected = AdjudicationRules {
        resign: Some(Resign {
            score: 900,
            moves: 3,
            two_sided: false,
        }),
        draw: Some(Draw {
            score: 8,
            moves: 6,
            from_move: 34,
        }),
        tables: Some(Tables {
            men: 6,
            rule50: false,
            decides: Decides::Draw,
        }),
    };
    assert_eq!(all.setup.adjudication.rules(), expected);
    let two_sided = loaded("[adjudication]\nresign_score = 900\n")
        .setup
        .adjudication
        .rules();
    assert_eq!(two_sided.resign.map(|resign| resign.two_sided), Some(true));
    assert_eq!((two_sided.draw, two_sided.tables), (None, None));
}

#[test]
fn bad_values_are_refused() {
    let check = |text: &str, expected: &str| check(&format!("[adjudication]\n{text}"), expected);
    check(
        "resign_score = 0",
        "2:16: adjudication.resign_score: expected \"none\" or centipawns from 1 to 100000, found 0",
    );
    check(
        "resign_two_sided = \"yes\"",
        "2:20: adjudication.resign_two_sided: expected true or false, found \"yes\"",
    );
    check(
        "tablebase_men = 8",
        "2:17: adjudication.tablebase_men: expected a number of men from 3 to 7, found 8",
    );
    check(
        "tablebase_adjudicate = \"wins\"",
        "2:24: adjudication.tablebase_adjudicate: expected \"win-draw\", \"win\" or \"draw\", found \"wins\"; did you mean \
         \"win\"?",
    );
    check(
        "resign_score = 10\ndraw_score = 10",
        "3:1: adjudication.draw_score: 10 is not below adjudication.resign_score, which is 10; the same score must not count \
         both as level and as lost",
    );
}

#[test]
fn what_is_probably_not_meant_is_warned_of() {
    let warnings = |text: &str| loaded(&format!("[adjudication]\n{text}")).warnings.join("\n");
    assert!(warnings("resign_score = 900\nresign_two_sided = false").contains("alone decide that it has lost"));
    assert_eq!(
        warnings("resign_score = 900\ndraw_score = 10\ndraw_moves = 5\nresign_moves = 2"),
        ""
    );
    assert_eq!(
        warnings("resign_moves = 2\ntablebase_men = 6"),
        "adjudication.resign_moves: does nothing without adjudication.resign_score\n\
         adjudication.tablebase_men: does nothing without adjudication.tablebases"
    );
}
