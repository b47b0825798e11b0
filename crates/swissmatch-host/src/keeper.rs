//! The keeper of one engine: stands between the player and the engine, and ends the engine's whole process tree.
//!
//! The contract on process death is in `guard`. A keeper runs in a process of its own, whose standard input is a socket
//! to the player. The player hands over what to start ([`Launch`]), and later may send [`FREEZE`] and [`THAW`]. The
//! keeper sends words, one line each: `ready` before anything of the engine runs; then `started PID HELPER …` (with the
//! processes that made its namespaces), `failed TEXT` (the program cannot be run), `long` (it is given more than a
//! program may be) or `host TEXT` (the machine cannot run it); later `several` once it is several processes (without a
//! control group), `over RESOURCE USED LIMIT` before it is ended for that, and `exited CODE` or `signalled N`. The
//! socket's end tells the keeper to kill; the keeper's own end tells the player that nothing is left.
//!
//! What an engine forks stays with that engine's keeper, however it detaches: ending one engine ends its tree and
//! nothing else. A keeper costs a millisecond at the start and some 250 kB.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal};
use rustix::thread::Timespec;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

use super::adapter::AdapterKind;
use super::confine::enter::{self, ConfinedAgent};
use super::family;
use super::group;
use super::launch::{EngineHandover, FREEZE, Launch, SEVERAL, THAW, THAWED, why};
use super::noise;
use super::usage::Meter;
use swiss_system::word::Word as _;
use swissmatch_game::resource::Overuse;

/// How long the killing of one tree may take before the keeper gives up and leaves the rest to the guard.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often to check what an agent uses.
const LOOK: Duration = Duration::from_millis(100);
/// After a check, wait at least this many times as long as it took of processor time, which others want too. Time by
/// the clock would not do: on a busy machine, where a check is often interrupted, an agent would go unchecked for
/// seconds.
const LONG_LOOKS: u32 = 10;
/// The longest wait after a check.
const LONG_PAUSE: Duration = Duration::from_secs(1);
/// How often to check a program of ours that asks over the broker: it bounds its own work, and there may be hundreds.
const LOOK_AT_OURS: Duration = Duration::from_secs(30);

/// Runs the keeper, and returns its exit code.
pub(super) fn run() -> u8 {
    let Ok(socket) = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3) else {
        return 4;
    };
    let mut socket = UnixStream::from(socket);
    match keep(&mut socket) {
        Ok(()) => 0,
        Err(error) => {
            let _ = writeln!(socket, "{}", why(&error));
            5
        }
    }
}

fn keep(socket: &mut UnixStream) -> io::Result<()> {
    rustix::process::setsid()?;
    // A stop signal to the whole tree is for the player to answer. The end of a child is heard even if the player
    // ignores its own. The engine gets these signals as usual.
    let heard = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] {
        signal_hook::flag::register(signal, Arc::clone(&heard))?;
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // An engine can stop its keeper; the player's end continues it, so that it sees its socket closed.
    rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    let Some(EngineHandover { launch, group, ends }) = Launch::take_over(socket)? else {
        return Ok(());
    };
    let confinement = launch.confinement.clone().unwrap_or_default();
    let is_in_namespaces = confinement.bubblewrap.is_some();
    let meter = Meter::new(
        rustix::process::getpid(),
        launch.allowance,
        confinement.in_memory(),
        &confinement.writes,
    );
    let bounds_files = bound_files(meter.largest_file())?;
    let is_ours = launch.adapter.as_ref().is_some_and(AdapterKind::asks_broker);
    let mut tree = ProcessTree {
        meter,
        group,
        bounds_files,
        pause: if is_ours { LOOK_AT_OURS } else { LOOK },
    };
    writeln!(socket, "ready")?;
    let started = match &launch.confinement {
        None => launch
            .start(ends, tree.group.as_deref())
            .map(|process| ConfinedAgent { process, first: None })
            .map_err(|error| why(&error)),
        Some(confinement) => enter::start(&launch, confinement, ends, tree.group.as_deref()),
    };
    let attended = match started {
        Ok(engine) => attend(socket, &engine, &mut tree, is_in_namespaces),
        Err(word) => writeln!(socket, "{word}"),
    };
    // Whatever went wrong: the player may have gone at any step.
    tree.end();
    attended
}

/// Bounds the size of every file written from here on by this process, which writes none, and by all below it. Returns
/// whether this bound is the one that counts.
fn bound_files(most: Option<u64>) -> io::Result<bool> {
    let own = rustix::process::getrlimit(Resource::Fsize).current;
    let Some(most) = most.filter(|most| own.is_none_or(|own| own > *most)) else {
        return Ok(false);
    };
    let bound = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    rustix::process::setrlimit(Resource::Fsize, bound)?;
    Ok(true)
}

/// All processes of the engine.
struct ProcessTree {
    meter: Meter,
    /// Their control group, if they have one.
    group: Option<PathBuf>,
    /// None of their files may be larger than all that they may write.
    bounds_files: bool,
    /// The least time between two checks of what they use.
    pause: Duration,
}

impl ProcessTree {
    fn kill(&self) {
        if let Some(group) = &self.group {
            group::kill(group);
        }
        family::kill_all(PATIENCE);
    }

    /// Kills them all, and removes their group.
    fn end(&self) {
        self.kill();
        if let Some(group) = &self.group {
            let _ = std::fs::remove_dir(group);
        }
    }

    /// Ends an agent that uses more than it may; returns whether it did.
    fn end_if_greedy(&mut self, socket: &mut UnixStream) -> io::Result<bool> {
        let over = self.meter.over();
        if let Some(overuse) = over {
            say_over(socket, overuse)?;
            // The player may still ask the group how much memory it had.
            self.kill();
        }
        Ok(over.is_some())
    }
}

fn say_over(socket: &mut UnixStream, Overuse { resource, used, limit }: Overuse) -> io::Result<()> {
    writeln!(socket, "over {} {used} {limit}", resource.word())
}

fn attend(
    socket: &mut UnixStream,
    engine: &ConfinedAgent,
    tree: &mut ProcessTree,
    is_in_namespaces: bool,
) -> io::Result<()> {
    let pid = engine.process.pid();
    let ended = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
    let mut said = format!("started {pid}");
    if is_in_namespaces {
        // The engine runs, so the first process of its namespaces exists: the one that made them has no other child.
        let helpers: Vec<Pid> = std::iter::once(pid).chain(family::children(pid)).collect();
        said.extend(helpers.iter().map(|helper| format!(" {helper}")));
        tree.meter.leave_out(helpers);
    }
    writeln!(socket, "{said}")?;
    wait_for_either(socket, engine, &ended, tree, is_in_namespaces)
}

/// Stops or continues the engine with all its processes: through the first one of its namespaces, which reaches all
/// processes there at once, or one by one.
fn obey(word: u8, socket: &mut UnixStream, first: Option<&UnixStream>) -> io::Result<()> {
    let own = rustix::process::getpid();
    match (word, first) {
        (FREEZE | THAW, Some(mut first)) => {
            // If it has gone, so has the engine, which will show.
            let _ = first.write_all(&[word]).and_then(|()| first.read_exact(&mut [0]));
        }
        (FREEZE, None) => family::stop_all(own),
        (THAW, None) => family::go_on(own),
        _ => {}
    }
    if word == THAW {
        writeln!(socket, "{THAWED}")?;
    }
    Ok(())
}

/// Waits until the player lets go; tells it if the engine ends before.
fn wait_for_either(
    socket: &mut UnixStream,
    engine: &ConfinedAgent,
    ended: &OwnedFd,
    tree: &mut ProcessTree,
    is_in_namespaces: bool,
) -> io::Result<()> {
    // Even if signals come faster than it checks: each end of an orphan is one.
    let mut look = Instant::now() + tree.pause;
    loop {
        let mut polled = [PollFd::new(&*socket, PollFlags::IN), PollFd::new(ended, PollFlags::IN)];
        let left = look.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        let count = match rustix::event::poll(&mut polled, Some(&left)) {
            Err(Errno::INTR) => 0,
            other => other?,
        };
        if count > 0 && !polled[0].revents().is_empty() {
            let mut word = [0];
            match socket.read(&mut word) {
                Ok(1..) => obey(word[0], socket, engine.first.as_ref())?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => return Ok(()),
            }
            continue;
        }
        if Instant::now() >= look {
            let used = noise::thread_time();
            if tree.end_if_greedy(socket)? {
                break;
            }
            if tree.group.is_none() && tree.meter.are_several() {
                writeln!(socket, "{SEVERAL}")?;
            }
            let took = noise::thread_time().saturating_sub(used);
            look = Instant::now() + (LONG_LOOKS * took).min(LONG_PAUSE).max(tree.pause);
        }
        if count == 0 {
            continue;
        }
        let status = engine.process.wait()?;
        if let Some(overuse) = tree.group.as_deref().and_then(group::over_memory) {
            say_over(socket, overuse)?;
            break;
        }
        // The end of a process in namespaces is reported by its exit code, as in shells.
        let told = status
            .code()
            .filter(|code| is_in_namespaces && *code > 128)
            .map(|code| code - 128);
        match status.signal().or(told) {
            Some(SIGXFSZ) if tree.bounds_files => say_over(socket, tree.meter.over_largest_file())?,
            Some(signal) => writeln!(socket, "signalled {signal}")?,
            None => writeln!(socket, "exited {}", status.code().unwrap_or(0))?,
        }
        break;
    }
    // What the engine left running ends when the player lets go, as soon as it has read the last words.
    let mut polled = [PollFd::new(&*socket, PollFlags::IN)];
    while rustix::event::poll(&mut polled, None) == Err(Errno::INTR) {}
    Ok(())
}
