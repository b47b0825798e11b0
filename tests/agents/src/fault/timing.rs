//! When the fault shows.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::arguments::Arguments;
use super::kind::When;

/// Decides at every `go` whether the fault shows.
#[derive(Debug)]
pub(super) struct Timing {
    /// Whether this process misbehaves at all.
    chosen: bool,
    shown: u64,
}

impl Timing {
    pub(super) fn new(arguments: &Arguments) -> Self {
        let chosen = arguments.only_instance.as_deref().is_none_or(is_first_to_create);
        Self { chosen, shown: 0 }
    }

    /// Whether faults that are there from the start show in this process.
    pub(super) fn is_chosen(&self) -> bool {
        self.chosen
    }

    /// Whether the fault shows at the `go` for this own move, counted from 1.
    pub(super) fn is_due(&mut self, arguments: &Arguments, own_move: usize) -> bool {
        let Some(kind) = arguments.fault else {
            return false;
        };
        let due = self.chosen
            && kind.when() == When::AtGo
            && (arguments.every || own_move == arguments.at)
            && arguments.times.is_none_or(|times| self.shown < times)
            && arguments.once_file.as_deref().is_none_or(is_first_to_create);
        self.shown += u64::from(due);
        due
    }
}

/// Whether the file was not there before.
fn is_first_to_create(path: &Path) -> bool {
    OpenOptions::new().write(true).create_new(true).open(path).is_ok()
}

/// Counts this start, and tells whether it is one of those that fail.
pub(super) fn start_fails(arguments: &Arguments) -> io::Result<bool> {
    let Some(path) = &arguments.count_file else {
        return Ok(false);
    };
    // The count is the length of the file: appending a byte needs no lock.
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(b".")?;
    Ok(file.metadata()?.len() <= arguments.start_fails)
}
