//! The schemas in `docs/schema`, beside the code: they name its words and no others, and leave no object open.
#![expect(clippy::disallowed_methods, reason = "it reads the schemas and the source")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use syn::{Attribute, Item, ItemEnum, Lit};

use super::keys::{SetupField, fields_of_setup};

/// Sets of words in `common.schema.json`, each with the file of its enum and the enum's name.
const ENUMS: [(&str, &str, &str); 71] = [
    (
        "acceleration-rule",
        "crates/swissmatch-tournament/src/setup/swiss.rs",
        "AccelerationRule",
    ),
    ("again-prompt", "crates/swissmatch-broker/src/manner.rs", "Again"),
    ("keep", "crates/swissmatch-broker/src/manner.rs", "Keep"),
    ("rationale", "crates/swissmatch-broker/src/manner.rs", "Rationale"),
    (
        "armageddon-colors",
        "crates/swissmatch-tournament/src/playoff_rules.rs",
        "Colors",
    ),
    (
        "asks",
        "crates/swissmatch-tournament/src/playoff/stand.rs",
        "QuestionSubject",
    ),
    (
        "at-limit",
        "crates/swissmatch-tournament/src/setup/service.rs",
        "AtLimit",
    ),
    (
        "black-wins",
        "crates/swiss-system/src/standings/unplayed.rs",
        "BlackWins",
    ),
    ("bye-again", "crates/swissmatch-tournament/src/setup/bye.rs", "ByeAgain"),
    (
        "bye-criterion",
        "crates/swiss-system/src/pairing/bye.rs",
        "ByeCriterion",
    ),
    ("bye-ground", "crates/swiss-system/src/pairing/bye/steps.rs", "Ground"),
    ("bye-worth", "crates/swissmatch-tournament/src/log/act.rs", "ByeWorth"),
    ("check-status", "crates/swissmatch-game/src/conformance.rs", "Status"),
    ("check-step", "crates/swissmatch-game/src/conformance.rs", "CheckStep"),
    (
        "check-verdict",
        "crates/swissmatch-game/src/conformance.rs",
        "CheckVerdict",
    ),
    (
        "clock-start",
        "crates/swissmatch-tournament/src/setup/schedule.rs",
        "ClockStart",
    ),
    ("color", "crates/swiss-system/src/pairing/history.rs", "FirstColor"),
    (
        "color-rule",
        "crates/swiss-system/src/pairing/dutch/rules.rs",
        "ColorRule",
    ),
    ("decides", "crates/swissmatch-game/src/adjudicate.rs", "Decides"),
    ("dialect", "crates/swissmatch-broker/src/manner.rs", "Dialect"),
    (
        "disqualified",
        "crates/swissmatch-tournament/src/setup.rs",
        "DisqualificationEffect",
    ),
    ("draw", "crates/swissmatch-tournament/src/log/playoff.rs", "Draw"),
    (
        "entrants",
        "crates/swissmatch-tournament/src/setup/after.rs",
        "Entrants",
    ),
    ("evidence", "crates/swissmatch-tournament/src/setup/run.rs", "Evidence"),
    (
        "failed-attempt-kind",
        "crates/swissmatch-game/src/record/attempt.rs",
        "AttemptEnd",
    ),
    ("flag-fall", "crates/swissmatch-game/src/flag_fall.rs", "FlagFall"),
    (
        "format",
        "crates/swiss-system/src/pairing/rounds.rs",
        "TournamentFormat",
    ),
    ("games-are", "crates/swissmatch-report/src/page/model.rs", "GameStorage"),
    ("gate-outcome", "crates/swissmatch-report/src/gate.rs", "Outcome"),
    (
        "head-to-head-days",
        "crates/swissmatch-tournament/src/setup/after.rs",
        "HeadToHeadDays",
    ),
    (
        "initial-color",
        "crates/swissmatch-tournament/src/setup/swiss.rs",
        "InitialColor",
    ),
    ("kinship", "crates/swissmatch-tournament/src/setup/swiss.rs", "Kinship"),
    ("light", "crates/swissmatch-report/src/check.rs", "Light"),
    ("limit", "crates/swissmatch-tournament/src/log/act.rs", "Limit"),
    ("mean", "crates/swissmatch-tournament/src/setup/analysis.rs", "Mean"),
    (
        "missed-rounds",
        "crates/swissmatch-tournament/src/setup/arbiter.rs",
        "MissedRounds",
    ),
    ("move-notation", "crates/swissmatch-broker/src/manner.rs", "Notation"),
    ("no-show", "crates/swissmatch-tournament/src/setup/faults.rs", "NoShow"),
    ("notation", "crates/swissmatch-game/src/notation.rs", "Notation"),
    (
        "numbered",
        "crates/swissmatch-tournament/src/playoff/stand.rs",
        "ContestNumbering",
    ),
    (
        "opening-order",
        "crates/swissmatch-tournament/src/setup/mini_match.rs",
        "OpeningOrder",
    ),
    (
        "opening-policy",
        "crates/swissmatch-tournament/src/setup/mini_match.rs",
        "OpeningPolicy",
    ),
    (
        "pairing-edition",
        "crates/swiss-system/src/pairing/dutch/rules.rs",
        "DutchEdition",
    ),
    (
        "pairing-system",
        "crates/swiss-system/src/pairing/system.rs",
        "PairingSystem",
    ),
    ("pgn-extra", "crates/swissmatch-tournament/src/setup/run.rs", "PgnExtra"),
    ("pinning", "crates/swissmatch-tournament/src/setup/run.rs", "Pinning"),
    (
        "playoff-when",
        "crates/swissmatch-tournament/src/setup/after.rs",
        "PlayoffWhen",
    ),
    (
        "level-tie",
        "crates/swissmatch-tournament/src/setup/after.rs",
        "LevelTie",
    ),
    ("third", "crates/swissmatch-tournament/src/setup/after.rs", "Third"),
    ("both-failed", "crates/swissmatch-game/src/termination.rs", "BothFailed"),
    ("claims", "crates/swissmatch-game/src/rules.rs", "Claims"),
    ("plies-from", "crates/swissmatch-game/src/rules.rs", "PliesFrom"),
    (
        "presence-check",
        "crates/swissmatch-tournament/src/setup/schedule.rs",
        "PresenceCheck",
    ),
    ("device", "crates/swissmatch-game/src/isolation.rs", "Device"),
    ("isolation", "crates/swissmatch-game/src/isolation.rs", "Isolation"),
    ("protection", "crates/swissmatch-game/src/isolation.rs", "Protection"),
    ("resource", "crates/swissmatch-game/src/resource.rs", "Resource"),
    ("restart", "crates/swissmatch-tournament/src/setup/engine.rs", "Restart"),
    ("result", "crates/swissmatch-game/src/termination.rs", "Outcome"),
    ("scores", "crates/swissmatch-game/src/evaluation.rs", "ScoreChoice"),
    ("seeding", "crates/swissmatch-tournament/src/setup/swiss.rs", "Seeding"),
    ("side", "crates/swissmatch-game/src/lib.rs", "Side"),
    ("stop-reason", "crates/swissmatch-stats/src/stop.rs", "StopReason"),
    ("take", "crates/swissmatch-broker/src/manner.rs", "Take"),
    (
        "tablebase-verdict",
        "crates/swissmatch-game/src/adjudicate.rs",
        "TablebaseVerdict",
    ),
    (
        "termination",
        "crates/swissmatch-game/src/termination.rs",
        "Termination",
    ),
    (
        "tie-break-edition",
        "crates/swiss-system/src/standings/unplayed.rs",
        "TieBreakEdition",
    ),
    ("tied-on", "crates/swissmatch-tournament/src/setup/after.rs", "TiedOn"),
    ("token-key", "crates/swissmatch-broker/src/manner.rs", "TokenKey"),
    (
        "tpn-parity",
        "crates/swiss-system/src/pairing/dutch/rules.rs",
        "TpnParity",
    ),
    ("variant", "crates/swissmatch-game/src/variant.rs", "Variant"),
];
/// Sets of words that are no enum of their own, each with the file that writes them.
const TEXTS: [(&str, &str); 13] = [
    ("awaited", "crates/swissmatch-report/src/waiting.rs"),
    ("choice", "crates/swissmatch-report/src/explain.rs"),
    ("contest-kind", "crates/swissmatch-report/src/playoff.rs"),
    ("fate", "crates/swissmatch-report/src/crosstable/json.rs"),
    ("fault-of", "crates/swissmatch-report/src/games.rs"),
    ("mini-match-result", "crates/swissmatch-report/src/crosstable/json.rs"),
    ("pairing-verdict", "src/cli/verify_pairings.rs"),
    ("prize-kind", "crates/swissmatch-report/src/prizes.rs"),
    ("prize-pending-kind", "crates/swissmatch-report/src/prizes.rs"),
    ("qualified", "crates/swissmatch-report/src/tour.rs"),
    ("reason-out", "crates/swissmatch-report/src/explain.rs"),
    ("ruling", "crates/swissmatch-report/src/games.rs"),
    ("warning-kind", "crates/swissmatch-game/src/claims.rs"),
];
/// What differs by a word, each with the file of its enum, the enum's name, the schema and the key of the word.
const TAGGED: [(&str, &str, &str, &str); 4] = [
    ("crates/swissmatch-tournament/src/log/mod.rs", "Entry", "entry", "entry"),
    (
        "crates/swissmatch-tournament/src/log/act.rs",
        "Act",
        "common#act",
        "act",
    ),
    ("src/cli/console/line.rs", "RunLine", "run-line", "type"),
    (
        "crates/swissmatch-tournament/src/live.rs",
        "LiveLine",
        "live-line",
        "type",
    ),
];
/// Schemas of what is stored, which has a version by another name.
const STORED: [&str; 5] = ["anchor-line", "eligibility", "entry", "evaluations", "record"];
/// The schema of what programs of others write, which has none.
const OF_OTHERS: &str = "answer";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The schemas that are kept by hand, by their names.
fn schemas() -> BTreeMap<String, Value> {
    let files = std::fs::read_dir(root().join("docs/schema"))
        .expect("it is there")
        .flatten();
    let names = files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".schema.json")?.to_owned()));
    let names = names.filter(|name| name != "event");
    let read = |name: String| {
        let schema = serde_json::from_str(&text(&format!("docs/schema/{name}.schema.json"))).expect("JSON");
        (name, schema)
    };
    names.map(read).collect()
}

/// The text behind `key = ` in the `serde` attributes.
fn serde_text(attributes: &[Attribute], key: &str) -> Option<String> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let read = attribute.parse_nested_meta(|meta| {
            if let Ok(value) = meta.value() {
                let literal: Lit = value.parse()?;
                if let (true, Lit::Str(text)) = (meta.path.is_ident(key), literal) {
                    found = Some(text.value());
                }
            }
            Ok(())
        });
        read.expect("attributes of serde");
    }
    found
}

/// A name as `rename_all` writes it.
fn renamed(name: &str, rule: &str) -> String {
    let between = if rule == "kebab-case" { "-" } else { "" };
    let mut written = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !written.is_empty() {
            written += between;
        }
        written.extend(letter.to_lowercase());
    }
    written
}

/// The words of an enum of a file: those of `words!`, or those that serde writes.
fn words(file: &str, name: &str) -> BTreeSet<String> {
    let text = text(file);
    if let Some((_, rest)) = text.split_once(&format!("words!({name} {{")) {
        let (list, _) = rest.split_once("});").expect("its end");
        return list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    }
    let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let is_it = |item: &Item| matches!(item, Item::Enum(found) if found.ident == name);
    let Some(Item::Enum(ItemEnum { attrs, variants, .. })) = code.items.into_iter().find(is_it) else {
        panic!("{file} has no enum {name}");
    };
    let rule = serde_text(&attrs, "rename_all").unwrap_or_else(|| panic!("{file}: how {name} is written"));
    let word = |variant: &syn::Variant| {
        let own = serde_text(&variant.attrs, "rename");
        own.unwrap_or_else(|| renamed(&variant.ident.to_string(), &rule))
    };
    variants.iter().map(word).collect()
}

fn texts(list: &Value) -> BTreeSet<String> {
    let texts = list.as_array().expect("a list").iter();
    texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

#[test]
fn schemas_name_the_words_of_the_code() {
    let common = &schemas()["common"]["$defs"];
    for (set, file, name) in ENUMS {
        assert_eq!(
            texts(&common[set]["enum"]),
            words(file, name),
            "{set}: {name} in {file}"
        );
    }
    for (set, file) in TEXTS {
        let code = text(file);
        for word in texts(&common[set]["enum"]) {
            assert!(code.contains(&format!("\"{word}\"")), "{set}: {word} is not in {file}");
        }
    }
    let known: BTreeSet<&str> = ENUMS.iter().map(|set| set.0).chain(TEXTS.map(|set| set.0)).collect();
    let sets = common.as_object().expect("definitions").iter();
    let sets: BTreeSet<&str> = sets
        .filter(|(_, set)| set.get("enum").is_some())
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(sets, known);
}

#[test]
fn schemas_have_each_kind_of_the_code() {
    let schemas = schemas();
    for (file, name, schema, key) in TAGGED {
        let whole = match schema.split_once('#') {
            Some((schema, part)) => &schemas[schema]["$defs"][part],
            None => &schemas[schema],
        };
        let kinds = whole["oneOf"].as_array().expect("one of several").iter();
        let kinds: Vec<String> = kinds
            .map(|kind| kind["properties"][key]["const"].as_str().expect("a word").to_owned())
            .collect();
        assert_eq!(kinds.len(), words(file, name).len(), "{schema}");
        assert_eq!(
            kinds.into_iter().collect::<BTreeSet<_>>(),
            words(file, name),
            "{schema}"
        );
    }
}

/// A key that a log has and the schemas do not name would make every document with a setup wrong.
#[test]
fn every_field_of_the_setup_has_its_schema() {
    let common = &schemas()["common"]["$defs"];
    for SetupField { table, name, .. } in fields_of_setup().into_iter().filter(|field| field.is_stored) {
        let schema = match table.as_str() {
            "player" => &common["setup"]["properties"]["players"]["items"],
            "endpoint" => &common["setup"]["properties"]["endpoints"]["items"],
            table => &common["setup"]["properties"][table],
        };
        let keys = schema["$ref"]
            .as_str()
            .and_then(|to| to.strip_prefix("#/$defs/"))
            .expect("a definition");
        let known = &common[keys]["properties"];
        assert!(
            known.get(&name).is_some(),
            "docs/schema/common.schema.json: {keys} lacks `{name}`"
        );
    }
}

/// Where a schema describes an object and lets fields pass that it does not name.
fn open_objects(schema: &Value, at: &str, found: &mut Vec<String>) {
    let Some(fields) = schema.as_object() else {
        for (number, item) in schema.as_array().into_iter().flatten().enumerate() {
            open_objects(item, &format!("{at}/{number}"), found);
        }
        return;
    };
    let is_closed = fields.contains_key("additionalProperties") || fields.contains_key("unevaluatedProperties");
    if fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("type") && !is_closed {
        found.push(at.to_owned());
    }
    for (name, inner) in fields {
        open_objects(inner, &format!("{at}/{name}"), found);
    }
}

#[test]
fn objects_have_no_fields_that_a_schema_does_not_name() {
    let mut found = Vec::new();
    for (name, schema) in schemas() {
        open_objects(&schema, &name, &mut found);
    }
    // Closed where they are used, with more fields beside theirs.
    found.retain(|at| !at.starts_with("common/$defs/act/") && at != "common/$defs/setup");
    assert_eq!(found, [""; 0]);
}

/// Every document that a schema describes names its version.
#[test]
fn every_document_has_its_version() {
    for (name, schema) in schemas() {
        if name == "common" || name == OF_OTHERS || STORED.contains(&name.as_str()) {
            continue;
        }
        let kinds = schema["oneOf"]
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![schema.clone()]);
        for kind in kinds {
            let local = kind["$ref"].as_str().and_then(|at| at.strip_prefix("#/$defs/"));
            let kind = local.map_or(&kind, |definition| &schema["$defs"][definition]);
            assert!(texts(&kind["required"]).contains("schema"), "{name}");
            assert!(kind["properties"]["schema"]["const"].is_u64(), "{name}");
        }
    }
}

#[test]
fn the_table_lists_every_schema() {
    let table = text("docs/schema/README.md");
    for name in schemas().into_keys() {
        assert!(table.contains(&format!("({name}.schema.json)")), "{name}");
    }
}
