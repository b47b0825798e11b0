//! Where in the schedule the files of games end, and which games follow.
//!
//! May not: write them.

use serde::{Deserialize, Serialize};

use swissmatch_tournament::state::{EndedGame, State};

/// Games that are written at once.
pub(super) const PART: usize = 1024;

/// Where in the schedule the files end: so many rounds and play-off rounds, of the next so many boards, and of the one after these
/// so many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cursor {
    sittings: usize,
    boards: usize,
    games: usize,
    /// Games before it.
    written: usize,
}

impl Cursor {
    /// How many games stand before it.
    pub(super) const fn written(&self) -> usize {
        self.written
    }

    /// The games that follow, up to the first that has not ended, and at most [`PART`] of them; it stands behind them then.
    pub(super) fn advance(&mut self, state: &State) -> Vec<EndedGame> {
        let mut found = Vec::new();
        for sitting in state.sittings().skip(self.sittings) {
            for board in sitting.mini_matches.iter().skip(self.boards) {
                for slot in board.games.iter().skip(self.games) {
                    let Some(game) = slot.filter(|_| found.len() < PART) else {
                        return found;
                    };
                    found.push(game);
                    self.games += 1;
                    self.written += 1;
                }
                (self.boards, self.games) = (self.boards + 1, 0);
            }
            (self.sittings, self.boards) = (self.sittings + 1, 0);
        }
        found
    }

    /// The same, part by part until nothing follows.
    pub(crate) fn parts(&mut self, state: &State) -> impl Iterator<Item = Vec<EndedGame>> {
        std::iter::from_fn(|| Some(self.advance(state)).filter(|games| !games.is_empty()))
    }
}
