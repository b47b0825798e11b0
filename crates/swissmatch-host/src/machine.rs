//! What this machine is and gives: clock, descriptors, processes, threads, signals, the terminal.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::sync::{Arc, OnceLock};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit};
use signal_hook::consts::{SIGINT, SIGPIPE, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use swiss_system::count;

use super::begun::is_guarded;
use super::threads;
use super::topology::Topology;

/// Descriptors of a slot: the count of its waits, two that a start needs for a moment, and two engines with three pipes
/// and a socket each; one more engine while one is being replaced.
const DESCRIPTORS_A_SLOT: u64 = 3 + 3 * 4;
/// Descriptors of everything else, including clients of the desk and listeners of the gallery.
const DESCRIPTORS_BESIDE: u64 = 100;
/// Processes and threads of a slot: its thread, and two engines, each with its keeper and, as most have, a second
/// thread.
const PROCESSES_A_SLOT: u64 = 1 + 2 * 3;
/// Processes and threads of everything else: the guard and the two that watch for it; the player, and the threads that
/// hear signals, write the log, write the files, write `run.log`, copy agents' files, serve the pulse, the desk and the
/// gallery, write for viewers, send to Lichess, and tell the anchor. Threads that share long computations come on top.
const PROCESSES_BESIDE: u64 = 15;
/// Processes and threads that ask services: the broker, and the two threads in which it looks names up.
const PROCESSES_OF_BROKER: u64 = 1 + 2;

/// The present time, RFC 3339 in UTC.
pub fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// The present date, in UTC.
pub fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// The kernel's file on how early it ends this process, and all that it starts, when the machine has no memory left.
const SACRIFICE: &str = "/proc/self/oom_score_adj";
/// Before all others.
const FIRST: &str = "1000";

/// Makes the kernel end this process, and all that it starts from here on, before all others when the machine has no
/// memory left; returns the old setting.
///
/// # Errors
/// The kernel refuses it.
pub(super) fn be_sacrificed_first() -> io::Result<String> {
    let before = std::fs::read_to_string(SACRIFICE)?;
    be_sacrificed_as(FIRST)?;
    Ok(before)
}

/// Restores the old setting.
///
/// # Errors
/// The kernel refuses it.
pub(super) fn be_sacrificed_as(before: &str) -> io::Result<()> {
    File::options()
        .write(true)
        .open(SACRIFICE)?
        .write_all(before.as_bytes())
}

/// Limits what the kernel holds for a client of `listener` that takes nothing to about `bytes` bytes.
///
/// # Errors
/// The machine does not change it.
pub fn hold_at_most(listener: &TcpListener, bytes: usize) -> io::Result<()> {
    Ok(rustix::net::sockopt::set_socket_send_buffer_size(listener, bytes)?)
}

/// Lets the kernel queue this many clients that connect to `listener` at once. The standard library asks for 128, and
/// later ones try again after a second, and after three.
///
/// # Errors
/// The machine does not change it.
pub fn queue_at_most(listener: &TcpListener, connections: usize) -> io::Result<()> {
    Ok(rustix::net::listen(
        listener,
        i32::try_from(connections).unwrap_or(i32::MAX),
    )?)
}

/// Raises the limit on descriptors so that `concurrency` games fit, and `files` that stay open.
///
/// # Errors
/// A sentence for people, if the machine does not allow as many.
pub fn raise_descriptor_limit(concurrency: usize, files: usize) -> Result<(), String> {
    let beside = DESCRIPTORS_BESIDE + files as u64;
    let needed = beside + DESCRIPTORS_A_SLOT * concurrency as u64;
    // Noted before it changes.
    let _ = descriptors_at_start();
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
            "{concurrency} games at once need {needed} file descriptors, but this machine allows {allowed}: raise the \
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

/// Raises the limit on descriptors to `wanted`, or as far as the machine allows, and returns the new limit.
///
/// # Errors
/// The machine does not change it.
pub fn raise_descriptors(wanted: u64) -> io::Result<u64> {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let allowed = wanted.min(limit.maximum.unwrap_or(u64::MAX));
    match limit.current {
        Some(current) if current < allowed => {
            let raised = Rlimit {
                current: Some(allowed),
                maximum: limit.maximum,
            };
            rustix::process::setrlimit(Resource::Nofile, raised)?;
            Ok(allowed)
        }
        current => Ok(current.unwrap_or(u64::MAX)),
    }
}

/// The soft limit on descriptors that this program was started with; `None` if there is none.
pub(super) fn descriptors_at_start() -> Option<u64> {
    static AT_START: OnceLock<Option<u64>> = OnceLock::new();
    *AT_START.get_or_init(|| rustix::process::getrlimit(Resource::Nofile).current)
}

/// Raises the limit on processes and threads so that `concurrency` games fit, and a broker if services are asked.
///
/// Other programs of the same user count too, and so does what engines start, so this is only the least that is needed.
///
/// # Errors
/// A sentence for people, if the machine does not allow as many.
pub fn raise_process_limit(concurrency: usize, asks_services: bool) -> Result<(), String> {
    let of_broker = if asks_services { PROCESSES_OF_BROKER } else { 0 };
    let beside = PROCESSES_BESIDE + of_broker + rayon::current_num_threads() as u64;
    let needed = beside + PROCESSES_A_SLOT * concurrency as u64;
    let limit = rustix::process::getrlimit(Resource::Nproc);
    // The kernel does not apply it to root.
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
    let fits = allowed.saturating_sub(beside) / PROCESSES_A_SLOT;
    let fewer = match fits {
        0 => String::new(),
        _ => format!(" or play at most {fits} at once (--concurrency {fits})"),
    };
    Err(format!(
        "{concurrency} games at once need at least {needed} processes and threads, but this machine allows {allowed}: raise \
         the hard limit (`ulimit -Hu {needed}`){fewer}"
    ))
}

/// Prevents core files of this process, of those that it starts, and of its guard, whose environment is the same: they
/// may have a key.
///
/// The bound is one byte, not zero: if cores are piped to a program, the kernel heeds that bound alone (`core(5)`, and
/// `do_coredump`).
///
/// # Errors
/// The machine does not bound them.
pub fn leave_no_cores() -> io::Result<()> {
    let bound = |own: Rlimit| Rlimit {
        current: Some(own.maximum.map_or(1, |maximum| maximum.min(1))),
        maximum: own.maximum,
    };
    let own = bound(rustix::process::getrlimit(Resource::Core));
    rustix::process::setrlimit(Resource::Core, own)?;
    if is_guarded() {
        rustix::process::prlimit(rustix::process::getppid(), Resource::Core, own)?;
    }
    Ok(())
}

/// True if there is room for a process with two threads, such as an engine.
pub(crate) fn has_room_for_an_engine() -> bool {
    std::thread::scope(|scope| {
        let (keep, wait) = std::sync::mpsc::channel::<()>();
        let first = threads::start_in(scope, move || wait.recv());
        let second = threads::start_in(scope, || ());
        drop(keep);
        first.is_ok() && second.is_ok()
    })
}

/// True if an error says that this machine lacks something, for a moment or for good, so that no player is at fault.
pub(crate) fn is_short(error: &io::Error) -> bool {
    let wants = [
        Errno::AGAIN,
        Errno::NOMEM,
        Errno::MFILE,
        Errno::NFILE,
        Errno::TOOMANYREFS,
    ];
    let code = error.raw_os_error().map(Errno::from_raw_os_error);
    error.kind() == io::ErrorKind::OutOfMemory || code.is_some_and(|code| wants.contains(&code))
}

/// True if an error says that a disk is broken.
pub(crate) fn is_broken(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// The limit on the size of files, in words, if there is one.
pub(crate) fn file_limit() -> Option<String> {
    let limit = rustix::process::getrlimit(Resource::Fsize).current?;
    Some(format!("files may have at most {limit} bytes here, see `ulimit -f`"))
}

/// Makes a file that would grow over its limit (`ulimit -f`) an error of the writer instead of ending the program.
/// Programs that are started get the signal as usual.
///
/// # Errors
/// Signals cannot be handled.
pub(crate) fn outlive_file_limits() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Makes a pipe that nobody reads any more an error of the writer, whatever the program has done about that signal, so
/// that an engine's end cannot end the program.
///
/// # Errors
/// Signals cannot be handled.
pub(super) fn outlive_closed_pipes() -> io::Result<()> {
    static HEARD: OnceLock<()> = OnceLock::new();
    if HEARD.get().is_none() {
        signal_hook::flag::register(SIGPIPE, Arc::default())?;
        let _ = HEARD.set(());
    }
    Ok(())
}

/// Calls `stop` at each SIGINT and SIGTERM from now on.
///
/// # Errors
/// Signals cannot be handled, or the machine has no thread for it.
pub fn on_stop_signals(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let heed = move || {
        for _ in signals.forever() {
            stop();
        }
    };
    threads::start("signals", heed).map(drop)
}

/// The class of this machine: the model of its processor and the number of cores that this process may use, as in "AMD
/// EPYC 7763 64-Core Processor, 4 cores". Unknown parts are left out.
pub fn class() -> String {
    let model = processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    match Topology::of_this_machine() {
        Ok(topology) => format!("{model}, {}", count::of(topology.cores(), "core", "cores")),
        Err(_) => model,
    }
}

/// Like [`class`], with what else must be alike if games of an event are played on several machines: whether cores have
/// several hardware threads, and the kernel, as in "…, 4 cores of 2 threads, Linux 6.1".
pub fn exact_class() -> String {
    let class = class();
    let of_threads = match Topology::of_this_machine() {
        Ok(topology) if topology.cpus.len() > topology.physical_cores() => {
            format!(
                " of {} threads",
                topology.cpus.len().div_ceil(topology.physical_cores())
            )
        }
        _ => String::new(),
    };
    let kernel = rustix::system::uname();
    let release = kernel.release().to_string_lossy();
    let version: Vec<&str> = release.split('.').take(2).collect();
    format!(
        "{class}{of_threads}, {} {}",
        kernel.sysname().to_string_lossy(),
        version.join(".")
    )
}

fn processor() -> Option<String> {
    field(&std::fs::read_to_string("/proc/cpuinfo").ok()?, "model name")
}

/// The value of a name in one of the kernel's lists.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// A description of this machine for the manifest: kernel, processor, its cores, memory.
///
/// # Errors
/// The kernel does not say what this process may use.
pub fn describe() -> io::Result<serde_json::Value> {
    let topology = Topology::of_this_machine()?;
    let kernel = rustix::system::uname();
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    Ok(serde_json::json!({
        "system": kernel.sysname().to_string_lossy(),
        "kernel": kernel.release().to_string_lossy(),
        "architecture": kernel.machine().to_string_lossy(),
        "processor": processor(),
        "cores": topology.cores(),
        "topology": topology.describe(),
        "memory": field(&memory, "MemTotal"),
    }))
}
/// The machine's memory in bytes; `None` if unknown.
pub fn memory() -> Option<u64> {
    let known = rustix::system::sysinfo();
    known
        .totalram
        .checked_mul(known.mem_unit.into())
        .filter(|bytes| *bytes > 0)
}

/// The width of the terminal on standard output, in columns; `None` if it is not a terminal.
pub fn columns() -> Option<u16> {
    columns_of(io::stdout())
}

/// The width of the terminal on standard error, in columns; `None` if it is not a terminal.
pub fn columns_of_errors() -> Option<u16> {
    columns_of(io::stderr())
}

fn columns_of(stream: impl AsFd) -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpStream};
    use std::time::Duration;

    use super::*;

    #[test]
    fn many_may_come_at_once() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        queue_at_most(&listener, 1000).expect("it listens");
        let address = listener.local_addr().expect("its address");
        // Nobody takes them. A client without room in the queue would try again after a second.
        let come: io::Result<Vec<TcpStream>> = (0..400)
            .map(|_| TcpStream::connect_timeout(&address, Duration::from_millis(900)))
            .collect();
        assert!(come.is_ok(), "{come:?}");
    }
}
