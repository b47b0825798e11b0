//! Processor time: that of each move, and what an agent does while the other side is to move.

use rustix::process::geteuid;
use serde_json::{Value, json};

use crate::support::{Means, Place, engine, say_what_is_missing, without};

/// The agent that burns, as the event names it.
const BURNS: &str = "command = \"fault-agent\"\nargs = [\"--fault\", \"burn\"]";

/// An agent that burns all the time against one that sleeps.
fn event(more: &str) -> String {
    format!(
        "[event]\nname = \"processor\"\n[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n\
         [game]\nmax_moves = 3\ntime_control = \"20s/move\"\n{more}\n\
         [[player]]\nname = \"Burns\"\ncommand = \"fault-agent\"\nargs = [\"--fault\", \"burn\"]\n\
         [[player]]\nname = \"Sleeps\"\ncommand = \"fault-agent\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"300\"]\n"
    )
}

/// The record of the game.
fn play(place: &Place, more: &str) -> Value {
    play_event(place, &event(more))
}

fn play_event(place: &Place, event: &str) -> Value {
    place.write("event.toml", event);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]);
    serde_json::from_str(records.stdout().trim()).expect("one record")
}

/// Processor time of a side off turn, as a share of a processor in per cent, and how long that was measured in milliseconds.
fn off_turn(record: &Value, side: usize) -> [u64; 2] {
    let of_side = &record["off_turn"][side];
    let figure = |key: &str| of_side[key].as_u64().unwrap_or_else(|| panic!("{key}: {record:#}"));
    [
        100 * figure("processor_us") / figure("measured_us").max(1),
        figure("measured_us") / 1000,
    ]
}

#[test]
fn who_thinks_while_the_other_side_is_to_move_is_seen() {
    let place = Place::new();
    let record = play(&place, "");
    let [share, measured] = off_turn(&record, 0);
    assert!(share > 10 && measured > 400, "{record:#}");
    // What sleeps does nothing, on its turn and off it.
    let of_moves = record["processor_us"].as_array().expect("a column");
    assert_eq!(of_moves.len(), 6);
    for (ply, used) in of_moves.iter().enumerate().filter(|(ply, _)| ply % 2 == 1) {
        assert!(ply == 1 || used.as_u64().is_some_and(|us| us < 100_000), "{record:#}");
    }
    let account = place.swissmatch(&["explain", "game", "1.1.1", "run"]).stdout();
    let told = "Burns was not to ponder (game.ponder), but may have thought while the other side was to move.";
    assert!(account.contains(told), "{account}");
    assert!(!account.contains("Sleeps was not to ponder"), "{account}");
}

#[test]
fn a_frozen_agent_does_nothing_while_the_other_side_is_to_move() {
    for isolation in ["guarded", "off"] {
        let place = Place::new();
        let record = play(&place, &format!("freeze = true\n[engine]\nisolation = \"{isolation}\""));
        let [share, measured] = off_turn(&record, 0);
        assert!(share <= 5 && measured > 400, "{isolation}: {record:#}");
        assert_eq!(record["termination"], "move-cap");
        assert!(place.read("run/rules.md").contains("they are stopped meanwhile"));
    }
}

/// Answers from a thread that tidies up behind its move, and does not take in what it is asked meanwhile.
const TIDIES_UP: &str = r#"import sys, threading, time
sys.setswitchinterval(1e-5)
def think():
    print("bestmove", "g1f3" if ply % 4 == 0 else "f3g1", flush=True)
    end = time.process_time() + 0.004
    while time.process_time() < end:
        pass
worker, ply = None, 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name tidies up\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "quit":
        break
    elif worker and worker.is_alive():
        print("info string ignored", line.strip(), flush=True)
    elif words[0] == "position":
        ply = len(words[words.index("moves") + 1:]) if "moves" in words else 0
    elif words[0] == "go":
        worker = threading.Thread(target=think)
        worker.start()
"#;

/// It is stopped in the middle of that, and has ended it before it is asked.
#[test]
fn a_frozen_agent_ends_what_it_was_about_before_it_is_asked() {
    let place = Place::new();
    place.write("tidies.py", TIDIES_UP);
    let agent = "command = \"python3\"\nargs = [\"tidies.py\"]";
    let record = play_event(&place, &event("freeze = true\nattempts = 1").replace(BURNS, agent));
    assert_eq!(record["termination"], "move-cap", "{record:#}");
}

/// An agent that burns in short processes that nobody buries, so many at a time, and works for so many milliseconds of its own
/// processor time before it answers.
fn hides(threads: u32, ms: u32) -> String {
    let program = engine("fault-agent");
    format!(
        "command = \"env\"\nargs = [\"--ignore-signal=CHLD\", {program:?}, \"--fault\", \"burn-hidden\", \"--lines\", \"{threads}\", \
         \"--ms\", \"{ms}\"]"
    )
}

/// Whether this machine gives no engine a control group.
fn lacks_control_groups() -> bool {
    let doctor = Place::new().swissmatch(&["doctor", "--json"]).stdout();
    let doctor: Value = serde_json::from_str(&doctor).expect("JSON");
    let lacks = doctor["means"]["control_groups"]["engines"].is_null();
    if lacks {
        say_what_is_missing("control groups");
    }
    lacks
}

/// No process that burns is there for longer than some milliseconds, and nobody has waited for it: the kernel's list of processes
/// does not show what it ran. A control group does.
#[test]
fn who_hides_its_thinking_in_short_processes_is_told_with_all_of_it() {
    if lacks_control_groups() {
        return;
    }
    for isolation in ["guarded", "off"] {
        let place = Place::new();
        let more = format!("[engine]\nisolation = \"{isolation}\"");
        let record = play_event(&place, &event(&more).replace(BURNS, &hides(2, 0)));
        let [share, measured] = off_turn(&record, 0);
        // By itself most of a processor, of which the list of processes shows a twentieth.
        assert!(share > 15 && measured > 400, "{isolation}: {record:#}");
        let account = place.swissmatch(&["explain", "game", "1.1.1", "run"]).stdout();
        assert!(account.contains("Burns was not to ponder"), "{isolation}: {account}");
    }
}

#[test]
fn who_starts_processes_all_the_time_is_stopped_with_all_of_them() {
    if lacks_control_groups() {
        return;
    }
    for isolation in ["guarded", "off"] {
        let place = Place::new();
        let more = format!("freeze = true\n[engine]\nisolation = \"{isolation}\"");
        let record = play_event(&place, &event(&more).replace(BURNS, &hides(2, 0)));
        let [share, measured] = off_turn(&record, 0);
        assert!(share <= 5 && measured > 400, "{isolation}: {record:#}");
        assert_eq!(record["termination"], "move-cap");
    }
}

/// Starts an engine, and beside it processes that start one another without end and tell of each pause of theirs.
const STORM: &str = r#"import os, sys, time
if os.fork():
    os.execv(sys.argv[1], sys.argv[1:])
os.setsid()
begun = last = time.monotonic()
while last < begun + 60:
    now = time.monotonic()
    if now - last > 0.1:
        os.write(1, b"info string paused %d\n" % ((now - last) * 1000))
    last = now
    if os.fork():
        os._exit(0)
"#;

/// Starts an engine, and beside it a process that burns, and that a timer lets go on where a signal stops it.
const ALARM: &str = r#"import ctypes, os, signal, sys, time
if os.fork():
    os.execv(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGCONT, lambda *_: None)
libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
event = (ctypes.c_int * 16)(0, 0, 18)
every = (ctypes.c_long * 4)(0, 10_000_000, 0, 10_000_000)
assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) == 0
assert libc.timer_settime(timer, 0, ctypes.byref(every), None) == 0
begun = time.monotonic()
while time.monotonic() < begun + 60:
    pass
"#;

/// A game of an agent that is this script against one that sleeps for 300 ms a move, both stopped while they rest, where these are
/// hidden: its record, and what was said. `None` where they cannot be hidden.
fn play_script(script: &str, isolation: &str, hidden: &[Means]) -> Option<(Value, String)> {
    if !hidden.is_empty() && !geteuid().is_root() {
        say_what_is_missing("only root can hide what isolates");
        return None;
    }
    let place = Place::new();
    place.write("beside.py", script);
    // It takes a while for a move, so that what is beside it can tell.
    let agent = format!(
        "command = \"python3\"\nargs = [\"beside.py\", {:?}, \"--fault\", \"sleep\", \"--ms\", \"50\"]",
        engine("fault-agent")
    );
    let more = format!("freeze = true\n[engine]\nisolation = \"{isolation}\"\n[run]\nevidence = \"all\"");
    place.write("event.toml", &event(&more).replace(BURNS, &agent));
    let ran = without(hidden, place.command(&["run", "event.toml", "--out", "run"]));
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let record = serde_json::from_str(records.trim()).expect("one record");
    Some((record, place.evidence("run", "1.1.1").expect("evidence")))
}

/// Whoever starts whom meanwhile: by a group, or by the first process of its namespaces.
#[test]
fn processes_that_start_one_another_without_end_are_all_stopped() {
    for hidden in [&[][..], &[Means::ControlGroups]] {
        let Some((record, said)) = play_script(STORM, "guarded", hidden) else {
            continue;
        };
        let pauses = said
            .lines()
            .filter_map(|line| line.split_once("info string paused ")?.1.parse::<u64>().ok());
        let paused: u64 = pauses.sum();
        assert!(paused > 500, "{hidden:?}: {paused} ms\n{said}");
        assert_eq!(record["termination"], "move-cap", "{hidden:?}: {record:#}");
    }
}

/// A timer's signal sets it going again where signals stopped it, and then it loses the game; a group has no such gap.
#[test]
fn who_runs_while_it_is_stopped_loses() {
    let all = [Means::ControlGroups, Means::Bubblewrap];
    for (hidden, is_held) in [(&all[..0], true), (&all[..1], false), (&all[..], false)] {
        let Some((mut record, _)) = play_script(ALARM, "guarded", hidden) else {
            continue;
        };
        if is_held && !lacks_control_groups() {
            assert_eq!(record["termination"], "move-cap", "{record:#}");
            continue;
        }
        // On a machine that has much else to do it may not come to run.
        for _ in 0..4 {
            if record["termination"] == "move-cap" {
                record = play_script(ALARM, "guarded", hidden).expect("they were hidden").0;
            }
        }
        assert_eq!(
            (&record["resource"], &record["result"]),
            (&json!("off-turn"), &json!("0-1")),
            "{hidden:?}: {record:#}"
        );
    }
}

/// Nine hidden processes keep the one thread that it declares waiting: its waits are its own doing.
#[test]
fn who_keeps_itself_waiting_loses_on_time() {
    let text = event("attempts = 1").replace("20s/move", "300ms/move");
    let text = text.replace(BURNS, &hides(9, 100));
    for hidden in [&[][..], &[Means::ControlGroups]] {
        if !hidden.is_empty() && !geteuid().is_root() {
            continue;
        }
        let place = Place::new();
        place.write("event.toml", &text);
        let ran = without(hidden, place.command(&["run", "event.toml", "--out", "run"]));
        let said = String::from_utf8_lossy(&ran.stderr);
        // Where nobody counts what comes and goes, that is told once.
        let is_told = said.matches("agents of several processes wait").count() == 1;
        assert_eq!(is_told, !hidden.is_empty() || lacks_control_groups(), "{said}");
        let records = place.swissmatch(&["export", "records", "run"]).stdout();
        let record: Value = serde_json::from_str(records.trim()).expect("one record");
        assert_eq!(
            (&record["termination"], &record["result"]),
            (&json!("time-forfeit"), &json!("0-1")),
            "{hidden:?}: {record:#}"
        );
        assert_eq!(record["in_doubt"], Value::Null, "{hidden:?}: {record:#}");
    }
}

/// A real engine thinks for as long as it says. On a machine that has too much else to do it may have to wait for most of a move, so
/// it is tried again.
#[test]
fn the_processor_time_of_a_move_is_that_of_its_threads() {
    let mut last = thinks_as_long_as_it_says();
    for _ in 0..4 {
        if last.is_ok() {
            break;
        }
        last = thinks_as_long_as_it_says();
    }
    assert!(last.is_ok(), "{last:#?}");
}

/// The record of the game, an error where times and processor times do not fit.
fn thinks_as_long_as_it_says() -> Result<Value, Value> {
    let place = Place::new();
    let text = event("")
        .replace("20s/move", "200ms/move")
        .replace(BURNS, "command = \"stockfish\"\noptions = { Threads = 1, Hash = 1 }");
    place.write("event.toml", &text.replace("\"300\"", "\"50\""));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let record: Value = serde_json::from_str(records.trim()).expect("one record");
    let column = |name: &str, ply: usize| record[name][ply].as_u64().unwrap_or(0);
    // After the first move it is counted from the beginning.
    let is_right = [2, 4].into_iter().all(|ply| {
        let (used, took) = (column("processor_us", ply), column("time_us", ply));
        took > 100_000 && used > took / 4 && used < 2 * took
    });
    if is_right { Ok(record) } else { Err(record) }
}
