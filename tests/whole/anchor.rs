//! The log's head, told outside as it grows: what a log that was rewritten whole, with a chain that is right, fails by.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::Value;
use swissmatch::shell::store::{chain_hash, sha256};

use crate::death::{Background, assert_empty, send, until};
use crate::schemas;
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// Four players and two rounds; the first two end each game by a crash, so that nothing in its moves says who lost.
pub(crate) fn event(more: &str) -> String {
    let mut text = format!(
        "[event]\nname = \"anchored\"\n[swiss]\nrounds = 2\nseeding = \"listed\"\n[mini_match]\ngames = 2\n\
         openings = \"none\"\n[game]\nnodes = 100\nmax_moves = 40\n{more}\n[run]\nmax_faults = \"none\"\n"
    );
    let crash = "args = [\"--fault\", \"exit\", \"--at\", \"3\"]";
    for (name, program, more) in [
        ("A", "fault-agent", crash),
        ("B", "fault-agent", crash),
        ("C", "random-mover", ""),
        ("D", "greedy", ""),
    ] {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{}\"\n{more}\n",
            engine(program)
        );
    }
    text
}

/// An event that was played, with its anchor in the file `anchors`.
fn anchored() -> Place {
    let place = Place::new();
    place.write("event.toml", &event(""));
    place
        .swissmatch(&[&RUN[..], &["--anchor", "file:anchors"]].concat())
        .expect_code(0);
    place
}

fn program(place: &Place, name: &str, text: &str) {
    let path = place.write(name, text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("rights");
}

/// The lines of an anchor, each as its schema says.
fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.inspect(|line| schemas::check("anchor-line", line)).collect()
}

fn entries(lines: &[Value]) -> Vec<u64> {
    lines
        .iter()
        .map(|line| line["entry"].as_u64().expect("a number"))
        .collect()
}

#[test]
fn each_anchor_is_told_the_head_of_the_log_as_it_grows() {
    let place = Place::new();
    place.write("event.toml", &event(""));
    program(&place, "take", "#!/bin/sh\ncat >> taken\n");
    program(
        &place,
        "later",
        "#!/bin/sh\n[ -e tried ] || { touch tried; exit 7; }\ncat >> taken-later\n",
    );
    let mut args = RUN.to_vec();
    args.extend([
        "--anchor",
        "file:anchors",
        "--anchor",
        "exec:./take",
        "--anchor",
        "exec:./later",
    ]);
    let ran = place.swissmatch(&args);
    ran.expect_code(0);

    let told = place.read("anchors");
    // The event is created; each round is paired, and over.
    assert_eq!(entries(&lines(&told)), [1, 2, 6, 7, 11]);
    assert_eq!(place.read("taken"), told);
    assert_eq!(place.read("taken-later"), told);
    let complaints = ran
        .stderr()
        .matches("/later: it ended with exit status: 7; play goes on")
        .count();
    assert_eq!(complaints, 1, "{}", ran.stderr());

    let verified = place.swissmatch(&["verify", "run", "--anchor", "anchors"]);
    verified.expect_code(0);
    assert!(
        verified
            .stdout()
            .contains("ok      anchor           5 lines (up to entry "),
        "{}",
        verified.stdout()
    );
    // What anybody can compute by hand, as the page says.
    let page = include_str!("../../docs/anchor.md");
    let (_, script) = page.split_once("```sh\n").expect("a script");
    let (script, _) = script.split_once("```").expect("its end");
    let computed = Command::new("sh")
        .args(["-euc", script])
        .current_dir(place.path("run"))
        .output();
    let computed = String::from_utf8(computed.expect("a shell").stdout).expect("text");
    for line in lines(&told) {
        let hash = line["hash"].as_str().expect("a hash");
        assert!(
            computed.contains(&format!("{} {hash}\n", line["entry"])),
            "{line}\n{computed}"
        );
    }
    // What stands in the log.
    let log = Connection::open(place.path("run/run.sqlite")).expect("the log");
    for line in lines(&told) {
        let hash: String = log
            .query_row(
                "SELECT hash FROM entries WHERE seq = ?1",
                [line["entry"].as_i64()],
                |row| row.get(0),
            )
            .expect("an entry");
        assert_eq!(line["hash"], hash);
    }
    drop(log);

    // The same command on an event that is over tells them how it stands.
    place
        .swissmatch(&[&RUN[..], &["--anchor", "file:late"]].concat())
        .expect_code(0);
    assert_eq!(
        entries(&lines(&place.read("late"))),
        [12],
        "the key has changed, which is an entry"
    );
    place
        .swissmatch(&[&RUN[..], &["--anchor", "file:late"]].concat())
        .expect_code(0);
    assert_eq!(entries(&lines(&place.read("late"))), [12, 12]);
}

#[test]
fn an_anchor_that_takes_nothing_never_stops_play_and_is_told() {
    let place = Place::new();
    place.write("event.toml", &event(""));
    program(&place, "hang", "#!/bin/sh\necho $$ >> started\nexec sleep 1000\n");
    program(&place, "fail", "#!/bin/sh\necho no room >&2\nexit 7\n");
    let args = [
        &RUN[..],
        &["--anchor", "exec:./hang,exec:./fail", "--anchor", "file:anchors"],
    ]
    .concat();
    let ran = place.swissmatch(&args);
    ran.expect_code(5);
    let said = ran.stderr();
    assert!(
        said.contains("exec:") && said.contains("/fail: it ended with exit status: 7: no room; play goes on"),
        "{said}"
    );
    assert!(
        said.contains("/fail: 5 lines were not delivered") && said.contains("/hang: 5 lines were not delivered"),
        "{said}"
    );
    assert!(
        said.contains("the event has been played to its end, and the log has every finished game"),
        "{said}"
    );
    assert_eq!(entries(&lines(&place.read("anchors"))), [1, 2, 6, 7, 11]);
    place
        .swissmatch(&["verify", "run", "--anchor", "anchors"])
        .expect_code(0);
    assert_eq!(place.read("started").lines().count(), 1, "one at a time");
    assert_empty(&place, PATIENCE);
}

/// Changes the bodies of entries, in a log with a chain of its own then.
fn rewrite(log: &Path, mut change: impl FnMut(&Connection, String) -> String) {
    let log = Connection::open(log).expect("the log");
    let triggers = [
        "entries_are_never_changed",
        "entries_are_never_deleted",
        "blobs_are_never_changed",
        "blobs_are_never_deleted",
    ];
    for trigger in triggers {
        log.execute_batch(&format!("DROP TRIGGER {trigger}"))
            .expect("whoever can write can do this");
    }
    let mut statement = log
        .prepare("SELECT seq, at, body FROM entries ORDER BY seq")
        .expect("a statement");
    let rows: Vec<(i64, String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .expect("rows")
        .collect::<Result<_, _>>()
        .expect("rows");
    drop(statement);
    let mut previous = String::new();
    for (seq, at, body) in rows {
        let body = change(&log, body);
        let hash = chain_hash(&previous, seq, &at, &body);
        log.execute(
            "UPDATE entries SET body = ?1, hash = ?2 WHERE seq = ?3",
            (&body, &hash, seq),
        )
        .expect("it is changed");
        previous = hash;
    }
}

/// One game of the last round, lost by the other side, with a record that says the same.
pub(crate) fn forge(log: &Path) {
    let turned = |text: &str| {
        let sides = [
            ("\"result\":\"0-1\"", "\"result\":\"1-0\""),
            ("\"lost_by\":\"white\"", "\"lost_by\":\"black\""),
        ];
        sides.iter().fold(text.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{text}");
            text.replace(from, to)
        })
    };
    let mut changed = 0;
    rewrite(log, |log, mut body| {
        if changed == 0 && body.contains("\"id\":\"2.") && body.contains("\"lost_by\":\"white\"") {
            let finished: Value = serde_json::from_str(&body).expect("JSON");
            let old = finished["record"].as_str().expect("a record").to_owned();
            let record: String = log
                .query_row("SELECT body FROM blobs WHERE hash = ?1", [&old], |row| row.get(0))
                .expect("the record");
            let record = turned(&record);
            let new = sha256(record.as_bytes());
            log.execute(
                "UPDATE blobs SET hash = ?1, body = ?2 WHERE hash = ?3",
                [&new, &record, &old],
            )
            .expect("it is changed");
            body = turned(&body).replace(&old, &new);
            changed += 1;
        }
        body
    });
    assert_eq!(changed, 1, "there is such a game");
}

#[test]
fn a_log_that_was_rewritten_whole_fails_by_its_anchor_alone() {
    let place = anchored();
    place
        .swissmatch(&["verify", "run", "--anchor", "anchors"])
        .expect_code(0);
    let honest = place.read("run/standings.csv");
    place.copy("run", "forged");
    forge(&place.path("forged/run.sqlite"));
    // The program itself publishes what the new log gives.
    place
        .swissmatch(&["run", "event.toml", "--out", "forged"])
        .expect_code(0);
    assert_ne!(place.read("forged/standings.csv"), honest);

    let alone = place.swissmatch(&["verify", "forged"]);
    alone.expect_code(0);
    assert!(!alone.stdout().contains("WRONG"), "{}", alone.stdout());
    let found = place.swissmatch(&["verify", "forged", "--anchor", "anchors"]);
    found.expect_code(1);
    let wrong: Vec<String> = found
        .stdout()
        .lines()
        .filter(|line| line.starts_with("WRONG"))
        .map(str::to_owned)
        .collect();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(
        wrong[0].contains("anchor") && wrong[0].ends_with("the log was rewritten after that time"),
        "{wrong:?}"
    );
    let json = place.swissmatch(&["verify", "forged", "--anchor", "anchors", "--json"]);
    json.expect_code(1);
    assert!(json.stdout().contains("\"check\": \"anchor\""), "{}", json.stdout());

    // One that was cut off, whatever is done with the rest.
    place.copy("run", "cut");
    let log = Connection::open(place.path("cut/run.sqlite")).expect("the log");
    log.execute_batch("DROP TRIGGER entries_are_never_deleted; DELETE FROM entries WHERE seq > 9")
        .expect("it is cut");
    drop(log);
    let found = place.swissmatch(&["verify", "cut", "--anchor", "anchors"]);
    found.expect_code(1);
    assert!(
        found
            .stdout()
            .contains("it was cut off, or an older copy is in its place"),
        "{}",
        found.stdout()
    );
}

/// Web servers are told no more; a run that had one goes on without it.
#[test]
fn a_run_with_a_web_server_as_its_anchor_is_still_read() {
    let place = anchored();
    rewrite(&place.path("run/run.sqlite"), |_, body| {
        body.replace("\"file:anchors\"", "\"https://example.org/anchors\"")
    });
    let other = [&RUN[..], &["--anchor", "https://example.org/others"]].concat();
    place.swissmatch(&other).expect_code(4);
    // Its event file is as it was.
    let unchanged = [&RUN[..], &["--anchor", "https://example.org/anchors"]].concat();
    let late = [&RUN[..], &["--anchor", "file:late"]].concat();
    let web = "run.anchor: was [\"https://example.org/anchors\"], is []";
    let file = "run.anchor: was [], is [\"file:late\"]";
    for (words, change, times) in [
        (&unchanged, web, 1),
        (&unchanged, web, 0),
        (&late, file, 1),
        (&late, file, 0),
    ] {
        let ran = place.swissmatch(words);
        ran.expect_code(0);
        assert_eq!(ran.stderr().matches(change).count(), times, "{}", ran.stderr());
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn lines_of_other_runs_and_unfinished_ones_are_told_and_anything_else_is_refused() {
    let place = anchored();
    place
        .swissmatch(&["run", "event.toml", "--out", "other", "--anchor", "file:anchors"])
        .expect_code(0);
    let both = place.read("anchors");
    let (own, other): (Vec<&str>, Vec<&str>) = (both.lines().take(5).collect(), both.lines().skip(5).collect());
    place.write("torn", &format!("{both}{}", &own[0][..70]));
    let verified = place.swissmatch(&["verify", "run", "--anchor", "torn"]);
    verified.expect_code(0);
    let told = "; not compared: 5 lines of other runs, 1 unfinished line)\n";
    assert!(verified.stdout().contains(told), "{}", verified.stdout());
    place.write("other-lines", &other.join("\n"));
    let verified = place.swissmatch(&["verify", "run", "--anchor", "other-lines"]);
    verified.expect_code(1);
    assert!(
        verified.stdout().contains("no line belongs to this run"),
        "{}",
        verified.stdout()
    );
    place.write("wrong", &format!("{}\nno line\n", own[0]));
    let refused = place.swissmatch(&["verify", "run", "--anchor", "wrong"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("wrong:2: it is no line of JSON"),
        "{}",
        refused.stderr()
    );
    place
        .swissmatch(&["verify", "run", "--anchor", "nowhere"])
        .expect_code(4);
    // The next line goes after a line that was not finished.
    place
        .swissmatch(&[&RUN[..], &["--anchor", "file:torn"]].concat())
        .expect_code(0);
    place.swissmatch(&["verify", "run", "--anchor", "torn"]).expect_code(0);
}

#[test]
fn after_kill_9_the_anchor_goes_on() {
    let place = Place::new();
    place.write("event.toml", &event("").replace("rounds = 2", "rounds = 3"));
    let args = [&RUN[..], &["--anchor", "file:anchors"]].concat();
    let running = Background::start(&place, &args);
    let anchors = place.path("anchors");
    until("the second round", PATIENCE, || {
        std::fs::read_to_string(&anchors)
            .is_ok_and(|text| text.lines().count() >= 3)
            .then_some(())
    });
    send(running.guard(), Signal::KILL);
    drop(running);
    assert_empty(&place, PATIENCE);
    let before = place.read("anchors");
    place.swissmatch(&args).expect_code(0);
    let after = place.read("anchors");
    assert!(after.starts_with(&before) && after.len() > before.len());
    let numbers = entries(&lines(&after));
    assert!(numbers.is_sorted(), "{numbers:?}");
    place
        .swissmatch(&["verify", "run", "--anchor", "anchors"])
        .expect_code(0);
}

/// `ssh-keygen ARGS…` in the place; `input` is its standard input.
pub(crate) fn ssh_keygen(place: &Place, args: &[&str], input: &str) -> bool {
    let mut command = Command::new("ssh-keygen");
    command.args(args).current_dir(place.path("")).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.as_mut().expect("ssh-keygen is installed: make test-tools");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes())
        .expect("it reads");
    child.wait().expect("it ends").success()
}

pub(crate) fn new_key(place: &Place, name: &str) {
    assert!(
        ssh_keygen(place, &["-q", "-t", "ed25519", "-N", "", "-f", name], ""),
        "a key"
    );
}

#[test]
fn what_could_not_be_trusted_is_refused_before_anything_starts() {
    let place = Place::new();
    new_key(&place, "key");
    new_key(&place, "open");
    std::fs::set_permissions(place.path("open"), std::fs::Permissions::from_mode(0o644)).expect("rights");
    assert!(ssh_keygen(
        &place,
        &["-q", "-t", "ed25519", "-N", "secret", "-f", "locked"],
        ""
    ));
    assert!(ssh_keygen(&place, &["-q", "-t", "ecdsa", "-N", "", "-f", "ecdsa"], ""));
    place.write("anchors", "");
    std::fs::create_dir(place.path("own")).expect("a directory");
    std::fs::rename(place.path("key"), place.path("own/key")).expect("it is moved");
    let plain = event("");
    let with = |more: &str, of_a: &str| {
        let text = plain.replace("[run]\n", &format!("{more}\n[run]\n"));
        text.replacen("name = \"A\"", &format!("name = \"A\"\n{of_a}"), 1)
    };
    let anchor = |value: &str| plain.replace("[run]\n", &format!("[run]\nanchor = {value}\n"));
    let key = "[publish]\nsign = \"own/key\"";
    for (text, said) in [
        (
            anchor("[\"file:run/anchors\"]"),
            "run.anchor: file:run/anchors: it is in the directory of the run",
        ),
        (
            anchor("[\"file:event.toml\"]"),
            "it is there and no file of anchor lines",
        ),
        (anchor("[\"file:none/anchors\"]"), "No such file or directory"),
        (anchor("[\"exec:./none\"]"), "there is no file"),
        (
            anchor("[\"https://example.org/\"]"),
            "write exec: and a program that has the line `exec curl",
        ),
        (anchor("[\"anchors\"]"), "write file:PATH or exec:PROGRAM"),
        (
            anchor("[\"file:anchors\"]").replacen("name = \"A\"", "name = \"A\"\nwrite = [\"anchors\"]", 1),
            "player.write: `anchors` would let it write the file of an anchor",
        ),
        (
            with("[publish]\nsign = \"open\"", ""),
            "other users may read or write it (mode 644); chmod 600",
        ),
        (with("[publish]\nsign = \"locked\"", ""), "it has a passphrase"),
        (with("[publish]\nsign = \"ecdsa\"", ""), "ssh-keygen -t ed25519"),
        (with("[publish]\nsign = \"none\"", ""), "it cannot be read"),
        (
            with(key, "env = { X = \"own\" }"),
            "would let it read the private key of publish.sign",
        ),
    ] {
        place.write("event.toml", &text);
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let told = refused.stderr();
        assert!(told.contains(said) && told.contains("event.toml:"), "{said}\n{told}");
        assert!(!place.path("run/run.sqlite").exists());
    }
    place.write("event.toml", &with(key, "isolation = \"off\""));
    let ran = place.swissmatch(&RUN);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("publish.sign: A is not isolated"),
        "{}",
        ran.stderr()
    );
}
