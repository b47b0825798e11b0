//! The lines of a text, one after the other, without holding more than one.

use std::io::{BufRead, ErrorKind};

use memchr::memchr;

/// The longest line that is read, in bytes. A game in one line, with all that a runner can write of it, is shorter.
pub const LONGEST_LINE: usize = 16 << 20;

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextLine<'a> {
    /// The text of the line without its end.
    Read(&'a [u8]),
    /// It is longer than [`LONGEST_LINE`].
    TooLong,
}

/// Passes every line of `source` to `each`; the last one need not have a line end.
///
/// # Errors
/// Any error from reading `source`.
pub(super) fn lines(mut source: impl BufRead, mut each: impl FnMut(TextLine<'_>)) -> std::io::Result<()> {
    let mut begun = BegunLine::default();
    loop {
        let buffer = match source.fill_buf() {
            Ok([]) => break,
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut rest = buffer;
        while let Some(end) = memchr(b'\n', rest) {
            if begun.is_empty() && end <= LONGEST_LINE {
                each(TextLine::Read(&rest[..end]));
            } else {
                begun.push(&rest[..end]);
                each(begun.line());
                begun.clear();
            }
            rest = &rest[end + 1..];
        }
        begun.push(rest);
        let read = buffer.len();
        source.consume(read);
    }
    if !begun.is_empty() {
        each(begun.line());
    }
    Ok(())
}

/// The beginning of a line that goes on in the next buffer.
#[derive(Default)]
struct BegunLine {
    text: Vec<u8>,
    is_too_long: bool,
}

impl BegunLine {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.is_too_long
    }

    fn push(&mut self, more: &[u8]) {
        if self.is_too_long || self.text.len() + more.len() > LONGEST_LINE {
            self.text = Vec::new();
            self.is_too_long = true;
        } else {
            self.text.extend_from_slice(more);
        }
    }

    fn line(&self) -> TextLine<'_> {
        if self.is_too_long {
            TextLine::TooLong
        } else {
            TextLine::Read(&self.text)
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.is_too_long = false;
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn all(text: &[u8], buffer: usize) -> Vec<Option<usize>> {
        let mut found = Vec::new();
        let source = BufReader::with_capacity(buffer, text);
        let read = lines(source, |line| {
            found.push(match line {
                TextLine::Read(line) => Some(line.len()),
                TextLine::TooLong => None,
            });
        });
        read.expect("memory can be read");
        found
    }

    #[test]
    fn a_line_that_is_too_long_is_one_line() {
        let mut text = vec![b'x'; LONGEST_LINE];
        text.extend(b"\nab\n");
        assert_eq!(all(&text, 4096), [Some(LONGEST_LINE), Some(2)]);
        text.insert(0, b'x');
        assert_eq!(all(&text, 4096), [None, Some(2)]);
        text.truncate(LONGEST_LINE + 1);
        assert_eq!(all(&text, 4096), [None]);
    }

    proptest! {
        #[test]
        fn lines_are_the_same_by_every_buffer(text in "[a\n]{0,60}", buffer in 1..9_usize) {
            let mut expected: Vec<_> = text.split('\n').map(|line| Some(line.len())).collect();
            if text.is_empty() || text.ends_with('\n') {
                expected.pop();
            }
            prop_assert_eq!(all(text.as_bytes(), buffer), expected);
        }
    }
}
