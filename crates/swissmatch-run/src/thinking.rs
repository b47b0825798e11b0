//! How the agents of a stored run thought: its records read, a few at a time.
//!
//! May not: judge or count anything; that is `tournament::thinking`.

use rayon::prelude::*;

use swissmatch_tournament::state::EndedGame;
use swissmatch_tournament::thinking::{Thinking, ThinkingQuery};

use super::open_run::{OpenRun, StoredGame};

/// Games whose records are in memory at once.
const READ_AT_ONCE: usize = 64;

/// How they thought in these games of a run, and how many of those have no record. `each` is told of each game.
///
/// # Errors
/// When a record is missing, damaged, or not of this version.
pub fn of_games(
    run: &OpenRun,
    games: &[EndedGame],
    wanted: ThinkingQuery,
    mut each: impl FnMut(),
) -> Result<(Thinking, u64), String> {
    let mut thinking = Thinking::new(wanted);
    let mut without = 0;
    for games in games.chunks(READ_AT_ONCE) {
        let kept = games.iter().map(|game| StoredGame::of(&run.store, game));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        let records: Result<Vec<_>, String> = kept.par_iter().map(StoredGame::record).collect();
        for record in records? {
            match record {
                Some(record) => thinking.add(&run.state, &record),
                None => without += 1,
            }
            each();
        }
    }
    Ok((thinking, without))
}
