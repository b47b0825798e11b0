//! Files that agents left in their scratch directories, copied into the run.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Place, engine};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];
/// An agent in Python that writes to the file of its option, and to others.
const WRITER: &str = "#!/usr/bin/python3
import os, sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ['uci']:
        print('id name W\\nid author W\\noption name Log type string default <empty>\\noption name Same type string default <empty>')
        print('option name Flag type check default false\\nuciok', flush=True)
    if words[:3] == ['setoption', 'name', 'Log']:
        with open(words[4], 'w') as log: log.write('begin\\n')
        for name in ['true', 'other.log']: open(name, 'w').write('not named')
        os.symlink('/etc/passwd', 'link.log')
    if words[:1] == ['isready']: print('readyok', flush=True)
    if words[:1] == ['go']: print('bestmove 0000', flush=True)
    if words[:1] == ['quit']: break
";

fn event(place: &Place, keys: &str, players: &str) {
    let text = format!(
        "event.name = \"left\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
         game.nodes = 20\nengine.isolation = \"guarded\"\n{keys}\n{players}\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
    );
    place.write("event.toml", &text);
}

#[test]
fn the_debug_log_of_an_isolated_engine_is_kept_with_the_run() {
    let place = Place::new();
    event(
        &place,
        "",
        "[[player]]\nname = \"A/1\"\ncommand = \"stockfish\"\noptions = { \"Debug Log File\" = \"sf.log\" }\n",
    );
    place.swissmatch(&RUN).expect_code(0);
    let log = place.read("run/agents/1-A-1/sf.log");
    for said in ["<< readyok", ">> go ", "<< bestmove ", ">> quit"] {
        assert!(log.contains(said), "{said:?} is not in\n{log}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
    // What is there stays, and another run has its own.
    place.swissmatch(&[&RUN[..], &["--fresh"]].concat()).expect_code(0);
    assert_eq!(place.read("run.1/agents/1-A-1/sf.log"), log);
    let names = |run: &str| -> Vec<String> {
        let entries = std::fs::read_dir(place.path(run)).expect("a directory").flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    };
    assert_eq!(names("run/agents/1-A-1"), ["sf.log"]);
    assert_eq!(names("run.1/agents"), ["1-A-1"]);
}

/// Where a run lies beside its event file, a directory of programs may have the same name.
#[test]
fn programs_of_the_event_are_not_set_aside() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("ev/agents/2-mine")).expect("a directory");
    std::fs::copy(engine("greedy"), place.path("ev/agents/2-mine/greedy")).expect("a copy");
    event(
        &place,
        "",
        "[[player]]\nname = \"A\"\ncommand = \"stockfish\"\noptions = { \"Debug Log File\" = \"sf.log\" }\n",
    );
    let text = place
        .read("event.toml")
        .replace("command = \"greedy\"", "command = \"agents/2-mine/greedy\"");
    place.write("ev/event.toml", &text);
    for fresh in [&[][..], &["--fresh"]] {
        let run = [&["run", "ev/event.toml", "--out", "ev"], fresh].concat();
        place.swissmatch(&run).expect_code(0);
    }
    let is_there = |name: &str| place.path(name).exists();
    assert!(is_there("ev/agents/2-mine/greedy") && is_there("ev/agents/1-A/sf.log"));
    assert!(is_there("ev.1/agents/1-A/sf.log") && !is_there("ev.1/agents/2-mine"));
}

/// Each process leaves a file of its own; only what an option names that takes a text, and no link.
#[test]
fn what_is_copied_is_what_options_name() {
    let place = Place::new();
    let path = place.write("writer.py", WRITER);
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("its own");
    event(
        &place,
        "run.concurrency = 1\nengine.restart = \"game\"\nrun.max_faults = \"none\"",
        "[[player]]\nname = \"W\"\ncommand = \"./writer.py\"\noptions = { Log = \"w.log\", Same = \"link.log\", Flag = \"true\" }\n",
    );
    place.swissmatch(&RUN).expect_code(0);
    let entries = std::fs::read_dir(place.path("run/agents/1-W"))
        .expect("a directory")
        .flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["w.log", "w.log.2"]);
    assert_eq!(place.read("run/agents/1-W/w.log.2"), "begin\n");
}
