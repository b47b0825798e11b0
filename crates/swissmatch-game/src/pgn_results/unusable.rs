//! Games of a file that cannot be used, and why.
//!
//! May not: decide it.

use swiss_system::text::harmless;

use super::lines::LONGEST_LINE;
use super::names::MOST_NAMES;
use super::tags::LONGEST_VALUE;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {at}: the game that begins in line {line} is left out: {why}")]
pub struct UnusableGameError {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// The line in which the problem showed.
    pub at: u64,
    pub why: PgnGameError,
}

/// Why a game cannot be used. It holds foreign text unchanged, and makes it harmless when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnGameError {
    /// The file ends before the game does.
    #[error("the file ends before the game does; it may still be being written")]
    CutAtEnd,
    /// Another game begins before this one ends.
    #[error("another game begins before its movetext ends with a result")]
    Cut,
    /// A player's name is missing, or `?`.
    #[error("it has no tag {0}")]
    NoName(&'static str),
    /// Both players have the same name.
    #[error("`{}` plays against itself", harmless(.0))]
    AgainstItself(String),
    /// There is no result anywhere.
    #[error("it has no result, neither in its tag nor after its moves")]
    NoResult,
    /// The tag `Result` is not a result.
    #[error("its tag Result is `{}`", harmless(.0))]
    BadResult(String),
    /// The tag and the movetext give different results.
    #[error("its tag Result is {0}, after its moves stands {1}")]
    Contradiction(&'static str, &'static str),
    /// A tag has two values.
    #[error("its tag {0} stands there twice, with different values")]
    RepeatedTag(&'static str),
    /// The value of a tag has no end.
    #[error("`{}` is no tag", harmless(.0))]
    BrokenTag(String),
    /// A tag is longer than any real one.
    #[error("its tag {0} is longer than {LONGEST_VALUE} bytes")]
    LongTag(&'static str),
    /// The movetext holds something that is not a move.
    #[error("`{}` is no move", harmless(.0))]
    NoMove(String),
    /// A line is too long.
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    LineTooLong,
    #[error("there are more than {MOST_NAMES} names of players")]
    TooManyNames,
}
