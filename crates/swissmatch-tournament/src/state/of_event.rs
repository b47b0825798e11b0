//! What play-offs of a whole event settled for one of its parts.

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;

/// What a play-off made of a tie: parts, the better first. Within a part the order and the ties of the standings stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinedTie<P = PairingNumber> {
    /// The first place that the tie covers, from 1.
    pub first_place: u32,
    /// All players of the tie.
    pub parts: Vec<Vec<P>>,
    /// The play-off is over. Until then the order within its parts is open.
    pub is_over: bool,
}

impl<P> RefinedTie<P> {
    /// The last place that the tie covers.
    pub fn last_place(&self) -> u32 {
        let players = self.parts.iter().map(Vec::len).sum::<usize>();
        self.first_place + u32::try_from(players).expect("few players") - 1
    }
}

/// What the play-offs of an event settled in one of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfEvent {
    /// The refined ties of the part's standings.
    pub refined: Vec<RefinedTie>,
    /// The winners of play-offs of level mini-matches in its last round.
    pub went_through: BTreeSet<PairingNumber>,
}
