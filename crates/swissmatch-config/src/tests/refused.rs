//! Wrong files, each with the one message that it gets.

use std::path::Path;

use super::{PLAYERS, check, check_whole, with_flag};
use crate::{Flag, load};

#[test]
fn unknown_keys_name_the_nearest() {
    check(
        "[swiss]\nronds = 7",
        "2:1: swiss.ronds: unknown key; did you mean swiss.rounds?",
    );
    check("rounds = 7", "1:1: rounds: unknown key; did you mean swiss.rounds?");
    check(
        "[swis]\nrounds = 7",
        "2:1: swis.rounds: unknown key; did you mean swiss.rounds?",
    );
    check("[swis]", "1:2: swis: unknown key; did you mean swiss?");
    check(
        "game.atempts = 7",
        "1:6: game.atempts: unknown key; did you mean game.attempts?",
    );
    check(
        "[event]\nseed = 7",
        "2:1: event.seed: unknown key; did you mean event.rng_seed?",
    );
    check(
        "[bye]\nwhatever = 7",
        "2:1: bye.whatever: unknown key; the keys of bye are order, score, match_points, game_points, again, \
         requests",
    );
    check(
        "qqqqqqqqqqqqqqqq = 1",
        "1:1: qqqqqqqqqqqqqqqq: unknown key; an event file has preset, [[player]], [endpoint.NAME], [[rules]] and the tables event, swiss, \
         mini_match, game, scoring, bye, standings, schedule, presence, playoff, prizes, tour, adjudication, engine, faults, model, \
         spending, sprt, stop, run, analysis, \
         registration, arbiter, publish, lichess, eligibility, submissions, ladder",
    );
    check(
        "[swiss]\nrounds.a = 7",
        "2:1: swiss.rounds: expected \"auto\", a number of rounds from 1 to 10000, \"7-SS\", \
         \"log2\", \"log2+2\", \"RR\", \"3-RR\", \"double-RR\", \
         \"double-SS\", \"5-double-SS\", \"gauntlet-2\", \"5-gauntlet-2\", \"knockout\" or \"quads\", found a table",
    );
    check_whole(
        "[[players]]\nname = \"A\"",
        "1:3: players: unknown key; did you mean player?",
    );
    check_whole(
        "[[player]]\nname = \"A\"\ncomand = \"a\"",
        "3:1: player.comand: unknown key; did you mean player.command?",
    );
    for (word, key) in [
        ("elo", "rating"),
        ("cmd", "command"),
        ("threads", "options"),
        ("tc", "time_control"),
    ] {
        check_whole(
            &format!("[[player]]\nname = \"A\"\n{word} = 1"),
            &format!("3:1: player.{word}: unknown key; did you mean player.{key}?"),
        );
    }
    check(
        "game.tc = \"10+0.1\"",
        "1:6: game.tc: unknown key; did you mean game.time_control?",
    );
    check(
        "[swiss]\nseeding = \"rating\"\nronds = 7\n[game]\natempts = 1",
        "3:1: swiss.ronds: unknown key; did you mean swiss.rounds?",
    );
}

#[test]
fn wrong_values_say_what_was_expected() {
    check("preset = 3", "1:10: preset: expected the name of a preset, found 3");
    check(
        "preset = \"nones\"",
        "1:10: preset: no preset is named \"nones\"; did you mean none?",
    );
    check(
        "preset = \"chess960\"",
        "1:10: preset: no preset is named \"chess960\"; the presets are global-chess-challenge, none, kaggle-chess, us-chess, gct-rapid-blitz, \
         gct-classical, gct-tour, immortal-game, ai-chessathon-2026",
    );
    check("game = 3", "1:8: game: expected a table, found 3");
    check("[[game]]\nattempts = 3", "1:1: game: expected a table, found a list");
    check(
        "[game]\nattempts = \"three\"",
        "2:12: game.attempts: expected a whole number from 1 to 1000, found \"three\"",
    );
    check(
        "[game]\nattempts = 3.0",
        "2:12: game.attempts: expected a whole number from 1 to 1000, found 3.0",
    );
    check(
        "[game]\nattempts = 0",
        "2:12: game.attempts: expected a whole number from 1 to 1000, found 0",
    );
    check(
        "[game]\nillegal_attempts = \"alone\"",
        "2:20: game.illegal_attempts: expected \"shared\" or a whole number from 1 to 1000, found \"alone\"",
    );
    check(
        "[game]\nmax_moves = 0",
        "2:13: game.max_moves: expected \"none\" or a number of full moves from 1 to 100000, found 0",
    );
    check(
        "[game]\nmove_overhead = 50",
        "2:17: game.move_overhead: expected a duration such as \"50ms\", found 50; \
         write it as a string with a unit, such as \"10s\"",
    );
    check(
        "[game]\nmargin = \"50\"",
        "2:10: game.margin: `50`: expected a unit: ms, s or m (character 3)",
    );
    check(
        "[engine]\nstart_limit = \"0s\"",
        "2:15: engine.start_limit: expected a duration above zero, such as \"10s\", found \"0s\"",
    );
    check(
        "[game]\ntime_control = \"10+x\"",
        "2:16: game.time_control: `10+x`: expected seconds, such as 0.1 (character 4); usual forms are \"10+0.1\" and \"100ms/move\" (docs/time-controls.md)",
    );
    check(
        "[game]\ntime_control = 60",
        "2:16: game.time_control: expected a time control as a string: \"30s/move\", \"10+0.1\", \"G/45 d5\", \
         \"hourglass 1:00\" or \"nodes=5000\", found 60",
    );
    check(
        "[game]\ntime_control = \"0s/move\"",
        "2:16: game.time_control: `0s/move`: expected a time above zero (character 1); usual forms are \"10+0.1\" and \"100ms/move\" (docs/time-controls.md)",
    );
    check(
        "[swiss]\nrounds = 0",
        "2:10: swiss.rounds: expected \"auto\", a number of rounds from 1 to 10000, \"7-SS\", \"log2\", \"log2+2\", \"RR\", \"3-RR\", \"double-RR\", \
         \"double-SS\", \"5-double-SS\", \"gauntlet-2\", \"5-gauntlet-2\", \"knockout\" or \"quads\", found 0",
    );
    check(
        "[swiss]\nseeding = \"ratings\"",
        "2:11: swiss.seeding: expected \"rating\", \"submitted\", \"listed\", \"random\" or \"ladder\", found \"ratings\"; \
         did you mean \"rating\"?",
    );
    check(
        "[mini_match]\ngames = 3",
        "2:9: mini_match.games: expected 1 or an even number of games up to 1000000, found 3",
    );
    check(
        "[mini_match]\nopenings = \"bundle\"",
        "2:12: mini_match.openings: expected \"bundled\", \"unbalanced\", \"chess960\", \"none\" or the path of an EPD, FEN, PGN or \
         Polyglot file, found \"bundle\"; write \"./bundle\" if it is a file",
    );
    check(
        "[mini_match]\nopening_start = 0",
        "2:17: mini_match.opening_start: expected a whole number from 1 to 4294967295, found 0",
    );
    check(
        "[mini_match]\nopening_policy = \"rounds\"",
        "2:18: mini_match.opening_policy: expected \"round\", \"event\" or \"mini-match\", found \"rounds\"; did you mean \"round\"?",
    );
    check(
        "[game]\nvariant = \"chess 960\"",
        "2:11: game.variant: expected \"standard\" or \"chess960\", found \"chess 960\"; did you mean \"chess960\"?",
    );
    check(
        "[run]\nconcurrency = \"all\"",
        "2:15: run.concurrency: expected \"cores\" or a number of games from 1 to 10000, found \"all\"",
    );
    check(
        "[event]\nname = \" Spring\"",
        "2:8: event.name: expected a name of 1 to 100 characters without control characters or blanks at its ends, \
         found \" Spring\"",
    );
    check(
        "[event]\nrng_seed = -1",
        "2:12: event.rng_seed: expected a whole number from 0 to 18446744073709551615, found -1",
    );
}

#[test]
fn wrong_points_and_lists() {
    let table = "expected points between -1000 and 1000 with at most three decimals, \
                 such as { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0]";
    check(
        "scoring.game = [1, 0]",
        &format!("1:16: scoring.game: {table}, found 2 values"),
    );
    check(
        "scoring.game = [1, 5e-1, 0]",
        &format!("1:20: scoring.game: {table}, found 5e-1"),
    );
    check(
        "scoring.game = [1, 0.3333, 0]",
        &format!("1:20: scoring.game: {table}, found 0.3333"),
    );
    check("scoring.game = 1", &format!("1:16: scoring.game: {table}, found 1"));
    check(
        "scoring.game = { win = 1, draw = 0.5 }",
        "1:16: scoring.game: `loss` is missing",
    );
    check(
        "[scoring.match]\nwin = 1\ndraw = 0.5\nlos = 0",
        "4:1: scoring.match: unknown entry \"los\"; expected win, draw and loss",
    );
    check(
        "scoring.game = [0, 0.5, 1]",
        "1:16: scoring.game: a win must be worth more than a loss, and a draw must lie between them",
    );
    check(
        "bye.match_points = -1",
        "1:20: bye.match_points: expected points from 0 to 1000 with at most three decimals, found -1",
    );
    check(
        "bye.score = \"half\"",
        "1:13: bye.score: expected \"protocol\" (0.5 match points, 1 game point) or \
         \"leaderboard\" (1 match point, 2 game points), found \"half\"",
    );
    check(
        "[bye]\ngame_points = 1\nscore = \"protocol\"",
        "3:1: bye.score: stands for bye.match_points and bye.game_points, but bye.game_points is given too; \
         give one or the other",
    );
    let order = "expected a list of criteria, such as [\"match-points\", \"h2h\", \"BH/C1\", \"SB\"]";
    check(
        "standings.order = []",
        &format!("1:19: standings.order: {order}, found an empty list"),
    );
    check(
        "standings.order = \"h2h\"",
        &format!("1:19: standings.order: {order}, found \"h2h\""),
    );
    check(
        "standings.order = [\"match-points\", \"bucholz\"]",
        "1:36: standings.order: `bucholz` is not a tie-break; did you mean `buchholz`?",
    );
    check(
        "standings.order = [\"h2h\", \"match-points\"]",
        "1:19: standings.order: the first criterion must be \"match-points\" or \"game-points\"; the others break its ties",
    );
    check(
        "standings.order = [\"match-points\", \"DE\", \"BH\", \"DE\", \"BH\"]",
        "1:54: standings.order: \"BH\" is given twice",
    );
    check(
        "standings.columns = [\"wdl\", \"wdl\"]",
        "1:29: standings.columns: \"wdl\" is given twice",
    );
    check(
        "bye.order = [\"fewest-byes\", \"fewest-byes\"]",
        "1:29: bye.order: \"fewest-byes\" is given twice",
    );
    check(
        "bye.order = [\"no-bye-yet\"]",
        "1:14: bye.order: expected a list of \"fewest-byes\", \"lowest-match-points\", \"worst-previous-place\", \
         \"earliest-submission\" and \"lowest-rating\", found \"no-bye-yet\"; did you mean \"fewest-byes\"?",
    );
}

#[test]
fn a_player_has_an_engine_or_a_program_that_is_asked() {
    let player = |keys: &str| format!("[[player]]\nname = \"A\"\n{keys}\n");
    for (keys, wrong) in [
        (
            "command = \"a\"\nmove_command = [\"b\"]",
            "4:1: player.move_command: a player has only one of command, model, move_command and move_url; leave all but one out: \
             command is a UCI engine, model a language model, move_command a program that is asked once a move, move_url a web \
             service that is",
        ),
        (
            "move_command = [\"b\"]\nargs = [\"c\"]",
            "4:1: player.args: arguments of a program that is asked once a move stand after it; write them into move_command, as in \
             move_command = [\"./move.sh\", \"--fast\"]",
        ),
        (
            "command = \"a\"\nkeep_alive = true",
            "4:1: player.keep_alive: only a program that is asked once a move is started for each; leave it out; an engine is started \
             anew as restart says",
        ),
        (
            "move_command = []",
            "3:16: player.move_command: expected a list of strings that begins with a program, such as [\"./move.sh\"], found a list",
        ),
    ] {
        check_whole(&player(keys), wrong);
    }
}

#[test]
fn wrong_players() {
    check_whole(
        "",
        "player: an event needs at least 2 players, found 0; add [[player]] tables, each with name and command",
    );
    check_whole(
        "[[player]]\nname = \"A\"\ncommand = \"a\"",
        "player: an event needs at least 2 players, found 1; add [[player]] tables, each with name and command",
    );
    check_whole(
        "[[player]]\nname = \"A\"",
        "1:1: player.command: missing; every player needs a name, and one of command, model, move_command and move_url; write command for \
         a UCI engine, model for a language model, move_command for a program that is asked once a move, or move_url for a web \
         service that is",
    );
    check_whole(
        "[player]\nname = \"A\"",
        "1:1: player: expected [[player]] tables, one for each player, found a table",
    );
    check_whole(
        "player = [1]",
        "1:11: player: expected [[player]] tables, one for each player, found 1",
    );
    let player = |line: &str| format!("[[player]]\ncommand = \"a\"\n{line}\n");
    let name = "expected a name of 1 to 200 characters without control characters or blanks at its ends";
    check_whole(&player("name = \"\""), &format!("3:8: player.name: {name}, found \"\""));
    check_whole(
        &player("name = \"A\\u001b[2J\""),
        &format!("3:8: player.name: {name}, found \"A\\u001B[2J\""),
    );
    check_whole(
        &player("name = \"A \""),
        &format!("3:8: player.name: {name}, found \"A \""),
    );
    check_whole(
        &player(&format!("name = \"{}\"", "x".repeat(201))),
        &format!("3:8: player.name: {name}, found \"{}…\"", "x".repeat(39)),
    );
    check_whole(
        &format!("{PLAYERS}[[player]]\ncommand = \"c\"\nname = \"b\"\n"),
        "10:1: player.name: \"b\" reads like \"B\", the name of the player at line 5; names must differ in more than upper and lower \
         case, invisible characters, and letters that look the same",
    );
    check_whole(
        &format!("{PLAYERS}[[player]]\ncommand = \"c\"\nname = \"B\u{200b}\"\n"),
        "10:1: player.name: \"B\\u200B\" reads like \"B\", the name of the player at line 5; names must differ in more than upper and \
         lower case, invisible characters, and letters that look the same",
    );
    check_whole(
        &player("name = \"\u{200b}\""),
        &format!("3:8: player.name: {name}, found \"\\u200B\""),
    );
    check_whole(
        &player("args = \"-x\""),
        "3:8: player.args: expected a list of strings without NUL characters, found \"-x\"",
    );
    check_whole(
        &player("args = [\"-x\", 3]"),
        "3:15: player.args: expected a list of strings without NUL characters, found 3",
    );
    check_whole(
        &player("options = { Hash = 1.5 }"),
        "3:13: player.options: option \"Hash\": expected a string, a whole number or a boolean",
    );
    check_whole(
        &player("options = { Hash = 1, hash = 2 }"),
        "3:23: player.options: option \"hash\": given twice; names of UCI options do not differ by case alone",
    );
    check_whole(
        &player("options = { Book = \"a\\nquit\" }"),
        "3:13: player.options: option \"Book\": expected a value without control characters",
    );
    check_whole(
        &player("rating = \"1800\""),
        "3:10: player.rating: expected a whole number from -10000 to 10000, found \"1800\"",
    );
    let moment = "expected a date and time with its offset from UTC, such as 2026-01-30T10:00:00Z";
    check_whole(
        &player("submitted_at = 2026-01-30T10:00:00"),
        &format!("3:16: player.submitted_at: {moment}, found 2026-01-30T10:00:00"),
    );
    check_whole(
        &player("submitted_at = \"soon\""),
        &format!("3:16: player.submitted_at: {moment}, found \"soon\""),
    );
}

#[test]
fn later_versions_are_refused_by_name() {
    check(
        "[[attendance]]\nround = 1",
        "1:3: attendance: this is not supported by this version",
    );
    check(
        "limits.memory = \"x\"",
        "1:1: limits: this is not supported by this version",
    );
    check(
        "[model]\nkeep = \"none\"",
        r#"2:8: model.keep: expected "hashes", "faults" or "all", found "none""#,
    );
    check(
        "standings.order = [\"match-points\", \"BC\"]",
        "1:36: standings.order: BC ranks by the order of boards, which is not computed; leave it out, or list MPvGP or EDE \
         instead",
    );
    check(
        "standings.order = [\"match-points\", \"BH\", \"PTS\"]",
        "1:19: standings.order: match-points and PTS are the same points; leave one of them out",
    );
}

#[test]
fn what_is_no_toml_has_its_place() {
    check(
        "[swiss\nrounds = 1",
        "1:7: not valid TOML: unclosed table, expected `]`",
    );
    check("a = 1\na = 2", "2:1: not valid TOML: duplicate key");
    check(
        "x = ",
        "1:5: not valid TOML: string values must be quoted, expected literal string",
    );
    check(
        "[swiss]\nrounds = auto",
        "2:10: not valid TOML: string values must be quoted, expected literal string",
    );
}

#[test]
fn flags_are_held_to_the_same_keys() {
    let refused = |key, value| with_flag(key, value).expect_err(value).to_string();
    assert_eq!(
        refused("run.concurrency", "many"),
        "--set: run.concurrency: expected \"cores\" or a number of games from 1 to 10000, found \"many\"",
    );
    assert_eq!(
        refused("run.max_faults", "101%"),
        "--set: run.max_faults: expected \"none\" or a number of games from 0 to 10000 or a share from \"0%\" to \
         \"100%\", found \"101%\"",
    );
    assert_eq!(
        refused("engine.alarms", "[\"ab\"]"),
        "--set: engine.alarms: expected a list of at most 64 texts, such as [\"built-in\", \"FATAL\"], found \"ab\"",
    );
    let many: Vec<String> = (100..165).map(|number| format!("\"{number}\"")).collect();
    let many = format!("[{}]", many.join(", "));
    assert_eq!(
        refused("engine.alarms", &many),
        "--set: engine.alarms: 65 texts are more than 64",
    );
    let own = Flag::new("--concurrency", "run.concurrency", "many");
    assert_eq!(
        load(Path::new("event.toml"), PLAYERS, &[own])
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err(
            "--concurrency: run.concurrency: expected \"cores\" or a number of games from 1 to 10000, found \"many\""
                .to_owned()
        ),
    );
    let both = [Flag::set("bye.match_points", "1"), Flag::set("bye.score", "protocol")];
    assert_eq!(
        load(Path::new("event.toml"), PLAYERS, &both)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err(
            "--set: bye.score: stands for bye.match_points and bye.game_points, but bye.match_points is given too; \
             give one or the other"
                .to_owned()
        ),
    );
    assert_eq!(
        refused("run.concurency", "2"),
        "--set: run.concurency: unknown key; did you mean run.concurrency?"
    );
}

#[test]
fn time_controls_go_together() {
    check(
        "[game]\ntime_control = \"10+0.1 nodes=5\"\nnodes = 6",
        "3:1: game.nodes: nodes= is given in game.time_control too; leave game.nodes out, or take it out of the time control",
    );
    check(
        "[game]\ntime_control = \"depth=5\"\ndepth = 5",
        "3:1: game.depth: depth= is given in game.time_control too; leave game.depth out, or take it out of the time control",
    );
    let third = |keys: &str| format!("[[player]]\nname = \"C\"\ncommand = \"c\"\n{keys}");
    check(
        &third("nodes = 7\ntime_control = \"10+0.1 nodes=5\""),
        "4:1: player.nodes: nodes= is given in player.time_control too; leave player.nodes out, or take it out of the time \
         control",
    );
    check(
        &third("time_control = \"40/90 SD/\""),
        "4:16: player.time_control: `40/90 SD/`: expected minutes, such as 90 (character 10); usual forms are \"10+0.1\" and \"100ms/move\" (docs/time-controls.md)",
    );
    check(
        &third("time_control = \"hourglass 1:00\""),
        "4:1: player.time_control: an hourglass needs the same time control for both sides, but there are `hourglass 1:00` and \
         `30s/move`; leave player.time_control out, or give every player the same",
    );
    check(
        &format!(
            "game.time_control = \"hourglass 2:00\"\n{}",
            third("time_control = \"hourglass 1:00\"")
        ),
        "5:1: player.time_control: an hourglass needs the same time control for both sides, but there are `hourglass 1:00` and \
         `hourglass 2:00`; leave player.time_control out, or give every player the same",
    );
}

#[test]
fn keys_of_the_pairing_go_together() {
    check(
        "[swiss]\ncolor = \"first-game\"",
        "2:1: swiss.color: pairing = \"match-points\" pairs without regard to colour; \
         write color = \"ignore\", or pairing = \"dutch\"",
    );
    check(
        "[swiss]\nedition = \"2017\"",
        "2:1: swiss.edition: only the Dutch system uses this; write pairing = \"dutch\", or leave the key out",
    );
    check(
        "[swiss]\npairing = \"dutch\"\nrounds = 2",
        "3:1: swiss.rounds: 2 rounds of 2 players: in the Dutch system nobody meets twice, so 1 round is the most; \
         write fewer rounds, or pairing = \"match-points\", which repeats pairings where it must",
    );
    check(
        "[swiss]\npairing = \"dutch\"\nacceleration = \"baku\"\n[scoring]\nmatch = [3, 1, 0]",
        "3:1: swiss.acceleration: \"baku\" needs a win worth two draws, and a loss worth nothing; \
         change scoring.match, or write acceleration = \"none\"",
    );
    check(
        "[swiss]\nforbidden = [[\"A\", \"C\"]]",
        "2:1: swiss.forbidden: no player is called \"C\"; write the names exactly as the players have them",
    );
    check(
        "[swiss]\nforbidden = [[\"A\", \"B\"]]",
        "2:1: swiss.forbidden: with 2 players everybody meets everybody; give a number of rounds, or leave the key out",
    );
}

#[test]
fn names_of_files_that_are_no_event_names_are_refused() {
    let error = load(Path::new("a\n.toml"), PLAYERS, &[]).expect_err("a line break");
    assert_eq!(
        error.to_string(),
        "a\\n.toml: event.name: the name of the file cannot be the name of the event: \"a\\u000A\"; write name = \"…\" under \
         [event]"
    );
}

#[test]
fn prizes_that_are_none() {
    let list = "prizes.by_place: expected a list of amounts with at most two decimals, or tables \
                { money = 40000, indivisible = true, trophy = \"Cup\" }, found";
    check("[[prizes]]\nplace = 1", "1:1: prizes: expected a table, found a list");
    check("[prizes]\nby_place = 40000", &format!("2:12: {list} 40000"));
    check("[prizes]\nby_place = [10.005]", &format!("2:13: {list} 10.005"));
    check("[prizes]\nby_place = [-1]", &format!("2:13: {list} -1"));
    check(
        "[prizes]\nby_place = [{ mony = 1 }]",
        "2:15: prizes.by_place: unknown entry \"mony\"; expected money, indivisible and trophy",
    );
    check(
        "[prizes]\nby_place = [{ money = \"much\" }]",
        "2:23: prizes.by_place: money: expected an amount with at most two decimals",
    );
    check(
        "[prizes]\nby_place = [{ money = 1, indivisible = 1 }]",
        "2:40: prizes.by_place: indivisible: expected true or false",
    );
    check(
        "[prizes]\nby_place = [{ trophy = \"\" }]",
        "2:24: prizes.by_place: trophy: expected a name of 1 to 100 characters",
    );
    check(
        "[prizes]\nby_place = [{ indivisible = true }]",
        "2:13: prizes.by_place: a prize needs money or a trophy",
    );
    check(
        "[prizes]\nby_place = [5000]\nwinner_fixed = 5000.01",
        "3:1: prizes.winner_fixed: 5000.01 is more than the 5000.00 of the first prize that can be shared; \
         it must be a part of the first prize in prizes.by_place",
    );
    check(
        "[prizes]\nby_place = [{ money = 5, indivisible = true }]\nwinner_fixed = 1",
        "3:1: prizes.winner_fixed: 1.00 is more than the 0.00 of the first prize that can be shared; \
         it must be a part of the first prize in prizes.by_place",
    );
    check(
        "[prizes]\npoints = [3, -1]",
        "2:14: prizes.points: expected a list of points from 0 to 1000000 with at most three decimals, such as \
         [12, 10, 8], found -1",
    );
    // A preset that has a part of the first prize, without any prizes, hides nothing else.
    for preset in ["none", "gct-classical", "gct-rapid-blitz"] {
        check(
            &format!("preset = \"{preset}\"\n[prizes]\noutright_bonus = 1"),
            "3:1: prizes.outright_bonus: there are no tour points for it to add to; \
             write, for example, prizes.points = [12, 10, 8]",
        );
    }
    check(
        "[tour]\nbonus = [100]",
        "2:1: tour.bonus: there are no runs to make a tour; \
         write, for example, tour.runs = [\"results/spring\", \"results/autumn\"]",
    );
}
