//! What happened to a run behind the program's back: every change is found, and nothing is built upon it.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use swissmatch::shell::store::{chain_hash, sha256};

use crate::resume::{RUN, contents, tiny_event};
use crate::support::{Place, engine};

/// The log of a run with its guards taken off, for whoever wants to do it harm.
pub(crate) fn unguarded(run: &Path) -> Connection {
    let log = Connection::open(run.join("run.sqlite")).expect("the log opens");
    let triggers = [
        "entries_are_never_changed",
        "entries_are_never_deleted",
        "blobs_are_never_changed",
        "blobs_are_never_deleted",
        "evidence_is_never_changed",
        "evidence_is_never_deleted",
    ];
    for trigger in triggers {
        log.execute_batch(&format!("DROP TRIGGER {trigger}"))
            .expect("there is such a trigger");
    }
    log
}

/// Makes the chain of hashes right again, as a forger would who knows it.
pub(crate) fn forge(log: &Connection) {
    let mut rows = log
        .prepare("SELECT seq, at, body FROM entries ORDER BY seq")
        .expect("a query");
    let rows = rows
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .expect("rows");
    let rows: Vec<(i64, String, String)> = rows.collect::<Result<_, _>>().expect("rows");
    let mut hash = String::new();
    for (seq, at, body) in rows {
        hash = chain_hash(&hash, seq, &at, &body);
        let set = "UPDATE entries SET hash = ?1 WHERE seq = ?2";
        assert_eq!(log.execute(set, (&hash, seq)).expect("a row"), 1);
    }
}

/// A finished run in `run`, and copies of it to do harm to.
struct Copies {
    place: Place,
    made: usize,
}

impl Copies {
    fn new() -> Self {
        Self::of(Place::new(), &tiny_event())
    }

    fn of(place: Place, event: &str) -> Self {
        place.write("event.toml", event);
        place.swissmatch(&RUN).expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        Self { place, made: 0 }
    }

    fn next(&mut self) -> String {
        self.made += 1;
        let copy = format!("copy-{}", self.made);
        self.place.copy("run", &copy);
        copy
    }

    /// A copy with these changes to its log.
    fn with_log(&mut self, sql: &str, forged: bool) -> String {
        let copy = self.next();
        let log = unguarded(&self.place.path(&copy));
        log.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(log.changes() > 0, "{sql} changes nothing");
        if forged {
            forge(&log);
        }
        copy
    }
}

/// A log whose chain is broken, or that is no log, is found by `verify` and not built upon.
#[test]
fn a_damaged_log_is_found_and_left_alone() {
    let mut copies = Copies::new();
    let mut damaged: Vec<String> = [
        "UPDATE entries SET body = replace(body, '\"plies\":', '\"plies\": ') WHERE seq = 4",
        "UPDATE entries SET at = '2001-01-01T00:00:00Z' WHERE seq = 1",
        "UPDATE entries SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 5",
        "DELETE FROM entries WHERE seq = 3",
        "UPDATE entries SET seq = seq + 100 WHERE seq = (SELECT max(seq) FROM entries)",
    ]
    .iter()
    .map(|sql| copies.with_log(sql, false))
    .collect();
    for keep in [0.5, 0.0] {
        let copy = copies.next();
        let path = copies.place.path(&format!("{copy}/run.sqlite"));
        let whole = fs::read(&path).expect("the log");
        let kept = if keep > 0.0 {
            whole[..whole.len() / 2].to_vec()
        } else {
            b"not a database, \n".repeat(999)
        };
        fs::write(path, kept).expect("it is written");
        damaged.push(copy);
    }
    for copy in damaged {
        let before = contents(&copies.place, &copy);
        let found = copies.place.swissmatch(&["verify", &copy]);
        found.expect_code(1);
        assert!(found.stdout().contains("WRONG   log"), "{copy}: {}", found.stdout());
        let refused = copies.place.swissmatch(&["run", "event.toml", "--out", &copy]);
        refused.expect_code(5);
        assert!(!refused.stderr().contains("panicked"), "{copy}: {}", refused.stderr());
        assert_eq!(contents(&copies.place, &copy), before, "{copy} is left alone");
    }
}

/// Whoever knows how the chain is made can make it right again; what follows from what cannot be forged with it.
#[test]
fn a_forged_log_is_found() {
    let mut copies = Copies::new();
    let last_pairing = "WHERE seq = (SELECT max(seq) FROM entries WHERE kind = 'round-paired')";
    let last_game = "WHERE seq = (SELECT max(seq) FROM entries WHERE kind = 'game-finished')";
    let swap = format!(
        "UPDATE entries SET body = replace(replace(replace(body, '\"white\":', '\"x\":'), '\"black\":', '\"white\":'), \
         '\"x\":', '\"black\":') {last_pairing}"
    );
    let outcome = format!("UPDATE entries SET body = replace(body, '\"1/2-1/2\"', '\"1-0\"') {last_game}");
    let plies = format!("UPDATE entries SET body = replace(body, '\"plies\":20', '\"plies\":18') {last_game}");
    let forgotten = format!("DELETE FROM entries {last_game}");
    let rating = "UPDATE entries SET body = replace(body, '\"rating\":1500', '\"rating\":1499') WHERE seq = 1";
    let seed = "UPDATE entries SET body = replace(body, '\"rng_seed\":7', '\"rng_seed\":8') WHERE seq = 1";
    for sql in [&swap, &outcome, &plies, &forgotten, rating, seed] {
        let copy = copies.with_log(sql, true);
        let found = copies.place.swissmatch(&["verify", &copy]);
        assert_eq!(
            found.output.status.code(),
            Some(1),
            "{sql}:\n{}{}",
            found.stdout(),
            found.stderr()
        );
        assert!(found.stdout().contains("WRONG"), "{sql}: {}", found.stdout());
    }
}

/// Of a suite that is a file nothing is at hand, but games that are to share an opening must.
#[test]
fn an_opening_that_others_do_not_share_is_found() {
    let epd = |name: &str| format!("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"{name}\";\n");
    let fourth = format!("[[player]]\nname = \"D\"\ncommand = \"{}\"\n", engine("greedy"));
    for (policy, expected) in [
        ("round", "game 1.2.1: its opening differs from that of game 1.1.1"),
        ("mini-match", "game 1.2.2: its opening differs from that of game 1.2.1"),
    ] {
        let keys = format!("games = 4\nopenings = \"suite.epd\"\nopening_policy = \"{policy}\"\n");
        let place = Place::new();
        place.write("suite.epd", &["a", "b", "c", "d", "e", "f", "g", "h"].map(epd).concat());
        // The run as it was played is in order.
        let event = tiny_event().replace("games = 2\n", &keys) + &fourth;
        let mut copies = Copies::of(place, &event);
        let copy = copies.next();
        let log = unguarded(&copies.place.path(&copy));
        let record = r#"{"version":1,"id":"1.2.1"%"#;
        let (old, body): (String, String) = log
            .query_row("SELECT hash, body FROM blobs WHERE body LIKE ?1", [record], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .expect("the record");
        let body = body.replacen(r#""opening":{"name":""#, r#""opening":{"name":"x"#, 1);
        let new = sha256(body.as_bytes());
        assert_ne!(new, old);
        let changed = log.execute(
            "UPDATE blobs SET hash = ?1, body = ?2 WHERE hash = ?3",
            (&new, &body, &old),
        );
        assert_eq!(changed, Ok(1));
        let changed = log.execute("UPDATE entries SET body = replace(body, ?1, ?2)", (&old, &new));
        assert!(changed.is_ok(), "{changed:?}");
        forge(&log);
        drop(log);
        let found = copies.place.swissmatch(&["verify", &copy]);
        assert!(found.expect_code(1).stdout().contains(expected), "{}", found.stdout());
    }
}

#[test]
fn a_record_that_was_changed_or_removed_is_found() {
    let mut copies = Copies::new();
    for sql in [
        "UPDATE blobs SET body = replace(body, '\"moves\":\"', '\"moves\":\"a2a3 ')",
        "DELETE FROM blobs WHERE hash = (SELECT max(hash) FROM blobs)",
    ] {
        let copy = copies.with_log(sql, false);
        let found = copies.place.swissmatch(&["verify", &copy]);
        found.expect_code(1);
        assert!(
            found.stdout().contains("is missing or was changed"),
            "{}",
            found.stdout()
        );
        copies.place.swissmatch(&["export", "pgn", &copy]).expect_code(5);
    }
}

#[test]
fn published_files_that_were_changed_are_found_by_name() {
    let mut copies = Copies::new();
    for file in [
        "standings.csv",
        "standings.md",
        "standings.json",
        "crosstable.csv",
        "tournament.trf",
        "games.pgn",
        "games.csv",
        "rules.md",
        "rounds/standings-1.csv",
        "summary.json",
    ] {
        for remove in [false, true] {
            let copy = copies.next();
            let path = copies.place.path(&format!("{copy}/{file}"));
            let text = fs::read_to_string(&path).expect("it is there");
            match remove {
                true => fs::remove_file(&path).expect("it is there"),
                false => fs::write(&path, text.replacen('1', "2", 1)).expect("it is written"),
            }
            let found = copies.place.swissmatch(&["verify", &copy]);
            found.expect_code(1);
            assert!(found.stdout().contains(file), "{}", found.stdout());
            // What follows from the log comes back from it.
            copies
                .place
                .swissmatch(&["run", "event.toml", "--out", &copy])
                .expect_code(0);
            copies.place.swissmatch(&["verify", &copy]).expect_code(0);
        }
    }
}

/// A power cut can leave SQLite a transaction to undo. Reading a run must not wait for somebody to go on with it.
#[test]
fn a_log_with_a_half_written_transaction_can_be_read() {
    let mut copies = Copies::new();
    let copy = copies.next();
    let open = Connection::open(copies.place.path("run/run.sqlite")).expect("the log opens");
    // With a cache this small the transaction reaches the disk before it is complete.
    open.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        .expect("a transaction");
    for number in 0..200 {
        let row = (format!("hash {number}"), "x".repeat(5_000));
        open.execute("INSERT INTO blobs (hash, body) VALUES (?1, ?2)", row)
            .expect("a row");
    }
    for name in ["run.sqlite", "run.sqlite-journal"] {
        let to = copies.place.path(&format!("{copy}/{name}"));
        fs::copy(copies.place.path(&format!("run/{name}")), to).expect("it is there");
    }
    for command in [
        &["standings"][..],
        &["export", "games-json"],
        &["verify"],
        &["run", "event.toml", "--out"],
    ] {
        let read = copies.place.swissmatch(&[command, &[copy.as_str()]].concat());
        read.expect_code(0);
    }
}

/// A log whose hashes are right and whose content is impossible is refused by a sentence, not by a panic.
#[test]
fn impossible_logs_are_refused() {
    let mut copies = Copies::new();
    let round = "WHERE seq = (SELECT min(seq) FROM entries WHERE kind = 'round-paired')";
    for sql in [
        format!("UPDATE entries SET body = json_set(body, '$.pairing.bye', 99) {round}"),
        format!("UPDATE entries SET body = json_set(body, '$.pairing.pairs[0].white', 0) {round}"),
        format!("UPDATE entries SET body = json_set(body, '$.pairing.pairs[0].white', 4000000000) {round}"),
        "UPDATE entries SET body = json_set(body, '$.order', json('[0]')) WHERE seq = 1".to_owned(),
        "UPDATE entries SET body = json_set(body, '$.agents', json('[]')) WHERE seq = 1".to_owned(),
    ] {
        let copy = copies.with_log(&sql, true);
        for (command, code) in [("verify", 1), ("standings", 5), ("status", 5)] {
            let ran = copies.place.swissmatch(&[command, &copy]);
            assert_eq!(
                ran.output.status.code(),
                Some(code),
                "{command} {sql}:\n{}{}",
                ran.stdout(),
                ran.stderr()
            );
            assert!(!ran.stderr().contains("panicked"), "{sql}: {}", ran.stderr());
        }
    }
}

/// Words were others before the first release: such a log is refused with a sentence, and left alone. So is a log of a version
/// to come, and another program's file.
#[test]
fn logs_of_other_programs_and_versions_are_refused() {
    let mut copies = Copies::new();
    let before = i32::from_be_bytes(*b"swis");
    for (pragma, says) in [
        (format!("application_id = {before}"), "before its first release"),
        ("application_id = 7".to_owned(), "not a run of swissmatch"),
        ("user_version = 99".to_owned(), "from a newer version"),
    ] {
        let copy = copies.next();
        let path = copies.place.path(&copy);
        unguarded(&path)
            .execute_batch(&format!("PRAGMA {pragma}"))
            .expect("a pragma");
        let before = contents(&copies.place, &copy);
        for command in ["standings", "status", "verify"] {
            let refused = copies.place.swissmatch(&[command, &copy]);
            assert!(!refused.output.status.success(), "{command} {pragma}");
            let said = refused.stdout() + &refused.stderr();
            assert!(said.contains(says), "{command} {pragma}: {said}");
        }
        let refused = copies.place.swissmatch(&["run", "event.toml", "--out", &copy]);
        assert!(refused.stderr().contains(says), "{pragma}: {}", refused.stderr());
        assert_eq!(contents(&copies.place, &copy), before, "{pragma}");
    }
}
