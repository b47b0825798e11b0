//! The database that `export sqlite` writes, and the SQL views of a log, as somebody reads them who knows SQL and docs/database.md.

mod compared;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use swissmatch::game::Side;
use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;

use crate::resume::tiny_event;
use crate::support::{Place, engine, opened};

const PAGE: &str = include_str!("../../docs/database.md");

pub(crate) fn read_only(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("it opens")
}

/// Exports a run of the place as `NAME.db`.
pub(crate) fn export(place: &Place, run: &str) -> Connection {
    let name = format!("{run}.db");
    let exported = place.swissmatch(&["export", "sqlite", run, "--output", &name]);
    exported.expect_code(0);
    assert_eq!(exported.stdout(), "");
    read_only(&place.path(&name))
}

/// The rows of a query, by the names of their columns.
fn rows(database: &Connection, query: &str) -> Vec<BTreeMap<String, Value>> {
    let mut statement = database
        .prepare(query)
        .unwrap_or_else(|error| panic!("{query}: {error}"));
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let row = |row: &rusqlite::Row<'_>| {
        let cells = names.iter().enumerate().map(|(at, name)| {
            let cell = match row.get(at)? {
                Cell::Null => Value::Null,
                Cell::Integer(number) => number.into(),
                Cell::Real(number) => number.into(),
                Cell::Text(text) => text.into(),
                Cell::Blob(_) => panic!("{name} is no text"),
            };
            Ok((name.clone(), cell))
        });
        cells.collect::<rusqlite::Result<BTreeMap<_, _>>>()
    };
    let rows = statement.query_map([], row).expect("rows");
    rows.map(|row| row.unwrap_or_else(|error| panic!("{query}: {error}")))
        .collect()
}

fn count(database: &Connection, query: &str) -> i64 {
    let read = database.query_row(query, [], |row| row.get(0));
    read.unwrap_or_else(|error| panic!("{query}: {error}"))
}

/// Copies a run that was stored once.
fn kept(place: &Place, name: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::create_dir(place.path(name)).expect("a directory");
    std::fs::copy(from.join("run.sqlite"), place.path(&format!("{name}/run.sqlite"))).expect("a copy");
}

/// A run in which agents crash and answer nonsense, and forfeit what is left of their mini-matches.
fn with_faults(place: &Place) {
    let mut event = tiny_event().replace("games = 2", "games = 4");
    event += "[faults]\nforfeit_after = 2\n";
    event = event.replace("nodes = 50", "nodes = 50\nattempts = 2");
    for (name, fault) in [("Crasher", "exit"), ("Liar", "illegal")] {
        let agent = engine("fault-agent");
        event += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"{fault}\", \"--every\"]\nrating = 1400\n"
        );
    }
    place.write("faults.toml", &event);
    let ran = place.swissmatch(&["run", "faults.toml", "--out", "faults"]);
    assert!(
        matches!(ran.output.status.code(), Some(0 | 3)),
        "{}{}",
        ran.stdout(),
        ran.stderr()
    );
}

/// A result that looks like chance and follows from the game alone.
fn by_numbers(spec: &GameSpec) -> Outcome {
    match (spec.white.0 * 7 + spec.black.0 * 13 + spec.id.round * 5 + spec.id.game) % 5 {
        0 | 1 => Outcome::Draw,
        2 => Outcome::win(Side::Black),
        _ => Outcome::win(Side::White),
    }
}

/// Two sections with an odd number of players each, one of which plays a round more.
fn with_sections(place: &Place) {
    let mut event = "[event]\nname = \"Halls\"\nsections = [{ name = \"Open\", from = 2000, format = \"3-SS\" }, \
                     { name = \"Under 2000\", to = 1999, format = \"2-SS\" }]\n[mini_match]\ngames = 2\nopenings = \"none\"\n"
        .to_owned();
    for (name, rating) in [("O", 2100), ("U", 1900)] {
        for number in 1..=5 {
            // Ratings in turn, so that numbers in a section are none of the event.
            let rating = rating - number;
            event += &format!("[[player]]\nname = \"{name}{number}\"\ncommand = \"x\"\nrating = {rating}\n");
        }
    }
    place.play_by_script(&event, "sections", by_numbers);
}

fn check_whole(database: &Connection) {
    let check: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("a check");
    assert_eq!(check, "ok");
    assert_eq!(rows(database, "PRAGMA foreign_key_check"), []);
}

#[test]
fn it_says_what_the_other_exports_say() {
    let place = Place::new();
    for name in ["kept-run", "kept-run-decided", "kept-run-interrupted"] {
        kept(&place, name);
    }
    with_faults(&place);
    with_sections(&place);
    for run in [
        "kept-run",
        "kept-run-decided",
        "kept-run-interrupted",
        "faults",
        "sections",
    ] {
        let database = export(&place, run);
        check_whole(&database);
        compared::check_games(&place, run, &database);
        compared::check_moves(&place, run, &database);
        compared::check_standings(&place, run, &database);
        compared::check_rounds(&place, run, &database);
    }
    let faults = read_only(&place.path("faults.db"));
    let kinds = "SELECT count(DISTINCT fault) FROM faults WHERE fault IN ('illegal', 'illegal-move', 'crash')";
    assert_eq!(count(&faults, kinds), 3);
    assert!(count(&faults, "SELECT count(*) FROM games WHERE NOT was_played") > 0);
    let kept = read_only(&place.path("kept-run.db"));
    let head = rows(&kept, "SELECT event, rounds, is_over, log_entry FROM meta");
    assert_eq!(
        json!(head),
        json!([{ "event": "Kept run", "rounds": 4, "is_over": 1, "log_entry": 64 }])
    );
    let ranking = rows(
        &kept,
        "SELECT place, name FROM ranking WHERE round = 4 AND place <= 2 ORDER BY place",
    );
    let document = place.export_json("kept-run", "json");
    assert_eq!(ranking[0]["name"], document["ranking"][0]["name"]);
    assert_eq!(count(&kept, "SELECT count(*) FROM analysis WHERE accuracy > 0") % 2, 0);
    assert!(count(&kept, "SELECT count(*) FROM analysis") > 0);
    let in_playoffs = "SELECT count(*) FROM mini_matches WHERE playoff > 0 AND part IS NULL AND contest IS NOT NULL";
    assert!(count(&kept, in_playoffs) > 0);
    let sections = read_only(&place.path("sections.db"));
    let rounds = rows(
        &sections,
        "SELECT name, (SELECT max(round) FROM standings WHERE standings.part = parts.part) AS last FROM parts",
    );
    assert_eq!(
        json!(rounds),
        json!([{ "name": "Open", "last": 3 }, { "name": "Under 2000", "last": 2 }])
    );
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let place = Place::new();
    kept(&place, "kept-run");
    for name in ["one.db", "two.db", "one.db"] {
        place
            .swissmatch(&["export", "sqlite", "kept-run", "-o", name])
            .expect_code(0);
    }
    let bytes = |name| std::fs::read(place.path(name)).expect("the database");
    assert_eq!(bytes("one.db"), bytes("two.db"));
    let left: Vec<_> = std::fs::read_dir(place.path(""))
        .expect("the directory")
        .flatten()
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn nothing_else_is_overwritten() {
    let place = Place::new();
    kept(&place, "kept-run");
    let refused = |args: &[&str], code, why: &str| {
        let args = [&["export", "sqlite", "kept-run"], args].concat();
        let ran = place.swissmatch(&args);
        ran.expect_code(code);
        assert!(ran.stderr().contains(why), "{args:?}: {}", ran.stderr());
    };
    refused(&[], 4, "swissmatch export sqlite --output run.db");
    refused(&["-o", "x.db", "--only", "1.1.1"], 4, "a database has the whole run");
    place.write("notes.txt", "mine");
    refused(&["-o", "notes.txt"], 4, "is no database that `export sqlite` wrote");
    assert_eq!(place.read("notes.txt"), "mine");
    let log = std::fs::read(place.path("kept-run/run.sqlite")).expect("the log");
    refused(
        &["-o", "kept-run/run.sqlite"],
        4,
        "is no database that `export sqlite` wrote",
    );
    assert_eq!(std::fs::read(place.path("kept-run/run.sqlite")).expect("the log"), log);
    refused(&["-o", "kept-run"], 5, "it is not a plain file");
    refused(&["-o", "nowhere/x.db"], 5, "nowhere/x.db");
    place.write("empty.db", "");
    place
        .swissmatch(&["export", "sqlite", "kept-run", "-o", "empty.db"])
        .expect_code(0);
    place.write("empty.db-wal", "");
    refused(&["-o", "empty.db"], 4, "empty.db-wal lies beside the database");
    // FILE in the place of RUN.
    let misplaced = place.swissmatch(&["export", "sqlite", "event.db"]);
    misplaced.expect_code(4);
    assert!(misplaced.stderr().contains("--output"), "{}", misplaced.stderr());
    // A record that is damaged leaves the database of before.
    let before = std::fs::read(place.path("empty.db")).expect("the database");
    std::fs::remove_file(place.path("empty.db-wal")).expect("it goes");
    let damaged = Connection::open(place.path("kept-run/run.sqlite")).expect("the log opens");
    let change = "DROP TRIGGER blobs_are_never_changed; UPDATE blobs SET body = replace(body, '\"moves\":\"', '\"moves\":\"a2a3 ')";
    damaged.execute_batch(change).expect("records are changed");
    drop(damaged);
    refused(&["-o", "empty.db"], 5, "is missing or was changed");
    assert_eq!(std::fs::read(place.path("empty.db")).expect("the database"), before);
}

/// A run that is being played, by the log as it is.
#[test]
fn a_run_that_is_not_over_has_one_too() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let words = ["run", "event.toml", "--out", "run", "--confirm-rounds"];
    let mut running = crate::death::Background::start(&place, &words);
    crate::death::until("a pairing to confirm", std::time::Duration::from_secs(60), || {
        place.path("run/run.sqlite").exists().then_some(())
    });
    let database = export(&place, "run");
    check_whole(&database);
    let meta = rows(&database, "SELECT rounds_over, is_over FROM meta");
    assert_eq!(json!(meta), json!([{ "rounds_over": 0, "is_over": 0 }]));
    assert_eq!(count(&database, "SELECT count(*) FROM players"), 3);
    crate::death::send(running.player(), rustix::process::Signal::INT);
    running.end(std::time::Duration::from_secs(60));
}

/// Of each table and view that the page describes, the columns that it names.
fn described() -> Vec<(&'static str, Vec<&'static str>)> {
    let sections = PAGE.split("\n### ").skip(1);
    let described = sections.map(|section| {
        let (name, text) = section.split_once('\n').expect("a heading and more");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
        let cells = rows.map(|row| row.split(" | ").next().expect("a cell"));
        let names = cells.flat_map(|cell| cell.split('`').filter(|word| !word.is_empty() && *word != ", "));
        (name, names.collect::<Vec<_>>())
    });
    described.filter(|(_, columns)| !columns.is_empty()).collect()
}

#[test]
fn the_page_names_every_column() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let (database, log) = (export(&place, "run"), read_only(&place.path("run/run.sqlite")));
    let described = described();
    let names = |of: &Connection, kinds: &str| -> Vec<String> {
        let query = format!("SELECT name FROM sqlite_schema WHERE type IN ({kinds}) ORDER BY rowid");
        let names = rows(of, &query)
            .into_iter()
            .map(|row| row["name"].as_str().expect("a name").to_owned());
        names.filter(|name| !name.starts_with("sqlite_")).collect()
    };
    let all = [names(&database, "'table', 'view'"), names(&log, "'view'")].concat();
    let page: Vec<&str> = described.iter().map(|(name, _)| *name).collect();
    assert_eq!(page, all, "tables and views in the order of the page");
    for (name, columns) in described {
        let of = if name.starts_with("v1_") { &log } else { &database };
        let there = rows(of, &format!("SELECT name FROM pragma_table_info('{name}')"));
        let there: Vec<&str> = there.iter().map(|row| row["name"].as_str().expect("a name")).collect();
        assert_eq!(columns, there, "columns of {name}");
    }
}

/// The page's questions, by the program `sqlite3`.
#[test]
fn the_questions_of_the_page_have_answers() {
    let place = Place::new();
    with_faults(&place);
    drop(export(&place, "faults"));
    let (of_database, of_log) = PAGE.split_once("\n## SQL views of run.sqlite").expect("both");
    for (page, file, least) in [(of_database, "faults.db", 6), (of_log, "faults/run.sqlite", 4)] {
        let questions: Vec<&str> = page
            .split("```sql\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert!(questions.len() >= least, "{questions:?}");
        for question in questions {
            let mut command = Command::new("sqlite3");
            command
                .args(["-readonly", "-bail", file, question])
                .current_dir(place.path(""));
            let asked = command.output().expect("sqlite3 starts");
            let said = String::from_utf8_lossy(&asked.stderr);
            assert!(asked.status.success() && !asked.stdout.is_empty(), "{question}{said}");
        }
    }
}

#[test]
fn a_log_of_before_gets_the_views_when_it_is_opened_to_be_written() {
    let place = Place::new();
    kept(&place, "kept-run");
    let log = place.path("kept-run/run.sqlite");
    let views = "SELECT count(*) FROM sqlite_schema WHERE type = 'view'";
    assert_eq!(count(&read_only(&log), views), 0, "it is from before");
    let verified = || place.swissmatch(&["verify", "kept-run", "--json"]).stdout();
    let before = verified();
    opened(&log).settle().expect("it is put together");
    assert_eq!(verified(), before);
    let log = read_only(&log);
    assert_eq!(count(&log, views), 7);
    // As they were played: without the rulings, which stand beside them.
    let games = rows(&log, "SELECT name, result FROM v1_games_as_played ORDER BY name");
    let list = place.export_json("kept-run", "games-json");
    let mut list: Vec<_> = list["games"].as_array().expect("a list of games").iter().collect();
    list.sort_by_key(|line| line["id"].to_string());
    assert_eq!(games.len(), list.len());
    for (game, line) in games.iter().zip(list) {
        let result = line["ended_as"].get("result").unwrap_or(&line["result"]);
        assert_eq!((&game["name"], &game["result"]), (&line["id"], result));
    }
    let acts = "SELECT count(*) FROM v1_acts WHERE act = 'void' AND game = '1.2.1' AND reason <> ''";
    assert_eq!(count(&log, acts), 1);
    let plies = "SELECT count(*) FROM v1_moves_as_played";
    assert_eq!(
        count(&log, plies),
        count(&log, "SELECT sum(plies) FROM v1_games_as_played")
    );
}

/// What a notebook does.
const NOTEBOOK: &str = r#"
import sqlite3, sys
import pandas

database = sqlite3.connect("file:faults.db?mode=ro", uri=True)
names = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
tables = {name: pandas.read_sql(f"SELECT * FROM {name}", database) for name in names}
standings, rounds = tables["standings"], tables["meta"]["rounds_paired"][0]
last = standings[standings["round"] == rounds].set_index("name")["game_points"]
byes = tables["player_rounds"].query("fate == 'bye'").groupby("name")["game_points"].sum()
points = tables["player_games"].groupby("name")["points"].sum().add(byes, fill_value=0)
assert points.sort_index().equals(last.sort_index().astype(float)), (points, last)
moves = tables["moves"].merge(tables["players"], on="pairing_number")
assert str(moves["time_us"].dtype) == "float64" and str(moves["ply"].dtype) == "int64", moves.dtypes
assert moves[moves["is_book"] == 0]["time_us"].notna().all()
log = sqlite3.connect("file:faults/run.sqlite?mode=ro", uri=True)
played = pandas.read_sql("SELECT * FROM v1_games_as_played", log)
assert len(played) == len(tables["games"])
print(moves.groupby("name")["time_us"].describe())
"#;

/// That of the system, for which apt has pandas.
#[test]
#[ignore = "needs pandas: make long"]
fn pandas_reads_both() {
    let place = Place::new();
    with_faults(&place);
    drop(export(&place, "faults"));
    place.write("notebook.py", NOTEBOOK);
    let mut command = Command::new("/usr/bin/python3");
    let ran = command
        .arg("notebook.py")
        .current_dir(place.path(""))
        .output()
        .expect("python3 starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    println!("{}", String::from_utf8_lossy(&ran.stdout));
}
