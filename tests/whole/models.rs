//! Language models and web services as players of a run: what they ask, what it costs, who is charged with what, and where the key is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use swissmatch::shell::store::sha256;

use crate::adapters::{Request, first_legal, response, service};
use crate::database::{export, read_only};
use crate::death::{Background, assert_empty, send};
use crate::support::{Place, Ran, say_what_is_missing};

const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const KEY: &str = "sk-of-the-organizer-of-models";
pub(crate) const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// An answer of a model at once, with what it used.
pub(crate) fn said(content: &str, finish: &str) -> String {
    let body = json!({
        "model": "served-1", "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40}},
    });
    response("200 OK", "content-type: application/json\r\n", &body.to_string())
}

/// A legal move as whoever asks wants it: in a tag, in an object, or alone.
pub(crate) fn plays(request: &Request) -> Option<String> {
    if request.head.starts_with("POST /move ") {
        let legal = request.body["legal"].as_array()?.first()?;
        return Some(response("200 OK", "", &json!({ "move": legal }).to_string()));
    }
    let schema = &request.body["response_format"]["json_schema"]["schema"]["properties"]["uci_move"]["enum"];
    Some(match schema.get(0) {
        Some(legal) => said(&json!({ "uci_move": legal }).to_string(), "stop"),
        // A service may say what it was sent, the key too.
        None => said(
            &format!("By {KEY}: <uci_move>{}</uci_move>", first_legal(request)?),
            "stop",
        ),
    })
}

/// An event of a model, and whoever else is added, at a service with a key.
pub(crate) fn event(place: &Place, url: &str, keys: &str, players: &str) {
    std::fs::create_dir_all(place.path("prompts")).expect("a directory");
    place.write(
        "prompts/move.jinja",
        "You are {{ side_to_move }}: {{ FEN }}\n{% include \"legal.jinja\" %}",
    );
    place.write("prompts/legal.jinja", "Legal: {{ legal_moves_uci }}\n");
    let text = format!(
        "event.name = \"asked\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
         model.prompt = \"prompts/move.jinja\"\n{keys}\n[endpoint.local]\nurl = \"{url}/v1\"\nkey_env = \"MODELS_KEY\"\nstream = false\n\
         at_once = 2\npatience = \"1s\"\ntrust_off = true\nprice = {{ input = 1.0, output = 2.0, cached = 0.5 }}\n\
         [[player]]\nname = \"Qwen\"\nmodel = \"local:small\"\n{players}"
    );
    place.write("event.toml", &text);
}

pub(crate) const GREEDY: &str = "[[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n";

fn play(place: &Place) -> Ran {
    place.swissmatch_with(&RUN, &[("MODELS_KEY", KEY)])
}

fn records(place: &Place) -> Vec<Value> {
    let exported = place.swissmatch(&["export", "records", "run"]).stdout();
    let lines = exported.lines();
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// That a text is in no file below a directory.
#[track_caller]
fn assert_nowhere(text: &str, directory: &std::path::Path) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            assert_nowhere(text, &path);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        let is_in = bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(!is_in, "{}", path.display());
    }
}

/// Whether anybody who asks shows the key, or an address of the service, to those who look at processes.
fn is_shown() -> bool {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let shown = processes.map(|process| {
        let read = |name: &str| std::fs::read(process.path().join(name)).unwrap_or_default();
        let command = read("cmdline");
        let all = [command.clone(), read("environ")].concat();
        let has = |all: &[u8], text: &str| all.windows(text.len()).any(|part| part == text.as_bytes());
        has(&command, "__adapter") && has(&command, "prompts/move.jinja") && (has(&all, KEY) || has(&all, "/v1"))
    });
    shown.into_iter().any(|shown| shown)
}

pub(crate) fn played(place: &Place, isolation: &str) -> bool {
    let ran = play(place);
    if ran.stderr().contains("cannot isolate agents as they have to be") {
        say_what_is_missing(&format!("{isolation}: {}", ran.stderr()));
        return false;
    }
    ran.expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    true
}

#[test]
fn models_and_web_services_play_beside_engines_however_they_are_isolated() {
    static SHOWN: AtomicBool = AtomicBool::new(false);
    for isolation in ["guarded", "sealed", "off"] {
        let (url, told) = service(|_, request| {
            SHOWN.fetch_or(is_shown(), Ordering::SeqCst);
            plays(request)
        });
        let place = Place::new();
        let others = format!(
            "[[player]]\nname = \"Strict\"\nmodel = \"local:small\"\nresponse_format = \"legal-moves\"\n\
             [[player]]\nname = \"Web\"\nmove_url = \"{url}/move\"\n{GREEDY}"
        );
        let keys = format!(
            "model.keep = \"all\"\nmodel.rationale = \"page\"\nengine.isolation = \"{isolation}\"\nstandings.columns = {COLUMNS}"
        );
        event(&place, &url, &keys, &others);
        if !played(&place, isolation) {
            continue;
        }
        assert!(!SHOWN.load(Ordering::SeqCst), "an adapter shows what it may not have");
        let games = place.read("run/games.csv");
        for fault in ["illegal-move", "time-forfeit", "crash", "stall"] {
            assert!(!games.contains(fault), "{isolation}: {games}");
        }
        let requests: Vec<Request> = told.try_iter().collect();
        assert_keys(&requests);
        let ledger = place.read("run/ledger.jsonl");
        let mut calls = 0;
        for record in records(&place) {
            calls += assert_calls(&record, &ledger);
        }
        let asked = requests.iter().filter(|request| request.head.starts_with("POST /v1/"));
        assert_eq!(
            asked.count(),
            ledger.lines().filter(|line| line.contains("\"asked\"")).count()
        );
        // Whoever has an engine asks nobody.
        assert!(calls > 0 && calls <= requests.len());
        assert_nowhere(KEY, &place.path("run"));
        assert_figures(&place, &url);
        assert_kept(&place);
        // What it said beside its move stands there, without the key, too.
        let pgn = place.read("run/games.pgn");
        assert!(pgn.contains("rationale=\"By …:\"") && !pgn.contains(KEY), "{pgn}");
        let manifest = place.read("run/manifest.json");
        for file in ["prompts/move.jinja", "prompts/legal.jinja"] {
            assert!(manifest.contains(file), "{file}: {manifest}");
        }
        // What a template includes is the agent's, too.
        place.write("prompts/legal.jinja", "Legal: {{ legal_moves_uci }}, nothing else\n");
        let refused = play(&place);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains("legal.jinja has changed"),
            "{}",
            refused.stderr()
        );
    }
}

const COLUMNS: &str =
    r#"["tokens-in", "tokens-out", "cost", "cost-a-win", "legal-share", "score", "score-without-faults"]"#;

/// Tokens, cost and shares are the same in the standings, the database and the log, and the rules say who is asked how.
fn assert_figures(place: &Place, url: &str) {
    let standings = place.export_json("run", "json");
    let of = |name: &str| {
        let mut players = standings["players"].as_array().expect("a list").iter();
        players.find(|player| player["name"] == name).expect("a player").clone()
    };
    // Two games of three moves, each by a call of which all is known.
    let qwen = of("Qwen");
    let tokens = |sum: u64| json!({ "sum": sum, "calls_untold": 0 });
    assert_eq!(
        (&qwen["input_tokens"], &qwen["output_tokens"]),
        (&tokens(600), &tokens(60))
    );
    assert_eq!(
        (&qwen["cost"], &qwen["legal_share"]["percent"]),
        (&json!(600), &json!(100))
    );
    let (web, greedy) = (of("Web"), of("Greedy"));
    assert_eq!(web["input_tokens"], json!({ "sum": 0, "calls_untold": 6 }));
    assert_eq!((&web["cost"], &greedy["cost"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&greedy["input_tokens"], &greedy["score"]["percent"]),
        (&Value::Null, &json!(50))
    );
    let notes = place.swissmatch(&["standings", "run"]).stdout();
    assert!(
        notes.contains("the answers of Strict are constrained")
            && notes.contains("all legal moves stand in the prompt of"),
        "{notes}"
    );

    let database = export(place, "run");
    let row = |query: &str| -> [i64; 2] {
        let row = database.query_row(query, [], |row| Ok([row.get(0)?, row.get(1)?]));
        row.unwrap_or_else(|error| panic!("{query}: {error}"))
    };
    assert_eq!(
        row("SELECT calls, cost FROM player_calls WHERE name = 'Qwen'"),
        [6, 600]
    );
    assert_eq!(
        row("SELECT count(*), count(cost) FROM calls WHERE name = 'Web'"),
        [6, 0]
    );
    assert_eq!(
        row("SELECT count(*), sum(cost) FROM calls WHERE model = 'served-1' AND failed IS NULL"),
        [12, 1200]
    );
    let helped = "SELECT sum(legal_moves = 'all'), sum(constrained) FROM players WHERE legal_moves IS NOT NULL";
    assert_eq!(row(helped), [3, 1]);
    let log = read_only(&place.path("run/run.sqlite"));
    let in_log = log.query_row("SELECT count(*), sum(input_tokens) FROM v1_calls", [], |row| {
        Ok([row.get(0)?, row.get(1)?])
    });
    assert_eq!(in_log, Ok(row("SELECT count(*), sum(input_tokens) FROM calls")));

    let rules = place.read("run/rules.md").replace('\\', "");
    let told = "Qwen is the model \"small\" at the service local; its prompt is move.jinja (SHA-256 ";
    assert!(
        rules.contains(told) && rules.contains("Web services that play: Web."),
        "{rules}"
    );
    assert!(!rules.contains(url), "{rules}");
}

/// The key goes to the service of the event, and to nobody else.
fn assert_keys(requests: &[Request]) {
    for Request { head, body, .. } in requests {
        let has_key = head.to_lowercase().contains(&format!("authorization: bearer {KEY}"));
        assert_eq!(has_key, head.starts_with("POST /v1/chat/completions "), "{head}");
        assert!(!body.to_string().contains(KEY), "{body}");
    }
}

/// The calls of a record have their figures, and the hash of what the ledger has of the game; gives how many.
fn assert_calls(record: &Value, ledger: &str) -> usize {
    let calls = &record["calls"];
    let Some(list) = calls["list"].as_array() else { return 0 };
    for call in list {
        assert_eq!((&call["tries"], call.get("failed")), (&json!(1), None), "{call}");
        assert_eq!(
            call["ply"].as_u64().map(|ply| ply % 2),
            Some(u64::from(call["side"] == "black")),
            "{call}"
        );
        if let Some(cost) = call.get("cost") {
            let figures = ["input", "cached", "output"].map(|name| call[name].as_u64());
            assert_eq!(figures, [Some(100), Some(40), Some(10)], "{call}");
            // 60 of 1.0, 40 of 0.5 and 10 of 2.0 a million.
            assert_eq!((cost, &call["model"]), (&json!(100), &json!("served-1")), "{call}");
        }
    }
    let id = record["id"].as_str().expect("a number");
    let mut numbers = BTreeMap::new();
    let of_game = ledger.lines().filter(|line| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        match line.get("asked") {
            Some(asked) => {
                let is_of_it = asked["game"] == id;
                numbers.insert(asked["request"].as_u64(), is_of_it);
                is_of_it
            }
            None => numbers[&line["ended"]["request"].as_u64()],
        }
    });
    let of_game: String = of_game.map(|line| format!("{line}\n")).collect();
    assert_eq!(calls["ledger"], sha256(of_game.as_bytes()), "{calls}");
    list.len()
}

/// Whoever has the key in its memory or environment leaves no core, whatever the machine allows.
#[test]
fn the_key_is_in_no_core() {
    let (url, told) = service(|_, _| None);
    let place = Place::new();
    event(&place, &url, "", GREEDY);
    let mut command = std::process::Command::new("sh");
    let run = place.command(&RUN);
    command
        .args(["-c", "ulimit -S -c \"$(ulimit -H -c)\"; exec \"$0\" \"$@\""])
        .arg(run.get_program());
    command
        .args(run.get_args())
        .current_dir(place.path(""))
        .env("MODELS_KEY", KEY);
    command.envs(run.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut running = Background::start_by(&place, command);
    told.recv_timeout(PATIENCE).expect("it asks");
    for process in [running.player(), running.guard()] {
        let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).expect("its limits");
        let cores = limits
            .lines()
            .find(|line| line.starts_with("Max core file size"))
            .expect("one of cores");
        let bound = cores.split_whitespace().nth(4);
        assert!(bound.is_some_and(|bound| ["0", "1"].contains(&bound)), "{cores}");
        send(process, Signal::ABORT);
    }
    running.end(PATIENCE);
    assert_empty(&place, Duration::from_secs(1));
    let names = std::fs::read_dir(place.path("")).expect("a directory").flatten();
    let names: Vec<String> = names
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!names.iter().any(|name| name.starts_with("core")), "{names:?}");
    assert_nowhere(KEY, &place.path("run"));
}

/// With `keep = "all"` each prompt and answer is evidence, without the key, and reads again as it was read.
fn assert_kept(place: &Place) {
    for record in records(place) {
        let of_model = |call: &&Value| call.get("model").is_some();
        let asked = record["calls"]["list"]
            .as_array()
            .map_or(0, |list| list.iter().filter(of_model).count());
        let id = record["id"].as_str().expect("a number");
        let account = place
            .swissmatch(&["explain", "game", id, "run", "--full", "--json"])
            .stdout();
        let account: Value = serde_json::from_str(&account).expect("JSON");
        let texts = account["evidence"]["texts"].as_array().expect("a list");
        assert_eq!(texts.len(), asked, "{id}");
        for text in texts {
            let prompt = text["asked"]["messages"][0]["content"].as_str().expect("a prompt");
            assert!(prompt.contains("Legal: "), "{text}");
            let content = text["content"].as_str().expect("an answer");
            assert!(
                content.starts_with("By …: <uci_move>") || content.starts_with('{'),
                "{text}"
            );
        }
        if asked > 0 {
            let evidence = place.swissmatch(&["export", "evidence", "run", "--only", id]).stdout();
            assert!(!evidence.contains(KEY), "{evidence}");
        }
    }
    let again = place
        .swissmatch(&["rescore", "run", "--answers", "take=last", "--json"])
        .stdout();
    let again: Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(again["answers"]["turns"], json!([]), "{again}");
    for player in again["answers"]["players"].as_array().expect("models") {
        assert_eq!(player["not_kept"], 0, "{player}");
    }
}

/// How failed attempts ended, as records have it.
fn ends(place: &Place) -> Vec<String> {
    let records = records(place);
    let attempts = records
        .iter()
        .flat_map(|record| record["failed_attempts"].as_array().into_iter().flatten());
    attempts.map(|attempt| attempt["end"].to_string()).collect()
}

/// Each of these is an attempt of the model's that failed, and what it was is told.
#[test]
fn what_a_model_fails_is_its_own() {
    let (url, _told) = service(|number, request| {
        Some(match number {
            0 => said("", "stop"),
            1 => said("I think that", "length"),
            2 => said("e2e4", "stop"),
            3 => said("<move>h2h3</move><uci_move>e2e5</uci_move>", "stop"),
            4 => response(
                "200 OK",
                "content-type: application/json\r\n",
                r#"{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}"#,
            ),
            _ => return plays(request),
        })
    });
    let place = Place::new();
    event(&place, &url, "game.attempts = 6\nrun.concurrency = 1", GREEDY);
    assert!(played(&place, "guarded"));
    let wanted = [
        "\"empty\"",
        "\"truncated\"",
        "{\"unparsable\":\"(none)\"}",
        "{\"illegal\":\"e2e5\"}",
        "\"refused\"",
    ];
    assert_eq!(ends(&place), wanted);

    // Prompts and answers of these attempts are evidence, and those of no other.
    let failed = |record: &Value| {
        record["failed_attempts"]
            .as_array()
            .is_some_and(|failed| !failed.is_empty())
    };
    let records = records(&place);
    let game = records.iter().find(|record| failed(record)).expect("a game")["id"]
        .as_str()
        .expect("a number");
    let account = place.swissmatch(&["explain", "game", game, "run", "--json"]).stdout();
    let account: Value = serde_json::from_str(&account).expect("JSON");
    let texts = account["evidence"]["texts"].as_array().expect("a list").iter();
    let told = |text: &Value| [&text["attempt"], &text["content"], &text["finish"], &text["failed"]].map(Value::clone);
    assert_eq!(
        texts.map(told).collect::<Vec<_>>(),
        [
            [json!(1), json!(""), json!("stop"), json!("empty")],
            [json!(2), json!("I think that"), json!("length"), Value::Null],
            [json!(3), json!("e2e4"), json!("stop"), Value::Null],
            [
                json!(4),
                json!("<move>h2h3</move><uci_move>e2e5</uci_move>"),
                json!("stop"),
                Value::Null
            ],
            [json!(5), json!(""), json!("stop"), json!("refused")],
        ]
    );
    let words = place.swissmatch(&["explain", "game", game, "run"]).stdout();
    assert!(words.contains("| answered: <move>h2h3</move>"), "{words}");

    // By another tag the fourth of them has a move, and nobody knows what would have become of the game.
    let rescored = ["rescore", "run", "--answers", "tag=move"];
    let again = place.swissmatch(&[&rescored[..], &["--json"]].concat()).stdout();
    let again: Value = serde_json::from_str(&again).expect("JSON");
    let answers = &again["answers"];
    let turn = &answers["turns"][0];
    let came = |came: &Value| [came["attempt"].clone(), came["said"]["move"].clone()];
    assert_eq!(came(&turn["is"]), [json!(4), json!("h2h3")], "{turn}");
    assert_eq!(came(&turn["was"])[0], 6, "{turn}");
    assert_eq!((&turn["recovered"], &turn["departs"]), (&json!(true), &json!(true)));
    let open = json!([{ "game": game, "ply": 0, "lost_by_the_rule": false, "left_out": true }]);
    assert_eq!(answers["games"], open);
    let not_kept = answers["players"][0]["not_kept"].as_u64();
    assert!(not_kept > Some(0), "{answers}");
    let told = place.swissmatch(&rescored).stdout();
    for words in [
        "Answers judged again",
        "h2h3, attempt 4",
        "left out as if annulled",
        "model.keep = \"all\"",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    for (wrong, why) in [
        ("prompt=x", "decides nothing of how an answer is read"),
        ("take=none", "expected \"first\", \"last\" or \"only\""),
    ] {
        let refused = place.swissmatch(&["rescore", "run", "--answers", wrong]);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
}

/// Nobody is charged with what a service fails, and all its games are played once it is there again.
#[test]
fn a_service_that_is_away_costs_nobody_a_game() {
    static AWAY: AtomicUsize = AtomicUsize::new(0);
    let (url, told) = service(|number, request| match number {
        3.. if AWAY.fetch_add(1, Ordering::SeqCst) < 6 => Some(response("503 Away", "", "{}")),
        _ => plays(request).or_else(|| Some(said("Yes.", "stop"))),
    });
    let place = Place::new();
    event(
        &place,
        &url,
        "game.time_control = \"2s/move\"\nrun.replays = 100",
        GREEDY,
    );
    assert!(played(&place, "guarded"));
    let games = place.read("run/games.csv");
    assert_eq!(games.lines().count(), 3, "{games}");
    for fault in ["illegal-move", "time-forfeit", "crash", "stall"] {
        assert!(!games.contains(fault), "{games}");
    }
    let failed = told.try_iter().count();
    let ledger = place.read("run/ledger.jsonl");
    assert_eq!(ledger.lines().filter(|line| line.contains("\"asked\"")).count(), failed);
    for record in records(&place) {
        assert!(
            record["failed_attempts"].as_array().is_none_or(Vec::is_empty),
            "{record}"
        );
    }
}

/// A call without a byte is the model's where the service answers others, and the service's where it answers nobody.
#[test]
fn silence_is_whose_it_is() {
    let (url, _told) = service(|number, request| match (number, request.body["max_tokens"].as_u64()) {
        // Whether it is there, it says.
        (_, Some(1)) => Some(said("y", "stop")),
        (0, _) => None,
        _ => plays(request),
    });
    let place = Place::new();
    event(
        &place,
        &url,
        "game.time_control = \"1s/move\"\ngame.attempts = 2",
        GREEDY,
    );
    assert!(played(&place, "guarded"));
    assert_eq!(ends(&place), ["\"late\""]);

    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let (url, _told) = service(|_, request| match ASKED.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => None,
        _ => plays(request),
    });
    let place = Place::new();
    event(
        &place,
        &url,
        "game.time_control = \"1s/move\"\ngame.attempts = 2",
        GREEDY,
    );
    assert!(played(&place, "guarded"));
    assert_eq!(ends(&place), Vec::<String>::new());
}

/// What the organizer has to mend pauses the run, and nobody loses; nor is anything spent beyond its limit.
#[test]
fn a_key_and_a_limit_that_have_to_be_mended_pause_the_run() {
    let (url, _told) = service(|_, request| match request.head.contains(KEY) {
        true => plays(request),
        false => Some(response(
            "401 Unauthorized",
            "",
            r#"{"error":{"message":"no such key"}}"#,
        )),
    });
    let place = Place::new();
    event(&place, &url, "", GREEDY);
    let without = place.swissmatch(&RUN);
    without.expect_code(4);
    assert!(
        without
            .stderr()
            .contains("endpoint.local.key_env: the environment has no variable MODELS_KEY"),
        "{}",
        without.stderr()
    );
    let wrong = place.swissmatch_with(&RUN, &[("MODELS_KEY", "sk-wrong")]);
    wrong.expect_code(5);
    let told = wrong.stderr();
    assert!(
        told.contains("endpoint.local did not serve Qwen: the service answered 401: no such key"),
        "{told}"
    );
    assert!(!told.contains("sk-wrong"), "{told}");
    // The answer to one call alone may cost 1000 millionths.
    let text = place.read("event.toml");
    place.write("event.toml", &format!("{text}[spending]\nevent = 0.001\n"));
    let spent = play(&place);
    spent.expect_code(5);
    assert!(
        spent.stderr().contains("spending.event is reached"),
        "{}",
        spent.stderr()
    );
    place.write("event.toml", &format!("{text}[spending]\nevent = 1.0\n"));
    play(&place).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    assert_eq!(games.lines().count(), 3, "{games}");
    assert!(!games.contains("illegal-move") && !games.contains("crash"), "{games}");
}

/// A server of the player's own pays for its outages.
#[test]
fn a_web_service_that_is_away_loses_its_games() {
    let (url, told): (String, Receiver<Request>) = service(|_, request| plays(request));
    let place = Place::new();
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("it has one")
    };
    let others = format!("[[player]]\nname = \"Web\"\nmove_url = \"http://{gone}/move\"\n");
    event(&place, &url, "", &others);
    assert!(played(&place, "guarded"));
    drop(told);
    let games = place.read("run/games.csv");
    assert_eq!(games.matches("illegal-move").count(), 2, "{games}");
}
