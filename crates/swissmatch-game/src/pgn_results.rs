//! Results of games in PGN files of engine matches, for statistics over what any runner has played.
//!
//! Lenient where files differ in form, strict where a figure would be wrong: a game that cannot be used is reported,
//! never dropped.
//!
//! The crate `pgn-reader` (0.29), which reads openings, does not serve here, though it is fast enough: over 311 MB of fastchess's
//! games it gives 2,000 MB/s where movetext is skipped and 950 MB/s with moves, this scanner 800 and 750. A comment that a killed runner
//! left open swallows the game behind it, and lends its result to the one before; two tag sections with a cut tag between them
//! become one game; words that are not moves are dropped; a long tag ends the file; line numbers are not given; and where movetext is
//! skipped there are no results and no last comment.
//!
//! May not: open files, unpack, check that moves are legal, compute figures.

mod ending;
mod lines;
mod names;
mod openings;
mod pairs;
mod reader;
mod round;
mod row;
mod tags;
mod unusable;
mod words;

use std::io::BufRead;

pub use self::ending::{Blame, Ending, PgnResult};
pub use self::lines::LONGEST_LINE;
pub use self::names::{MOST_NAMES, NameId, Names};
pub use self::openings::{OpeningLabel, Openings};
pub use self::pairs::{GamePair, game_pairs};
pub use self::reader::{Depth, UsableGame};
pub use self::round::place as place_of_round;
pub use self::row::{GameFields, GameRow, MOST_PLIES};
pub use self::unusable::{PgnGameError, UnusableGameError};

/// Passes every game of `source` to `each`, in the order of the file: what is known of it, or why it cannot be used.
///
/// Adds names to `names`, which may hold those of other files too. Apart from that it holds only one line and one
/// game's tag values at a time. Both depths use the same games.
///
/// # Errors
/// Any error from reading `source`; the games before it have been passed on.
pub fn read(
    source: impl BufRead,
    depth: Depth,
    names: &mut Names,
    each: impl FnMut(Result<UsableGame, UnusableGameError>),
) -> std::io::Result<()> {
    read_all(source, reader::PgnReader::new(depth, names, None, each))
}

/// Like [`read`], but also notes in `openings` what is said of each game's opening.
///
/// # Errors
/// As for [`read`].
pub fn read_with_openings(
    source: impl BufRead,
    depth: Depth,
    names: &mut Names,
    openings: &mut Openings,
    each: impl FnMut(Result<UsableGame, UnusableGameError>),
) -> std::io::Result<()> {
    read_all(source, reader::PgnReader::new(depth, names, Some(openings), each))
}

fn read_all<F: FnMut(Result<UsableGame, UnusableGameError>)>(
    source: impl BufRead,
    mut reader: reader::PgnReader<'_, F>,
) -> std::io::Result<()> {
    lines::lines(source, |line| reader.line(line))?;
    reader.finish();
    Ok(())
}

#[cfg(test)]
mod tests;
