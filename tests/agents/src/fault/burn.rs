//! Processor time for nothing.
#![expect(clippy::disallowed_methods, reason = "it burns on threads of its own, by the clock")]

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, hint, io};

/// Threads that burn.
const THREADS: usize = 8;

/// Starts them, once.
pub(super) fn threads() {
    static BURNING: AtomicBool = AtomicBool::new(false);
    if BURNING.swap(true, Ordering::Relaxed) {
        return;
    }
    for _ in 0..THREADS {
        thread::spawn(|| {
            loop {
                hint::spin_loop();
            }
        });
    }
}

/// How long a short process burns.
const BRIEF: Duration = Duration::from_millis(10);

/// Starts so many threads that each have one short process after the other burn.
pub(super) fn in_children(threads: u64) {
    for _ in 0..threads {
        thread::spawn(|| -> io::Result<()> {
            let program = env::current_exe()?;
            loop {
                let mut child = Command::new(&program);
                let mut child = child.arg("--burn").stdin(Stdio::null()).spawn()?;
                // Where the end of children is ignored, it has ended when there is none to wait for.
                let _ = child.wait();
            }
        });
    }
}

/// Is such a process.
pub(super) fn briefly() {
    for_long(BRIEF);
}

/// Works until this thread has used so much processor time for it.
pub(super) fn for_own_time(time: Duration) {
    let used = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(now).unwrap_or_default()
    };
    let begun = used();
    while used().saturating_sub(begun) < time {
        hint::spin_loop();
    }
}

/// Works for so long.
pub(super) fn for_long(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        hint::spin_loop();
    }
}
