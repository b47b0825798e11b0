//! The fault agent does what it is told to do wrong, and nothing else.
#![expect(
    clippy::disallowed_methods,
    reason = "tests start the agents, watch the clock and tidy up files"
)]

#[path = "../../../engines/tests/agents/pipes.rs"]
mod pipes;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use pipes::Agent;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fault-agent");
const SHORT: Duration = Duration::from_millis(60);
/// How long something is waited for that comes at once on a machine with nothing else to do.
const LONG: Duration = Duration::from_secs(20);

impl Agent {
    /// Whether the output comes to its end within so long.
    fn is_output_closed_within(&self, time: Duration) -> bool {
        self.lines.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
    }

    /// Whether the agent has not ended yet.
    fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }
}

fn start(arguments: &str) -> Agent {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    // A short life, should the test itself go wrong.
    Agent::start(PROGRAM, &[&words[..], &["--life", "60"]].concat())
}

fn ready(arguments: &str) -> Agent {
    let mut agent = start(arguments);
    agent.greet();
    agent
}

/// A path for this test alone, where no file is.
fn fresh_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).expect("an old file");
    }
    path
}

#[test]
fn wrong_answers() {
    for (kind, answer) in [
        ("illegal", "bestmove a1a1"),
        ("malformed", "bestmove xyzzy"),
        ("none", "bestmove (none)"),
        ("null", "bestmove 0000"),
        ("empty", "bestmove"),
    ] {
        let mut agent = ready(&format!("--fault {kind}"));
        agent.send("go nodes 1");
        assert_eq!(agent.read_until("bestmove"), [answer]);
    }
}

#[test]
fn a_fault_comes_at_its_move_and_again_when_retried() {
    let mut agent = ready("--fault illegal --at 2");
    assert_ne!(agent.ask("startpos", "go"), "a1a1");
    for _ in 0..2 {
        assert_eq!(agent.ask("startpos moves e2e4 e7e5", "go"), "a1a1");
    }
    assert_ne!(agent.ask("startpos moves e2e4 e7e5 d2d4 d7d5", "go"), "a1a1");
}

#[test]
fn a_fault_can_be_limited() {
    let mut twice = ready("--fault illegal --times 2");
    let answers: Vec<bool> = (0..3).map(|_| twice.ask("startpos", "go") == "a1a1").collect();
    assert_eq!(answers, [true, true, false]);

    let mut every = ready("--fault illegal --every");
    assert_eq!(every.ask("startpos moves e2e4 e7e5", "go"), "a1a1");

    for flag in ["--once-file", "--only-instance"] {
        let path = fresh_path(&format!("fault{flag}"));
        let arguments = format!("--fault illegal {flag} {}", path.display());
        assert_eq!(ready(&arguments).ask("startpos", "go"), "a1a1");
        assert_ne!(ready(&arguments).ask("startpos", "go"), "a1a1");
    }
}

#[test]
fn two_answers() {
    for kind in ["twice", "twice-late"] {
        let mut agent = ready(&format!("--fault {kind}"));
        let first = agent.ask("startpos", "go");
        assert_eq!(agent.answer(), first);
    }
}

#[test]
fn stalls() {
    let mut agent = ready("--fault stall");
    agent.send("go");
    assert!(agent.is_silent_for(SHORT));
    agent.send("isready");
    agent.read_until("readyok");
    agent.send("stop");
    agent.answer();

    for (kind, hears_isready) in [("stall-hard", false), ("ignore-stop-quit", true)] {
        let mut agent = ready(&format!("--fault {kind}"));
        agent.send("go");
        agent.send("stop");
        assert!(agent.is_silent_for(SHORT));
        agent.send("isready");
        let time = if hears_isready { LONG } else { SHORT };
        assert_eq!(agent.is_silent_for(time), !hears_isready);
        agent.send("quit");
        agent.close_input();
        assert!(agent.is_silent_for(SHORT));
        assert!(agent.is_alive(), "{kind}");
    }
}

#[test]
fn lateness() {
    for arguments in ["--fault late --ms 120", "--fault sleep --ms 120"] {
        let mut agent = ready(arguments);
        agent.send("go");
        agent.send("stop");
        assert!(agent.is_silent_for(SHORT));
        agent.answer();
    }
    let mut agent = ready("--fault late-after-stop --ms 120");
    agent.send("go");
    assert!(agent.is_silent_for(SHORT));
    agent.send("stop");
    assert!(agent.is_silent_for(SHORT));
    agent.answer();
}

#[test]
fn ways_to_end() {
    for (kind, code) in [("exit", Some(3)), ("exit-zero", Some(0)), ("abort", None)] {
        let mut agent = ready(&format!("--fault {kind}"));
        agent.send("go");
        assert_eq!(agent.wait().code(), code, "{kind}");
    }
    assert_eq!(start("--fault exit-at-start").wait().code(), Some(1));
    assert_eq!(start("--fault no-such-thing").wait().code(), Some(2));
}

#[test]
fn first_starts_fail() {
    let path = fresh_path("starts");
    let arguments = format!("--start-fails 2 --count-file {}", path.display());
    for _ in 0..2 {
        assert_eq!(start(&arguments).wait().code(), Some(1));
    }
    ready(&arguments).ask("startpos", "go");
}

#[test]
fn quit_is_ignored_only_on_request() {
    let mut good = ready("");
    good.send("quit");
    assert!(good.wait().success());

    let mut bad = ready("--fault ignore-quit");
    bad.send("quit");
    bad.ask("startpos", "go");
    bad.close_input();
    assert!(bad.is_silent_for(SHORT));
    assert!(bad.is_alive());
}

#[test]
fn streams_are_given_up() {
    let mut agent = ready("--fault close-stdout --mark closes-stdout");
    agent.send("go");
    agent.send("isready");
    assert!(agent.is_silent_for(SHORT));
    assert!(agent.is_alive());

    let mut agent = ready("--fault close-stdin --mark closes-stdin");
    agent.send("go");
    assert!(agent.is_silent_for(SHORT));
    assert!(agent.is_alive());
}

#[test]
fn floods_that_end_in_an_answer() {
    for kind in ["flood-lines-answer", "flood-stderr", "alarm", "huge-line", "wrong-info"] {
        let mut agent = ready(&format!("--fault {kind}"));
        assert_eq!(agent.ask("startpos", "go").len(), 4, "{kind}");
    }
}

#[test]
fn drip_never_answers() {
    let mut agent = ready("--fault drip");
    agent.send("go");
    for _ in 0..3 {
        assert!(agent.read_until("info").len() == 1);
    }
    agent.send("quit");
    assert!(agent.wait().success());
}

#[test]
fn handshakes() {
    for kind in ["evil-name", "garbage-start", "speaks-early", "crlf", "never-read"] {
        ready(&format!("--fault {kind}"));
    }
    let mut slow = start("--fault slow-uciok --ms 120");
    slow.send("uci");
    slow.read_until("id author");
    assert!(slow.is_silent_for(SHORT));
    slow.read_until("uciok");

    let mut never = start("--fault no-uciok");
    never.send("uci");
    never.read_until("id author");
    assert!(never.is_silent_for(SHORT));

    let mut unready = start("--fault no-readyok");
    unready.send("isready");
    assert!(unready.is_silent_for(SHORT));

    let mut later = ready("--fault no-readyok-at-newgame");
    later.send("ucinewgame");
    later.send("isready");
    assert!(later.is_silent_for(SHORT));
}

/// The processes whose command line holds the mark, but not the agent itself. One that is only being started has no command line yet:
/// it is waited for.
fn left_behind(mark: &str) -> Vec<String> {
    let given_up = Instant::now() + LONG;
    loop {
        let found = lingering(mark);
        if !found.is_empty() || Instant::now() > given_up {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn lingering(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("a list of processes");
    processes
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|id| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains("--linger") && line.contains(mark)
        })
        .collect()
}

fn end(process: &str) {
    let ended = Command::new("kill").args(["-KILL", process]).status();
    assert!(ended.expect("kill runs").success());
}

#[test]
fn processes_are_left_behind() {
    for (kind, holds_output) in [("fork-setsid", false), ("fork-keep-stdout", true)] {
        let mark = format!("{kind}-{}", std::process::id());
        let mut agent = ready(&format!("--fault {kind} --mark {mark}"));
        agent.ask("startpos", "go");
        agent.send("quit");
        assert!(agent.wait().success());
        let time = if holds_output { SHORT } else { LONG };
        assert_ne!(agent.is_output_closed_within(time), holds_output, "{kind}");

        let found = left_behind(&mark);
        found.iter().for_each(|process| end(process));
        assert_eq!(found.len(), 1, "{kind}");
    }
}
