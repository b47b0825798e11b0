//! `swissmatch check` in an event: what it asks is what the event asks, under the event's clock, and entries are not started for each step.

use serde_json::Value;

use crate::support::Place;

/// Asked once a move; it writes down when it was started, and every question.
const ASKED: &str = "import json, sys, time
log = open(sys.argv[1], 'a')
time.sleep(0.5)
log.write('start\\n')
log.flush()
sys.path.insert(0, sys.argv[2])
import rules
print('ready', flush=True)
played = set()
for line in sys.stdin:
    question = json.loads(line)
    log.write(line)
    log.flush()
    if sys.argv[3] == 'forgetful' and not question['moves'] and question['fen'] in played:
        sys.exit('it has played this already')
    played.add(question['fen'])
    if sys.argv[3] == 'slow' and not question['moves'] and question['fen'].startswith('rnbqkbnr/pppppppp/'):
        time.sleep(1.3)
    print(rules.legal(question['fen'])[0], flush=True)
";

fn steps(report: &Value) -> Vec<(&str, &str, &str)> {
    let steps = report["steps"].as_array().expect("steps");
    steps
        .iter()
        .map(|step| {
            let word = |key: &str| step[key].as_str().expect("text");
            (word("step"), word("status"), word("seen"))
        })
        .collect()
}

/// An event of one player, who is started anew for each game and is slow to start.
fn event(place: &Place, manner: &str) {
    place.write("asked.py", ASKED);
    let rules = crate::support::root().join("tests/data/season");
    place.write(
        "event.toml",
        &format!(
            "[game]\ntime_control = \"120+0.5\"\n[engine]\nisolation = \"off\"\nrestart = \"game\"\n[[player]]\nname = \"A\"\n\
             move_command = [\"python3\", \"asked.py\", \"{}\", \"{}\", \"{manner}\"]\nkeep_alive = true\nsays_ready = true\n",
            place.path("log").display(),
            rules.display()
        ),
    );
}

fn check(place: &Place, code: i32) -> Value {
    let ran = place.swissmatch(&["check", "--event", "event.toml", "--player", "A", "--json"]);
    ran.expect_code(code);
    serde_json::from_str(&ran.stdout()).expect("JSON")
}

#[test]
fn an_agent_is_asked_only_what_its_event_asks_and_one_process_plays_for_all_steps() {
    let place = Place::new();
    event(&place, "plain");
    let report = check(&place, 0);
    let steps = steps(&report);
    for step in ["stop", "determinism"] {
        assert!(
            steps.contains(&(step, "left-out", "it is asked once a move")),
            "{steps:?}"
        );
    }
    let at = |name: &str| steps.iter().find(|step| step.0 == name).expect("a step").2;
    assert_eq!(at("positions"), "a legal move in 18 of 18");
    assert!(at("time-keeping").starts_with("12 moves at 10+0.5: "), "{steps:?}");
    let log = place.read("log");
    // By itself, and at both seats of its games.
    assert_eq!(log.lines().filter(|line| *line == "start").count(), 3, "{log}");
    let questions: Vec<Value> = log
        .lines()
        .filter(|line| *line != "start")
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(questions.len() > 30, "{}", questions.len());
    for question in questions {
        assert!(question["movetime_ms"].is_null(), "{question}");
        assert!(
            question["time_left_ms"].as_u64().is_some_and(|left| left > 9_000),
            "{question}"
        );
        assert_eq!(
            question["variant"].as_str().unwrap_or("standard"),
            "standard",
            "{question}"
        );
    }
    let text = place.swissmatch(&["check", "--all", "event.toml"]);
    assert!(text.expect_code(0).stdout().contains("● green  A"), "{}", text.stdout());
    // Nothing else is done with an event of one.
    let ran = place.swissmatch(&["run", "event.toml"]);
    assert!(
        ran.expect_code(4)
            .stderr()
            .contains("an event needs at least 2 players, found 1"),
        "{}",
        ran.stderr()
    );
}

/// In its event it never meets a second game, so what it cannot do in one is not held against it.
#[test]
fn what_comes_of_games_before_is_tried_in_a_new_process() {
    let place = Place::new();
    event(&place, "forgetful");
    let report = check(&place, 0);
    assert_eq!(report["verdict"], "passed", "{report:#}");
    let starts = place.read("log").lines().filter(|line| *line == "start").count();
    assert!(starts > 3, "{starts}");
    let text = place
        .read("event.toml")
        .replace("restart = \"game\"", "restart = \"never\"");
    place.write("event.toml", &text);
    assert_eq!(check(&place, 1)["verdict"], "failed");
}

/// An agent is told a shorter time than its event gives, and judged by that of the event.
#[test]
fn what_only_the_shorter_clock_forbids_is_a_warning() {
    let place = Place::new();
    event(&place, "slow");
    let text = place.read("event.toml").replace("120+0.5", "4s/move");
    place.write("event.toml", &text);
    let report = check(&place, 0);
    let steps = steps(&report);
    let (_, status, seen) = *steps.iter().find(|step| step.0 == "time-keeping").expect("a step");
    assert_eq!(status, "warn", "{report:#}");
    assert!(
        seen.contains(" where it was told 1.0 s; the event has 3.0 s more (game.time_control)"),
        "{seen}"
    );
    assert!(place.read("log").contains("\"movetime_ms\":9"), "{}", place.read("log"));
}
