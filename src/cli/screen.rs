//! What is drawn on standard error, so that lines can be printed without breaking it.
//!
//! May not: draw.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressBar};

use swissmatch_host::machine;
use swissmatch_report::table::folded;

/// What is drawn now.
static DRAWN: Mutex<Option<ScreenBars>> = Mutex::new(None);

/// Something that is drawn anew again and again.
pub(super) enum ScreenBars {
    /// One bar.
    Bar(ProgressBar),
    /// Several.
    Bars(MultiProgress),
}

/// From now on this is drawn, or nothing.
pub(super) fn draws(drawn: Option<ScreenBars>) {
    *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = drawn;
}

/// A text for people on standard error, folded where the terminal ends. Whoever reads it may have gone, which is no reason to stop.
pub(super) fn say(text: &str) {
    let lines = folded(text, machine::columns_of_errors());
    let _ = print(lines.as_bytes());
}

/// Prints lines above what is drawn.
///
/// # Errors
/// When standard error has gone.
pub(super) fn print(lines: &[u8]) -> io::Result<()> {
    let print = || io::stderr().write_all(lines);
    match &*DRAWN.lock().unwrap_or_else(PoisonError::into_inner) {
        None => print(),
        Some(ScreenBars::Bar(bar)) => bar.suspend(print),
        Some(ScreenBars::Bars(bars)) => bars.suspend(print),
    }
}

/// Asks a person, who answers y; where there is none the answer is no.
pub(super) fn confirmed(question: &str) -> bool {
    let mut errors = std::io::stderr();
    if !std::io::stdin().is_terminal() || !errors.is_terminal() {
        return false;
    }
    let asked = write!(errors, "{question} [y/N] ").and_then(|()| errors.flush());
    let mut answer = String::new();
    let answered = asked.and_then(|()| std::io::stdin().read_line(&mut answer));
    answered.is_ok() && answer.trim().eq_ignore_ascii_case("y")
}
