//! What play-offs of a whole event settled, as a part of it has it.

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;

/// What a play-off made of a tie: parts, the better first. Within a part players stay in the order and the levelness of the
/// standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinedTie<P = PairingNumber> {
    /// The first place that the tie covers, from 1.
    pub first_place: u32,
    /// All players of the tie.
    pub parts: Vec<Vec<P>>,
    /// Whether it is over. While it is not, the order within its parts is open.
    pub is_over: bool,
}

impl<P> RefinedTie<P> {
    /// The last place that the tie covers.
    pub fn last_place(&self) -> u32 {
        let players = self.parts.iter().map(Vec::len).sum::<usize>();
        self.first_place + u32::try_from(players).expect("few players") - 1
    }
}

/// What the play-offs of an event settled in a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfEvent {
    /// What they made of the ties of its standings.
    pub refined: Vec<RefinedTie>,
    /// Who won the play-off of a level mini-match of its last round.
    pub went_through: BTreeSet<PairingNumber>,
}
