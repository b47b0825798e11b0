//! What is done around a run of models: an event file from a service, a check before the run, `verify` of its ledger.

use serde_json::{Value, json};

use crate::adapters::{Request, response, service};
use crate::models::{GREEDY, KEY, RUN, event, played, plays, said};
use crate::resume::shell;
use crate::storage::can_trace;
use crate::support::Place;

/// What a check says of a player: its exit code, the verdict, the step of its service.
fn checked(place: &Place, player: &str, key: Option<&str>) -> (Option<i32>, Value, Value) {
    let environment: Vec<(&str, &str)> = key.map(|key| ("MODELS_KEY", key)).into_iter().collect();
    let ran = place.swissmatch_with(
        &["check", "--event", "event.toml", "--player", player, "--json"],
        &environment,
    );
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap_or_else(|error| panic!("{error}: {}", ran.stderr()));
    let steps = report["steps"].as_array().expect("steps");
    let service = steps.iter().find(|step| step["step"] == "service").cloned();
    let others = steps
        .iter()
        .filter(|step| !["service", "handshake"].contains(&step["step"].as_str().unwrap_or_default()));
    for other in others {
        assert_eq!(other["status"], "left-out", "{report:#}");
        assert_eq!(other["seen"], "it is asked over the network, once a move", "{report:#}");
    }
    (ran.output.status.code(), report, service.unwrap_or_default())
}

#[test]
fn a_check_over_the_network_is_two_calls_and_says_what_a_game_costs() {
    let (url, told) =
        service(
            |_, request| match request.head.contains(KEY) || request.head.starts_with("POST /move ") {
                true => plays(request),
                false => Some(response(
                    "401 Unauthorized",
                    "",
                    r#"{"error":{"message":"no such key"}}"#,
                )),
            },
        );
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("it has one")
    };
    let place = Place::new();
    let others = format!(
        "[[player]]\nname = \"Web\"\nmove_url = \"{url}/move\"\n[[player]]\nname = \"Gone\"\nmove_url = \"http://{gone}/move\"\n"
    );
    event(&place, &url, "", &others);
    let (code, report, step) = checked(&place, "Qwen", Some(KEY));
    assert_eq!((code, told.try_iter().count()), (Some(0), 2), "{report:#}");
    let seen = step["seen"].as_str().expect("text");
    for text in [
        "a legal move in 2 of 2; first byte after ",
        "the model is served-1, asked for was small; tokens: 100 in (40 cached), 10 out; a game of 3 moves costs about 0.000300; 2 calls, in the ledger of no run",
    ] {
        assert!(seen.contains(text), "{seen}");
    }
    assert_eq!(
        (&step["status"], report["calls"][1]["cost"].as_u64()),
        (&json!("warn"), Some(100)),
        "{report:#}"
    );
    // Whoever is checked alone has to have a key.
    let text = place.swissmatch(&["check", "--event", "event.toml", "--player", "Web"]);
    let address = format!("Web ({url}/move)");
    assert!(text.stdout().starts_with(&address), "{}", text.stdout());
    assert!(!text.stdout().contains("not reached"), "{}", text.stdout());
    let (code, report, step) = checked(&place, "Web", None);
    assert_eq!((code, &report["verdict"]), (Some(0), &json!("passed")), "{report:#}");
    assert!(
        step["seen"]
            .as_str()
            .is_some_and(|seen| seen.starts_with("a legal move in 2 of 2; ")),
        "{step}"
    );
    let (code, _, step) = checked(&place, "Gone", None);
    assert_eq!((code, &step["status"]), (Some(1), &json!("fail")));
    assert!(
        step["seen"]
            .as_str()
            .is_some_and(|seen| seen.contains("transport: it answered nothing")),
        "{step}"
    );
    assert!(step["evidence"].to_string().contains("Connection refused"), "{step}");
    // What is the organizer's to mend is nobody's fault.
    let (code, report, step) = checked(&place, "Qwen", Some("sk-wrong"));
    assert_eq!(
        (code, &report["verdict"]),
        (Some(2), &json!("inconclusive")),
        "{report:#}"
    );
    let wanted = "configuration: endpoint.local did not serve Qwen: the service answered 401: no such key";
    assert!(
        step["seen"].as_str().is_some_and(|seen| seen.contains(wanted)),
        "{step}"
    );
    assert!(
        step["remedy"].as_str().is_some_and(|remedy| remedy.contains("key_env")),
        "{step}"
    );
}

/// What is not legal twice is the agent's fault; once, it may be chance.
#[test]
fn a_check_says_what_was_wrong_with_an_answer() {
    let (url, _told) = service(|number, request| match number {
        0 | 2 | 3 => Some(said("<uci_move>e2e5</uci_move>", "stop")),
        _ => plays(request),
    });
    let place = Place::new();
    event(&place, &url, "", GREEDY);
    for (code, status, wanted) in [
        (0, "warn", "a legal move in 1 of 2"),
        (1, "fail", "a legal move in 0 of 2"),
    ] {
        let (found, report, step) = checked(&place, "Qwen", Some(KEY));
        assert_eq!((found, &step["status"]), (Some(code), &json!(status)), "{report:#}");
        let seen = step["seen"].as_str().expect("text");
        assert!(
            seen.starts_with(wanted) && seen.contains("illegal: it said e2e5"),
            "{seen}"
        );
    }
}

/// An event file of a service's models, which plays as it is.
#[test]
fn init_enters_the_models_of_a_service() {
    let (url, told) = service(|_, request| {
        let list = json!({"data": [{"id": "served-1"}, {"id": "vendor/other"}]});
        match (request.head.starts_with("GET /v1/models "), request.head.contains(KEY)) {
            (true, true) => Some(response("200 OK", "", &list.to_string())),
            (true, false) => Some(response("401 Unauthorized", "", "{}")),
            _ => Some(said(
                &format!("<uci_move>{}</uci_move>", legal_of_ours(request)?),
                "stop",
            )),
        }
    });
    let place = Place::new();
    let address = format!("{url}/v1");
    let init = |more: &[&str], environment: &[(&str, &str)]| {
        let words = ["init", "greedy", "--endpoint", &address, "-o", "event.toml"];
        place.swissmatch_with(&[&words[..], more].concat(), environment)
    };
    for (more, environment, why) in [
        (
            &[][..],
            &[][..],
            "the service answered 401\n  help: name the variable that has its key: --key-env NAME",
        ),
        (
            &["--key-env", "MODELS_KEY"],
            &[],
            "the environment has no variable MODELS_KEY",
        ),
        (
            &["--key-env", "MODELS_KEY", "--model", "small"],
            &[("MODELS_KEY", KEY)],
            "it has no model small; it has served-1, vendor/other",
        ),
    ] {
        let refused = init(more, environment);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
        assert!(!place.path("event.toml").exists() && !place.path("move.jinja").exists());
    }
    let environment = [("MODELS_KEY", KEY)];
    let written = init(&["--key-env", "MODELS_KEY"], &environment);
    written.expect_code(0);
    assert!(written.stderr().contains("Wrote move.jinja"), "{}", written.stderr());
    let text = place.read("event.toml");
    for part in [
        "[endpoint.local]",
        "key_env = \"MODELS_KEY\"",
        "model = \"local:served-1\"",
        "model = \"local:vendor/other\"",
    ] {
        assert!(text.contains(part) && !text.contains(KEY), "{text}");
    }
    place.swissmatch(&["config", "event.toml"]).expect_code(0);
    let short = ["--set", "game.max_moves=2", "--set", "endpoint.local.stream=false"];
    let ran = place.swissmatch_with(&[&RUN[..], &short].concat(), &environment);
    ran.expect_code(0);
    let games = place.read("run/games.csv");
    assert!(
        games.contains("vendor/other") && !games.contains("illegal-move"),
        "{games}"
    );
    drop(told);
    // A prompt that is there is the user's.
    std::fs::remove_file(place.path("event.toml")).expect("it was there");
    place.write("move.jinja", "mine");
    let again = init(&["--key-env", "MODELS_KEY", "--model", "served-1"], &environment);
    again.expect_code(0);
    assert!(again.stderr().contains("is there already"), "{}", again.stderr());
    assert_eq!(place.read("move.jinja"), "mine");
    assert!(!place.read("event.toml").contains("vendor/other"));
}

/// Of many models the first ones enter, and the others are named.
#[test]
fn init_says_which_models_it_leaves_out() {
    let (url, _told) = service(|_, _| {
        let list: Vec<Value> = (1..=11)
            .map(|number| json!({"id": format!("/m/{number}.gguf")}))
            .collect();
        Some(response("200 OK", "", &json!({ "data": list }).to_string()))
    });
    let place = Place::new();
    let endpoint = format!("{url}/v1");
    let init = ["init", "--endpoint", &endpoint, "-o", "event.toml"];
    let written = place.swissmatch(&init);
    written.expect_code(0);
    let said = "The service has 11 models, of which the first 8 are entered. Left out: /m/9.gguf, /m/10.gguf, /m/11.gguf. With --model NAME ";
    assert!(written.stderr().contains(said), "{}", written.stderr());
    let text = place.read("event.toml");
    assert_eq!(text.matches("[[player]]").count(), 8, "{text}");
    assert!(text.contains("name = \"8\"\nmodel = \"local:/m/8.gguf\""), "{text}");
}

/// The first legal move in the prompt that `init` writes.
fn legal_of_ours(request: &Request) -> Option<&str> {
    let prompt = request.body["messages"].as_array()?.last()?["content"].as_str()?;
    prompt.split_once("Legal moves: ")?.1.split([' ', '\n']).next()
}

/// The records of games name what the ledger had of them: whatever was done to it is found.
#[test]
fn a_ledger_that_does_not_fit_its_games_is_found() {
    let (url, _told) = service(|_, request| plays(request));
    let place = Place::new();
    event(&place, &url, "", GREEDY);
    assert!(played(&place, "guarded"));
    let whole = place.swissmatch(&["verify", "run"]).expect_code(0).stdout();
    assert!(whole.contains("ledger"), "{whole}");
    let ledger = place.read("run/ledger.jsonl");
    let lines: Vec<&str> = ledger.lines().collect();
    let last = lines.len() - 1;
    let without = |place: usize| {
        lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != place)
            .map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    for (changed, why) in [
        (Some(without(0)), "its lines are not those whose hash the record has"),
        (Some(without(last)), "its lines are not those whose hash the record has"),
        (
            Some(ledger.replacen("\"tokens\":110", "\"tokens\":11", 1)),
            "its lines are not those whose hash the record has",
        ),
        (Some(format!("hello\n{ledger}")), "line 1: it is none of a ledger"),
        (None, "is missing, which has its calls"),
    ] {
        let path = place.path("run/ledger.jsonl");
        match &changed {
            Some(changed) => {
                assert_ne!(*changed, ledger);
                std::fs::write(&path, changed).expect("it is written");
            }
            None => std::fs::remove_file(&path).expect("it is there"),
        }
        let found = place.swissmatch(&["verify", "run"]);
        let said = found.expect_code(1).stdout();
        assert!(said.contains("WRONG   ledger") && said.contains(why), "{said}");
        // Where lines are missing it is said what to do.
        let is_told = said.contains("If a power cut took its lines, the results stand");
        assert_eq!(is_told, !why.starts_with("line 1"), "{said}");
    }
    // A link to the same is not followed.
    place.write("elsewhere", &ledger);
    std::os::unix::fs::symlink(place.path("elsewhere"), place.path("run/ledger.jsonl")).expect("a link");
    let found = place.swissmatch(&["verify", "run"]);
    let said = found.expect_code(1).stdout();
    assert!(said.contains("it is a link, which is not followed"), "{said}");
}

/// The ledger of a game is on the disk before the log has the game, so that a power cut takes no line that is counted on.
#[test]
fn the_ledger_is_on_the_disk_before_the_game_is_in_the_log() {
    if !can_trace() {
        return;
    }
    let (url, _told) = service(|_, request| plays(request));
    let place = Place::new();
    event(&place, &url, "engine.isolation = \"off\"\nrun.concurrency = 1", GREEDY);
    let script = format!(
        "MODELS_KEY={KEY} exec strace -f -y -o trace -e trace=fsync,fdatasync \"$SWISSMATCH\" {}",
        RUN.join(" ")
    );
    shell(&place, &script).expect_code(0);
    let trace = place.read("trace");
    let synced = trace.lines().filter(|line| line.contains("/run/ledger.jsonl>"));
    assert_eq!(synced.count(), 2, "once a game: {trace}");
    let of_games = |line: &&str| {
        ["/run/ledger.jsonl>", "/run/run.sqlite-wal>"]
            .iter()
            .any(|file| line.contains(file))
    };
    let files: Vec<&str> = trace.lines().filter(of_games).collect();
    let ledger = files
        .iter()
        .position(|line| line.contains("ledger"))
        .expect("it is synced");
    assert!(files[ledger + 1..].iter().any(|line| line.contains("-wal")), "{trace}");
}
