//! The output of the fault agent, bytes and all.

use std::io::{self, Write};

/// Writes lines in the manner asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlet {
    /// CRLF at the end and blanks in front.
    odd_whitespace: bool,
}

impl Outlet {
    pub(super) fn new(odd_whitespace: bool) -> Self {
        Self { odd_whitespace }
    }

    /// Writes one or more lines in a single write.
    pub(super) fn say(self, text: &str) {
        let mut bytes = String::new();
        for line in text.split('\n') {
            if self.odd_whitespace {
                bytes.push_str(&format!(" \t  {line} \t\r\n"));
            } else {
                bytes.push_str(line);
                bytes.push('\n');
            }
        }
        // A reader that has gone is no reason to end: some faults outlive it.
        let _gone = write_raw(bytes.as_bytes());
    }
}

/// Writes bytes as they are, all at once and at once.
///
/// # Errors
///
/// If nobody reads any more.
pub(super) fn write_raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}
