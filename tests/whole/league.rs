//! A league of builds, night after night: built from commits, played by real engines, with its exit codes and all that it leaves.

use std::process::Output;

use serde_json::Value;

use crate::death::{cancelled, games_in_log};
use crate::schemas;
use crate::support::{Place, engine, finish, git, junit_cases as junit};

/// A checkout of git in `rook/`, in which each commit is a program that starts one of ours.
pub(crate) struct Checkout<'a> {
    place: &'a Place,
}

impl<'a> Checkout<'a> {
    pub(crate) fn new(place: &'a Place) -> Self {
        std::fs::create_dir_all(place.path("rook")).expect("a directory");
        let checkout = Self { place };
        checkout.git(&["init", "--quiet"]);
        checkout
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(&self.place.path("rook"), args)
    }

    /// Commits a program with these arguments; its hash.
    pub(crate) fn commit(&self, command: &str) -> String {
        self.place.write("rook/rook", &format!("#!/bin/sh\nexec {command}\n"));
        self.git(&["add", "rook"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", command]);
        self.git(&["rev-parse", "HEAD"])
    }
}

/// A league of a build from the checkout against one that is there, by fixed nodes.
pub(crate) fn league(place: &Place, old: &str, more: &str) {
    std::fs::create_dir_all(place.path("league/released")).expect("a directory");
    executable(place, "league/released/rook-1.0", &format!("#!/bin/sh\nexec {old}\n"));
    place.write(
        "league/LEAGUE.toml",
        &format!(
            r#"
[league]
name = "Rook nightly"

[[build]]
name = "main"
main = true
checkout = "../rook"
make = "cp rook $OUT && chmod 755 $OUT"

[[build]]
name = "1.0"
path = "./released/rook-1.0"
elo = 2800

[mini_match]
games = 40

[game]
time_control = "nodes=300"
max_moves = 60

[engine]
isolation = "off"
{more}
"#
        ),
    );
}

/// Writes the league file otherwise.
pub(crate) fn change(place: &Place, from: &str, to: &str) {
    let text = place.read("league/LEAGUE.toml");
    assert!(text.contains(from), "{from}: {text}");
    place.write("league/LEAGUE.toml", &text.replace(from, to));
}

pub(crate) fn executable(place: &Place, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = place.write(name, text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}

pub(crate) fn night(place: &Place, args: &[&str], environment: &[(&str, &str)]) -> Output {
    let args = [&["league", "run", "league/LEAGUE.toml"], args].concat();
    let mut command = place.command(&args);
    for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "RUNNER_ENVIRONMENT"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied());
    let output = finish(command.spawn().expect("it runs"));
    schemas::check_output(&args, &output.stdout);
    output
}

#[track_caller]
pub(crate) fn said(output: &Output, code: i32) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}

pub(crate) fn json(place: &Place, file: &str) -> Value {
    serde_json::from_str(&place.read(file)).expect("JSON")
}

/// The directories of all nights, in the order of their names.
pub(crate) fn nights(place: &Place) -> Vec<String> {
    let found = std::fs::read_dir(place.path("league/nights")).expect("nights");
    let mut names: Vec<String> = found
        .flatten()
        .map(|night| format!("league/nights/{}", night.file_name().to_string_lossy()))
        .collect();
    names.sort();
    names
}

/// A build that got weaker is marked, and everything that a job looks at says where; the same command plays nothing again.
#[test]
fn a_planted_regression_is_marked() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    league(&place, &engine("alphabeta"), "");
    let good = checkout.commit(&engine("alphabeta"));
    let (out, err) = said(&night(&place, &["--night", "one"], &[]), 0);
    assert!(
        err.contains(&format!("building main of commit {}", &good[..8])),
        "{err}"
    );
    assert!(
        out.contains("main") && out.contains(&good[..8]) && out.contains("anchor"),
        "{out}"
    );
    assert!(
        out.contains("Ratings are one fit of 1 night on this class of machine"),
        "{out}"
    );
    let first = nights(&place);
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(games_in_log(&place, &first[0]), 40);
    place.swissmatch(&["verify", &first[0]]).expect_code(0);

    // The same again: nothing is built, and nothing is played.
    let (again, err) = said(&night(&place, &["--night", "one"], &[]), 0);
    assert!(err.contains("night one is over; nothing is played"), "{err}");
    assert!(!err.contains("building"), "{err}");
    assert!(out.ends_with(&again), "{out}\n{again}");

    // Killed after the history had it, and before its files were there: it leaves them when it is shown again.
    let page = format!("{}/league.html", first[0]);
    std::fs::remove_file(place.path(&page)).expect("the night left it");
    let (_, name) = first[0].rsplit_once('/').expect("below nights/");
    let event = format!("league/night-{name}.toml");
    place.write(&event, "");
    said(&night(&place, &["--night", "one"], &[]), 0);
    assert!(place.path(&page).is_file() && !place.path(&event).exists());

    let bad = checkout.commit(&engine("random-mover"));
    place.write("page.md", "# Before\n");
    let page = place.path("page.md").display().to_string();
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", page.as_str())];
    let files = ["--junit", "j.xml", "--summary", "s.md", "--benchmark", "b.json"];
    let (out, err) = said(&night(&place, &[&["--night", "two"][..], &files].concat(), &github), 1);
    let weaker = format!(
        "main {} is weaker than {}, which played last in one: -",
        &bad[..8],
        &good[..8]
    );
    assert!(out.contains(&weaker), "{out}");
    assert!(err.contains("::error title=") && err.contains("main"), "{err}");
    // A file that cannot be written takes no verdict with it.
    for file in ["--junit", "--summary", "--benchmark"] {
        let (out, err) = said(&night(&place, &["--night", "two", file, "/dev/full"], &[]), 1);
        assert!(
            out.contains(&weaker) && err.contains("/dev/full: No space left on device"),
            "{out}\n{err}"
        );
    }
    assert!(place.read("j.xml").contains("main: change"), "{}", place.read("j.xml"));
    let cases = junit(&place, "j.xml");
    let failed: Vec<&str> = cases
        .iter()
        .filter(|case| case[1] != "passed")
        .map(|case| case[0].as_str())
        .collect();
    assert_eq!(failed, ["main: change"], "{cases:?}");
    let summary = place.read("s.md");
    assert!(
        summary.starts_with("## Rook nightly, two: a build got weaker\n"),
        "{summary}"
    );
    assert_eq!(place.read("page.md"), format!("# Before\n{summary}"));
    let bench = json(&place, "b.json");
    let of_main = bench
        .as_array()
        .expect("a list")
        .iter()
        .find(|bench| bench["name"] == "main");
    assert_eq!(of_main.expect("main")["unit"], "Elo");
    assert!(of_main.expect("main")["value"].as_f64().expect("a number") < 2700.0);
    let second = &nights(&place)[1];
    schemas::check_files(&place.path(second));
    let stored = json(&place, &format!("{second}/league.json"));
    assert_eq!((&stored["night"], &stored["nights"]), (&"two".into(), &2.into()));
    for name in [
        "junit.xml",
        "league.md",
        "league.html",
        "league.junit.xml",
        "benchmark.json",
        "report.html",
        "games.pgn",
    ] {
        assert!(place.path(&format!("{second}/{name}")).is_file(), "{name}");
    }

    // Whoever looks later sees the same.
    let file = "league/LEAGUE.toml";
    let show = place.swissmatch(&["league", "show", file]);
    show.expect_code(0);
    assert!(show.stdout().contains(&weaker), "{}", show.stdout());
    let first = place.swissmatch(&["league", "show", file, "--night", "one", "--json"]);
    first.expect_code(0);
    let first: Value = serde_json::from_str(&first.stdout()).expect("JSON");
    assert_eq!(first["night"], "one");
    let trend = place.swissmatch(&["league", "trend", "main", file]);
    trend.expect_code(0);
    let trend = trend.stdout();
    assert!(trend.contains(&good[..8]) && trend.contains(&bad[..8]), "{trend}");
    place
        .swissmatch(&["league", "trend", "main", file, "--json"])
        .expect_code(0);
    let nobody = place.swissmatch(&["league", "trend", "mian", file]);
    nobody.expect_code(4);
    assert!(nobody.stderr().contains("main"), "{}", nobody.stderr());
}

/// Nothing is played twice: a night of the same builds takes all games from the one before and marks nothing; of one new build only
/// its own games are played.
#[test]
fn an_unchanged_night_plays_nothing() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    league(
        &place,
        &engine("alphabeta"),
        "[[build]]\nname = \"2.0\"\npath = \"./released/rook-2.0\"\n",
    );
    executable(
        &place,
        "league/released/rook-2.0",
        &format!("#!/bin/sh\nexec {} # two\n", engine("alphabeta")),
    );
    let text = place.read("league/LEAGUE.toml");
    let text = text.replace(
        "name = \"Rook nightly\"",
        "name = \"Rook nightly\"\nformat = \"round-robin\"",
    );
    place.write("league/LEAGUE.toml", &text.replace("games = 40", "games = 4"));
    checkout.commit(&engine("alphabeta"));
    let ended = |name: &str, code: i32| -> Value {
        let (out, _) = said(&night(&place, &["--night", name, "--json"], &[]), code);
        let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
        last["night"].clone()
    };
    let first = ended("a", 0);
    assert_eq!((&first["games"], &first["taken"]), (&12.into(), &0.into()), "{first}");
    let second = ended("b", 0);
    assert_eq!(
        (&second["games"], &second["taken"]),
        (&12.into(), &12.into()),
        "{second}"
    );
    let notes = second["notes"].to_string();
    assert!(
        notes.contains("12 of 12 games are taken from earlier nights"),
        "{notes}"
    );
    assert!(notes.contains("No change is marked: no game was played"), "{notes}");
    // The ratings are those of the first night: each game counts once.
    for (one, other) in first["builds"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(second["builds"].as_array().expect("builds"))
    {
        assert_eq!((&one["rating"], &one["error"]), (&other["rating"], &other["error"]));
    }
    checkout.commit(&engine("greedy"));
    let third = ended("c", 0);
    assert_eq!((&third["games"], &third["taken"]), (&12.into(), &4.into()), "{third}");
    for night in nights(&place) {
        let verified = place.swissmatch(&["verify", &night]);
        verified.expect_code(0);
    }
    let games = place.read(&format!("{}/games.pgn", nights(&place)[1]));
    assert_eq!(games.matches("[Taken ").count(), 12, "{games}");
}

/// A job that is cancelled loses nothing: the next one goes on with the night, whatever the day.
#[test]
fn a_night_that_was_cancelled_is_gone_on_with() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let sleepy = format!("{} --fault sleep --ms 8", engine("fault-agent"));
    checkout.commit(&sleepy);
    league(&place, &sleepy, "");
    change(&place, "nodes=300", "5s/move");
    let args = ["league", "run", "league/LEAGUE.toml", "--night", "yesterday"];
    let (run, _) = cancelled(&place, &args, || {
        place.path("league/nights").exists().then(|| nights(&place))?.pop()
    });
    assert!(!place.path("league/history.sqlite").exists(), "it is not over");
    let (out, _) = said(&night(&place, &[], &[]), 0);
    assert!(out.contains("Rook nightly, yesterday: "), "{out}");
    assert_eq!((nights(&place).len(), games_in_log(&place, &run)), (1, 40));
    place.swissmatch(&["verify", &run]).expect_code(0);
}

/// Games and time of a night are bounded, and the history may be lines of JSON. Games that are taken from earlier nights are free.
#[test]
fn a_night_has_so_many_games_at_most() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    checkout.commit(&engine("alphabeta"));
    league(&place, &engine("greedy"), "");
    let text = place.read("league/LEAGUE.toml");
    let keys = "name = \"Rook nightly\"\nmax_games = 10\nhistory = \"history.jsonl\"";
    place.write("league/LEAGUE.toml", &text.replace("name = \"Rook nightly\"", keys));
    let (out, _) = said(&night(&place, &["--night", "one", "--json"], &[]), 0);
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["type"], &last["night"]["games"]), (&"league".into(), &10.into()));
    let lines = place.read("league/history.jsonl");
    assert_eq!(lines.lines().count(), 1, "{lines}");
    let stored: Value = serde_json::from_str(lines.trim_end()).expect("JSON");
    assert_eq!(stored["name"], "one");
    // It is over, and stays as it is.
    let (out, _) = said(&night(&place, &["--night", "one"], &[]), 0);
    assert!(
        out.contains("The night ended with its last game (league.max_games)."),
        "{out}"
    );
    assert_eq!(place.read("league/history.jsonl"), lines);
    // Of the same builds, each night plays ten games more, until there are none left.
    for (name, games, taken) in [("two", 20, 10), ("three", 30, 20), ("four", 40, 30), ("five", 40, 40)] {
        let (out, _) = said(&night(&place, &["--night", name, "--json"], &[]), 0);
        let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
        let night = &last["night"];
        assert_eq!(
            (&night["games"], &night["taken"]),
            (&games.into(), &taken.into()),
            "{name}"
        );
    }
}

/// A gauntlet that its bound ends early has not come to all builds, so the next night begins with those that have the fewest games.
/// Builds that differ by their settings alone have versions of their own.
#[test]
fn every_build_has_its_turn() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let others =
        "[[build]]\nname = \"1.1\"\npath = \"greedy\"\nnodes = 200\n\n[[build]]\nname = \"1.2\"\npath = \"greedy\"\n";
    league(&place, &engine("alphabeta"), others);
    change(&place, "games = 40", "games = 4");
    change(&place, "[league]", "[league]\nmax_games = 4");
    let mut versions = Vec::new();
    for name in ["1.0", "1.1", "1.2", "1.0"] {
        checkout.commit(&format!("{} # {name} {}", engine("alphabeta"), versions.len()));
        let (out, _) = said(
            &night(&place, &["--night", &versions.len().to_string(), "--json"], &[]),
            0,
        );
        let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
        let builds = last["night"]["builds"].as_array().expect("builds").iter();
        let played: Vec<&Value> = builds.filter(|build| build["games"] == 4).collect();
        let names: Vec<&str> = played.iter().filter_map(|build| build["name"].as_str()).collect();
        assert!(
            names.len() == 2 && names.contains(&"main") && names.contains(&name),
            "{name}: {out}"
        );
        versions.extend(
            played
                .iter()
                .filter(|build| build["name"] == name)
                .map(|build| build["version"].clone()),
        );
    }
    let [with, without] = [&versions[1], &versions[2]].map(|version| version.as_str().expect("a text"));
    let plain = with.split_once('+').map(|(plain, _)| plain);
    assert_eq!(plain, Some(without));
}

/// The commit before the one that is measured is there for that alone: on the night after a regression it is that commit, and is not
/// marked.
#[test]
fn a_regression_is_marked_once() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let before = "[[build]]\nname = \"before\"\ncheckout = \"../rook\"\ncommit = \"HEAD^\"\nmake = \"cp rook $OUT && chmod 755 $OUT\"\n";
    league(&place, &engine("alphabeta"), before);
    change(&place, "games = 40", "games = 20");
    let programs = ["alphabeta", "alphabeta", "random-mover", "random-mover"].map(engine);
    checkout.commit(&programs[0]);
    for (name, program, code) in [("one", 1, 0), ("two", 2, 1), ("three", 3, 0)] {
        checkout.commit(&format!("{} # {name}", programs[program]));
        let (out, err) = said(&night(&place, &["--night", name], &[("GITHUB_ACTIONS", "true")]), code);
        assert_eq!(out.contains("is weaker than"), code == 1, "{name}: {out}\n{err}");
        let still = "main was marked as weaker in two, and has not been marked as stronger since";
        assert_eq!(out.contains(still), name == "three", "{name}: {out}\n{err}");
        let mark = format!("::warning title=a build is still weaker::{still}");
        assert_eq!(err.contains(&mark), name == "three", "{name}: {out}\n{err}");
    }
    let three = nights(&place)
        .into_iter()
        .find(|night| night.contains("/three"))
        .expect("three");
    schemas::check_files(&place.path(&three));
    // Who goes back to the program from before that night has mended it.
    checkout.commit(&format!("{} # one", programs[1]));
    let (out, err) = said(&night(&place, &["--night", "four"], &[("GITHUB_ACTIONS", "true")]), 0);
    assert!(!out.contains("was marked as weaker"), "{out}\n{err}");
    let trend = |build: &str, key: &str| -> Vec<Value> {
        let shown = place.swissmatch(&["league", "trend", build, "league/LEAGUE.toml", "--json"]);
        let trend: Value = serde_json::from_str(&shown.stdout()).expect("JSON");
        let nights = trend["nights"].as_array().expect("nights").iter();
        nights.map(|night| night[key].clone()).collect()
    };
    let nothing = || Value::Null;
    assert_eq!(
        trend("main", "still_weaker"),
        [nothing(), nothing(), "two".into(), nothing()]
    );
    assert_eq!(trend("before", "change"), vec![nothing(); 4]);
}

/// What is wrong is told before anything is built or played.
#[test]
fn what_is_wrong_plays_nothing() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    checkout.commit(&engine("alphabeta"));
    league(&place, &engine("alphabeta"), "");
    let text = place.read("league/LEAGUE.toml");
    let pin = format!("elo = 2800\nsha256 = \"{}\"", "0".repeat(64));
    for (from, to, why) in [
        (
            "path = \"./released/rook-1.0\"",
            "path = \"./released/rook-1.0\"\nfall_back = 3",
            "build.fall_back: belongs to a checkout; leave it out, or write checkout and make",
        ),
        (
            "max_moves = 60",
            "max_mves = 60",
            "league/LEAGUE.toml:21:1: game.max_mves: unknown key",
        ),
        (
            "elo = 2800",
            pin.as_str(),
            "build.sha256: the program of 1.0 has the SHA-256 ",
        ),
        (
            "main = true",
            "mian = true",
            "build.mian: unknown key; did you mean build.main?",
        ),
        (
            "[league]",
            "[leage]",
            "league/LEAGUE.toml:3:1: leage.name: unknown key; did you mean league.name?",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        place.write("league/LEAGUE.toml", &text.replace(from, to));
        let (_, err) = said(&night(&place, &[], &[]), 4);
        assert!(err.contains(why), "{why}: {err}");
    }
    let (_, err) = said(&night(&place, &["--night", "a/b"], &[]), 4);
    assert!(err.contains("unknown key"), "the file is read first: {err}");
    place.write("league/LEAGUE.toml", &text);
    let (_, err) = said(&night(&place, &["--night", "a/b"], &[]), 4);
    assert!(err.contains("--night a/b: "), "{err}");
    assert!(!place.path("league/nights").exists() && !place.path("league/history.sqlite").exists());
    let shown = place.swissmatch(&["league", "show", "league/LEAGUE.toml"]);
    shown.expect_code(4);
    assert!(shown.stderr().contains("has no night yet"), "{}", shown.stderr());
}

/// The gate of a league file: builds by their names, which are built first; flags go over the file.
#[test]
fn a_gate_of_a_league_fails_a_planted_regression() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let good = checkout.commit(&engine("alphabeta"));
    checkout.commit(&engine("random-mover"));
    let gate = "[gate]\nnew = \"main\"\nold = \"1.0\"\nmax_games = 400\n";
    league(&place, &engine("alphabeta"), gate);
    let file = "league/LEAGUE.toml";
    let failed = place.swissmatch(&["gate", file, "--junit", "j.xml"]);
    failed.expect_code(1);
    let out = failed.stdout();
    assert!(
        out.ends_with("gate failed: the test of [-5, 0] in normalized Elo accepted H0\n"),
        "{out}"
    );
    assert_eq!(junit(&place, "j.xml")[0][..2], ["sequential test", "failure"]);
    let runs: Vec<_> = std::fs::read_dir(place.path("league/results"))
        .expect("beside the file")
        .flatten()
        .collect();
    assert_eq!(runs.len(), 1);
    let run = format!("league/results/{}", runs[0].file_name().to_string_lossy());
    place.swissmatch(&["verify", &run]).expect_code(0);
    // The flags of the file, one after the other, give way.
    let text = place.read(file);
    place.write(
        file,
        &text.replace(
            "[[build]]\nname = \"1.0\"",
            &format!("commit = \"{good}\"\n\n[[build]]\nname = \"1.0\""),
        ),
    );
    let equal = place.swissmatch(&["gate", file, "--max-games", "10", "--time", "nodes=200"]);
    equal.expect_code(2);
    assert!(equal.stdout().contains("gate inconclusive"), "{}", equal.stdout());
    let nobody = place.swissmatch(&["gate", file, "--new", "mian"]);
    nobody.expect_code(4);
    assert!(
        nobody
            .stderr()
            .contains("--new mian: no build has this name; did you mean main?"),
        "{}",
        nobody.stderr()
    );
    place.write(file, &text.replace("old = \"1.0\"", "old = \"1.1\""));
    let wrong = place.swissmatch(&["gate", file]);
    wrong.expect_code(4);
    assert!(
        wrong.stderr().contains("gate.old: no build has this name"),
        "{}",
        wrong.stderr()
    );
}

/// Where no file is named, the one is found that `league init` wrote.
#[test]
fn the_file_that_init_wrote_is_found() {
    let place = Place::new();
    git(&place.path(""), &["init", "--quiet"]);
    place
        .swissmatch(&["league", "init", "--layout", "make", "--engine", "rook"])
        .expect_code(0);
    for order in [&["show"][..], &["trend", "main"]] {
        let shown = place.swissmatch(&[&["league"], order].concat());
        shown.expect_code(4);
        assert!(
            shown.stderr().contains("league/history.sqlite has no night yet"),
            "{order:?}: {}",
            shown.stderr()
        );
    }
    let run = place.swissmatch(&["league", "run"]);
    run.expect_code(3);
    assert!(
        run.stderr().contains("before does not play: league/.. has no commit"),
        "{}",
        run.stderr()
    );
}
