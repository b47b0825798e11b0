//! All JSON that the program gives out, beside its schema in `docs/schema`: whatever a test has it print or write is validated.

pub(crate) mod page;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::{Registry, Validator};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swissmatch::game::termination::Outcome;
use swissmatch::tournament::log::{Act, Agent, ArbiterActed, ByeWorth, Entry};
use swissmatch::tournament::setup::PlayerKeys;

use crate::support::Place;

/// Where the schemas are taken to lie, so that they find each other.
const BASE: &str = "https://swissmatch.invalid/";
/// How the name of a schema's file ends.
const END: &str = ".schema.json";
/// Files of a run's directory and beside it, with the schema of each.
const FILES: [(&str, &str); 12] = [
    ("standings.json", "standings"),
    ("summary.json", "summary"),
    ("playoff.json", "playoff"),
    ("prizes.json", "prizes"),
    ("tour.json", "tour"),
    ("analysis.json", "analysis"),
    ("live.json", "live"),
    ("manifest.json", "manifest"),
    ("signed.json", "signed"),
    ("interrupted.json", "interrupted"),
    ("eligibility.json", "eligibility"),
    ("league.json", "league"),
];

/// The schemas as they are kept, by their names.
static TEXTS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    let named = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().expect("a name");
        let name = name.strip_suffix(END)?.to_owned();
        let text = std::fs::read_to_string(entry.path()).expect("a text");
        Some((name, serde_json::from_str(&text).expect("JSON")))
    };
    let files = std::fs::read_dir(dir).expect("it is there").flatten();
    files.filter_map(named).collect()
});

static REGISTRY: LazyLock<Registry<'static>> = LazyLock::new(|| {
    let add = |registry: jsonschema::RegistryBuilder<'static>, (name, schema): (&String, &Value)| {
        registry
            .add(format!("{BASE}{name}{END}"), schema.clone())
            .expect("a schema")
    };
    let all = TEXTS.iter().fold(Registry::new(), add);
    all.prepare().expect("schemas that find each other")
});

/// What validates by the schema of this name; it is built once in each process.
#[track_caller]
fn validator(name: &str) -> Arc<Validator> {
    static BUILT: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    assert!(TEXTS.contains_key(name), "docs/schema/{name}{END} is missing");
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let build = || {
        let whole = json!({ "$ref": format!("{BASE}{name}{END}") });
        let options = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .with_registry(&REGISTRY);
        Arc::new(options.build(&whole).expect("a schema"))
    };
    Arc::clone(built.entry(name.to_owned()).or_insert_with(build))
}

/// Asserts that JSON is as its schema says.
#[track_caller]
pub(crate) fn check(schema: &str, found: &Value) {
    let problems: Vec<String> = validator(schema)
        .iter_errors(found)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        problems.is_empty(),
        "not as docs/schema/{schema}{END} says:\n{}\n{found:#}",
        problems.join("\n")
    );
}

/// Which schema the JSON is of that a command prints; `None` where it prints none.
fn of_command<'a>(args: &[&'a str]) -> Option<&'a str> {
    let is_json = args.contains(&"--json");
    let mut words = args.iter().filter(|arg| !arg.starts_with('-'));
    let (command, subject) = (*words.next()?, words.next().copied().unwrap_or_default());
    let is_of_file = || args.iter().any(|arg| arg.ends_with(".trf")) || args.contains(&"--file");
    Some(match (command, subject) {
        ("export", _) if args.contains(&"-o") || args.contains(&"--output") => return None,
        ("export", "json") => "standings",
        ("export", "games-json") => "games",
        ("export", "records") => "record",
        ("export", "warnings") => "warning",
        _ if !is_json => return None,
        ("run" | "match" | "gate", _) | ("league", "run") => "run-line",
        ("league", "show") => "league",
        ("league", "trend") => "league-trend",
        ("rescore", _) if args.contains(&"--explain") => "explain",
        ("workers", _) => "workers",
        ("submit", _) => "submission",
        ("submissions", _) if args.contains(&"--log") => "submission",
        ("submissions", _) => "submissions",
        ("status", _) if args.contains(&"--duplicates") => "duplicates",
        ("standings", _) if is_of_file() => "file-standings",
        (
            "standings" | "crosstable" | "prizes" | "playoff" | "tour" | "plan" | "verify" | "pair" | "verify-pairings"
            | "generate" | "config" | "rescore" | "compare" | "status" | "check" | "doctor" | "stats" | "sprt"
            | "thinking" | "ladder",
            _,
        ) => command,
        ("explain", "round" | "trf") => "explain-round",
        ("explain", "game") => "explain-game",
        ("explain", _) => "explain",
        ("analyse", _) => "analysis",
        ("arbiter", "pairing") => "pairing",
        ("arbiter", "log") => "minutes",
        ("arbiter", _) => "act",
        ("roster", "show") => "roster",
        ("roster", "verify") => "roster-verify",
        _ => panic!("no schema is known of what `swissmatch {}` prints", args.join(" ")),
    })
}

/// Validates what a command has printed: one document, or one a line.
#[track_caller]
pub(crate) fn check_output(args: &[&str], printed: &[u8]) {
    let Some(schema) = of_command(args) else { return };
    let documents = serde_json::Deserializer::from_slice(printed).into_iter::<Value>();
    for document in documents {
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", args.join(" ")));
        check(schema, &document);
    }
}

/// Validates the files in a directory that the program writes as JSON, and the log of a run.
#[track_caller]
pub(crate) fn check_files(dir: &Path) {
    // A pipe or device in the place of a file is never opened.
    let is_there = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_file());
    for (name, schema) in FILES {
        let path = dir.join(name);
        if is_there(&path) {
            let text = std::fs::read_to_string(&path).expect("a text");
            check(schema, &serde_json::from_str(&text).expect("JSON"));
        }
    }
    let report = dir.join("report.html");
    if is_there(&report) {
        page::check_report(&std::fs::read_to_string(&report).expect("a text"));
    }
    let log = dir.join("run.sqlite");
    if is_there(&log) {
        check_log(&log);
    }
}

/// Validates every entry of a log, and the records and evaluations that entries point to.
#[track_caller]
fn check_log(log: &Path) {
    let log = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a log");
    let texts = |query: &str| -> Vec<(String, Value)> {
        let mut query = log.prepare(query).expect("the tables");
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?));
        let rows = query.query_map([], row).expect("rows");
        let rows = rows.map(|row| row.expect("a row"));
        rows.map(|(kind, body)| (kind, serde_json::from_str(&body).expect("JSON")))
            .collect()
    };
    for (kind, body) in texts("SELECT kind, body FROM entries") {
        assert_eq!(body["entry"], *kind);
        check("entry", &body);
    }
    for (pointer, schema) in [("record", "record"), ("evaluations", "evaluations")] {
        let pointed = format!(
            "SELECT blobs.hash, blobs.body FROM entries JOIN blobs ON blobs.hash = entries.body ->> '{pointer}'"
        );
        for (_, body) in texts(&pointed) {
            check(schema, &body);
        }
    }
}

#[test]
fn schemas_are_of_2020_12() {
    for (name, schema) in TEXTS.iter() {
        jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        validator(name);
    }
    assert!(!TEXTS.is_empty());
}

/// Whether a schema takes a document.
fn takes(schema: &str, document: &Value) -> bool {
    validator(schema).is_valid(document)
}

#[test]
fn fields_that_are_no_longer_what_a_schema_says_are_found() {
    for (schema, document) in [
        ("verify", json!({ "schema": 1, "right": true, "checks": [] })),
        (
            "entry",
            json!({ "entry": "acted", "act": "withdraw", "player": 3, "by": "N", "reason": "ill" }),
        ),
        (
            "entry",
            json!({ "entry": "stage-begun", "stage": 2, "players": [1, 3] }),
        ),
        (
            "live-line",
            json!({ "type": "refused", "schema": 1, "why": "an agent" }),
        ),
        ("run-line", json!({ "type": "warning", "schema": 1, "text": "odd" })),
        (
            "run-line",
            json!({ "type": "refused", "schema": 1, "exit_code": 4, "text": "no such file" }),
        ),
    ] {
        assert!(takes(schema, &document), "{document}");
        for key in document.as_object().expect("an object").keys() {
            let mut without = document.clone();
            let value = without.as_object_mut().expect("an object").remove(key);
            assert!(!takes(schema, &without), "{without}");
            let mut renamed = without;
            renamed[format!("{key}_")] = value.expect("it was there");
            assert!(!takes(schema, &renamed), "{renamed}");
        }
        let mut more = document;
        more["more"] = json!(1);
        assert!(!takes(schema, &more), "{more}");
    }
    for word in ["pause", "void"] {
        let document = json!({ "entry": "acted", "act": word, "by": "N", "reason": "rest" });
        assert_eq!(takes("entry", &document), word == "pause", "{document}");
    }
}

/// A run that is kept has every kind of entry.
#[test]
fn the_kept_run_is_as_the_schemas_say() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kept-run");
    let copy = tempfile::tempdir().expect("a directory");
    let files = std::fs::read_dir(kept).expect("the kept run").flatten();
    for entry in files.filter(|entry| entry.path().is_file()) {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("a file");
    }
    check_files(copy.path());
}

/// Those that `src/cli/console/line/tests.rs` has as text, but for the last ones, whose documents are not whole there.
#[test]
fn every_line_of_a_run_is_as_its_schema_says() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/console/line/tests.rs");
    let source = std::fs::read_to_string(source).expect("a text");
    let lines = source.lines().map(str::trim).filter(|line| line.starts_with("{\""));
    let lines = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    let lines: Vec<Value> = lines.filter(|line: &Value| line.get("standings").is_none()).collect();
    assert!(lines.len() > 12, "{lines:?}");
    for line in lines {
        check("run-line", &line);
    }
}

#[test]
fn every_act_is_as_its_schema_says() {
    let [player, other] = [1, 2].map(PairingNumber);
    let round = 3;
    let game = "3.1.1".parse().expect("a game");
    let agent = Agent {
        program: "agent".to_owned(),
        ..Agent::default()
    };
    let acts = [
        Act::Pause,
        Act::Resume,
        Act::StopAfterRound,
        Act::End,
        Act::Enter {
            player: Box::new(PlayerKeys::default()),
            agent: Box::new(agent),
        },
        Act::Withdraw { player },
        Act::Reinstate { player },
        Act::Disqualify { player, annul: true },
        Act::Absent { player, round },
        Act::Present { player, round },
        Act::RequestBye { player, round },
        Act::AwardBye {
            player,
            round,
            worth: ByeWorth::Half,
        },
        Act::Forbid {
            one: player,
            other,
            round,
        },
        Act::Force {
            white: player,
            black: other,
            round,
        },
        Act::Replay { game },
        Act::Void { game },
        Act::SetResult {
            game,
            outcome: Outcome::BothLose,
        },
        Act::Adjudicate {
            game,
            outcome: Outcome::Draw,
        },
        Act::Confirm {
            round,
            pairing: RoundPairing::default(),
        },
        Act::Release,
        Act::Announce {
            text: "Round 2 begins at noon".to_owned(),
        },
    ];
    for act in acts {
        let acted = ArbiterActed {
            act,
            by: "N".to_owned(),
            reason: "so".to_owned(),
            overruled: Vec::new(),
        };
        let entry = Entry::Acted(Box::new(acted));
        check("entry", &serde_json::to_value(entry).expect("plain data"));
    }
}

/// What no other test has printed.
#[test]
fn crosstables_and_findings_are_as_their_schemas_say() {
    for sections in [
        "",
        "sections = [{ name = \"High\", from = 1500 }, { name = \"Low\", to = 1499 }]",
    ] {
        let place = Place::new();
        let head = "preset = \"none\"\nswiss.rounds = 2\nmini_match.openings = \"none\"";
        let mut event = format!("{head}\n[event]\nname = \"tables\"\n{sections}\n");
        for (name, rating) in [
            ("A", 1900),
            ("B", 1800),
            ("C", 1700),
            ("D", 1400),
            ("E", 1300),
            ("F", 1200),
        ] {
            event += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{name}\"\nrating = {rating}\n");
        }
        place.play_by_script(&event, "run", |_| Outcome::WhiteWins);
        for command in ["crosstable", "standings", "status", "verify", "config"] {
            let subject = if command == "config" { "event.toml" } else { "run" };
            place.write("event.toml", &event);
            place.swissmatch(&[command, subject, "--json"]).expect_code(0);
        }
        for round in ["1", "2"] {
            let explained = place.swissmatch(&["explain", "round", round, "--run", "run", "--json"]);
            explained.expect_code(0);
        }
    }
}
