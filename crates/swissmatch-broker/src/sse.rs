//! Server-sent events, of which only the data counts.

/// The most bytes of one line.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

/// Reads the lines of a stream as its bytes come.
#[derive(Debug, Default)]
pub(crate) struct SseLines {
    rest: Vec<u8>,
    /// The length of the part without a line end.
    seen: usize,
}

/// A line was longer than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl SseLines {
    /// Takes bytes of the stream.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        self.rest.extend_from_slice(bytes);
        if self.rest.len() > LONGEST_LINE && !self.rest[self.seen..].contains(&b'\n') {
            return Err(TooLong);
        }
        Ok(())
    }

    /// The data of the next complete event; blank lines, comments and other fields are skipped.
    pub(crate) fn next_data(&mut self) -> Option<Vec<u8>> {
        loop {
            let Some(at) = self.rest[self.seen..].iter().position(|byte| *byte == b'\n') else {
                self.seen = self.rest.len();
                return None;
            };
            let line: Vec<u8> = self.rest.drain(..=self.seen + at).collect();
            self.seen = 0;
            if let Some(data) = data(&line) {
                return Some(data.to_vec());
            }
        }
    }

    /// The data of a last line without an end.
    pub(crate) fn last_data(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.rest);
        self.seen = 0;
        data(&line).map(<[u8]>::to_vec)
    }
}

fn data(line: &[u8]) -> Option<&[u8]> {
    let data = line.strip_prefix(b"data:")?.trim_ascii();
    (!data.is_empty()).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_found_however_the_bytes_come() {
        let text = b": PROCESSING\r\n\r\nevent: x\ndata: {\"a\":1}\r\n\n\ndata:{\"b\":2}\n\ndata:\n\ndata: [DONE]";
        for size in [1, 2, 7, text.len()] {
            let mut lines = SseLines::default();
            let mut found = Vec::new();
            for bytes in text.chunks(size) {
                lines.push(bytes).expect("short lines");
                found.extend(std::iter::from_fn(|| lines.next_data()));
            }
            found.extend(lines.last_data());
            let found: Vec<_> = found.iter().map(|data| str::from_utf8(data).expect("text")).collect();
            assert_eq!(found, ["{\"a\":1}", "{\"b\":2}", "[DONE]"], "{size}");
        }
    }

    #[test]
    fn a_line_has_an_end() {
        let mut lines = SseLines::default();
        assert_eq!(lines.push(&vec![b'a'; LONGEST_LINE]), Ok(()));
        assert_eq!(lines.push(b"a"), Err(TooLong));
    }
}
