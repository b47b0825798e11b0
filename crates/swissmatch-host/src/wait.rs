//! Waiting for descriptors until a deadline.
//!
//! May not: read or write.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, Timespec};
use rustix::io::Errno;

/// Waits until one of `polled` is ready, or until `deadline`. Returns whether one is; their flags say which.
pub(crate) fn poll_until(polled: &mut [PollFd<'_>], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).unwrap_or(Timespec {
            tv_sec: i64::MAX,
            tv_nsec: 0,
        });
        match rustix::event::poll(polled, Some(&left)) {
            Ok(ready) => return ready > 0,
            Err(Errno::INTR) => {}
            // The kernel lacks memory for the moment.
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return false,
        }
    }
}
