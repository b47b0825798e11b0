//! A log that grows, step by step, as its follower sees it.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::open_run::OpenRun;
use swissmatch_host::store::Bundle;
use swissmatch_tournament::log::RunResumed;

/// A stored run, whose spectators see what happens so much later.
fn kept(delay: Duration) -> Vec<LoggedEntry> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/kept-run");
    let copy = tempfile::tempdir().expect("a directory");
    std::fs::copy(place.join("run.sqlite"), run_dir::log(copy.path())).expect("a copy");
    let mut logged = OpenRun::open(Some(copy.path())).expect("a run").logged;
    if let Entry::Created(created) = &mut logged[0].entry {
        created.setup.publish.delay = delay;
    }
    logged
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a moment")
}

fn begin(dir: &Path, created: &LoggedEntry, at: &str) -> Store {
    Store::create(&run_dir::log(dir), &Bundle::from(created.entry.clone()), at).expect("a log")
}

#[test]
fn a_run_is_seen_as_it_grows() {
    let logged = kept(Duration::ZERO);
    let place = tempfile::tempdir().expect("a directory");
    let mut store = begin(place.path(), &logged[0], &logged[0].at);
    let now = at("2030-01-01T00:00:00Z");
    let mut follow = Follow::open(place.path(), now).expect("a run");
    assert_eq!(follow.look(now).expect("a look"), Look::Same);
    for (number, some) in logged[1..].chunks(7).enumerate() {
        let bundles: Vec<Bundle> = some.iter().map(|logged| Bundle::from(logged.entry.clone())).collect();
        store.append(&bundles, &some[0].at).expect("appended");
        let seen = follow.look(now).expect("a look");
        let added: Vec<Entry> = some.iter().map(|logged| logged.entry.clone()).collect();
        assert_eq!(seen, Look::Grown(added), "{number}");
        assert_eq!(*follow.seen(), store.head());
    }
    let whole = State::fold(logged.iter().map(|logged| &logged.entry)).expect("a history");
    assert_eq!(*follow.state(), whole);
    assert_eq!(follow.entries().expect("a log").len(), logged.len());
}

#[test]
fn what_is_delayed_is_seen_when_it_is_time() {
    let logged = kept(Duration::from_secs(600));
    let place = tempfile::tempdir().expect("a directory");
    let mut store = begin(place.path(), &logged[0], "2026-11-01T12:00:00Z");
    let add = |store: &mut Store, logged: &LoggedEntry, at: &str| {
        let bundle = Bundle::from(logged.entry.clone());
        store.append(&[bundle], at).expect("appended");
    };
    add(&mut store, &logged[1], "2026-11-01T12:00:00Z");
    add(&mut store, &logged[2], "2026-11-01T12:05:00Z");
    // A run's setting-up is never late.
    let mut follow = Follow::open(place.path(), at("2026-11-01T12:06:00Z")).expect("a run");
    assert_eq!((follow.seen().entry, follow.is_behind()), (1, true));
    let seen = |follow: &mut Follow, now: &str| {
        follow.look(at(now)).expect("a look");
        (follow.seen().entry, follow.is_behind())
    };
    assert_eq!(seen(&mut follow, "2026-11-01T12:10:00Z"), (2, true));
    assert_eq!(seen(&mut follow, "2026-11-01T12:14:59Z"), (2, true));
    assert_eq!(follow.entries().expect("a log").len(), 2, "nothing else tells more");
    assert_eq!(seen(&mut follow, "2026-11-01T12:15:00Z"), (3, false));
}

/// Whoever takes a run up may have it shown later than before, or at once; what counts is what was said last.
#[test]
fn a_delay_that_changes_holds_at_once() {
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    for (before, after, seen) in [(0, 10, 3), (10, 0, 4)] {
        let logged = kept(minutes(before));
        let place = tempfile::tempdir().expect("a directory");
        let mut store = begin(place.path(), &logged[0], "2026-11-01T12:00:00Z");
        let Entry::Created(created) = &logged[0].entry else {
            panic!("it begins with another entry");
        };
        let mut setup = created.setup.clone();
        setup.publish.delay = minutes(after);
        let resumed = Entry::Resumed(Box::new(RunResumed {
            software: String::new(),
            setup,
            machine: None,
        }));
        let mut follow = Follow::open(place.path(), at("2026-11-01T12:01:00Z")).expect("a run");
        for (entry, at) in [
            (&logged[1].entry, "2026-11-01T12:01:00Z"),
            (&resumed, "2026-11-01T12:02:00Z"),
            (&logged[2].entry, "2026-11-01T12:12:00Z"),
        ] {
            store.append(&[Bundle::from(entry.clone())], at).expect("appended");
        }
        let now = at("2026-11-01T12:12:01Z");
        let opened = Follow::open(place.path(), now).expect("a run");
        follow.look(now).expect("a look");
        for follow in [follow, opened] {
            assert_eq!(
                (follow.seen().entry, follow.delay()),
                (seen, minutes(after)),
                "{before} to {after}"
            );
        }
    }
}

#[test]
fn a_run_that_was_begun_anew_is_another_one() {
    let logged = kept(Duration::ZERO);
    let [place, aside] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let mut store = begin(place.path(), &logged[0], "2026-11-01T12:00:00Z");
    let bundle = Bundle::from(logged[1].entry.clone());
    store.append(&[bundle], "2026-11-01T12:00:01Z").expect("appended");
    store.settle().expect("settled");
    let now = at("2030-01-01T00:00:00Z");
    let mut follow = Follow::open(place.path(), now).expect("a run");
    std::fs::rename(run_dir::log(place.path()), run_dir::log(aside.path())).expect("set aside");
    assert!(follow.look(now).is_err(), "there is none for a moment");
    let pipe = rustix::fs::FileType::Fifo;
    let log = run_dir::log(place.path());
    rustix::fs::mknodat(rustix::fs::CWD, &log, pipe, rustix::fs::Mode::RWXU, 0).expect("a pipe");
    assert!(follow.look(now).is_err(), "nobody is waited for");
    std::fs::remove_file(&log).expect("it is there");
    assert_eq!(follow.seen().entry, 2, "what was seen stays");
    begin(place.path(), &logged[0], "2026-11-02T12:00:00Z")
        .settle()
        .expect("settled");
    assert_eq!(follow.look(now).expect("a look"), Look::Anew);
    assert_eq!(follow.seen().entry, 1);
}
