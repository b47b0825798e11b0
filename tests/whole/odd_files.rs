//! Files and commands that are not what they should be: pipes, directories, arguments beyond every bound.

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::resume::shell;
use crate::support::{Place, engine, finish};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

fn event(keys: &str, of_player: &str) -> String {
    let agent = engine("greedy");
    format!(
        "[event]\nname = \"odd\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n{keys}\n\
         [game]\nmax_moves = 2\nnodes = 20\n\
         [[player]]\nname = \"A\"\n{of_player}\n[[player]]\nname = \"B\"\ncommand = \"{agent}\"\n"
    )
}

fn plain() -> String {
    event("openings = \"none\"", &format!("command = \"{}\"", engine("greedy")))
}

fn pipe(place: &Place, name: &str) {
    let _ = std::fs::remove_file(place.path(name));
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.is_ok_and(|status| status.success()), "{name}");
}

/// Of a pipe that nobody writes to somebody would read for ever.
#[test]
fn nobody_waits_for_what_a_pipe_might_say() {
    let place = Place::new();
    for ending in ["epd", "pgn", "bin", "epd.gz"] {
        let name = format!("book.{ending}");
        pipe(&place, &name);
        let command = format!("command = \"{}\"", engine("greedy"));
        place.write("event.toml", &event(&format!("openings = \"{name}\""), &command));
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(
            said.contains(&name) && said.contains("it is not a plain file"),
            "{said}"
        );
    }
    place.write("event.toml", &plain());
    place.swissmatch(&RUN).expect_code(0);
    for name in ["standings.csv", "games.pgn", "tournament.trf"] {
        pipe(&place, &format!("run/{name}"));
        let differs = place.swissmatch(&["verify", "run"]);
        differs.expect_code(1);
        let said = differs.stdout() + &differs.stderr();
        assert!(said.contains(name) && said.contains("it is not a plain file"), "{said}");
        // Nor does a run that is over, which would write it anew: it is left alone and told of.
        let refused = place.swissmatch(&RUN);
        refused.expect_code(5);
        let said = refused.stderr();
        assert!(said.contains(name) && said.contains("it is not a plain file"), "{said}");
        assert!(!place.path(&format!("run/{name}")).is_file(), "it is there still");
        std::fs::remove_file(place.path(&format!("run/{name}"))).expect("it goes");
        place.swissmatch(&RUN).expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

/// Nor does SQLite wait for what might be said beside a log.
#[test]
fn what_is_no_file_beside_a_log_is_refused() {
    let place = Place::new();
    place.write("event.toml", &plain());
    place.swissmatch(&RUN).expect_code(0);
    for end in ["-journal", "-wal", "-shm"] {
        let name = format!("run/run.sqlite{end}");
        pipe(&place, &name);
        for command in ["verify", "standings", "status"] {
            let refused = place.swissmatch(&[command, "run"]);
            let said = refused.stdout() + &refused.stderr();
            let why = format!("run.sqlite{end}: it is not a plain file");
            assert!(said.contains(&why), "{command}: {said}");
            assert!(!refused.output.status.success(), "{command}: {said}");
        }
        std::fs::remove_file(place.path(&name)).expect("it goes");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let analysed = || {
        let options = ["--set", "analysis.options={}", "--engine", &engine("alphabeta")];
        let refused = place.swissmatch(&[&["analyse", "run"][..], &options].concat());
        assert!(!refused.output.status.success(), "{}", refused.stderr());
        refused.stderr()
    };
    pipe(&place, "run/analysis.sqlite");
    let said = analysed();
    assert!(said.contains("analysis.sqlite is not a file of"), "{said}");
    // A link is not followed to a file that is not there, either.
    std::fs::remove_file(place.path("run/analysis.sqlite")).expect("it goes");
    std::os::unix::fs::symlink(place.path("elsewhere"), place.path("run/analysis.sqlite")).expect("a link");
    let said = analysed();
    assert!(said.contains("analysis.sqlite is a link: delete it"), "{said}");
    assert!(!place.path("elsewhere").exists());
}

/// A pipe that is given in place of a file that somebody wrote is read to its end; what has no end is not, and who waits for one
/// can be ended.
#[test]
fn event_files_and_lists_may_be_pipes_with_an_end() {
    let place = Place::new();
    place.write("event.toml", &plain());
    let piped = "exec bash -c 'exec \"$SWISSMATCH\" run <(cat event.toml) --out piped'";
    shell(&place, piped).expect_code(0);
    place.swissmatch(&["verify", "piped"]).expect_code(0);
    for command in [
        &["run", "/dev/zero"][..],
        &["check", "--all", "/dev/zero"],
        &["plan", "/dev/zero"],
        &["config", "/dev/zero"],
        &["roster", "import", "/dev/zero", "--format", "csv"],
        &["roster", "lock", "/dev/zero"],
        &["run", "."],
    ] {
        let refused = place.swissmatch(command);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains("cannot be read: ") || refused.stderr().contains("is a directory"),
            "{command:?}: {}",
            refused.stderr()
        );
    }
    place.write("list.csv", "name,command\nZ,greedy\n");
    pipe(&place, "fifo");
    for command in [
        &["roster", "import", "list.csv", "--into", "fifo", "--trust", "command"][..],
        &["run", "event.toml", "--out", "fifo"],
    ] {
        let refused = place.swissmatch(command);
        assert!(
            matches!(refused.output.status.code(), Some(4 | 5)),
            "{command:?}: {}",
            refused.stderr()
        );
    }
    for command in [
        &["run", "fifo"][..],
        &["plan", "fifo"],
        &["roster", "import", "fifo", "--format", "csv"],
        &["standings", "fifo"],
        &["pair", "fifo"],
        &["verify-pairings", "fifo"],
    ] {
        for signal in [Signal::TERM, Signal::INT] {
            let mut waiting = place.command(command).spawn().expect("it starts");
            std::thread::sleep(Duration::from_millis(300));
            assert!(
                waiting.try_wait().is_ok_and(|ended| ended.is_none()),
                "{command:?}: it waits"
            );
            let begun = Instant::now();
            rustix::process::kill_process(Pid::from_child(&waiting), signal).expect("it is there");
            let ended = finish(waiting);
            assert!(begun.elapsed() < Duration::from_secs(30), "{command:?}");
            if command[0] == "run" {
                assert_eq!(ended.status.code(), Some(130));
            }
        }
    }
}

#[test]
fn a_command_that_is_no_program_is_refused_with_what_is_meant() {
    let place = Place::new();
    std::fs::create_dir(place.path("engines")).expect("a directory");
    pipe(&place, "fifo");
    let greedy = engine("greedy");
    for (command, expected) in [
        ("./engines", "engines is a directory, not a program".to_owned()),
        (
            "greedy --x 5",
            "but there is greedy: give its arguments apart from it, args = [\"--x\", \"5\"]".to_owned(),
        ),
        (
            &format!("{greedy} --net 'my net'"),
            "give its arguments apart from it, args = [\"--net\", \"my net\"]".to_owned(),
        ),
        ("nobody --x 5", "`nobody --x 5` was found neither beside".to_owned()),
        (
            "./nobody --x 5",
            "./nobody --x 5; if it has arguments, give them apart from it, args = [\"--x\", \"5\"]".to_owned(),
        ),
        ("./fifo", "fifo is not a plain file, so it is not a program".to_owned()),
        (" greedy", "` greedy` has a blank at its beginning".to_owned()),
        ("greedy ", "`greedy ` has a blank at its end".to_owned()),
    ] {
        place.write(
            "event.toml",
            &event("openings = \"none\"", &format!("command = \"{command}\"")),
        );
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(
            said.contains("event.toml:13:") && said.contains("player.command: ") && said.contains(&expected),
            "{command}: {said}"
        );
    }
}

#[test]
fn arguments_that_no_program_can_be_given_are_the_event_files_fault() {
    let place = Place::new();
    let long = "x".repeat(200_000);
    let of_player = format!("command = \"{}\"\nargs = [\"{long}\"]", engine("greedy"));
    place.write("event.toml", &event("openings = \"none\"", &of_player));
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("event.toml:14:1: player.args: its arguments and variables are longer than this machine allows"),
        "{}",
        said.chars().filter(|c| *c != 'x').collect::<String>()
    );
    assert!(!place.path("run").exists());
}
