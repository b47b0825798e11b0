//! What this machine is and gives: clock, cores, descriptors, threads, signals, the terminal.

use std::io;

use rustix::process::{Resource, Rlimit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Descriptors of a slot: a runtime's three, and two engines with three pipes and a socket each; one engine more while
/// one is being replaced.
const DESCRIPTORS_A_SLOT: u64 = 3 + 3 * 4;
/// Descriptors of everything else.
const DESCRIPTORS_BESIDE: u64 = 64;

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

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
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

/// What this machine is, for the manifest: kernel, processor, cores, memory.
#[must_use]
pub fn describe() -> serde_json::Value {
    let kernel = rustix::system::uname();
    let text = |path| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    serde_json::json!({
        "system": kernel.sysname().to_string_lossy(),
        "kernel": kernel.release().to_string_lossy(),
        "architecture": kernel.machine().to_string_lossy(),
        "processor": field(&text("/proc/cpuinfo"), "model name"),
        "cores": cores(),
        "memory": field(&text("/proc/meminfo"), "MemTotal"),
    })
}

/// Width of the terminal that standard output is, in columns; `None` where it is none.
#[must_use]
pub fn columns() -> Option<u16> {
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}
