//! Files against what may happen to them: power cuts, disks without room, others who write, remove or copy them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use swissmatch::shell::store::{Bundle, Evidence, Store, StoreError};
use swissmatch::tournament::log::Entry;

use crate::death::{Background, assert_empty, until};
use crate::kill::{results, short_event};
use crate::resume::{RUN, contents, shell, tiny_event};
use crate::support::{Place, at_once, engine, finish, say_what_is_missing, swissmatch};

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const OVERSUBSCRIBED: [&str; 4] = ["--concurrency", "2", "--set", "run.oversubscribe=true"];

/// Four players who take their time, so that a run lasts some seconds, whatever the machine.
fn unhurried_event() -> String {
    let mut text =
        "[event]\nname = \"unhurried\"\nrng_seed = 5\n[swiss]\nrounds = 3\n[mini_match]\ngames = 4\n[game]\n\
                    time_control = \"10s/move\"\nmax_moves = 8\n"
            .to_owned();
    for seed in 1..=4 {
        let command = engine("fault-agent");
        text += &format!(
            "[[player]]\nname = \"P {seed}\"\ncommand = \"{command}\"\n\
             args = [\"--fault\", \"sleep\", \"--every\", \"--ms\", \"40\", \"--seed\", \"{seed}\"]\n"
        );
    }
    text
}

/// A run that lasts some seconds, of which `what` has been said.
pub(crate) fn under_way<'a>(place: &'a Place, what: &str) -> Background<'a> {
    place.write("event.toml", &unhurried_event());
    let running = Background::start(place, &[&RUN[..], &OVERSUBSCRIBED].concat());
    until(what, PATIENCE, || place.read("complained").contains(what).then_some(()));
    running
}

/// Finished games of a run.
pub(crate) fn games(place: &Place, run: &str) -> usize {
    let games = place.export_json(run, "games-json");
    games["games"].as_array().expect("games").len()
}

/// Whether system calls can be traced here.
pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    let can = traced.expect("strace").status.success();
    if !can {
        say_what_is_missing("strace may not trace here");
    }
    can
}

/// What cannot be seen is not what is not there.
#[test]
fn a_log_that_cannot_be_looked_at_is_not_taken_for_none() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    fs::create_dir(place.path("run")).expect("a directory");
    for to in ["run.sqlite", "nowhere/run.sqlite"] {
        let log = place.path("run/run.sqlite");
        std::os::unix::fs::symlink(to, &log).expect("a link");
        let refused = place.swissmatch(&RUN);
        refused.expect_code(5);
        assert!(refused.stderr().contains("run/run.sqlite"), "{}", refused.stderr());
        fs::remove_file(log).expect("the link");
    }
    place.swissmatch(&RUN).expect_code(0);
    if can_trace() {
        // A stat that fails for a moment, as on a network's file system; SQLite's own is another call.
        let before = contents(&place, "run");
        let script = "exec strace -f --seccomp-bpf -o /dev/null -P run/run.sqlite -e inject=statx:error=EIO \
                      \"$SWISSMATCH\" run event.toml --out run";
        let refused = shell(&place, script);
        refused.expect_code(5);
        assert!(refused.stderr().contains("run/run.sqlite"), "{}", refused.stderr());
        assert_eq!(contents(&place, "run"), before);
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn nothing_is_appended_to_a_log_that_was_not_read_to_its_end() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let log = place.path("run/run.sqlite");
    let before = contents(&place, "run");
    let read = Store::open_to_read(&log)
        .and_then(|store| store.entries())
        .expect("the log");
    for part in [&[][..], &read[..1], &read[..read.len() - 1]] {
        let refused = Store::open(&log, part).expect_err("it has more entries");
        assert!(matches!(refused, StoreError::Unread { .. }), "{refused}");
    }
    // One who wrote after it was opened.
    let mut store = Store::open(&log, &read).expect("the log");
    let again = || Bundle::from(Entry::clone(&read[1].entry));
    let mut other = Store::open(&log, &read).expect("the log");
    other
        .append(&[again()], "2026-01-30T10:00:00Z")
        .expect("it is appended");
    let refused = store
        .append(&[again()], "2026-01-30T10:00:00Z")
        .expect_err("it has more entries");
    assert!(matches!(refused, StoreError::Unread { .. }), "{refused}");
    drop((store, other));
    let connection = Connection::open(&log).expect("it opens");
    let count: i64 = connection
        .query_row("SELECT count(*) FROM entries", [], |row| row.get(0))
        .expect("a number");
    assert_eq!(count, read.len() as i64 + 1);
    assert_ne!(contents(&place, "run"), before);
}

/// Every file that takes another's place is on the disk before it does, and its directory after it.
#[test]
fn what_takes_a_place_is_on_the_disk() {
    if !can_trace() {
        return;
    }
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.write("list.csv", "name,command\nZ,greedy\n");
    let traced = |args: &str| {
        let script = format!(
            "exec strace -f --seccomp-bpf -y -o trace -e trace=fsync,fdatasync,rename,renameat,renameat2,mkdir \"$SWISSMATCH\" {args}"
        );
        shell(&place, &script).expect_code(0);
        place.read("trace")
    };
    for (args, least) in [
        // Around isolated agents there are directories that last no longer than they do.
        ("run event.toml --isolation off --out results/a/run", 10),
        ("roster import list.csv --into event.toml --trust command", 1),
        ("roster lock event.toml", 1),
        ("export csv results/a/run -o all.csv", 1),
    ] {
        let trace = traced(args);
        let lines: Vec<&str> = trace.lines().collect();
        let mut renamed = 0;
        for (number, line) in lines.iter().enumerate() {
            let Some((_, call)) = line.split_once(" rename") else {
                continue;
            };
            // SQLite renames nothing. Without names it is the second half of a call that another thread came between.
            let names: Vec<&str> = call.split('"').skip(1).step_by(2).collect();
            let [from, to] = names[..] else { continue };
            let from = from.rsplit('/').next().expect("a name");
            renamed += 1;
            let is_synced = |line: &&str| line.contains("sync(") && line.contains(from);
            assert!(
                lines[..number].iter().any(is_synced),
                "{to} before it was on the disk:\n{trace}"
            );
            let directory = match to.rsplit_once('/') {
                Some((directory, _)) => directory.trim_start_matches("./"),
                None => "",
            };
            let directory = place.path(directory).canonicalize().expect("it is there");
            let directory = format!("{}>", directory.display().to_string().trim_end_matches('/'));
            let after = lines[number..].iter();
            assert!(
                after
                    .clone()
                    .any(|line| line.contains("sync(") && line.contains(&directory)),
                "the place of {to} ({directory}):\n{trace}"
            );
        }
        assert!(renamed >= least, "{args}: {trace}");
        for line in lines
            .iter()
            .filter(|line| line.contains(" mkdir(") && line.ends_with("= 0"))
        {
            let made = line.split('"').nth(1).expect("a name");
            // A control group is on no disk.
            if made.starts_with("/sys/") {
                continue;
            }
            let above = place
                .path(made)
                .parent()
                .expect("a parent")
                .canonicalize()
                .expect("it is there");
            let above = format!("{}>", above.display());
            assert!(
                trace
                    .lines()
                    .any(|line| line.contains("sync(") && line.contains(&above)),
                "{made}: {trace}"
            );
        }
    }
}

#[test]
fn a_damaged_record_takes_no_game_from_the_published_ones() {
    let place = Place::new();
    place.write("event.toml", &short_event());
    place.swissmatch(&RUN).expect_code(0);
    let games = place.read("run/games.pgn");
    let log = crate::damage::unguarded(&place.path("run"));
    let changed = log.execute(
        "UPDATE blobs SET body = replace(body, '\"moves\":\"', '\"moves\":\"a2a3 ') WHERE hash = \
         (SELECT json_extract(body, '$.record') FROM entries WHERE body LIKE '%\"id\":\"2.%' AND kind = 'game-finished' LIMIT 1)",
        [],
    );
    assert_eq!(changed, Ok(1));
    drop(log);
    let refused = place.swissmatch(&RUN);
    refused.expect_code(5);
    assert!(
        refused.stderr().contains("is missing or was changed"),
        "{}",
        refused.stderr()
    );
    assert_eq!(place.read("run/games.pgn"), games);
    let names: Vec<String> = contents(&place, "run").into_iter().map(|(name, _)| name).collect();
    assert!(!names.iter().any(|name| name.ends_with(".part")), "{names:?}");
}

/// What cannot be published is told at once, tried again, and no reason to stop; what cannot be at the end is the machine's.
#[test]
fn a_file_that_cannot_be_written_is_told_of_while_games_are_played() {
    let cases = [
        ("standings.csv", false, true),
        ("standings.csv", false, false),
        ("games.pgn", true, false),
    ];
    at_once(cases, |(name, pipe, comes_right)| {
        let place = Place::new();
        let mut running = under_way(&place, "board");
        let table = place.path(&format!("run/{name}"));
        until("the table", PATIENCE, || table.is_file().then_some(()));
        until("the warning", PATIENCE, || {
            // The runner may write the table anew before something else is in its place, or over a pipe that has just come there.
            if table.is_file() {
                let _ = fs::remove_file(&table);
                match pipe {
                    true => drop(Command::new("mkfifo").arg(&table).output()),
                    false => drop(fs::create_dir(&table)),
                }
            }
            place.read("complained").contains(&format!("{name}: ")).then_some(())
        });
        assert!(running.ended().is_none(), "it is told while games are played");
        if comes_right {
            fs::remove_dir(&table).expect("it goes");
        }
        let status = running.end(PATIENCE);
        let complained = place.read("complained");
        assert_eq!(status.code(), Some(if comes_right { 0 } else { 5 }), "{complained}");
        if !comes_right {
            let last = complained.lines().last().unwrap_or_default();
            assert!(last.contains("the same command"), "{last}");
            match pipe {
                true => fs::remove_file(&table).expect("it goes"),
                false => fs::remove_dir(&table).expect("it goes"),
            }
            place.swissmatch(&RUN).expect_code(0);
        }
        assert!(!place.path("run/run.sqlite-wal").exists());
        place.swissmatch(&["verify", "run"]).expect_code(0);
    });
}

/// Who takes away the log of a run at work stops it at once, and no finished game is lost.
#[test]
fn a_log_that_is_taken_away_stops_the_run_and_loses_nothing() {
    let cases = [
        ("rm run/run.sqlite", ""),
        ("rm run/run.sqlite run/run.sqlite-wal run/run.sqlite-shm", ""),
        ("rm run/run.sqlite-wal", ""),
        ("rm run/run.sqlite-shm", ""),
        (": > run/run.sqlite-wal", ""),
        ("mv run/run.sqlite away", "mv away run/run.sqlite"),
        (
            "echo mine > other; mv other run/run.sqlite",
            "mv run/run.sqlite.saved run/run.sqlite",
        ),
        ("mv run elsewhere", "mv elsewhere run"),
    ];
    at_once(cases, |(act, back)| {
        let place = Place::new();
        let mut running = under_way(&place, "board");
        let before = games(&place, "run");
        shell(&place, act).expect_code(0);
        let status = running.end(PATIENCE);
        let complained = place.read("complained");
        assert_eq!(status.code(), Some(5), "{act}: {complained}");
        let mut lines = complained.lines();
        let mut last = lines.next_back().unwrap_or_default().to_owned();
        if last.contains("the list of the games that were open") {
            // There may have been none.
            assert!(act.starts_with("mv run "), "{act}: {last}");
            last = lines.next_back().unwrap_or_default().to_owned();
        }
        assert!(
            last.contains("run/run.sqlite") && last.contains("the same command"),
            "{act}: {last}"
        );
        assert_empty(&place, Duration::ZERO);
        if back.contains("run.sqlite.saved") {
            // Nobody goes on from what lies there now without a word.
            let refused = place.swissmatch(&[&RUN[..], &OVERSUBSCRIBED].concat());
            assert_ne!(refused.output.status.code(), Some(0), "{act}");
        }
        shell(&place, back).expect_code(0);
        assert!(games(&place, "run") >= before, "{act}: {last}");
        let again = place.swissmatch(&[&RUN[..], &OVERSUBSCRIBED].concat());
        again.expect_code(0);
        assert!(again.stderr().contains("going on: "), "{act}: {}", again.stderr());
        place.swissmatch(&["verify", "run"]).expect_code(0);
    });
}

/// The same where nothing ends meanwhile.
#[test]
fn a_log_that_is_taken_away_is_missed_while_a_run_waits() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let mut running = Background::start(&place, &[&RUN[..], &["--confirm-rounds"]].concat());
    until("the proposal", PATIENCE, || {
        place.read("complained").contains("arbiter confirm").then_some(())
    });
    fs::remove_file(place.path("run/run.sqlite")).expect("the log");
    assert_eq!(running.end(PATIENCE).code(), Some(5), "{}", place.read("complained"));
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn games_that_somebody_took_away_are_written_anew() {
    let place = Place::new();
    let mut running = under_way(&place, "board");
    until("the games", PATIENCE, || {
        fs::remove_file(place.path("run/games.pgn")).ok()
    });
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn twenty_imports_at_once_are_all_in_the_file() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let children: Vec<Child> = (0..20)
        .map(|number| {
            let list = format!("list-{number}.csv");
            place.write(&list, &format!("name,command\nplayer {number},greedy\n"));
            let mut import = place.command(&["roster", "import", &list, "--into", "event.toml", "--trust", "command"]);
            import.stdout(Stdio::null()).spawn().expect("it starts")
        })
        .collect();
    for child in children {
        let ended = finish(child);
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    let event = place.read("event.toml");
    for number in 0..20 {
        assert!(
            event.contains(&format!("name = \"player {number}\"\n")),
            "player {number}: {event}"
        );
    }
    let names = fs::read_dir(place.path("")).expect("the directory").flatten();
    let left = names
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
        .count();
    assert_eq!(left, 0);
}

/// A runner that was killed after its last commit leaves everything in the -wal. What `run` and `verify` find in order they
/// put into the log's own file.
#[test]
fn what_a_killed_runner_left_beside_the_log_is_merged() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let before = results(&place, "run");
    for command in [&["verify", "run"][..], &RUN] {
        unmerge(&place, "run");
        assert!(place.path("run/run.sqlite-wal").exists());
        place.swissmatch(command).expect_code(0);
        assert!(!place.path("run/run.sqlite-wal").exists(), "{command:?}");
        // The file by itself is the run.
        let _ = fs::remove_dir_all(place.path("alone"));
        fs::create_dir(place.path("alone")).expect("a directory");
        fs::copy(place.path("run/run.sqlite"), place.path("alone/run.sqlite")).expect("a copy");
        place
            .swissmatch(&["run", "event.toml", "--out", "alone"])
            .expect_code(0);
        assert_eq!(results(&place, "alone"), before);
    }
    // Published files usually lag behind the log then.
    unmerge(&place, "run");
    fs::remove_file(place.path("run/standings.csv")).expect("it is there");
    place.swissmatch(&["verify", "run"]).expect_code(1);
    assert!(!place.path("run/run.sqlite-wal").exists());
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    // Where `verify` may not write it reads.
    unmerge(&place, "run");
    let script = r#"mount --bind run run && mount -o remount,ro,bind run || exit 77
        "$SWISSMATCH" verify run; verified=$?
        "$SWISSMATCH" standings run > shown || exit 76
        umount run && rm run/run.sqlite-shm && mount --bind run run && mount -o remount,ro,bind run || exit 77
        "$SWISSMATCH" verify run > verified || exit 75
        [ $verified = 0 ] || exit 74"#;
    place.write("read-only.sh", script);
    let verified = shell(&place, "unshare --map-root-user --mount sh read-only.sh");
    if ![Some(1), Some(77)].contains(&verified.output.status.code()) {
        verified.expect_code(0);
    }
    assert!(place.path("run/run.sqlite-wal").exists());
}

/// Brings a finished run into the state of one whose runner was killed before it merged the log: all since its first entry is
/// in the -wal.
pub(crate) fn unmerge(place: &Place, run: &str) {
    let log = place.path(&format!("{run}/run.sqlite"));
    let whole = crate::damage::unguarded(&place.path(run));
    let rows = whole
        .query_row("SELECT count(*) FROM entries", [], |row| row.get::<_, i64>(0))
        .expect("rows");
    drop(whole);
    fs::rename(&log, place.path("whole.sqlite")).expect("the log");
    let read = Store::open_to_read(&place.path("whole.sqlite")).expect("the log");
    let entries = read.entries().expect("the log");
    assert_eq!(entries.len() as i64, rows);
    let mut store: Option<Store> = None;
    for logged in entries {
        let blobs = match &logged.entry {
            Entry::GameFinished(finished) => {
                let record = finished.record.iter();
                let blobs = record.filter_map(|hash| Some((hash.clone(), read.blob(hash).ok()??)));
                blobs.collect()
            }
            _ => Vec::new(),
        };
        let evidence = match &logged.entry {
            Entry::GameFinished(finished) => finished.evidence.as_ref(),
            _ => None,
        };
        let evidence = evidence.map(|hash| read.evidence(hash).expect("the log").expect("evidence"));
        let entry = Bundle {
            entry: logged.entry,
            blobs,
            evidence: evidence.map(Evidence::of),
        };
        match &mut store {
            Some(store) => drop(store.append(&[entry], &logged.at).expect("it is appended")),
            None => store = Some(Store::create(&log, &entry, &logged.at).expect("a new log")),
        }
    }
    drop(read);
    fs::remove_file(place.path("whole.sqlite")).expect("it goes");
    // As the kernel does with who is killed: nothing is closed properly.
    for name in ["run.sqlite", "run.sqlite-wal", "run.sqlite-shm"] {
        fs::copy(place.path(&format!("{run}/{name}")), place.path(name)).expect("it is there");
    }
    drop(store);
    for name in ["run.sqlite", "run.sqlite-wal", "run.sqlite-shm"] {
        fs::rename(place.path(name), place.path(&format!("{run}/{name}"))).expect("it is there");
    }
}

/// A disk that is full when the event file is to be written leaves it as it was.
#[test]
fn an_event_file_that_cannot_be_written_stays_as_it_was() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    fs::set_permissions(place.path("event.toml"), fs::Permissions::from_mode(0o640)).expect("rights");
    let many: String = (0..200).map(|number| format!("player {number},greedy\n")).collect();
    place.write("list.csv", &format!("name,command\n{many}"));
    let import = "roster import list.csv --into event.toml --trust command";
    let refused = shell(
        &place,
        &format!("trap '' XFSZ; ulimit -f 1; exec \"$SWISSMATCH\" {import}"),
    );
    refused.expect_code(5);
    assert!(refused.stderr().contains("event.toml"), "{}", refused.stderr());
    assert_eq!(place.read("event.toml"), tiny_event());
    let ended = Command::new(swissmatch())
        .args(import.split(' '))
        .current_dir(place.path(""))
        .output();
    assert!(ended.expect("it starts").status.success());
    let rights = fs::metadata(place.path("event.toml"))
        .expect("it is there")
        .permissions();
    assert_eq!(rights.mode() & 0o777, 0o640);
}
