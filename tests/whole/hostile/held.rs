//! The attempts come to nothing where agents are isolated: each row of the table is refused, or done where nobody else sees it,
//! and the event is as if nobody had tried.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::geteuid;

use super::stage::{Bubblewrap, Stage, Tmux, begin};
use super::table::{Held, Open, PROGRAMS, Row, TABLE};
use crate::death::Background;
use crate::support::{finish, say_what_is_missing};

/// Longer than any of these takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);
const PAUSE: Duration = Duration::from_millis(20);

#[test]
fn guarded_agents_do_no_harm() {
    nothing_comes_of_it(&Stage::new(), "guarded", Bubblewrap::AsItIs);
}

#[test]
fn sealed_agents_do_no_harm() {
    nothing_comes_of_it(&Stage::new(), "sealed", Bubblewrap::AsItIs);
}

/// By the kernel's own rules on files and calls alone.
#[test]
fn guarded_agents_do_no_harm_without_namespaces() {
    if !geteuid().is_root() {
        return say_what_is_missing("bubblewrap is root's to hide");
    }
    nothing_comes_of_it(&Stage::new(), "guarded", Bubblewrap::Hidden);
}

/// Nothing then is held by a user of the agent's own: all that is around it is its user's too.
#[test]
fn agents_of_an_ordinary_user_do_no_harm() {
    for (isolation, bubblewrap) in [
        ("guarded", Bubblewrap::AsItIs),
        ("guarded", Bubblewrap::Hidden),
        ("sealed", Bubblewrap::AsItIs),
    ] {
        let Some(stage) = Stage::of_a_guest() else { return };
        nothing_comes_of_it(&stage, isolation, bubblewrap);
    }
}

/// Neither the organizer's engine nor a compiler, by no way around: with namespaces or by the kernel's rules alone.
#[test]
fn agents_run_their_own_programs_alone() {
    let rows: Vec<&Row> = PROGRAMS.iter().collect();
    let of_the_user = [("sealed", Bubblewrap::AsItIs), ("guarded", Bubblewrap::AsItIs)];
    for (isolation, bubblewrap) in of_the_user {
        nothing_comes_of(&Stage::new(), &rows, [isolation, "own"], bubblewrap);
    }
    for bubblewrap in [Bubblewrap::AsItIs, Bubblewrap::Hidden] {
        let Some(stage) = Stage::of_a_guest() else { return };
        nothing_comes_of(&stage, &rows, ["guarded", "own"], bubblewrap);
    }
}

/// Tells that it is not tried here where the machine lacks a protection that is required.
fn is_not_to_be_had(code: Option<i32>, complained: &str) -> bool {
    let refused = complained
        .lines()
        .find(|line| line.contains("cannot isolate agents as they have to be"));
    let line = refused.filter(|_| code == Some(5));
    if let Some(line) = line {
        say_what_is_missing(line);
    }
    line.is_some()
}

fn nothing_comes_of_it(stage: &Stage, isolation: &str, bubblewrap: Bubblewrap) {
    let is_tried = |row: &&Row| row.open != Open::InNamespace;
    let rows: Vec<&Row> = TABLE.iter().filter(is_tried).collect();
    // Some are made by programs of the system.
    nothing_comes_of(stage, &rows, [isolation, "any"], bubblewrap);
}

fn nothing_comes_of(stage: &Stage, rows: &[&Row], [isolation, exec]: [&str; 2], bubblewrap: Bubblewrap) {
    let tmux = Tmux::start(stage);
    let run = stage.place().path("run").display().to_string();
    let told = ["--run", &run, "--others", "others"].map(str::to_owned);
    stage.event(rows, isolation, exec, &told);
    let mut running = Background::start_by(stage.place(), stage.command(bubblewrap));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = running.ended() {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", stage.place().read("complained"));
        tell_who_is_there(running.guard());
        sleep(PAUSE);
    };
    let complained = stage.place().read("complained");
    if is_not_to_be_had(status.code(), &complained) {
        return;
    }
    assert_eq!(status.code(), Some(0), "{complained}");
    let manifest: serde_json::Value = serde_json::from_str(&stage.place().read("run/manifest.json")).expect("JSON");
    let means = manifest["seating"]["isolation"]["means"].to_string();
    let (is_sealed, in_namespaces) = (isolation == "sealed", means.contains("bubblewrap"));
    let is_superuser = stage.is_own() && geteuid().is_root();
    let is_held = |row: &Row, line: &str| {
        let outcome = line.strip_prefix(&begin(row)).unwrap_or_default();
        let (refused, done) = (outcome.starts_with("refused "), outcome.starts_with("done "));
        match row.held {
            Held::Refused => refused,
            Held::Own => refused || done,
            Held::Harmless => done,
            Held::WhereSealed => refused || (done && !is_sealed),
            Held::WithOwnDevices => refused || (done && !is_sealed && !(in_namespaces && is_superuser)),
            Held::InNamespaces => refused || (done && !in_namespaces),
        }
    };
    let said = rows.iter().zip(stage.said(rows));
    let wrong: Vec<String> = said
        .filter(|(row, line)| !is_held(row, line))
        .map(|(row, line)| format!("{line} (to be held by {:?})", row.by))
        .collect();
    assert!(wrong.is_empty(), "{isolation}, bubblewrap {bubblewrap:?}: {wrong:#?}");
    nobody_is_blamed(stage);
    drop(tmux);
    stage.assert_nothing_left();
}

/// What won games by words in its mouth wins none: the record has its own moves alone.
#[test]
fn stockfish_wins_both_games() {
    let stage = Stage::new();
    let rows: Vec<&Row> = TABLE.iter().filter(|row| row.harm == "speak-for-other").collect();
    stage.event_against_stockfish(&rows, "guarded");
    stage
        .place()
        .swissmatch(&["run", "event.toml", "--out", "run"])
        .expect_code(0);
    stage.place().swissmatch(&["verify", "run"]).expect_code(0);
    let said = stage.said(&rows);
    assert!(said[0].starts_with("hostile speak-for-other: refused "), "{said:?}");
    let evidence = ["1.1.1", "1.1.2"].map(|game| stage.place().evidence("run", game).expect("evidence"));
    assert!(evidence.iter().all(|text| !text.contains("a1a1")), "{evidence:#?}");
    let games = stage.place().export_json("run", "games-json");
    for game in games["games"].as_array().expect("a list of games") {
        let winner = if game["white"] == "Honest" { "1-0" } else { "0-1" };
        assert_eq!(
            (&game["result"], &game["termination"]),
            (&winner.into(), &"checkmate".into()),
            "{game:#}"
        );
    }
}

/// More processes than an agent may have: the kernel refuses them where it counts them apart from those of others, and elsewhere
/// the agent is ended.
#[test]
fn a_swarm_is_refused_or_ended() {
    let row = Row {
        harm: "multiply=3000",
        open: Open::Together,
        by: "pids",
        held: Held::Refused,
    };
    for (bubblewrap, ended) in [
        (Bubblewrap::AsItIs, ["move-cap", ""]),
        (Bubblewrap::Hidden, ["resource-limit", "processes"]),
    ] {
        let Some(stage) = Stage::of_a_guest() else { return };
        stage.event(&[&row], "guarded", "any", &[]);
        let mut running = Background::start_by(stage.place(), stage.command(bubblewrap));
        let begun = Instant::now();
        while running.ended().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{}", stage.place().read("complained"));
            sleep(PAUSE);
        }
        let games = stage.place().export_json("run", "games-json");
        let words = ["termination", "resource"].map(|key| games["games"][0][key].as_str().unwrap_or_default());
        let said = stage.place().evidence("run", "1.1.1").expect("evidence");
        // A keeper that looked just then has ended it for the little more that the kernel lets it see.
        let is_as_expected = words == ended || words == ["resource-limit", "processes"];
        assert!(is_as_expected, "{words:?}\n{said}");
        assert!(
            words != ["move-cap", ""] || said.contains("hostile multiply: refused "),
            "{said}"
        );
        stage.assert_nothing_left();
    }
}

/// The games are whole, and nobody is to blame for anything.
#[track_caller]
fn nobody_is_blamed(stage: &Stage) {
    stage.place().swissmatch(&["verify", "run"]).expect_code(0);
    let games = stage.place().export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list of games");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(
            (&game["fault_of"], &game["termination"]),
            (&().into(), &"move-cap".into()),
            "{game:#}"
        );
        assert_eq!(game["failed_attempts"], serde_json::json!([0, 0]), "{game:#}");
    }
}

/// Tells the hostile agent the processes of its run by their ids outside: it may see none, but could guess them.
fn tell_who_is_there(guard: u32) {
    let all = processes();
    let above = |pid: u32| {
        let parents = std::iter::successors(Some(pid), |pid| all.get(pid).map(|process| process.0));
        parents.take(all.len())
    };
    let name = |pid: u32| all.get(&pid).map_or("", |process| process.1.as_str());
    let mut lines = vec![format!("guard {guard}")];
    for pid in all
        .keys()
        .copied()
        .filter(|pid| above(*pid).any(|above| above == guard))
    {
        let is_below = |agent: &str| above(pid).any(|above| name(above).contains(agent));
        let has_below = |agent: &str| {
            all.keys()
                .any(|other| name(*other).contains(agent) && above(*other).any(|above| above == pid))
        };
        if name(pid).starts_with("swissmatch-player") {
            lines.push(format!("player {pid}"));
        } else if name(pid).starts_with("swissmatch-keeper") {
            lines.extend(has_below("hostile-agent").then(|| format!("keeper {pid}")));
        } else if is_below("fault-agent") {
            lines.push(format!("other {pid}"));
        }
    }
    // In the scratch directory of each agent: all else that it may read stays as it was registered.
    let text = lines.join("\n") + "\n";
    let player = lines.iter().find_map(|line| line.strip_prefix("player "));
    let begin = format!("swissmatch-scratch-{}-", player.unwrap_or_default());
    let entries = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten();
    let places = entries(&std::env::temp_dir()).filter(|entry| entry.file_name().to_string_lossy().starts_with(&begin));
    for scratch in places
        .flat_map(|place| entries(&place.path()))
        .map(|entry| entry.path())
    {
        let is_written = fs::write(scratch.join("others.new"), &text).is_ok();
        // It is emptied where nobody works in it.
        let _ = is_written && fs::rename(scratch.join("others.new"), scratch.join("others")).is_ok();
    }
}

/// The parent and the words of every process.
fn processes() -> BTreeMap<u32, (u32, String)> {
    let entries = fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
    let found = pids.filter_map(|pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let parent = fields.split_whitespace().nth(1)?.parse().ok()?;
        Some((pid, (parent, String::from_utf8_lossy(&line).replace('\0', " "))))
    });
    found.collect()
}

/// A signal to everybody reaches nobody: where that is nobody but this run, should it be otherwise.
#[test]
fn isolated_agents_kill_nobody() {
    if !geteuid().is_root() {
        return say_what_is_missing("a namespace for processes is root's to make");
    }
    let row = TABLE.iter().find(|row| row.open == Open::InNamespace).expect("a row");
    for isolation in ["guarded", "sealed"] {
        let stage = Stage::new();
        stage.event(&[row], isolation, "any", &[]);
        let output = finish(stage.in_namespace().spawn().expect("unshare starts"));
        let complained = String::from_utf8_lossy(&output.stderr);
        if is_not_to_be_had(output.status.code(), &complained) {
            continue;
        }
        assert!(output.status.success(), "{complained}");
        let said = stage.said(&[row]);
        assert!(said[0].starts_with(&format!("{}refused ", begin(row))), "{said:?}");
        nobody_is_blamed(&stage);
    }
}
