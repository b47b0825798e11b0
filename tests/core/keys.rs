//! Files that follow from the table of keys: each is what the table gives. `make docs` writes them.
#![expect(clippy::disallowed_methods, reason = "it reads and writes the files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use swissmatch::config::match_words::{self, How};
use swissmatch::config::{
    self, Class, ENDPOINT_KEYS, Flag, InitPlayer, KEYS, Key, NewEvent, PLAYER_KEYS, PRESETS, RULES_KEYS,
};

use super::tidy::{root, sources};

/// Set to write the files in place of comparing them.
const WRITE: &str = "SWISSMATCH_WRITE_DOCS";

/// A file of the repository is this text.
#[track_caller]
fn check(file: &str, text: &str) {
    let path = root().join(file);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, text).expect("it can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = there.lines().zip(text.lines()).find(|(there, wanted)| there != wanted);
    assert!(
        there == text,
        "{file} is not what the keys give: {differs:?}; write it with `make docs`"
    );
}

#[test]
fn docs_keys() {
    let mut text = HEAD.to_owned();
    let mut last = "";
    for key in KEYS.iter() {
        let (table, _) = key.table_and_name();
        if last != table {
            let _ = write!(text, "\n## `[{table}]`\n\n{COLUMNS}");
            last = table;
        }
        text += &row(key, &default_of(key));
    }
    let _ = write!(text, "\n## `[endpoint.NAME]`\n\n{COLUMNS}");
    for key in ENDPOINT_KEYS.iter() {
        let default = default_of(key);
        text += &row(key, if key.is_required() { MUST } else { &default });
    }
    let _ = write!(text, "\n## `[[rules]]`\n\n{OF_RULES}\n{COLUMNS}");
    for key in RULES_KEYS.iter() {
        text += &row(key, MUST);
    }
    let _ = write!(text, "\n## `[[player]]`\n\n{COLUMNS}");
    for key in PLAYER_KEYS.iter() {
        let such_as = key
            .example
            .map_or_else(String::new, |example| format!("such as `{example}`"));
        text += &row(key, if key.is_required() { MUST } else { &such_as });
    }
    check("docs/keys.md", &text);
}

const OF_RULES: &str = "\
Rules of a ladder that change in mid-season (docs/ladder.md). Below a table stand the keys that change: any of `[rules.game]` and
`[rules.adjudication]`, `max_unpacked` and `per_day` of `[rules.submissions]`, `start_limit` of `[rules.engine]`.
";
const MUST: &str = "must be given";

fn default_of<T: Default>(key: &Key<T>) -> String {
    key.default_value()
        .map_or_else(String::new, |value| format!("`{value}`"))
}

const HEAD: &str = "\
# Every key of an event file

An event file is TOML. `preset` names the rule set that it begins with, `global-chess-challenge` if it is left out; every other key
overrides the preset, and a flag overrides both. Defaults are those of the preset `none`; `swissmatch config --preset NAME` prints those of
another, and `swissmatch config event.toml` every value of an event and where it came from. `swissmatch init` writes a short event file.

`swissmatch run` goes on with another value of a key only if the last column says so.

`swissmatch config --schema > event.schema.json` writes a JSON Schema. An editor that checks TOML against schemas (with taplo, as Even Better
TOML does) completes and checks keys if the event file begins with the line `#:schema ./event.schema.json`. `swissmatch config` also checks
combinations.

`make docs` writes this page from the table of keys.
";
const COLUMNS: &str = "| key | takes | default | meaning | may change |\n|---|---|---|---|---|\n";

fn row<T>(key: &Key<T>, default: &str) -> String {
    let class = match key.class {
        _ if !key.stands_for.is_empty() => "",
        Class::Results => "no",
        Class::Output | Class::Beginning | Class::Private => "yes",
    };
    let (_, name) = key.table_and_name();
    let cells = [&format!("`{name}`"), key.expected.as_str(), default, key.doc, class];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// The options of fastchess and cutechess-cli.
#[test]
fn docs_match() {
    let mut text = HEAD_OF_MATCH.to_owned();
    for row in match_words::rows() {
        let what = match row.how {
            How::Honoured(how) => how.to_owned(),
            How::Refused(why, instead) => format!("**refused**: {why}; instead: {instead}"),
        };
        let words = match (row.is_case, row.word) {
            (_, "") => format!("`{}`", row.option),
            (false, word) => format!("`{} {word}`", row.option),
            (true, case) => format!("`{}`: {case}", row.option),
        };
        let _ = writeln!(text, "| {words} | {} | {what} |", row.peers.name());
    }
    check("docs/match.md", &text);
}

const HEAD_OF_MATCH: &str = include_str!("../data/docs/match-head.md");

#[test]
fn the_json_schema() {
    check(
        "docs/schema/event.schema.json",
        &format!("{:#}\n", config::json_schema()),
    );
}

/// What `swissmatch init` writes.
#[test]
fn a_new_event_file() {
    let players = ["A", "B"].map(|name| InitPlayer {
        name: name.to_owned(),
        command: format!("./{name}"),
        args: Vec::new(),
        dir: None,
    });
    check(
        "tests/data/config/init.toml",
        &NewEvent::of_players(&players).file().text,
    );
}

const EVENT: &str = include_str!("../data/config/event.toml");

/// Every value of an event and its origin, as `swissmatch config` shows them.
#[test]
fn an_effective_configuration() {
    let flags = [Flag::new("--concurrency", "run.concurrency", "4")];
    let loaded = config::load(Path::new("event.toml"), EVENT, &flags).unwrap_or_else(|error| panic!("{error}"));
    check("tests/data/config/effective.toml", &config::effective(&loaded));
}

/// TOML as editors hand it to a schema.
fn as_json(value: toml::Value) -> Json {
    match value {
        toml::Value::Datetime(moment) => Json::String(moment.to_string()),
        toml::Value::Array(values) => values.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(name, value)| (name, as_json(value))).collect(),
        other => serde_json::to_value(other).expect("plain data"),
    }
}

/// What the schema has against a text, if anything.
fn problem(text: &str) -> Option<String> {
    let validator = jsonschema::draft202012::new(&config::json_schema()).expect("a schema");
    let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let error = validator.validate(&as_json(table.into())).err()?.to_string();
    Some(error)
}

#[test]
fn the_schema_takes_what_ships() {
    jsonschema::draft202012::meta::validate(&config::json_schema()).expect("a schema of 2020-12");
    let files = std::fs::read_dir(root().join("configs"))
        .expect("it is there")
        .flatten();
    let paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    let events = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let texts = events.map(|path| std::fs::read_to_string(path).expect("a text"));
    let presets = PRESETS.map(|(name, _)| config::preset_text(name).expect("it is there"));
    let mut count = 0;
    for text in texts.chain(presets) {
        assert_eq!(problem(&text), None, "{text}");
        count += 1;
        let Ok(loaded) = config::load(Path::new("event.toml"), &text, &[]) else {
            continue;
        };
        let effective = config::effective(&loaded);
        assert_eq!(problem(&effective), None, "{effective}");
    }
    assert!(count > PRESETS.len(), "{count}");
    // What init writes; and every key, with an example of each that a player can have.
    let file = NewEvent::of_players(&[]).file().text;
    assert_eq!(problem(&file), None, "{file}");
    let all = config::preset_text("none").expect("it is there");
    let examples = PLAYER_KEYS.iter().filter_map(|key| Some((key.path, key.example?)));
    // A player has one of these.
    let who = [
        "player.command",
        "player.model",
        "player.move_command",
        "player.move_url",
    ];
    let examples = examples.filter(|(path, _)| !who.contains(path));
    let examples = examples.map(|(path, example)| format!("{} = {example}\n", path.trim_start_matches("player.")));
    let player = "[[player]]\nname = \"A\"\ncommand = \"./A\"\n";
    let taken = format!("{all}{player}{}", examples.collect::<String>());
    assert_eq!(problem(&taken), None, "{taken}");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let player = "[[player]]\nname = \"A\"\ncommand = \"a\"\n";
    assert_eq!(problem(player), None);
    for wrong in [
        "preset = \"nobody\"",
        "swiss.ronds = 5",
        "swis.rounds = 5",
        "swiss.rounds = 0",
        "swiss.pairing = \"dutsch\"",
        "game.attempts = \"3\"",
        "game.attempts = 0",
        "game.ponder = 1",
        "game.max_moves = \"nome\"",
        "game.margin = \"50\"",
        "mini_match.games = 3",
        "scoring.game = [1, 0.5]",
        "scoring.game = { win = 1, draw = 0.5 }",
        "bye.order = []",
        "bye.requests = [{ rounds = 5 }]",
        "swiss.keep_apart = [\"team\", \"team\"]",
        "event.stages = [{ top = 8 }]",
        "event.sections = [{ name = \"Open\", form = 2000 }]",
        "event.sections = [{ name = \"Open\", prizes = { money = 5 } }]",
        "playoff.stages = [{ kind = \"round-robin\", two = \"8:00+3\" }]",
        "playoff.stages = [{ kind = \"blitz\" }]",
        "prizes.by_place = [{ mony = 5 }]",
        "engine.options = { Hash = [] }",
        "eligibility.baseline = { args = [] }",
        "model.take = \"any\"",
        "model.response_format = \"json\"",
        "model.top_p = 2",
        "spending.at_limit = \"stop\"",
        "endpoint.url = \"http://a/v1\"",
        "endpoint.a = { at_once = 5 }",
        "endpoint.a = { url = \"ftp://a/v1\" }",
        "endpoint.a = { url = \"http://a/v1\", price = { input = 1 } }",
        "endpoint.\"a b\" = { url = \"http://a/v1\" }",
        "player = [{ name = \"A\" }]",
        "player = [{ name = \"A\", command = \"a\", model = \"a:b\" }]",
        "player = [{ name = \"A\", model = \"b\" }]",
        "player = [{ name = \"A\", move_url = \"a.example.org\" }]",
        "player = [{ name = \"A\", command = \"a\", raiting = 1 }]",
        "player = [{ name = \"A\", command = \"a\", byes = [0] }]",
        "player = [{ name = \"A\", command = \"a\", armageddon = \"red\" }]",
        "player = [{ name = \"A\", command = \"a\", env = { \"1\" = \"a\" } }]",
    ] {
        assert!(problem(wrong).is_some(), "{wrong}");
        let text = if wrong.contains("player") {
            wrong.to_owned()
        } else {
            format!("{wrong}\n{player}")
        };
        assert!(config::load(Path::new("event.toml"), &text, &[]).is_err(), "{wrong}");
    }
}

/// A field of a table of `Setup`, or of a player or an endpoint.
pub(super) struct SetupField {
    /// `swiss`, … or `player` or `endpoint`.
    pub(super) table: String,
    pub(super) name: String,
    /// Whether it stands in logs.
    pub(super) is_stored: bool,
}

/// Every field of every table, as the code declares them.
pub(super) fn fields_of_setup() -> Vec<SetupField> {
    let sources = sources("crates/swissmatch-tournament/src/setup")
        .into_iter()
        .map(|(_, text)| text);
    let own = std::fs::read_to_string(root().join("crates/swissmatch-tournament/src/setup.rs")).expect("the file");
    let items = sources
        .chain([own])
        .flat_map(|text| syn::parse_file(&text).expect("it compiles").items);
    let structs = items.filter_map(|item| match item {
        syn::Item::Struct(found) => Some((found.ident.to_string(), found.fields)),
        _ => None,
    });
    let structs: BTreeMap<String, syn::Fields> = structs.collect();
    let name = |field: &syn::Field| field.ident.as_ref().expect("a name").to_string().replace("r#", "");
    let is_skipped = |attribute: &syn::Attribute| {
        attribute.path().is_ident("serde") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "skip")
    };
    let tables = structs["Setup"].iter().filter_map(|table| {
        let syn::Type::Path(path) = &table.ty else { return None };
        let keys = path.path.get_ident().map(ToString::to_string);
        Some((name(table), structs.get(&keys?)?))
    });
    let lists = [("player", "PlayerKeys"), ("endpoint", "EndpointKeys")];
    let tables = tables.chain(lists.map(|(table, keys)| (table.to_owned(), &structs[keys])));
    let fields: Vec<SetupField> = tables
        .flat_map(|(table, fields)| {
            fields.iter().map(move |field| SetupField {
                table: table.clone(),
                name: name(field),
                is_stored: !field.attrs.iter().any(is_skipped),
            })
        })
        .collect();
    assert!(fields.len() > 130, "{} fields", fields.len());
    fields
}

/// A field of which no key is declared could never be set.
#[test]
fn every_field_has_its_key() {
    let declared: BTreeSet<&str> = KEYS
        .iter()
        .map(|key| key.path)
        .chain(ENDPOINT_KEYS.iter().map(|key| key.path))
        .chain(PLAYER_KEYS.iter().map(|key| key.path))
        .collect();
    for SetupField { table, name, .. } in fields_of_setup() {
        let paths = match (table.as_str(), name.as_str()) {
            // A part of the table's own name.
            ("endpoint", "name") => Vec::new(),
            // Each of its fields is a key of a player.
            ("player", "model_keys") => Vec::new(),
            // What was handed in says it.
            ("player", "submission" | "ladder") | ("ladder", "round") | ("submissions", "packages") => Vec::new(),
            ("model", name) => vec![format!("model.{name}"), format!("player.{name}")],
            (table, name) => vec![format!("{table}.{name}")],
        };
        for path in paths {
            assert!(declared.contains(path.as_str()), "no key! is declared for {path}");
        }
    }
}
