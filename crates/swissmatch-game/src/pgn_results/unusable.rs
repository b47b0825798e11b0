//! Games of a file that cannot be used, and why.
//!
//! May not: decide it.

use swiss_system::text::harmless;

use super::lines::LONGEST_LINE;
use super::names::MOST_NAMES;
use super::tags::LONGEST_VALUE;

/// A game that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {at}: the game that begins in line {line} is left out: {why}")]
pub struct UnusableGameError {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// The line in which it was found out.
    pub at: u64,
    /// Why.
    pub why: PgnGameError,
}

/// Why a game cannot be used. Foreign text stands in it as it is, and is made harmless when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnGameError {
    /// The file ends in it.
    #[error("the file ends before the game does; it may still be being written")]
    CutAtEnd,
    /// Another game begins in it.
    #[error("another game begins before its movetext ends with a result")]
    Cut,
    /// No name, or `?`.
    #[error("it has no tag {0}")]
    NoName(&'static str),
    /// One name for both.
    #[error("`{}` plays against itself", harmless(.0))]
    AgainstItself(String),
    /// Nowhere a result.
    #[error("it has no result, neither in its tag nor after its moves")]
    NoResult,
    /// A tag `Result` that is none.
    #[error("its tag Result is `{}`", harmless(.0))]
    BadResult(String),
    /// Two results.
    #[error("its tag Result is {0}, after its moves stands {1}")]
    Contradiction(&'static str, &'static str),
    /// A tag with two values.
    #[error("its tag {0} stands there twice, with different values")]
    RepeatedTag(&'static str),
    /// A tag with no end to its value.
    #[error("`{}` is no tag", harmless(.0))]
    BrokenTag(String),
    /// A tag that is longer than any that is meant.
    #[error("its tag {0} is longer than {LONGEST_VALUE} bytes")]
    LongTag(&'static str),
    /// Something in the movetext.
    #[error("`{}` is no move", harmless(.0))]
    NoMove(String),
    /// A line without an end.
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    LineTooLong,
    /// More players than rows can hold.
    #[error("there are more than {MOST_NAMES} names of players")]
    TooManyNames,
}
