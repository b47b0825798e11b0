//! The same command again: what goes on, what is refused and why, and what a damaged run or a full disk leads to.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use swissmatch::shell::store::sha256;

use crate::death::{Background, assert_empty, send, until};
use crate::kill::{results, short_event};
use crate::support::{Place, Ran, engine, finish, say_what_is_missing, swissmatch};

const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// Three players of few moves, for tests about anything but play.
pub(crate) fn tiny_event() -> String {
    let mut text = "[event]\nname = \"tiny\"\nrng_seed = 7\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\n[game]\n\
                    nodes = 50\nmax_moves = 10\n"
        .to_owned();
    for (name, command) in [("A", "alphabeta"), ("B", "random-mover"), ("C", "greedy")] {
        let command = engine(command);
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\nrating = 1500\n");
    }
    text
}

/// `sh -c SCRIPT` in the test's directory.
pub(crate) fn shell(place: &Place, script: &str) -> Ran {
    let begun = std::time::Instant::now();
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(place.path(""));
    command.env("SWISSMATCH", swissmatch()).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = finish(child.expect("sh starts"));
    Ran {
        output,
        took: begun.elapsed(),
    }
}

/// A run under way, of which a mini-match is over and the event is not.
fn under_way(place: &Place) -> Background<'_> {
    let event = short_event().replace("games = 4", "games = 10");
    place.write("event.toml", &event);
    let running = Background::start(
        place,
        &[&RUN[..], &["--concurrency", "2", "--set", "run.oversubscribe=true"]].concat(),
    );
    until("a mini-match", PATIENCE, || {
        place.read("complained").contains("board").then_some(())
    });
    running
}

#[test]
fn going_on_after_ctrl_c_gives_the_same_end() {
    let place = Place::new();
    let mut running = under_way(&place);
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let again = place.swissmatch(&[&RUN[..], &["--concurrency", "1"]].concat());
    again.expect_code(0);
    assert!(again.stderr().contains("going on: "), "{}", again.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&["run", "event.toml", "--out", "calm"]).expect_code(0);
    assert_eq!(results(&place, "run"), results(&place, "calm"));
}

#[test]
fn a_second_runner_is_refused_and_disturbs_nobody() {
    let place = Place::new();
    let mut running = under_way(&place);
    for more in [&[][..], &["--fresh"]] {
        let second = place.swissmatch(&[&RUN[..], more].concat());
        second.expect_code(4);
        assert!(
            second.stderr().contains("another swissmatch is running in run"),
            "{}",
            second.stderr()
        );
    }
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert_empty(&place, Duration::ZERO);
    assert!(!place.path("run.1").exists());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn fresh_keeps_every_old_run() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let fresh = [&RUN[..], &["--fresh"]].concat();
    for aside in ["run.1", "run.2"] {
        let again = place.swissmatch(&fresh);
        again.expect_code(0);
        assert!(again.stderr().contains(aside), "{}", again.stderr());
        place.swissmatch(&["verify", aside]).expect_code(0);
        assert_eq!(results(&place, "run"), results(&place, aside));
    }
    // One that was taken away is not followed: the highest is the newest.
    fs::remove_dir_all(place.path("run.1")).expect("it is there");
    let again = place.swissmatch(&fresh);
    assert!(again.stderr().contains("run.3"), "{}", again.stderr());
    // Nothing there is nothing to keep.
    let fresh = ["run", "event.toml", "--out", "other", "--fresh"];
    place.swissmatch(&fresh).expect_code(0);
    assert!(!place.path("other.1").exists());
}

/// "Bad input is refused before the first game. Nothing already stored is touched."
#[test]
fn an_option_that_an_agent_refuses_touches_nothing() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let before = contents(&place, "run");
    let bad = tiny_event().replace("name = \"A\"\n", "name = \"A\"\noptions = { Hsah = 16 }\n");
    place.write("event.toml", &bad);
    for (out, fresh) in [("run", &["--fresh"][..]), ("new", &[]), ("new", &["--fresh"])] {
        let refused = place.swissmatch(&[&["run", "event.toml", "--out", out][..], fresh].concat());
        refused.expect_code(4);
        assert!(refused.stderr().contains("event.toml:13:"), "{}", refused.stderr());
        assert!(refused.stderr().contains("Hsah"), "{}", refused.stderr());
    }
    assert!(!place.path("run.1").exists());
    assert!(!place.path("new").exists());
    assert_eq!(contents(&place, "run"), before);
}

/// Every file in a directory below the test's, with the hash of its bytes.
pub(crate) fn contents(place: &Place, dir: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(place.path(dir)).expect("the directory is there").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let hash = |path| sha256(&fs::read(path).expect("a file"));
    let files = files.map(|entry| (entry.file_name().to_string_lossy().into_owned(), hash(entry.path())));
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[test]
fn a_changed_event_file_is_refused_with_the_difference() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let before = contents(&place, "run");
    let a = "name = \"A\"\n";
    for (from, to, shown) in [
        ("rng_seed = 7", "rng_seed = 8", "event.rng_seed: was 7, is 8"),
        (
            "name = \"tiny\"",
            "name = \"other\"",
            "event.name: was \"tiny\", is \"other\"",
        ),
        ("rounds = 2", "rounds = 3", "swiss.rounds: was 2, is 3"),
        ("games = 2", "games = 4", "mini_match.games: was 2, is 4"),
        (
            "games = 2",
            "games = 2\nopenings = \"none\"",
            "mini_match.openings: was \"bundled\", is \"none\"",
        ),
        ("nodes = 50", "nodes = 51", "game.nodes: was 50, is 51"),
        ("nodes = 50\n", "", "game.nodes: was 50, is \"none\""),
        ("max_moves = 10", "max_moves = 11", "game.max_moves: was 10, is 11"),
        (
            "[game]",
            "[engine]\nquit_grace = \"3s\"\n[game]",
            "engine.quit_grace: was \"1s\", is \"3s\"",
        ),
        (
            "[game]",
            "[bye]\nscore = \"leaderboard\"\n[game]",
            "bye.game_points: was 1, is 2",
        ),
        (a, "name = \"A\"\nnodes = 9\n", "player.A.nodes: was not set, is 9"),
        (
            a,
            "name = \"A\"\noptions = { Skill = 3 }\n",
            "player.A.options: was not set, is { Skill = \"3\" }",
        ),
        (
            a,
            "name = \"Z\"\n",
            "player: was [\"A\", \"B\", \"C\"], is [\"Z\", \"B\", \"C\"]",
        ),
    ] {
        place.write("event.toml", &tiny_event().replacen(from, to, 1));
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(said.contains(shown), "{to}: {said}");
        assert!(said.contains("--fresh") && said.contains("--out"), "the remedy: {said}");
    }
    place.write("event.toml", &tiny_event());
    let by_flag = place.swissmatch(&[&RUN[..], &["--set", "game.nodes=60"]].concat());
    by_flag.expect_code(4);
    assert!(
        by_flag.stderr().contains("game.nodes: was 50, is 60"),
        "{}",
        by_flag.stderr()
    );
    assert_eq!(contents(&place, "run"), before, "what is stored is not touched");
}

#[test]
fn keys_that_change_no_result_may_change() {
    let place = Place::new();
    let mut running = under_way(&place);
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    let event = place.read("event.toml");
    let columns = "[engine]\nalarms = [\"built-in\"]\n[spending]\nevent = 50\nrequests = 9\n[model]\nkeep = \"all\"\nrationale = \"page\"\n[standings]\ncolumns = [\"game-points\", \"wdl\"]\n[game]";
    let publish = "[publish]\nreport = false\nreport_size = 1";
    let other = event.replace("[game]", columns).replace("[publish]", publish);
    place.write(
        "event.toml",
        &other.replace(
            "evidence = \"all\"",
            "concurrency = 1\nevidence = \"faults\"\nmax_faults = \"20%\"\nanchor = [\"file:anchors\"]",
        ),
    );
    let again = place.swissmatch(&RUN);
    again.expect_code(0);
    for key in [
        "standings.columns",
        "run.concurrency",
        "run.evidence",
        "run.max_faults",
        "run.anchor",
        "engine.alarms",
        "spending.event",
        "spending.requests",
        "model.keep",
        "model.rationale",
        "publish.report",
        "publish.report_size",
    ] {
        assert!(again.stderr().contains(key), "{key} is not told of: {}", again.stderr());
    }
    let head = place.read("run/standings.csv");
    assert!(head.lines().next().is_some_and(|head| head.contains("W/D/L")), "{head}");
    place.swissmatch(&["verify", "run"]).expect_code(0);

    // They may change after the end too, for the tables then follow; nothing goes on.
    place.write("event.toml", &event);
    let over = place.swissmatch(&RUN);
    over.expect_code(0);
    assert!(
        over.stderr().contains("has been played to its end"),
        "{}",
        over.stderr()
    );
    assert!(
        !over.stderr().contains("going on") && !over.stderr().contains("To stop"),
        "{}",
        over.stderr()
    );
    assert!(!place.read("run/standings.csv").contains("W/D/L"));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn changed_agents_and_openings_are_refused_by_name() {
    let place = Place::new();
    fs::copy(engine("greedy"), place.path("my-agent")).expect("a copy");
    let openings = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
    place.write("my.fen", openings);
    place.write("weights.bin", "1");
    let event = tiny_event()
        .replace(&engine("greedy"), "./my-agent")
        .replace("name = \"C\"\n", "name = \"C\"\nargs = [\"weights.bin\"]\n");
    let event = event.replace("games = 2", "games = 2\nopenings = \"my.fen\"");
    place.write("event.toml", &event);
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let before = contents(&place, "run");
    for (file, named) in [
        ("my-agent", "C: "),
        ("weights.bin", "C: "),
        ("my.fen", "the openings my.fen"),
    ] {
        let old = fs::read(place.path(file)).expect("a file");
        fs::write(place.path(file), [&old[..], b"\n"].concat()).expect("it is written");
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains(named) && refused.stderr().contains(file),
            "{}",
            refused.stderr()
        );
        fs::write(place.path(file), old).expect("it is written");
    }
    assert_eq!(contents(&place, "run"), before);
    place.swissmatch(&RUN).expect_code(0);
}

#[test]
fn a_finished_run_is_not_played_again() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let first = place.swissmatch(&RUN);
    first.expect_code(0);
    let before = contents(&place, "run");
    let again = place.swissmatch(&RUN);
    again.expect_code(0);
    assert!(
        again.stderr().contains("has been played to its end"),
        "it says so: {}",
        again.stderr()
    );
    assert_eq!(again.stdout(), first.stdout(), "the standings are shown");
    assert_eq!(contents(&place, "run"), before);

    // What was lost of it comes back.
    fs::remove_file(place.path("run/standings.csv")).expect("it was there");
    place.write("run/games.pgn", "");
    place.swissmatch(&RUN).expect_code(0);
    assert_eq!(contents(&place, "run"), before);
}

/// An event whose files are larger than the room that tests leave it.
fn large_event() -> String {
    short_event().replace("games = 4", "games = 2")
}

/// Runs a command where what it mounts is its own.
const OWN_MOUNTS: &str = "unshare --map-root-user --mount";

/// Whether this user may have a file system of its own; says so where not.
fn may_mount(place: &Place) -> bool {
    let mounted = shell(
        place,
        &format!("mkdir probe && {OWN_MOUNTS} mount -t tmpfs tmpfs probe"),
    );
    let may = mounted.output.status.success();
    if !may {
        say_what_is_missing("a file system of our own is not allowed here");
    }
    may
}

/// A real file system without room, where this user may have one; and in any case a limit that looks like it.
#[test]
fn a_full_disk_ends_the_run_and_room_lets_it_go_on() {
    let place = Place::new();
    place.write("event.toml", &large_event());
    place.swissmatch(&["run", "event.toml", "--out", "calm"]).expect_code(0);
    let expected = results(&place, "calm");
    let script = r#"
        mkdir disk && mount -t tmpfs -o size=$1k tmpfs disk || exit 1
        "$SWISSMATCH" run event.toml --out disk/run 2> complained; echo $?
        mount -o remount,size=64m disk || exit 1
        "$SWISSMATCH" run event.toml --out disk/run > said 2>&1; echo $?
        mkdir whole; cp -r disk/run whole/"#;
    place.write("full.sh", script);
    if !may_mount(&place) {
        return;
    }
    for kib in [8, 40, 120, 200, 300] {
        let ran = shell(&place, &format!("rm -rf disk whole; {OWN_MOUNTS} sh full.sh {kib}"));
        ran.expect_code(0);
        let _ = fs::remove_dir(place.path("disk"));
        let complaint = place.read("complained");
        assert_eq!(ran.stdout(), "5\n0\n", "{kib} KiB: {complaint}{}", place.read("said"));
        let complaint = complaint.lines().last().unwrap_or_default().to_lowercase();
        assert!(
            complaint.contains("full") || complaint.contains("no space"),
            "{kib} KiB: {complaint}"
        );
        assert!(complaint.contains("disk/run"), "where: {kib} KiB: {complaint}");
        assert_eq!(results(&place, "whole/run"), expected);
        place.swissmatch(&["verify", "whole/run"]).expect_code(0);
    }
}

#[test]
fn a_limit_on_file_sizes_is_like_a_full_disk() {
    let place = Place::new();
    // Private copies of programs would meet the limit before the log does.
    place.write("event.toml", &(large_event() + "[engine]\nisolation = \"off\"\n"));
    place.swissmatch(&["run", "event.toml", "--out", "calm"]).expect_code(0);
    let expected = results(&place, "calm");
    for blocks in [1, 16, 100, 200] {
        // Without the trap the kernel ends whoever writes too much by a signal.
        let limited =
            format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$SWISSMATCH\" run event.toml --out run-{blocks}");
        let ran = shell(&place, &limited);
        ran.expect_code(5);
        assert!(
            ran.stderr().contains(&format!("run-{blocks}")),
            "where: {}",
            ran.stderr()
        );
        assert!(ran.stderr().contains("`ulimit -f`"), "which limit: {}", ran.stderr());
        assert_empty(&place, Duration::ZERO);
        let run = format!("run-{blocks}");
        place.swissmatch(&["run", "event.toml", "--out", &run]).expect_code(0);
        assert_eq!(results(&place, &run), expected);
        place.swissmatch(&["verify", &run]).expect_code(0);
    }
}

#[test]
fn a_directory_that_cannot_be_written_to() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let below_a_file = place.swissmatch(&["run", "event.toml", "--out", "event.toml/run"]);
    below_a_file.expect_code(4);
    assert!(
        below_a_file.stderr().contains("event.toml/run"),
        "{}",
        below_a_file.stderr()
    );
    let script = r#"mkdir locked && mount -t tmpfs -o ro tmpfs locked || exit 77
        exec "$SWISSMATCH" run event.toml --out locked/run"#;
    place.write("read-only.sh", script);
    let read_only = shell(&place, &format!("{OWN_MOUNTS} sh read-only.sh"));
    let _ = fs::remove_dir(place.path("locked"));
    if ![Some(1), Some(77)].contains(&read_only.output.status.code()) {
        read_only.expect_code(4);
        assert!(
            read_only
                .stderr()
                .contains("locked/run cannot be written: Read-only file system"),
            "{}",
            read_only.stderr()
        );
    }
}

#[test]
fn descriptors_are_counted_before_anything_starts() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let run = "exec \"$SWISSMATCH\" run event.toml --out run --set run.oversubscribe=true --concurrency";
    let refused = shell(&place, &format!("ulimit -n 130; {run} 8"));
    refused.expect_code(5);
    for part in [
        "8 games at once need 220 file descriptors",
        "allows 130",
        "--concurrency 2",
    ] {
        assert!(refused.stderr().contains(part), "{part}: {}", refused.stderr());
    }
    // No number of games fits here, and none may be recommended.
    let refused = shell(&place, &format!("ulimit -n 64; {run} 1"));
    refused.expect_code(5);
    for part in ["need 115 file descriptors", "allows 64"] {
        assert!(refused.stderr().contains(part), "{part}: {}", refused.stderr());
    }
    assert!(!refused.stderr().contains("--concurrency 0"), "{}", refused.stderr());
    assert!(!place.path("run").exists());
    shell(&place, &format!("ulimit -S -n 30; {run} 8")).expect_code(0);
}

/// What is asked for must do when every slot plays and engines leave others their place.
#[test]
fn as_many_descriptors_as_asked_for_are_enough() {
    let place = Place::new();
    let mut event = "[swiss]\nrounds = 3\n[mini_match]\ngames = 2\n[game]\nmax_moves = 5\n".to_owned();
    for number in 0..16 {
        let command = engine("random-mover");
        event += &format!("[[player]]\nname = \"{number}\"\ncommand = \"{command}\"\n");
    }
    place.write("event.toml", &event);
    let ran = shell(
        &place,
        "ulimit -n 220; exec \"$SWISSMATCH\" run event.toml --out run --set run.oversubscribe=true --concurrency 8",
    );
    ran.expect_code(0);
    let standings = place.export_json("run", "json");
    let players = standings["players"].as_array().expect("a list of players");
    assert!(players.iter().all(|player| player["faults"] == 0), "{players:#?}");
}

/// Its directory and the agents' are on one disk, which one of them fills: it is named.
#[test]
fn who_fills_the_disk_is_named() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let fill = "head -c 100000000 /dev/zero > \"$HOME/hog\" 2> /dev/null; exec \"$0\"";
    let hog = format!("command = \"/bin/sh\"\nargs = [\"-c\", {fill:?}, {agent:?}]\n");
    let event = format!(
        "[swiss]\nrounds = 1\n[mini_match]\ngames = 40\nopenings = \"none\"\n[game]\nmax_moves = 20\n[run]\nconcurrency = 1\n\
         evidence = \"all\"\n[[player]]\nname = \"Quiet\"\ncommand = {agent:?}\n[[player]]\nname = \"Hog\"\n{hog}"
    );
    place.write("event.toml", &event);
    let script = r#"
        mkdir disk && mount -t tmpfs -o size=64m tmpfs disk && mkdir disk/tmp || exit 1
        TMPDIR=$PWD/disk/tmp "$SWISSMATCH" run event.toml --out disk/run; echo $?"#;
    place.write("full.sh", script);
    if !may_mount(&place) {
        return;
    }
    let ran = shell(&place, &format!("{OWN_MOUNTS} sh full.sh"));
    assert_eq!(ran.stdout(), "5\n", "{}", ran.stderr());
    let said = ran.stderr();
    assert!(
        said.contains("of the agents, these use most of this machine: Hog with ")
            && said.contains("MiB where it may write"),
        "{said}"
    );
}

/// An agent that stays below its limit fills the disk in a game, and the other one cannot go on without it: nobody is blamed, the run
/// pauses and names the first, and goes on once there is room.
#[test]
fn nobody_is_blamed_for_a_full_disk() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let on_go =
        |what: &str| format!("while read -r line; do case $line in go*) {what};; esac; echo \"$line\"; done | \"$0\"");
    let player = |name: &str, what: &str| {
        let script = on_go(what);
        format!("[[player]]\nname = {name:?}\ncommand = \"/bin/sh\"\nargs = [\"-c\", {script:?}, {agent:?}]\n")
    };
    let hog = player("Hog", "head -c 100000000 /dev/zero > \"$HOME/hog\" 2> /dev/null");
    let writer = player("Writer", "head -c 100000 /dev/zero > \"$HOME/notes\" || exit 3");
    place.write(
        "event.toml",
        &format!(
            "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 3\n\
             [run]\nconcurrency = 1\n{hog}{writer}"
        ),
    );
    let script = r#"
        mkdir -p disk && mount -t tmpfs -o size=$1m tmpfs disk || exit 1
        TMPDIR=$PWD/disk "$SWISSMATCH" run event.toml --out run"#;
    place.write("on-disk.sh", script);
    if !may_mount(&place) {
        return;
    }
    let run = |mebibytes: u32| shell(&place, &format!("{OWN_MOUNTS} sh on-disk.sh {mebibytes}"));
    let paused = run(64);
    paused.expect_code(5);
    for part in [
        "the disk on which agents write has no room left",
        "these use most of this machine: Hog with ",
        "MiB where it may write",
    ] {
        assert!(paused.stderr().contains(part), "{part}: {}", paused.stderr());
    }
    let is_clean = || place.swissmatch(&["status", "run"]).stdout().contains("No faults");
    assert!(is_clean());
    run(400).expect_code(0);
    assert!(is_clean());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
