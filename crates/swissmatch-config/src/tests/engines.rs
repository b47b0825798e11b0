//! Keys of engines, those of players and of the reference engine: refusals.

use std::path::Path;

use swiss_system::word::Word as _;

use super::{PLAYERS, check, check_whole, loaded};
use crate::{Flag, Origin, load};

#[test]
fn an_analysis_that_cannot_be() {
    check(
        "[analysis]\ncommand = \"./stockfish\"",
        "2:11: analysis.command: expected a program: a name to look up or an absolute path, without control characters, \
         found \"./stockfish\"",
    );
    check(
        "analysis.nodes = \"none\"",
        "1:10: analysis.nodes: nodes and depth are both \"none\", so no evaluation would end; give one of them a number",
    );
    check(
        "analysis.mistake = 50",
        "1:10: analysis.mistake: analysis.mistake = 50 is not more than analysis.inaccuracy = 50; an inaccuracy must lose \
         least, and a blunder most",
    );
    check(
        "analysis.mistake = 300",
        "1:10: analysis.mistake: analysis.blunder = 300 is not more than analysis.mistake = 300; an inaccuracy must lose \
         least, and a blunder most",
    );
    check(
        "analysis.clamp = 149",
        "1:10: analysis.clamp: no move can lose 300 centipawns while evaluations are clamped to ±149; a move can lose at most \
         twice \
         analysis.clamp",
    );
    check(
        "analysis.mean = \"game\"",
        "1:17: analysis.mean: expected \"moves\" or \"games\", found \"game\"; did you mean \"games\"?",
    );
    check(
        "analysis.resignation_move = 0",
        "1:29: analysis.resignation_move: expected \"none\" or centipawns from 1 to 100000, found 0",
    );
}

#[test]
fn surroundings_of_engines_that_cannot_be() {
    let check_player = |line: &str, expected: &str| {
        let player = format!("[[player]]\nname = \"A\"\ncommand = \"a\"\n{line}\n");
        check_whole(&player, expected);
    };
    check_player(
        "env = { 1A = \"x\" }",
        "4:9: player.env: variable \"1A\": expected a name of letters, digits and _ that does not begin with a digit",
    );
    check_player(
        "env = { \"A=B\" = \"x\" }",
        "4:9: player.env: variable \"A=B\": expected a name of letters, digits and _ that does not begin with a digit",
    );
    check_player(
        "env = { A = 1 }",
        "4:13: player.env: variable \"A\": expected a string without NUL characters",
    );
    check_player(
        "env = { A = \"x\\u0000\" }",
        "4:13: player.env: variable \"A\": expected a string without NUL characters",
    );
    check_player(
        "env = { A = \"$not a name\" }",
        "4:13: player.env: variable \"A\": expected the name of a variable after the $; write $$ for a value that begins with $",
    );
    check_player(
        "env = \"A=1\"",
        "4:7: player.env: expected a table of strings, such as { OMP_NUM_THREADS = \"1\", API_KEY = \"$API_KEY\" }, found \"A=1\"",
    );
    check_player(
        "dir = \"\"",
        "4:7: player.dir: expected the path of a directory, without control characters, found \"\"",
    );
    for address in [
        "api.example.org",
        ":443",
        "a:0",
        "a:65536",
        "a b:1",
        "::1:80",
        "[::1",
        "[a]:80",
        "a:+1",
        "http://a:80",
    ] {
        check_player(
            &format!("connect = [\"a:443\", \"[::1]:80\", \"{address}\"]"),
            &format!(
                "4:33: player.connect: expected a list of addresses, such as [\"api.example.org:443\"], found \"{address}\""
            ),
        );
    }
    check_player(
        "restart = \"games\"",
        "4:11: player.restart: expected \"never\" or \"game\", found \"games\"; did you mean \"game\"?",
    );
    check_player(
        "margin = 50",
        "4:10: player.margin: expected a duration such as \"50ms\", found 50; write it as a string with a unit, such as \"10s\"",
    );
    check(
        "engine.options = { Hash = 1, HASH = 2 }",
        "1:20: engine.options: option \"Hash\": given twice; names of UCI options do not differ by case alone",
    );
    check(
        "run.oversubscribe = \"yes\"",
        "1:21: run.oversubscribe: expected true or false, found \"yes\"",
    );
}

#[test]
fn programs_are_bound_where_agents_are_isolated() {
    let third = "[[player]]\nname = \"C\"\ncommand = \"c\"\nexec = \"own\"\n";
    loaded(third);
    check(
        &format!("{third}isolation = \"off\""),
        "4:1: player.exec: C is not isolated, and so runs any program; leave exec out, or write isolation = \"guarded\" for it",
    );
    check(
        "engine.isolation = \"off\"\nengine.exec = [\"gcc\"]",
        "2:8: engine.exec: A is not isolated, and so is kept from nothing; write isolation = \"guarded\" for it, or engine.isolation = \"guarded\" for all",
    );
    check(
        &third.replace("own", "none"),
        "4:8: player.exec: expected \"own\" or \"any\" or a list of programs, such as [\"/usr/bin/python3\"], found \"none\"",
    );
}

#[test]
fn a_sealed_agent_has_no_door() {
    let third = "[[player]]\nname = \"C\"\ncommand = \"c\"\nconnect = [\"a:443\"]\n";
    check(
        &format!("{third}isolation = \"sealed\""),
        "4:1: player.connect: a sealed agent has no network; leave connect out, or write isolation = \"guarded\" for this player",
    );
    check(
        &format!("engine.isolation = \"sealed\"\n{third}"),
        "5:1: player.connect: a sealed agent has no network; leave connect out, or write isolation = \"guarded\" for this player",
    );
    loaded(&format!(
        "engine.isolation = \"sealed\"\n{third}isolation = \"guarded\""
    ));
    loaded(third);
    let sealed = |text: &str| {
        let text = format!("{text}{PLAYERS}");
        let refused = load(Path::new("event.toml"), &text, &[Flag::isolation("sealed")]);
        refused.expect_err("no agent has both").to_string()
    };
    assert_eq!(
        sealed(&format!("{third}isolation = \"guarded\"")),
        "event.toml:4:1: player.connect: a sealed agent has no network; leave connect out, or give --isolation guarded"
    );
}

#[test]
fn the_flag_for_isolation_is_no_less_than_its_word() {
    let load = |word: &str| {
        let own = |name: &str, word: &str| {
            format!("[[player]]\nname = \"{name}\"\ncommand = \"c\"\nisolation = \"{word}\"\n")
        };
        let text = [
            "engine.isolation = \"sealed\"\n",
            &own("C", "off"),
            &own("D", "sealed"),
            PLAYERS,
        ]
        .concat();
        load(Path::new("event.toml"), &text, &[Flag::isolation(word)])
    };
    let loaded = load("guarded").unwrap_or_else(|error| panic!("{error}"));
    let words: Vec<&str> = loaded
        .setup
        .players
        .iter()
        .map(|player| loaded.setup.isolation(player).word())
        .collect();
    assert_eq!(words, ["guarded", "sealed", "guarded", "guarded"]);
    let origin = loaded.origin("engine.isolation");
    assert_eq!(origin, Some(&Origin::Flag("--isolation".to_owned())));
    let wrong = load("guard").expect_err("no such word").to_string();
    assert_eq!(
        wrong,
        "--isolation: engine.isolation: expected \"sealed\", \"guarded\" or \"off\", found \"guard\"; did you mean \"guarded\"?"
    );
}

#[test]
fn what_is_required_is_no_use_without_isolation() {
    let text = format!("engine.isolation_require = [\"pids\"]\n{PLAYERS}");
    let load = |flags: &[Flag]| load(Path::new("event.toml"), &text, flags);
    assert!(load(&[]).is_ok());
    let refused = |flag: Flag| load(&[flag]).expect_err("nothing keeps them from it").to_string();
    let why = "event.toml:1:8: engine.isolation_require: A is not isolated, and so is kept from nothing; \
               write isolation = \"guarded\" for it, or";
    assert_eq!(
        refused(Flag::set("engine.isolation", "off")),
        format!("{why} engine.isolation = \"guarded\" for all")
    );
    assert_eq!(
        refused(Flag::isolation("off")),
        format!("{why} give --isolation guarded")
    );
}

#[test]
fn whoever_ponders_has_no_bounds() {
    let third = |keys: &str| format!("[[player]]\nname = \"C\"\ncommand = \"c\"\n{keys}");
    check(
        "[game]\nponder = 1",
        "2:10: game.ponder: expected true or false, found 1",
    );
    check(
        "[game]\nponder = true\nnodes = 6",
        "2:1: game.ponder: \"A\" is set to ponder, but has a bound of nodes or depth, which would end its search before its \
         turn; \
         leave game.ponder or the bound out",
    );
    check(
        &third("ponder = true\ntime_control = \"depth=3\""),
        "4:1: player.ponder: \"C\" is set to ponder, but has a bound of nodes or depth, which would end its search before its \
         turn; \
         leave player.ponder or the bound out",
    );
    check(
        &third("ponder = true\noptions = { Ponder = false }"),
        "4:1: player.ponder: \"C\" is set to ponder, but its options say Ponder = false; leave Ponder out of player.options; \
         it is set for every agent that has it",
    );
    let for_all = "engine.options = { ponder = false }\n";
    check(
        &format!("{for_all}game.ponder = true"),
        "2:6: game.ponder: \"A\" is set to ponder, but the options for all say Ponder = false; leave Ponder out of \
         engine.options; \
         it is set for every agent that has it",
    );
    // A player's own keys replace it.
    loaded(&format!(
        "{for_all}{}",
        third("ponder = true\noptions = { Ponder = true }")
    ));
    loaded(for_all);
}
