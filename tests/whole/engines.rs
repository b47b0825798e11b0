//! Engines and what is around them: working directory, environment, options for all, restarts, cores, limits of the machine.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::death::{Background, processes_in, until};
use crate::support::{Guest, Place, Ran, engine, finish, system_engine};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];
const PATIENCE: Duration = Duration::from_secs(60);

/// An event with these keys and players; games of six plies.
fn event(keys: &str, players: &[(&str, &str)]) -> String {
    let mut text = format!(
        "event.name = \"engines\"\nswiss.rounds = 1\nmini_match.games = 4\nmini_match.openings = \"none\"\n\
         game.max_moves = 3\nengine.quit_grace = \"200ms\"\n{keys}\n"
    );
    for (name, more) in players {
        text += &format!("[[player]]\nname = \"{name}\"\n{more}\nisolation = \"off\"\n");
    }
    text
}

/// A shell script that says something and then is the fault agent.
fn script(place: &Place, name: &str, says: &str) -> PathBuf {
    let agent = engine("fault-agent");
    let path = place.write(name, &format!("#!/bin/sh\n{says}\nexec '{agent}'\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    path
}

/// Runs with the variable OF_RUNNER.
fn with_secret(place: &Place, args: &[&str]) -> Ran {
    let begun = std::time::Instant::now();
    let child = place.command(args).env("OF_RUNNER", "s3cr3t-value").spawn();
    let output = finish(child.expect("swissmatch starts"));
    Ran {
        output,
        took: begun.elapsed(),
    }
}

#[test]
fn an_engine_runs_where_and_with_what_its_player_says() {
    let place = Place::new();
    // Its own directory and variables, whether its keeper shows any of that, and how many descriptors it may have.
    let says = "echo \"$(pwd) [$GREETING] [$SECRET]\" \
                $(tr '\\0' '\\n' < /proc/$PPID/environ | grep -c 'GREETING\\|SECRET') \
                $(tr '\\0' '\\n' < /proc/$PPID/cmdline | grep -c 'hi there\\|s3cr3t\\|work') $(ulimit -Sn) >> said.txt";
    script(&place, "agent.sh", says);
    std::fs::create_dir(place.path("work")).expect("a directory");
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors = limit.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string());
    let own = "command = \"./agent.sh\"\ndir = \"work\"\nenv = { GREETING = \"hi there\", SECRET = \"$OF_RUNNER\" }";
    let text = event("run.concurrency = 1", &[("A", own), ("B", "command = \"./agent.sh\"")]);
    place.write("event.toml", &text);
    with_secret(&place, &RUN).expect_code(0);
    let home = std::fs::canonicalize(place.path("")).expect("it is there");
    let said = |file: &str, expected: &str| {
        let text = place.read(file);
        // Once to be checked before the event, once for the mini-match.
        assert_eq!(text.lines().collect::<Vec<_>>(), [expected; 2]);
    };
    said(
        "work/said.txt",
        &format!("{}/work [hi there] [s3cr3t-value] 0 0 {descriptors}", home.display()),
    );
    said("said.txt", &format!("{} [] [] 0 0 {descriptors}", home.display()));

    // Of the runner's variable only the name is stored.
    assert!(place.read("run/manifest.json").contains("$OF_RUNNER"));
    for file in std::fs::read_dir(place.path("run")).expect("the run").flatten() {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cr3t"), "{:?}", file.path());
    }
    let refused = place.swissmatch(&[&RUN[..], &["--fresh"]].concat());
    refused.expect_code(4);
    let expected =
        "event.toml:12:1: player.env: SECRET = \"$OF_RUNNER\", but swissmatch has no environment variable OF_RUNNER";
    assert!(refused.stderr().contains(expected), "{}", refused.stderr());
    with_secret(&place, &["verify", "run"]).expect_code(0);
}

#[test]
fn a_working_directory_that_is_none_is_refused() {
    let place = Place::new();
    script(&place, "agent.sh", ":");
    for (dir, expected) in [
        ("nowhere", "there is no directory "),
        ("agent.sh", "agent.sh is not a directory"),
    ] {
        let own = format!("command = \"./agent.sh\"\ndir = \"{dir}\"");
        place.write(
            "event.toml",
            &event("", &[("A", &own), ("B", "command = \"./agent.sh\"")]),
        );
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains("event.toml:11:1: player.dir: "),
            "{}",
            refused.stderr()
        );
        assert!(refused.stderr().contains(expected), "{}", refused.stderr());
        assert!(!place.path("run").exists());
    }
}

/// Files that arguments and variables name are looked for where the engine runs.
#[test]
fn files_of_an_agent_are_relative_to_its_directory() {
    let place = Place::new();
    script(&place, "agent.sh", ":");
    std::fs::create_dir(place.path("work")).expect("a directory");
    place.write("work/book.bin", "1");
    place.write("work/net.bin", "1");
    let own = "command = \"./agent.sh\"\nargs = [\"book.bin\"]\ndir = \"work\"\nenv = { NET = \"net.bin\" }";
    place.write(
        "event.toml",
        &event("", &[("A", own), ("B", "command = \"./agent.sh\"")]),
    );
    place.swissmatch(&RUN).expect_code(0);
    for name in ["work/book.bin", "work/net.bin"] {
        place.write(name, "2");
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains(&format!("{name} has changed")),
            "{}",
            refused.stderr()
        );
        place.write(name, "1");
    }
}

#[test]
fn engines_are_started_anew_for_each_game_where_the_event_says_so() {
    for (keys, own, starts) in [
        ("", "", [2, 2]),
        ("", "restart = \"game\"", [5, 2]),
        ("engine.restart = \"game\"", "", [5, 5]),
        ("engine.restart = \"game\"", "restart = \"never\"", [2, 5]),
    ] {
        let place = Place::new();
        script(&place, "agent.sh", "echo start >> \"$1\"");
        let a = format!("command = \"./agent.sh\"\nargs = [\"a.txt\"]\n{own}");
        let b = "command = \"./agent.sh\"\nargs = [\"b.txt\"]";
        let keys = format!("run.concurrency = 1\n{keys}");
        place.write("event.toml", &event(&keys, &[("A", &a), ("B", b)]));
        place.swissmatch(&RUN).expect_code(0);
        let found = ["a.txt", "b.txt"].map(|file| place.read(file).lines().count());
        assert_eq!(found, starts, "{keys}, {own}: one to be checked, then four games");
    }
}

/// Stockfish, of which a file keeps what it is told.
fn overheard(place: &Place, name: &str) -> String {
    let stockfish = system_engine("stockfish");
    let text = format!("#!/bin/sh\ntee -a {name}.txt | '{stockfish}'\n");
    let path = place.write(name, &text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    format!("command = \"./{name}\"\nnodes = 20")
}

#[test]
fn options_for_all_go_where_they_are_declared_and_a_players_own_go_over_them() {
    let place = Place::new();
    let [a, b] = ["a", "b"].map(|name| overheard(&place, name));
    let b = format!("{b}\noptions = {{ hash = 4 }}");
    let c = format!("command = \"{}\"", engine("fault-agent"));
    let keys = "engine.options = { Hash = 2, \"Move Overhead\" = 7 }";
    place.write("event.toml", &event(keys, &[("A", &a), ("B", &b), ("C", &c)]));
    let ran = place.swissmatch(&RUN);
    ran.expect_code(0);
    let told = |file: &str| {
        let text = place.read(file);
        let options = text
            .lines()
            .take_while(|line| *line != "isready")
            .filter(|line| line.starts_with("setoption"));
        options.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        told("a.txt"),
        "setoption name Hash value 2\nsetoption name Move Overhead value 7"
    );
    assert_eq!(
        told("b.txt"),
        "setoption name Move Overhead value 7\nsetoption name Hash value 4"
    );
    for option in ["Hash", "Move Overhead"] {
        let warning = format!("warning: engine.options: these engines have no option {option} and play without it: C");
        assert!(ran.stderr().contains(&warning), "{}", ran.stderr());
    }
    let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
    let left_out = |player: usize| manifest["players"][player]["agent"]["introduction"]["options_left_out"].clone();
    assert_eq!(left_out(2), serde_json::json!(["Hash", "Move Overhead"]));
    assert!(left_out(0).is_null());

    let none_such = event("engine.options = { Hash = 0 }", &[("A", &a), ("C", &c)]);
    place.write("event.toml", &none_such);
    let refused = place.swissmatch(&["run", "event.toml", "--out", "other"]);
    refused.expect_code(4);
    let expected = "event.toml:7:8: engine.options: A: option `Hash` does not take `0`";
    assert!(refused.stderr().contains(expected), "{}", refused.stderr());
    assert!(!place.path("other").exists());
}

/// Stockfish, which declares more options and others than it has.
fn declaring(place: &Place, name: &str, lines: &str) -> String {
    let stockfish = system_engine("stockfish");
    let text = format!("#!/bin/sh\nprintf '{lines}'\ntee -a {name}.txt | '{stockfish}'\n");
    let path = place.write(name, &text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    format!("command = \"./{name}\"\nnodes = 20")
}

#[test]
fn an_option_is_set_as_it_was_declared_or_as_it_was_asked_for() {
    let place = Place::new();
    let lines = "option name Skill Depth type slider default 3\\noption name Style type combo default Calm var Calm var Very Wild\\n\
                 option name Seed type spin default 0 min 0 max 18446744073709551615\\n";
    let a = declaring(&place, "a", lines);
    let own = "{ \"skill depth\" = 7, style = \"very wild\", Seed = \"18446744073709551615\" }";
    let a = format!("{a}\noptions = {own}");
    let b = format!("command = \"{}\"", engine("random-mover"));
    let long = "x".repeat(200);
    place.write("event.toml", &event("", &[("A", &a), (&long, &b)]));
    let ran = place.swissmatch(&RUN);
    ran.expect_code(0);
    let told = place.read("a.txt");
    for line in [
        "setoption name Skill Depth value 7",
        "setoption name Style value Very Wild",
        "setoption name Seed value 18446744073709551615",
    ] {
        assert!(told.lines().any(|told| told == line), "{line}\n{told}");
    }
    let warning = "warning: option Skill Depth is sent as it was asked for, though it was not understood how these engines declare it: A";
    assert!(ran.stderr().contains(warning), "{}", ran.stderr());
    assert_eq!(
        ran.stderr().matches("is sent as it was asked for").count(),
        1,
        "{}",
        ran.stderr()
    );
    let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
    let unread = &manifest["players"][0]["agent"]["introduction"]["options_unread"];
    assert_eq!(*unread, serde_json::json!(["Skill Depth"]));
    assert!(place.read("run/games.pgn").contains(&format!("\"{long}\"]")));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// As many processes as play: those who are not due rest by not being there.
#[test]
fn eight_engines_at_concurrency_1_are_never_more_than_two_processes() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let own = format!("command = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"5\"]");
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    let text = event("run.concurrency = 1", &names.map(|name| (name, own.as_str())));
    place.write("event.toml", &text.replace("swiss.rounds = 1", "swiss.rounds = 3"));
    let mut running = Background::start(&place, &RUN);
    let mut most = 0;
    while running.ended().is_none() {
        let found = processes_in(&place);
        let engines = found.iter().filter(|process| process.line.starts_with(&agent)).count();
        assert!(engines <= 2, "{found:#?}");
        most = most.max(engines);
    }
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert_eq!(most, 2);
}

/// What a process may use, as the kernel writes it.
fn allowed(pid: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap_or_default().trim().to_owned()
}

#[test]
fn a_game_stays_on_its_cores_with_engines_and_keepers() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let own = format!("command = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"60\"]");
    place.write("event.toml", &event("run.concurrency = 1", &[("A", &own), ("B", &own)]));
    for pin in ["always", "none"] {
        let key = format!("run.pin={pin}");
        let args = [&RUN[..], &["--fresh", "--set", &key]].concat();
        let mut running = Background::start(&place, &args);
        // Agents are checked one at a time.
        let seen = until("two engines and their keepers", PATIENCE, || {
            let found = processes_in(&place);
            let of_game = found
                .iter()
                .filter(|process| process.line.contains("--ms") || process.is_keeper());
            let lists: Vec<String> = of_game.map(|process| allowed(&process.pid.to_string())).collect();
            (lists.len() == 4).then_some(lists)
        });
        assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
        let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
        let seating = &manifest["seating"];
        assert_eq!(
            (&seating["games_at_once"], &seating["threads_of_a_game"]),
            (&1.into(), &1.into())
        );
        let expected = match pin {
            "always" => seating["cpus_of_each_game"][0][0].to_string(),
            _ => allowed("self"),
        };
        assert_eq!(seating["cpus_of_each_game"].is_null(), pin == "none");
        assert_eq!(seen, vec![expected; 4], "{pin}");
        let topology = &manifest["machine"]["topology"];
        assert!(topology["threads"].as_u64() >= topology["cores"].as_u64(), "{topology}");
        assert!(topology["cores"].as_u64() > Some(0), "{topology}");
        // Shown again, it is still told where it was played.
        place.swissmatch(&[&RUN[..], &["--set", &key]].concat()).expect_code(0);
        let again: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
        assert_eq!(again, manifest);
    }
}

#[test]
fn more_threads_than_the_machine_has_are_refused_before_anything_is_made() {
    let place = Place::new();
    let cores = std::thread::available_parallelism().expect("a number").get();
    let own = format!("command = \"{}\"\nnodes = 20", system_engine("stockfish"));
    let refused = |text: &str, expected: &[String]| {
        place.write("event.toml", text);
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        for part in expected {
            assert!(refused.stderr().contains(part), "{part}: {}", refused.stderr());
        }
        assert!(!place.path("run").exists());
    };
    // Where one ponders both think at the same time.
    let pondering = format!("command = \"{}\"\nponder = true", system_engine("stockfish"));
    let both = event(&format!("run.concurrency = {cores}"), &[("A", &own), ("B", &pondering)]);
    refused(
        &both,
        &[
            format!("run.concurrency: {} threads at once ({cores} games of 2)", 2 * cores),
            "(threads of A: 1; B: 1, ponders)".to_owned(),
        ],
    );
    let many = event(&format!("run.concurrency = {}", cores + 1), &[("A", &own), ("B", &own)]);
    refused(
        &many,
        &[
            format!(
                "event.toml:7:5: run.concurrency: {} threads at once ({} games of 1)",
                cores + 1,
                cores + 1
            ),
            format!("lower run.concurrency to {cores} or less"),
            "run.oversubscribe = true".to_owned(),
        ],
    );
    // As the engine is told, not as it is by default.
    for keys in ["engine.options = { threads = N }", ""] {
        let of_player = if keys.is_empty() {
            "\noptions = { Threads = N }"
        } else {
            ""
        };
        let greedy = format!("{own}{of_player}");
        let text = event(&format!("run.concurrency = 1\n{keys}"), &[("A", &own), ("B", &greedy)]);
        let text = text.replace(" N ", &format!(" {} ", cores + 1));
        let of_a = if keys.is_empty() { 1 } else { cores + 1 };
        refused(
            &text,
            &[
                format!(
                    "run.concurrency: {} threads at once (1 game of {})",
                    cores + 1,
                    cores + 1
                ),
                format!("(threads of A: {of_a}; B: {})", cores + 1),
                "lower the option Threads".to_owned(),
            ],
        );
        let allowed = place.swissmatch(&[&RUN[..], &["--set", "run.oversubscribe=true"]].concat());
        allowed.expect_code(0);
        let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
        assert_eq!(manifest["seating"]["threads_of_a_game"], cores + 1);
        // What was played by leave is not gone on with without it; the log says how many threads there are.
        let more = text.replace("swiss.rounds = 1", "swiss.rounds = 1\nrun.evidence = \"all\"");
        place.write("event.toml", &more);
        let again = place.swissmatch(&RUN);
        again.expect_code(4);
        assert!(again.stderr().contains("threads at once"), "{}", again.stderr());
        std::fs::remove_dir_all(place.path("run")).expect("it goes");
    }
}

/// A run that cannot have as many processes as its games need at the least says so before it starts one.
#[test]
fn processes_are_counted_before_anything_starts() {
    let place = Place::new();
    script(&place, "agent.sh", ":");
    let own = "command = \"./agent.sh\"";
    let Some(guest) = Guest::new(&[]) else { return };
    std::fs::copy(place.path("agent.sh"), guest.place.path("agent.sh")).expect("a copy");
    let asked = "move_url = \"http://127.0.0.1:9/move\"";
    // The broker, and two threads in which it looks names up.
    for (other, of_broker) in [(own, 0), (asked, 3)] {
        place.write(
            "event.toml",
            &event(
                "run.concurrency = 4\nrun.oversubscribe = true",
                &[("A", own), ("B", other)],
            ),
        );
        std::fs::copy(place.path("event.toml"), guest.place.path("event.toml")).expect("a copy");
        // One that hears signals, two that watch, the guard, the player, the log, the files, `run.log`, files of agents, the pulse, the desk,
        // the gallery, live files, a broadcast, an anchor; those that compute; 7 a game.
        let beside = 15 + of_broker + std::thread::available_parallelism().expect("a number").get();
        let (needed, allowed) = (beside + 28, beside + 15);
        let ran = guest.swissmatch(&[format!("--nproc={allowed}")], &RUN);
        let said = ran.stderr();
        ran.expect_code(5);
        let expected = format!(
            "4 games at once need at least {needed} processes and threads, but this machine allows {allowed}: raise the hard limit \
             (`ulimit -Hu {needed}`) or play at most 2 at once (--concurrency 2)"
        );
        assert!(said.contains(&expected), "{said}");
        assert!(!guest.place.path("run").exists());
    }
}
