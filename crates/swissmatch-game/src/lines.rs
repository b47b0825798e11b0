//! Cuts an engine's bytes into lines, whatever they hold.
//!
//! A line ends with a line feed; the last one may end with the output itself. May not: read pipes; keep a line beyond
//! the longest allowed.

/// What has been read, but not yet returned.
#[derive(Debug)]
pub struct LineSplitter {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far the text has been searched for line ends.
    searched: usize,
    /// The longest line, in bytes.
    longest: usize,
    /// The length so far of a line that is longer than allowed; no line is returned after it.
    too_long: Option<usize>,
}

impl LineSplitter {
    /// An empty splitter with room for `bytes`, for lines of at most `longest` bytes.
    pub fn new(bytes: usize, longest: usize) -> Self {
        Self {
            buffer: Vec::with_capacity(bytes),
            start: 0,
            searched: 0,
            longest,
            too_long: None,
        }
    }

    /// The length so far of a line that is longer than allowed. No line comes after it.
    pub const fn too_long(&self) -> Option<usize> {
        self.too_long
    }

    /// The longest line, in bytes.
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// The buffer, with room for `bytes` more: append what is read to it.
    #[inline]
    pub fn room(&mut self, bytes: usize) -> &mut Vec<u8> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.reserve(bytes);
        &mut self.buffer
    }

    /// Moves past the next whole line; returns its place in [`Self::text`].
    #[inline]
    pub fn next_line(&mut self) -> Option<(usize, usize)> {
        if self.too_long.is_some() {
            return None;
        }
        let found = memchr::memchr(b'\n', &self.buffer[self.searched..]);
        let end = found.map_or(self.buffer.len(), |at| at + self.searched);
        let from = self.start;
        if end - from > self.longest {
            self.too_long = Some(end - from);
            self.clear();
            return None;
        }
        self.searched = end;
        found?;
        (self.start, self.searched) = (end + 1, end + 1);
        Some((from, end))
    }

    /// To be called when the output has ended: what follows the last line feed is a line too. Returns its place in
    /// [`Self::text`].
    pub fn last_line(&mut self) -> Option<(usize, usize)> {
        let (from, to) = (self.start, self.buffer.len());
        (self.start, self.searched) = (to, to);
        (from < to && self.too_long.is_none()).then_some((from, to))
    }

    /// Bytes that have been read, but not returned.
    pub fn waiting(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The text that the places of lines refer to.
    pub fn text(&self) -> &[u8] {
        &self.buffer
    }

    /// Throws away everything that has been read; the rest of a line that has begun becomes a line of its own.
    pub fn clear(&mut self) {
        self.buffer.clear();
        (self.start, self.searched) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 1000;

    /// All lines returned when the output comes in these pieces and then ends.
    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = LineSplitter::new(0, LONGEST);
        let mut found = Vec::new();
        let mut keep = |lines: &LineSplitter, (from, to): (usize, usize)| {
            found.push(String::from_utf8_lossy(&lines.text()[from..to]).into_owned());
        };
        for piece in pieces {
            lines.room(piece.len()).extend_from_slice(piece);
            while let Some(line) = lines.next_line() {
                keep(&lines, line);
            }
        }
        if let Some(line) = lines.last_line() {
            keep(&lines, line);
        }
        assert_eq!((lines.next_line(), lines.last_line()), (None, None));
        found
    }

    #[test]
    fn lines_come_whole_whatever_the_pieces() {
        assert_eq!(cut(&[b"readyok\nbestmove e2e4\n"]), ["readyok", "bestmove e2e4"]);
        assert_eq!(
            cut(&[b"rea", b"dyok", b"\nbest", b"move e2e4\n"]),
            ["readyok", "bestmove e2e4"]
        );
        assert_eq!(cut(&[b"\n\nx\r\n"]), ["", "", "x\r"]);
        assert_eq!(cut(&[]), [""; 0]);
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(
            cut(&[b"info depth 1\nbestmove", b" e2e4"]),
            ["info depth 1", "bestmove e2e4"]
        );
    }

    #[test]
    fn no_line_comes_after_one_that_is_too_long() {
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!(cut(&[b"readyok\n", &long[1..], b"\nbestmove e2e4\n"]).len(), 3);
        for pieces in [
            &[b"readyok\n", &long[..], b"\nbestmove e2e4\n"][..],
            &[b"readyok\nxx", &long[2..], b"x"],
            &[b"readyok\n", &long, &long],
        ] {
            assert_eq!(cut(pieces), ["readyok"]);
        }
        let mut lines = LineSplitter::new(0, LONGEST);
        lines.room(0).extend_from_slice(&long);
        assert_eq!((lines.next_line(), lines.too_long()), (None, Some(LONGEST + 1)));
    }
}
