//! Agents that use more than their limit: each limit by an agent that goes over it. The game is lost with a termination of its own,
//! and with figures; below the limit the same agent plays on.

use super::door::{Agent, Ends, Event, SHORT, check, check_agent};
use crate::support::{Guest, Place, say_what_is_missing};

/// Time for the keeper to look on a busy machine.
const LONG: &str = "game.time_control=20s/move";

/// The record and the evidence of each game have the figures; whoever reads the account of a game gets them in words.
#[track_caller]
fn has_figures(event: &Event, resource: &str, key: &str) {
    for game in event.of_faulty() {
        let overuse = &game.record["engine_end"]["over-limit"];
        assert_eq!(overuse["resource"], resource, "{:#}", game.record);
        assert!(overuse["used"].as_u64() > overuse["limit"].as_u64(), "{overuse:#}");
        assert_eq!(game.line["resource"], resource, "{:#}", game.line);
        let evidence = event.evidence(game).expect("evidence");
        let account = event.place.swissmatch(&["explain", "game", &game.id(), "run"]);
        account.expect_code(0);
        for told in [evidence, account.stdout()] {
            let has_both = |line: &str| line.contains(key) && line.contains("over its limit of");
            assert!(told.lines().any(has_both), "{key}: {told}");
        }
    }
}

#[track_caller]
fn goes_over(flags: &str, limit: &str, resource: &str, key: &str) {
    let process = format!("over-limit {resource}");
    let ends = Ends::over_limit(&process);
    has_figures(&check(flags, &[LONG, limit], ends), resource, key);
}

#[test]
fn memory() {
    let take = "--fault take-memory --at 2";
    goes_over(take, "engine.max_memory=200", "memory", "engine.max_memory");
    check(take, &[LONG, "engine.max_memory=600"], Ends::UNHARMED);
}

/// The same where the agent is not isolated.
#[test]
fn memory_at_large() {
    let ends = Ends::over_limit("over-limit memory");
    let agent = |place: &Place| Agent::at_large(place, "--fault take-memory --at 2");
    check_agent(agent, &[LONG, "engine.max_memory=200"], ends);
}

#[test]
fn memory_that_is_not_mapped() {
    let take = "--fault take-unmapped --at 2";
    goes_over(take, "engine.max_memory=200", "memory", "engine.max_memory");
    check(take, &[LONG, "engine.max_memory=600"], Ends::UNHARMED);
}

/// What the kernel shows nobody as a process's own, the same without isolation.
#[test]
fn memory_that_is_not_seen_in_a_process() {
    for take in [
        "--fault take-shared --at 2",
        "--fault take-tables --at 2",
        "--fault take-sockets --at 2",
    ] {
        goes_over(take, "engine.max_memory=200", "memory", "engine.max_memory");
        let agent = |place: &Place| Agent::at_large(place, take);
        let ends = Ends::over_limit("over-limit memory");
        check_agent(agent, &[LONG, "engine.max_memory=200"], ends);
    }
    check(
        "--fault take-shared --at 2",
        &[LONG, "engine.max_memory=600"],
        Ends::UNHARMED,
    );
    check(
        "--fault take-tables --at 2",
        &[LONG, "engine.max_memory=600"],
        Ends::UNHARMED,
    );
    check(
        "--fault take-sockets --at 2",
        &[LONG, "engine.max_memory=600"],
        Ends::UNHARMED,
    );
}

/// What the kernel notes for a process, and what it may hold for it.
#[test]
fn memory_of_the_kernel() {
    for take in ["--fault take-pipes --at 2", "--fault take-watches --at 2"] {
        goes_over(take, "engine.max_memory=80", "memory", "engine.max_memory");
        check(take, &[LONG, "engine.max_memory=600"], Ends::UNHARMED);
    }
}

/// Names take memory, too.
#[test]
fn memory_of_files_without_content() {
    if let Some(why) = why_no_namespaces() {
        return say_what_is_missing(&why);
    }
    let take = "--fault take-names --at 2";
    goes_over(take, "engine.max_memory=40", "memory", "engine.max_memory");
    check(take, &[LONG, "engine.max_memory=600"], Ends::UNHARMED);
}

/// Why agents have no places in memory of their own here.
fn why_no_namespaces() -> Option<String> {
    let doctor = Place::new().swissmatch(&["doctor", "--json"]).stdout();
    let found: serde_json::Value = serde_json::from_str(&doctor).expect("JSON");
    found["means"]["why_no_namespaces"].as_str().map(str::to_owned)
}

/// What lies in a file system in memory that the agent has for itself.
#[test]
fn memory_in_a_place_of_its_own() {
    let script = "head -c 240000000 /dev/zero > /tmp/taken 2> /dev/null && sleep 2; exec \"$0\"";
    let agent = |place: &Place| Agent {
        command: "/bin/sh".to_owned(),
        args: vec!["-c".to_owned(), script.to_owned(), Agent::fault(place, "").command],
        more: String::new(),
    };
    if let Some(why) = why_no_namespaces() {
        return say_what_is_missing(&why);
    }
    let event = check_agent(agent, &[LONG, "engine.max_memory=150"], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(
        said.contains("of memory, over its limit of 150.0 MiB (engine.max_memory)"),
        "{said}"
    );
}

/// Whoever is not root cannot look at a process that asks for that: an isolated one asks for nothing, another is ended.
#[test]
fn who_hides_hides_nothing() {
    let take = "--fault take-hidden --at 2";
    goes_over(take, "engine.max_memory=200", "memory", "engine.max_memory");
    let Some(guest) = Guest::new(&["fault-agent"]) else {
        return;
    };
    let player =
        |name: &str, args: &str| format!("[[player]]\nname = {name:?}\ncommand = \"fault-agent\"\nargs = [{args}]\n");
    let hides = player("Hides", r#""--fault", "take-hidden", "--at", "2""#);
    guest.place.write(
        "event.toml",
        &format!(
            "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\ntime_control = \"20s/move\"\nmax_plies = 12\n\
             [engine]\nmax_memory = 200\n[run]\nmax_faults = \"none\"\n{hides}{}",
            player("Honest", "")
        ),
    );
    guest.give(&["event.toml"]);
    for (isolation, resource) in [("guarded", "memory"), ("off", "unseen")] {
        let ran = guest.swissmatch(
            &[],
            &[
                "run",
                "event.toml",
                "--json",
                "--out",
                isolation,
                "--isolation",
                isolation,
            ],
        );
        ran.expect_code(0);
        let ended = format!("\"resource\":{resource:?}");
        assert_eq!(ran.stdout().matches(&ended).count(), 2, "{isolation}: {}", ran.stdout());
    }
}

#[test]
fn processes_and_threads() {
    let take = "--fault take-threads --at 2";
    goes_over(take, "engine.max_processes=100", "processes", "engine.max_processes");
    check(take, &[LONG, "engine.max_processes=400"], Ends::UNHARMED);
}

#[test]
fn disk() {
    let take = "--fault take-disk --at 2";
    goes_over(take, "engine.max_disk=100", "disk", "engine.max_disk");
    check(take, &[LONG, "engine.max_disk=1000"], Ends::UNHARMED);
}

/// Neither a name nor a count of its own process shows what it holds.
#[test]
fn disk_without_a_name() {
    let agent = |place: &Place| {
        let Agent { command, args, more } = Agent::fault(place, "--fault take-disk-unnamed --at 2");
        let words = ["--ignore-signal=CHLD".to_owned(), command];
        Agent {
            command: "env".to_owned(),
            args: words.into_iter().chain(args).collect(),
            more,
        }
    };
    let over = check_agent(
        agent,
        &[LONG, "engine.max_disk=100"],
        Ends::over_limit("over-limit disk"),
    );
    has_figures(&over, "disk", "engine.max_disk");
    check_agent(agent, &[LONG, "engine.max_disk=1000"], Ends::UNHARMED);
}

/// An isolated agent is not given it, and whoever has not written is not ended; the kernel gives nobody a file above the limit.
#[test]
fn disk_at_once() {
    let take = "--fault take-disk-at-once --at 2";
    check(take, &[LONG, "engine.max_disk=100"], Ends::UNHARMED);
    let at_large = |place: &Place| Agent::at_large(place, take);
    let over = check_agent(
        at_large,
        &[LONG, "engine.max_disk=100"],
        Ends::over_limit("over-limit disk"),
    );
    has_figures(&over, "disk", "engine.max_disk");
}

#[test]
fn output() {
    let much = "--fault flood-lines-answer --at 2";
    goes_over(much, "engine.max_output=2048", "output", "engine.max_output");
    check(much, &[LONG, "engine.max_output=100000"], Ends::UNHARMED);
}

#[test]
fn a_line() {
    goes_over(
        "--fault huge-line --at 2",
        "engine.max_line=1024",
        "line",
        "engine.max_line",
    );
}

#[test]
fn standard_error() {
    let much = "--fault flood-stderr --at 2";
    goes_over(much, "engine.max_stderr=1000", "standard-error", "engine.max_stderr");
    check(much, &[LONG, "engine.max_stderr=1000000"], Ends::UNHARMED);
}

#[test]
fn options() {
    let many = "--fault many-options";
    let event = check(many, &[SHORT], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(
        said.contains("declared 1001 UCI options or more, over its limit of 1000 (engine.max_options)"),
        "{said}"
    );
    check(many, &["engine.max_options=2000"], Ends::UNHARMED);
}

/// Fewer than there may be, which say much.
#[test]
fn an_introduction() {
    let long = "--fault garbage-start";
    let event = check(long, &[SHORT, "engine.max_options=100000"], Ends::NoShow);
    let said = event.ran.stderr();
    let told = " bytes or more, over its limit of 65536 bytes (engine.max_introduction)";
    assert!(
        said.contains("sent an introduction of ") && said.contains(told),
        "{said}"
    );
    check(
        long,
        &["engine.max_options=100000", "engine.max_introduction=2048"],
        Ends::UNHARMED,
    );
}
