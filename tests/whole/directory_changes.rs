//! Directories of agents that are not alone there: links of an organizer, what others write, what comes while an engine runs; and
//! what an agent says that it misses.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::symlink;

use crate::own_directory::{Home, executable};
use crate::support::{Place, complaints, engine};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// Two games of a shell script that says of each of its arguments but the first what is there, and becomes that one.
fn event(place: &Place, player: &str) {
    executable(
        place,
        "a/eng",
        "#!/bin/sh\nengine=$1; shift\nfor name in \"$@\"; do echo \"$name: $(cat \"$name\" 2>&1)\" >&2; done\nexec \"$engine\"\n",
    );
    place.write(
        "event.toml",
        &format!(
            "event.name = \"places\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 1\n\
             game.nodes = 10\nrun.evidence = \"all\"\nrun.concurrency = 1\n[[player]]\nname = \"A\"\n{player}\n\
             [[player]]\nname = \"B\"\ncommand = \"stockfish\"\n"
        ),
    );
}

/// By a way up an agent comes to a link as it does by hand; so does its program.
#[test]
fn a_way_up_leads_through_links() {
    for home in Home::all() {
        let place = home.place();
        for directory in ["a", "nets", "nets/v1"] {
            std::fs::create_dir(place.path(directory)).expect("a directory");
        }
        place.write("nets/v1/n.bin", "a net");
        symlink("v1", place.path("nets/current")).expect("a link");
        symlink("v1/n.bin", place.path("nets/newest")).expect("a link");
        symlink("eng", place.path("a/newest")).expect("a link");
        let greedy = match &home {
            Home::Own(_) => engine("greedy"),
            Home::OfGuest(_) => place.path("greedy").display().to_string(),
        };
        event(
            place,
            &format!(
                "command = \"nets/../a/newest\"\ndir = \"a\"\nargs = [\"{greedy}\", \"../nets/current/n.bin\", \"../nets/newest\"]"
            ),
        );
        let run = |run: &str| ["run", "event.toml", "--out", run].map(str::to_owned).to_vec();
        home.both("swissmatch", run, |code, said, run| {
            assert_eq!(code, 0, "{said}");
            let said = complaints(&place.evidence(run, "1.1.1").expect("evidence"));
            assert_eq!(said.matches(": a net").count(), 2, "{said}");
        });
    }
}

/// A log that somebody else writes there stops no event, and is not the agent's; a new link does, and is named.
#[test]
fn what_others_write_is_left_out_and_a_new_link_is_named() {
    let place = Place::new();
    std::fs::create_dir(place.path("a")).expect("a directory");
    place.write("a/strong.bin", "strong");
    let mut log = File::create(place.path("a/run.log")).expect("a log");
    let keys = format!(
        "command = \"./a/eng\"\ndir = \"a\"\nargs = [\"{}\", \"run.log\", \"book.bin\"]\nrestart = \"game\"",
        engine("greedy")
    );
    event(&place, &keys.replace(", \"run.log\"", ""));
    writeln!(log, "before").expect("written");
    let mut run = place.command(&RUN).spawn().expect("it starts");
    while run.try_wait().expect("it is ours").is_none() {
        writeln!(log, "more").expect("written");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = run.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = complaints(&place.evidence("run", "1.1.1").expect("evidence"));
    assert!(said.contains("book.bin: cat: book.bin: No such file"), "{said}");
    // The agent that makes a link in another's directory is an organizer here.
    symlink("strong.bin", place.path("a/book.bin")).expect("a link");
    let verified = place.swissmatch(&["verify", "run"]).stdout();
    assert!(
        verified.contains("a/book.bin is a new link since it was registered"),
        "{verified}"
    );
}

/// What it says until its first move is told at that move, once.
#[test]
fn what_is_missed_at_the_first_move_is_told() {
    let place = Place::new();
    let text = "#!/bin/sh\n\"$1\" | while read -r line; do case $line in bestmove*) echo 'info string could not open book.bin';; esac; \
                echo \"$line\"; done\n";
    executable(&place, "eng", text);
    place.write(
        "event.toml",
        &format!(
            "event.name = \"missed\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             run.concurrency = 1\n[[player]]\nname = \"A\"\ncommand = \"./eng\"\nargs = [\"{greedy}\"]\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
            greedy = engine("greedy")
        ),
    );
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run", "--json"]);
    ran.expect_code(0);
    let told = "A says `info string could not open book.bin`";
    let said = ran.stdout();
    assert_eq!(said.matches(told).count(), 1, "{said}");
    let first_game = said.find("\"type\":\"game-finished\"").expect("a game");
    assert!(said.find(told).is_some_and(|at| at < first_game), "{said}");
    let status = place.swissmatch(&["status", "run", "--warnings"]).stdout();
    assert!(status.contains(told), "{status}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
