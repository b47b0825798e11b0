//! What this machine is and gives: clock, descriptors, processes, threads, signals, the terminal.

use std::io;

use rustix::process::{Resource, Rlimit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::topology::Topology;

/// Descriptors of a slot: the count of its waits, two that a start needs for a moment, and two engines with three pipes and
/// a socket each; one engine more while one is being replaced.
const DESCRIPTORS_A_SLOT: u64 = 3 + 3 * 4;
/// Descriptors of everything else.
const DESCRIPTORS_BESIDE: u64 = 64;
/// Processes and threads of a slot: its thread, and two engines, each with its keeper and, as most have, a second thread.
const PROCESSES_A_SLOT: u64 = 1 + 2 * 3;
/// Processes and threads of everything else: the guard, the player, what writes the log, what writes the files, and the desk.
const PROCESSES_BESIDE: u64 = 5;

/// The present time, RFC 3339 in UTC.
#[must_use]
pub fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// The present day, in UTC.
#[must_use]
pub fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Raises the limit on descriptors so that `concurrency` games fit, and `files` that stay open.
///
/// # Errors
/// A sentence for people, when the machine does not allow as many.
pub fn raise_descriptor_limit(concurrency: usize, files: usize) -> Result<(), String> {
    let beside = DESCRIPTORS_BESIDE + files as u64;
    let needed = beside + DESCRIPTORS_A_SLOT * concurrency as u64;
    let limit = rustix::process::getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    let remedy = || {
        let fits = allowed.saturating_sub(beside) / DESCRIPTORS_A_SLOT;
        let fewer = match fits {
            0 => String::new(),
            _ => format!(" or play at most {fits} at once (--concurrency {fits})"),
        };
        format!(
            "{concurrency} games at once need {needed} file descriptors, and this machine allows {allowed}: raise the \
             hard limit (`ulimit -Hn {needed}`){fewer}"
        )
    };
    if allowed < needed {
        return Err(remedy());
    }
    let raised = Rlimit {
        current: Some(needed),
        maximum: limit.maximum,
    };
    rustix::process::setrlimit(Resource::Nofile, raised).map_err(|_| remedy())
}

/// Raises the limit on processes and threads so that `concurrency` games fit.
///
/// What others of the same user run counts too, and what engines start besides, so that this is the least that is needed.
///
/// # Errors
/// A sentence for people, when the machine does not allow as many.
pub fn raise_process_limit(concurrency: usize) -> Result<(), String> {
    let needed = PROCESSES_BESIDE + PROCESSES_A_SLOT * concurrency as u64;
    let limit = rustix::process::getrlimit(Resource::Nproc);
    // The kernel does not hold root to it.
    if rustix::process::geteuid().is_root() || limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    let raised = Rlimit {
        current: Some(needed),
        maximum: limit.maximum,
    };
    if allowed >= needed && rustix::process::setrlimit(Resource::Nproc, raised).is_ok() {
        return Ok(());
    }
    let fits = allowed.saturating_sub(PROCESSES_BESIDE) / PROCESSES_A_SLOT;
    let fewer = match fits {
        0 => String::new(),
        _ => format!(" or play at most {fits} at once (--concurrency {fits})"),
    };
    Err(format!(
        "{concurrency} games at once need {needed} processes and threads at least, and this machine allows {allowed}: raise \
         the hard limit (`ulimit -Hu {needed}`){fewer}"
    ))
}

/// Whether there is room for a process with two threads, as an engine is.
#[must_use]
pub fn has_room_for_an_engine() -> bool {
    std::thread::scope(|scope| {
        let (keep, wait) = std::sync::mpsc::channel::<()>();
        let first = std::thread::Builder::new().spawn_scoped(scope, move || wait.recv());
        let second = std::thread::Builder::new().spawn_scoped(scope, || ());
        drop(keep);
        first.is_ok() && second.is_ok()
    })
}

/// Makes the threads on which files are rendered.
///
/// # Errors
/// When the machine gives no threads.
pub fn start_render_threads() -> io::Result<()> {
    rayon::ThreadPoolBuilder::new().build_global().map_err(io::Error::other)
}

/// Calls `stop` at each SIGINT and SIGTERM from now on.
///
/// # Errors
/// When signals cannot be taken.
///
/// # Panics
/// When a thread cannot be started.
pub fn on_stop_signals(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            stop();
        }
    });
    thread.map(drop)
}

/// What this machine is, for the manifest: kernel, processor, its cores, memory.
///
/// # Errors
/// When the kernel does not say what this process may use.
pub fn describe() -> io::Result<serde_json::Value> {
    let topology = Topology::of_this_machine()?;
    let kernel = rustix::system::uname();
    let text = |path| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    Ok(serde_json::json!({
        "system": kernel.sysname().to_string_lossy(),
        "kernel": kernel.release().to_string_lossy(),
        "architecture": kernel.machine().to_string_lossy(),
        "processor": field(&text("/proc/cpuinfo"), "model name"),
        "cores": topology.cores(),
        "topology": topology.describe(),
        "memory": field(&text("/proc/meminfo"), "MemTotal"),
    }))
}

/// Width of the terminal that standard output is, in columns; `None` where it is none.
#[must_use]
pub fn columns() -> Option<u16> {
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}
