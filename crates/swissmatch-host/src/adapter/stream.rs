//! Lines over descriptors, read and written as far as that needs no waiting.
//!
//! May not: wait.

use std::io;
use std::os::fd::AsFd;

use rustix::io::Errno;

/// Bytes read at once.
const CHUNK: usize = 4096;
/// Longest line that is waited for to its end, in bytes; of a longer one what is there is a line.
const LONGEST: usize = 4 << 20;

/// What was read, line by line.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    read: Vec<u8>,
    is_ended: bool,
}

impl LineBuffer {
    /// Reads once what is there; whether there may be more.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&mut self, from: impl AsFd) -> io::Result<bool> {
        let mut chunk = [0; CHUNK];
        match rustix::io::read(from, &mut chunk) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(0) => self.is_ended = true,
            count => self.read.extend_from_slice(&chunk[..count?]),
        }
        Ok(!self.is_ended)
    }

    /// The next line that is whole, without its end; the last one needs none.
    pub(super) fn next(&mut self) -> Option<String> {
        let end = memchr::memchr(b'\n', &self.read);
        let is_whole = self.is_ended && !self.read.is_empty() || self.read.len() >= LONGEST;
        let length = end.or_else(|| is_whole.then_some(self.read.len()))?;
        let rest = self.read.split_off((length + 1).min(self.read.len()));
        let mut line = std::mem::replace(&mut self.read, rest);
        line.truncate(length);
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    /// Forgets what was read.
    pub(super) fn clear(&mut self) {
        self.read.clear();
    }
}

/// What is to be written.
#[derive(Debug, Default)]
pub(super) struct Pending(Vec<u8>);

impl Pending {
    /// Adds a line.
    pub(super) fn add(&mut self, line: &str) {
        self.0.extend_from_slice(line.as_bytes());
        self.0.push(b'\n');
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes once what goes.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(super) fn write(&mut self, to: impl AsFd) -> io::Result<()> {
        match rustix::io::write(to, &self.0) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            count => drop(self.0.drain(..count?)),
        }
        Ok(())
    }
}
