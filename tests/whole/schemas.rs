//! All JSON that the program gives out, beside its schema in `docs/schema`: whatever a test has it print or write is validated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::{Registry, Validator};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

/// Where the schemas are taken to lie, so that they find each other.
const BASE: &str = "https://swissmatch.invalid/";
/// How the name of a schema's file ends.
const END: &str = ".schema.json";
/// Files of a run's directory and beside it, with the schema of each.
const FILES: [(&str, &str); 7] = [
    ("standings.json", "standings"),
    ("playoff.json", "playoff"),
    ("prizes.json", "prizes"),
    ("tour.json", "tour"),
    ("analysis.json", "analysis"),
    ("manifest.json", "manifest"),
    ("eligibility.json", "eligibility"),
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

static VALIDATORS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let validator = |name: &'static String| {
        let whole = json!({ "$ref": format!("{BASE}{name}{END}") });
        let options = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .with_registry(&REGISTRY);
        (name.as_str(), options.build(&whole).expect("a schema"))
    };
    TEXTS.keys().map(validator).collect()
});

/// Asserts that JSON is as its schema says.
#[track_caller]
pub(crate) fn check(schema: &str, found: &Value) {
    let validator = VALIDATORS
        .get(schema)
        .unwrap_or_else(|| panic!("docs/schema/{schema}{END} is missing"));
    let problems: Vec<String> = validator
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
        ("run", _) => "run-line",
        ("rescore", _) if args.contains(&"--explain") => "explain",
        ("status", _) if args.contains(&"--duplicates") => "duplicates",
        ("standings", _) if is_of_file() => "file-standings",
        (
            "standings" | "crosstable" | "prizes" | "playoff" | "tour" | "plan" | "verify" | "pair" | "verify-pairings"
            | "generate" | "report" | "config" | "rescore" | "status" | "check",
            _,
        ) => command,
        ("explain", "round" | "trf") => "explain-round",
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

/// Validates every file in a directory, and below it, that the program writes as JSON.
#[track_caller]
pub(crate) fn check_files(dir: &Path) {
    for path in files(dir) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "run.sqlite" {
            check_log(&path);
        }
        let Some((_, schema)) = FILES.iter().find(|(file, _)| *file == name) else {
            continue;
        };
        let text = std::fs::read_to_string(&path).expect("a text");
        check(schema, &serde_json::from_str(&text).expect("JSON"));
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

/// All plain files in a directory and below it.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

#[test]
fn schemas_are_of_2020_12() {
    for (name, schema) in TEXTS.iter() {
        jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    assert!(!VALIDATORS.is_empty());
}
