//! What is typed while something is drawn on the terminal: it is not shown, for it would break what is drawn.
//!
//! May not: read it; change anything of a terminal whose foreground is another's.

use std::io;

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

/// The terminal of standard input shows nothing of what is typed, until this is dropped.
#[derive(Debug)]
pub struct NoEcho {
    before: Termios,
}

impl NoEcho {
    /// From now on; `None` where standard input is no terminal, or another's, or shows nothing anyway.
    pub fn begin() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        let is_shown = before.local_modes.contains(LocalModes::ECHO);
        (is_shown && set(&silent)).then_some(Self { before })
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        // Whose turn it is now has set the terminal as it needs it.
        set(&self.before);
    }
}

/// Whether the terminal could be set so; in the background it would stop the program.
fn set(modes: &Termios) -> bool {
    let is_ours = tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp());
    is_ours && tcsetattr(io::stdin(), OptionalActions::Now, modes).is_ok()
}
