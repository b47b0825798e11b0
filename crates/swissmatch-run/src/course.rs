//! A file of games of two players, read as the match that they are.
//!
//! May not: judge or count anything.

use std::io::{self, BufReader};
use std::path::Path;

use swissmatch_game::gz;
use swissmatch_game::pgn_results::{Depth, Names, UsableGame, read};
use swissmatch_host::files;
use swissmatch_tournament::course::Course;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// The match in a PGN file, which may be packed by gzip; `None` where there are not two players.
///
/// # Errors
/// When it cannot be read to its end.
pub fn of_file(path: &Path, leave_out_faults: bool) -> io::Result<Option<Course>> {
    let source = gz::reader(BufReader::with_capacity(BUFFER, files::open_plain(path)?))?;
    let (mut rows, mut names) = (Vec::new(), Names::default());
    // Games that cannot be used are told where they are rated.
    let each = |game: Result<UsableGame, _>| rows.extend(game.map(|game| game.row));
    read(source, Depth::Moves, &mut names, each)?;
    Ok(Course::of_file(&rows, &names, leave_out_faults))
}
