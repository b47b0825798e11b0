//! The attempts are real: where nothing isolates an agent they succeed. A row whose attempt fails here would prove nothing
//! where it is refused.

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::geteuid;

use super::stage::{Stage, Tmux, begin};
use super::table::{Open, PROGRAMS, Row, TABLE};
use crate::death::{Background, until};
use crate::support::{at_once, complaints, finish, say_what_is_missing};

/// Longer than any of these takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// So many runs that are ruined at once: each mostly waits.
const AT_ONCE: usize = 4;

fn rows(of: &[Open]) -> Vec<&'static Row> {
    let all = TABLE.iter().chain(PROGRAMS);
    all.filter(|row| of.contains(&row.open)).collect()
}

/// Objects of System V have no owner who would take them away.
fn take_away(said: &str) {
    for (kind, flag) in [("sysv-segment", "-m"), ("sysv-semaphore", "-s"), ("sysv-queue", "-q")] {
        let id = said.strip_prefix(&format!("hostile {kind}: done id "));
        if let Some(id) = id {
            let _ = Command::new("ipcrm")
                .args([flag, id.trim()])
                .stderr(Stdio::null())
                .status();
        }
    }
}

/// Whether this user may trace processes that are not its children.
fn may_trace() -> bool {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    matches!(scope.trim(), "" | "0") || geteuid().is_root()
}

#[test]
fn harm_is_done_in_one_game() {
    let stage = Stage::new();
    let tmux = Tmux::start(&stage);
    let rows = rows(&[Open::Together, Open::WhereItCan, Open::WhereItTraces]);
    stage.event(&rows, "off", "any", &[]);
    finish(stage.on_terminal().spawn().expect("script starts"));
    let mut wrong = Vec::new();
    for (row, line) in rows.iter().zip(stage.said(&rows)) {
        take_away(&line);
        if line.starts_with(&format!("{}done ", begin(row))) {
            continue;
        }
        let alone = match row.open {
            Open::WhereItCan => stage.without_a_runner(row),
            Open::WhereItTraces if !may_trace() => ": refused by Yama".to_owned(),
            _ => String::new(),
        };
        take_away(&alone);
        if alone.contains(": refused ") {
            say_what_is_missing(&format!("this machine refuses it to anybody: {line}"));
        } else {
            wrong.push(format!("{line} (without a runner: {alone})"));
        }
    }
    // It tries again in the second game.
    complaints(&stage.place().evidence("run", "1.1.2").expect("evidence"))
        .lines()
        .for_each(take_away);
    drop(tmux);
    assert!(wrong.is_empty(), "{wrong:#?}\n{}", stage.place().read("shown"));
}

#[test]
fn games_are_won_by_words_in_another_mouth() {
    let stage = Stage::new();
    let rows: Vec<_> = TABLE.iter().filter(|row| row.harm == "speak-for-other").collect();
    stage.event(&rows, "off", "any", &[]);
    stage
        .place()
        .swissmatch(&["run", "event.toml", "--out", "run"])
        .expect_code(0);
    stage.place().swissmatch(&["verify", "run"]).expect_code(0);
    for game in stage.place().export_json("run", "games-json")["games"]
        .as_array()
        .expect("games")
    {
        let side = game["fault_of"].as_str().expect("a side");
        assert_eq!(
            (&game[side], &game["termination"]),
            (&"Honest".into(), &"illegal-move".into()),
            "{game:#}"
        );
    }
}

/// The event is stopped, hangs, or blames another: whatever it is, the agent says that it did it, or nobody is left to read that.
#[test]
fn runs_are_ruined() {
    let rows = rows(&[Open::Ruins]);
    for rows in rows.chunks(AT_ONCE) {
        at_once(rows.iter().copied(), ruins);
    }
}

fn ruins(row: &Row) {
    let stage = Stage::new();
    let told = stage.place().path("told").display().to_string();
    stage.event(&[row], "off", "any", &["--tell".to_owned(), told.clone()]);
    let mut running = Background::start(stage.place(), &["run", "event.toml", "--out", "run"]);
    let ended_badly = until(row.harm, PATIENCE, || {
        let ended = running.ended().map(|status| !matches!(status.code(), Some(0 | 3)));
        ended.or_else(|| told_of(&told).map(|_| false))
    });
    // Whoever kills those above it may be ended before it tells.
    let is_left = !(row.harm.starts_with("kill-") && ended_badly);
    if is_left {
        let told = until(row.harm, PATIENCE, || told_of(&told));
        assert!(told.starts_with(&format!("{}done ", begin(row))), "{told}");
    }
}

/// The first line in a file, once it is there.
fn told_of(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    text.split_once('\n').map(|(line, _)| line.to_owned())
}

/// Everybody is killed, where that is nobody but this run.
#[test]
fn everybody_is_killed() {
    if !geteuid().is_root() {
        return say_what_is_missing("a namespace for processes is root's to make");
    }
    for row in rows(&[Open::InNamespace]) {
        let stage = Stage::new();
        stage.event(&[row], "off", "any", &[]);
        let output = finish(stage.in_namespace().spawn().expect("unshare starts"));
        // 128 and the number of SIGKILL: what became of the guard.
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(137), "{said}");
    }
}
