//! What the machine does to a run is nobody's loss: wants of the host, stops that are sent to everything, odd ways of being
//! started.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, processes_in, send, until};
use crate::support::{Guest, Place, engine, say_what_is_missing, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// Two slow players; a game takes some seconds.
fn slow_event() -> String {
    let agent = engine("fault-agent");
    let player = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"100\"]\n"
        )
    };
    format!(
        "[event]\nname = \"host\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 4\nopenings = \"none\"\n[game]\nmax_moves = 3\n\
         [run]\nconcurrency = 2\noversubscribe = true\n{}{}",
        player("A"),
        player("B")
    )
}

/// Terminations of all finished games.
pub(crate) fn terminations(place: &Place, run: &str) -> Vec<String> {
    let games = place.export_json(run, "games-json");
    let games = games["games"].as_array().cloned().unwrap_or_default();
    games.iter().map(|game| game["termination"].to_string()).collect()
}

/// As systemd, a shutdown, or a cancelled job do it: engines that end by that signal have not crashed.
#[test]
fn a_stop_that_is_sent_to_every_process_is_no_crash() {
    for signal in [Signal::TERM, Signal::INT] {
        let place = Place::new();
        place.write("event.toml", &slow_event());
        let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
        until("four engines", PATIENCE, || {
            let playing = processes_in(&place)
                .iter()
                .filter(|process| process.line.contains("sleep"))
                .count();
            (playing >= 4).then_some(())
        });
        std::thread::sleep(Duration::from_millis(200));
        for process in processes_in(&place) {
            send(process.pid, signal);
        }
        assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
        place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
        let ended = terminations(&place, "run");
        assert_eq!(ended.len(), 4);
        assert!(ended.iter().all(|termination| termination.contains("cap")), "{ended:?}");
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

/// A machine that has no room for another process gives no forfeits; with room the run goes on.
#[test]
fn a_machine_without_room_for_processes_forfeits_nobodys_game() {
    let Some(guest) = Guest::new(&["fault-agent"]) else {
        return;
    };
    let place = &guest.place;
    let event = slow_event().replace(&engine("fault-agent"), "./fault-agent");
    place.write("event.toml", &event);
    let ran = guest.swissmatch(&["--nproc=25".to_owned()], &["run", "event.toml", "--out", "run"]);
    let said = ran.stderr();
    if place.path("run/run.sqlite").exists() {
        let ended = terminations(place, "run");
        assert!(
            ended.iter().all(|termination| termination.contains("cap")),
            "{ended:?}\n{said}"
        );
    }
    if ran.output.status.code() != Some(0) {
        assert_eq!(ran.output.status.code(), Some(5), "{said}");
        assert!(said.contains("swissmatch: "), "{said}");
    }
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    assert_eq!(terminations(place, "run").len(), 4);
}

/// As the first process of a container.
#[test]
fn it_runs_as_process_1() {
    let place = Place::new();
    place.write("event.toml", &slow_event());
    let args = ["--map-root-user", "--pid", "--fork", "--mount-proc"];
    let allowed = std::process::Command::new("unshare").args(args).arg("true").status();
    if !allowed.is_ok_and(|status| status.success()) {
        say_what_is_missing("process namespaces are not allowed here");
        return;
    }
    let mut inner = place.command(&["run", "event.toml", "--out", "run"]);
    let mut outer = std::process::Command::new("unshare");
    outer
        .args(args)
        .arg(inner.get_program())
        .args(inner.get_args())
        .current_dir(place.path(""));
    let ran = outer.stdin(std::process::Stdio::null()).output().expect("unshare runs");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(inner.output().expect("it runs").status.success(), "and again, as usual");
}

/// The mark of the player is no way around the guard.
#[test]
fn a_player_without_its_guard_does_not_play() {
    let place = Place::new();
    place.write("event.toml", &slow_event());
    for guard in ["", "1", "99999999"] {
        place
            .swissmatch(&["__player", guard, "run", "event.toml", "--out", "run"])
            .expect_code(5);
    }
    assert!(!place.path("run").exists());
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let place = Place::new();
    place.write("event.toml", &slow_event());
    let mut inner = place.command(&["run", "event.toml", "--out", "run"]);
    let mut outer = std::process::Command::new(system_engine("nohup"));
    outer
        .arg(inner.get_program())
        .args(inner.get_args())
        .env("TMPDIR", place.path(""))
        .current_dir(place.path(""));
    outer
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = outer.spawn().expect("nohup runs");
    let guard = child.id();
    until("the engines", PATIENCE, || {
        processes_in(&place)
            .iter()
            .any(|p| p.line.contains("sleep"))
            .then_some(())
    });
    send(guard, Signal::HUP);
    let ran = crate::support::finish(child);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(inner.output().expect("it runs").status.success());
}

#[test]
fn fresh_takes_a_directory_with_a_trailing_slash() {
    let place = Place::new();
    place.write("event.toml", &slow_event().replace("\"100\"", "\"0\""));
    for _ in 0..2 {
        place
            .swissmatch(&["run", "event.toml", "--out", "run/", "--fresh"])
            .expect_code(0);
    }
    assert!(place.path("run/run.sqlite").is_file() && place.path("run.1/run.sqlite").is_file());
}

/// Files that an agent's options and `--name=FILE` arguments name are part of it.
#[test]
fn files_that_options_and_arguments_name_are_part_of_an_agent() {
    let place = Place::new();
    let gnuchess = system_engine("gnuchess");
    let stockfish = system_engine("stockfish");
    place.write("book.bin", "1");
    place.write("log.txt", "1");
    let event = format!(
        "[event]\nname = \"files\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n[game]\nnodes = 20\n[engine]\nmust_start = false\n\
         [[player]]\nname = \"A\"\ncommand = \"{stockfish}\"\noptions = {{ \"Debug Log File\" = \"\", SyzygyPath = \"book.bin\" }}\n\
         [[player]]\nname = \"B\"\ncommand = \"{gnuchess}\"\nargs = [\"--uci\", \"--pgnsave=log.txt\"]\ndepth = 1\n"
    );
    place.write("event.toml", &event);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    let manifest = place.read("run/manifest.json");
    assert!(manifest.contains("/book.bin"), "{manifest}\n{}", ran.stderr());
    assert!(manifest.contains("/log.txt"), "{manifest}");
    place.write("book.bin", "2");
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("book.bin has changed"),
        "{}",
        refused.stderr()
    );
}

#[test]
fn an_interruption_before_the_first_game_says_so() {
    let place = Place::new();
    let agent = engine("fault-agent");
    place.write(
        "event.toml",
        &slow_event().replace(
            &format!("command = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"100\"]"),
            &format!("command = \"{agent}\"\nargs = [\"--fault\", \"no-uciok\"]"),
        ),
    );
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
    until("an agent being checked", PATIENCE, || {
        processes_in(&place)
            .iter()
            .any(|p| p.line.contains("no-uciok") && !p.is_keeper())
            .then_some(())
    });
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    let said = place.read("complained");
    assert!(said.contains("before any game was begun"), "{said}");
    assert!(!place.path("run").exists());
}

/// As by a hand that is not in time, an OOM killer, the end of a container: `kill -9` of guard, player, keepers and engines one
/// after the other, in any order. Nobody has crashed, whoever goes first.
#[test]
fn a_kill_of_every_process_in_any_order_is_no_crash() {
    const ORDERS: u64 = 16;
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = move |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % bound as u64).expect("small")
    };
    let mut counted = 0;
    for order in 0..ORDERS {
        let place = Place::new();
        place.write("event.toml", &slow_event());
        let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
        let mut all = until("four engines", PATIENCE, || {
            let all = processes_in(&place);
            let playing = all.iter().filter(|p| !p.is_keeper() && p.line.contains("sleep"));
            (playing.count() >= 4 && place.path("run/manifest.json").exists()).then_some(all)
        });
        std::thread::sleep(Duration::from_millis(100));
        let begun = std::time::Instant::now();
        let mut names = Vec::new();
        while !all.is_empty() {
            let process = all.swap_remove(below(all.len()));
            send(process.pid, Signal::KILL);
            names.push(process.line.split(' ').next().unwrap_or_default().to_owned());
            std::thread::sleep(Duration::from_millis(below(25) as u64));
        }
        // A machine that is busy with something else may have taken its time over it.
        let in_time = begun.elapsed() < Duration::from_millis(800);
        running.end(PATIENCE);
        crate::death::assert_empty(&place, PATIENCE);
        if !in_time {
            continue;
        }
        counted += 1;
        let ended = terminations(&place, "run");
        assert!(
            ended.iter().all(|termination| termination.contains("cap")),
            "order {order}, {names:?}: {ended:?}"
        );
        if order % 8 == 0 {
            place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
            let ended = terminations(&place, "run");
            assert_eq!(ended.len(), 4);
            assert!(ended.iter().all(|termination| termination.contains("cap")), "{ended:?}");
        }
    }
    assert!(
        counted > 0,
        "this machine is too busy to kill ten processes within a second"
    );
}
