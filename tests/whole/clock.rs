//! Time that the machine takes is not the engine's: a runner that is stopped, and machines with much more to do than they can,
//! lose nobody a game on time. `make clocks-check` runs the long ones.
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, Ran, engine, finish, system_engine};

/// An event of pairs that play so many games each, so many at once.
struct Busy {
    pairs: usize,
    games: usize,
    at_once: usize,
    control: &'static str,
    /// Command and arguments of everybody.
    command: (&'static str, &'static [&'static str]),
    plies: u32,
}

impl Busy {
    fn write(&self, place: &Place) {
        let (command, args) = self.command;
        let command = match command == STOCKFISH.0 {
            true => system_engine(command),
            false => engine(command),
        };
        let args: Vec<String> = args.iter().map(|arg| format!("\"{arg}\"")).collect();
        let mut text = format!(
            "preset = \"none\"\n[event]\nname = \"busy\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {}\n\
             [game]\ntime_control = \"{}\"\nmax_plies = {}\n[engine]\nstart_limit = \"60s\"\nready_limit = \"60s\"\n\
             [run]\nconcurrency = {}\noversubscribe = true\n",
            self.games, self.control, self.plies, self.at_once
        );
        for player in 1..=2 * self.pairs {
            text += &format!(
                "[[player]]\nname = \"P{player}\"\ncommand = '{}'\nargs = [{}]\n",
                command,
                args.join(", ")
            );
        }
        place.write("event.toml", &text);
    }

    fn run(&self, place: &Place) -> Child {
        self.write(place);
        let arguments = ["run", "event.toml", "--out", "run"];
        place.command(&arguments).spawn().expect("swissmatch starts")
    }

    /// Every game, none of them lost on time, the log in order; and how many answers were in time by doubt.
    #[track_caller]
    fn check(&self, place: &Place, ran: &Ran) -> u64 {
        ran.expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        let list = place.export_json("run", "games-json");
        let games = list["games"].as_array().expect("a list of games");
        assert_eq!(games.len(), self.pairs * self.games);
        let records = place.swissmatch(&["export", "records", "run"]).stdout();
        let records = records
            .lines()
            .map(|line| serde_json::from_str(line).expect("a record"));
        let records: Vec<Value> = records.collect();
        let lost = records.iter().filter(|record| record["termination"] == "time-forfeit");
        let lost: Vec<String> = lost
            .map(|record| format!("{} {:#}", record["id"], record["failed_attempts"]))
            .collect();
        let in_doubt = records.iter().filter_map(|record| record["in_doubt"].as_array());
        let in_doubt: Vec<&Value> = in_doubt.flatten().collect();
        let plies: usize = records
            .iter()
            .filter_map(|record| record["time_us"].as_array())
            .map(Vec::len)
            .sum();
        eprintln!(
            "{} games, {} at once, {}, {:?}: {} lost on time; {} of {plies} answers in time by doubt",
            games.len(),
            self.at_once,
            self.control,
            ran.took,
            lost.len(),
            in_doubt.len(),
        );
        assert!(lost.is_empty(), "{lost:#?}");
        in_doubt.len() as u64
    }

    #[track_caller]
    fn play(&self) -> u64 {
        let place = Place::new();
        let begun = Instant::now();
        let output = finish(self.run(&place));
        let took = begun.elapsed();
        self.check(&place, &Ran { output, took })
    }
}

const STOCKFISH: (&str, &[&str]) = ("stockfish", &[]);
/// Thinks for fifty milliseconds, without running.
const SLEEPER: (&str, &[&str]) = ("fault-agent", &["--fault", "sleep", "--ms", "50"]);

/// How long a machine that does much else may take until engines are there.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often the player is stopped at most.
const STOPS: usize = 3;

/// Returns whether the process was there.
fn signal(signal: &str, pid: u32) -> bool {
    let sent = Command::new("kill").args([signal, &pid.to_string()]).status();
    sent.expect("kill runs").success()
}

/// Stops a guard and its player, and returns once all their threads stand still, or they have ended; whether they were there. Each
/// sends the other on: a player that runs its guard, a guard its player.
pub(crate) fn stop(guard: u32, player: u32) -> bool {
    let stands = |stat: String| {
        let state = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.trim_start().chars().next());
        matches!(state, Some('T' | 'Z'))
    };
    let are_still = |pid: u32| {
        let threads = std::fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let mut stats = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
        stats.all(stands)
    };
    loop {
        if !signal("-STOP", guard) || !signal("-STOP", player) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
        if are_still(guard) && are_still(player) {
            return true;
        }
    }
}

/// The player below a guard.
fn player_of(guard: u32) -> Option<u32> {
    let children = std::fs::read_to_string(format!("/proc/{guard}/task/{guard}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// How many engines have been started for games of a run.
fn engines_of_games(place: &Place) -> usize {
    let log = std::fs::read_to_string(place.path("run/run.log")).unwrap_or_default();
    let of_a_slot = |line: &&str| line.contains(" slot ") && line.contains("engine started");
    log.lines().filter(of_a_slot).count()
}

#[track_caller]
fn stop_the_player(busy: &Busy, time: Duration) {
    let place = Place::new();
    let begun = Instant::now();
    let mut child = busy.run(&place);
    let engines = 2 * busy.at_once.min(busy.pairs);
    while engines_of_games(&place) < engines {
        assert!(begun.elapsed() < PATIENCE, "no game begins");
        assert!(
            child.try_wait().expect("it is waited for").is_none(),
            "it ended before a game began"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // Nothing tells when the first move is asked for: it is stopped again and again.
    let mut stops = 0;
    while stops < STOPS {
        std::thread::sleep(Duration::from_millis(700));
        let guard = child.id();
        if child.try_wait().expect("it is waited for").is_some() {
            break;
        }
        let Some(player) = player_of(guard) else { continue };
        // The guard would send it on.
        if !stop(guard, player) {
            signal("-CONT", guard);
            continue;
        }
        stops += 1;
        std::thread::sleep(time);
        signal("-CONT", player);
        signal("-CONT", guard);
    }
    let output = finish(child);
    let took = begun.elapsed();
    let in_doubt = busy.check(&place, &Ran { output, took });
    assert!(in_doubt > 0, "nothing was under way");
    let status = place.swissmatch(&["status", "run"]);
    assert!(
        status.stdout().contains("in time after allowing for the machine"),
        "{}",
        status.stdout()
    );
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let records = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    let told: Vec<Value> = records.filter(|record| record["in_doubt"] != Value::Null).collect();
    let answers = |record: &Value| record["in_doubt"].as_array().cloned().unwrap_or_default();
    let was_paused =
        |answer: &Value| u128::from(answer["pauses_us"].as_u64().unwrap_or(0)) + 100_000 > time.as_micros();
    let paused = told.iter().find(|record| answers(record).iter().any(was_paused));
    let id = &paused.unwrap_or_else(|| panic!("{told:#?}"))["id"];
    let report = place.swissmatch(&["explain", "game", id.as_str().expect("its name"), "run"]);
    assert!(
        report.stdout().contains("the runner was stopped"),
        "{}{}",
        report.stdout(),
        report.stderr()
    );
    assert!(place.read("run/games.pgn").contains("machine="), "the PGN tells");
}

/// The runner is stopped for longer than anybody's clock has, also one that has saved most of its increments: 2.5 s.
#[test]
fn the_stopped_player_loses_nobody_a_game() {
    let busy = Busy {
        pairs: 2,
        games: 1,
        at_once: 2,
        control: "1+0.1",
        command: SLEEPER,
        plies: 120,
    };
    stop_the_player(&busy, Duration::from_secs(3));
}

/// Eight games at once on any machine, of programs that search.
#[test]
fn a_busy_machine_loses_nobody_a_game() {
    let busy = Busy {
        pairs: 8,
        games: 1,
        at_once: 8,
        control: "0.5+0.01",
        command: STOCKFISH,
        plies: 30,
    };
    busy.play();
}

/// "SIGSTOP of the player for 5 s under 3+0.1."
#[test]
#[ignore = "takes minutes of the whole machine: make clocks-check"]
fn five_seconds_under_three() {
    let busy = Busy {
        pairs: 2,
        games: 2,
        at_once: 2,
        control: "3+0.1",
        command: STOCKFISH,
        plies: 80,
    };
    stop_the_player(&busy, Duration::from_secs(5));
}

/// "128 games at 64 at once, 64 at 16."
#[test]
#[ignore = "takes minutes of the whole machine: make clocks-check"]
fn many_games_at_once() {
    for (pairs, at_once) in [(64, 64), (32, 16)] {
        let busy = Busy {
            pairs,
            games: 2,
            at_once,
            control: "1+0.01",
            command: STOCKFISH,
            plies: 60,
        };
        busy.play();
    }
}

/// "40 beside eight burners."
#[test]
#[ignore = "takes minutes of the whole machine: make clocks-check"]
fn beside_burners() {
    let burner = || {
        let mut command = Command::new("timeout");
        command.args(["100", "sh", "-c", "while :; do :; done"]);
        command.stdin(Stdio::null()).spawn().expect("a burner")
    };
    let mut burners: Vec<Child> = (0..8).map(|_| burner()).collect();
    let busy = Busy {
        pairs: 20,
        games: 2,
        at_once: 2,
        control: "1+0.01",
        command: STOCKFISH,
        plies: 60,
    };
    let played = std::panic::catch_unwind(|| busy.play());
    for burner in &mut burners {
        signal("-TERM", burner.id());
        burner.wait().expect("it ends");
    }
    played.expect("nobody lost on time");
}
