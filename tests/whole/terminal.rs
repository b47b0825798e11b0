//! What a run says where it cannot draw, and to programs.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::death::until;
use crate::support::{Place, engine, finish, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

fn event(place: &Place) {
    let agent = engine("greedy");
    let player = |name: &str| format!("[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\n");
    let text = format!(
        "[event]\nname = \"terminal\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 4\nopenings = \"none\"\n\
         [game]\nmax_moves = 2\nnodes = 20\n{}{}{}",
        player("A"),
        player("B"),
        player("C")
    );
    place.write("event.toml", &text);
}

/// `swissmatch ARGS` on a terminal of this kind, what it shows going to the file `shown`.
fn on_terminal(place: &Place, kind: Option<&str>, args: &str) -> Command {
    let program = place.command(&[]).get_program().to_string_lossy().into_owned();
    let mut command = Command::new(system_engine("script"));
    command.args(["-qefc", &format!("'{program}' {args}"), "shown"]);
    command.current_dir(place.path("")).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    match kind {
        Some(kind) => command.env("TERM", kind),
        None => command.env_remove("TERM"),
    };
    command
}

#[test]
fn a_terminal_that_cannot_draw_shows_lines() {
    for kind in [Some("dumb"), None] {
        let place = Place::new();
        event(&place);
        let child = on_terminal(&place, kind, "run event.toml --out run").spawn();
        let output = finish(child.expect("script starts"));
        let shown = place.read("shown");
        assert!(output.status.success(), "{shown}");
        for line in ["warning: ", "Round 1 of 1", "round 1 board 1: ", "Round 1 is over"] {
            assert!(shown.contains(line), "TERM={kind:?}: {line:?} in {shown}");
        }
    }
}

#[test]
fn a_terminal_that_cannot_draw_shows_the_pairing_that_waits() {
    let place = Place::new();
    event(&place);
    let child = on_terminal(&place, Some("dumb"), "run event.toml --out run --confirm-rounds").spawn();
    let child = child.expect("script starts");
    until("the pairing is shown", PATIENCE, || {
        let shown = std::fs::read_to_string(place.path("shown")).unwrap_or_default();
        shown
            .contains("it waits to be confirmed: `swissmatch arbiter confirm`")
            .then_some(())
    });
    let confirmed = place.swissmatch(&["arbiter", "confirm", "run", "--by", "A"]);
    confirmed.expect_code(0);
    let output = finish(child);
    assert!(output.status.success(), "{}", place.read("shown"));
}

/// What is told of an event in which an agent crashes in each of its games: the first faults one by one, then who has too many.
#[test]
fn faults_are_told_when_they_happen_and_judged_at_the_end() {
    let place = Place::new();
    let (agent, faulty) = (engine("greedy"), engine("fault-agent"));
    let text = format!(
        "preset = \"none\"\n[event]\nname = \"faults\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 8\nopenings = \"none\"\n\
         [game]\nmax_moves = 2\nnodes = 20\n[[player]]\nname = \"A\"\ncommand = \"{agent}\"\n\
         [[player]]\nname = \"Crasher\"\ncommand = \"{faulty}\"\nargs = [\"--fault\", \"abort\", \"--every\"]\n"
    );
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(3);
    let told = ran.stderr();
    let faults: Vec<&str> = told.lines().filter(|line| line.starts_with("  fault: ")).collect();
    assert_eq!(faults.len(), 6, "{told}");
    for line in &faults[..5] {
        let is_told = line.starts_with("  fault: Crasher lost 1.1.")
            && line.ends_with("(crash: its process was killed by signal 6)");
        assert!(is_told, "{line}");
    }
    assert_eq!(
        faults[5],
        "  fault: Crasher … and so on; `swissmatch status` counts them"
    );
    let too_many = "warning: Crasher lost 8 of its 8 games by a fault; run.max_faults allows 10%";
    assert!(told.lines().any(|line| line == too_many), "{told}");
    let after = told.split("Round 1 is over; A leads\n").nth(1).unwrap_or_default();
    assert!(after.starts_with("  1. A (1)\n  2. Crasher (0)\n"), "{told}");
    for (bound, code) in [("8", 0), ("none", 0), ("7", 3), ("100%", 0), ("99%", 3), ("101%", 4)] {
        let again = place.swissmatch(&["run", "event.toml", "--out", "run", "--max-faults", bound]);
        again.expect_code(code);
    }
    let json = place.swissmatch(&["run", "event.toml", "--out", "run", "--json"]);
    json.expect_code(3);
    assert!(json.stdout().contains("run.max_faults allows 10%"), "{}", json.stdout());
    let last = json.stdout().lines().last().map(str::to_owned).unwrap_or_default();
    let at_fault = r#"{"at_fault":[{"allowed":1,"games":8,"lost":8,"player":"Crasher"}],"#;
    assert!(last.starts_with(at_fault), "{last}");
    let quiet = place.swissmatch(&["run", "event.toml", "--out", "run", "--quiet"]);
    quiet.expect_code(3);
    assert_eq!(
        (quiet.stdout(), quiet.stderr()),
        (String::new(), too_many.replace("warning:", "swissmatch:") + "\n")
    );
    let anew = place.swissmatch(&["run", "event.toml", "--out", "run", "--fresh", "--json"]);
    anew.expect_code(3);
    let games = anew.stdout().matches(r#""type":"game-finished""#).count();
    let why = r#""faults":[{"player":"Crasher","why":"crash: its process was killed by signal 6"}]"#;
    assert_eq!((games, anew.stdout().matches(why).count()), (8, 8), "{}", anew.stdout());
}

#[test]
fn a_pause_is_told_when_it_begins_and_when_it_ends() {
    let place = Place::new();
    event(&place);
    let child = on_terminal(&place, Some("dumb"), "run event.toml --out run --confirm-rounds").spawn();
    let child = child.expect("script starts");
    let is_shown = |what: &str| {
        until(what, PATIENCE, || {
            let shown = std::fs::read_to_string(place.path("shown")).unwrap_or_default();
            shown.contains(what).then_some(())
        });
    };
    let act = |act: &str| {
        let acted = place.swissmatch(&["arbiter", act, "run", "--by", "A", "--reason", "a break"]);
        acted.expect_code(0);
    };
    is_shown("it waits to be confirmed");
    act("pause");
    is_shown("PAUSED: no game begins until `swissmatch arbiter resume`");
    act("resume");
    is_shown("the event goes on after a pause of ");
    act("confirm");
    let output = finish(child);
    assert!(output.status.success(), "{}", place.read("shown"));
}

#[test]
fn warnings_are_lines_of_json_too() {
    let place = Place::new();
    event(&place);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run", "--json"]);
    ran.expect_code(0);
    let lines: Vec<Value> = ran
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let warnings: Vec<&str> = lines
        .iter()
        .filter(|line| line["type"] == "warning" && line["schema"] == 1)
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert!(
        warnings.iter().any(|text| text.starts_with("mini_match.openings: ")),
        "{warnings:?}"
    );
    assert_eq!(ran.stderr(), "");
}

#[test]
fn typed_keys_are_not_shown_while_a_run_draws() {
    let place = Place::new();
    event(&place);
    let program = place.command(&[]).get_program().to_string_lossy().into_owned();
    let mut command = Command::new(system_engine("script"));
    let session = format!("printf before; read line; '{program}' run event.toml --out run --confirm-rounds; stty -a");
    command.args(["-qefc", &session, "shown"]).env("TERM", "xterm");
    command.current_dir(place.path("")).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("script starts");
    let mut keys = child.stdin.take().expect("a pipe");
    let mut types = |text: &str| keys.write_all(text.as_bytes()).expect("script reads");
    types("shown-before\n");
    let shows = |what: &str| {
        until(what, PATIENCE, || {
            let shown = std::fs::read_to_string(place.path("shown")).unwrap_or_default();
            shown.contains(what).then_some(())
        });
    };
    shows("it waits to be confirmed");
    types("not-shown-within\n");
    let confirmed = place.swissmatch(&["arbiter", "confirm", "run", "--by", "A"]);
    confirmed.expect_code(0);
    shows("Round 1 is over");
    let output = finish(child);
    let shown = place.read("shown");
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("shown-before"), "{shown}");
    assert!(!shown.contains("not-shown-within"), "{shown}");
    assert!(shown.contains(" echo "), "shown again afterwards: {shown}");
}
