//! Openings and the variant: what does not fit.

use super::{check, check_whole, loaded};

#[test]
fn openings_and_variants_that_do_not_fit() {
    check(
        "[mini_match]\nopenings = \"chess960\"",
        "2:1: mini_match.openings: these are start positions of Chess960, but standard chess is played; write variant \
         = \"chess960\" under [game]",
    );
    check(
        "[mini_match]\nopenings = \"none\"\nopening_start = 2",
        "3:1: mini_match.opening_start: there is no such opening, because mini_match.openings is \"none\"",
    );
    check_whole(
        "[[player]]\nname = \"A\"\ncommand = \"a\"\noptions = { uci_chess960 = true }\n[[player]]\nname = \"B\"\ncommand = \"b\"",
        "4:1: player.options: UCI_Chess960 is set by game.variant, for all engines alike; take it out of the options",
    );
    check(
        "engine.options = { UCI_Chess960 = false }",
        "1:8: engine.options: UCI_Chess960 is set by game.variant, for all engines alike; take it out of the options",
    );
    check(
        "analysis.options = { uci_Chess960 = true }",
        "1:10: analysis.options: UCI_Chess960 is set by game.variant, for all engines alike; take it out of the options",
    );
}

#[test]
fn keys_of_openings_that_do_nothing_are_warned_of() {
    let warnings = |keys: &str| loaded(&format!("[mini_match]\ngames = 2\n{keys}")).warnings.join("\n");
    assert_eq!(warnings("openings = \"none\""), "");
    let keys = "opening_order = \"sequential\"\nopening_plies = 8\nopening_start = 1\nopening_policy = \"round\"";
    assert_eq!(warnings(keys), "");
    assert_eq!(
        warnings(&format!("openings = \"none\"\n{keys}")),
        ["order", "plies", "start", "policy"]
            .map(|key| format!("mini_match.opening_{key}: does nothing with mini_match.openings = \"none\""))
            .join("\n")
    );
}
