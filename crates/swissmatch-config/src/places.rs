//! Converts bytes of a text to lines and columns, as fast at the end of a long text as at its beginning.
//!
//! May not: know the meaning of the text.

use super::error::TextPlace;

/// Bytes from one count of characters to the next.
const STEP: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct TextPlaces<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// How many characters begin before each [`STEP`]th byte.
    characters: Vec<usize>,
}

impl<'a> TextPlaces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let counted = text.as_bytes().chunks(STEP).scan(0, |before, chunk| {
            let here = *before;
            *before += beginnings(chunk);
            Some(here)
        });
        Self {
            text,
            lines: std::iter::once(0).chain(line_ends.map(|(at, _)| at + 1)).collect(),
            characters: counted.collect(),
        }
    }

    /// The place of a byte; one past the end counts as the end.
    pub(super) fn of_byte(&self, byte: usize) -> TextPlace {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.lines.partition_point(|start| *start <= byte);
        let line_start = line
            .checked_sub(1)
            .and_then(|line| self.lines.get(line))
            .copied()
            .unwrap_or(0);
        TextPlace {
            line,
            column: self.characters_before(byte) - self.characters_before(line_start) + 1,
        }
    }

    fn characters_before(&self, byte: usize) -> usize {
        let step = byte / STEP;
        // Past the last step there is nothing left to count.
        let (step, counted) = match self.characters.get(step) {
            Some(counted) => (step, *counted),
            None => (step.saturating_sub(1), self.characters.last().copied().unwrap_or(0)),
        };
        counted + beginnings(&self.text.as_bytes()[step * STEP..byte])
    }
}

/// How many characters begin in these bytes of a text.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Counts from the beginning.
    fn counted(text: &str, byte: usize) -> TextPlace {
        let before = &text[..text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        TextPlace {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    #[test]
    fn places_count_lines_and_characters() {
        let places = TextPlaces::of("a\nüb\n");
        assert_eq!(places.of_byte(0), TextPlace { line: 1, column: 1 });
        assert_eq!(places.of_byte(4), TextPlace { line: 2, column: 2 });
        assert_eq!(
            places.of_byte(3),
            TextPlace { line: 2, column: 1 },
            "inside a character"
        );
        assert_eq!(places.of_byte(99), TextPlace { line: 3, column: 1 });
        assert_eq!(TextPlaces::of("").of_byte(0), TextPlace { line: 1, column: 1 });
    }

    proptest! {
        #[test]
        fn a_place_is_what_is_counted_from_the_beginning(text in "[aü€😀\n]{0,200}", byte in 0..900_usize) {
            prop_assert_eq!(TextPlaces::of(&text).of_byte(byte), counted(&text, byte));
        }
    }
}
