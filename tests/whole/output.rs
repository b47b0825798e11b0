//! Standard output that nobody reads any more, or that cannot be written: the exit code is what the command came to all the same.

use std::fs::OpenOptions;
use std::io::pipe;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::resume::shell;
use crate::support::{Place, at_once, engine, swissmatch};

/// A match of two games; the second player is this program.
fn event(second: &str) -> String {
    format!(
        "[event]\nname = \"out\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\nmax_moves = 2\nnodes = 20\n[engine]\nisolation = \"off\"\n\
         [[player]]\nname = \"A\"\ncommand = \"{}\"\n[[player]]\nname = \"B\"\ncommand = \"{second}\"\n",
        engine("greedy")
    )
}

/// Where the output of a command goes.
#[derive(Clone, Copy, Debug)]
enum To {
    /// A pipe whose reader has gone before it begins.
    Nobody,
    /// A disk that is full.
    FullDisk,
}

fn code(mut command: Command, to: To) -> (Option<i32>, String) {
    let out = match to {
        To::Nobody => {
            let (reader, writer) = pipe().expect("a pipe");
            drop(reader);
            Stdio::from(writer)
        }
        To::FullDisk => Stdio::from(OpenOptions::new().write(true).open("/dev/full").expect("a device")),
    };
    let ended = command.stdout(out).stderr(Stdio::piped()).output().expect("it starts");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// A run that is whole, one that is damaged, one in which a player never starts, and a tournament file with a wrong pairing.
fn prepared() -> Place {
    let place = Place::new();
    place.write("good.toml", &event(&engine("greedy")));
    place.write("faults.toml", &event("/bin/false"));
    place.swissmatch(&words("run good.toml --out good")).expect_code(0);
    place.swissmatch(&words("run good.toml --out bad")).expect_code(0);
    let table = place.read("bad/standings.csv");
    place.write("bad/standings.csv", &(table + "x\n"));
    let made = words("generate --players 8 --rounds 3 --rng-seed 1 --output right.trf");
    place.swissmatch(&made).expect_code(0);
    place.write("wrong.trf", &swapped(&place.read("right.trf")));
    place
}

/// A tournament file in which the game of number 1 in round 1 was played with the colours reversed.
fn swapped(file: &str) -> String {
    let other = |line: &str| match line.get(91..97) {
        Some(game) if line.starts_with("001") && (line[4..8].trim() == "1" || game[..4].trim() == "1") => {
            let color = if game.ends_with('w') { "b" } else { "w" };
            format!("{}{color}{}\n", &line[..96], &line[97..])
        }
        _ => format!("{line}\n"),
    };
    file.lines().map(other).collect()
}

/// What commands come to by themselves, with the exit code of that.
const COMMANDS: &[(&str, i32)] = &[
    ("verify bad", 1),
    ("verify bad --json", 1),
    ("verify good", 0),
    ("verify-pairings wrong.trf", 1),
    ("verify-pairings wrong.trf --json", 1),
    ("verify-pairings wrong.trf --all", 1),
    ("verify-pairings right.trf", 0),
    ("check /bin/false", 1),
    ("check /bin/false --json", 1),
    ("check /bin/false --junit /dev/full", 1),
    ("check /bin/false --output /dev/full", 1),
    ("sprt --elo0 0 --elo1 5 --pentanomial 670,210,100,0,20", 1),
    ("sprt --elo0 0 --elo1 5 --pentanomial 670,210,100,0,20 --json", 1),
    ("sprt --elo0 0 --elo1 5 --pentanomial 1,1,1,1,1", 2),
    ("sprt --elo0 0 --elo1 5", 0),
    ("run faults.toml --out faults --go-on", 3),
    ("run faults.toml --out faults-json --go-on --json", 3),
    ("run good.toml --out new", 0),
    ("run good.toml --out new-json --json", 0),
    ("run good.toml --out good", 0),
    ("run missing.toml --json", 4),
    (
        "match fault-agent name=New arg=--fault arg=illegal arg=--every arg=--at arg=2 fault-agent name=Old --games 12 --time 5s/move \
         --sprt=-5,0 --set sprt.truncated=true --set engine.isolation=off --set run.max_faults=none --name new-match",
        1,
    ),
    ("standings good", 0),
    ("standings --list", 0),
    ("standings right.trf --markdown", 0),
    ("crosstable good --csv", 0),
    ("status good", 0),
    ("status good --json", 0),
    ("stats good", 0),
    ("stats --wdl 1,2,3 --json", 0),
    ("export pgn good", 0),
    ("export games-json good", 0),
    ("explain round 1 good", 0),
    ("explain game 1.1.1 good", 0),
    ("explain A B --run good --json", 0),
    ("thinking good", 0),
    ("compare good good", 0),
    ("plan good.toml", 0),
    ("config good.toml", 0),
    ("config --schema", 0),
    ("config good.toml --rules", 0),
    ("generate --players 8 --rounds 1", 0),
    ("completions bash", 0),
    ("match --print-event greedy greedy", 0),
    ("match -- --help", 0),
    ("--help", 0),
    ("--version", 0),
    ("gate --help", 0),
    ("no-such-command", 4),
];

/// Nobody reads it: the code is what the command came to. A full disk is told, and makes 0 a 5.
#[test]
fn output_that_fails_changes_no_verdict() {
    at_once([To::Nobody, To::FullDisk], |to| {
        // While one command is at work on a run, another one takes its files for those of a run that is played.
        let place = prepared();
        for (line, verdict) in COMMANDS {
            let (found, said) = code(place.command(&words(line)), to);
            let expected = match (to, verdict) {
                (To::FullDisk, 0) => 5,
                _ => *verdict,
            };
            assert_eq!(found, Some(expected), "{line} to {to:?}: {said}");
            let tells = said.contains("standard output: No space left on device");
            // What is wrong with the usage is told on standard error alone.
            let is_written = matches!(to, To::FullDisk) && *line != "no-such-command";
            assert_eq!(tells, is_written, "{line} to {to:?}: {said}");
        }
        for run in ["new", "new-json", "faults"] {
            place.swissmatch(&["verify", run]).expect_code(0);
        }
    });
}

/// Whatever the parent has made of SIGPIPE, through the guard too, and by real readers.
#[test]
fn readers_that_go_take_no_verdict_with_them() {
    let place = prepared();
    for (line, verdict) in [
        ("\"$SWISSMATCH\" verify bad | grep -q x", 1),
        ("trap '' PIPE; \"$SWISSMATCH\" verify bad | grep -q x", 1),
        ("\"$SWISSMATCH\" verify-pairings wrong.trf | head -1 > first", 1),
        (
            "\"$SWISSMATCH\" run faults.toml --out faults --go-on --json | head -1 > first",
            3,
        ),
        (
            "trap '' PIPE; \"$SWISSMATCH\" run faults.toml --out faults --go-on | head -1 > first",
            3,
        ),
        ("\"$SWISSMATCH\" export pgn good | head -1 > first", 0),
    ] {
        for _ in 0..10 {
            let whole = format!("exec bash -c 'set -o pipefail; {}'", line.replace('\'', "'\\''"));
            shell(&place, &whole).expect_code(verdict);
        }
    }
}

/// A match by the name of another program is played to its end, and ends as that program does.
#[test]
fn links_play_on_where_nobody_reads() {
    let place = Place::new();
    for (name, pgn) in [("fastchess", "file=games.pgn"), ("cutechess-cli", "games.pgn")] {
        let link = place.path(name);
        symlink(swissmatch(), &link).expect("a link");
        for (second, verdict) in [(engine("greedy"), 0), ("missing".to_owned(), 1)] {
            let mut command = Command::new(&link);
            let first = engine("greedy");
            let line = format!(
                "-engine cmd={first} name=A -engine cmd={second} name=B -each proto=uci tc=inf depth=1 -rounds 2 -maxmoves 3 -pgnout {pgn}"
            );
            command.args(words(&line)).current_dir(place.path(""));
            command.env("TMPDIR", place.path("")).stdin(Stdio::null());
            let (found, said) = code(command, To::Nobody);
            assert_eq!(found, Some(verdict), "{name}: {said}");
        }
        assert!(place.read("games.pgn").contains("[White \"A\"]"), "{name}");
        std::fs::remove_file(place.path("games.pgn")).expect("games");
    }
}
