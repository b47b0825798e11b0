//! Archives that entrants hand in: tried, refused with the reason, kept, played, and looked at again by `verify`.

mod reach;
mod trials;
mod unjudged;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::death::{Background, games_in_log, send, until};
use crate::support::{Place, Ran, finish, root};

/// An event to which three entrants hand something in.
fn event(contract: &str, keys: &str) -> String {
    let players = ["A", "B", "C"].map(|name| format!("[[player]]\nname = \"{name}\"\n"));
    format!(
        "event.name = \"season\"\nswiss.rounds = 2\nmini_match.games = 2\n[game]\ntime_control = \"10+0.1\"\nmax_moves = 4\n\
         [engine]\nstart_limit = \"20s\"\nrestart = \"game\"\n[submissions]\ncontract = \"{contract}\"\n{keys}\n{}\
         [[player]]\nname = \"House\"\ncommand = \"greedy\"\n",
        players.concat()
    )
}

pub(crate) fn own(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/data/season").join(name)).expect("a file of the tests")
}

/// Writes an archive with these files.
pub(crate) fn archive(place: &Place, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let path = place.path(name);
    let mut writer = ZipWriter::new(std::fs::File::create(&path).expect("a file"));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        writer.start_file(*name, options).expect("a name");
        writer.write_all(bytes).expect("it is written");
    }
    writer.finish().expect("an archive");
    path
}

/// An archive that plays some legal move; `mark` makes it another one.
pub(crate) fn good(place: &Place, name: &str, mark: &str) -> PathBuf {
    let (agent, rules) = (own("agent.py") + mark, own("rules.py"));
    archive(
        place,
        name,
        &[("agent.py", agent.as_bytes()), ("rules.py", rules.as_bytes())],
    )
}

fn submit(place: &Place, file: &str, player: &str) -> Ran {
    place.swissmatch(&["submit", file, "--as", player, "--event", "season.toml"])
}

/// The run's submissions as the program lists them.
fn listed(place: &Place) -> Vec<serde_json::Value> {
    let listed = place.swissmatch(&["submissions", "season.toml", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.expect_code(0).stdout()).expect("JSON");
    listed["submissions"].as_array().expect("a list").clone()
}

#[test]
fn the_newest_accepted_one_plays_and_verify_knows_it() {
    let place = Place::new();
    place.write("season.toml", &event("get-move", ""));
    good(&place, "a1.zip", "print('no network: every move is the first one')\n");
    good(&place, "a2.zip", "# second\n");
    // Whatever its files are called, they are its own.
    let (agent, rules) = (own("agent.py") + "open('.git/net').read()\n", own("rules.py"));
    let files: [(&str, &[u8]); 5] = [
        ("agent.py", agent.as_bytes()),
        ("rules.py", rules.as_bytes()),
        (".git/net", b"1"),
        ("other.toml", b"[[player]]\n"),
        ("KQvK.rtbw", b"1"),
    ];
    archive(&place, "b.zip", &files);
    archive(
        &place,
        "broken.zip",
        &[("agent.py", b"def get_move(fen, time_left_ms)\n")],
    );
    submit(&place, "a1.zip", "A").expect_code(0);
    // Its author reads what it printed, though it is accepted.
    let log = place.swissmatch(&["submissions", "season.toml", "--log", "1"]);
    let said = log.expect_code(0).stdout();
    assert!(said.contains("\n  no network: every move is the first one\n"), "{said}");
    let second = submit(&place, "a2.zip", "A");
    let told = second.expect_code(0).stdout();
    assert!(
        told.contains("A game with Black: ") && told.contains("Accepted: submission 2"),
        "{told}"
    );
    // A refused one leaves the last one playing, and what plays already is not tried again.
    let refused = submit(&place, "broken.zip", "A");
    assert!(
        refused
            .expect_code(1)
            .stdout()
            .contains("Refused: agent.py is not Python"),
        "{}",
        refused.stdout()
    );
    // One cause is told once.
    assert_eq!(refused.stdout().matches("Refused: ").count(), 1, "{}", refused.stdout());
    assert!(
        refused
            .stdout()
            .ends_with("Submission 3 is refused. Submission 2 still plays.\n"),
        "{}",
        refused.stdout()
    );
    let again = submit(&place, "a2.zip", "A");
    assert!(
        again
            .expect_code(0)
            .stdout()
            .contains("submission 2, which plays already")
    );
    submit(&place, "b.zip", "B").expect_code(0);
    let states: Vec<String> = listed(&place).iter().map(|one| one["state"].to_string()).collect();
    assert_eq!(states, ["\"accepted\"", "\"plays\"", "\"refused\"", "\"plays\""]);

    let ran = place.swissmatch(&["run", "season.toml"]);
    assert!(
        ran.expect_code(0)
            .stderr()
            .contains("no accepted submission, and do not play: C"),
        "{}",
        ran.stderr()
    );
    let games = place.read("results/season/games.csv");
    assert!(!games.contains("crash") && !games.contains("time-forfeit"), "{games}");
    let verified = place.swissmatch(&["verify", "results/season"]);
    assert!(
        verified.expect_code(0).stdout().contains("submissions      2 players"),
        "{}",
        verified.stdout()
    );
    let late = submit(&place, "a1.zip", "C");
    assert!(
        late.expect_code(1)
            .stdout()
            .contains("it came after the event had begun")
    );
    // Nor once the lock is moved.
    place.write("season.toml", &event("get-move", "lock = 2999-01-01T00:00:00Z"));
    let late = submit(&place, "b.zip", "A");
    assert!(
        late.expect_code(1)
            .stdout()
            .contains("it came after the event had begun")
    );
    place.write("season.toml", &event("get-move", ""));
    place.swissmatch(&["verify", "results/season"]).expect_code(0);

    // Nothing can be put in the place of what plays, before the event begins and afterwards.
    for (name, other) in [
        ("agent.py", "def get_move(fen, time_left_ms):\n    return 'e2e4'\n"),
        ("KQvK.rtbw", "2"),
        (".git/net", "2"),
    ] {
        let swapped = place.path("results/season/submissions/versions/4").join(name);
        let played = std::fs::read(&swapped).expect("it is there");
        std::fs::remove_file(&swapped).expect("it is removed");
        std::fs::write(&swapped, other).expect("it is written");
        let begun = place.swissmatch(&["run", "season.toml", "--fresh"]);
        let said = begun.expect_code(4).stderr();
        assert!(
            said.contains("B plays submission 4, but ") && said.contains("is not what was accepted"),
            "{name}: {said}"
        );
        std::fs::write(&swapped, played).expect("it is put back");
    }
    let all = listed(&place);
    let archive_of = |number: usize| {
        let sha256 = all[number - 1]["archive"].as_str().expect("a hash");
        place.path(&format!("results/season/submissions/archives/{sha256}.zip"))
    };
    let kept = std::fs::read(archive_of(2)).expect("it is kept");
    std::fs::copy(archive_of(1), archive_of(2)).expect("it is replaced");
    let wrong = place.swissmatch(&["verify", "results/season"]);
    assert!(
        wrong
            .expect_code(1)
            .stdout()
            .contains("the archive of submission 2: its SHA-256 is"),
        "{}",
        wrong.stdout()
    );
    std::fs::write(archive_of(2), kept).expect("it is put back");
    let log = "results/season/submissions/log.jsonl";
    let text = place.read(log);
    // A judgement that never was.
    let turned = text.replacen("\"player\":\"A\"", "\"player\":\"C\"", 1);
    place.write(log, &turned);
    let wrong = place.swissmatch(&["verify", "results/season"]);
    assert!(
        wrong.expect_code(1).stdout().contains("was changed"),
        "{}",
        wrong.stdout()
    );
    // One that came in time, was accepted, and was forgotten.
    let two = text.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    place.write(log, &two);
    let wrong = place.swissmatch(&["verify", "results/season"]);
    assert!(
        wrong
            .expect_code(1)
            .stdout()
            .contains("A played submission 2, and its newest one that was accepted in time is 1"),
        "{}",
        wrong.stdout()
    );
}

#[test]
fn each_refusal_names_the_file_and_the_rule() {
    let place = Place::new();
    place.write(
        "season.toml",
        &event("get-move", "max_unpacked = 2\nper_day = \"none\""),
    );
    let (agent, rules) = (own("agent.py"), own("rules.py"));
    let with = |name: &str, bytes: &[u8]| {
        let files: [(&str, &[u8]); 3] = [
            ("agent.py", agent.as_bytes()),
            ("rules.py", rules.as_bytes()),
            (name, bytes),
        ];
        archive(&place, "it.zip", &files);
    };
    let alone = |text: &str| drop(archive(&place, "it.zip", &[("agent.py", text.as_bytes())]));
    let refused = |expected: &str| {
        let ran = submit(&place, "it.zip", "A");
        let said = ran.expect_code(1).stdout() + &ran.stderr();
        assert!(said.contains(expected), "{expected}: {said}");
    };
    place.write("it.zip", "no archive at all");
    refused("it is not a zip archive: pack the files as .zip");
    archive(&place, "it.zip", &[("mine/agent.py", agent.as_bytes())]);
    refused("agent.py is in mine/ and not at the root of the archive");
    with("fast.so", b"\x7fELF");
    refused("fast.so is machine code");
    with("more.zip", b"PK");
    refused("more.zip is an archive in the archive");
    with("random.py", b"");
    refused("random.py hides the module random of Python or of the environment");
    with("large.bin", &vec![0; 3_000_000]);
    refused("unpacked it has more than 2 MB (submissions.max_unpacked)");
    alone("import os, tensorflow\n\ndef get_move(fen, time_left_ms):\n    return 'e2e4'\n");
    refused("agent.py, line 1: imports tensorflow, which the environment does not have");
    refused("No module named 'tensorflow'");
    let ran = submit(&place, "it.zip", "A");
    assert_eq!(ran.expect_code(1).stdout().matches("Refused: ").count(), 1);
    // What its author reads of why it does not start has no place of the organizer's.
    archive(
        &place,
        "it.zip",
        &[
            ("agent.py", b"import mine.net\n"),
            ("mine/net.py", b"open('/nosuch/net.bin')\n"),
        ],
    );
    let ran = submit(&place, "it.zip", "A");
    let said = ran.expect_code(1).stdout();
    for line in [
        "  Traceback (most recent call last):",
        "  File \"agent.py\", line 1",
        "  File \"mine/net.py\", line 1",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(!said.contains(&place.path("").display().to_string()), "{said}");
    assert!(!said.contains("submissions/"), "{said}");
    alone("move = 'e2e4'\n");
    refused("it ended before it was ready: agent.py has no function get_move(fen, time_left_ms)");
    alone("raise RuntimeError('no weights')\n");
    refused("it ended before it was ready: RuntimeError: no weights");
    alone("def get_move(fen, time_left_ms):\n    return 'e2e5'\n");
    refused(
        "with White, after 0 plies, it said e2e5, which is not legal; it was asked in \
         `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`, White to move",
    );
    alone("def get_move(fen, time_left_ms):\n    raise ValueError('mated')\n");
    refused("it ended with exit code 1: ValueError: mated");
    let ran = submit(&place, "it.zip", "A");
    let said = ran.expect_code(1).stdout();
    assert!(!said.contains("bestmove") && !said.contains("White <"), "{said}");
    assert!(
        said.contains("\n    File \"agent.py\", line 2, in get_move\n      raise"),
        "{said}"
    );
    alone("open('game.log', 'w')\n");
    refused("files are written in the directory that TMPDIR names");
    archive(
        &place,
        "it.zip",
        &[("agent.py", b"import random\n"), ("random.pyc", b""), ("a/b.txt", b"")],
    );
    refused("agent.py has no function get_move");
    // What is tried, or imported by nothing, or found by the entry itself, is no fault.
    let tries = format!(
        "import sys, os\nsys.path.insert(0, os.path.join(os.getcwd(), 'code'))\ntry:\n    import tensorflow\nexcept ImportError:\n    \
         pass\n{agent}"
    );
    let files: [(&str, &[u8]); 3] = [
        ("agent.py", tries.as_bytes()),
        ("code/rules.py", rules.as_bytes()),
        ("test_agent.py", b"import pytest\n"),
    ];
    archive(&place, "it.zip", &files);
    submit(&place, "it.zip", "A").expect_code(0);
    // Only what plays is kept.
    let kept = std::fs::read_dir(place.path("results/season/submissions/archives")).expect("a directory");
    assert_eq!(kept.count(), 1);
    for (file, player, expected) in [
        ("it.zip", "Nobody", "no player is named Nobody"),
        (
            "it.zip",
            "House",
            "House plays what the event file names, and hands nothing in",
        ),
        ("none.zip", "A", "none.zip"),
    ] {
        let ran = submit(&place, file, player);
        assert!(ran.expect_code(4).stderr().contains(expected), "{}", ran.stderr());
    }
}

#[test]
fn what_comes_too_late_or_too_often_is_told() {
    let place = Place::new();
    good(&place, "a.zip", "");
    good(&place, "b.zip", "# another\n");
    place.write(
        "season.toml",
        &event("get-move", "per_day = 1\nlock = 2999-01-01T00:00:00Z"),
    );
    submit(&place, "a.zip", "A").expect_code(0);
    let often = submit(&place, "b.zip", "A");
    let said = often.expect_code(1).stderr();
    assert!(
        said.contains("A has handed in 1 on this day, and may hand in 1 (submissions.per_day)"),
        "{said}"
    );
    let early = place.swissmatch(&["run", "season.toml"]);
    let said = early.expect_code(4).stderr();
    assert!(
        said.contains("submissions are open until 2999-01-01T00:00:00Z"),
        "{said}"
    );
    place.write("season.toml", &event("get-move", "lock = 2026-01-01T00:00:00Z"));
    let late = submit(&place, "b.zip", "B");
    assert!(
        late.expect_code(1).stdout().contains("(submissions.lock)"),
        "{}",
        late.stdout()
    );
    let nobody = place.swissmatch(&["run", "season.toml"]);
    assert!(
        nobody
            .expect_code(4)
            .stderr()
            .contains("can play, and an event needs 2"),
        "{}",
        nobody.stderr()
    );
}

/// Hands in a file for A, and kills who tries it, once the log has so many lines.
pub(crate) fn kill_while_tried(place: &Place, file: &str, lines: usize) {
    let mut killed = place
        .command(&["submit", file, "--as", "A", "--event", "season.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let log = place.path("results/season/submissions/log.jsonl");
    let come = || {
        std::fs::read_to_string(&log)
            .ok()
            .filter(|text| text.lines().count() == lines)
    };
    until("it has come", std::time::Duration::from_secs(30), come);
    rustix::process::kill_process(Pid::from_child(&killed), Signal::KILL).expect("it is there");
    killed.wait().expect("it has ended");
}

/// Whoever tries a submission may be killed: it has come all the same.
#[test]
fn a_killed_submission_is_tried_when_the_event_begins() {
    let place = Place::new();
    place.write("season.toml", &event("get-move", ""));
    good(&place, "b.zip", "");
    submit(&place, "b.zip", "B").expect_code(0);
    good(&place, "a.zip", "import time\ntime.sleep(1.5)\n");
    kill_while_tried(&place, "a.zip", 3);
    let states = || -> Vec<String> { listed(&place).iter().map(|one| one["state"].to_string()).collect() };
    assert_eq!(states()[1], "\"waits\"");
    // Of one that its author hands in again there are not two.
    good(&place, "a2.zip", "import time\ntime.sleep(1.6)\n");
    kill_while_tried(&place, "a2.zip", 4);
    let again = submit(&place, "a2.zip", "A");
    let said = again.expect_code(0).stdout();
    assert!(said.contains("Accepted: submission 3"), "{said}");
    assert_eq!(states()[1..], ["\"waits\"", "\"plays\""]);
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    // What a newer one has replaced is not tried any more.
    assert_eq!(states()[1..], ["\"refused\"", "\"plays\""]);
    place.swissmatch(&["verify", "results/season"]).expect_code(0);
    assert!(place.read("results/season/games.csv").contains(",A,"));
}

#[test]
fn of_two_at_once_one_waits() {
    let place = Place::new();
    place.write("season.toml", &event("get-move", ""));
    good(&place, "a.zip", "import time\ntime.sleep(1)\n");
    good(&place, "b.zip", "import time\ntime.sleep(1.1)\n");
    let start = |file: &str, player: &str| {
        let mut command = place.command(&["submit", file, "--as", player, "--event", "season.toml"]);
        command.spawn().expect("it starts")
    };
    let both = [start("a.zip", "A"), start("b.zip", "B")].map(finish);
    let said = both.map(|ran| {
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stderr).into_owned()
    });
    assert_eq!(
        said.iter().filter(|said| said.contains("waiting: 1 before it")).count(),
        1,
        "{said:?}"
    );
}

#[test]
fn other_contracts_and_a_trial_at_home() {
    let place = Place::new();
    place.write("season.toml", &event("kaggle", ""));
    // It unpacks beside itself, as such entries do.
    let main = "import rules\nopen('unpacked.txt', 'w').write('x')\ndef chess_bot(obs):\n    assert obs.remainingOverageTime > 0 \
                and obs['mark'] in ('white', 'black')\n    return rules.legal(obs.board)[0]\n";
    let rules = own("rules.py");
    archive(
        &place,
        "k.zip",
        &[("main.py", main.as_bytes()), ("rules.py", rules.as_bytes())],
    );
    let tried = place.swissmatch(&["try", "k.zip", "--event", "season.toml"]);
    assert!(
        tried
            .expect_code(0)
            .stdout()
            .contains("It would be accepted on a machine like this one.")
    );
    assert!(!place.path("results").exists(), "nothing is handed in");
    submit(&place, "k.zip", "A").expect_code(0);
    // There it took ten thousand seconds to start.
    let there = place.swissmatch(&["submissions", "season.toml", "--log", "1", "--json"]);
    let mut there: serde_json::Value = serde_json::from_str(&there.expect_code(0).stdout()).expect("JSON");
    assert!(there["times"]["moves_us"].as_u64() > Some(0), "{there}");
    there["times"]["start_us"] = 10_000_000_000_u64.into();
    let compared = |there: &serde_json::Value| {
        place.write("there.json", &there.to_string());
        place.swissmatch(&["try", "k.zip", "--event", "season.toml", "--compare", "there.json"])
    };
    let said = compared(&there).expect_code(0).stdout();
    for part in [
        "times as long there (10000.00 s) as here (",
        "Its 20 moves took ",
        "Its moves: ",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    there["archive"] = "of another one".into();
    let refused = compared(&there);
    assert!(
        refused.expect_code(4).stderr().contains("is of another archive"),
        "{}",
        refused.stderr()
    );
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    place.swissmatch(&["verify", "results/season"]).expect_code(0);

    place.write(
        "season.toml",
        &event("uci", "entry = \"bin/engine\"").replace("\"season\"", "\"engines\""),
    );
    let engine = std::fs::read(crate::support::engine("greedy")).expect("an engine");
    archive(&place, "e.zip", &[("bin/engine", &engine)]);
    archive(&place, "s.zip", &[("bin/engine", b"import chess\n")]);
    let refused = submit(&place, "s.zip", "B");
    assert!(
        refused.expect_code(1).stdout().contains("bin/engine is no program"),
        "{}",
        refused.stdout()
    );
    submit(&place, "e.zip", "A").expect_code(0);
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    place.swissmatch(&["verify", "results/engines"]).expect_code(0);
}

/// An organizer has a list of names, and no programs yet.
#[test]
fn a_list_of_names_is_enough_of_a_roster() {
    let place = Place::new();
    let text = event("get-move", "");
    let (head, _) = text.split_once("[[player]]").expect("players");
    place.write(
        "season.toml",
        &format!("{head}[[player]]\nname = \"House\"\ncommand = \"greedy\"\n[[player]]\nname = \"Z\"\n"),
    );
    place.write("names.csv", "name,team\nMiskeen,One\nRook,Two\n");
    let import = |into: &str| place.swissmatch(&["roster", "import", "names.csv", "--trust", "team", "--into", into]);
    import("season.toml").expect_code(0);
    let shown = place.swissmatch(&["roster", "show", "season.toml"]);
    assert!(shown.expect_code(0).stdout().contains("Miskeen"), "{}", shown.stdout());
    place.write(
        "other.toml",
        "[[player]]\nname = \"A\"\ncommand = \"greedy\"\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
    );
    let refused = import("other.toml");
    assert!(
        refused.expect_code(4).stderr().contains("names.csv:2:"),
        "{}",
        refused.stderr()
    );
}

/// Starters are handed in unchanged, and rivals' archives too: each plays from a directory of its own.
#[test]
fn two_players_may_hand_in_the_same_archive() {
    let place = Place::new();
    place.write(
        "season.toml",
        &event("get-move", "").replace("[engine]\n", "[engine]\nisolation = \"guarded\"\n"),
    );
    good(&place, "a.zip", "");
    let start = |player: &str| {
        let mut command = place.command(&["submit", "a.zip", "--as", player, "--event", "season.toml"]);
        command.spawn().expect("it starts")
    };
    for ran in ["A", "B", "C"].map(start).map(finish) {
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    place.swissmatch(&["verify", "results/season"]).expect_code(0);
    // One that was cut short goes on with what it began with.
    let patience = std::time::Duration::from_secs(60);
    let mut running = Background::start(&place, &["run", "season.toml", "--fresh"]);
    // The run that is kept aside has eight.
    let has_games = || (1..8).contains(&games_in_log(&place, "results/season")).then_some(());
    until("a game is over", patience, has_games);
    send(running.player(), Signal::KILL);
    running.end(patience);
    drop(running);
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    place.swissmatch(&["verify", "results/season"]).expect_code(0);
    // What is removed is unpacked anew from the archive.
    std::fs::remove_dir_all(place.path("results/season/submissions/versions/1")).expect("it is removed");
    place.swissmatch(&["run", "season.toml", "--fresh"]).expect_code(0);
    place.write("season.toml", &event("get-move", "python = \"nosuch\""));
    let missing = submit(&place, "a.zip", "A");
    let said = missing.expect_code(4).stderr();
    assert!(
        said.contains("submissions.python: there is no ") && said.contains("nosuch/bin/python"),
        "{said}"
    );
}
