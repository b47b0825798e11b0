//! Turns lines into games: where a game begins and ends, what it holds, why it cannot be used.
//!
//! May not: read; know how lines come.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use memchr::{memchr, memchr2, memchr3};

use super::ending::{PgnResult, ending};
use super::lines::TextLine;
use super::names::Names;
use super::openings::Openings;
use super::round;
use super::row::{GameFields, GameRow};
use super::tags::{self, GameTags, Tag, TagAgreement, TagName};
use super::unusable::{PgnGameError, UnusableGameError};
use super::words::{self, Word};
use crate::opening::is_place;

/// Bytes of a comment that are searched for why the game ended.
const LONGEST_COMMENT: usize = 64 << 10;

/// Bytes of an opening's moves that are kept for its label.
const LONGEST_BOOK: usize = 1024;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How much is read of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Everything except the moves: [`GameRow::moves`] is not known.
    Results,
    Moves,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsableGame {
    /// The line in which it begins, from 1.
    pub line: u64,
    pub row: GameRow,
    /// The number of its opening in [`Openings`] if openings are noted; otherwise that of the row.
    pub opening: u64,
}

/// Turns lines into games.
pub(super) struct PgnReader<'a, F> {
    depth: Depth,
    names: &'a mut Names,
    openings: Option<&'a mut Openings>,
    each: F,
    /// The line that is being read, from 1.
    line: u64,
    any_game: bool,
    any_movetext: bool,
    game: Current,
}

/// The place of the reader in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PgnSection {
    /// Before the game.
    #[default]
    Between,
    Tags,
    Movetext,
}

/// The game that is being read. Its memory is reused for the next.
#[derive(Default)]
struct Current {
    place: PgnSection,
    begins: u64,
    tags: GameTags,
    /// True if there was an empty line after its tags.
    is_spaced: bool,
    in_comment: bool,
    /// Variations that are open.
    variations: u32,
    last_comment: Vec<u8>,
    plies: u32,
    moves: DefaultHasher,
    /// A hash of the opening's moves.
    book: DefaultHasher,
    book_plies: u32,
    /// Those moves as they are written, if openings are noted.
    book_text: String,
    last_move: u128,
    /// The last move as it is written, if openings are noted.
    last_text: Vec<u8>,
    /// The first thing that is wrong with the game.
    problem: Option<(u64, PgnGameError)>,
}

#[derive(Clone, Copy)]
enum End {
    Result(PgnResult),
    /// Another game begins.
    Next,
    File,
}

impl<'a, F: FnMut(Result<UsableGame, UnusableGameError>)> PgnReader<'a, F> {
    pub(super) fn new(depth: Depth, names: &'a mut Names, openings: Option<&'a mut Openings>, each: F) -> Self {
        Self {
            depth,
            names,
            openings,
            each,
            line: 0,
            any_game: false,
            any_movetext: false,
            game: Current::default(),
        }
    }

    pub(super) fn line(&mut self, line: TextLine<'_>) {
        self.line += 1;
        let line = match line {
            TextLine::Read(line) => line.strip_prefix(BOM).unwrap_or(line),
            TextLine::TooLong => {
                if self.game.place == PgnSection::Between {
                    self.begin(PgnSection::Movetext);
                }
                self.wrong(PgnGameError::LineTooLong);
                return;
            }
        };
        match line {
            // A line for other programs (PGN 6).
            [b'%', ..] if !self.game.in_comment => return,
            // No runner writes such a line in a comment: the game was cut, and another one was written behind it.
            [b'[', ..] if self.game.in_comment && Tag::is_line(line) => {
                self.game.in_comment = false;
                if self.game.place != PgnSection::Between {
                    self.end(End::Next);
                }
            }
            _ if self.game.place == PgnSection::Tags && line.trim_ascii().is_empty() => self.game.is_spaced = true,
            _ => {}
        }
        self.text(line);
    }

    /// To be called at the end of the file.
    pub(super) fn finish(mut self) {
        if self.game.place != PgnSection::Between {
            self.end(End::File);
        }
    }

    fn text(&mut self, line: &[u8]) {
        let mut at = 0;
        // The last comment of this line, if it is the game's last so far.
        let mut comment: Option<(usize, usize)> = None;
        if self.game.in_comment {
            let end = memchr(b'}', line);
            self.comment_goes_on(&line[..end.unwrap_or(line.len())]);
            let Some(end) = end else { return };
            self.game.in_comment = false;
            at = end + 1;
        }
        while let Some(&byte) = line.get(at) {
            match byte {
                b' ' | b'\t'..=b'\r' => at += 1,
                b'{' => {
                    let begin = at + 1;
                    let end = memchr(b'}', &line[begin..]).map(|length| begin + length);
                    let text = &line[begin..end.unwrap_or(line.len())];
                    self.game.comment_begins(text);
                    if self.game.variations == 0 {
                        comment = Some((begin, begin + text.len()));
                    }
                    let Some(end) = end else {
                        self.game.in_comment = true;
                        break;
                    };
                    at = end + 1;
                }
                b';' => break,
                b'[' => {
                    if let Some((begin, end)) = comment.take() {
                        self.game.keep_comment(&line[begin..end]);
                    }
                    at += self.bracket(&line[at..]);
                }
                b'(' => {
                    self.begin(PgnSection::Movetext);
                    self.game.variations += 1;
                    at += 1;
                }
                b')' if self.game.variations > 0 => {
                    self.game.variations -= 1;
                    at += 1;
                }
                _ if self.game.variations > 0 => at += skip_in_variation(&line[at..]),
                _ => {
                    let (word, length) = words::word(&line[at..]);
                    match word {
                        Word::Move(packed) => self.a_move(packed, &line[at..at + length]),
                        Word::Nothing => self.begin(PgnSection::Movetext),
                        Word::Result(result) => {
                            self.begin(PgnSection::Movetext);
                            if let Some((begin, end)) = comment.take() {
                                self.game.keep_comment(&line[begin..end]);
                            }
                            self.end(End::Result(result));
                        }
                        Word::Unknown => {
                            self.begin(PgnSection::Movetext);
                            self.wrong_with(|| PgnGameError::NoMove(excerpt(&line[at..at + length])));
                        }
                    }
                    at += length;
                }
            }
        }
        if let Some((begin, end)) = comment {
            self.game.keep_comment(&line[begin..end]);
        }
    }

    /// Reads a bracket that begins a tag, or should; returns how far it goes.
    fn bracket(&mut self, text: &[u8]) -> usize {
        let Some(tag) = Tag::at(text) else {
            if self.game.place == PgnSection::Between {
                self.begin(PgnSection::Tags);
            }
            let key = tags::name(text).map(|(name, _)| TagName::of(name));
            match key {
                // A tag on which no figure depends may have quotes that are not escaped.
                Some(None) => {}
                Some(Some(key)) if !key.is_read() => self.game.tags.note(key),
                _ => self.wrong_with(|| PgnGameError::BrokenTag(excerpt(text))),
            }
            return memchr(b'[', &text[1..]).map_or(text.len(), |next| next + 1);
        };
        let key = TagName::of(tag.name);
        if self.begins_another(key) {
            self.end(End::Next);
        }
        self.begin(PgnSection::Tags);
        if let Some(key) = key {
            if key.is_label() && self.openings.is_some() {
                self.game.tags.keep_label(key, tag.value);
                return tag.length;
            }
            match self.game.tags.keep(key, tag.value) {
                TagAgreement::Agrees => {}
                TagAgreement::Contradicts => self.wrong(PgnGameError::RepeatedTag(key.name())),
                TagAgreement::TooLong => self.wrong(PgnGameError::LongTag(key.name())),
            }
        }
        tag.length
    }

    /// True if a tag belongs to a game other than the one being read.
    fn begins_another(&self, key: Option<TagName>) -> bool {
        let game = &self.game;
        match game.place {
            PgnSection::Between => false,
            PgnSection::Movetext => true,
            PgnSection::Tags => key
                .is_some_and(|key| game.tags.has(key) && !key.is_label() && (game.is_spaced || key == TagName::Event)),
        }
    }

    /// Continues the game with tags or movetext, or begins one.
    fn begin(&mut self, place: PgnSection) {
        if self.game.place == PgnSection::Between {
            self.game.begins = self.line;
            // Comments between games belong to none.
            self.game.last_comment.clear();
        }
        self.game.place = place;
    }

    fn wrong(&mut self, why: PgnGameError) {
        self.wrong_with(|| why);
    }

    fn wrong_with(&mut self, why: impl FnOnce() -> PgnGameError) {
        let line = self.line;
        self.game.problem.get_or_insert_with(|| (line, why()));
    }

    fn comment_goes_on(&mut self, text: &[u8]) {
        let kept = &mut self.game.last_comment;
        if self.game.variations == 0 && kept.len() + text.len() < LONGEST_COMMENT {
            kept.push(b' ');
            kept.extend_from_slice(text);
        }
    }

    fn a_move(&mut self, packed: u128, text: &[u8]) {
        self.begin(PgnSection::Movetext);
        let game = &mut self.game;
        game.plies = game.plies.saturating_add(1);
        game.last_move = packed;
        if self.openings.is_some() {
            game.last_text.clear();
            game.last_text.extend_from_slice(text);
        }
        if self.depth == Depth::Moves {
            write(&mut game.moves, packed);
        }
    }

    fn end(&mut self, end: End) {
        self.any_movetext |= self.game.place == PgnSection::Movetext;
        let line = self.game.begins;
        let game = match self.row(end) {
            Ok((row, opening)) => Ok(UsableGame { line, row, opening }),
            Err((at, why)) => Err(UnusableGameError { line, at, why }),
        };
        (self.each)(game);
        self.any_game = true;
        self.game.clear();
    }

    fn row(&mut self, end: End) -> Result<(GameRow, u64), (u64, PgnGameError)> {
        let here = self.line;
        let game = &mut self.game;
        let wrong = |why| (here, why);
        let in_movetext = match end {
            End::Result(result) => Some(result),
            // Tags alone at the end of a file are a cut game, unless all games before have tags alone, too.
            End::File if self.any_movetext || !self.any_game => return Err(wrong(PgnGameError::CutAtEnd)),
            End::File | End::Next => None,
        };
        if let Some(problem) = game.problem.take() {
            return Err(problem);
        }
        // Tags without movetext are a game if an empty line ends them.
        if matches!(end, End::Next) && (game.place == PgnSection::Movetext || !game.is_spaced) {
            return Err(wrong(PgnGameError::Cut));
        }
        let result = result(&game.tags, in_movetext).map_err(wrong)?;
        let [white, black] = [TagName::White, TagName::Black].map(|key| game.tags.value(key));
        for (key, name) in [(TagName::White, &white), (TagName::Black, &black)] {
            if name.is_empty() || name == "?" {
                return Err(wrong(PgnGameError::NoName(key.name())));
            }
        }
        if white == black {
            return Err(wrong(PgnGameError::AgainstItself(white.into_owned())));
        }
        let mut intern = |name: &str| self.names.intern(name).ok_or(wrong(PgnGameError::TooManyNames));
        let (white, black) = (intern(&white)?, intern(&black)?);
        let comment = String::from_utf8_lossy(&game.last_comment);
        let (ending, blame) = ending(&game.tags.value(TagName::Termination), &comment, result);
        let start = start(&game.tags);
        let round = [TagName::GamePair, TagName::Round]
            .into_iter()
            .find(|&key| game.tags.has(key));
        let plies = game.tags.value(TagName::PlyCount).parse().ok();
        let opening = with_start(start, &game.book);
        let row = GameRow::new(&GameFields {
            white,
            black,
            result,
            ending,
            blame,
            plies: plies.unwrap_or(game.plies),
            opening,
            moves: (self.depth == Depth::Moves && game.plies > 0).then(|| with_start(start, &game.moves)),
            round: round.map_or(0, |key| round::place(&game.tags.value(key))),
        });
        let noted = (self.openings.as_mut()).map(|openings| game.note_opening(openings, start, opening));
        Ok((row, noted.unwrap_or(opening)))
    }
}

impl Current {
    fn clear(&mut self) {
        self.tags.clear();
        self.last_comment.clear();
        *self = Self {
            tags: std::mem::take(&mut self.tags),
            last_comment: std::mem::take(&mut self.last_comment),
            last_text: std::mem::take(&mut self.last_text),
            ..Self::default()
        };
    }

    /// Notes the opening and returns its number. If a game gives only the name of its opening, the number is that of
    /// the name.
    fn note_opening(&self, openings: &mut Openings, start: u64, opening: u64) -> u64 {
        let labels = [TagName::Eco, TagName::Opening].map(|key| self.tags.value(key));
        let labels = labels.iter().map(|label| label.as_ref());
        let labels: Vec<&str> = labels
            .filter(|label| !matches!(*label, "" | "?") && !is_place(label))
            .collect();
        let name = labels.join(" ");
        let mut number = opening;
        if start == 0 && self.book_plies == 0 && !name.is_empty() {
            let mut hash = DefaultHasher::new();
            name.hash(&mut hash);
            number = hash.finish();
        }
        let fen = self.tags.value(TagName::Fen);
        let fen = if start == 0 { "" } else { fen.as_ref() };
        openings.note(number, &name, fen, self.book_text.trim_end());
        number
    }

    /// Handles the start of a comment; a move before it is the opening's if it is `{book}`, and all moves before
    /// were.
    fn comment_begins(&mut self, text: &[u8]) {
        if text.trim_ascii() == b"book" && self.variations == 0 && self.plies == self.book_plies + 1 {
            self.book_plies += 1;
            write(&mut self.book, self.last_move);
            if !self.last_text.is_empty() && self.book_text.len() < LONGEST_BOOK {
                self.book_text += &String::from_utf8_lossy(&self.last_text);
                self.book_text.push(' ');
            }
        }
        if self.place == PgnSection::Tags {
            self.place = PgnSection::Movetext;
        }
    }

    fn keep_comment(&mut self, text: &[u8]) {
        self.last_comment.clear();
        if text.len() <= LONGEST_COMMENT {
            self.last_comment.extend_from_slice(text);
        }
    }
}

/// The length of text within a variation that can be skipped.
fn skip_in_variation(text: &[u8]) -> usize {
    let one = memchr3(b'(', b')', b'{', text).unwrap_or(text.len());
    let other = memchr2(b';', b'[', &text[..one]).unwrap_or(one);
    other.max(1)
}

/// The result by the tag and by the movetext, which must not contradict each other.
fn result(tags: &GameTags, in_movetext: Option<PgnResult>) -> Result<PgnResult, PgnGameError> {
    let tag = tags.value(TagName::Result);
    let in_tag = match tag.as_ref() {
        "" | "?" => None,
        tag => Some(PgnResult::of_tag(tag).ok_or_else(|| PgnGameError::BadResult(excerpt(tag.as_bytes())))?),
    };
    match (in_tag, in_movetext) {
        (Some(tag), Some(movetext)) if tag != movetext => Err(PgnGameError::Contradiction(tag.pgn(), movetext.pgn())),
        (Some(result), _) | (None, Some(result)) => Ok(result),
        (None, None) => Err(PgnGameError::NoResult),
    }
}

/// The start position as a number: variant and FEN; 0 for the usual one.
fn start(tags: &GameTags) -> u64 {
    let mut hash = DefaultHasher::new();
    let variant = tags.value(TagName::Variant).to_ascii_lowercase();
    let is_usual = match variant.as_str() {
        "" | "standard" | "normal" | "chess" | "from position" => true,
        // PGN has no word for it; these are the runners' and the sites'.
        "chess960" | "chess 960" | "fischerandom" | "fischerrandom" => {
            "chess960".hash(&mut hash);
            false
        }
        other => {
            other.hash(&mut hash);
            false
        }
    };
    let fen = tags.value(TagName::Fen);
    // `SetUp "0"`: the usual start position, whatever FEN says (PGN 9.7.1).
    let fen = if tags.value(TagName::SetUp) == "0" { "" } else { &fen };
    let mut fields = fen.split_ascii_whitespace().peekable();
    let usual = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "-"];
    let starts_as_usual = fields.peek().is_none() || fields.clone().take(usual.len()).eq(usual);
    if is_usual && starts_as_usual {
        return 0;
    }
    if !starts_as_usual {
        fields.for_each(|field| field.hash(&mut hash));
    }
    hash.finish()
}

fn with_start(start: u64, moves: &DefaultHasher) -> u64 {
    let mut hash = moves.clone();
    hash.write_u64(start);
    hash.finish()
}

/// Hashes a move in one step if it has at most eight letters, as nearly all have.
fn write(hash: &mut DefaultHasher, packed: u128) {
    match u64::try_from(packed) {
        Ok(packed) => hash.write_u64(packed),
        Err(_) => hash.write_u128(packed),
    }
}

/// The beginning of foreign text, for a message.
fn excerpt(text: &[u8]) -> String {
    const MOST: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(MOST)]);
    shown.trim().to_owned()
}
