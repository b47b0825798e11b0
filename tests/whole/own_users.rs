//! The superuser's agents have users of their own, whatever other runs are at work and whoever would take the numbers away.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;
use std::time::Duration;

use rustix::fs::FlockOperation;
use rustix::process::Signal;

use crate::death::{Background, processes_in, send, until};
use crate::support::{Place, engine, finish, say_what_is_missing};

const PATIENCE: Duration = Duration::from_secs(60);
const PLACE: &str = "/run/swissmatch-users";

/// A command in the middle of namespaces of its own; first this is done there.
fn within(namespace: &str, first: &str, program: &Command) -> Command {
    let mut outer = Command::new("unshare");
    outer.args([namespace, "sh", "-c", &format!("{first} && exec \"$@\""), "sh"]);
    outer.arg(program.get_program()).args(program.get_args());
    outer.current_dir(program.get_current_dir().expect("a place"));
    for (name, value) in program.get_envs() {
        outer.env(name, value.expect("a value"));
    }
    outer
}

/// The users of agents that are at work for a run.
fn users(place: &Place) -> BTreeSet<u32> {
    let own = processes_in(place).into_iter().filter_map(|process| {
        let data = std::fs::metadata(format!("/proc/{}", process.pid)).ok()?;
        Some(data.uid())
    });
    own.filter(|user| *user != 0).collect()
}

fn is_free(number: u32) -> bool {
    let file = std::fs::File::open(format!("{PLACE}/{number}")).expect("its file");
    rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Also where their networks are apart, by whose names numbers were held before; and a runner that is killed holds none.
#[test]
fn two_runs_give_no_number_twice() {
    if !rustix::process::geteuid().is_root() {
        return say_what_is_missing("only root has users for agents");
    }
    let event = format!(
        "event.name = \"users\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 200\n\
         engine.isolation_require = [\"pids\"]\n\
         [[player]]\nname = \"A\"\ncommand = {agent:?}\nargs = [\"--fault\", \"sleep\", \"--ms\", \"500\"]\n\
         [[player]]\nname = \"B\"\ncommand = {agent:?}\nargs = [\"--fault\", \"sleep\", \"--ms\", \"500\"]\n",
        agent = engine("fault-agent"),
    );
    let places = [Place::new(), Place::new()];
    let runs = places.each_ref().map(|place| {
        place.write("event.toml", &event);
        let command = place.command(&["run", "event.toml", "--out", "run"]);
        Background::start_by(place, within("--net", "true", &command))
    });
    let found = places.each_ref().map(|place| {
        until("two agents at work", PATIENCE, || {
            let users = users(place);
            (users.len() == 2).then_some(users)
        })
    });
    let all: BTreeSet<u32> = found.iter().flatten().copied().collect();
    assert_eq!(all.len(), 4, "{found:?}");
    assert!(all.iter().all(|number| !is_free(*number)), "{found:?}");
    for process in processes_in(&places[0]) {
        send(process.pid, Signal::KILL);
    }
    // Another test may have it for a while.
    for number in &found[0] {
        until("the number is free", PATIENCE, || is_free(*number).then_some(()));
    }
    drop(runs);
}

#[test]
fn where_others_may_write_there_are_none() {
    if !rustix::process::geteuid().is_root() {
        return say_what_is_missing("only root has users for agents");
    }
    let place = Place::new();
    for (what, why) in [
        ("mount -t tmpfs -o ro none /run", "Read-only file system"),
        (
            "mount -t tmpfs none /run && mkdir -m 777 /run/swissmatch-users",
            "others may write it; remove it, and it is made anew",
        ),
        (
            "mount -t tmpfs none /run && mkdir /run/swissmatch-users && chown 1000 /run/swissmatch-users",
            "others may write it; remove it, and it is made anew",
        ),
    ] {
        let mut doctor = within("--mount", what, &place.command(&["doctor", "--json"]));
        let output = finish(
            doctor
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("unshare starts"),
        );
        let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(page["means"]["own_users"], false, "{what}");
        let said = page["means"]["why_no_own_users"].as_str().expect("a reason");
        assert!(said.starts_with(PLACE) && said.contains(why), "{said}");
    }
}
