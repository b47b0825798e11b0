//! Whether a player may be disqualified, and what becomes of its results.
//!
//! May not: change the state.

use swiss_system::pairing::history::PairingNumber;

use crate::arbiter::words::called;
use crate::log::Act;
use crate::setup::DisqualificationEffect;
use crate::state::orders::Departure;
use crate::ties::event_is_over;

use super::{ActError, ActReview, already, cannot};

impl ActReview<'_> {
    /// The act as logged: the effect that `standings.disqualified` gives to a disqualification after the end is written
    /// into it. Where a play-off was played the results stay, because the play-off rests on them.
    pub(super) fn as_logged(&self, act: &Act) -> Act {
        match *act {
            Act::Disqualify { player, annul } => {
                let by_key = self.state.setup().standings.disqualified == DisqualificationEffect::Annulled
                    && event_is_over(self.state)
                    && !self.has_play_offs();
                let annul = annul || by_key;
                Act::Disqualify { player, annul }
            }
            _ => act.clone(),
        }
    }

    pub(super) fn may_disqualify(&self, player: PairingNumber, annul: bool) -> Result<(), ActError> {
        let state = self.state;
        self.known(player)?;
        if annul && self.has_play_offs() {
            return cannot("play-offs rest on its results: disqualify it without annulling them".to_owned());
        }
        match state.orders().gone.get(&player) {
            Some(Departure::Disqualified { annul: before }) if *before == annul => {
                already(format!("{} is already disqualified", called(state, player)))
            }
            // Annulled results do not come back by another disqualification.
            Some(Departure::Disqualified { annul: true }) => already(format!(
                "{} is disqualified and its results are annulled; `reinstate` undoes that",
                called(state, player)
            )),
            Some(Departure::Withdrawn | Departure::Disqualified { .. }) | None => Ok(()),
        }
    }
}
