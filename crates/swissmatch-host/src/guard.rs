//! The guard: `swissmatch run` starts itself again as the player and stays behind to see that nothing outlives it.
//!
//! Passes signals on, sweeps up orphans, keeps typed keys off the screen, leaves the list of the games that were open when the
//! player ended, and gives the player's exit code as its own.
//!
//! The contract on process death, which it keeps together with `keeper`: who is killed when, by whom.
//!
//! - `swissmatch run` is the **guard**: it starts itself again as the **player** and stays behind as child subreaper. The player has a
//!   parent-death signal.
//! - Between the player and every engine is a **keeper** (the same program again): its own session, child subreaper, holding one end of a
//!   socket whose other end only the player holds. Over the socket the keeper gets what to start (`Launch`) and the engine's pipes.
//!   `Launch::start`, in the keeper, gives the engine's process everything that it has.
//! - A program that plays by the library is the player, with keepers; it has a guard only if it asks for one (`begin_guarded`). Without one
//!   the keepers end their engines however it dies, but nobody ends what a killed keeper leaves.
//! - The keeper kills its whole tree (by its control group where it has one, then stop all, kill all, until the kernel says that no child
//!   is left) when the socket closes: because the player dropped the engine, or because the player died in whatever way. `setsid` and
//!   double forks stay below the keeper. Groups of which nobody is left are removed by the keeper, else the player,
//!   the guard, the next run.
//! - When the player ends, the guard kills every process that was or is reparented to it, until no child is left, and only then ends
//!   itself. When the guard is killed the kernel kills the player, and the keepers see their sockets close. If an engine kills its own
//!   keeper, the orphans come to the guard, which ends them at once.
//! - The guard sends the player on, and the player (its conductor, ten times a second) the guard, where a signal has stopped one of them.
//!   The time for which the player was stopped is a pause, and so part of the doubt. Nothing sends on both if both are stopped at the same
//!   time.
//! - The player tells the guard which games begin and which are in the log, by lines at the end of a file in memory that the guard has
//!   made: it never waits for the guard, and nothing that the player starts inherits it. When the player has ended, in whatever way, and
//!   games are open or it had not settled the log, the guard leaves `interrupted.json` in the run's directory.
//! - An engine is ended by `quit`, then after `engine.quit_grace` by its keeper. A keeper that has gone proves that its tree has gone.
//! - If the machine lacks something (processes, threads, descriptors, memory), the slot waits for it, then ends with the game still due.
//!   With the last slot the runner ends (exit code 5, never a panic). It is never an engine's loss.
//! - Nor does an engine lose if the signal that ends the runner, SIGKILL among them, ends the engine. A game in which a signal ended a
//!   process or its keeper is held back for a second; if the runner ends before, the game is due again.
//! - Tests: `tests/whole/death.rs`, `tests/whole/host.rs`, `tests/whole/limits.rs`, `tests/whole/embedding.rs`, `tests/whole/watched.rs`,
//!   `tests/whole/interrupted.rs`.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::open_games::Ledger;
use super::scratch;
use super::terminal::NoEcho;
use super::{awake, begun, family, group, open_games, threads};

/// The first argument by which the program knows that it is the player. `PID:DESCRIPTOR` follows: the guard's process
/// id, and the guard's descriptor of the list of open games.
pub(super) const ARGUMENT: &str = "__player";

/// How often to look for orphans.
const SWEEP: Duration = Duration::from_millis(250);
/// How long the last killing may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs `arguments` (without the program's own name) as the player, to its end, and returns how it ended.
///
/// # Errors
/// The player cannot be started, the machine has no threads to watch it, or this program may not be started again.
pub fn run(arguments: impl Iterator<Item = OsString>) -> std::io::Result<ExitStatus> {
    begun::require_begun().map_err(std::io::Error::other)?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // Before the player starts, so that no signal is lost. SIGTSTP is caught so that Ctrl-Z does not stop the guard
    // alone while clocks run on.
    let mut signals = Signals::new(heeded().into_iter().chain([SIGTERM, SIGTSTP]))?;
    let _silent = NoEcho::begin();
    let ledger = Ledger::new()?;
    let mut player = Command::new("/proc/self/exe");
    // A group of its own: the terminal's Ctrl-C comes to the guard, which passes it on once.
    let mut player = player
        .arg0("swissmatch-player")
        .arg(ARGUMENT)
        .arg(format!("{}:{}", std::process::id(), ledger.descriptor()))
        .args(arguments)
        .process_group(0)
        .spawn()?;
    let pid = Pid::from_child(&player);

    let signals_end = signals.handle();
    let (ended, player_ended) = mpsc::channel();
    let watched = std::thread::scope(|scope| {
        let passing = threads::start_in(scope, || {
            for signal in &mut signals {
                let passed_on = match signal {
                    SIGINT => Signal::INT,
                    SIGTERM | SIGHUP => Signal::TERM,
                    _ => continue,
                };
                let _ = rustix::process::kill_process(pid, passed_on);
            }
        });
        let waiting = threads::start_in(scope, move || {
            awake::until_ended(pid, || {
                say("the playing process was stopped by a signal, and goes on");
            });
            let _ = ended.send(());
        });
        if passing.is_err() || waiting.is_err() {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        // Without the waiting thread this ends at once.
        while player_ended.recv_timeout(SWEEP) == Err(RecvTimeoutError::Timeout) {
            family::kill_orphans(pid);
        }
        signals_end.close();
        passing.and(waiting).map(drop)
    });
    // Reaped only now that nobody signals its process id any more.
    let status = player.wait()?;
    family::kill_all(PATIENCE);
    scratch::remove_abandoned();
    group::remove_abandoned();
    if let Err(error) = ledger.leave(status) {
        say(&error.to_string());
    }
    watched?;
    if let Some(signal) = status.signal() {
        let what = match signal {
            SIGABRT => {
                "the playing process ended itself, as it does when it gets no more memory (`ulimit -v` bounds it)"
                    .to_owned()
            }
            _ => format!("the playing process was killed by signal {signal}"),
        };
        say(&format!(
            "{what}; every engine has been ended and finished games are saved. The same command continues where it stopped."
        ));
    }
    Ok(status)
}

/// True if the player gave up by itself: Rust aborts when an allocation fails. That is the machine's doing, and not an
/// interruption.
pub fn gave_up(status: ExitStatus) -> bool {
    status.signal() == Some(SIGABRT)
}

fn say(sentence: &str) {
    // Standard error may be a pipe that nobody reads any more.
    let _ = writeln!(std::io::stderr(), "swissmatch: {sentence}");
}

/// Called by the player first: ties its life to the guard's, and finds where to tell the guard which games are open,
/// both from the word that the guard gave it.
///
/// # Errors
/// The guard has gone already.
pub(super) fn tie_to(word: &str) -> std::io::Result<()> {
    let (guard, descriptor) = word.split_once(':').unwrap_or((word, ""));
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().to_string());
    if parent.as_deref() == Some(guard) {
        open_games::connect(guard, descriptor)
    } else {
        Err(std::io::Error::other("the guard has gone"))
    }
}

/// SIGINT and SIGHUP, except those that were already ignored when this program started, as with `nohup`.
fn heeded() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    [SIGINT, SIGHUP]
        .into_iter()
        .filter(|signal| mask >> (signal - 1) & 1 == 0)
        .collect()
}
