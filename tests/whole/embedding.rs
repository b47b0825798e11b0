//! Other programs that play by the library.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use swissmatch::game::alarm::Patterns;
use swissmatch::game::handshake::StartError;
use swissmatch::game::isolation::IsolatedAgent;
use swissmatch::game::resource::Allowance;
use swissmatch::game::wanted::WantedOptions;
use swissmatch::run::{EventFile, Run, this_machine};
use swissmatch::shell::engine::{Engine, EngineCommand};
use swissmatch::shell::guard;
use swissmatch::shell::launch::{Launch, ProcessLimits};
use swissmatch::tournament::setup::Restart;

use crate::death::{assert_empty, games_in_log, processes_in, send, until};
use crate::support::{Place, engine, finish, swissmatch};

const PATIENCE: Duration = Duration::from_secs(60);

/// A program of this package beside `swissmatch`.
pub(crate) fn program(name: &str) -> PathBuf {
    let path = Path::new(swissmatch()).with_file_name("examples").join(name);
    assert!(path.is_file(), "{name} is not built: cargo build --examples");
    path
}

/// Two bundled agents, the second of which takes `ms` for a move.
fn event(ms: u32) -> String {
    let [greedy, slow] = ["greedy", "fault-agent"].map(engine);
    format!(
        "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 4\n[run]\nconcurrency = 1\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"{greedy}\"\n[[player]]\nname = \"Slow\"\ncommand = \"{slow}\"\n\
         args = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\"]\n"
    )
}

/// `examples/play.rs` on that event.
fn play(place: &Place, ms: u32) -> Command {
    place.write("event.toml", &event(ms));
    let mut play = Command::new(program("play"));
    play.args(["event.toml", "run"])
        .current_dir(place.path(""))
        .env("TMPDIR", place.path(""));
    play.stdout(Stdio::piped()).stderr(Stdio::piped());
    play
}

#[test]
fn a_program_that_begins_with_one_line_plays() {
    let place = Place::new();
    let played = finish(play(&place, 0).spawn().expect("it starts"));
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(
        played.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&played.stderr)
    );
    assert!(said.contains("Greedy") && said.contains("Slow"), "{said}");
    assert_empty(&place, Duration::ZERO);
    assert_eq!(games_in_log(&place, "run"), 2);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// It has no guard; the keepers see to its engines.
#[test]
fn a_program_that_is_killed_leaves_no_engine() {
    let place = Place::new();
    let mut program = play(&place, 2_000).spawn().expect("it starts");
    until("a game", PATIENCE, || {
        let all = processes_in(&place);
        let playing = |mark| all.iter().any(|process| process.line.starts_with(&engine(mark)));
        (place.path("run/run.sqlite").exists() && playing("greedy") && playing("fault-agent")).then_some(())
    });
    send(program.id(), Signal::KILL);
    program.wait().expect("it ends");
    assert_empty(&place, Duration::from_secs(1));
}

#[test]
fn a_program_may_ask_for_a_guard() {
    for (first, code) in [("7", 7), ("end", 128 + Signal::ABORT.as_raw())] {
        let mut guarded = Command::new(program("guarded"));
        let ran = guarded
            .args([first, "__player", "two words"])
            .output()
            .expect("it starts");
        assert_eq!(ran.status.code(), Some(code));
        let said = String::from_utf8_lossy(&ran.stdout);
        // Once: the guard itself never comes so far.
        assert_eq!(said, format!("{:?}\n", [first, "__player", "two words"]));
    }
}

/// This test is such a program: its main is not its own.
#[test]
fn a_program_that_does_not_begin_so_starts_nothing() {
    let place = Place::new();
    let path = place.write("event.toml", &event(0));
    let sentence = "the first line of its main has to be `swissmatch::begin();`";
    #[track_caller]
    fn expect<T>(result: Result<T, impl std::fmt::Display>, sentence: &str) {
        let error = result.err().expect("it is refused").to_string();
        assert!(error.contains(sentence), "{error}");
    }

    let of_file = EventFile::read(&path).expect("it is right");
    let host = this_machine(&of_file).expect("a host");
    let run = Run::create(of_file, &place.path("run"), host, &mut |_| {});
    expect(run, sentence);
    assert!(!place.path("run").exists());

    let trace = format!("touch '{}'", place.path("started").display());
    let launch = Launch {
        allowance: Allowance::UNLIMITED,
        program: "/bin/sh".into(),
        args: vec!["-c".to_owned(), trace],
        directory: place.path(""),
        environment: BTreeMap::new(),
        limits: ProcessLimits::default(),
        connect: Vec::new(),
        confinement: None,
        adapter: None,
    };
    let command = EngineCommand {
        name: "Trace".to_owned(),
        base: place.path(""),
        launch,
        options: WantedOptions::default(),
        start_limit: PATIENCE,
        quit_grace: Duration::ZERO,
        restart: Restart::Never,
        ponder: false,
        isolated: IsolatedAgent::default(),
        registered: None,
        scratch: None,
        caller: None,
        doors: Arc::default(),
        alarms: Patterns::default(),
        needs_gpu: false,
    };
    let refused = Engine::start(&command).expect_err("it is refused");
    assert!(matches!(refused, StartError::Host(_)), "{refused:?}");
    expect(Err::<(), _>(refused), sentence);
    assert!(!place.path("started").exists());

    expect(guard::run(std::iter::empty()), sentence);
}
