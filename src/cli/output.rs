//! Standard output: every command writes it here, and nowhere else. And what becomes of an exit code where output is not whole.
//!
//! A write that fails ends nothing. Where a reader has gone (`head`, `grep -q`), nothing more is written, and the exit code is what
//! the command came to. Any other failure, that of a file which was asked for among them, is told, and makes exit code 0 a 5.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::exit::Exit;
use super::progress::can_draw;
use super::screen;

/// Why nothing more is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputEnd {
    /// Nobody reads it any more.
    Unread,
    /// A write failed.
    Failed,
}

/// Whether a write has failed.
static ENDED: Mutex<Option<OutputEnd>> = Mutex::new(None);
/// Whether a file that was asked for is not there as it should be.
static MISSED: AtomicBool = AtomicBool::new(false);

/// Writes a text. The code is that of a command that has nothing else to do.
pub(super) fn print(text: &str) -> Exit {
    let is_bold = io::stdout().is_terminal() && can_draw() && std::env::var_os("NO_COLOR").is_none();
    write(|| {
        let mut out = io::stdout().lock();
        match is_bold {
            true => out.write_all(with_bold(text).as_bytes())?,
            false => out.write_all(text.as_bytes())?,
        }
        out.flush()
    });
    Exit::Done
}

/// The same with headings of tables in bold, and whoever leads standings.
fn with_bold(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_rule = |line: &str| line.starts_with('─') && line.trim_end().chars().all(|c| c == '─');
    let mut leads = false;
    let lines = lines.iter().enumerate().map(|(number, line)| {
        let is_heading = lines.get(number + 1).is_some_and(|next| is_rule(next)) && !line.trim().is_empty();
        if is_heading || line.trim().is_empty() {
            leads = is_heading && line.starts_with('#');
        }
        let is_first = leads && line.split_whitespace().next() == Some("1");
        match is_heading || is_first {
            true => format!("\u{1b}[1m{}\u{1b}[0m\n", line.trim_end_matches('\n')),
            false => (*line).to_owned(),
        }
    });
    lines.collect()
}

/// Writes by a function that does it itself.
pub(super) fn write(by: impl FnOnce() -> io::Result<()>) {
    let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    if ended.is_some() {
        return;
    }
    let Err(error) = by() else { return };
    *ended = Some(match error.kind() {
        ErrorKind::BrokenPipe => OutputEnd::Unread,
        _ => {
            screen::say(&format!(
                "swissmatch: standard output: {error}; nothing more is written to it"
            ));
            OutputEnd::Failed
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
    let is_cut_off = *ENDED.lock().unwrap_or_else(PoisonError::into_inner) == Some(OutputEnd::Failed);
    match exit {
        Exit::Done if is_cut_off || MISSED.load(Ordering::Relaxed) => Exit::Machine,
        exit => exit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_leaders_are_bold() {
        let text = "Open: standings\n\n #  Name\n────────\n";
        assert_eq!(
            with_bold(text),
            "Open: standings\n\n\u{1b}[1m #  Name\u{1b}[0m\n────────\n"
        );
        let text = "#  Name\n───────\n1  Ann\n1  Bob\n3  Cyd\n\n1  no row of it\n";
        let bold = |line: &str| format!("\u{1b}[1m{line}\u{1b}[0m\n");
        let expected = [
            bold("#  Name"),
            "───────\n".to_owned(),
            bold("1  Ann"),
            bold("1  Bob"),
            "3  Cyd\n\n1  no row of it\n".to_owned(),
        ];
        assert_eq!(with_bold(text), expected.concat());
    }
}
