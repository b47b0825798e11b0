//! Directories that are not a run's, or not the whole of one: nothing in them is written over.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;
use swissmatch::shell::store::sha256;

use crate::death::{assert_empty, send, until};
use crate::resume::{RUN, contents, shell, tiny_event};
use crate::storage::{OVERSUBSCRIBED, PATIENCE, can_trace, games, under_way};
use crate::support::{Place, engine};

/// A run that was killed after some games.
fn killed() -> Place {
    let place = Place::new();
    let mut running = under_way(&place, "board");
    send(running.player(), Signal::KILL);
    running.end(PATIENCE);
    assert_empty(&place, Duration::from_secs(1));
    drop(running);
    place
}

/// What is stored in a directory: reading a log makes the index of its -wal anew, and an empty -wal where there is none.
fn stored(place: &Place, dir: &str) -> Vec<(String, String)> {
    let is_made =
        |(name, hash): &(String, String)| name.ends_with("-shm") || (name.ends_with("-wal") && *hash == sha256(b""));
    contents(place, dir).into_iter().filter(|file| !is_made(file)).collect()
}

/// A directory with anything that is not the run's is not written to, until somebody says so; then nothing is lost either.
#[test]
fn a_directory_that_is_not_a_runs_is_left_alone() {
    let place = killed();
    let event = place.read("event.toml");
    let fresh =
        |out| place.swissmatch(&[&["run", "event.toml", "--out", out, "--fresh"][..], &OVERSUBSCRIBED].concat());
    let plain = |out: &str| place.swissmatch(&[&["run", "event.toml", "--out", out][..], &OVERSUBSCRIBED].concat());
    // Files of somebody, with names of ours and with others; a copy without its log, with an empty one, or without the half
    // of it that is in its -wal.
    fs::create_dir_all(place.path("mine/sub")).expect("a directory");
    place.write("mine/games.pgn", "my games");
    place.write("mine/sub/notes", "my notes");
    for (copy, without) in [("no-log", "run.sqlite"), ("empty", ""), ("no-wal", "run.sqlite-wal")] {
        fs::create_dir(place.path(copy)).expect("a directory");
        // Where a round is over its games are published, and what is said of a log without its end is another sentence.
        let is_left_out = |name: &str| name == without || copy == "no-wal" && name == "games.pgn";
        for (name, _) in contents(&place, "run").iter().filter(|(name, _)| !is_left_out(name)) {
            let (from, to) = (
                place.path(&format!("run/{name}")),
                place.path(&format!("{copy}/{name}")),
            );
            fs::copy(from, to).expect("a copy");
        }
        place.write(&format!("{copy}/notes"), "mine");
    }
    place.write("empty/run.sqlite", "");
    for out in ["mine", "no-log", "empty", "no-wal"] {
        let before = contents(&place, out);
        let refused = plain(out);
        refused.expect_code(4);
        for part in [out, "run.sqlite", "--out", "--fresh"] {
            assert!(refused.stderr().contains(part), "{out}: {part}: {}", refused.stderr());
        }
        assert_eq!(contents(&place, out), before);
        // The place that is named is the one where it would be, however the directory is called.
        let aside = place.path(&format!("{out}.1")).display().to_string();
        for out in [format!("{out}/."), format!("{out}/../{out}/")] {
            let refused = plain(&out);
            assert!(refused.stderr().contains(&aside), "{aside}: {}", refused.stderr());
        }
        // Said before any agent was started.
        assert!(!refused.stderr().contains("checking"), "{}", refused.stderr());
    }
    // An event of a moment, for the rest of it.
    place.write("event.toml", &tiny_event());
    for out in ["mine", "no-log"] {
        let before = stored(&place, out);
        fresh(out).expect_code(0);
        let kept = format!("{out}.1");
        let aside = contents(&place, &kept);
        // Drafts of a runner that was killed are swept up. The lock is the directory's.
        let kept_aside = |name: &str| !["notes", "run.lock"].contains(&name) && !name.ends_with(".part");
        for (name, hash) in before.iter().filter(|(name, _)| kept_aside(name)) {
            assert!(
                aside.contains(&(name.clone(), hash.clone())),
                "{kept}/{name}: {aside:?}"
            );
        }
        assert!(!place.path(&format!("{kept}/notes")).exists());
    }
    assert_eq!(place.read("mine/sub/notes"), "my notes");
    assert_eq!(place.read("mine.1/games.pgn"), "my games");
    assert_eq!(place.read("no-log/notes"), "mine");
    // What is kept aside of a run whose log is in two files is one run.
    let played = games(&place, "run");
    assert!(place.path("run/run.sqlite-wal").exists());
    fresh("run").expect_code(0);
    assert_eq!(games(&place, "run.1"), played);
    fs::remove_dir_all(place.path("run")).expect("the new one");
    fs::rename(place.path("run.1"), place.path("run")).expect("the old one");
    place.write("event.toml", &event);
    let again = plain("run");
    again.expect_code(0);
    assert!(again.stderr().contains("going on: "), "{}", again.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The file of a log alone, without the rest of it in its -wal, and one that is empty: nobody begins over in silence.
#[test]
fn a_log_without_its_end_is_not_begun_over() {
    let place = killed();
    for (copy, part) in [("alone", "run.sqlite"), ("empty", "")] {
        fs::create_dir(place.path(copy)).expect("a directory");
        match part {
            "" => drop(place.write("empty/run.sqlite", "")),
            part => drop(fs::copy(
                place.path(&format!("run/{part}")),
                place.path(&format!("{copy}/{part}")),
            )),
        }
        let before = contents(&place, copy);
        let refused = place.swissmatch(&[&["run", "event.toml", "--out", copy][..], &OVERSUBSCRIBED].concat());
        refused.expect_code(4);
        for part in ["run.sqlite-wal", "Nothing was written", "--fresh"] {
            assert!(refused.stderr().contains(part), "{copy}: {part}: {}", refused.stderr());
        }
        assert_eq!(contents(&place, copy), before);
    }
    if can_trace() {
        // Killed where the log would take its place.
        let script = "exec strace -f -o /dev/null -e trace=rename -e inject=rename:signal=KILL \
                      \"$SWISSMATCH\" run event.toml --out new";
        place.write("event.toml", &tiny_event());
        shell(&place, script);
        assert!(!place.path("new/run.sqlite").exists());
        assert_eq!(contents(&place, "new").len(), 2, "the lock, and what was to be the log");
        place.swissmatch(&["run", "event.toml", "--out", "new"]).expect_code(0);
        place.swissmatch(&["verify", "new"]).expect_code(0);
    }
}

/// Killed at whatever call on the files beside the log: the log is whole, and nobody takes it for a part of a copy.
#[test]
fn a_log_that_has_just_been_placed_is_never_without_its_end() {
    if !can_trace() {
        return;
    }
    for calls in ["unlink", "openat", "pwrite64", "fdatasync"] {
        for beside in ["-journal", "-wal"] {
            let place = Place::new();
            place.write("event.toml", &tiny_event());
            let script = format!(
                "exec strace -f -o /dev/null -P \"$(pwd -P)/run/run.sqlite{beside}\" -e trace={calls} \
                 -e inject={calls}:signal=KILL:when=1 \"$SWISSMATCH\" run event.toml --out run"
            );
            shell(&place, &script);
            place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
            place.swissmatch(&["verify", "run"]).expect_code(0);
        }
    }
}

/// The event may be played where it is: beside its file, its lock and what it names.
#[test]
fn a_run_beside_its_event_file() {
    let place = Place::new();
    fs::create_dir(place.path("here")).expect("a directory");
    fs::copy(engine("greedy"), place.path("here/my-agent")).expect("a copy");
    place.write(
        "here/my.fen",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
    );
    let event = tiny_event()
        .replace(&engine("greedy"), "my-agent")
        .replace("games = 2", "games = 2\nopenings = \"my.fen\"");
    place.write("here/event.toml", &event);
    place.swissmatch(&["roster", "lock", "here/event.toml"]).expect_code(0);
    let run = ["run", "here/event.toml", "--out", "here"];
    // What a runner left that was killed before its first entry is no stranger.
    place.write("here/.swissmatch-4194999-0.part", "");
    place.swissmatch(&run).expect_code(0);
    let fresh = place.swissmatch(&[&run[..], &["--fresh"]].concat());
    fresh.expect_code(0);
    for name in ["event.toml", "event.lock", "my-agent", "my.fen"] {
        assert!(place.path(&format!("here/{name}")).exists(), "{name} stays");
        assert!(!place.path(&format!("here.1/{name}")).exists(), "{name} stays");
    }
    place.swissmatch(&["verify", "here"]).expect_code(0);
    place.swissmatch(&["verify", "here.1"]).expect_code(0);
}

/// One file with two names has two write-ahead logs, and each damages what the other wrote.
#[test]
fn a_log_with_two_names_is_not_written_to() {
    let place = killed();
    shell(&place, "cp -al run linked").expect_code(0);
    let before = stored(&place, "run");
    let refused = place.swissmatch(&["run", "event.toml", "--out", "linked"]);
    refused.expect_code(5);
    assert!(refused.stderr().contains("cp -r"), "{}", refused.stderr());
    assert_eq!(stored(&place, "run"), before);
    fs::remove_dir_all(place.path("linked")).expect("it goes");
    place.swissmatch(&[&RUN[..], &OVERSUBSCRIBED].concat()).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// A copy without its -wal of a run that was gone on with has a log, an older one.
#[test]
fn a_log_that_is_older_than_the_files_is_not_gone_on_with() {
    let place = Place::new();
    let mut running = under_way(&place, "Round 1");
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    drop(running);
    let mut running = under_way(&place, "Round 2 is over");
    let games = || place.read("run/games.pgn").contains("[Round \"2");
    until("the games of round 2", PATIENCE, || games().then_some(()));
    send(running.player(), Signal::KILL);
    running.end(PATIENCE);
    fs::remove_file(place.path("run/run.sqlite-wal")).expect("it is there");
    let before = contents(&place, "run");
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    for part in ["run/games.pgn has", "run.sqlite-wal"] {
        assert!(refused.stderr().contains(part), "{part}: {}", refused.stderr());
    }
    assert_eq!(contents(&place, "run"), before);
    fs::remove_file(place.path("run/games.pgn")).expect("it is there");
    place.swissmatch(&[&RUN[..], &OVERSUBSCRIBED].concat()).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// What a runner saved of a log that was replaced is not passed over.
#[test]
fn a_log_that_replaced_another_is_not_gone_on_with() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    fs::copy(place.path("run/run.sqlite"), place.path("run/run.sqlite.saved")).expect("a copy");
    let before = contents(&place, "run");
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    for part in [
        "run/run.sqlite.saved has every finished game",
        "the same command continues",
    ] {
        assert!(refused.stderr().contains(part), "{part}: {}", refused.stderr());
    }
    assert_eq!(contents(&place, "run"), before);
    fs::rename(place.path("run/run.sqlite.saved"), place.path("run/run.sqlite")).expect("it is there");
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Where a directory or a log should be there is something else: one sentence says so.
#[test]
fn what_is_no_directory_or_no_log_is_called_so() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.write("file", "mine");
    for more in [&[][..], &["--fresh"]] {
        let refused = place.swissmatch(&[&["run", "event.toml", "--out", "file"][..], more].concat());
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(
            said.contains("file is not a directory") && said.contains("--out"),
            "{said}"
        );
        let refused = place.swissmatch(&[&["run", "event.toml", "--out", "file/run"][..], more].concat());
        refused.expect_code(4);
        assert_eq!(refused.stderr().matches("file/run").count(), 1, "{}", refused.stderr());
        assert!(refused.stderr().contains("--out DIR"), "{}", refused.stderr());
    }
    assert_eq!(place.read("file"), "mine");
    fs::create_dir_all(place.path("odd/run.sqlite")).expect("a directory");
    fs::create_dir(place.path("piped")).expect("a directory");
    shell(&place, "mkfifo piped/run.sqlite").expect_code(0);
    for out in ["odd", "piped"] {
        let refused = place.swissmatch(&["run", "event.toml", "--out", out]);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(
            said.contains(&format!("{out}/run.sqlite is not a plain file")),
            "{said}"
        );
    }
}
