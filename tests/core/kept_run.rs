//! A run as it was stored once, with every kind of entry: every later version reads it, verifies it, and shows it.
//!
//! Its log is never made again. Its tables change only where that is wanted: `make docs` writes them, and CHANGELOG.md has a line
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

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kept-run")
}

/// A copy of it: who opens a log may leave files beside it.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a directory");
    for below in ["", publish::ROUNDS] {
        let (from, to) = (kept().join(below), copy.path().join(below));
        std::fs::create_dir_all(&to).expect("a directory");
        let files = std::fs::read_dir(&from).expect("the kept run").flatten();
        for file in files.filter(|file| file.path().is_file()) {
            std::fs::copy(file.path(), to.join(file.file_name())).expect("a file");
        }
    }
    copy
}

#[test]
fn it_has_every_kind_of_entry_and_folds() {
    let run = OpenRun::open(Some(copy().path())).unwrap_or_else(|error| panic!("{error}"));
    let kinds: BTreeSet<&str> = run.logged.iter().map(|logged| logged.entry.kind()).collect();
    assert_eq!(kinds, Entry::KINDS.into_iter().collect());
    assert!(run.state.rounds_are_over());
}

/// Whoever changes what is shown of a run says so in CHANGELOG.md.
#[test]
fn its_tables_are_what_they_were() {
    let copy = copy();
    let run = OpenRun::open(Some(copy.path())).unwrap_or_else(|error| panic!("{error}"));
    let files = publish::all(&run.state, run.created_at(), &run.store).expect("its records are there");
    for (name, text) in &files {
        let path = kept().join(name);
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
    let copy = copy();
    let findings = verify(Some(copy.path()), Against::default()).unwrap_or_else(|error| panic!("{error}"));
    for finding in &findings {
        assert_eq!(finding.problem, None, "{}", finding.check);
    }
}
