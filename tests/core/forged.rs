//! Logs that somebody rewrote, with a chain of hashes that is right: whatever they say, they are refused or looked at, and nobody
//! panics, waits for ever or runs out of memory.
#![expect(clippy::disallowed_methods, reason = "a run has files")]

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use rusqlite::Connection;
use serde_json::Value;
use swissmatch::game::Side;
use swissmatch::game::record::{GameId, GameSpec};
use swissmatch::game::termination::Outcome;
use swissmatch::report::proposal;
use swissmatch::run::account::Account;
use swissmatch::run::archive::Archive;
use swissmatch::run::conduct::{CommittedEntry, Reader, Stopper};
use swissmatch::run::open_run::OpenRun;
use swissmatch::run::verify::{Against, verify};
use swissmatch::run::{EventFile, HeldRun, Run, RunError, publish};
use swissmatch::shell::host::scripted::{ScriptedGame, ScriptedHost};
use swissmatch::shell::store::chain_hash;
use swissmatch::tournament::log::RoundPaired;
use swissmatch::tournament::state::State;
use swissmatch::tournament::waiting::Wait;

/// What is done to a log.
#[derive(Clone, Debug)]
enum Change {
    /// Something that an entry says is something else.
    Value(Index, Index, Value),
    /// An entry does not say something.
    Without(Index, Index),
    /// It is not there.
    Gone(Index),
    /// It is there a second time.
    Twice(Index, Index),
    /// Two are in each other's place.
    Swapped(Index, Index),
}

fn value() -> impl Strategy<Value = Value> {
    let numbers = [-1, 0, 1, 2, 3, 7, 255, 65_536, i64::from(u32::MAX), i64::MAX];
    prop_oneof![
        4 => proptest::sample::select(numbers.to_vec()).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        2 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        2 => "\\PC{0,12}".prop_map(Value::from),
        1 => proptest::sample::select(vec!["1-0", "void", "crash", "auto", "0", "1/2", "30s/move", "RR", "knockout"]).prop_map(Value::from),
        1 => Just(Value::Array(Vec::new())),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let index = || any::<Index>();
    prop_oneof![
        8 => (index(), index(), value()).prop_map(|(entry, place, to)| Change::Value(entry, place, to)),
        2 => (index(), index()).prop_map(|(entry, place)| Change::Without(entry, place)),
        1 => index().prop_map(Change::Gone),
        1 => (index(), index()).prop_map(|(entry, place)| Change::Twice(entry, place)),
        1 => (index(), index()).prop_map(|(one, other)| Change::Swapped(one, other)),
    ]
}

/// The paths of all that a JSON value holds, at any depth.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut inner = |key: &str, value: &Value| {
        let path = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        paths(value, &path, found);
        found.push(path);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| inner(key, value)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(place, value)| inner(&place.to_string(), value)),
        _ => {}
    }
}

fn change_one(entries: &mut Vec<(String, Value)>, change: &Change) {
    let path_in = |value: &Value, place: &Index| {
        let mut found = Vec::new();
        paths(value, "", &mut found);
        (!found.is_empty()).then(|| place.get(&found).clone())
    };
    match change {
        Change::Value(entry, place, to) => {
            let at = entry.index(entries.len());
            let (_, body) = &mut entries[at];
            if let Some(path) = path_in(body, place) {
                *body.pointer_mut(&path).expect("it was found") = to.clone();
            }
        }
        Change::Without(entry, place) => {
            let at = entry.index(entries.len());
            let (_, body) = &mut entries[at];
            if let Some(path) = path_in(body, place) {
                let (above, name) = path.rsplit_once('/').expect("a path");
                match body.pointer_mut(above) {
                    Some(Value::Object(fields)) => drop(fields.remove(&name.replace("~1", "/").replace("~0", "~"))),
                    Some(Value::Array(items)) => drop(items.remove(name.parse::<usize>().expect("a place"))),
                    _ => {}
                }
            }
        }
        Change::Gone(entry) => drop(entries.remove(entry.index(entries.len()))),
        Change::Twice(entry, place) => {
            let twice = entry.get(entries).clone();
            entries.insert(place.index(entries.len()), twice);
        }
        Change::Swapped(one, other) => {
            let (one, other) = (one.index(entries.len()), other.index(entries.len()));
            entries.swap(one, other);
        }
    }
}

/// Writes the log anew, as one who wants it to look whole.
fn forge(log: &Path, changes: &[Change]) {
    rewrite(log, |entries| {
        for change in changes {
            if !entries.is_empty() {
                change_one(entries, change);
            }
        }
    });
}

/// Writes a log anew, with a chain of hashes that is right.
pub(crate) fn rewrite(log: &Path, change: impl FnOnce(&mut Vec<(String, Value)>)) {
    let log = Connection::open(log).expect("the log opens");
    let triggers: Vec<String> = {
        let mut list = log
            .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            .expect("a query");
        let names = list.query_map([], |row| row.get(0)).expect("triggers");
        names.map(|name| name.expect("a name")).collect()
    };
    for trigger in triggers {
        log.execute_batch(&format!("DROP TRIGGER {trigger}"))
            .expect("there is such a trigger");
    }
    let mut entries: Vec<(String, Value)> = {
        let mut rows = log
            .prepare("SELECT at, body FROM entries ORDER BY seq")
            .expect("a query");
        let rows = rows
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
            .expect("rows");
        let parsed = rows.map(|row| row.map(|(at, body)| (at, serde_json::from_str(&body).expect("JSON"))));
        parsed.map(|row| row.expect("a row")).collect()
    };
    change(&mut entries);
    log.execute_batch("BEGIN; DELETE FROM entries").expect("they go");
    let mut previous = String::new();
    for (seq, (at, body)) in (1..).zip(&entries) {
        let kind = body["entry"].as_str().unwrap_or_default().to_owned();
        let body = body.to_string();
        let hash = chain_hash(&previous, seq, at, &body);
        let values = (seq, at, kind, body, &hash);
        log.execute(
            "INSERT INTO entries (seq, at, kind, body, hash) VALUES (?1, ?2, ?3, ?4, ?5)",
            values,
        )
        .expect("it is written");
        previous = hash;
    }
    log.execute_batch("COMMIT").expect("they are there");
}

/// Looks at everything that a run shows.
fn look(dir: &Path) {
    let _ = verify(Some(dir), Against::default());
    let Ok(run) = OpenRun::open(Some(dir)) else { return };
    let _ = publish::all(&run.state, run.created_at(), &run.store);
    let _ = proposal::next(&run.state, jiff::civil::date(2026, 1, 30));
    for game in run.state.finished_games() {
        if let Ok(account) = Account::of(&run, game.finished.id) {
            let _ = (account.text(true), account.json(true), Archive::of(&account));
        }
    }
}

/// An event whose later entries follow from earlier ones: rounds, byes, a play-off.
const EVENT: &str = "[event]\nname = \"Forged\"\n[swiss]\nrounds = 3\n[mini_match]\ngames = 2\n[playoff]\nplaces = [1]\nstages = [{ kind = \"armageddon\", white = \"5:00\", black = \"4:00\", colors = \"lot\" }]\n\
                     [[player]]\nname = \"A\"\ncommand = \"a\"\n[[player]]\nname = \"B\"\ncommand = \"b\"\n\
                     [[player]]\nname = \"C\"\ncommand = \"c\"\n[[player]]\nname = \"D\"\ncommand = \"d\"\n\
                     [[player]]\nname = \"E\"\ncommand = \"e\"\n";
/// Games that are played of it before its log is forged, and games at most afterwards.
const GAMES_BEFORE: usize = 7;
const GAMES_AFTER: usize = 40;

/// A host that goes after so many games.
fn host(games: usize) -> Box<ScriptedHost> {
    let mut begun = 0;
    Box::new(ScriptedHost::new(move |spec: &GameSpec| {
        begun += 1;
        match (begun > games, spec.white < spec.black) {
            (true, _) => ScriptedGame::Gone("enough was played".to_owned()),
            (false, true) => Outcome::win(Side::White).into(),
            (false, false) => Outcome::Draw.into(),
        }
    }))
}

/// What a list of open games is made of.
const LEFT_OPEN: &[&str] = &[
    "{\"schema\":1,\"runner\":{\"entry\":1,\"hash\":\"ab\"},\"games\":[\"1.1.1\"],\"signal\":9,\"exit_code\":null}",
    "{",
    "}",
    "\"games\":",
    "[\"1.1.1\",\"9.9.9\"]",
    "\"schema\":1,",
    "\"runner\":{\"entry\":-1,\"hash\":\"\"},",
    "\"signal\":99",
    "\u{0}",
];

fn event(dir: &Path) -> EventFile {
    EventFile::parse(&dir.join("event.toml"), EVENT).unwrap_or_else(|error| panic!("{error}"))
}

/// Stops a run that waits for somebody.
struct Impatient(Stopper);

impl Reader for Impatient {
    fn committed(&mut self, _: &State, _: &CommittedEntry) {}
    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}
    fn stopping(&mut self, _: usize) {}
    fn waiting(&mut self, _: &State, _: Option<Wait>) {
        self.0.stop();
    }
    fn proposed(&mut self, _: &State, _: &RoundPaired) {
        self.0.stop();
    }
    fn remark(&mut self, _: &str) {}
    fn warn(&mut self, _: &str) {}
}

/// Goes on with the run in `dir/run`, for so many games at most; whether it was taken up.
fn play_on(dir: &Path, games: usize) -> Result<bool, RunError> {
    match Run::resume(event(dir), &dir.join("run"), host(games), &mut |_| {})? {
        HeldRun::Over(_) => Ok(false),
        HeldRun::Run(run) => {
            let mut reader = Impatient(run.stopper());
            run.play(&mut [&mut reader]).map(|_| true)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(crate::cases(48)) })]

    #[test]
    fn a_log_that_was_rewritten_is_refused_or_looked_at(changes in proptest::collection::vec(change(), 1..4)) {
        for name in ["kept-run", "kept-run-interrupted", "kept-run-stopped"] {
            let copy = tempfile::tempdir().expect("a directory");
            let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).join("run.sqlite");
            let log = copy.path().join("run.sqlite");
            std::fs::copy(kept, &log).expect("a copy");
            forge(&log, &changes);
            look(copy.path());
        }
    }

    /// The runner, too, refuses it or goes on with it.
    #[test]
    fn a_log_that_was_rewritten_is_refused_or_gone_on_with(
        changes in proptest::collection::vec(change(), 1..3),
        left_open in proptest::option::of(proptest::collection::vec(proptest::sample::select(LEFT_OPEN.to_vec()), 0..12)),
    ) {
        let place = tempfile::tempdir().expect("a directory");
        let dir = place.path().join("run");
        let run = Run::create(event(place.path()), &dir, host(GAMES_BEFORE), &mut |_| {}).expect("it begins");
        run.play(&mut []).expect("it is played");
        forge(&dir.join("run.sqlite"), &changes);
        if let Some(words) = left_open {
            std::fs::write(dir.join("interrupted.json"), words.concat()).expect("it is written");
        }
        if play_on(place.path(), GAMES_AFTER).is_ok() {
            let _ = verify(Some(&dir), Against::default());
        }
    }

    /// Bytes that were changed where they lie, as a bad disk does.
    #[test]
    fn a_damaged_file_is_refused_or_looked_at(damage in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..20), cut: Option<Index>) {
        let copy = tempfile::tempdir().expect("a directory");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kept-run/run.sqlite");
        let mut bytes = std::fs::read(kept).expect("the log");
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        std::fs::write(copy.path().join("run.sqlite"), bytes).expect("it is written");
        look(copy.path());
    }
}

/// A round of a stage has nobody who is not in the stage.
#[test]
fn rounds_of_a_stage_have_its_players() {
    let copy = tempfile::tempdir().expect("a directory");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kept-run/run.sqlite");
    let log = copy.path().join("run.sqlite");
    std::fs::copy(kept, &log).expect("a copy");
    rewrite(&log, |entries| {
        let mut begun = entries.iter_mut().filter(|(_, body)| body["entry"] == "stage-begun");
        let (_, body) = begun.next().expect("its second stage begins");
        assert_eq!(body["players"], serde_json::json!([1, 2]));
        body["players"] = serde_json::json!([3, 2]);
    });
    let refused = OpenRun::open(Some(copy.path())).map(|_| ()).expect_err("it is refused");
    assert!(
        refused
            .to_string()
            .contains("players who do not exist, are not in its stage"),
        "{refused}"
    );
}
