//! Isolated agents that lack something: who is told what, at which key.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use crate::isolation::{expect, script};
use crate::support::{Guest, Place, engine, finish, say_what_is_missing};

/// Sealed, and with a file of its own that it may change.
fn learner(place: &Place) {
    std::fs::create_dir(place.path("own")).expect("a directory");
    place.write("own/learnt.txt", "first\n");
    script(place, "own/agent.sh", "echo more >> \"$2\"");
    place.write(
        "event.toml",
        "event.name = \"learner\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
         engine.restart = \"game\"\nengine.isolation = \"sealed\"\n\
         [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\nargs = [\"./greedy\", \"own/learnt.txt\"]\n\
         write = [\"own/learnt.txt\"]\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
    );
}

#[test]
fn a_sealed_agent_changes_a_file_that_it_may_write() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    learner(&guest.place);
    guest.give(&["own"]);
    guest
        .swissmatch(&[], &["run", "event.toml", "--out", "run"])
        .expect_code(0);
    // At the start before the event, and in each game.
    assert_eq!(guest.place.read("own/learnt.txt"), "first\nmore\nmore\nmore\n");
}

/// There each sealed agent has a user of its own, who may not write what is another's.
#[test]
fn for_the_superuser_that_is_refused_before_the_start() {
    if !rustix::process::geteuid().is_root() {
        return say_what_is_missing("only root gives agents users of their own");
    }
    let place = Place::new();
    std::fs::copy(engine("greedy"), place.path("greedy")).expect("a copy");
    learner(&place);
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    refused.expect_code(5);
    let said = refused.stderr();
    for words in [
        "event.toml:12:1: player.write: A cannot be kept from more processes and threads than it may have",
        "own/learnt.txt",
        "run swissmatch as an ordinary user",
    ] {
        assert!(said.contains(words), "{words:?} is not in\n{said}");
    }
    assert!(!place.path("run").exists());
    let checked = place.swissmatch(&["check", "--event", "event.toml", "--player", "A"]);
    checked.expect_code(2);
    let told = "could not be tried: this machine: event.toml:12:1: player.write: A cannot be kept from";
    assert!(checked.stdout().contains(told), "{}", checked.stdout());
    assert_eq!(place.read("own/learnt.txt"), "first\n");
}

/// What an agent does that does not start when it is isolated, which key it lacks, and what makes it start.
const LACKING: [(&str, &str, &str); 8] = [
    (
        "cat HERE/own/nets/a.bin || exit 1",
        "player.dir: A asks for HERE/own/nets/a.bin, which it was not given: dir = \"HERE/own\"",
        "dir = \"own\"",
    ),
    (
        "cat HERE/nets/a.bin || exit 1",
        "player.args: A asks for HERE/nets/a.bin, which it was not given",
        "env = { NET = \"nets/a.bin\" }",
    ),
    (
        "cat ${NET:-nets/a.bin} || exit 1",
        "player.args: A asks for HERE/nets/a.bin, which it was not given",
        "env = { NET = \"nets/a.bin\" }",
    ),
    (
        "echo x > HERE/own/learnt/x || exit 1",
        "player.write: A seems to make HERE/own/learnt/x",
        "write = [\"own/learnt\"]",
    ),
    (
        ": ${MODEL_KEY:?is not set}",
        "player.env: A speaks of the variable MODEL_KEY, which it was not given: env = { MODEL_KEY = \"$MODEL_KEY\" }",
        "env = { MODEL_KEY = \"$MODEL_KEY\" }",
    ),
    (
        "[ $SWISSMATCH_CONNECT_FD ] || /usr/bin/python3 -c 'import socket; socket.socket()' || exit 1",
        "player.connect: A seems to want the network",
        "connect = [\"localhost:1\"]",
    ),
    (
        "[ $CUDA_VISIBLE_DEVICES ] || { echo no CUDA-capable device is detected; exit 1; }",
        "player.devices: A seems to want a GPU",
        "env = { CUDA_VISIBLE_DEVICES = \"none\" }",
    ),
    (
        "[ $HOME = HERE ] || exit 1",
        "every file that it needs has to be named in player.args, options or env, or to lie in player.dir",
        "isolation = \"off\"",
    ),
];

#[test]
fn a_check_names_the_key_that_a_refused_agent_lacks() {
    for (says, lacks, remedy) in LACKING {
        let place = Place::new();
        for directory in ["own", "own/nets", "own/learnt", "nets"] {
            std::fs::create_dir(place.path(directory)).expect("a directory");
        }
        let home = std::fs::canonicalize(place.path("")).expect("it is there");
        let here = |text: &str| text.replace("HERE", &home.display().to_string());
        place.write("own/nets/a.bin", "a net");
        place.write("nets/a.bin", "a net");
        script(&place, "own/agent.sh", &here(says));
        let event = |keys: &str| {
            let agent = engine("fault-agent");
            let text = format!(
                "event.name = \"lacking\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
                 game.max_moves = 1\nengine.isolation = \"guarded\"\n\
                 [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\nargs = [\"{agent}\"]\n{keys}\n\
                 [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
            );
            place.write("event.toml", &text);
        };
        let ran = |args: &[&str]| {
            let mut command = place.command(args);
            command.env("MODEL_KEY", "s3cr3t").env("HOME", &home);
            finish(command.spawn().expect("swissmatch starts"))
        };
        event("");
        let lacks = here(lacks);
        let checked = ran(&["check", "--event", "event.toml", "--player", "A"]);
        assert_eq!(checked.status.code(), Some(1));
        let text = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(
            (text.contains("event.toml:") || !lacks.starts_with("player.")) && text.contains(&lacks),
            "{lacks:?} is not in\n{text}"
        );
        assert!(!text.contains("s3cr3t"), "{text}");
        let run = ["run", "event.toml", "--out", "run"];
        expect(&ran(&run), 3, &lacks);
        event(remedy);
        expect(&ran(&run), 0, "");
    }
}

/// One whose interpreter is not the system's cannot be run at all.
#[test]
fn a_check_names_an_interpreter() {
    let place = Place::new();
    for directory in ["tool", "tool/bin"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    let home = std::fs::canonicalize(place.path("")).expect("it is there");
    std::fs::copy("/bin/sh", place.path("tool/bin/own-sh")).expect("a copy");
    let program = place.write(
        "agent.sh",
        &format!("#!{}/tool/bin/own-sh\nexec \"$1\"\n", home.display()),
    );
    std::fs::set_permissions(program, Permissions::from_mode(0o755)).expect("a program");
    let event = |keys: &str| {
        let text = format!(
            "event.name = \"interpreter\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
             game.max_moves = 1\nengine.isolation = \"guarded\"\n[[player]]\nname = \"A\"\n{keys}\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
        );
        place.write("event.toml", &text);
    };
    event(&format!("command = \"./agent.sh\"\nargs = [\"{}\"]", engine("greedy")));
    let checked = place.swissmatch(&["check", "--event", "event.toml", "--player", "A"]);
    checked.expect_code(1);
    let instead = format!(
        "command = \"{0}/tool/bin/own-sh\", args = [\"{0}/agent.sh\", \"{1}\"]",
        home.display(),
        engine("greedy")
    );
    let lacks = format!(
        "player.command: A is run by {0}/tool/bin/own-sh, which it may not open: write it as the program, {instead}",
        home.display()
    );
    assert!(
        checked.stdout().contains(&lacks),
        "{lacks:?} is not in\n{}",
        checked.stdout()
    );
    event(&instead.replace(", args", "\nargs"));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
}
