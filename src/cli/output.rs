//! Standard output: every command writes it here, and nowhere else. And what becomes of an exit code where output is not whole.
//!
//! A write that fails ends nothing. Where a reader has gone (`head`, `grep -q`), nothing more is written, and the exit code is what
//! the command came to. Any other failure, that of a file which was asked for among them, is told, and makes exit code 0 a 5.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::exit::Exit;
use super::screen;

/// Why nothing more is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Nobody reads it any more.
    Unread,
    /// A write failed.
    Failed,
}

/// Whether a write has failed.
static ENDED: Mutex<Option<Ended>> = Mutex::new(None);
/// Whether a file that was asked for is not there as it should be.
static MISSED: AtomicBool = AtomicBool::new(false);

/// Writes a text. The code is that of a command that has nothing else to do.
pub(super) fn print(text: &str) -> Exit {
    write(|| {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    });
    Exit::Done
}

/// Writes by a function that does it itself.
pub(super) fn write(by: impl FnOnce() -> io::Result<()>) {
    let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    if ended.is_some() {
        return;
    }
    let Err(error) = by() else { return };
    *ended = Some(match error.kind() {
        ErrorKind::BrokenPipe => Ended::Unread,
        _ => {
            screen::say(&format!(
                "swissmatch: standard output: {error}; nothing more is written to it"
            ));
            Ended::Failed
        }
    });
}

/// Says why a file that was asked for is not there as it should be.
pub(super) fn missed(why: &dyn Display) {
    screen::say(&format!("swissmatch: {why}"));
    MISSED.store(true, Ordering::Relaxed);
}

/// The exit code of a command that comes to `exit`: output that is not whole is no success.
pub(super) fn settled(exit: Exit) -> Exit {
    let is_cut_off = *ENDED.lock().unwrap_or_else(PoisonError::into_inner) == Some(Ended::Failed);
    match exit {
        Exit::Done if is_cut_off || MISSED.load(Ordering::Relaxed) => Exit::Machine,
        exit => exit,
    }
}
