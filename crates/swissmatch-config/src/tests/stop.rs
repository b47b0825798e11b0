//! The rule that ends an event early: how it is read, and what is refused.

use std::time::Duration;

use swissmatch_tournament::setup::Rounds;

use super::{check, load_text, loaded};

/// A Swiss with this many players and mini-matches of four games.
fn swiss(players: usize, keys: &str) -> String {
    let players: String = (1..=players)
        .map(|number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p\"\n"))
        .collect();
    format!("[swiss]\nrounds = \"5-SS\"\n[mini_match]\ngames = 4\n[stop]\n{keys}\n{players}")
}

#[track_caller]
fn refused(players: usize, keys: &str, expected: &str) {
    let error = load_text(&swiss(players, keys)).expect_err("it is refused");
    let text = error.to_string();
    assert_eq!(text.strip_prefix("event.toml:").map(str::trim_start), Some(expected));
}

#[test]
fn a_rule_is_read() {
    let text = swiss(
        8,
        "when = \"places 1-3 at 97.5%\"\nfrom_round = 2\ngames = 64\ntime = \"90m\"",
    );
    let keys = load_text(&text).unwrap_or_else(|error| panic!("{error}")).setup.stop;
    assert_eq!(keys.when.expect("places").to_string(), "places 1-3 at 97.5%");
    assert_eq!((keys.games, keys.time), (Some(64), Some(Duration::from_secs(5400))));
    assert_eq!(keys.first_look(8, Rounds::Number(5)), 2);
    // A cycle of seven rounds is played to its end.
    let cycles = Rounds::AllPlayAll { cycles: 3 };
    assert_eq!(keys.first_look(8, cycles), 7);
    let none = loaded("[stop]\nwhen = \"none\"\nfrom_round = \"auto\"\ngames = \"none\"\ntime = \"none\"")
        .setup
        .stop;
    assert!(!none.is_set());
    assert_eq!(
        [2, 3, 8, 9, 64].map(|players| none.first_look(players, Rounds::Number(5))),
        [1, 2, 3, 4, 6]
    );
}

#[test]
fn what_ends_nothing_is_told() {
    let warnings = |keys: &str| {
        load_text(&swiss(8, keys))
            .unwrap_or_else(|error| panic!("{error}"))
            .warnings
    };
    let idle = "stop.from_round: no places are looked at without stop.when, so it does nothing";
    assert!(warnings("from_round = 2").iter().any(|told| told == idle));
    let large = "stop.games: it ends nothing, because all rounds together have 80 games";
    assert!(warnings("games = 80").iter().any(|told| told == large));
    assert!(!warnings("games = 79").iter().any(|told| told.starts_with("stop")));
    let gauntlet = |format: &str| {
        let text = swiss(8, "when = \"place 1 at 95%\"").replace("5-SS", format);
        let warnings = load_text(&text).unwrap_or_else(|error| panic!("{error}")).warnings;
        warnings
            .iter()
            .any(|told| told.starts_with("stop.when: the one who runs the gauntlet"))
    };
    assert_eq!((gauntlet("5-gauntlet"), gauntlet("5-gauntlet-2")), (true, false));
}

#[test]
fn what_cannot_be_kept_is_refused() {
    refused(
        8,
        "when = \"top 3\"",
        "6:8: stop.when: \"top 3\": write it as \"places 1-3 at 95%\" or \"place 1 at 95%\"",
    );
    refused(
        8,
        "when = \"places 1-9 at 95%\"",
        "6:1: stop.when: there is no place 9: 8 players are ranked; name places that there are",
    );
    refused(
        8,
        "when = \"place 1 at 95%\"\nfrom_round = 5",
        "6:1: stop.when: places would be looked at from round 5 on, but round 5 is the last one anyway; write more rounds \
         under [swiss], or a smaller stop.from_round",
    );
    refused(
        8,
        "games = 15",
        "6:1: stop.games: round 1 alone has 16 games; write more games, or play shorter mini-matches (mini_match.games)",
    );
    refused(
        8,
        "time = \"0s\"",
        "6:8: stop.time: expected \"none\" or a duration above zero, such as \"480m\", found \"0s\"",
    );
    check(
        "[swiss]\nrounds = \"5-SS\"\n[mini_match]\ngames = 2\n[stop]\nwhen = \"place 1 at 95%\"",
        "6:1: stop.when: how sure places are is found by drawing game pairs anew, and one pair can only draw itself; write \
         games = 4 or more under [mini_match]",
    );
    let no_table = "a rule that ends an event early is for a Swiss, and for the cycles of an all-play-all or a gauntlet: in other \
                    formats players have met other opponents, or fewer of them, until the last round is over; write rounds = \
                    \"9-SS\", \"5-RR\" or \"5-gauntlet\" under [swiss], or leave out [stop]";
    let one_cycle = "an all-play-all or a gauntlet ends early after a cycle, in which everybody has met the same opponents, and this \
                     one has a single cycle; write a number of cycles before it, as in rounds = \"5-RR\" or \"5-gauntlet-2\" \
                     under [swiss]";
    for (format, expected) in [
        ("RR", one_cycle),
        ("double-RR", one_cycle),
        ("gauntlet", one_cycle),
        ("auto", one_cycle),
        ("knockout", no_table),
        ("quads", no_table),
    ] {
        check(
            &format!("[swiss]\nrounds = \"{format}\"\n[stop]\ntime = \"1m\""),
            &format!("4:1: stop.time: {expected}"),
        );
    }
    check(
        "[swiss]\nrounds = \"5-RR\"\n[mini_match]\ngames = 4\n[stop]\ngames = 3",
        "6:1: stop.games: the first cycle alone has 4 games; write more games, or play shorter mini-matches (mini_match.games)",
    );
    check(
        "[swiss]\nrounds = \"3-RR\"\n[mini_match]\ngames = 4\n[stop]\nwhen = \"place 1 at 95%\"\nfrom_round = 3",
        "6:1: stop.when: places would be looked at from round 3 on, but round 3 is the last one anyway; write more cycles \
         under [swiss], or a smaller stop.from_round",
    );
    check(
        "[event]\nstages = [{ format = \"5-SS\" }, { format = \"knockout\", top = 2 }]\n[stop]\ngames = 100",
        "4:1: stop.games: a rule that ends an event early is for an event of one part; leave out [stop], or event.stages and \
         event.sections",
    );
}
