//! Files that agents write themselves, which are no part of them: those that were absent when the run was created, and those
//! that `player.write` names. Everything else is, and must stay as it was. An isolated agent can write beside itself what
//! `player.write` names alone, so most of these are not.

use std::os::unix::fs::PermissionsExt;

use crate::isolation::script;
use crate::support::{Place, complaints, engine, say_what_is_missing};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];
/// An agent that may write wherever its user may.
const FREE: &str = "[engine]\nisolation = \"off\"\n";

/// An agent that adds a line to its log at each start: in the file that its argument names, where it runs.
fn logger(place: &Place) {
    let text = "#!/bin/sh\ncase $1 in --log=*) echo started >> \"${1#--log=}\";; esac\nexec \"$3\"\n";
    let path = place.write("logger.sh", text);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its mode");
}

/// Two rounds of two players, of which one writes a log and has weights.
fn event(place: &Place, keys: &str, of_player: &str) {
    logger(place);
    place.write("net.bin", "weights");
    let text = format!(
        "[event]\nname = \"own\"\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\nmax_moves = 2\nnodes = 20\n{keys}\n\
         [[player]]\nname = \"Logger\"\ncommand = \"./logger.sh\"\nargs = [\"--log=agent.log\", \"--net=net.bin\", \
         \"{greedy}\"]\n{of_player}\n[[player]]\nname = \"Plain\"\ncommand = \"{greedy}\"\n",
        greedy = engine("greedy")
    );
    place.write("event.toml", &text);
}

#[test]
fn a_file_that_was_absent_when_the_run_was_created_may_come_and_change() {
    let place = Place::new();
    event(&place, FREE, "");
    place.swissmatch(&RUN).expect_code(0);
    assert!(place.read("agent.log").contains("started"));
    assert!(!place.read("run/manifest.json").contains("/agent.log"));
    place.swissmatch(&RUN).expect_code(0);
    // What was there stays part of it.
    place.write("net.bin", "other weights");
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(said.contains("/net.bin has changed (SHA-256 was "), "{said}");
    assert!(
        said.contains("player.write names files that an agent writes itself"),
        "{said}"
    );
    assert!(!said.contains("agent.log"), "{said}");
    std::fs::remove_file(place.path("net.bin")).expect("it goes");
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("/net.bin is no longer there"),
        "{}",
        refused.stderr()
    );
}

#[test]
fn a_log_that_was_there_is_refused_until_the_key_names_it() {
    let place = Place::new();
    event(&place, FREE, "");
    place.write("agent.log", "of yesterday\n");
    let begun = place.swissmatch(&RUN);
    begun.expect_code(0);
    let said = begun.stderr();
    assert!(said.contains("warning: Logger: "), "{said}");
    assert!(
        said.contains("agent.log has changed") && said.contains("player.write"),
        "{said}"
    );
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("agent.log has changed") && said.contains("player.write"),
        "{said}"
    );
    // The key may come later, and names directories too; the program it never names.
    for write in ["agent.log", "./agent.log", ".", "logger.sh\", \"agent.log"] {
        event(&place, FREE, &format!("write = [\"{write}\"]"));
        place.swissmatch(&RUN).expect_code(0);
    }
    let program = place.read("logger.sh") + "# changed\n";
    place.write("logger.sh", &program);
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("logger.sh has changed"),
        "{}",
        refused.stderr()
    );
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// A file has many names: through the directory above, through links, as a part of what is above.
#[test]
fn a_file_is_named_in_whatever_way_one_comes_to_it() {
    let place = Place::new();
    std::fs::create_dir(place.path("ag")).expect("a directory");
    std::os::unix::fs::symlink("ag", place.path("ag2")).expect("a link");
    place.write("ag/agent.log", "of yesterday\n");
    place.write("ag/net.bin", "weights");
    event(&place, FREE, "dir = \"ag\"");
    place.swissmatch(&RUN).expect_code(0);
    for pattern in ["*.log", "agent.???"] {
        event(&place, FREE, &format!("dir = \"ag\"\nwrite = [\"{pattern}\"]"));
        let said = place.swissmatch(&["run", "event.toml", "--out", "other"]).stderr();
        assert!(
            said.contains(&format!("`{pattern}`")) && said.contains("not patterns"),
            "{said}"
        );
        let _ = std::fs::remove_dir_all(place.path("other"));
    }
    for write in [
        "../ag/agent.log",
        "../ag2/agent.log",
        "..",
        "../ag2",
        "missing/../agent.log",
    ] {
        event(&place, FREE, &format!("dir = \"ag\"\nwrite = [\"{write}\"]"));
        let ran = place.swissmatch(&RUN);
        ran.expect_code(0);
        assert!(
            !ran.stderr().contains("agent.log has changed"),
            "{write}: {}",
            ran.stderr()
        );
    }
}

#[test]
fn who_writes_a_log_is_present() {
    let presence = "[presence]\ncheck = \"before-each-round\"\nlimit = \"20s\"\n";
    let free = [presence, FREE].concat();
    let write = "write = [\"agent.log\"]";
    for (keys, of_player, was_there) in [
        (free.as_str(), "", false),
        (free.as_str(), write, true),
        (presence, write, true),
    ] {
        let place = Place::new();
        event(&place, keys, of_player);
        if was_there {
            place.write("agent.log", "of yesterday\n");
        }
        let ran = place.swissmatch(&RUN);
        ran.expect_code(0);
        assert!(!ran.stderr().contains("absent"), "{}", ran.stderr());
        assert!(place.read("agent.log").contains("started\n"), "{keys}");
    }
    let place = Place::new();
    event(&place, &free, "");
    place.write("agent.log", "of yesterday\n");
    let ran = place.swissmatch(&RUN);
    let said = ran.stderr();
    assert!(said.contains("absent from round 1: Logger ("), "{said}");
    assert!(
        said.contains("agent.log has changed") && said.contains("player.write"),
        "{said}"
    );
}

#[test]
fn a_lock_leaves_out_what_an_agent_writes_itself() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("home/logs")).expect("a directory");
    place.write("home/net.bin", "weights");
    event(&place, "", "dir = \"home\"");
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    place.write("home/logs/1", "played");
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("home/logs/1 is new") && said.contains("player.write"),
        "{said}"
    );
    event(&place, "", "dir = \"home\"\nwrite = [\"logs\", \"agent.log\"]");
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    place.write("home/logs/1", "played again");
    place.write("home/logs/2", "played");
    place.write("home/agent.log", "of yesterday\n");
    place.swissmatch(&["roster", "verify", "event.toml"]).expect_code(0);
    place.swissmatch(&RUN).expect_code(0);
    assert!(place.read("home/agent.log").contains("\nstarted\n"));
    place.write("home/net.bin", "other weights");
    place.swissmatch(&["roster", "verify", "event.toml"]).expect_code(1);
}

#[test]
fn a_qualification_holds_whatever_the_agent_writes_itself() {
    let place = Place::new();
    let keys = format!("{FREE}[eligibility]\nrequired = true\nbaseline = \"none\"\ntime_control = \"100ms/move\"");
    event(&place, &keys, "");
    let checked = place.swissmatch(&["check", "--all", "event.toml"]);
    assert!(checked.stdout().contains("Logger"), "{}", checked.stdout());
    // The check itself has made the log, which is there now.
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("agent.log was not part of it") && said.contains("player.write"),
        "{said}"
    );
    event(&place, &keys, "write = [\"agent.log\"]");
    place.swissmatch(&RUN).expect_code(0);
}

/// Room for a file is made by writing. Where glibc cannot do that itself, as it asks how large a block is, it says that there is no such
/// call, which programs know; and a file can be made long.
#[test]
fn an_isolated_agent_has_room_for_files_by_writing() {
    let place = Place::new();
    std::fs::create_dir(place.path("own")).expect("a directory");
    let tries = "import os, errno\n\
                 f = os.open('a', os.O_RDWR | os.O_CREAT)\n\
                 try:\n    os.posix_fallocate(f, 0, 100000)\n    said = 'given'\n\
                 except OSError as error:\n    said = errno.errorcode[error.errno]\n\
                 os.ftruncate(f, 200000)\n\
                 print('room', said, os.fstat(f).st_size)\n";
    place.write("own/room.py", tries);
    script(&place, "own/agent.sh", "cd $TMPDIR; python3 \"$OLDPWD/room.py\"");
    let agent = engine("fault-agent");
    for (isolation, found) in [("sealed", "room ENOTSUP 200000\n"), ("guarded", "room given 200000\n")] {
        place.write(
            "event.toml",
            &format!(
                "swiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
                 engine.isolation = \"{isolation}\"\nrun.evidence = \"all\"\nrun.concurrency = 1\n\
                 [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\ndir = \"own\"\nargs = [\"{agent}\"]\nexec = [\"python3\"]\n\
                 [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
            ),
        );
        let ran = place.swissmatch(&["run", "event.toml", "--out", isolation]);
        if ran.output.status.code() == Some(5) && ran.stderr().contains("cannot isolate agents as they have to be") {
            say_what_is_missing(&ran.stderr());
            continue;
        }
        ran.expect_code(0);
        let said = complaints(&place.evidence(isolation, "1.1.1").expect("evidence"));
        assert!(said.contains(found), "{said}");
    }
}
