//! Games that several runs have, because one run took them from another: each counts once.
//!
//! May not: compare moves.

use std::collections::BTreeSet;

use crate::open_run::OpenRun;
use swissmatch_game::record::GameId;
use swissmatch_tournament::log::TakenFrom;

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// The runs, by what they are known by.
    runs: BTreeSet<String>,
    /// Games of other runs that were counted where they were taken.
    taken: BTreeSet<TakenFrom>,
}

impl Once {
    /// The games of the next run that were counted before, as games of another one.
    ///
    /// # Errors
    /// When a game is not in the log.
    pub(super) fn counted_before(&mut self, run: &OpenRun) -> Result<BTreeSet<GameId>, String> {
        let id = run.logged.first().map(|first| first.hash.clone()).unwrap_or_default();
        let mut before = BTreeSet::new();
        for game in run.state.finished_games() {
            let own = game.finished.id;
            let is_known = match &run.finished(&game)?.taken_from {
                Some(from) => self.runs.contains(&from.run) || !self.taken.insert(from.clone()),
                None => {
                    let here = TakenFrom {
                        run: id.clone(),
                        game: own,
                    };
                    !self.taken.is_empty() && self.taken.contains(&here)
                }
            };
            if is_known {
                before.insert(own);
            }
        }
        self.runs.insert(id);
        Ok(before)
    }
}
