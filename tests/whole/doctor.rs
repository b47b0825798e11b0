//! What `doctor` says of a machine, beside what other programs say of the same one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::schemas;
use crate::support::{Guest, Place, finish, say_what_is_missing, without_bubblewrap};

/// The JSON that was printed, which is as its schema says. Its exit code says whether anything is missing.
#[track_caller]
fn page(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    let page: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    schemas::check("doctor", &page);
    let is_missing = page["missing"] != json!([]);
    assert_eq!(output.status.code(), Some(i32::from(is_missing)), "{page:#}");
    page
}

/// What a program of the system prints.
fn printed(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().expect("it is there");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// What is missing, with what would give it. The list of what is missing has the same.
#[track_caller]
fn missing(page: &Value) -> BTreeMap<&str, &str> {
    let each = page["protections"].as_array().expect("a list").iter();
    let missing: BTreeMap<&str, &str> = each
        .filter_map(|one| {
            let (needs, by) = (one["needs"].as_str(), one["by"].as_array().expect("a list"));
            assert_eq!(needs.is_some(), by.is_empty(), "{one}");
            Some((one["protection"].as_str().expect("a word"), needs?))
        })
        .collect();
    let told = page["missing"].as_array().expect("a list").iter();
    let mut told: Vec<&str> = told.filter_map(Value::as_str).collect();
    told.sort_unstable();
    assert_eq!(told, missing.keys().copied().collect::<Vec<_>>());
    missing
}

#[test]
fn a_machine_is_told_as_others_tell_it() {
    let place = Place::new();
    let page = page(&place.swissmatch(&["doctor", "--json"]).output);
    assert_eq!(page["kernel"]["release"], printed("uname", &["-r"]));
    assert_eq!(page["kernel"]["architecture"], printed("uname", &["-m"]));
    assert_eq!(page["user"].to_string(), printed("id", &["-u"]));
    let cpus = page["processor"]["cpus"].as_array().expect("a list").len();
    let allowed = rustix::thread::sched_getaffinity(None).expect("its affinity").count();
    assert_eq!(cpus, allowed as usize);
    // By a clock that steps each millisecond no time of a move could be told.
    let step = page["clock"]["step_ns"].as_u64().expect("a number");
    assert!((1..1_000_000).contains(&step), "{step}");
    let scratch = page["scratch"]["path"].as_str().expect("a path");
    assert_eq!(Path::new(scratch).components(), place.path("").components());
    match std::fs::read_to_string("/sys/kernel/security/lsm") {
        Ok(modules) => assert_eq!(
            modules.contains("landlock"),
            page["means"]["landlock"].is_u64(),
            "{modules}"
        ),
        Err(_) => say_what_is_missing("the kernel does not list its security modules here"),
    }
    missing(&page);
}

#[test]
fn limits_are_those_it_was_started_with() {
    let place = Place::new();
    let mut command = Command::new("prlimit");
    let swissmatch = place.command(&["doctor", "--json"]);
    command
        .args(["--nofile=200:300", "--fsize=50000000"])
        .arg(swissmatch.get_program());
    command.args(swissmatch.get_args()).current_dir(place.path(""));
    let page = page(&command.output().expect("prlimit is there"));
    assert_eq!(page["open_files"], json!({ "now": 200, "most": 300 }));
    assert_eq!(page["file_size"], 50_000_000);
}

/// What is missing is told with what would give it, for people too.
#[test]
fn without_bubblewrap_what_it_gave_is_missing() {
    let Some(guest) = Guest::new(&[]) else { return };
    let program = guest.place.path("swissmatch");
    let with = page(&guest.swissmatch(&[], &["doctor", "--json"]).output);
    match missing(&with) {
        nothing if nothing.is_empty() => assert!(with["means"]["bubblewrap"].is_string()),
        some => say_what_is_missing(&format!("this machine gives an ordinary user no {some:?}")),
    }
    let mut command = guest.command(&[], &program);
    command.args(["doctor", "--json"]);
    let hidden = page(&without_bubblewrap(command));
    let left = missing(&hidden);
    assert!(left["pids"].contains("an ordinary user with bubblewrap"), "{left:?}");
    assert_eq!(hidden["means"]["bubblewrap"], Value::Null);
    assert_eq!(hidden["means"]["why_no_namespaces"], "bubblewrap is not installed");
    assert_eq!(hidden["means"]["own_users"], false);
    let mut command = guest.command(&[], &program);
    command.arg("doctor");
    let text = without_bubblewrap(command);
    assert_eq!(text.status.code(), Some(1));
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for line in [
        "  pids       more processes and threads than it may have: MISSING; needs control groups that bound processes, an ordinary user",
        "  cpu        cores that are not its own: given by a filter of system calls\n",
        "  Namespaces      no: bubblewrap is not installed\n",
        "\"sealed\"   is refused before anything starts, since this is missing: ",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
}

/// The superuser gives each agent a user of its own, and so needs no bubblewrap to bound its processes.
#[test]
fn root_has_users_for_agents() {
    if !rustix::process::geteuid().is_root() {
        return say_what_is_missing("only root has users for agents");
    }
    let place = Place::new();
    let hidden = page(&without_bubblewrap(place.command(&["doctor", "--json"])));
    assert!(!missing(&hidden).contains_key("pids"), "{hidden:#}");
    assert_eq!(hidden["means"]["own_users"], true);
    let output = finish(place.command(&["doctor"]).spawn().expect("swissmatch starts"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("  User            the superuser\n"), "{text}");
    assert!(text.contains("  Own users       yes, one for each agent\n"), "{text}");
}
