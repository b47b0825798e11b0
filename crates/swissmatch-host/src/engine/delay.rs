//! How long a thread ran, and how long it was ready to run without being run: the kernel's own count.
//!
//! May not: be asked where every microsecond counts; an answer costs one.

use std::cell::OnceCell;
use std::fs::File;
use std::time::Duration;

thread_local! {
    /// `None` if the kernel keeps no such count.
    static COUNT: OnceCell<Option<File>> = const { OnceCell::new() };
}

/// The total time that this thread has waited for a processor; `None` if the kernel does not say.
pub(crate) fn so_far() -> Option<Duration> {
    COUNT.with(|count| {
        let file = count.get_or_init(|| File::open("/proc/thread-self/schedstat").ok());
        let mut text = [0_u8; 128];
        let read = rustix::io::pread(file.as_ref()?, &mut text, 0).ok()?;
        counts(&text[..read]).map(|(_, waited)| waited)
    })
}

/// The first two of "time spent on the cpu, time spent waiting on a runqueue, timeslices run", the times in
/// nanoseconds.
pub(super) fn counts(text: &[u8]) -> Option<(Duration, Duration)> {
    let mut numbers = std::str::from_utf8(text).ok()?.split_ascii_whitespace();
    let mut next = || numbers.next()?.parse().ok().map(Duration::from_nanos);
    Some((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_never_falls() {
        let counted = (Duration::from_nanos(917), Duration::from_nanos(52));
        assert_eq!(counts(b"917 52 3\n"), Some(counted));
        assert_eq!(counts(b"917"), None);
        let first = so_far();
        assert!(so_far() >= first);
    }
}
