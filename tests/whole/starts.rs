//! Agents that do not start: the usual causes are seen and told, in the words of who asked for them.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Output;

use crate::support::{Place, at_once, engine, finish, swissmatch};

/// An agent in Python that answers and does not flush.
const UNFLUSHED: &str = "#!/usr/bin/python3
import sys
for line in sys.stdin:
    word = line.strip()
    if word == 'uci': print('id name U\\nid author U\\nuciok')
    if word == 'isready': print('readyok')
    if word == 'quit': break
";
/// The file of an agent, what is seen, and what helps.
const AGENTS: [(&str, &[u8], &str, &str); 8] = [
    (
        "unflushed.py",
        UNFLUSHED.as_bytes(),
        "no `uciok` within 1s: it read `uci`, but its answer came only when it was told to end",
        "have it flush its standard output after each line",
    ),
    (
        "mute.py",
        b"#!/usr/bin/python3\nimport sys\nfor line in sys.stdin: pass\n",
        "no `uciok` within 1s: it runs, and has read `uci`, but nothing came from its standard output",
        "have it flush its standard output after each line",
    ),
    (
        "deaf.sh",
        b"#!/bin/sh\nexec sleep 100\n",
        "no `uciok` within 1s: it runs, and has not read `uci` from its standard input",
        "it has to read its standard input",
    ),
    (
        "windows.py",
        b"#!/usr/bin/env python3\r\nprint()\r\n",
        "its `#!` line ends in CR LF",
        "sed -i 's/\\r$//' windows.py",
    ),
    (
        "engine.exe",
        b"MZ\x90\0\x03\0\0\0",
        "it is a Windows program",
        "`wine` is the command, and engine.exe its argument",
    ),
    (
        "imports.py",
        b"#!/usr/bin/python3\nimport no_such_module\n",
        "it ended before it was ready: Python finds no module `no_such_module`",
        "install it for the interpreter that runs the agent",
    ),
    (
        "logs.py",
        b"#!/usr/bin/python3\nopen('/proc/agent.log', 'w')\n",
        "it ended before it was ready: it cannot open its log file `/proc/agent.log`",
        "turn its log off",
    ),
    (
        "words.sh",
        b"#!/bin/sh\nexec \"$1\"\n",
        "its argument `./greedy --x 5` is one word",
        "give these as arguments of their own: `./greedy`, `--x`, `5`",
    ),
];

fn place_with(files: &[(&str, &[u8])]) -> Place {
    let place = Place::new();
    for (name, bytes) in files {
        let path = place.path(name);
        std::fs::write(&path, bytes).expect("a file");
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("its own");
    }
    std::fs::copy(engine("greedy"), place.path("greedy")).expect("a copy");
    place
}

/// What was told of an agent that does not start, one line, and what to do.
#[track_caller]
fn expect(ran: &Output, code: i32, seen: &str, remedy: &str) {
    let told = String::from_utf8_lossy(&[&ran.stdout[..], &ran.stderr].concat()).into_owned();
    assert_eq!(ran.status.code(), Some(code), "{told}");
    assert!(told.contains(seen), "{seen:?} is not in\n{told}");
    assert!(told.contains(remedy), "{remedy:?} is not in\n{told}");
}

#[test]
fn the_usual_causes_are_told_with_one_remedy() {
    let cases = AGENTS
        .iter()
        .flat_map(|agent| ["guarded", "off"].map(|isolation| (agent, isolation)));
    at_once(cases, |((file, bytes, seen, remedy), isolation)| {
        let place = place_with(&[(file, bytes)]);
        let words = "args='./greedy --x 5'";
        let isolation = format!("engine.isolation={isolation}");
        let path = format!("./{file}");
        let mut command = place.command(&[
            "match",
            &path,
            "name=X",
            words,
            "greedy",
            "--set",
            "engine.start_limit=1s",
            "--set",
            &isolation,
        ]);
        // That would flush.
        command.env_remove("PYTHONUNBUFFERED");
        let ran = finish(command.spawn().expect("it starts"));
        expect(&ran, 3, seen, remedy);
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(told.contains("swissmatch: X does not start: "), "{told}");
        assert!(!told.contains(".toml"), "a file is cited that nobody wrote:\n{told}");
    });
}

/// A text that does not begin with a `#!` line never goes to a shell, and an archive is no program: what to write instead is said.
#[test]
fn a_script_without_its_interpreter_and_an_archive_are_told_what_to_write() {
    let place = place_with(&[
        ("agent.py", b"import os\nos.mkdir('was-run')\n"),
        ("plain", b"mkdir was-run\n"),
        ("agent.zip", b"PK\x03\x04\x14\0"),
        ("marked.sh", b"\xef\xbb\xbf#!/bin/sh\nmkdir was-run\n"),
    ]);
    let python = "if it answers each line that it reads with a move, move_command = [\"python3\", \"agent.py\"]";
    let told = |mode: u32| {
        for (file, seen, remedy) in [
            ("agent.py", "agent.py is a script without a `#!` line", python),
            (
                "./agent.py",
                "agent.py is a script without a `#!` line",
                "swissmatch submit",
            ),
            (
                "./agent.zip",
                "agent.zip is an archive, and no program",
                "[submissions]",
            ),
            ("agent.zip", "agent.zip is an archive, and no program", "swissmatch try"),
        ] {
            let path = place.path(file);
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("its own");
            let ran = place.swissmatch(&["match", file, "greedy", "--set", "engine.isolation=off"]);
            expect(&ran.output, 4, seen, remedy);
        }
    };
    told(0o755);
    told(0o644);
    let ran = place.swissmatch(&["match", "./plain", "greedy"]);
    expect(
        &ran.output,
        4,
        "plain is a script without a `#!` line",
        "such as `#!/bin/sh`",
    );
    let ran = place.swissmatch(&["match", "./marked.sh", "greedy"]);
    expect(
        &ran.output,
        4,
        "marked.sh is a script with a byte order mark before its `#!` line",
        "sed -i '1s/^\\xef\\xbb\\xbf//' marked.sh",
    );
    // The system's library would have a shell read these.
    for (text, seen) in [
        ("", "other is an empty file"),
        (
            "touch was-run\nexit\0",
            "other is neither a program for this system (ELF) nor a script",
        ),
    ] {
        place.write("other", text);
        std::fs::set_permissions(place.path("other"), Permissions::from_mode(0o755)).expect("its own");
        let ran = place.swissmatch(&["match", "./other", "greedy"]);
        expect(&ran.output, 4, seen, "program");
    }
    assert!(!place.path("was-run").exists());
}

#[test]
fn a_check_and_a_first_event_file_tell_them_too() {
    let place = place_with(&[("imports.py", AGENTS[5].1)]);
    let (seen, remedy) = (AGENTS[5].2, AGENTS[5].3);
    let checked = place.swissmatch(&["check", "./imports.py"]);
    expect(&checked.output, 1, seen, remedy);
    let written = place.swissmatch(&["init", "./imports.py", "greedy"]);
    expect(&written.output, 3, seen, remedy);
}

/// A link is asked in the words of its program, and answers in them.
#[test]
fn links_tell_what_is_wrong_in_the_words_of_their_programs() {
    let place = place_with(&[("imports.py", AGENTS[5].1)]);
    let call = |name: &str, words: &[&str]| {
        let link = place.path(name);
        if !link.exists() {
            symlink(swissmatch(), &link).expect("a link");
        }
        let mut command = std::process::Command::new(link);
        command.args(words).current_dir(place.path(""));
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let ran = finish(command.spawn().expect("it starts"));
        assert_eq!(ran.status.code(), Some(1));
        String::from_utf8_lossy(&ran.stderr).into_owned()
    };
    let with = |first: &[&'static str], more: &[&'static str]| {
        let second = ["-engine", "cmd=./greedy", "name=Y", "-each", "nodes=9", "-rounds", "1"];
        [&["-engine"], first, &second[..], more].concat()
    };
    let (program, room) = (["cmd=./greedy --x 5", "name=X"], ["cmd=./greedy", "name=X"]);
    for (name, words, says) in [
        (
            "fastchess",
            with(&program, &[]),
            "swissmatch: agent X: there is no program `./greedy --x 5`, but there is ./greedy: give its arguments apart from it, args=\"--x 5\"\n",
        ),
        (
            "cutechess-cli",
            with(&program, &[]),
            "swissmatch: agent X: there is no program `./greedy --x 5`, but there is ./greedy: give its arguments apart from it, arg=--x arg=5\n",
        ),
        (
            "fastchess",
            with(&room, &["-concurrency", "9999"]),
            "or -force-concurrency allows it",
        ),
        (
            "cutechess-cli",
            with(&room, &["-concurrency", "9999"]),
            "swissmatch: -concurrency: 9999 threads at once",
        ),
        (
            "fastchess",
            with(&["cmd=./greedy", "name=X", "dir=none"], &[]),
            "swissmatch: agent X: there is no ",
        ),
        (
            "fastchess",
            with(&["cmd=./imports.py", "name=X"], &[]),
            "swissmatch: X does not start: it ended before it was ready: Python finds no module",
        ),
        (
            "fastchess",
            with(&room, &["-openings", "file=none.epd", "format=epd"]),
            "swissmatch: -openings file: ",
        ),
        (
            "fastchess",
            with(&["cmd=./greedy", "name=X", "option.Nonesuch=1"], &[]),
            "swissmatch: agent X: the engine has no option `Nonesuch`",
        ),
    ] {
        let said = call(name, &words);
        assert!(said.contains(says), "{says:?} is not in\n{said}");
        for own in [".toml", "run.", "player.", "engine.", "--go-on", "event file"] {
            assert!(!said.contains(own), "{own:?} is in\n{said}");
        }
    }
}
