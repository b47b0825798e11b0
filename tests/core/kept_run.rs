//! Runs as they were stored once, which have every kind of entry between them: every later version reads them, verifies them, and
//! shows the first of them.
//!
//! Their logs are never made again. The tables of the first one change only where that is wanted: `make docs` writes them, and CHANGELOG.md has a line
//! with their mark.
#![expect(clippy::disallowed_methods, reason = "a run has files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use swissmatch::run::open_run::OpenRun;
use swissmatch::run::publish;
use swissmatch::run::verify::{Against, verify};
use swissmatch::shell::store::sha256;
use swissmatch::tournament::log::Entry;

/// Set to write the tables in place of comparing them.
const WRITE: &str = "SWISSMATCH_WRITE_DOCS";

/// With every kind of entry but those that came later.
const FIRST: &str = "kept-run";
/// One whose runner was killed while its two games were open. It has no files beside its log.
const INTERRUPTED: &str = "kept-run-interrupted";
/// A match that its test ended. Neither has it.
const DECIDED: &str = "kept-run-decided";
/// A Swiss that its stop rule ended before its last round.
const STOPPED: &str = "kept-run-stopped";

/// A game with an announcement before it and one after it.
const ANNOUNCED: &str = "kept-run-announced";
/// Two rounds on two workers.
const WORKERS: &str = "kept-run-workers";

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A copy of one: who opens a log may leave files beside it.
fn copy(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a directory");
    for below in ["", publish::ROUNDS] {
        let (from, to) = (kept(name).join(below), copy.path().join(below));
        std::fs::create_dir_all(&to).expect("a directory");
        let files = std::fs::read_dir(&from).into_iter().flatten().flatten();
        for file in files.filter(|file| file.path().is_file()) {
            std::fs::copy(file.path(), to.join(file.file_name())).expect("a file");
        }
    }
    copy
}

#[test]
fn it_has_every_kind_of_entry_and_folds() {
    let mut kinds = BTreeSet::new();
    for name in [FIRST, INTERRUPTED, DECIDED, STOPPED, ANNOUNCED, WORKERS] {
        let run = OpenRun::open(Some(copy(name).path())).unwrap_or_else(|error| panic!("{name}: {error}"));
        kinds.extend(run.logged.iter().map(|logged| logged.entry.kind()));
        assert!(run.state.rounds_are_over(), "{name}");
    }
    assert_eq!(kinds, Entry::KINDS.into_iter().collect());
}

/// Whoever changes what is shown of a run says so in CHANGELOG.md.
#[test]
fn its_tables_are_what_they_were() {
    let copy = copy(FIRST);
    let run = OpenRun::open(Some(copy.path())).unwrap_or_else(|error| panic!("{error}"));
    let files = publish::all(&run.state, run.created_at(), &run.store).expect("its records are there");
    for (name, text) in &files {
        let path = kept(FIRST).join(name);
        if std::env::var_os(WRITE).is_some() {
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(&path, text).expect("it can be written");
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = there.lines().zip(text.lines()).find(|(there, now)| there != now);
        assert!(
            there == *text,
            "{name} of the kept run is shown otherwise: {differs:?}; where that is wanted write it with `make docs`"
        );
    }
    let all: String = files.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
    let mark = format!("(kept run {})", &sha256(all.as_bytes())[..8]);
    let changelog = Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md");
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(
        changelog.contains(&mark),
        "say in CHANGELOG.md what is shown otherwise, with {mark}"
    );
}

#[test]
fn it_is_verified() {
    for name in [FIRST, INTERRUPTED, DECIDED, STOPPED, ANNOUNCED, WORKERS] {
        let copy = copy(name);
        if name != FIRST {
            let run = OpenRun::open(Some(copy.path())).unwrap_or_else(|error| panic!("{error}"));
            for (file, text) in publish::all(&run.state, run.created_at(), &run.store).expect("its records are there") {
                std::fs::write(copy.path().join(file), text).expect("it can be written");
            }
        }
        let findings = verify(Some(copy.path()), Against::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        for finding in &findings {
            assert_eq!(
                (&finding.problem, &finding.skipped),
                (&None, &None),
                "{name}: {}",
                finding.check
            );
        }
    }
}
