//! The terminal that a run draws on.
//!
//! May not: draw.

use std::io;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

/// While this lives, the terminal does not show typed keys, which would stand in the middle of what is drawn.
pub(super) struct NoEcho(Termios);

impl NoEcho {
    /// `None` if there is no terminal, or another program has it.
    pub(super) fn begin() -> Option<Self> {
        let terminal = io::stderr();
        // The kernel stops a process that changes the terminal of another process group.
        if tcgetpgrp(&terminal).ok()? != rustix::process::getpgrp() {
            return None;
        }
        let before = tcgetattr(&terminal).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Now, &silent).ok()?;
        Some(Self(before))
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        // A terminal that has gone shows nothing.
        let _ = tcsetattr(io::stderr(), OptionalActions::Now, &self.0);
    }
}
