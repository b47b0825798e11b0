//! Finding the warnings of a stored run: its records read, and what engines said in them checked.
//!
//! May not: judge; that is `game::claims`.

use rayon::prelude::*;

use swissmatch_game::claims::{self, Warning};
use swissmatch_report::warnings::unopened_in;
use swissmatch_tournament::state::EndedGame;

use super::open_run::{OpenRun, StoredGame};

/// Games whose records are in memory at once.
const READ_AT_ONCE: usize = 1024;

/// What agents said in these games, until their first moves, of files that they could not open.
///
/// # Errors
/// When a record is missing or damaged.
pub fn unopened(run: &OpenRun, games: &[EndedGame]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for game in games {
        let record = StoredGame::of(&run.store, game)?.record()?;
        found.extend(record.iter().flat_map(|record| unopened_in(&run.state, record)));
    }
    Ok(found)
}

/// The warnings of these games, in the order given; none of games without a record.
///
/// # Errors
/// When a record is missing, damaged, or no game.
pub fn of_games(run: &OpenRun, games: &[EndedGame]) -> Result<Vec<(EndedGame, Vec<Warning>)>, String> {
    let mut found = Vec::with_capacity(games.len());
    for games in games.chunks(READ_AT_ONCE) {
        let kept = games
            .iter()
            .map(|game| StoredGame::of(&run.store, game).map(|kept| (*game, kept)));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        let check = |(game, kept): &(EndedGame, StoredGame)| {
            let Some(record) = kept.record()? else {
                return Ok((*game, Vec::new()));
            };
            let warnings = claims::warnings(&record).map_err(|error| format!("game {}: {error}", game.finished.id))?;
            Ok((*game, warnings))
        };
        let checked: Result<Vec<_>, String> = kept.par_iter().map(check).collect();
        found.extend(checked?);
    }
    Ok(found)
}
