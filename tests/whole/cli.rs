//! The command line from outside: help, exit codes, and what each command writes, for people and for machines.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, send, until};
use crate::kill::short_event;
use crate::resume::{RUN, shell, tiny_event};
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);
const KINDS: [&str; 7] = ["pgn", "games-csv", "games-json", "csv", "json", "markdown", "records"];

/// Every command, as `--help` lists them.
pub(crate) fn commands(place: &Place) -> Vec<String> {
    let help = place.swissmatch(&["--help"]).stdout();
    let (_, list) = help.split_once("\nPlay:\n").expect("a list of commands");
    let (list, _) = list.split_once("\nOptions:").expect("its end");
    let names = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

/// The event played in `run`.
fn played(event: &str) -> Place {
    let place = Place::new();
    place.write("event.toml", event);
    place.swissmatch(&RUN).expect_code(0);
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

#[test]
fn help_teaches() {
    let place = Place::new();
    let help = place.swissmatch(&["--help"]);
    help.expect_code(0);
    let help = help.stdout();
    for said in ["130", "swissmatch run event.toml"] {
        assert!(help.contains(said), "{said} is missing:\n{help}");
    }
    for command in &commands(&place) {
        for flag in ["--help", "-h"] {
            let help = place.swissmatch(&[command, flag]);
            help.expect_code(0);
            assert!(
                help.stdout().contains(&format!("Usage: swissmatch {command}")),
                "{}",
                help.stdout()
            );
        }
        let help = place.swissmatch(&[command, "--help"]).stdout();
        assert!(
            help.lines().next().is_some_and(|line| line.len() > 20),
            "what it does:\n{help}"
        );
        assert_eq!(help, place.swissmatch(&["help", command]).stdout());
    }
    let version = place.swissmatch(&["--version"]);
    version.expect_code(0);
    assert_eq!(version.stdout(), format!("swissmatch {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_exit_4() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    for (args, said) in [
        (&[][..], "Usage"),
        (&["stadings"], "standings"),
        (&["run"], "EVENT.toml"),
        (&["run", "event.toml", "--concurency", "2"], "--concurrency"),
        (&["run", "event.toml", "--json", "--quiet"], "--quiet"),
        (&["run", "event.toml", "--concurrency", "0"], "--concurrency"),
        (&["run", "event.toml", "--set", "game.nodes"], "KEY=VALUE"),
        (&["run", "event.toml", "--set", "game.ndoes=5"], "game.nodes"),
        (&["run", "absent.toml"], "absent.toml"),
        (&["run", "."], "event file"),
        (
            &["standings", "absent"],
            "there is no absent: no such file or directory",
        ),
        (
            &["status", "absent"],
            "there is no run absent: no such file or directory",
        ),
        (&["status"], "results/"),
        (&["status", "--watch"], "call `watch -n 5 swissmatch status`"),
        (&["export", "png", "run"], "pgn"),
        (&["config", "--preset", "fide"], "global-chess-challenge"),
        (&["completions", "csh"], "zsh"),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
    }
    assert_eq!(
        fs::read_dir(place.path("")).expect("it is there").count(),
        1,
        "nothing was made"
    );
}

/// File, line, column and key, on one line; and no directory for what will not be played.
#[test]
fn wrong_event_files_are_pointed_at() {
    let place = Place::new();
    let players = tiny_event();
    for (from, to, said) in [
        ("rounds = 2", "ronds = 2", "event.toml:5:1: swiss.ronds: unknown key"),
        ("rounds = 2", "rounds = 0", "event.toml:5:10: swiss.rounds: "),
        ("games = 2", "games = 3", "event.toml:7:9: mini_match.games: "),
        (
            "games = 2",
            "openings = \"no.epd\"",
            "event.toml:7:1: mini_match.openings: ",
        ),
        ("nodes = 50", "nodes = \"many\"", "event.toml:9:9: game.nodes: "),
        (
            "[game]",
            "[gmae]",
            "event.toml:9:1: gmae.nodes: unknown key; did you mean game.nodes?",
        ),
        ("name = \"B\"", "name = \"A\"", "event.toml:16:1: player.name: "),
        ("name = \"B\"", "name = \"B\u{202e}\"", "event.toml:16:8: player.name: "),
        (
            "command = ",
            "command = \"no-such-engine\" #",
            "event.toml:13:1: player.command: ",
        ),
        ("command = ", "comand = ", "event.toml:13:1: player.comand: unknown key"),
        ("rating = 1500", "rating = 1500\nrating = 1", "event.toml:15:1: "),
        ("[event]", "[event", "event.toml:1:"),
        ("[event]", "preset = \"fide\"\n[event]", "event.toml:1:10: preset: "),
    ] {
        let text = players.replacen(from, to, 1);
        assert_ne!(text, players);
        place.write("event.toml", &text);
        for command in ["run", "config"] {
            // Only a run looks for what a file names.
            if command == "config" && (to.contains("no.epd") || to.contains("no-such")) {
                continue;
            }
            let ran = place.swissmatch(&[command, "event.toml"]);
            ran.expect_code(4);
            assert!(ran.stderr().contains(said), "{to}: {}", ran.stderr());
            assert_eq!(ran.stderr().lines().count(), 1, "{}", ran.stderr());
        }
    }
    let alone = players.split("[[player]]").next().expect("the beginning").to_owned();
    place.write("event.toml", &alone);
    let ran = place.swissmatch(&["run", "event.toml"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("event.toml") && ran.stderr().contains("player"),
        "{}",
        ran.stderr()
    );
    fs::write(place.path("event.toml"), b"\xff\xfe\x00").expect("it is written");
    place.swissmatch(&["run", "event.toml"]).expect_code(4);
    assert_eq!(
        fs::read_dir(place.path("")).expect("it is there").count(),
        1,
        "no directory was made"
    );
}

#[test]
fn config_prints_an_event_file_that_gives_the_same() {
    let place = Place::new();
    let event = tiny_event().replace(
        "rating = 1500",
        "rating = 1500\nargs = [\"--seed\", \"a\\\"b\\\\c\"]\noptions = { Hash = 16 }",
    );
    place.write("event.toml", &event);
    for flags in [&[][..], &["--concurrency", "3"], &["--set", "game.nodes=77"]] {
        let config = |file| place.swissmatch(&[&["config", file][..], flags].concat());
        let printed = config("event.toml");
        printed.expect_code(0);
        toml::from_str::<toml::Table>(&printed.stdout()).expect("it is TOML");
        place.write("printed.toml", &printed.stdout());
        let of = |file, flags: &[&str]| {
            json(
                &place
                    .swissmatch(&[&["config", file, "--json"], flags].concat())
                    .stdout(),
            )
        };
        assert_eq!(of("printed.toml", &[]), of("event.toml", flags));
    }
    for (name, other) in [("global-chess-challenge", "games = 40"), ("none", "games = 2")] {
        let preset = place.swissmatch(&["config", "--preset", name]);
        preset.expect_code(0);
        assert!(preset.stdout().contains(other));
        toml::from_str::<toml::Table>(&preset.stdout()).expect("it is TOML");
    }
}

#[test]
fn init_writes_what_can_be_run() {
    let place = Place::new();
    fs::create_dir(place.path("other")).expect("a directory");
    fs::copy(engine("greedy"), place.path("other/greedy")).expect("a copy");
    for (number, engines) in [&[][..], &["alphabeta"], &["greedy", "./other/greedy", "random-mover"]]
        .iter()
        .enumerate()
    {
        let file = format!("event-{number}.toml");
        let init = place.swissmatch(&[&["init", "--output", &file][..], engines].concat());
        init.expect_code(0);
        assert!(
            init.stderr().contains(&format!("swissmatch run {file}")),
            "{}",
            init.stderr()
        );
        assert_eq!(
            place.swissmatch(&[&["init"][..], engines].concat()).stdout(),
            place.read(&file)
        );
        let quick = [
            "--set",
            "mini_match.games=2",
            "--set",
            "game.nodes=20",
            "--set",
            "game.max_moves=5",
        ];
        place.swissmatch(&[&["run", &file][..], &quick].concat()).expect_code(0);
    }
    // A line as for a shell.
    let with_arguments = place.swissmatch(&["init", "--go-on", "greedy --x 5", "greedy --net 'my net'"]);
    for part in [
        "name = \"greedy 0.1.0\"\ncommand = \"greedy\"\nargs = [\"--x\", \"5\"]\n",
        "name = \"greedy 0.1.0 2\"\ncommand = \"greedy\"\nargs = [\"--net\", \"my net\"]\n",
    ] {
        assert!(with_arguments.stdout().contains(part), "{}", with_arguments.stdout());
    }
    let before = place.read("event-1.toml");
    place
        .swissmatch(&["init", "stockfish", "--output", "event-1.toml"])
        .expect_code(4);
    assert_eq!(
        place.read("event-1.toml"),
        before,
        "an existing file is not overwritten"
    );
}

#[test]
fn completions_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.swissmatch(&["completions", shell]);
        script.expect_code(0);
        for command in &commands(&place) {
            assert!(script.stdout().contains(command), "{shell} does not know {command}");
        }
    }
}

/// While a run is played it can be looked at, and what is seen is of one piece.
#[test]
fn a_run_can_be_looked_at_while_it_is_played() {
    let place = Place::new();
    place.write("event.toml", &short_event().replace("games = 4", "games = 20"));
    let mut running = Background::start(&place, &RUN);
    until("a mini-match", PATIENCE, || {
        place.read("complained").contains("board").then_some(())
    });
    let mut looks = 0;
    while running.ended().is_none() {
        let status = place.swissmatch(&["status", "run"]);
        status.expect_code(0);
        for args in [
            &["standings", "run"][..],
            &["standings", "run", "--round", "1"],
            &["crosstable", "run"],
        ] {
            place.swissmatch(args).expect_code(0);
        }
        // Nothing is wrong, and what lags behind is not compared.
        let verified = place.swissmatch(&["verify", "run"]);
        let skipped = verified
            .stdout()
            .contains("SKIPPED files            a runner is at work");
        verified.expect_code(if skipped { 2 } else { 0 });
        let standings = place.export_json("run", "json");
        let games = standings["players"].as_array().expect("players").iter();
        let games: u64 = games.map(|player| player["games"].as_u64().expect("a number")).sum();
        assert_eq!(games % 2, 0, "every game has two players");
        looks += usize::from(status.stdout().contains("A runner is at work on it."));
    }
    assert!(looks > 0);
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    let status = place.swissmatch(&["status", "run"]);
    assert!(status.stdout().contains("The event is over."), "{}", status.stdout());
    assert_eq!(
        json(&place.swissmatch(&["status", "run", "--json"]).stdout())["final"],
        true
    );
}

/// Whoever follows a long mini-match reads its games as they end, and the rules from the beginning.
#[test]
fn the_games_of_one_mini_match_are_published_one_by_one() {
    let place = Place::new();
    let event = short_event()
        .replace("games = 4", "games = 40")
        .replace("rounds = 3", "rounds = 1");
    let event = event.split("[[player]]").take(3).collect::<Vec<_>>().join("[[player]]");
    place.write("event.toml", &event);
    let mut running = Background::start(&place, &RUN);
    let count = || std::fs::read_to_string(place.path("run/games.pgn")).map_or(0, |pgn| pgn.matches("[Event ").count());
    let mut seen = std::collections::BTreeSet::new();
    until("two games, and more later", PATIENCE, || {
        seen.insert(count());
        (seen.iter().filter(|&&games| 0 < games && games < 40).count() >= 3).then_some(())
    });
    assert!(
        place.read("run/rules.md").starts_with("# Rules of "),
        "{}",
        place.read("run/rules.md")
    );
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert_eq!(count(), 40);
    let lines = place.read("run/games.csv").lines().count();
    assert_eq!(lines, 41, "a header, and a line a game");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn tables_in_every_form() {
    let place = played(&tiny_event());
    for (args, file) in [
        (&["standings", "run", "--csv"][..], "standings.csv"),
        (&["standings", "run", "--json"], "standings.json"),
        (&["standings", "run", "--markdown"], "standings.md"),
        (&["crosstable", "run", "--csv"], "crosstable.csv"),
        (&["export", "csv", "run"], "standings.csv"),
        (&["export", "json", "run"], "standings.json"),
        (&["standings", "run", "--round", "1", "--csv"], "rounds/standings-1.csv"),
        (&["config", "--rules", "event.toml"], "rules.md"),
        (&["export", "games-csv", "run"], "games.csv"),
        (&["export", "pgn", "run"], "games.pgn"),
        (&["export", "trf", "run"], "tournament.trf"),
        (&["export", "trf", "run", "--view", "individual"], "tournament.trf"),
        (&["standings", "run/run.sqlite", "--csv"], "standings.csv"),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(0);
        assert_eq!(ran.stdout(), place.read(&format!("run/{file}")), "{args:?}");
    }
    for more in [&[][..], &["--markdown"], &["--by-opponent"], &["--round", "1"]] {
        place
            .swissmatch(&[&["crosstable", "run"], more].concat())
            .expect_code(0);
    }
    let first = place.swissmatch(&["standings", "run", "--round", "1", "--json"]);
    let first = json(&first.stdout());
    assert_eq!(
        (&first["round"], &first["final"]),
        (&Value::from(1), &Value::from(false))
    );
    for round in ["0", "3"] {
        place.swissmatch(&["standings", "run", "--round", round]).expect_code(4);
    }
}

#[test]
fn every_kind_of_export() {
    let place = played(&tiny_event().replace("[game]", "[run]\nevidence = \"all\"\n[game]"));
    for what in KINDS.into_iter().chain(["evidence"]) {
        let whole = place.swissmatch(&["export", what, "run"]);
        whole.expect_code(0);
        assert!(whole.stdout().ends_with('\n'), "{what}");
        place
            .swissmatch(&["export", what, "run", "--output", "file"])
            .expect_code(0);
        assert_eq!(place.read("file"), whole.stdout(), "{what}");
    }
    // What is of games can be had of some.
    for (only, games) in [("1", 2), ("2.1", 2), ("2.1.2", 1)] {
        let pgn = place.swissmatch(&["export", "pgn", "run", "--only", only]);
        pgn.expect_code(0);
        assert_eq!(pgn.stdout().matches("[Event ").count(), games, "{only}");
        let records = place.swissmatch(&["export", "records", "run", "--only", only]);
        assert_eq!(records.stdout().lines().map(json).count(), games, "{only}");
        let evidence = place.swissmatch(&["export", "evidence", "run", "--only", only]);
        assert_eq!(
            evidence.stdout().matches("Game ").count(),
            games,
            "{only}: {}",
            evidence.stdout()
        );
    }
    // The lists of games too, rather than showing all where one was asked for.
    let list = place.swissmatch(&["export", "games-json", "run", "--only", "2.1.2"]);
    let list = json(&list.stdout());
    assert_eq!(list["games"].as_array().map(Vec::len), Some(1), "{list:#}");
    let list = place.swissmatch(&["export", "games-csv", "run", "--only", "2"]);
    assert_eq!(list.stdout().lines().count(), 1 + 2);
    for what in ["csv", "json", "markdown"] {
        place.swissmatch(&["export", what, "run", "--only", "1"]).expect_code(4);
    }
    for only in ["3", "1.2", "1.1.1.1", "x", ""] {
        place
            .swissmatch(&["export", "pgn", "run", "--only", only])
            .expect_code(4);
    }
}

/// A machine that reads `--json` knows at the end what the standings are made of.
#[test]
fn json_is_one_object_a_line() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let ran = place.swissmatch(&[&RUN[..], &["--json"]].concat());
    ran.expect_code(0);
    let lines: Vec<Value> = ran.stdout().lines().map(json).collect();
    assert!(lines.iter().all(|line| line["schema"] == 1 && line["type"].is_string()));
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(
        (of("started").len(), of("round-paired").len(), of("game-finished").len()),
        (1, 2, 4)
    );
    assert_eq!(lines[0]["type"], "started");
    let standings = place.export_json("run", "json");
    assert_eq!(
        of("round-over").last().expect("rounds")["leaders"][0],
        standings["players"][0]["name"]
    );
    for player in standings["players"].as_array().expect("players") {
        let name = &player["name"];
        let games = of("game-finished")
            .into_iter()
            .filter(|game| [&game["white"], &game["black"]].contains(&name))
            .count();
        assert_eq!(player["games"].as_u64(), u64::try_from(games).ok(), "{name}");
        let byes = of("round-paired")
            .into_iter()
            .filter(|round| round["bye"] == *name)
            .count();
        assert_eq!(player["byes"].as_u64(), u64::try_from(byes).ok(), "{name}");
    }
    let last = lines.last().expect("lines");
    assert_eq!(
        (&last["type"], &last["standings"]),
        (&Value::from("complete"), &standings)
    );
    // Taken up again it says so, and plays nothing.
    let again = place.swissmatch(&[&RUN[..], &["--json"]].concat());
    let again: Vec<Value> = again.stdout().lines().map(json).collect();
    assert_eq!(
        (&again[0]["type"], &again[0]["games_finished"]),
        (&Value::from("resumed"), &Value::from(4))
    );
    assert!(again.iter().all(|line| line["type"] != "game-finished"));
    assert_eq!(again.last(), Some(last));
}

#[test]
fn quiet_is_quiet() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    for run in ["played", "over"] {
        let ran = place.swissmatch(&[&RUN[..], &["--quiet"]].concat());
        ran.expect_code(0);
        assert_eq!((ran.stdout(), ran.stderr()), (String::new(), String::new()), "{run}");
    }
    let wrong = place.swissmatch(&["run", "absent.toml", "--quiet"]);
    wrong.expect_code(4);
    assert!(!wrong.stderr().is_empty(), "errors are said");
    let json = place.swissmatch(&["run", "absent.toml", "--json"]);
    json.expect_code(4);
    let line: Value = serde_json::from_str(&json.stdout()).expect("one line");
    assert_eq!((&line["type"], &line["exit_code"]), (&"refused".into(), &4.into()));
    let text = line["text"].as_str().expect("a text");
    assert_eq!(json.stderr(), format!("swissmatch: {text}\n"));
}

/// Whoever reads may go at any time.
#[test]
fn a_reader_that_has_gone_is_no_error() {
    let place = played(&tiny_event());
    let kinds = KINDS.map(|what| format!("export {what} run"));
    let others = [
        "completions bash",
        "completions zsh",
        "--help",
        "run --help",
        "config event.toml",
        "init",
        "status run",
    ];
    let more = [
        "standings run",
        "crosstable run",
        "verify run",
        "run event.toml --out run",
        "config --preset none",
    ];
    let lines = kinds.iter().map(String::as_str).chain(others).chain(more);
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        let mut child = place.command(&args).spawn().expect("swissmatch starts");
        // Gone before it can have written anything.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{line}: {said}");
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
    let head = shell(&place, "\"$SWISSMATCH\" export pgn run | head -n 1");
    assert!(head.stdout().starts_with("[Event "), "{}", head.stdout());
    assert_eq!(head.stderr(), "");
}

/// `swissmatch run 2>&1 | tee log`, and Ctrl-C takes `tee` first: the run must still end as it should.
#[test]
fn a_run_outlives_whoever_reads_its_progress() {
    let place = Place::new();
    place.write("event.toml", &short_event().replace("games = 4", "games = 10"));
    let mut command = place.command(&RUN);
    let mut child = command.stdout(Stdio::null()).spawn().expect("swissmatch starts");
    drop(child.stderr.take());
    until("a round", PATIENCE, || {
        place.path("run/manifest.json").exists().then_some(())
    });
    send(child.id(), Signal::INT);
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&RUN).expect_code(0);
}

/// An event's name is anything; the directory made of it is below `results`, and one that can be made.
#[test]
fn odd_names_make_safe_directories() {
    let place = Place::new();
    let longest = "𐌰".repeat(100);
    for name in [
        "../../up",
        "..",
        ".hidden",
        "-rf",
        "a/b",
        "con: aux*?",
        "Zürich 東京",
        "~",
        "$(touch pwned)",
        &longest,
    ] {
        let event = tiny_event().replace("name = \"tiny\"", &format!("name = \"{name}\""));
        place.write("event.toml", &event);
        place.swissmatch(&["run", "event.toml", "--quiet"]).expect_code(0);
        let made: Vec<_> = fs::read_dir(place.path("results"))
            .expect("there is one")
            .flatten()
            .collect();
        let [made] = &made[..] else {
            panic!("one directory for {name}: {made:?}")
        };
        let dir = made.file_name().into_string().expect("text");
        assert!(!dir.starts_with(['.', '-']), "{name} gave {dir}");
        assert!(made.path().join("run.sqlite").is_file(), "{name} gave {dir}");
        // Without a place the latest run is meant.
        assert!(place.swissmatch(&["status"]).stdout().contains("The event is over."));
        fs::remove_dir_all(place.path("results")).expect("it goes");
    }
    assert_eq!(
        fs::read_dir(place.path("")).expect("it is there").count(),
        1,
        "nothing anywhere else"
    );
}
