//! How submissions are tried: how often, in which order, and by which rules.

use super::{archive, event, good, listed, own, submit};
use crate::death::until;
use crate::support::{Place, finish};

/// Whoever is refused may not be tried without end, and one that hangs is given up when its time to start is over.
#[test]
fn tries_of_a_day_are_bounded_and_one_that_hangs_counts() {
    let place = Place::new();
    let text = event("get-move", "per_day = 1").replace("start_limit = \"20s\"", "start_limit = \"1s\"");
    place.write("season.toml", &text);
    archive(&place, "hangs.zip", &[("agent.py", b"import time\ntime.sleep(100)\n")]);
    let hangs = submit(&place, "hangs.zip", "A");
    let said = hangs.expect_code(1).stdout();
    assert!(said.contains("(engine.start_limit)"), "{said}");
    archive(&place, "empty.zip", &[("other.py", b"")]);
    for _ in 0..4 {
        let refused = submit(&place, "empty.zip", "A");
        assert!(refused.expect_code(1).stdout().contains("it has no agent.py"));
    }
    let often = submit(&place, "empty.zip", "A");
    let said = often.expect_code(1).stderr();
    assert!(
        said.contains("A has had 5 tried on this day, refused ones among them, and may have 5 tried"),
        "{said}"
    );
    assert_eq!(listed(&place).len(), 5);
}

/// Who comes first is tried first.
#[test]
fn they_are_tried_in_the_order_in_which_they_came() {
    let place = Place::new();
    place.write("season.toml", &event("get-move", "per_day = \"none\""));
    let log = || std::fs::read_to_string(place.path("results/season/submissions/log.jsonl")).unwrap_or_default();
    let mut running = Vec::new();
    for number in 1..=5_usize {
        let pause = if number == 1 { 1.5 } else { 0.1 };
        let file = format!("{number}.zip");
        good(
            &place,
            &file,
            &format!("import time\ntime.sleep({pause})\n# {number}\n"),
        );
        let mut command = place.command(&["submit", &file, "--as", "A", "--event", "season.toml"]);
        running.push(command.spawn().expect("it starts"));
        let has_come = || (log().matches("received").count() == number).then_some(());
        until("it has come", std::time::Duration::from_secs(30), has_come);
    }
    for ran in running.into_iter().map(finish) {
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let judged: Vec<u64> = log()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .filter_map(|line| line["judged"]["number"].as_u64())
        .collect();
    assert_eq!(judged, [1, 2, 3, 4, 5]);
}

/// An entry that the rules would ask again is asked again when it is tried.
#[test]
fn a_trial_has_the_attempts_of_the_event() {
    let place = Place::new();
    let agent = "import rules\nasked = 0\ndef get_move(fen, time_left_ms):\n    global asked\n    asked += 1\n    \
                 return 'e2e5' if asked == 2 else rules.legal(fen)[0]\n";
    let rules = own("rules.py");
    archive(
        &place,
        "a.zip",
        &[("agent.py", agent.as_bytes()), ("rules.py", rules.as_bytes())],
    );
    for (attempts, code, expected) in [
        (
            1,
            1,
            "Refused: with White, after 2 plies, it said e2e5, which is not legal",
        ),
        (2, 0, "  after 2 plies it said e2e5, which is not legal"),
    ] {
        let keys = format!("[game]\nillegal_attempts = {attempts}\n");
        place.write("season.toml", &event("get-move", "").replace("[game]\n", &keys));
        let tried = place.swissmatch(&["try", "a.zip", "--event", "season.toml"]);
        let said = tried.expect_code(code).stdout();
        assert!(said.contains(expected), "{expected}: {said}");
    }
    archive(
        &place,
        "slow.zip",
        &[(
            "agent.py",
            b"import time\ndef get_move(fen, time_left_ms):\n    time.sleep(0.4)\n",
        )],
    );
    place.write("season.toml", &event("get-move", "").replace("10+0.1", "0.2s/move"));
    let tried = place.swissmatch(&["try", "slow.zip", "--event", "season.toml"]);
    let said = tried.expect_code(1).stdout();
    assert!(said.contains("(game.time_control); it had 200.0 ms"), "{said}");
}
