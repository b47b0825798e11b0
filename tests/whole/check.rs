//! `swissmatch check AGENT`: real agents pass, faulty ones fail in the step that their fault belongs to, in bounded time, and
//! leave no process.

use std::time::Duration;

use serde_json::Value;

use crate::support::{Place, Ran, assert_gone, engine, junit_cases, system_engine};

/// Short limits, so that much can be tried; those of starting apart.
const QUICK: [&str; 12] = [
    "check",
    "--json",
    "--time-control",
    "50ms/move",
    "--set",
    "engine.start_limit=2s",
    "--set",
    "engine.ready_limit=2s",
    "--set",
    "engine.stop_grace=2s",
    "--set",
    // Other tests run on the same cores.
    "game.margin=2s",
];
/// No check here may take longer, whatever the agent does.
const BOUND: Duration = Duration::from_secs(90);

/// Checks an agent with its arguments; what the report says.
fn check(place: &Place, flags: &[&str], agent: &str, args: &[&str]) -> (Ran, Value) {
    let all = [&QUICK[..], flags, &[agent, "--"], args].concat();
    let ran = place.swissmatch(&all);
    let report = serde_json::from_str(&ran.stdout());
    let report = report.unwrap_or_else(|error| panic!("{error}\n{}\n{}", ran.stdout(), ran.stderr()));
    assert!(ran.took < BOUND, "{:?}", ran.took);
    (ran, report)
}

/// Each step with its status.
fn steps(report: &Value) -> Vec<(&str, &str)> {
    let steps = report["steps"].as_array().expect("steps");
    steps
        .iter()
        .map(|step| {
            (
                step["step"].as_str().expect("a name"),
                step["status"].as_str().expect("a status"),
            )
        })
        .collect()
}

fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    let steps = report["steps"].as_array().expect("steps");
    let found = steps.iter().find(|step| step["step"] == name);
    found.unwrap_or_else(|| panic!("no step {name}: {report:#}"))
}

/// A case for each step: of one that fails with what was seen, of those behind it that they were not reached.
#[test]
fn a_check_is_a_junit_report() {
    let place = Place::new();
    let (ran, report) = check(
        &place,
        &["--junit", "c.xml"],
        &engine("fault-agent"),
        &["--fault", "exit"],
    );
    ran.expect_code(1);
    let cases = junit_cases(&place, "c.xml");
    let said = |status: &str| match status {
        "fail" => "failure",
        "not-reached" => "skipped",
        _ => "passed",
    };
    let expected: Vec<(&str, &str)> = steps(&report)
        .into_iter()
        .map(|(name, status)| (name, said(status)))
        .collect();
    let found: Vec<(&str, &str)> = cases.iter().map(|case| (case[0].as_str(), case[1].as_str())).collect();
    assert_eq!(found, expected, "{report:#}");
    assert!(found.iter().any(|(_, end)| *end == "failure"), "{found:?}");
}

#[test]
fn a_bundled_agent_passes_every_step() {
    let place = Place::new();
    let (ran, report) = check(&place, &["--max-memory", "100000"], &engine("random-mover"), &[]);
    ran.expect_code(0);
    assert_eq!(report["verdict"], "passed", "{report:#}");
    let expected = [
        "handshake",
        "options",
        "is-ready",
        "stop",
        "quit",
        "positions",
        "time-keeping",
        "determinism",
        "self-play",
        "memory",
    ];
    assert_eq!(steps(&report), expected.map(|name| (name, "pass")));
    let said = |name: &str| step(&report, name)["seen"].as_str().expect("text").to_owned();
    assert_eq!(said("positions"), "a legal move in 21 of 21, Chess960 too");
    assert_eq!(said("determinism"), "8 searches of 2000 nodes, the same both times");
    assert!(said("memory").ends_with(" of 100000 MiB"), "{report:#}");
    assert_eq!(report["agent"]["files"].as_array().map(Vec::len), Some(1));
}

#[test]
fn stockfish_passes_with_an_option_of_its_own() {
    let place = Place::new();
    let stockfish = system_engine("stockfish");
    let (ran, report) = check(&place, &["--option", "Hash=8"], &stockfish, &[]);
    ran.expect_code(0);
    assert!(
        matches!(report["verdict"].as_str(), Some("passed" | "warned")),
        "{report:#}"
    );
    let options = step(&report, "options")["seen"].as_str().expect("text");
    assert!(options.contains(", 1 of the event set, Threads = 1 taken"), "{options}");
    assert!(
        report["id"]["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("Stockfish"))
    );

    let (ran, report) = check(&place, &["--option", "Hash=lots"], &stockfish, &[]);
    ran.expect_code(1);
    let options = &step(&report, "options")["seen"];
    assert!(
        options
            .as_str()
            .is_some_and(|seen| seen.contains("option `Hash` does not take `lots`")),
        "{options}"
    );
}

/// Whatever the fault, the check ends, names the step, and nothing is left.
#[track_caller]
fn check_fault(fault: &str, more: &[&str], failed: &str) {
    check_fault_with(fault, more, failed, &[]);
}

fn check_fault_with(fault: &str, more: &[&str], failed: &str, keys: &[&str]) {
    let place = Place::new();
    let mark = format!("check-{fault}-{}", std::process::id());
    let args = [&["--fault", fault, "--mark", &mark][..], more].concat();
    // Who is late is waited for; who never answers is not.
    let stop_grace = format!("engine.stop_grace={}", if fault == "sleep" { "2s" } else { "300ms" });
    let short = ["engine.quit_grace=300ms", "game.margin=100ms", &stop_grace];
    let short: Vec<&str> = short.iter().chain(keys).flat_map(|key| ["--set", key]).collect();
    let (ran, report) = check(&place, &short, &engine("fault-agent"), &args);
    ran.expect_code(1);
    assert_eq!(report["verdict"], "failed", "{fault}");
    let step = step(&report, failed);
    assert_eq!(step["status"], "fail", "{fault}: {report:#}");
    assert!(step["remedy"].is_string(), "{fault}: {step:#}");
    // What set the limit that was broken is named.
    let key = match fault {
        "no-uciok" => "(engine.start_limit)",
        "no-readyok-at-newgame" => "(engine.ready_limit)",
        "stall-hard" => "(engine.stop_grace)",
        "ignore-quit" => "(engine.quit_grace)",
        "flood-bytes" => "(engine.max_line)",
        "sleep" => "(eligibility.time_control)",
        _ => "",
    };
    assert!(
        step["seen"].as_str().is_some_and(|seen| seen.contains(key)),
        "{fault}: {step:#}"
    );
    assert_gone(&mark, Duration::from_secs(5));
}

#[test]
fn an_agent_that_does_not_get_ready_fails() {
    check_fault("no-uciok", &[], "handshake");
    check_fault("exit-at-start", &[], "handshake");
    check_fault("no-readyok-at-newgame", &[], "is-ready");
}

/// It takes an interrupted wait for the end of its input.
const BREAKS: &str = r#"import ctypes, os, struct
libc = ctypes.CDLL(None)
poll, event = libc.epoll_create1(0), struct.pack("<IQ", 1, 0)
libc.epoll_ctl(poll, 1, 0, event)
text = b""
while libc.epoll_wait(poll, ctypes.create_string_buffer(12), 1, -1) > 0:
    text += os.read(0, 4096)
    *lines, text = text.split(b"\n")
    for line in lines:
        answer = {b"uci": b"id name Breaks\nid author nobody\nuciok\n", b"isready": b"readyok\n", b"stop": b"bestmove e2e4\n"}
        os.write(1, answer.get(line, b""))
        if line == b"quit":
            os._exit(0)
"#;

#[test]
fn an_agent_that_breaks_where_it_is_stopped_fails_where_it_will_be() {
    let place = Place::new();
    let script = place.write("breaks.py", BREAKS).display().to_string();
    let (ran, report) = check(&place, &["--set", "game.freeze=true"], "python3", &[&script]);
    ran.expect_code(1);
    let step = step(&report, "is-ready");
    assert_eq!(step["status"], "fail", "{report:#}");
    let remedy = step["remedy"].as_str().expect("a remedy");
    assert!(remedy.contains("game.freeze"), "{remedy}");
}

#[test]
fn an_agent_that_does_not_stop_or_quit_fails() {
    check_fault("stall-hard", &[], "stop");
    check_fault("ignore-quit", &[], "quit");
}

#[test]
fn an_agent_that_floods_fails() {
    check_fault("flood-lines", &[], "stop");
    check_fault("flood-bytes", &["--every"], "is-ready");
}

#[test]
fn an_agent_that_leaves_processes_behind_fails() {
    // In namespaces of its own nothing outlives it.
    check_fault_with("fork-setsid", &["--every"], "quit", &["engine.isolation=off"]);
}

#[test]
fn an_agent_that_gives_no_legal_move_fails() {
    check_fault("illegal", &["--every"], "positions");
    check_fault("malformed", &["--every"], "stop");
}

#[test]
fn an_agent_that_dies_or_is_late_fails() {
    check_fault("abort", &["--at", "3"], "self-play");
    check_fault("sleep", &["--ms", "1200"], "time-keeping");
}

/// A handshake that fails leaves nothing to try, and the report says so.
#[test]
fn what_was_not_reached_is_said() {
    let place = Place::new();
    let (_, report) = check(&place, &[], &engine("fault-agent"), &["--fault", "exit-at-start"]);
    let found = steps(&report);
    assert_eq!(found[0], ("handshake", "fail"));
    assert!(
        found[1..].iter().all(|(_, status)| *status == "not-reached"),
        "{found:?}"
    );
    assert_eq!(step(&report, "stop")["seen"], "not tried, as handshake failed");
}

#[test]
fn the_report_is_readable_and_harmless() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let args = [
        "check",
        "--time-control",
        "50ms/move",
        "--set",
        "game.margin=2s",
        "--output",
        "report.txt",
        &agent,
        "--",
        "--fault",
        "evil-name",
    ];
    place.swissmatch(&args);
    let text = place.read("report.txt");
    assert!(text.contains("✓ pass"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    let columns: Vec<&str> = text
        .lines()
        .find(|line| line.contains("Step"))
        .expect("a table")
        .split_whitespace()
        .collect();
    assert_eq!(columns, ["Step", "Time", "Seen"]);
}

#[test]
fn memory_beyond_the_bound_fails() {
    let place = Place::new();
    let (ran, report) = check(&place, &["--max-memory", "1"], &engine("alphabeta"), &[]);
    ran.expect_code(1);
    let memory = step(&report, "memory");
    assert_eq!(memory["status"], "fail", "{report:#}");
    assert!(
        memory["seen"]
            .as_str()
            .is_some_and(|seen| seen.ends_with("more than 1 MiB (--max-memory)"))
    );
}

#[test]
fn a_mini_match_against_a_baseline_decides_by_its_share() {
    let place = Place::new();
    let (strong, weak) = (engine("alphabeta"), engine("random-mover"));
    let terms = |share: &'static str| ["--games", "4", "--score", share];
    let (ran, report) = check(
        &place,
        &[&["--against", &weak][..], &terms("0.75")].concat(),
        &strong,
        &[],
    );
    ran.expect_code(0);
    assert_eq!(report["points"], 4, "{report:#}");
    assert_eq!(report["required"], 3);
    assert_eq!(step(&report, "qualification")["status"], "pass");

    let (ran, report) = check(
        &place,
        &[&["--against", &strong][..], &terms("0.125")].concat(),
        &weak,
        &[],
    );
    ran.expect_code(1);
    assert_eq!(report["required"], 0.5);
    let step = step(&report, "qualification");
    assert_eq!(step["status"], "fail", "{report:#}");
    assert!(
        step["seen"]
            .as_str()
            .is_some_and(|seen| seen.starts_with("0 of 4 points")),
        "{step:#}"
    );
}

/// The baseline's fault is nobody's who is checked.
#[test]
fn a_baseline_that_does_not_start_decides_nothing() {
    let place = Place::new();
    let baseline = format!(
        "eligibility.baseline={{ command = \"{}\", args = [\"--fault\", \"exit-at-start\"] }}",
        engine("fault-agent")
    );
    let (ran, report) = check(&place, &["--set", &baseline, "--games", "2"], &engine("greedy"), &[]);
    ran.expect_code(2);
    assert_eq!(report["verdict"], "inconclusive", "{report:#}");
    assert!(
        report["trouble"]
            .as_str()
            .is_some_and(|why| why.contains("the baseline does not start"))
    );
}

#[test]
fn wrong_usage_is_refused() {
    let place = Place::new();
    place.write("event.toml", "");
    for (args, expected) in [
        (&["check"][..], "AGENT"),
        (&["check", "nowhere-to-be-found"], "was found neither"),
        (
            &["check", "event.toml"],
            "swissmatch: event.toml is an event file, not an agent; `swissmatch check --all event.toml` checks its players",
        ),
        (
            &["check", "stockfish", "--games", "4"],
            "there are no games to qualify in",
        ),
        (&["check", "stockfish", "--option", "Hash"], "write NAME=VALUE"),
        (&["check", "stockfish", "--all", "event.toml"], "cannot be used with"),
        (
            &["check", "stockfish", "--against", "random-mover", "--score", "2"],
            "a share of the points from 0 to 1",
        ),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(expected), "{args:?}: {}", ran.stderr());
    }
}
