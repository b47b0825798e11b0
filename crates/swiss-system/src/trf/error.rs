//! Problems of a tournament file: warnings, errors of reading, errors of writing.
//!
//! May not: read or write anything.

use crate::score::Points;

/// The most warnings kept for one file; if there are more, one last warning says so.
const MOST_WARNINGS: usize = 300;

/// A part of a file that was read although it differs from the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: usize,
    /// What is unusual, and how it was read.
    pub text: String,
}

/// Warnings in the order in which they were found, bounded.
#[derive(Default)]
pub(super) struct Warnings {
    kept: Vec<Warning>,
    left_out: usize,
}

impl Warnings {
    pub(super) fn add(&mut self, line: usize, text: impl Into<String>) {
        if self.kept.len() < MOST_WARNINGS {
            self.kept.push(Warning {
                line,
                text: text.into(),
            });
        } else {
            self.left_out += 1;
        }
    }

    /// Adds the warnings of another reading.
    pub(super) fn append(&mut self, other: Self) {
        for warning in other.kept {
            self.add(warning.line, warning.text);
        }
        self.left_out += other.left_out;
    }

    pub(super) fn into_vec(mut self) -> Vec<Warning> {
        self.kept.sort_by_key(|warning| warning.line);
        if self.left_out > 0 {
            self.kept.push(Warning {
                line: self.kept.last().map_or(1, |last| last.line),
                text: format!("{} further warnings are not listed", self.left_out),
            });
        }
        self.kept
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TrfError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what to do about it.
    pub fault: TrfLineError,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrfLineError {
    /// More bytes than any tournament needs.
    #[error("the file has more than {0} bytes; is it a tournament file?")]
    TooLarge(usize),
    /// More lines than any tournament needs.
    #[error("the file has more than {0} lines; is it a tournament file?")]
    TooManyLines(usize),
    /// Encoded in UTF-16.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// A control character.
    #[error("control character {:#04x}; the file is damaged or is not text; export it again", u32::from(*.0))]
    ControlCharacter(char),
    /// A tab in a record that is read by columns.
    #[error("a record with fixed columns has a tab in it; replace it with as many blanks as it stood for")]
    Tab,
    /// A field that must be there is empty.
    #[error("{0} is missing; write it in these columns")]
    Missing(&'static str),
    /// Text that is not a number in a number's columns.
    #[error("`{text}` is not a number, but these columns are {field}; check that the columns have not shifted")]
    NotANumber {
        /// What should be here.
        field: &'static str,
        /// What is here.
        text: String,
    },
    /// A number out of range.
    #[error("{field} is {number}; write a number from {lowest} to {highest}")]
    OutOfRange {
        /// What is here.
        field: &'static str,
        /// Its value.
        number: u64,
        /// The least value that is allowed.
        lowest: u32,
        /// The greatest value that is allowed.
        highest: u32,
    },
    /// Text that is not points in the columns of points.
    #[error("`{text}` is not a number of points, but these columns are {field}; write it like 11.5")]
    NotPoints {
        /// What should be here.
        field: &'static str,
        /// What is here.
        text: String,
    },
    /// Text in a column that separates two fields.
    #[error("`{0}` stands where a blank separates two fields; check that the columns have not shifted")]
    BetweenFields(char),
    /// Two `001` lines with one number.
    #[error("number {number} already has a line, line {first}; give every player a different number")]
    NumberTwice {
        /// The pairing number.
        number: u32,
        /// The line where it was first.
        first: usize,
    },
    /// More rounds than three digits can count.
    #[error("the line has more than {0} rounds; remove what follows the last round")]
    TooManyRounds(u32),
    /// Text that is not a colour letter.
    #[error("`{0}` is not a colour; write w, b or -")]
    UnknownColor(char),
    /// Text that is not a result letter.
    #[error("`{0}` is not a result; write one of 1 = 0 W D L + - H F U Z")]
    UnknownResult(char),
    /// A colour and a result of a game, but no opponent.
    #[error("a game without an opponent; write the opponent's number, or a bye as 0000 - H, F, U or Z")]
    GameWithoutOpponent,
    /// A bye with an opponent.
    #[error("a bye ({0}) with an opponent; write 0000 for the opponent, or the result of the game")]
    ByeWithOpponent(char),
    /// A player who meets himself.
    #[error("the player is its own opponent; write the opponent's number")]
    OwnOpponent,
    /// A game against a player whom the file does not have.
    #[error("player {opponent}, the opponent of {number} in round {round}, has no 001 line; add it")]
    NoSuchOpponent {
        /// The player of the line.
        number: u32,
        /// The opponent of that line.
        opponent: u32,
        /// The round.
        round: usize,
    },
    /// Two lines that contradict each other about a game.
    #[error(
        "{number} met {opponent} in round {round}, but the line of {opponent} does not say so; correct one of them"
    )]
    Contradiction {
        /// The player of the line.
        number: u32,
        /// The opponent of that line.
        opponent: u32,
        /// The round.
        round: usize,
    },
    /// Both players have the same colour.
    #[error("{number} and {opponent} have the same colour in round {round}; correct one of them")]
    SameColor {
        /// The player of the line.
        number: u32,
        /// The opponent of that line.
        opponent: u32,
        /// The round.
        round: usize,
    },
    /// A game in which neither line gives the colour.
    #[error("neither {number} nor {opponent} has a colour in round {round}; write w and b")]
    NoColor {
        /// The player of the line.
        number: u32,
        /// The opponent of that line.
        opponent: u32,
        /// The round.
        round: usize,
    },
    /// A letter or word that the record does not know.
    #[error("`{word}` is not known here; write one of {known}")]
    UnknownWord {
        /// What is here.
        word: String,
        /// What may be here.
        known: &'static str,
    },
    /// A range that ends before it begins.
    #[error("{field} goes from {first} to {last}; write the smaller number first")]
    BackwardRange {
        /// The field of the range.
        field: &'static str,
        /// The start of the range.
        first: u32,
        /// The end of the range.
        last: u32,
    },
    /// A second record that contradicts the first.
    #[error("{field} was already given, with another value, in line {first}; keep one of the two")]
    GivenTwice {
        /// The field that was given.
        field: &'static str,
        /// The line where it was first.
        first: usize,
    },
}

/// Why a tournament cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {record}: {fault}")]
pub struct TrfWriteError {
    /// The record, from 1; also the line that it would have been.
    pub record: usize,
    /// The part that the format cannot hold.
    pub fault: TrfRecordError,
}

/// Something that the format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrfRecordError {
    /// A text wider than its columns.
    #[error("{field} `{text}` has {} characters, its columns hold {width}", text.chars().count())]
    TooWide {
        /// The field.
        field: &'static str,
        /// The text to be written.
        text: String,
        /// Characters that its columns hold.
        width: usize,
    },
    /// Points with more than one decimal.
    #[error("{field} {points}: the format has one decimal")]
    TooFine {
        /// The field.
        field: &'static str,
        /// The points to be written.
        points: Points,
    },
    /// A number out of range.
    #[error("{field} {number}: the format holds {lowest} to {highest}")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The number to be written.
        number: u32,
        /// The least value that the format holds.
        lowest: u32,
        /// The greatest value that the format holds.
        highest: u32,
    },
    /// A text that would end the line or shift its columns.
    #[error("{field} has the control character {:#04x}", u32::from(*character))]
    ControlCharacter {
        /// The field.
        field: &'static str,
        /// The character.
        character: char,
    },
    /// A text that begins or ends with a blank.
    #[error("{field} `{text}` begins or ends with a blank, which columns cannot show")]
    OuterBlank {
        /// The field.
        field: &'static str,
        /// The text to be written.
        text: String,
    },
    /// A tie-break that is not a code.
    #[error("tie-break {text:?}: a code is 1 to 40 printable characters of ASCII, no comma, semicolon or blank")]
    NotACode {
        /// The text to be written.
        text: String,
    },
    /// A record that would be read back as a different one.
    #[error("written as `{line}`, it would not be read back the same: {reason}")]
    ReadsDifferently {
        /// The line as written.
        line: String,
        /// The reader's reason.
        reason: String,
    },
}
