//! The house player, who makes an odd field even so that nobody has a bye.
//!
//! It plays in rounds in which the number of other players present is odd, and is then paired by its points like anyone
//! else. In all other rounds it rests, which gives nothing. A mini-match against it counts like any other, for points
//! and tie-breaks. It is not ranked and has no prizes.
//!
//! May not: pair or rank anybody.

use swiss_system::pairing::history::PastPlayer;

use super::setup::{PlayerKeys, Setup};
use super::state::State;

/// True if the house player plays in a round for which `others` other players are present.
pub(crate) const fn plays(others: usize) -> bool {
    !others.is_multiple_of(2)
}

impl Setup {
    /// The players who are ranked: all but house players.
    pub fn ranked(&self) -> impl Iterator<Item = &PlayerKeys> {
        self.players.iter().filter(|player| !player.house)
    }
}

/// Makes the house player rest if the number of other players present is even.
pub(super) fn seat_house(state: &State, players: &mut [PastPlayer]) {
    for house in state.house_players() {
        let others = (0..).zip(players.iter()).filter(|(index, _)| *index != house.index());
        let others = others.filter(|(_, player)| player.present).count();
        players[house.index()].present &= plays(others);
    }
}
