//! Finding the warnings of a stored run: its records read, and what engines said in them checked.
//!
//! May not: judge; that is `game::claims`.

use rayon::prelude::*;

use crate::game::claims::{self, Warning};
use crate::tournament::state::Game;

use super::open_run::{OpenRun, parse_record, record_text};

/// Games whose records are in memory at once.
const READ_AT_ONCE: usize = 1024;

/// The warnings of these games, in the order given; none of games without a record.
///
/// # Errors
/// When a record is missing, damaged, or no game.
pub fn of_games<'a>(run: &OpenRun, games: &[&'a Game]) -> Result<Vec<(&'a Game, Vec<Warning>)>, String> {
    let mut found = Vec::with_capacity(games.len());
    for games in games.chunks(READ_AT_ONCE) {
        let texts = games
            .iter()
            .map(|game| record_text(&run.store, &game.finished).map(|text| (*game, text)));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let check = |(game, text): &(&'a Game, Option<String>)| {
            let Some(record) = parse_record(&game.finished, text.as_deref())? else {
                return Ok((*game, Vec::new()));
            };
            let warnings = claims::warnings(&record).map_err(|error| format!("game {}: {error}", game.finished.id))?;
            Ok((*game, warnings))
        };
        let checked: Result<Vec<_>, String> = texts.par_iter().map(check).collect();
        found.extend(checked?);
    }
    Ok(found)
}
