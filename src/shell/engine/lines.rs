//! What an engine says, cut into lines, in bounded memory.
//!
//! May not: wait.

use std::ops::Range;
use std::os::fd::AsFd;

use rustix::buffer::spare_capacity;

/// Bytes read at once.
const CHUNK: usize = 32 * 1024;
/// Bytes of a line that are kept; a longer line is cut, its rest thrown away.
const LONGEST_LINE: usize = 64 * 1024;

/// Bytes that have been read, of which some have been given out as lines.
#[derive(Debug)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Part of `bytes` not yet given out.
    start: usize,
    /// Part of it known to hold no line end.
    searched: usize,
    /// Whether the rest of an overlong line is being thrown away.
    skipping: bool,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(CHUNK),
            start: 0,
            searched: 0,
            skipping: false,
        }
    }

    /// Reads once what is there; 0 at the end.
    ///
    /// # Errors
    /// As `read`.
    pub(super) fn fill(&mut self, from: impl AsFd) -> rustix::io::Result<usize> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.reserve(CHUNK);
        rustix::io::read(from, spare_capacity(&mut self.bytes))
    }

    /// Finds the next whole line and moves past it.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let found = memchr::memchr(b'\n', &self.bytes[self.searched..]);
            let Some(at) = found.map(|at| at + self.searched) else {
                self.searched = self.bytes.len();
                if self.searched - self.start > LONGEST_LINE {
                    // Keep its beginning out of memory; a line that long is no answer.
                    self.clear();
                    self.skipping = true;
                }
                return None;
            };
            let from = self.start;
            (self.start, self.searched) = (at + 1, at + 1);
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            return Some(from..at);
        }
    }

    /// The bytes of a line that [`Self::next`] gave, its end taken off.
    pub(super) fn bytes(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }

    /// Throws everything away.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.start, self.searched, self.skipping) = (0, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(chunks: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut lines = Lines::new();
        let mut found = Vec::new();
        for chunk in chunks {
            let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
            rustix::io::write(&writer, chunk).expect("it is written");
            drop(writer);
            assert_eq!(lines.fill(&reader), Ok(chunk.len()));
            while let Some(line) = lines.next() {
                found.push(lines.bytes(line).to_vec());
            }
        }
        found
    }

    #[test]
    fn lines_are_cut_wherever_the_reads_fall() {
        let said = lines_of(&[b"one\ntw", b"", b"o\n\nthr", b"ee"]);
        assert_eq!(said, [b"one".as_slice(), b"two", b""]);
    }

    #[test]
    fn a_line_that_is_too_long_is_thrown_away_whole() {
        let long = vec![b'x'; 30_000];
        let said = lines_of(&[b"a\n", &long, &long, &long, b"tail\nb\n"]);
        assert_eq!(said, [b"a".as_slice(), b"b"]);
    }
}
