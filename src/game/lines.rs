//! Bytes of an engine cut into lines, whatever they hold.
//!
//! A line ends with a line feed; the last one may end with the output itself. May not: read pipes; keep more than one long
//! line.

/// Bytes of a line that are kept; a longer line is thrown away whole.
const LONGEST_LINE: usize = 64 * 1024;

/// What has been read and not yet been given out.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// As far as line ends have been looked for.
    searched: usize,
    /// Whether the rest of an overlong line is being thrown away.
    skipping: bool,
}

impl Lines {
    /// Nothing read yet, with room for `bytes`.
    pub fn with_room(bytes: usize) -> Self {
        Self {
            buffer: Vec::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// The buffer, with room for `bytes` more: what is read is to be appended to it.
    pub fn room(&mut self, bytes: usize) -> &mut Vec<u8> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.reserve(bytes);
        &mut self.buffer
    }

    /// Finds the next whole line and moves past it; where it stands in [`Self::text`].
    pub fn next_line(&mut self) -> Option<(usize, usize)> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]);
            let Some(at) = found.map(|at| at + self.searched) else {
                self.searched = self.buffer.len();
                if self.searched - self.start > LONGEST_LINE {
                    // Its beginning is kept out of memory; a line that long is no answer.
                    self.skipping = true;
                    self.buffer.clear();
                    (self.start, self.searched) = (0, 0);
                }
                return None;
            };
            let from = self.start;
            (self.start, self.searched) = (at + 1, at + 1);
            if std::mem::take(&mut self.skipping) || at - from > LONGEST_LINE {
                continue;
            }
            return Some((from, at));
        }
    }

    /// The output has ended: what stands after the last line feed is a line too. Where it stands in [`Self::text`].
    pub fn last_line(&mut self) -> Option<(usize, usize)> {
        let (from, to) = (self.start, self.buffer.len());
        (self.start, self.searched) = (to, to);
        let is_rest_of_long_line = std::mem::take(&mut self.skipping);
        (from < to && !is_rest_of_long_line).then_some((from, to))
    }

    /// Bytes that have been read and not given out.
    pub fn waiting(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// What a line was found in.
    pub fn text(&self) -> &[u8] {
        &self.buffer
    }

    /// Throws away everything that has been read; what is still to come of a line begun is a line of its own.
    pub fn clear(&mut self) {
        self.buffer.clear();
        (self.start, self.searched, self.skipping) = (0, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is given out when the output comes in these pieces and then ends.
    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut keep = |lines: &Lines, (from, to): (usize, usize)| {
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
    fn a_line_that_is_too_long_is_left_out_whole() {
        let long = vec![b'x'; LONGEST_LINE + 1];
        assert_eq!(cut(&[&long, b"x\nreadyok\n"]), ["readyok"]);
        assert_eq!(
            cut(&[&long, &long, b"bestmove e2e4\n", b"bestmove d2d4\n"]),
            ["bestmove d2d4"]
        );
        assert_eq!(cut(&[b"readyok\n", &long, b"bestmove e2e4"]), ["readyok"]);
    }
}
