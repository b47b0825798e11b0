//! Games that were open when a runner ended: noted by the next one, and left to the arbiter where that happens too often.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use swissmatch::shell::store::Store;

use crate::death::{Background, processes_in, send, until};
use crate::support::{Place, Ran};
use crate::watched;

const PATIENCE: Duration = Duration::from_secs(60);
const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];
const LIST: &str = "run/interrupted.json";

/// A place with an event of two games at once.
fn place(more: &str) -> Place {
    let place = Place::new();
    place.write("event.toml", &watched::event(more));
    place
}

/// A run of it, once both games have begun.
fn playing(place: &Place) -> Background<'_> {
    let running = Background::start(place, &RUN);
    until("both games", PATIENCE, || {
        let processes = processes_in(place);
        let is_agent = |line: &str| line.contains("--fault") && !line.starts_with("swissmatch");
        (processes.iter().filter(|process| is_agent(&process.line)).count() >= 4).then_some(())
    });
    sleep(Duration::from_millis(700));
    running
}

/// A run of it whose player was killed while both games were open.
fn killed(place: &Place) {
    let mut running = playing(place);
    send(running.player(), Signal::KILL);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
}

/// `swissmatch arbiter WORDS…`, signed.
fn act(place: &Place, run: &str, words: &[&str]) -> Ran {
    let signed = [run, "--by", "Ann", "--reason", "why"];
    place.swissmatch(&[&["arbiter"], words, &signed].concat())
}

/// The kinds of the entries of a log, and the bodies of those that note what was interrupted.
pub(crate) fn logged(place: &Place, run: &str) -> (Vec<String>, Vec<Value>) {
    let store = Store::open_to_read(&place.path(run).join("run.sqlite")).expect("a log");
    let entries = store.entries().expect("a log");
    let kinds = entries.iter().map(|logged| logged.entry.kind().to_owned()).collect();
    let bodies = entries
        .iter()
        .map(|logged| serde_json::to_value(&logged.entry).expect("JSON"));
    (kinds, bodies.filter(|body| body["entry"] == "interrupted").collect())
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[test]
fn games_that_were_open_when_the_player_was_killed_are_noted_before_anything_else() {
    let place = place("");
    let mut running = playing(&place);
    // Neither keepers nor agents have what the player tells the guard by.
    for process in processes_in(&place) {
        let is_of_runner = [running.guard(), running.player()].contains(&process.pid);
        let open = fs::read_dir(format!("/proc/{}/fd", process.pid))
            .into_iter()
            .flatten()
            .flatten();
        let has = open
            .filter_map(|open| fs::read_link(open.path()).ok())
            .any(|to| to.to_string_lossy().contains("open-games"));
        assert_eq!(has, is_of_runner, "{}", process.line);
    }
    send(running.player(), Signal::KILL);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    let list: Value = serde_json::from_str(&place.read(LIST)).expect("JSON");
    crate::schemas::check("interrupted", &list);
    assert_eq!(
        (&list["games"], &list["signal"]),
        (&json!(["1.1.1", "1.1.2"]), &json!(9))
    );
    assert_eq!(list["runner"]["entry"], 1);

    let ran = place.swissmatch(&RUN);
    ran.expect_code(0);
    let told = "The runner was killed by signal 9 while these games were open, which are due again: 1.1.1, 1.1.2";
    assert!(ran.stderr().contains(told), "{}", ran.stderr());
    assert!(!exists(&place.path(LIST)));
    let (kinds, noted) = logged(&place, "run");
    assert_eq!(kinds[..4], ["created", "round-paired", "interrupted", "resumed"]);
    assert_eq!(
        noted,
        [json!({"entry": "interrupted", "games": ["1.1.1", "1.1.2"], "signal": 9})]
    );
    let explained = place.swissmatch(&["explain", "game", "1.1.1", "run"]);
    assert!(
        explained
            .stdout()
            .contains("noted that the runner was killed by signal 9"),
        "{}",
        explained.stdout()
    );
    place
        .swissmatch(&["explain", "game", "1.1.1", "run", "--json"])
        .expect_code(0);
    assert!(place.swissmatch(&["arbiter", "log", "run"]).stdout().contains(told));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// After a power cut as well.
#[test]
fn where_guard_and_player_were_killed_nobody_knows_which_games_were_open() {
    let place = place("");
    let mut running = playing(&place);
    send(running.guard(), Signal::KILL);
    running.end(PATIENCE);
    assert!(!exists(&place.path(LIST)));
    let ran = place.swissmatch(&[&RUN[..], &["--json"]].concat());
    ran.expect_code(0);
    let told = "The runner ended, and nobody knows how; games that were open then are due again";
    let is_told = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["text"] == told;
    assert!(ran.stdout().lines().any(is_told), "{}", ran.stdout());
    assert_eq!(
        logged(&place, "run").1,
        [json!({"entry": "interrupted", "games": null})]
    );
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn a_stop_at_once_is_noted_and_one_that_finishes_the_games_is_not() {
    let place = place("");
    let mut running = playing(&place);
    for _ in 0..2 {
        send(running.guard(), Signal::TERM);
        sleep(Duration::from_millis(100));
    }
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    let mut running = playing(&place);
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert!(!exists(&place.path(LIST)));
    let noted = json!({"entry": "interrupted", "games": ["1.1.1", "1.1.2"], "exit_code": 130});
    assert_eq!(logged(&place, "run").1, [noted]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn the_same_games_interrupted_too_often_wait_for_the_arbiter() {
    let place = place("");
    for _ in 0..3 {
        killed(&place);
    }
    let ran = place.swissmatch(&RUN);
    ran.expect_code(2);
    for told in [
        "Game 1.1.1 (Alpha – Bravo) was interrupted 3 times, so it is not played again by itself (run.replays = 2): the runner was killed by signal 9 \
         (3 times).",
        "`swissmatch arbiter adjudicate 1.1.1 RESULT --by NAME --reason TEXT` gives the game a result",
    ] {
        assert!(ran.stderr().replace('\n', " ").contains(told), "{}", ran.stderr());
    }
    let status = place.swissmatch(&["status", "run"]);
    assert!(
        status
            .stdout()
            .replace('\n', " ")
            .contains("Game 1.1.2 (Bravo – Alpha) was interrupted 3 times"),
        "{}",
        status.stdout()
    );
    let again = place.swissmatch(&[&RUN[..], &["--json"]].concat());
    again.expect_code(2);
    let last: Value = serde_json::from_str(again.stdout().lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["type"], "rulings");
    let killed = json!([{"signal": 9}, {"signal": 9}, {"signal": 9}]);
    assert_eq!(
        last["games"][0],
        json!({"id": "1.1.1", "white": "Alpha", "black": "Bravo", "interruptions": killed})
    );

    act(&place, "run", &["adjudicate", "1.1.1", "1-0"]).expect_code(0);
    place.swissmatch(&RUN).expect_code(2);
    let done = act(&place, "run", &["replay", "1.1.2"]);
    done.expect_code(0);
    assert!(
        done.stdout().contains("its interruptions are counted anew"),
        "{}",
        done.stdout()
    );
    place.swissmatch(&RUN).expect_code(0);
    let games = place.export_json("run", "games-json");
    let ends = ["1.1.1", "1.1.2"].map(|id| {
        let games = games["games"].as_array().expect("a list");
        let game = games.iter().find(|game| game["id"] == id).expect("it has ended");
        game["ruling"].clone()
    });
    assert_eq!(ends, [json!("adjudicated"), Value::Null]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// An agent of the same user can write any list, and take it away; what it says is compared with the log.
#[test]
fn a_list_counts_once_and_a_forged_one_not_at_all() {
    let place = place("");
    killed(&place);
    let left = place.read(LIST);
    let list: Value = serde_json::from_str(&left).expect("JSON");
    let changed = |change: fn(&mut Value)| {
        let mut list = list.clone();
        change(&mut list);
        list.to_string()
    };
    let known = json!({"entry": "interrupted", "games": ["1.1.1", "1.1.2"], "signal": 9});
    let unknown = json!({"entry": "interrupted", "games": null});
    let cases = [
        (left.clone(), known.clone(), ""),
        (
            changed(|list| list["games"] = json!(["1.1.2", "1.1.1", "1.1.2"])),
            known.clone(),
            "",
        ),
        (
            changed(|list| list["games"] = json!(["1.1.1", "4.1.1"])),
            unknown.clone(),
            "game 4.1.1 is not on the schedule",
        ),
        (
            changed(|list| list["runner"]["hash"] = json!("00")),
            unknown.clone(),
            "no runner of this run began with the entry that it names",
        ),
        (
            changed(|list| list["schema"] = json!(2)),
            unknown.clone(),
            "it has version 2",
        ),
        ("{".to_owned(), unknown.clone(), "EOF"),
    ];
    for (number, (list, noted, ignored)) in cases.iter().enumerate() {
        let (run, noted) = (format!("run-{number}"), std::slice::from_ref(noted));
        copy(&place, &run);
        place.write(&format!("{run}/interrupted.json"), list);
        act(&place, &run, &["pause"]).expect_code(0);
        assert_eq!(logged(&place, &run).1, *noted, "{list}");
        assert_eq!(logged(&place, &run).0[2..], ["interrupted", "acted"], "{list}");
        assert_eq!(
            exists(&place.path(&format!("{run}/interrupted.json"))),
            !ignored.is_empty()
        );
        // As after a crash between the entry and the removal of the list; it is known by then.
        place.write(&format!("{run}/interrupted.json"), list);
        act(&place, &run, &["resume"]).expect_code(0);
        assert_eq!(logged(&place, &run).1, *noted, "{list}");
        let ran = place.swissmatch(&["run", "event.toml", "--out", &run]);
        ran.expect_code(0);
        assert!(!exists(&place.path(&format!("{run}/interrupted.json"))));
        let told = format!("interrupted.json is ignored: {ignored}");
        assert_eq!(
            ran.stderr().contains(&told),
            !ignored.is_empty(),
            "{list}: {}",
            ran.stderr()
        );
        assert_eq!(logged(&place, &run).1, *noted, "{list}");
        place.swissmatch(&["verify", &run]).expect_code(0);
    }
    copy(&place, "taken-away");
    fs::remove_file(place.path("taken-away/interrupted.json")).expect("it was there");
    act(&place, "taken-away", &["pause"]).expect_code(0);
    assert_eq!(logged(&place, "taken-away").1, [unknown]);
}

/// Otherwise whoever kills runners could have each but the first time forgotten.
#[test]
fn a_list_that_was_noted_does_not_stand_for_a_later_end() {
    let place = place("");
    killed(&place);
    let first = place.read(LIST);
    killed(&place);
    place.write(LIST, &first);
    let ran = place.swissmatch(&RUN);
    ran.expect_code(0);
    let told = "interrupted.json is ignored: it is of an earlier runner than the last one";
    assert!(ran.stderr().contains(told), "{}", ran.stderr());
    let known = json!({"entry": "interrupted", "games": ["1.1.1", "1.1.2"], "signal": 9});
    let unknown = json!({"entry": "interrupted", "games": null});
    assert_eq!(logged(&place, "run").1, [known, unknown]);
    let explained = place.swissmatch(&["explain", "game", "1.1.2", "run"]).stdout();
    assert!(explained.contains("may have been open (entry 5)"), "{explained}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The directory of the run as it is, under another name.
fn copy(place: &Place, to: &str) {
    let to = place.path(to);
    fs::create_dir(&to).expect("a directory");
    for file in fs::read_dir(place.path("run")).expect("the run").flatten() {
        if file.file_type().is_ok_and(|kind| kind.is_file()) {
            fs::copy(file.path(), to.join(file.file_name())).expect("a file");
        }
    }
}

#[test]
fn where_the_directory_was_taken_away_the_guard_says_which_games_were_open() {
    let place = place("");
    let mut running = playing(&place);
    fs::rename(place.path("run"), place.path("elsewhere")).expect("it is moved");
    send(running.player(), Signal::KILL);
    running.end(PATIENCE);
    let said = place.read("complained");
    let told = "swissmatch: the list of the games that were open (1.1.1, 1.1.2) cannot be left: ";
    assert!(said.contains(told), "{said}");
    assert!(!exists(&place.path("run")));
}
