//! Keys of `[eligibility]`: their values, and refusals.

use super::{check, loaded, with_flag};
use crate::effective;
use crate::tests::load_text;

#[test]
fn a_baseline_is_a_program_or_a_table() {
    let baseline = |text: &str| {
        let loaded = loaded(&format!("eligibility.baseline = {text}"));
        let again = load_text(&effective(&loaded)).expect("it reads as it prints");
        assert_eq!(again.setup.eligibility, loaded.setup.eligibility);
        loaded.setup.eligibility.baseline
    };
    assert_eq!(baseline("\"none\""), None);
    let by_name = baseline("\"stockfish\"").expect("a baseline");
    assert_eq!(
        (by_name.command.as_str(), by_name.args.len(), by_name.options.len()),
        ("stockfish", 0, 0)
    );
    let whole = baseline("{ command = \"./a\", args = [\"-x\"], options = { Hash = 8 } }").expect("a baseline");
    assert_eq!(
        (whole.args, whole.options["Hash"].as_str()),
        (vec!["-x".to_owned()], "8")
    );
}

#[test]
fn an_eligibility_that_cannot_be() {
    let days = "eligibility.valid_for: expected \"none\" or a number of days from \"1d\" to \"36500d\", found";
    check("eligibility.valid_for = \"0d\"", &format!("1:25: {days} \"0d\""));
    check("eligibility.valid_for = \"90\"", &format!("1:25: {days} \"90\""));
    check("eligibility.valid_for = \"+9d\"", &format!("1:25: {days} \"+9d\""));
    check(
        "eligibility.score = 1.5",
        "1:21: eligibility.score: expected a share of the points from 0 to 1 with at most three decimals, such as 0.25, found 1.5",
    );
    let against_nobody = with_flag("eligibility.games", "4").expect_err("refused").to_string();
    assert_eq!(
        against_nobody,
        "--set: eligibility.games: there are no games to qualify in, because eligibility.baseline is \"none\"; name a \
         baseline to \
         play (--against), or leave this out"
    );
    check(
        "eligibility.baseline = { args = [] }",
        "1:24: eligibility.baseline: `command` is missing",
    );
    check(
        "eligibility.baseline = { command = \"a\", elo = 1 }",
        "1:41: eligibility.baseline: unknown entry \"elo\"; expected command, args and options",
    );
    check(
        "eligibility.baseline = { command = \"a\", options = { uci_chess960 = true } }",
        "1:13: eligibility.baseline: UCI_Chess960 is set by game.variant, for all engines alike; take it out of the options",
    );
}
