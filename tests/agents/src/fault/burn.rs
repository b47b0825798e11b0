//! Processor time for nothing.
#![expect(clippy::disallowed_methods, reason = "it burns on threads of its own, by the clock")]

use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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

/// Works for so long.
pub(super) fn for_long(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        hint::spin_loop();
    }
}
