//! Calls of the system that fail: the program under `strace -e inject`, one error at a time or all from one on, at random places;
//! no finished game is lost or counts twice, and the same command goes on.
//!
//! Errors hit what the program does with files. A pipe to an agent that fails is the agent's fault, and tested elsewhere.

use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::death::{Background, assert_empty};
use crate::kill::{Log, Lot, results, told_games};
use crate::resume::{RUN, tiny_event};
use crate::storage::can_trace;
use crate::support::{Place, at_once, swissmatch, times};

const PATIENCE: Duration = Duration::from_secs(120);
/// Errors that hit something; of each event one before the log is there or while it grows, and one on going on.
const SHORT: usize = 12;
const LONG: usize = 800;
/// Events at once.
const WORKERS: usize = 2;

/// Calls that only swissmatch makes, and no agent or library of it.
const ANYWHERE: [&str; 7] = [
    "fsync",
    "fdatasync",
    "pwrite64",
    "rename",
    "ftruncate",
    "unlink",
    "mkdir",
];
/// Calls that are of interest only on the files of a run.
const ON_ITS_FILES: [&str; 10] = [
    "openat",
    "pread64",
    "pwrite64",
    "write",
    "fdatasync",
    "mmap",
    "fcntl",
    "newfstatat",
    "statx",
    "lseek",
];
const FILES: [&str; 11] = [
    "",
    "/run.sqlite",
    "/run.sqlite-wal",
    "/run.sqlite-shm",
    "/run.sqlite-journal",
    "/games.pgn",
    "/run.log",
    "/standings.json",
    "/standings.csv",
    "/tournament.trf",
    "/manifest.json",
];
const ERRORS: [&str; 6] = ["EIO", "ENOSPC", "EDQUOT", "EACCES", "ENOMEM", "EROFS"];

/// One fault of the machine, as `strace` takes it.
#[derive(Debug)]
struct Injected {
    call: &'static str,
    on_its_files: bool,
    error: &'static str,
    /// Which of a thread's calls it is.
    when: u64,
    /// Whether all after it fail, too.
    lasts: bool,
}

impl Injected {
    fn drawn(lot: &mut Lot) -> Self {
        let mut one_of = |words: &[&'static str]| {
            let place = lot.below(u64::try_from(words.len()).expect("few"));
            words[usize::try_from(place).expect("few")]
        };
        let error = one_of(&ERRORS);
        let (anywhere, on_its_files) = (one_of(&ANYWHERE), one_of(&ON_ITS_FILES));
        let on_files = lot.below(2) == 0;
        // Early calls are made by every thread, late ones by few.
        let latest = [3, 10, 40][usize::try_from(lot.below(3)).expect("few")];
        Self {
            call: if on_files { on_its_files } else { anywhere },
            on_its_files: on_files,
            error,
            when: 1 + lot.below(latest),
            lasts: lot.below(3) == 0,
        }
    }

    /// `swissmatch run` under it.
    fn command(&self, place: &Place) -> Command {
        let mut command = Command::new("strace");
        command.args(["-f", "--seccomp-bpf", "-qq", "-o", "trace"]);
        if self.on_its_files {
            for file in FILES {
                let relative = format!("run{file}");
                let absolute = place.path(&relative).display().to_string();
                command.args(["-P", &relative, "-P", &absolute]);
            }
        }
        let more = if self.lasts { "+" } else { "" };
        let (call, error, when) = (self.call, self.error, self.when);
        command.args(["-e", &format!("trace={call}")]);
        command.args(["-e", &format!("inject={call}:error={error}:when={when}{more}")]);
        command.arg(swissmatch()).args(RUN).arg("--json");
        command.current_dir(place.path("")).env("TMPDIR", place.path(""));
        command.stdin(std::process::Stdio::null());
        command
    }
}

/// What the workers found together.
#[derive(Debug, Default)]
struct Found {
    hits: usize,
    missed: usize,
    ended: std::collections::BTreeMap<String, usize>,
}

#[test]
fn calls_that_fail_lose_no_finished_game() {
    if !can_trace() {
        return;
    }
    let wanted = times(SHORT, LONG);
    let begun = Instant::now();
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let expected = results(&place, "run");
    let games = Log::read(&place, "run").games.len();
    let found = Mutex::new(Found::default());
    at_once(0..WORKERS, |worker| {
        let mut lot = Lot(2_611 + u64::try_from(worker).expect("few"));
        while found.lock().expect("no worker fails with it").hits < wanted {
            one_event(&mut lot, &expected, games, &found);
        }
    });
    let found = found.into_inner().expect("no worker fails with it");
    println!(
        "{} errors that hit something, {} that did not, in {:?}; {:#?}",
        found.hits,
        found.missed,
        begun.elapsed(),
        found.ended
    );
}

/// An event with two faults of the machine, one after the other, and then none.
fn one_event(lot: &mut Lot, expected: &[String], games: usize, found: &Mutex<Found>) {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let mut before = Log::default();
    for _ in 0..2 {
        let injected = Injected::drawn(lot);
        let status = Background::start_by(&place, injected.command(&place)).end(PATIENCE);
        assert_empty(&place, Duration::from_secs(5));
        let complained = place.read("complained");
        let said = format!("{injected:?}\n{complained}\n{}", place.read("said"));
        let hit = place.read("trace").contains("(INJECTED)");
        let code = status.code();
        {
            let mut found = found.lock().expect("no worker fails with it");
            found.hits += usize::from(hit);
            found.missed += usize::from(!hit);
            *found.ended.entry(format!("{} {code:?}", injected.call)).or_default() += 1;
        }
        assert!(!complained.contains("panicked"), "{said}");
        // A directory that may not be written is the user's to change: another one.
        let is_forbidden = ["EACCES", "EROFS"].contains(&injected.error);
        let elsewhere = is_forbidden && code == Some(4) && complained.trim_end().ends_with("with --out DIR");
        assert!(matches!(code, Some(0 | 5)) || elsewhere, "{code:?}: {said}");
        let log = Log::read(&place, "run");
        log.assert_only_grew(&before);
        for game in told_games(&place) {
            assert!(log.games.contains(&game), "{game} was told and is lost: {said}");
        }
        if code == Some(0) {
            assert_eq!(results(&place, "run"), expected, "{said}");
        } else {
            let last = complained.lines().last().unwrap_or_default();
            assert!(hit && !last.is_empty(), "no word of what is wrong: {said}");
        }
        before = log;
    }
    place.swissmatch(&RUN).expect_code(0);
    let log = Log::read(&place, "run");
    log.assert_only_grew(&before);
    assert_eq!(log.games.len(), games);
    assert_eq!(results(&place, "run"), expected);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
