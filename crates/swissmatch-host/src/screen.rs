//! A terminal whose whole screen is drawn on, and given back as it was.
//!
//! May not: decide what is drawn.

use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use super::machine;

/// The other screen, without a cursor; and back.
const BEGIN: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[2J";
const END: &[u8] = b"\x1b[?25h\x1b[?1049l";

/// Ctrl-C, as a key.
const INTERRUPT: u8 = 3;

/// A terminal that is drawn on. Dropped, it shows again what it showed before.
#[derive(Debug)]
pub struct Screen {
    before: Option<Termios>,
    /// Keys still come.
    has_keys: bool,
    stopped: UnixStream,
    is_bold: bool,
}

/// What ended a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Time, or something that was waited for.
    Goes,
    /// A key, or a signal, asks to leave.
    Leaves,
}

impl Screen {
    /// Takes the terminal of standard output; keys are read from standard input, if that is one too.
    ///
    /// # Errors
    /// When standard output is no terminal that can be drawn on, or signals cannot be taken.
    pub fn begin() -> io::Result<Self> {
        let kind = std::env::var_os("TERM").filter(|kind| !kind.is_empty() && kind != "dumb");
        if !io::stdout().is_terminal() || kind.is_none() {
            return Err(io::Error::other("standard output is no terminal that can be drawn on"));
        }
        let (stop, stopped) = UnixStream::pair()?;
        machine::on_stop_signals(move || {
            // Closed twice it stays closed.
            let _ = stop.shutdown(std::net::Shutdown::Both);
        })?;
        let before = tcgetattr(io::stdin()).ok();
        if let Some(before) = &before {
            let mut keys = before.clone();
            keys.local_modes
                .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
            tcsetattr(io::stdin(), OptionalActions::Now, &keys)?;
        }
        let screen = Self {
            has_keys: before.is_some(),
            before,
            stopped,
            is_bold: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        put(BEGIN)?;
        Ok(screen)
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        match tcgetwinsize(io::stdout()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
            _ => (80, 24),
        }
    }

    /// Draws lines, none of them wider than the terminal, from the first row on; each with whether it stands out.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn draw<'a>(&self, lines: impl Iterator<Item = (&'a str, bool)>) -> io::Result<()> {
        let mut text = String::from("\x1b[H");
        for (index, (line, stands_out)) in lines.enumerate() {
            if index > 0 {
                text.push_str("\r\n");
            }
            match stands_out && self.is_bold {
                true => text.extend(["\x1b[1m", line, "\x1b[0m"]),
                false => text.push_str(line),
            }
            text.push_str("\x1b[K");
        }
        text.push_str("\x1b[J");
        put(text.as_bytes())
    }

    /// Waits for so long, until there is something at `others`, or until somebody wants to leave.
    pub fn pause(&mut self, pause: Duration, others: &[BorrowedFd<'_>]) -> Woken {
        let input = io::stdin();
        let mut polled = vec![PollFd::new(&self.stopped, PollFlags::IN)];
        polled.extend(self.has_keys.then(|| PollFd::new(&input, PollFlags::IN)));
        polled.extend(
            others
                .iter()
                .map(|other| PollFd::from_borrowed_fd(*other, PollFlags::IN)),
        );
        let pause = Timespec::try_from(pause).ok();
        // Interrupted: whoever waits looks again.
        let _ = rustix::event::poll(&mut polled, pause.as_ref());
        let has = |index: usize| !polled[index].revents().is_empty();
        if has(0) {
            return Woken::Leaves;
        }
        if !self.has_keys || !has(1) {
            return Woken::Goes;
        }
        let mut keys = [0; 64];
        match rustix::io::read(&input, &mut keys) {
            Ok(0) | Err(_) => {
                self.has_keys = false;
                Woken::Goes
            }
            Ok(length) if keys[..length].iter().any(|&key| matches!(key, b'q' | b'Q' | INTERRUPT)) => Woken::Leaves,
            Ok(_) => Woken::Goes,
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that has gone shows nothing.
        let _ = put(END);
        if let Some(before) = &self.before {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

fn put(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}
