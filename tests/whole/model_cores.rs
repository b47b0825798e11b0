//! Language models and web services need no core: how many of their games are played beside those of engines.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::adapters::{Request, first_legal, response, service};
use crate::death::{Background, send, until};
use crate::support::{Place, Ran, finish};

/// Calls that are open at the service, and the most that ever were.
static OPEN: Mutex<(usize, usize)> = Mutex::new((0, 0));
static MORE: Condvar = Condvar::new();
static ANSWERED: AtomicUsize = AtomicUsize::new(0);

/// As many as there are games beside cores.
const BESIDE: usize = 4;

/// A legal move. The first calls are answered when as many are open as are expected at once, or after long enough to see that they are not.
fn plays(_: usize, request: &Request) -> Option<String> {
    let legal = first_legal(request)?;
    let mut open = OPEN.lock().expect("a count");
    open.0 += 1;
    open.1 = open.1.max(open.0);
    MORE.notify_all();
    if ANSWERED.load(Ordering::SeqCst) == 0 {
        let waited = MORE.wait_timeout_while(open, Duration::from_secs(20), |open| open.1 < BESIDE);
        open = waited.expect("a count").0;
    }
    ANSWERED.fetch_add(1, Ordering::SeqCst);
    open.0 -= 1;
    drop(open);
    let body = json!({
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": format!("<uci_move>{legal}</uci_move>")}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    });
    Some(response(
        "200 OK",
        "content-type: application/json\r\n",
        &body.to_string(),
    ))
}

/// Four models, of which each meets another in round 1, and two engines, which meet each other; all at one core.
fn event(place: &Place, url: &str) {
    place.write("move.jinja", "{{ FEN }}\nLegal: {{ legal_moves_uci }}\n");
    let mut text = format!(
        "event.name = \"beside\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
         game.time_control = \"60s/move\"\nmodel.prompt = \"move.jinja\"\nengine.isolation = \"off\"\n\
         [endpoint.local]\nurl = \"{url}/v1\"\nstream = false\nat_once = {at_once}\n",
        at_once = 2 * BESIDE
    );
    for (number, player) in ["m", "m", "e", "m", "m", "e"].iter().enumerate() {
        let plays = match *player {
            "m" => "model = \"local:m\"",
            _ => "command = \"greedy\"",
        };
        text += &format!(
            "[[player]]\nname = \"P{number}\"\n{plays}\nsubmitted_at = 2026-01-0{}T00:00:00Z\n",
            number + 1
        );
    }
    place.write("event.toml", &text);
}

/// `swissmatch ARGS…`, which may use one processor.
fn on_one_processor(place: &Place, args: &[&str]) -> Ran {
    let swissmatch = place.command(args);
    let mut command = std::process::Command::new("taskset");
    command
        .args(["--cpu-list", &first_processor()])
        .arg(swissmatch.get_program());
    command.args(swissmatch.get_args()).current_dir(place.path(""));
    command.stdin(std::process::Stdio::null()).env("TMPDIR", place.path(""));
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    Ran {
        output: finish(command.spawn().expect("taskset starts")),
        took: Duration::ZERO,
    }
}

/// The first processor that this test may use.
fn first_processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let first = list.and_then(|list| list.trim().split([',', '-']).next());
    first.expect("it may use one").to_owned()
}

#[test]
fn games_of_models_are_played_beside_those_of_engines_on_however_few_cores() {
    let (url, _told) = service(plays);
    let place = Place::new();
    event(&place, &url);
    let plan = on_one_processor(&place, &["plan", "event.toml", "--events", "10"]);
    plan.expect_code(0);
    let said = "6, 2 a mini-match, 1 at once on cores, and 4 of models beside them";
    assert!(plan.stdout().contains(said), "{}", plan.stdout());
    let plan = on_one_processor(&place, &["plan", "event.toml", "--events", "10", "--json"]);
    let plan: Value = serde_json::from_str(&plan.stdout()).expect("JSON");
    assert_eq!((&plan["games_at_once"], &plan["games_beside"]), (&json!(5), &json!(4)));

    let ran = on_one_processor(&place, &["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    let said = "6, 1 at once on cores, and 4 of models beside them";
    assert!(ran.stderr().contains(said), "{}", ran.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let most = OPEN.lock().expect("a count").1;
    assert_eq!(most, BESIDE, "each game has a call open at a time");
    let manifest: Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
    let seating = &manifest["seating"];
    assert_eq!(
        (&seating["games_at_once"], &seating["games_beside"]),
        (&json!(5), &json!(4))
    );
    assert_eq!(
        seating["cpus_of_each_game"].as_array().map(Vec::len),
        Some(1),
        "{seating}"
    );
    // A number counts all games.
    let place = Place::new();
    event(&place, &url);
    let args = ["run", "event.toml", "--out", "run", "--concurrency", "1"];
    let one = on_one_processor(&place, &args);
    one.expect_code(0);
    assert!(
        one.stderr().contains("Games         6, 1 at once\n"),
        "{}",
        one.stderr()
    );
    let manifest: Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
    assert_eq!(manifest["seating"]["games_at_once"], 1);
}

/// A late entry that is a model plays whether or not there were games beside the cores when the run began, in the runner that it joins and
/// in the next; and a late engine has its core.
#[test]
fn late_entries_play_where_games_of_models_have_slots_beside_the_cores() {
    let (url, _told) = service(|_, request| crate::models::plays(request));
    for (models, is_running) in [(1, true), (1, false), (3, true), (3, false)] {
        let place = Place::new();
        place.write("move.jinja", "{{ FEN }}\nLegal: {{ legal_moves_uci }}\n");
        let mut text = format!(
            "event.name = \"late\"\nswiss.rounds = 3\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             game.time_control = \"60s/move\"\nmodel.prompt = \"move.jinja\"\nengine.isolation = \"off\"\n\
             [endpoint.local]\nurl = \"{url}/v1\"\nstream = false\n"
        );
        for number in 1..=4 {
            let plays = if number <= models {
                "model = \"local:m\""
            } else {
                "command = \"greedy\""
            };
            text += &format!("[[player]]\nname = \"P{number}\"\n{plays}\n");
        }
        place.write("event.toml", &text);
        std::fs::create_dir(place.path("late")).expect("a directory");
        place.write("late/move.jinja", "Position: {{ FEN }}\nLegal: {{ legal_moves_uci }}\n");
        place.write(
            "late/model.toml",
            "[[player]]\nname = \"Late\"\nmodel = \"local:late\"\nprompt = \"move.jinja\"\n",
        );
        place.write(
            "late/engine.toml",
            "[[player]]\nname = \"Engine\"\ncommand = \"greedy\"\n",
        );
        let patience = Duration::from_secs(60);
        let act = |words: &[&str]| {
            let signed = ["--by", "Ann", "--reason", "why"];
            place.swissmatch(&[&["arbiter"], words, &["run"], &signed].concat())
        };
        let mut run = Background::start(&place, &["run", "event.toml", "--out", "run", "--confirm-rounds"]);
        until("the first pairing", patience, || {
            let pairing = place.swissmatch(&["arbiter", "pairing", "run"]);
            (pairing.output.status.code() == Some(0)).then_some(())
        });
        for file in ["late/model.toml", "late/engine.toml"] {
            act(&["enter", file, "--overrule"]).expect_code(0);
        }
        if is_running {
            for _ in 0..3 {
                until("a pairing to confirm", patience, || {
                    (act(&["confirm"]).output.status.code() == Some(0)).then_some(())
                });
            }
            assert_eq!(run.end(patience).code(), Some(0), "{}", place.read("complained"));
        } else {
            send(run.guard(), Signal::TERM);
            run.end(patience);
            place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
        }
        let exported = place.swissmatch(&["export", "records", "run"]).expect_code(0).stdout();
        let records: Vec<Value> = exported
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(records.len(), 3 * 3 * 2, "they are paired from round 1 on");
        for record in &records {
            assert!(
                record["moves"].as_str().is_some_and(|moves| !moves.is_empty()),
                "{record}"
            );
            assert!(
                record["failed_attempts"].as_array().is_none_or(Vec::is_empty),
                "{record}"
            );
        }
        let ledger = place.read("run/ledger.jsonl");
        assert!(ledger.contains("\"player\":\"Late\""), "{ledger}");
        place.swissmatch(&["verify", "run"]).expect_code(0);
        let manifest: Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
        let beside = &manifest["seating"]["games_beside"];
        // Those of one pair of three models; a runner that takes up the run counts late entries, too.
        let wanted = match (models, is_running) {
            (1, true) => Value::Null,
            (1, false) | (3, true) => json!(2),
            _ => json!(4),
        };
        assert_eq!(*beside, wanted, "{models} models, {is_running}: {manifest}");
    }
}
