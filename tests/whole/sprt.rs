//! Matches that a test ends: killed and resumed on the way, with another number of games at once, the verdict is the same, and
//! `verify` derives it again.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, games_in_log, send, until};
use crate::support::{Place, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// Two settings of one engine that plays the same each time. Its two players have these nodes.
fn event(nodes: [u32; 2], sprt: &str) -> String {
    let stockfish = system_engine("stockfish");
    let mut text = format!(
        "preset = \"none\"\n[event]\nname = \"test\"\n[swiss]\nrounds = \"RR\"\nseeding = \"listed\"\n[mini_match]\ngames = 400\n\
         [game]\ntime_control = \"nodes=1000\"\n[engine]\nisolation = \"off\"\noptions = {{ Hash = 4 }}\n[run]\noversubscribe = true\n\
         [sprt]\n{sprt}\n"
    );
    for (name, nodes) in ["New", "Old"].into_iter().zip(nodes) {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{stockfish}\"\nnodes = {nodes}\n");
    }
    text
}

/// The verdict as `run --json` gives it.
fn verdict(lines: &str) -> serde_json::Value {
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut decided = lines.filter(|line: &serde_json::Value| line["type"] == "sprt-decided");
    let mut verdict = decided.next().expect("a verdict");
    assert_eq!(decided.next(), None);
    verdict.as_object_mut().expect("an object").remove("schema");
    verdict
}

/// Played at once, and with two games at once, killed and resumed on the way: the same verdict, derived again by `verify`.
fn ends_by(nodes: [u32; 2], sprt: &str, hypothesis: &str, code: i32) {
    let place = Place::new();
    place.write("event.toml", &event(nodes, sprt));
    let whole = place.swissmatch(&["run", "event.toml", "--out", "whole", "--concurrency", "1", "--json"]);
    whole.expect_code(code);
    let expected = verdict(&whole.stdout());
    assert_eq!(expected["verdict"], hypothesis);

    let args = ["run", "event.toml", "--out", "run", "--concurrency", "2", "--json"];
    let mut running = Background::start(&place, &args);
    until("some games", PATIENCE, || {
        (games_in_log(&place, "run") >= 4).then_some(())
    });
    send(running.player(), Signal::KILL);
    let before = running.end(PATIENCE).code();
    let resumed = place.swissmatch(&args);
    resumed.expect_code(code);
    // Where the match was over before it could be killed, what was said then counts.
    let said = match before {
        Some(130) => resumed.stdout(),
        _ => place.read("said"),
    };
    assert_eq!(verdict(&said), expected);

    for run in ["whole", "run"] {
        let verified = place.swissmatch(&["verify", run]);
        verified.expect_code(0);
        let stdout = verified.stdout();
        assert!(stdout.contains("test             1 verdict"), "{stdout}");
    }
    // It is over: nothing is played any more, and the exit code is the same.
    let games = games_in_log(&place, "run");
    assert!(games < 400, "{games}");
    place
        .swissmatch(&["run", "event.toml", "--out", "run"])
        .expect_code(code);
    assert_eq!(games_in_log(&place, "run"), games);
    let replay = ["arbiter", "replay", "1.1.1", "run", "--by", "A", "--reason", "why not"];
    let refused = place.swissmatch(&replay);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("no game begins any more"),
        "{}",
        refused.stderr()
    );
}

#[test]
fn h1_ends_a_match() {
    ends_by([1500, 250], "elo0 = 0\nelo1 = 100", "H1", 0);
}

#[test]
fn h0_ends_a_match() {
    ends_by([250, 400], "elo0 = 0\nelo1 = 150", "H0", 1);
}

#[test]
fn a_match_that_is_played_to_its_end_has_no_verdict() {
    let place = Place::new();
    let text = event([300, 300], "elo0 = 0\nelo1 = 1").replace("games = 400", "games = 4");
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(2);
    assert!(
        ran.stdout().contains("test of [0, 1] in normalized Elo: LLR "),
        "{}",
        ran.stdout()
    );
    assert!(ran.stdout().contains(" % of the way"), "{}", ran.stdout());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
