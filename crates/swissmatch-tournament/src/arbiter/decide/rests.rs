//! Results that must stay because something rests on them.
//!
//! "Until the first game of that play-off begins a result may still be corrected. Where a play-off needs no game, results may be
//! corrected until a later stage or a tour rests on them" (Grand Chess Tour 2024, as this program reads it).
//!
//! May not: change the state.

use crate::part::{is_of_knockout, last_paired_on, parts_of};
use crate::state::Sitting;
use swissmatch_game::record::GameId;

use super::{ActError, ActReview, cannot};

impl ActReview<'_> {
    /// True if a game of the sitting has begun. A round of the event counts as begun once it is paired.
    fn has_begun(&self, sitting: Sitting<'_>) -> bool {
        let is_of = |id: &GameId| (id.round, id.playoff) == (sitting.round, sitting.playoff);
        sitting.playoff == 0 || sitting.finished_games().next().is_some() || self.under_way.iter().any(is_of)
    }

    /// True if a game belongs to the last round or play-off round that has begun: whatever was drawn or paired after it
    /// can be drawn and paired anew.
    fn is_in_last_begun(&self, id: GameId) -> bool {
        let begun = self.state.sittings().filter(|sitting| self.has_begun(*sitting));
        begun
            .last()
            .is_some_and(|last| (last.round, last.playoff) == (id.round, id.playoff))
    }

    /// True if a game of a play-off has begun.
    pub(super) fn has_play_offs(&self) -> bool {
        let mut sittings = self.state.sittings();
        sittings.any(|sitting| sitting.playoff > 0 && self.has_begun(sitting))
    }

    /// Refuses a replay if something has been played after the game.
    pub(super) fn may_be_replayed(&self, id: GameId) -> Result<(), ActError> {
        match self.is_in_last_begun(id) {
            true => Ok(()),
            false => {
                let is_of_table = last_paired_on(self.state, id).is_none() && self.nothing_rests_on(id).is_ok();
                let why = match is_of_table {
                    true => format!("a round after game {id} has begun"),
                    false => format!("what came after game {id} was paired on its result"),
                };
                cannot(format!(
                    "{why}, so it cannot be played again; `set-result` gives it another result, and `void` makes it count \
                     for nothing"
                ))
            }
        }
    }

    /// Refuses if play-offs, later rounds of a knockout or later stages were made from the result.
    pub(super) fn nothing_rests_on(&self, id: GameId) -> Result<(), ActError> {
        let state = self.state;
        if self.is_in_last_begun(id) {
            return Ok(());
        }
        if id.playoff > 0 || self.has_play_offs() {
            return cannot(format!("a play-off rests on the result of game {id}"));
        }
        if is_of_knockout(state, id.round) {
            return cannot(format!(
                "a later round of the knockout rests on the result of game {id}"
            ));
        }
        let later = parts_of(state).into_iter().any(|part| part.rounds_before >= id.round);
        match later {
            true => cannot(format!("a later stage rests on the result of game {id}")),
            false => Ok(()),
        }
    }
}
