//! "No process of any engine is alive one second after the runner has ended in any way." The contract on process death
//! (`crates/swissmatch-host/src/guard.rs`), held against real processes.
//!
//! Every process of a test works in the test's own directory, engines and what they leave behind included: by that it is
//! found in /proc, and by that nothing else is.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::support::{Place, engine, swissmatch};
use crate::tape;

/// How long engines may outlive a runner.
const SECOND: Duration = Duration::from_secs(1);
/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(10);

/// A process as /proc shows it.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    parent: u32,
    /// Its words, with blanks between them.
    pub(crate) line: String,
}

impl Process {
    pub(crate) fn is_keeper(&self) -> bool {
        self.line.starts_with("swissmatch-keeper")
    }
}

/// Every process that works in the test's directory; what has ended and was not reaped works nowhere.
pub(crate) fn processes_in(place: &Place) -> Vec<Process> {
    let home = fs::canonicalize(place.path("")).expect("the directory is there");
    let numbers = fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = numbers.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
    pids.filter_map(|pid| process_in(pid, &home)).collect()
}

fn process_in(pid: u32, home: &PathBuf) -> Option<Process> {
    let dir = PathBuf::from(format!("/proc/{pid}"));
    fs::read_link(dir.join("cwd"))
        .ok()
        .filter(|cwd| cwd.starts_with(home))?;
    let line = fs::read(dir.join("cmdline")).ok()?;
    let stat = fs::read_to_string(dir.join("stat")).ok()?;
    // The name before it is in brackets and may hold blanks and brackets of its own.
    let (_, fields) = stat.rsplit_once(')')?;
    Some(Process {
        pid,
        parent: fields.split_whitespace().nth(1)?.parse().ok()?,
        line: String::from_utf8_lossy(&line).replace('\0', " "),
    })
}

pub(crate) fn send(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a pid");
    // Gone already is what most of these want.
    let _ = rustix::process::kill_process(pid, signal);
}

/// Waits until `found` gives something.
#[track_caller]
pub(crate) fn until<T>(what: &str, patience: Duration, mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < patience, "{what}: not within {patience:?}");
        sleep(PAUSE);
    }
}

/// Asserts that nothing works in the directory any more, after `patience` at the latest.
#[track_caller]
pub(crate) fn assert_empty(place: &Place, patience: Duration) {
    let begun = Instant::now();
    loop {
        let left = processes_in(place);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < patience, "alive after {patience:?}: {left:#?}");
        sleep(PAUSE);
    }
}

/// `swissmatch` in the background, its words going to files. Whatever is left of it is ended with this value.
pub(crate) struct Background<'a> {
    place: &'a Place,
    label: String,
    guard: Child,
}

impl<'a> Background<'a> {
    pub(crate) fn start(place: &'a Place, args: &[&str]) -> Self {
        Self::start_by(place, place.command(args))
    }

    /// By a command that becomes `swissmatch`.
    pub(crate) fn start_by(place: &'a Place, mut command: Command) -> Self {
        let file = |name| File::create(place.path(name)).expect("a file for its words");
        command.stdout(file("said")).stderr(file("complained"));
        let label = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let guard = command.spawn().expect("swissmatch starts");
        Self { place, label, guard }
    }

    /// The process that a user starts.
    pub(crate) fn guard(&self) -> u32 {
        self.guard.id()
    }

    /// The process that plays, once it is there.
    pub(crate) fn player(&self) -> u32 {
        until("the player", PATIENCE, || self.player_now())
    }

    /// The process that plays, if it is there.
    pub(crate) fn player_now(&self) -> Option<u32> {
        let is_player =
            |process: &Process| process.parent == self.guard() && process.line.starts_with("swissmatch-player");
        processes_in(self.place)
            .into_iter()
            .find(is_player)
            .map(|player| player.pid)
    }

    /// Its exit status, if it has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.guard.try_wait().expect("the guard is ours")
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn end(&mut self, patience: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.ended() {
                tape::ended(&self.label, status);
                return status;
            }
            let said = self.place.read("complained");
            let left = || processes_in(self.place);
            assert!(
                begun.elapsed() < patience,
                "not over after {patience:?}: {:#?}\n{said}",
                left()
            );
            sleep(PAUSE);
        }
    }
}

/// A run of 40 games that is cancelled, as a job of continuous integration is, when some of them are over: nothing is left of it. Its
/// directory, as `run` finds it, and how many games it has.
#[track_caller]
pub(crate) fn cancelled(place: &Place, args: &[&str], run: impl Fn() -> Option<String>) -> (String, usize) {
    let mut running = Background::start(place, args);
    let run = until("a run", PATIENCE, run);
    until("some games", PATIENCE, || {
        (games_in_log(place, &run) >= 2).then_some(())
    });
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
    assert_empty(place, Duration::from_secs(1));
    let games = games_in_log(place, &run);
    assert!((2..40).contains(&games), "{games}");
    (run, games)
}

impl Drop for Background<'_> {
    fn drop(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            let _ = self.guard.kill();
            let _ = self.guard.wait();
            let left = processes_in(self.place);
            if left.is_empty() {
                break;
            }
            for process in left {
                send(process.pid, Signal::KILL);
            }
            sleep(PAUSE);
        }
    }
}

/// Finished games in the log of the run `run`; none before there is a log.
pub(crate) fn games_in_log(place: &Place, run: &str) -> usize {
    let ran = place.swissmatch(&["export", "games-json", run]);
    let games: Option<serde_json::Value> = serde_json::from_str(&ran.stdout()).ok();
    games.map_or(0, |games| games["games"].as_array().map_or(0, Vec::len))
}

/// Four players on two boards: one plain, one that leaves processes in sessions of their own, one behind a shell, and one
/// that heeds neither `quit` nor the end of its input. Two of them take `ms` for a move.
fn event(games: u32, ms: u32) -> String {
    let agent = engine("fault-agent");
    // In this order the first round seats a slow player at either board, so that all four are there for a while.
    let players = [
        (
            "Plain",
            agent.as_str(),
            format!(r#""--fault", "sleep", "--ms", "{ms}""#),
        ),
        (
            "Wrapped",
            "/bin/sh",
            format!(r#""-c", "'{agent}' --fault sleep --ms {ms}; true""#),
        ),
        ("Forking", &agent, r#""--fault", "fork-setsid""#.to_owned()),
        ("Deaf", &agent, r#""--fault", "ignore-quit""#.to_owned()),
    ];
    let mut text = format!(
        "[event]\nname = \"death\"\n[swiss]\nrounds = 3\nseeding = \"listed\"\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\nmax_moves = 8\n[engine]\nisolation = \"off\"\nquit_grace = \"200ms\"\n[run]\nconcurrency = 2\noversubscribe = true\n"
    );
    for (name, command, args) in players {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\nargs = [{args}]\n");
    }
    text
}

/// A run of that event, once all four kinds of process are there.
fn lively<'a>(place: &'a Place, event: &str) -> Background<'a> {
    place.write("event.toml", event);
    let running = Background::start(place, &["run", "event.toml", "--out", "run"]);
    until("all kinds of process", PATIENCE, || {
        let processes = processes_in(place);
        let there = |mark: &str| {
            processes
                .iter()
                .any(|process| !process.is_keeper() && process.line.contains(mark))
        };
        let keepers = processes.iter().filter(|process| process.is_keeper()).count();
        (keepers >= 4 && ["--linger", "/bin/sh", "ignore-quit"].into_iter().all(there)).then_some(())
    });
    running
}

/// After `act` the runner ends with this exit code, none for a signal, and leaves nothing.
fn ends(act: impl FnOnce(&Background<'_>), code: Option<i32>) {
    let place = Place::new();
    let mut running = lively(&place, &event(40, 20));
    act(&running);
    let status = running.end(PATIENCE);
    // A guard that was killed can keep no promise by itself; any other ends after everything else has.
    let patience = if code.is_some() { Duration::ZERO } else { SECOND };
    assert_empty(&place, patience);
    assert_eq!(status.code(), code, "{}", place.read("complained"));
}

#[test]
fn the_player_killed() {
    ends(|running| send(running.player(), Signal::KILL), Some(130));
}

#[test]
fn the_player_crashed() {
    // It gives up by itself where it gets no memory: the machine's doing, and no interruption.
    ends(|running| send(running.player(), Signal::ABORT), Some(5));
}

#[test]
fn the_guard_killed() {
    ends(|running| send(running.guard(), Signal::KILL), None);
}

#[test]
fn the_guard_quit_from_the_terminal() {
    ends(|running| send(running.guard(), Signal::QUIT), None);
}

#[test]
fn guard_and_player_killed_together() {
    let kill_both = |running: &Background<'_>| {
        let player = running.player();
        send(running.guard(), Signal::KILL);
        send(player, Signal::KILL);
    };
    ends(kill_both, None);
}

#[test]
fn a_player_that_was_stopped_goes_with_its_guard() {
    let stop_and_kill = |running: &Background<'_>| {
        send(running.player(), Signal::STOP);
        send(running.guard(), Signal::KILL);
    };
    ends(stop_and_kill, None);
}

/// Games under way are finished and saved at one request to stop, whichever signal it is.
#[test]
fn one_request_to_stop_lets_games_finish() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let place = Place::new();
        let mut running = lively(&place, &event(40, 20));
        let before = games_in_log(&place, "run");
        send(running.guard(), signal);
        let status = running.end(PATIENCE);
        assert_empty(&place, Duration::ZERO);
        let said = place.read("complained");
        assert_eq!(status.code(), Some(130), "{said}");
        let under_way = said
            .split_once("under way (")
            .and_then(|(_, rest)| rest.split_once(')'));
        let under_way: usize = under_way.and_then(|(number, _)| number.parse().ok()).expect("how many");
        assert!(
            under_way > 0 && games_in_log(&place, "run") >= before + under_way,
            "{said}"
        );
        assert!(
            said.contains("swissmatch run event.toml --out run"),
            "how to go on: {said}"
        );
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn a_second_request_stops_at_once() {
    let place = Place::new();
    // A game takes 24 seconds and more.
    let mut running = lively(&place, &event(2, 3_000));
    send(running.guard(), Signal::INT);
    until("the first is understood", PATIENCE, || {
        place.read("complained").contains("stopping").then_some(())
    });
    send(running.guard(), Signal::INT);
    let asked = Instant::now();
    let status = running.end(PATIENCE);
    assert_empty(&place, Duration::ZERO);
    assert_eq!(status.code(), Some(130), "{}", place.read("complained"));
    assert!(asked.elapsed() < Duration::from_secs(5), "took {:?}", asked.elapsed());
    assert_eq!(games_in_log(&place, "run"), 0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// What is being committed at that instant counts, and the files say the same.
#[test]
fn a_second_request_amid_many_games_leaves_files_that_fit() {
    for _ in 0..6 {
        let place = Place::new();
        let mut running = lively(&place, &event(1000, 0));
        send(running.guard(), Signal::INT);
        sleep(Duration::from_millis(1));
        send(running.guard(), Signal::INT);
        assert_eq!(running.end(PATIENCE).code(), Some(130));
        assert_empty(&place, Duration::ZERO);
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn the_normal_end() {
    let place = Place::new();
    let mut running = lively(&place, &event(2, 20));
    let status = running.end(PATIENCE);
    assert_empty(&place, Duration::ZERO);
    assert_eq!(status.code(), Some(0), "{}", place.read("complained"));
    assert_eq!(games_in_log(&place, "run"), 3 * 2 * 2);
}

/// Agents are started before there is any game; a runner that dies then leaves nothing either.
#[test]
fn killed_while_agents_are_checked() {
    for kill_guard in [true, false] {
        let place = Place::new();
        let agent = engine("fault-agent");
        let slow = r#"args = ["--fault", "slow-uciok", "--ms", "9000"]"#;
        place.write(
            "event.toml",
            &format!(
                "[[player]]\nname = \"a\"\ncommand = \"{agent}\"\n{slow}\n[[player]]\nname = \"b\"\ncommand = \"/bin/sh\"\n\
                 args = [\"-c\", \"setsid '{agent}' --linger 60; true\"]\nisolation = \"off\"\n"
            ),
        );
        let mut running = Background::start(
            &place,
            &[
                "run",
                "event.toml",
                "--concurrency",
                "2",
                "--set",
                "run.oversubscribe=true",
            ],
        );
        until("agents", PATIENCE, || {
            let processes = processes_in(&place);
            let there = |mark: &str| {
                processes
                    .iter()
                    .any(|process| !process.is_keeper() && process.line.contains(mark))
            };
            (there("slow-uciok") && there("--linger 60")).then_some(())
        });
        let victim = if kill_guard { running.guard() } else { running.player() };
        send(victim, Signal::KILL);
        running.end(PATIENCE);
        assert_empty(&place, if kill_guard { SECOND } else { Duration::ZERO });
    }
}

/// Its engine, and what that left behind, is ended within a second or so; the game is that engine's loss, and the event
/// goes on to its end.
#[test]
fn a_keeper_killed() {
    let place = Place::new();
    // Few and long games: it is to be killed in the middle of one, not between two, which costs nobody a game.
    let mut running = lively(&place, &event(2, 100));
    // The keeper of the forking one, once what that left behind has come to it.
    let (keeper, below) = until("the engine and its orphan below one keeper", PATIENCE, || {
        let processes = processes_in(&place);
        let is_keeper = |pid| {
            processes
                .iter()
                .any(|process| process.pid == pid && process.is_keeper())
        };
        let is_it = |process: &&Process| process.line.contains("fork-setsid") && is_keeper(process.parent);
        let keeper = processes.iter().find(is_it)?.parent;
        let below = processes.iter().filter(|process| process.parent == keeper);
        let below: Vec<u32> = below.map(|process| process.pid).collect();
        (below.len() >= 2).then_some((keeper, below))
    });
    send(keeper, Signal::KILL);
    until("the orphans' end", SECOND + SECOND / 2, || {
        let left = processes_in(&place);
        left.iter().all(|process| !below.contains(&process.pid)).then_some(())
    });
    assert!(
        running.ended().is_none(),
        "the event goes on: {}",
        place.read("complained")
    );
    let status = running.end(PATIENCE);
    assert_empty(&place, Duration::ZERO);
    assert_eq!(status.code(), Some(0), "{}", place.read("complained"));
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list of games");
    assert_eq!(games.len(), 3 * 2 * 2);
    let faults: Vec<_> = games.iter().filter(|game| !game["fault_of"].is_null()).collect();
    let [fault] = faults[..] else {
        panic!("one game ended so: {faults:#?}")
    };
    let side = fault["fault_of"].as_str().expect("a side");
    assert_eq!(fault[side], "Forking", "{fault:#}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Two players, one of which is a shell that does `first` and then becomes a proper agent.
fn shell_event(first: &str) -> String {
    let agent = engine("fault-agent");
    format!(
        "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 4\n[engine]\nisolation = \"off\"\n\
         start_limit = \"1s\"\nquit_grace = \"200ms\"\nmust_start = false\n[[player]]\nname = \"Good\"\ncommand = \"{agent}\"\n\
         [[player]]\nname = \"Bad\"\ncommand = \"/bin/sh\"\nargs = [\"-c\", \"{first}; exec '{agent}'\"]\n"
    )
}

#[test]
fn an_engine_that_kills_its_keeper_only_loses() {
    let place = Place::new();
    place.write("event.toml", &shell_event("kill -KILL $PPID"));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
    let status = running.end(PATIENCE);
    assert_empty(&place, Duration::ZERO);
    assert_eq!(status.code(), Some(3), "{}", place.read("complained"));
    assert_eq!(games_in_log(&place, "run"), 2);
}

/// A keeper that its engine stops neither says anything nor ends; nobody may wait for it for ever.
#[test]
fn an_engine_that_stops_its_keeper_stops_nobody_else() {
    for stop in [
        "kill -STOP $PPID",
        "(while kill -STOP $PPID; do sleep 0.05; done) & true",
    ] {
        let place = Place::new();
        place.write("event.toml", &shell_event(stop));
        let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
        running.end(PATIENCE);
        assert_empty(&place, Duration::ZERO);
        assert_eq!(games_in_log(&place, "run"), 2, "{stop}: {}", place.read("complained"));
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

/// With the guard killed nobody is left to end such an engine but the keeper that it has stopped.
#[test]
fn a_keeper_that_was_stopped_still_ends_its_engine_when_the_guard_is_killed() {
    let stop_keepers_and_kill = |running: &Background<'_>| {
        for keeper in processes_in(running.place).iter().filter(|process| process.is_keeper()) {
            send(keeper.pid, Signal::STOP);
        }
        send(running.guard(), Signal::KILL);
    };
    ends(stop_keepers_and_kill, None);
}

/// The player can die at any step of its keeper's, before it has said what is to be started as well.
#[test]
fn a_keeper_without_a_player_ends() {
    let place = Place::new();
    place.write("complained", "");
    // Before anything was handed over, and amid it.
    for said in ["", "{\"program\":"] {
        let (mut player, keeper) = UnixStream::pair().expect("a socket");
        player.write_all(said.as_bytes()).expect("a socket");
        drop(player);
        let mut command = Command::new(swissmatch());
        command.arg("__keeper").current_dir(place.path(""));
        let mut running = Background {
            label: "run".to_owned(),
            place: &place,
            guard: command.stdin(OwnedFd::from(keeper)).spawn().expect("swissmatch starts"),
        };
        assert_eq!(running.end(PATIENCE).code(), Some(0));
        assert_empty(&place, Duration::ZERO);
    }
}
