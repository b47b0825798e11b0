//! The openings of a run's games, by the numbers that they have in its PGN file.
//!
//! May not: count games.

use std::collections::HashMap;

use super::only_game;
use crate::open_run::OpenRun;
use swissmatch_game::opening::Opening;
use swissmatch_game::pgn_results::{Depth, Openings};
use swissmatch_game::record::GameId;
use swissmatch_report::pgn::{self, Comments};
use swissmatch_tournament::collected::Detail;
use swissmatch_tournament::opening_plan::first_to_share;
use swissmatch_tournament::state::EndedGame;

/// What is known of the openings of a run.
pub(super) struct OpeningsOfRun<'a> {
    run: &'a OpenRun,
    /// By the first game of the schedule that has the same one, so that not every record is read.
    by_first: HashMap<GameId, Detail>,
    /// By what an opening is.
    by_opening: HashMap<OpeningKey, Detail>,
}

/// What tells openings apart: variant, start position, moves.
type OpeningKey = (&'static str, String, String);

impl<'a> OpeningsOfRun<'a> {
    pub(super) fn new(run: &'a OpenRun) -> Self {
        Self {
            run,
            by_first: HashMap::new(),
            by_opening: HashMap::new(),
        }
    }

    /// The opening of a game; that of a game without a record is not known, unless another game has the same.
    ///
    /// # Errors
    /// When its record is missing or damaged.
    pub(super) fn of(&mut self, game: &EndedGame, openings: &mut Openings) -> Result<Detail, String> {
        let state = &self.run.state;
        let first = first_to_share(state.setup(), game.finished.id);
        if let Some(detail) = self.by_first.get(&first) {
            return Ok(*detail);
        }
        let Some(record) = self.run.record(self.run.finished(game)?)? else {
            return Ok(Detail::default());
        };
        let known = known(&record.opening);
        let detail = match self.by_opening.get(&known) {
            Some(detail) => *detail,
            None => {
                let text = pgn::game(state, game, Some(&record), "????.??.??", Comments::Full);
                let text = text.map_err(|error| format!("game {}: {error}", game.finished.id))?;
                let detail = Detail {
                    opening: Some(only_game(&text, Depth::Results, openings)?.opening),
                    opening_plies: u32::try_from(record.opening.moves.len()).unwrap_or(u32::MAX),
                };
                self.by_opening.insert(known, detail);
                detail
            }
        };
        self.by_first.insert(first, detail);
        Ok(detail)
    }
}

fn known(opening: &Opening) -> OpeningKey {
    (opening.variant.name(), opening.start_fen(), opening.moves_text())
}
