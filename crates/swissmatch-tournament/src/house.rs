//! The house player, who fills an odd field so that nobody has a bye.
//!
//! The rule: it plays in the rounds in which the number of the others who are present is odd, and is then paired by its
//! points like anybody else. In all other rounds it rests, which gives nothing. Whoever plays against it plays as against
//! anybody, for points and tie-breaks; it is not ranked, and has no prizes.
//!
//! May not: pair or rank anybody.

use swiss_system::pairing::history::PastPlayer;

use super::setup::{PlayerKeys, Setup};
use super::state::State;

/// Whether the house player plays in a round for which so many others are present.
pub(crate) const fn plays(others: usize) -> bool {
    !others.is_multiple_of(2)
}

impl Setup {
    /// Players who are ranked: all but house players.
    pub fn ranked(&self) -> impl Iterator<Item = &PlayerKeys> {
        self.players.iter().filter(|player| !player.house)
    }
}

/// Lets the house player rest where the others who are present are even in number.
pub(super) fn seat_house(state: &State, players: &mut [PastPlayer]) {
    for house in state.house_players() {
        let others = (0..).zip(players.iter()).filter(|(index, _)| *index != house.index());
        let others = others.filter(|(_, player)| player.present).count();
        players[house.index()].present &= plays(others);
    }
}
