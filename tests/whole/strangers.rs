//! Runs of strangers, and strangers beside one's own: a log that is made to hang whoever reads it, and locks of other users.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use rustix::fs::FlockOperation;
use serde_json::Value;
use swissmatch::shell::run_dir::{DirError, RunDir};

use crate::death::until;
use crate::resume::{RUN, tiny_event};
use crate::storage::unmerge;
use crate::support::{Guest, Place, Ran, finish};

/// Longer than any command needs that reads a small run, and shorter than one that is made to be slow.
const SOON: Duration = Duration::from_secs(20);

/// A finished run.
fn played() -> Place {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    place
}

/// A copy of it, to whose log somebody did this.
fn changed(place: &Place, copy: &str, sql: &str) {
    place.copy("run", copy);
    let log = Connection::open(place.path(copy).join("run.sqlite")).expect("the log opens");
    log.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn line<'a>(ran: &'a str, check: &str) -> &'a str {
    let is_it = |line: &&str| line.get(8..).is_some_and(|line| line.starts_with(check));
    ran.lines().find(is_it).unwrap_or_else(|| panic!("no {check}: {ran}"))
}

#[test]
fn what_is_no_table_of_a_log_is_refused_at_once() {
    let place = played();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let no_views = "DROP VIEW v1_players; DROP VIEW v1_pairings; ";
    for (number, (table, sql)) in [
        (
            "entries",
            format!(
                "CREATE VIEW entries AS {endless} SELECT i AS seq, '' AS at, '' AS kind, hex(zeroblob(1000000)) AS body, '' AS hash FROM n"
            ),
        ),
        ("blobs", format!("CREATE VIEW blobs AS {endless} SELECT max(i) AS hash, '' AS body FROM n")),
        ("evidence", format!("CREATE VIEW evidence AS {endless} SELECT max(i) AS hash, x'' AS packed FROM n")),
        ("entries", "CREATE VIRTUAL TABLE entries USING fts5(seq, at, kind, body, hash)".to_owned()),
        (
            "blobs",
            "CREATE TABLE blobs (hash TEXT PRIMARY KEY, body TEXT AS (hex(zeroblob(100000000)))) STRICT".to_owned(),
        ),
        ("entries", "CREATE TABLE Entries (seq INTEGER PRIMARY KEY, at TEXT)".to_owned()),
        ("entries", "SELECT 1".to_owned()),
    ]
    .into_iter()
    .enumerate()
    {
        let copy = format!("copy-{number}");
        changed(&place, &copy, &format!("{no_views}DROP TABLE {table}; {sql};"));
        let verified = place.swissmatch(&["verify", &copy]);
        verified.expect_code(1);
        assert!(line(&verified.stdout(), "log").starts_with("WRONG"), "{}", verified.stdout());
        let is_told = |ran: &Ran, said: &str| {
            assert!(said.to_lowercase().contains(&format!("{table} is no table of swissmatch's")), "{sql}: {said}");
            assert!(ran.took < SOON, "{sql}: {:?}", ran.took);
        };
        is_told(&verified, &verified.stdout());
        for command in ["standings", "status", "report", "run"] {
            let refused = match command {
                "run" => place.swissmatch(&["run", "event.toml", "--out", &copy]),
                _ => place.swissmatch(&[command, &copy]),
            };
            assert_ne!(refused.output.status.code(), Some(0), "{command}");
            is_told(&refused, &refused.stderr());
        }
    }
}

#[test]
fn triggers_and_views_of_a_stranger_do_nothing() {
    let place = played();
    changed(
        &place,
        "copy",
        "CREATE TRIGGER own AFTER INSERT ON entries BEGIN INSERT INTO blobs VALUES ('stranger', ''); END; \
         CREATE VIEW own_view AS SELECT load_extension('x');",
    );
    let announced = place.swissmatch(&["arbiter", "announce", "Hello", "copy", "--by", "Ann"]);
    announced.expect_code(0);
    place.swissmatch(&["verify", "copy"]).expect_code(0);
    let log = Connection::open(place.path("copy/run.sqlite")).expect("the log opens");
    let count = |sql: &str| log.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a count");
    assert_eq!(count("SELECT count(*) FROM entries WHERE body LIKE '%Hello%'"), 1);
    assert_eq!(count("SELECT count(*) FROM blobs WHERE hash = 'stranger'"), 0);
}

#[test]
fn what_is_not_compared_is_skipped_and_not_in_order() {
    let place = played();
    let mode = fs::metadata(place.path("run/run.lock")).expect("the lock").mode();
    assert_eq!(mode & 0o777, 0o600);
    let held = RunDir::take(&place.path("run")).expect("nobody has it");
    let verified = place.swissmatch(&["verify", "run"]);
    verified.expect_code(2);
    let said = line(&verified.stdout(), "files").to_owned();
    assert!(
        said.starts_with("SKIPPED files            a runner is at work"),
        "{said}"
    );
    let verified = place.swissmatch(&["verify", "run", "--json"]);
    let told: Value = serde_json::from_str(&verified.expect_code(2).stdout()).expect("JSON");
    assert_eq!(told["right"], false);
    let files = told["checks"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|check| check["check"] == "files");
    assert!(files.expect("files")["skipped"].is_string(), "{told}");
    // What is wrong is told first.
    place.copy("run", "copy");
    let copy = RunDir::take(&place.path("copy")).expect("nobody has it");
    let log = crate::damage::unguarded(&place.path("copy"));
    log.execute_batch("UPDATE entries SET at = '2001-01-01T00:00:00Z' WHERE seq = 2")
        .expect("it is changed");
    drop(log);
    place.swissmatch(&["verify", "copy"]).expect_code(1);
    drop((held, copy));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Whoever may read a directory can lock it, but not what a run is locked by.
#[test]
fn a_lock_of_the_directory_keeps_nobody_from_verifying() {
    let place = played();
    let directory = File::open(place.path("run")).expect("the directory");
    rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive).expect("nobody has it");
    let verified = place.swissmatch(&["verify", "run"]);
    verified.expect_code(0);
    assert!(!verified.stdout().contains(" 0 files"), "{}", verified.stdout());
    let standings = place.read("run/standings.csv");
    place.write("run/standings.csv", &standings.replacen("A", "B", 1));
    place.swissmatch(&["verify", "run"]).expect_code(1);
    // For one more release writers lock it, as earlier versions do.
    let refused = RunDir::take(&place.path("run")).expect_err("it is locked");
    assert!(matches!(refused, DirError::Locked(_)), "{refused}");
    // A runner of an earlier version made no other lock.
    fs::remove_file(place.path("run/run.lock")).expect("the lock");
    place.swissmatch(&["verify", "run"]).expect_code(2);
}

#[test]
fn several_at_once_all_compare() {
    let place = played();
    unmerge(&place, "run");
    let start = || {
        let mut verify = place.command(&["verify", "run"]);
        verify.stdout(Stdio::piped()).stderr(Stdio::piped());
        verify.spawn().expect("it starts")
    };
    let children: Vec<Child> = (0..6).map(|_| start()).collect();
    for child in children {
        let ended = finish(child);
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(ended.status.success(), "{said}");
        assert!(line(&said, "files").starts_with("ok"), "{said}");
    }
    assert!(!place.path("run/run.sqlite-wal").exists());
}

#[test]
fn another_user_verifies_what_it_may_read_and_locks_nothing() {
    let Some(guest) = Guest::new(&[]) else { return };
    let place = played();
    let home = &guest.place;
    let copied = |name: &str| {
        let (from, to) = (place.path("run"), home.path(name));
        let mut copy = std::process::Command::new("cp");
        assert!(
            copy.arg("-r")
                .args([from, to])
                .status()
                .is_ok_and(|copied| copied.success())
        );
    };
    copied("run");
    let rights =
        |path: &str, mode| fs::set_permissions(home.path(path), fs::Permissions::from_mode(mode)).expect("rights");
    rights("run", 0o755);
    let verify = || guest.swissmatch(&[], &["verify", "run"]);
    verify().expect_code(0);
    assert!(!home.path("run/run.sqlite-wal").exists());
    let lock = |path: &str, mode: &str| {
        let mut lock = guest.command(&[], Path::new("flock"));
        lock.args(["--nonblock", "--no-fork", mode, path, "sleep", "60"])
            .spawn()
            .expect("setpriv starts")
    };
    // The lock of a run is none of its.
    let refused = finish(lock("run/run.lock", "--shared"));
    assert!(!refused.status.success());
    for mode in ["--shared", "--exclusive"] {
        let mut locking = lock("run", mode);
        let directory = File::open(home.path("run")).expect("the directory");
        until("the lock", SOON, || {
            let taken = rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive);
            if taken.is_ok() {
                rustix::fs::flock(&directory, FlockOperation::Unlock).expect("it is let go");
            }
            taken.is_err().then_some(())
        });
        let verified = home.swissmatch(&["verify", "run"]);
        verified.expect_code(0);
        assert!(
            line(&verified.stdout(), "files").starts_with("ok"),
            "{}",
            verified.stdout()
        );
        locking.kill().expect("it is there");
        locking.wait().expect("it ends");
    }
    // Nor does it know whether a runner is at work.
    copied("cut");
    let log = crate::damage::unguarded(&home.path("cut"));
    log.execute_batch("DELETE FROM entries WHERE seq > 5")
        .expect("it is cut");
    drop(log);
    rights("cut", 0o755);
    let said = |ran: &Ran, sentence: &str| assert!(ran.stdout().contains(sentence), "{}", ran.stdout());
    said(
        &guest.swissmatch(&[], &["status", "cut"]),
        "Only its owner can see whether a runner is at work on it.",
    );
    said(&home.swissmatch(&["status", "cut"]), "No runner is at work on it");
    // What it may not read it has not verified.
    rights("run/standings.csv", 0o600);
    let verified = verify();
    verified.expect_code(2);
    assert!(
        line(&verified.stdout(), "files").starts_with("SKIPPED files            run/standings.csv: "),
        "{}",
        verified.stdout()
    );
    rights("run/run.sqlite", 0o600);
    let verified = verify();
    verified.expect_code(2);
    assert!(
        line(&verified.stdout(), "log").starts_with("SKIPPED"),
        "{}",
        verified.stdout()
    );
    // The superuser's lock in its directory is its own.
    copied("own");
    fs::remove_file(home.path("own/run.lock")).expect("the lock");
    guest.give(&["own"]);
    home.swissmatch(&["arbiter", "announce", "Hello", "own", "--by", "Ann"])
        .expect_code(0);
    let owner = |path: &str| fs::metadata(home.path(path)).expect("it is there").uid();
    assert_eq!(owner("own/run.lock"), owner("own"));
}
