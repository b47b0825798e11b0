//! Sections and the house player: what is read, what is refused and what is said then.

use swiss_system::pairing::rounds::TournamentFormat;

use super::*;

/// Players of these names with these lines.
fn players(lines: &[(&str, &str)]) -> String {
    let player = |(name, more): &(&str, &str)| format!("[[player]]\nname = \"{name}\"\ncommand = \"x\"\n{more}\n");
    lines.iter().map(player).collect()
}

const FOUR: [(&str, &str); 4] = [
    ("A", "rating = 2100"),
    ("B", "rating = 2000"),
    ("C", "rating = 1999"),
    ("D", "section = \"Rest\""),
];
const TWO_SECTIONS: &str =
    "event.sections = [{ name = \"Open\", from = 2000 }, { name = \"Rest\", to = 1999, format = \"3-SS\" }]\n";

#[test]
fn sections_are_read_and_printed() {
    let text = format!("{TWO_SECTIONS}swiss.rounds = 2\n{}", players(&FOUR));
    let loaded = load_text(&text).unwrap_or_else(|error| panic!("{error}"));
    let (setup, printed) = (&loaded.setup, effective(&loaded));
    let of: Vec<_> = setup.players.iter().map(|player| setup.section_of(player)).collect();
    assert_eq!(of, [Ok(0), Ok(0), Ok(1), Ok(1)]);
    let plan = setup.plan();
    assert_eq!(
        (plan.format, plan.rounds),
        (TournamentFormat::Sections, 3),
        "the longest"
    );
    assert!(
        printed.contains("sections = [{ name = \"Open\", from = 2000 }, { name = \"Rest\", to = 1999, format = 3 }]"),
        "{printed}"
    );
    assert!(printed.contains("\nsection = \"Rest\""), "{printed}");
    assert_eq!(load_text(&printed).map(|again| again.setup), Ok(loaded.setup));
    // Where each has a format of its own, that of the event is neither wanted nor printed.
    let each = text
        .replace("from = 2000", "from = 2000, format = \"RR\"")
        .replace("swiss.rounds = 2\n", "");
    let printed = effective(&load_text(&each).unwrap_or_else(|error| panic!("{error}")));
    let before = printed.split("[lichess]").next().unwrap_or_default();
    assert!(!before.contains("\nrounds = "), "{printed}");
    load_text(&printed).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn sections_that_do_not_fit() {
    for (sections, message) in [
        (
            "{ from = 1 }",
            "a section has no name; give it one, such as name = \"Open\"",
        ),
        (
            "{ name = \"A\", rounds = 3 }",
            "unknown entry \"rounds\" of a section; a section has name, from, to, format and prizes",
        ),
        (
            "{ name = \"A\", from = 1.5 }",
            "from of a section: expected a rating, a whole number from -10000 to 10000",
        ),
        (
            "{ name = \" A\" }",
            "name of a section: expected a name of 1 to 100 characters without control characters or blanks at its ends",
        ),
        (
            "{ name = \"A\", format = \"7-XX\" }",
            "format of a section: expected a format as in swiss.rounds",
        ),
        (
            "{ name = \"A\", from = 1 }, { name = \"a\" }",
            "two sections are called \"a\", or have names that read alike; names must differ in more than upper and lower \
             case, invisible characters, \
             and letters that look the same",
        ),
        (
            "{ name = \"A\", from = 2, to = 1 }",
            "section \"A\" takes ratings from 2 to 1, which is an empty range; write the lower rating as from",
        ),
        (
            "{ name = \"A\", from = 1, format = \"quads\" }",
            "section \"A\": \"quads\" cannot be played in a section; write a number of rounds, \"auto\", \"RR\" or \"gauntlet-2\"",
        ),
        (
            "{ name = \"A\", from = 1, format = \"double-RR\" }",
            "section \"A\": format = \"double-RR\" has 2 games a round, but mini_match.games, which counts in all sections, \
             is 4; \
             write mini_match.games = 2, or the format without \"double-\"",
        ),
        (
            "{ name = \"A\", from = 2000 }, { name = \"B\", to = 1999 }, { name = \"Rest\" }",
            "section \"B\" needs at least 2 players, but has 1; change its bounds, name it in more players (section = …), or \
             leave it out",
        ),
    ] {
        let text = format!(
            "event.sections = [{sections}]\nmini_match.games = 4\n{}",
            players(&FOUR)
        );
        let error = load_text(&text).map(|_| ()).expect_err(sections).to_string();
        let (place, said) = error
            .split_once(" event.sections: ")
            .unwrap_or_else(|| panic!("{error}"));
        assert!(place.starts_with("event.toml:1:"), "{error}");
        assert_eq!(said, message);
    }
}

#[test]
fn a_player_of_no_one_section_is_refused_at_its_line() {
    let refused = |sections: &str, last: (&str, &str), message: &str| {
        let text = format!(
            "event.sections = [{sections}]\n{}",
            players(&[&FOUR[..3], &[last]].concat())
        );
        check_whole(&text, message);
    };
    let bounds = "{ name = \"Open\", from = 2000 }, { name = \"Rest\", from = 1000, to = 1999 }";
    refused(
        bounds,
        ("D", "rating = 900"),
        "17:1: player.rating: \"D\" does not belong to exactly one section: no section includes the rating 900; \
         write section = … for this player: one of \"Open\", \"Rest\"",
    );
    refused(
        bounds,
        ("D", ""),
        "15:1: player.name: \"D\" does not belong to exactly one section: it has neither a rating nor a section; \
         write section = … for this player: one of \"Open\", \"Rest\"",
    );
    refused(
        bounds,
        ("D", "section = \"Other\""),
        "17:1: player.section: \"D\" does not belong to exactly one section: there is no section \"Other\"; write section = … \
         for this \
         player: one of \"Open\", \"Rest\"",
    );
    refused(
        "{ name = \"Open\", from = 2000 }, { name = \"Rest\", to = 2000 }",
        ("D", "rating = 900"),
        "9:1: player.rating: \"B\" does not belong to exactly one section: both \"Open\" and \"Rest\" include the rating 2000; \
         write section = … for this player: one of \"Open\", \"Rest\"",
    );
    check_whole(
        &players(&FOUR),
        "16:1: player.section: the event has no sections; write event.sections = [{ name = \"Open\" }, …], or leave section out",
    );
}

#[test]
fn what_sections_do_not_go_with() {
    let check = |more: &str, message: &str| check_whole(&format!("{TWO_SECTIONS}{more}\n{}", players(&FOUR)), message);
    check(
        "event.stages = [{ format = \"RR\" }]",
        "1:7: event.sections: event.stages is given too, but an event has either stages or sections; leave one of them out; \
         to let the winners of sections play on, make each section an event of its own",
    );
    check(
        "swiss.rounds = \"knockout\"",
        "2:7: swiss.rounds: \"knockout\" cannot be played in a section; write a number of rounds, \"auto\", \"RR\" or \
         \"gauntlet-2\", or a format for each section",
    );
    let given = TWO_SECTIONS.replace("from = 2000", "from = 2000, format = \"RR\"");
    check_whole(
        &format!("{given}swiss.rounds = 3\n{}", players(&FOUR)),
        "2:7: swiss.rounds: every section has a format of its own, so this has no effect; leave it out, or leave out \
         the format of a section",
    );
    // Byes can be asked for in those that are a Swiss, within their rounds.
    let bye = |line: usize, of: &str, round: u32, message: &str| {
        let sections = given.replace("\"3-SS\"", "\"1-SS\"");
        let mut four = FOUR.map(|(name, more)| (name, more.to_owned()));
        four[line].1 += &format!("\nbyes = [{round}]");
        let four: Vec<(&str, &str)> = four.iter().map(|(name, more)| (*name, more.as_str())).collect();
        let text = format!(
            "{sections}bye.requests = [{{ rounds = 9, byes = 1 }}]\n{}",
            players(&four)
        );
        let error = load_text(&text).map(|_| ()).expect_err(of).to_string();
        assert!(error.ends_with(message), "{error}");
    };
    bye(
        0,
        "an all-play-all",
        1,
        "a bye can be asked for only in a Swiss; leave byes out",
    );
    bye(
        2,
        "one round",
        2,
        "there is no round 2: the section has 1; name rounds of the event",
    );
}

#[test]
fn the_house_player_stands_alone_in_a_swiss() {
    let house = |head: &str, lines: &[(&str, &str)]| format!("{head}\n{}", players(lines));
    let text = house(
        "swiss.rounds = 3",
        &[("A", ""), ("B", ""), ("C", ""), ("H", "house = true")],
    );
    let loaded = load_text(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(effective(&loaded).contains("\nhouse = true"));
    assert_eq!(loaded.setup.stages()[0].players, 3);
    assert!(
        loaded
            .warnings
            .iter()
            .all(|warning| !warning.contains("everybody has met")),
        "each of three and the house player: {:?}",
        loaded.warnings
    );
    check_whole(
        &house(
            "swiss.rounds = 3",
            &[("A", ""), ("B", ""), ("H", "house = true"), ("I", "house = true")],
        ),
        "17:1: player.house: \"I\" is one too many: the house player is at line 10; one is enough to make an odd number \
         even: leave out house, or the player",
    );
    check_whole(
        &house("swiss.rounds = \"RR\"", &[("A", ""), ("B", ""), ("H", "house = true")]),
        "13:1: player.house: \"RR\" with 2 players is not a Swiss, and only a Swiss can have a house player; write a number \
         of rounds, \
         such as \"5-SS\", or leave house out",
    );
    check_whole(
        &house(
            "event.stages = [{ format = \"2-SS\" }, { format = \"RR\", top = 2 }]",
            &[("A", ""), ("B", ""), ("H", "house = true")],
        ),
        "13:1: player.house: an event in stages has no house player: a player who is not ranked cannot go on to the next \
         stage; leave house out, or \
         event.stages",
    );
    check_whole(
        &house("swiss.rounds = 3", &[("A", ""), ("H", "house = true")]),
        "player: an event needs at least 2 players besides house players, found 1; add [[player]] tables, each with name and \
         command",
    );
    // One a section.
    let two = [
        &FOUR[..],
        &[
            ("H", "house = true\nrating = 2500"),
            ("I", "house = true\nsection = \"Rest\""),
        ],
    ]
    .concat();
    let sections = TWO_SECTIONS.replace("\"3-SS\"", "\"1-SS\"");
    load_text(&house(&format!("{sections}swiss.rounds = 1"), &two)).unwrap_or_else(|error| panic!("{error}"));
    let third = [&two[..], &[("J", "house = true\nrating = 1")]].concat();
    check_whole(
        &house(&format!("{sections}swiss.rounds = 1"), &third),
        "32:1: player.house: \"J\" is one too many: the house player of section \"Rest\" is at line 24; one is enough to make \
         an odd number even: leave out house, or the player",
    );
}

/// "An entry of `event.sections` may have `prizes = { … }`, which replaces the table for that section."
#[test]
fn a_section_may_have_prizes_of_its_own() {
    let with = |prizes: &str| TWO_SECTIONS.replace("from = 2000", &format!("from = 2000, prizes = {prizes}"));
    let text = |prizes: &str| format!("{}prizes.by_place = [10]\n{}", with(prizes), players(&FOUR));
    let loaded = |prizes: &str| load_text(&text(prizes));
    let own = "{ currency = \"USD\", by_place = [{ money = 50, trophy = \"Cup\" }, 20], winner_fixed = 5 }";
    let setup = loaded(own).unwrap_or_else(|error| panic!("{error}")).setup;
    let prizes: Vec<(u32, usize)> = setup
        .all_prizes()
        .map(|(section, prizes)| (section, prizes.by_place.len()))
        .collect();
    assert_eq!(prizes, [(1, 2), (2, 1)]);
    // What is printed reads again.
    let again = load_text(&text(own)).unwrap_or_else(|error| panic!("{error}"));
    let printed = effective(&again);
    assert!(
        printed.contains("prizes = { currency = \"USD\", by_place = ["),
        "{printed}"
    );
    assert_eq!(load_text(&printed).map(|again| again.setup), Ok(setup));
    let refused = |prizes: &str| loaded(prizes).map(|_| ()).expect_err("refused").to_string();
    assert!(
        refused("{ money = 5 }").contains("unknown entry \"money\" of a section's prizes"),
        "{}",
        refused("{ money = 5 }")
    );
    assert!(
        refused("{ by_place = 5 }").contains("by_place of a section's prizes: expected a list of amounts"),
        "{}",
        refused("{ by_place = 5 }")
    );
    let more = refused("{ by_place = [10], winner_fixed = 20 }");
    assert!(
        more.contains("section \"Open\": prizes.winner_fixed: 20.00 is more than the 10.00 of the first prize"),
        "{more}"
    );
}
