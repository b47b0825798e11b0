//! Tags of a game: `[Name "value"]`, and those that matter here.
//!
//! May not: know movetext.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// The longest value that is accepted of a tag that matters, in bytes.
pub(crate) const LONGEST_VALUE: usize = 4096;

/// A tag as it stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a [u8],
    /// The text between its quotes, still escaped.
    pub(super) value: &'a [u8],
    /// Bytes from its opening bracket to behind its closing one.
    pub(super) length: usize,
}

impl<'a> Tag<'a> {
    /// The tag at the beginning of `text`, which begins with a bracket; blanks may stand between its parts.
    pub(super) fn at(text: &'a [u8]) -> Option<Self> {
        let (name, at) = name(text)?;
        let mut at = at + 1;
        let begin = at;
        loop {
            at += memchr2(b'"', b'\\', text.get(at..)?)?;
            if text[at] == b'"' {
                break;
            }
            // A quote and a backslash are escaped by a backslash (PGN 7).
            at += 2;
        }
        let value = &text[begin..at];
        let at = blanks(text, at + 1);
        (text.get(at) == Some(&b']')).then_some(Self {
            name,
            value,
            length: at + 1,
        })
    }

    /// True if a line holds nothing but a tag.
    pub(super) fn is_line(line: &'a [u8]) -> bool {
        Self::at(line).is_some_and(|tag| blanks(line, tag.length) == line.len())
    }
}

/// The name of a tag at the beginning of `text`, if a value follows, and the place of the value's quote.
pub(super) fn name(text: &[u8]) -> Option<(&[u8], usize)> {
    let begin = blanks(text, 1);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let end = begin + text.get(begin..)?.iter().take_while(is_name).count();
    let quote = blanks(text, end);
    (end > begin && text.get(quote) == Some(&b'"')).then_some((&text[begin..end], quote))
}

fn blanks(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The tags that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagName {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    SetUp,
    Fen,
    Variant,
    Termination,
    PlyCount,
    GamePair,
    Eco,
    Opening,
}

const KEYS: usize = TagName::Opening as usize + 1;

impl TagName {
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Event" => Self::Event,
            b"Site" => Self::Site,
            b"Date" => Self::Date,
            b"Round" => Self::Round,
            b"White" => Self::White,
            b"Black" => Self::Black,
            b"Result" => Self::Result,
            b"SetUp" => Self::SetUp,
            b"FEN" => Self::Fen,
            b"Variant" => Self::Variant,
            b"Termination" => Self::Termination,
            b"PlyCount" => Self::PlyCount,
            b"GamePair" => Self::GamePair,
            b"ECO" => Self::Eco,
            b"Opening" => Self::Opening,
            _ => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Event => "Event",
            Self::Site => "Site",
            Self::Date => "Date",
            Self::Round => "Round",
            Self::White => "White",
            Self::Black => "Black",
            Self::Result => "Result",
            Self::SetUp => "SetUp",
            Self::Fen => "FEN",
            Self::Variant => "Variant",
            Self::Termination => "Termination",
            Self::PlyCount => "PlyCount",
            Self::GamePair => "GamePair",
            Self::Eco => "ECO",
            Self::Opening => "Opening",
        }
    }

    /// True if a figure depends on the tag's value; for the others it only matters whether they are there.
    pub(super) const fn is_read(self) -> bool {
        !matches!(self, Self::Event | Self::Site | Self::Date) && !self.is_label()
    }

    /// True for a name of the opening, which is read only if it is asked for, and never makes a game unusable.
    pub(super) const fn is_label(self) -> bool {
        matches!(self, Self::Eco | Self::Opening)
    }
}

/// What became of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagAgreement {
    /// It is kept, or was there before with the same value.
    Agrees,
    /// It was there before with another value; the first is kept.
    Contradicts,
    /// Its value is longer than [`LONGEST_VALUE`].
    TooLong,
}

/// The tags of one game that matter. Their memory is reused for the next game.
#[derive(Debug, Default)]
pub(super) struct GameTags {
    values: [Vec<u8>; KEYS],
    seen: [bool; KEYS],
}

impl GameTags {
    pub(super) fn clear(&mut self) {
        self.seen = [false; KEYS];
        self.values.iter_mut().for_each(Vec::clear);
    }

    pub(super) const fn has(&self, key: TagName) -> bool {
        self.seen[key as usize]
    }

    /// Notes that a tag is there, whatever its value.
    pub(super) const fn note(&mut self, key: TagName) {
        self.seen[key as usize] = true;
    }

    pub(super) fn keep(&mut self, key: TagName, escaped: &[u8]) -> TagAgreement {
        if !key.is_read() {
            self.note(key);
            return TagAgreement::Agrees;
        }
        if escaped.len() > LONGEST_VALUE {
            return TagAgreement::TooLong;
        }
        let value = unescaped(escaped);
        let value = value.trim_ascii();
        if self.has(key) {
            return if self.values[key as usize] == value {
                TagAgreement::Agrees
            } else {
                TagAgreement::Contradicts
            };
        }
        self.values[key as usize].extend_from_slice(value);
        self.note(key);
        TagAgreement::Agrees
    }

    /// Keeps the first value of a tag that names the opening, unless it is too long.
    pub(super) fn keep_label(&mut self, key: TagName, escaped: &[u8]) {
        if !self.has(key) && escaped.len() <= LONGEST_VALUE {
            self.values[key as usize].extend_from_slice(unescaped(escaped).trim_ascii());
        }
        self.note(key);
    }

    /// The value of a tag, without outer blanks, with U+FFFD for what is not UTF-8; empty if there is no such tag.
    pub(super) fn value(&self, key: TagName) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.values[key as usize])
    }
}

fn unescaped(escaped: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', escaped).is_none() {
        return Cow::Borrowed(escaped);
    }
    let mut value = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        // Runners that do not escape write a backslash of a path as it is.
        let escapes = byte == b'\\' && bytes.peek().is_some_and(|next| matches!(next, b'"' | b'\\'));
        value.push(if escapes { bytes.next().unwrap_or(byte) } else { byte });
    }
    Cow::Owned(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_with_blanks_and_escapes() {
        let tag = Tag::at(br#"[ White   "a \"b\" c\\" ] [Black "d"]"#).expect("a tag");
        assert_eq!((tag.name, tag.length), (&b"White"[..], 25));
        assert_eq!(unescaped(tag.value), br#"a "b" c\"#.as_slice());
        for none in [
            &b"["[..],
            b"[White",
            b"[White]",
            b"[White \"",
            b"[White \"a",
            b"[White \"a\"",
            b"[White \"a\\\"]",
            b"[White \"a\\",
            b"[%clk 1:00]",
            b"[White \"a\"b\"]",
            b"[Whi[Event \"a\"]",
        ] {
            assert_eq!(Tag::at(none), None, "{}", String::from_utf8_lossy(none));
        }
        assert!(Tag::is_line(b"[Site \"?\"] \r"));
        assert!(!Tag::is_line(b"[Site \"?\"] x"));
    }

    #[test]
    fn every_key_has_its_name() {
        for name in [
            "Event",
            "Round",
            "FEN",
            "GamePair",
            "PlyCount",
            "SetUp",
            "Termination",
            "Variant",
            "ECO",
            "Opening",
        ] {
            assert_eq!(TagName::of(name.as_bytes()).map(TagName::name), Some(name));
        }
        assert_eq!(TagName::of(b"white"), None);
    }

    #[test]
    fn a_value_is_kept_once() {
        let mut tags = GameTags::default();
        assert_eq!(tags.keep(TagName::White, b" A \xff"), TagAgreement::Agrees);
        assert_eq!(tags.value(TagName::White), "A \u{fffd}");
        assert_eq!(tags.keep(TagName::White, b"A \xff"), TagAgreement::Agrees);
        assert_eq!(tags.keep(TagName::White, b"B"), TagAgreement::Contradicts);
        assert_eq!(
            tags.keep(TagName::Black, &[b'x'; LONGEST_VALUE + 1]),
            TagAgreement::TooLong
        );
        tags.clear();
        assert!(!tags.has(TagName::White));
        assert_eq!(tags.value(TagName::White), "");
    }
}
