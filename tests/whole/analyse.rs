//! `swissmatch analyse`: the same numbers whatever happens on the way, and nothing that its log does not give.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rustix::process::Signal;
use serde_json::Value;

use crate::damage::{forge, unguarded};
use crate::death::{Background, assert_empty, send, until};
use crate::kill::short_event;
use crate::resume::{RUN, contents, tiny_event};
use crate::support::{Place, Ran, engine, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// A finished run of a small event.
fn played() -> Place {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    place
}

/// `swissmatch analyse RUN --engine stockfish …`
fn analyse(place: &Place, run: &str, more: &[&str]) -> Ran {
    let stockfish = system_engine("stockfish");
    place.swissmatch(&[&["analyse", run, "--engine", &stockfish], more].concat())
}

/// What is published of an analysis; it names the evaluations by their hashes.
fn published(place: &Place, run: &str) -> [String; 5] {
    let names = [
        "analysis.json",
        "analysis.md",
        "standings.json",
        "standings.csv",
        "standings.md",
    ];
    names.map(|name| place.read(&format!("{run}/{name}")))
}

/// How many events of a kind the log has.
fn events(run: &Path, kind: &str) -> u32 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let count = Connection::open_with_flags(run.join("run.sqlite"), flags)
        .and_then(|log| log.query_row("SELECT count(*) FROM entries WHERE kind = ?1", [kind], |row| row.get(0)));
    count.unwrap_or(0)
}

fn players(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    document["players"].as_array().expect("players").clone()
}

#[test]
fn what_moves_lost_reaches_the_standings_and_is_found_once() {
    let place = played();
    let before = place.read("run/standings.json");
    assert!(
        players(&before).iter().all(|player| player["acpl"].is_null()),
        "{before}"
    );
    let first = analyse(&place, "run", &["--nodes", "500", "--json"]);
    first.expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let report = players(&first.stdout());
    assert_eq!(report.len(), 3);
    for player in players(&place.read("run/standings.json")) {
        let own = report
            .iter()
            .find(|other| other["name"] == player["name"])
            .expect("the player");
        assert!(player["acpl"].is_number(), "{player}");
        for key in ["acpl", "accuracy", "blunders", "games"] {
            assert_eq!(player[key], own[key], "{key}");
        }
    }
    // A random mover loses more than a search.
    let lost = |name: &str| {
        let own = report.iter().find(|player| player["name"] == name).expect("the player");
        own["centipawns_lost"].as_u64().expect("a number") / own["moves"].as_u64().expect("a number")
    };
    assert!(lost("B") > lost("A"), "{report:?}");

    let (done, files) = (events(&place.path("run"), "game-analysed"), published(&place, "run"));
    assert_eq!(done, events(&place.path("run"), "game-finished"));
    // Also without the evaluations kept, since the log has what counts.
    fs::remove_file(place.path("run/analysis.sqlite")).expect("a file of evaluations");
    let again = analyse(&place, "run", &["--nodes", "500"]);
    again.expect_code(0);
    assert!(
        again.stderr().contains("every finished game has been analysed"),
        "{}",
        again.stderr()
    );
    assert_eq!(events(&place.path("run"), "game-analysed"), done);
    assert_eq!(published(&place, "run"), files);
    let shown = place.swissmatch(&["analyse", "run", "--show", "--json"]);
    assert_eq!(shown.expect_code(0).stdout(), files[0]);
}

#[test]
fn concurrency_and_sharing_evaluations_change_nothing() {
    let place = played();
    for (run, more) in [
        ("one", &["--concurrency", "1"][..]),
        ("two", &["--concurrency", "2", "--cache", "shared"]),
        ("again", &["--concurrency", "2", "--cache", "shared"]),
    ] {
        place.copy("run", run);
        let ran = analyse(&place, run, &[&["--nodes", "700"], more].concat());
        ran.expect_code(0);
        assert_eq!(
            ran.stderr().contains(" 0 evaluated"),
            run == "again",
            "{}",
            ran.stderr()
        );
    }
    assert_eq!(published(&place, "one"), published(&place, "two"));
    assert_eq!(published(&place, "one"), published(&place, "again"));
}

#[test]
fn other_settings_begin_anew() {
    let place = played();
    analyse(&place, "run", &["--nodes", "300"]).expect_code(0);
    let files = published(&place, "run");
    // Other thresholds make other numbers of the same evaluations.
    let ran = analyse(&place, "run", &["--nodes", "300", "--set", "analysis.blunder=200"]);
    assert!(ran.expect_code(0).stderr().contains(" 0 evaluated"), "{}", ran.stderr());
    let ran = analyse(&place, "run", &["--depth", "3"]);
    assert!(
        ran.expect_code(0).stderr().contains("this one replaces it"),
        "{}",
        ran.stderr()
    );
    assert!(!ran.stderr().contains(" 0 evaluated"), "{}", ran.stderr());
    let document: Value = serde_json::from_str(&place.read("run/analysis.json")).expect("JSON");
    assert_eq!(
        (&document["keys"]["nodes"], &document["keys"]["depth"]),
        (&Value::Null, &Value::from(3))
    );
    assert_ne!(published(&place, "run"), files);
    assert_eq!(events(&place.path("run"), "analysis-begun"), 3);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    analyse(&place, "run", &["--nodes", "300"]).expect_code(0);
    assert_eq!(published(&place, "run"), files);
}

/// The run's keys count where no flag does.
#[test]
fn the_event_file_says_how() {
    let place = Place::new();
    let stockfish = system_engine("stockfish");
    let keys = format!(
        "[analysis]\ncommand = \"{stockfish}\"\nnodes = \"none\"\ndepth = 2\nmean = \"games\"\nresignation_move = 1000\n"
    );
    let columns = "[standings]\ncolumns = [\"match-points\", \"acpl\", \"accuracy\", \"blunders\"]\n";
    // How many games are played at once says nothing of engines that analyse.
    let run = "[run]\nconcurrency = 77\noversubscribe = true\n";
    place.write("event.toml", &(keys + columns + run + &tiny_event()));
    place.swissmatch(&RUN).expect_code(0);
    let ran = place.swissmatch(&["analyse", "run"]);
    let said = ran.expect_code(0).stderr();
    assert!(said.contains(" at once") && !said.contains("77 at once"), "{said}");
    let page = place.read("run/standings.md");
    for part in [
        "ACPL",
        "Accuracy",
        "Blunders",
        "depth 2",
        "mean of the games' means",
        "one more move that loses 1000",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// kill -9 loses what was under way and nothing else; Ctrl-C not even that.
#[test]
fn going_on_gives_the_same() {
    let place = played();
    place.copy("run", "undisturbed");
    // Slow enough to be caught in the middle.
    let search = ["--nodes", "30000", "--concurrency", "2"];
    analyse(&place, "undisturbed", &search).expect_code(0);
    let stockfish = system_engine("stockfish");
    let command = [&["analyse", "run", "--engine", &stockfish][..], &search].concat();
    let analysed = || events(&place.path("run"), "game-analysed");
    for (least, signal) in [(1, Signal::KILL), (2, Signal::INT)] {
        let mut running = Background::start(&place, &command);
        until("a game", PATIENCE, || (analysed() >= least).then_some(()));
        match signal {
            Signal::KILL => send(running.player(), signal),
            _ => send(running.guard(), signal),
        }
        assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
        assert_empty(&place, Duration::from_secs(1));
    }
    let before = analysed();
    assert!(
        before < events(&place.path("run"), "game-finished"),
        "it was over before it was disturbed"
    );
    // What was published when it was interrupted is what the log gives.
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&command).expect_code(0);
    assert_eq!(published(&place, "run"), published(&place, "undisturbed"));
    assert_eq!(events(&place.path("run"), "analysis-begun"), 1);
    assert_eq!(
        events(&place.path("run"), "game-analysed"),
        events(&place.path("run"), "game-finished")
    );
}

/// An event may be analysed between two calls of `run`, which keep what was analysed.
#[test]
fn an_event_under_way_is_analysed_as_far_as_it_is() {
    let place = Place::new();
    // Every game of B takes some seconds, so that the runner can be caught.
    let slow = format!(
        "{}\"\nargs = [\"--fault\", \"sleep\", \"--every\", \"--ms\", \"50\"]",
        engine("fault-agent")
    );
    let event = tiny_event().replace(&format!("{}\"", engine("random-mover")), &slow);
    place.write("event.toml", &event.replace("games = 2", "games = 6"));
    let mut running = Background::start(&place, &[&RUN[..], &["--concurrency", "1"]].concat());
    let finished = || events(&place.path("run"), "game-finished");
    until("games", PATIENCE, || (finished() >= 1).then_some(()));
    let refused = analyse(&place, "run", &["--nodes", "100"]);
    assert!(
        refused
            .expect_code(4)
            .stderr()
            .contains("another swissmatch is running"),
        "{}",
        refused.stderr()
    );
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    analyse(&place, "run", &["--nodes", "100"]).expect_code(0);
    let so_far = events(&place.path("run"), "game-analysed");
    assert_eq!(so_far, finished());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&RUN).expect_code(0);
    assert!(finished() > so_far, "it was over before");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let table = place.read("run/standings.md");
    assert!(table.contains("games are analysed"), "{table}");
    analyse(&place, "run", &["--nodes", "100"]).expect_code(0);
    assert_eq!(events(&place.path("run"), "game-analysed"), finished());
    assert_eq!(events(&place.path("run"), "analysis-begun"), 1);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The parts of an event have the numbers of their own games.
#[test]
fn parts_have_their_own_games() {
    let place = Place::new();
    let event = short_event()
        .replace("rounds = 3", "rounds = \"quads\"")
        .replace("games = 4", "games = 2");
    place.write("event.toml", &event);
    place.swissmatch(&RUN).expect_code(0);
    let report = analyse(&place, "run", &["--nodes", "100", "--json"]);
    let report = players(&report.expect_code(0).stdout());
    let standings: Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    let of_parts = standings["parts"].as_array().expect("parts").iter();
    let of_parts: Vec<&Value> = of_parts
        .flat_map(|part| part["players"].as_array().expect("players"))
        .collect();
    assert_eq!(of_parts.len(), report.len());
    for player in of_parts {
        let own = report
            .iter()
            .find(|other| other["name"] == player["name"])
            .expect("the player");
        assert!(player["acpl"].is_number(), "{player}");
        for key in ["acpl", "accuracy", "blunders"] {
            assert_eq!(player[key], own[key], "{key}: {player}");
        }
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn a_forged_analysis_is_found() {
    let place = played();
    analyse(&place, "run", &["--nodes", "100"]).expect_code(0);
    let last = "(SELECT max(seq) FROM entries WHERE kind = 'game-analysed')";
    // Upwards: with fewer moves what they lost may be impossible, which another check finds.
    let counts = format!("UPDATE entries SET body = replace(body, '\"moves\":10', '\"moves\":11') WHERE seq = {last}");
    let other = format!(
        "UPDATE entries SET body = replace(body, substr(body, -67), (SELECT substr(body, -67) FROM entries WHERE kind = \
         'game-analysed' LIMIT 1)) WHERE seq = {last}"
    );
    let evals = "UPDATE blobs SET body = replace(body, '\"evals\":[', '\"evals\":[1') WHERE body LIKE '{\"version\":1,\"id\":%evals%'";
    let keys =
        "UPDATE entries SET body = replace(body, '\"blunder\":300', '\"blunder\":101') WHERE kind = 'analysis-begun'";
    for (number, (sql, check)) in [
        (counts.as_str(), "analysis"),
        (&other, "analysis"),
        (evals, "analysis"),
        (keys, "analysis"),
    ]
    .into_iter()
    .enumerate()
    {
        let run = format!("forged-{number}");
        place.copy("run", &run);
        let log = unguarded(&place.path(&run));
        log.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(log.changes() > 0, "{sql} changes nothing");
        forge(&log);
        drop(log);
        let found = place.swissmatch(&["verify", &run]);
        let wrong = format!("WRONG   {check}");
        assert!(
            found.expect_code(1).stdout().contains(&wrong),
            "{sql}: {}",
            found.stdout()
        );
    }
    // Twice the same game is no history at all.
    place.copy("run", "twice");
    let log = unguarded(&place.path("twice"));
    let twice = format!("INSERT INTO entries SELECT seq + 1, at, kind, body, hash FROM entries WHERE seq = {last}");
    log.execute_batch(&twice).expect("a row");
    forge(&log);
    drop(log);
    let found = place.swissmatch(&["verify", "twice"]);
    assert!(
        found.expect_code(1).stdout().contains("was analysed twice"),
        "{}",
        found.stdout()
    );
}

#[test]
fn what_cannot_be_analysed_is_refused_before_anything_starts() {
    let place = played();
    let before = contents(&place, "run");
    let refused = |args: &[&str], code: i32, part: &str| {
        let ran = place.swissmatch(&[&["analyse", "run"], args].concat());
        assert!(
            ran.expect_code(code).stderr().contains(part),
            "{args:?}: {}",
            ran.stderr()
        );
        assert_eq!(contents(&place, "run"), before, "{args:?}");
    };
    refused(
        &["--engine", "no-such-engine"],
        4,
        "`no-such-engine` was found neither beside swissmatch",
    );
    refused(&["--engine", "./event.toml"], 4, "is not executable");
    // What an agent may have put here.
    let planted = place.write("stockfish-19", "#!/bin/sh\n");
    fs::set_permissions(planted, fs::Permissions::from_mode(0o755)).expect("a program");
    refused(
        &["--engine", "stockfish-19"],
        4,
        "is never taken by its name alone (--engine ./stockfish-19 takes it)",
    );
    refused(
        &["--engine", "/bin/true"],
        4,
        "it does not start: it ended before it was ready",
    );
    let random = engine("random-mover");
    refused(&["--engine", &random], 4, "--set 'analysis.options={}' sets none");
    refused(&["--nodes", "0"], 4, "--nodes: analysis.nodes: expected");
    refused(&["--set", "analysis.nodes=none"], 4, "no evaluation would end");
    refused(
        &["--set", "analysis.options={ UCI_Chess960 = true }"],
        4,
        "analysis.options: UCI_Chess960 is set by game.variant",
    );
    refused(&["--set", "game.nodes=1"], 4, "only keys of [analysis]");
    refused(&["--show"], 4, "no game of this run has been analysed");
    let nothing = place.swissmatch(&["analyse", "nowhere"]);
    nothing.expect_code(4);
    place.write(
        "other",
        "no file of evaluations, but long enough to be none of SQLite either",
    );
    let foreign = analyse(&place, "run", &["--nodes", "100", "--cache", "other"]);
    assert!(
        foreign.expect_code(5).stderr().contains("name another with --cache"),
        "{}",
        foreign.stderr()
    );
}

/// An engine that breaks down or says nothing useful is an error; what it had been asked for is still due.
#[test]
fn an_engine_that_is_no_reference_is_an_error() {
    let place = played();
    let none = ["--set", "analysis.options={}"];
    let fault = engine("fault-agent");
    for (kind, part) in [
        ("illegal", "it named `a1a1`, which is not a legal move at the position"),
        ("none", "it named `(none)`"),
        ("empty", "it named ``"),
        ("abort", "it was killed by signal 6"),
        ("exit", "it ended with exit code 3"),
        ("drip", "no `bestmove` within 500ms (analysis.limit)"),
        ("close-stdout", "closed its input or output"),
    ] {
        let args = format!("analysis.args=[\"--fault\", \"{kind}\", \"--every\"]");
        let more = ["--set", &args, "--set", "analysis.limit=500ms", "--concurrency", "2"];
        let ran = place.swissmatch(&[&["analyse", "run", "--engine", &fault], &none[..], &more].concat());
        assert!(ran.expect_code(5).stderr().contains(part), "{kind}: {}", ran.stderr());
        assert!(!ran.stderr().contains("panicked"), "{kind}: {}", ran.stderr());
    }
    assert_eq!(events(&place.path("run"), "game-analysed"), 0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    // What was begun with other engines is replaced.
    analyse(&place, "run", &["--nodes", "100"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    assert_empty(&place, Duration::from_secs(1));
}
