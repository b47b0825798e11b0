//! Rounds that are not paired yet, which acts may be about.
//!
//! May not: change the state.

use swiss_system::count;

use crate::ties::event_is_over;

use super::{ActError, ActReview, cannot};

impl ActReview<'_> {
    /// Refuses if every round is paired.
    pub(super) fn rounds_to_come(&self) -> Result<(), ActError> {
        match self.state.rounds().len() < self.state.last_round() as usize {
            true => Ok(()),
            false => {
                let why = match event_is_over(self.state) {
                    true => "the event is over",
                    false => "all rounds are already paired",
                };
                cannot(format!("{why}; `disqualify` takes a player off the list"))
            }
        }
    }

    /// Refuses a round that is already paired.
    pub(super) fn to_come(&self, round: u32) -> Result<(), ActError> {
        let (paired, rounds) = (self.state.rounds().len(), self.state.last_round());
        if round == 0 || round > rounds {
            let rounds = count::of(rounds as usize, "round", "rounds");
            return cannot(format!("there is no round {round}: the event has {rounds}"));
        }
        match round as usize > paired {
            true => Ok(()),
            false => cannot(format!("round {round} has already been paired")),
        }
    }

    /// Refuses any round but the one paired next.
    pub(super) fn coming(&self, round: u32) -> Result<(), ActError> {
        self.to_come(round)?;
        let next = self.state.rounds().len() + 1;
        match round as usize == next {
            true => Ok(()),
            false => cannot(format!(
                "the next round to be paired is round {next}; round {round} comes later"
            )),
        }
    }
}
