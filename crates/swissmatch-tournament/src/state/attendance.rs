//! Who plays in a round, and why the others do not.
//!
//! May not: pair anybody.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use super::State;
use super::orders::{Departure, Orders, RoundOrder};
use super::round::Out;
use crate::log::ByeWorth;
use crate::setup::PlayerKeys;

impl State {
    /// What the arbiter's acts ask of rounds to come.
    pub const fn orders(&self) -> &Orders {
        &self.orders
    }

    /// Players who are not paired in a round, from 1, with the reason: for a paired round as it was then, for a later
    /// one as it is now.
    pub fn out_of_round(&self, round: u32) -> BTreeMap<PairingNumber, Out> {
        match self.rounds.get(round as usize - 1) {
            Some(paired) => paired.out.clone(),
            None => {
                let numbers = self.numbers();
                numbers
                    .filter_map(|player| Some((player, self.out(player, round)?)))
                    .collect()
            }
        }
    }

    /// Why a player would not be paired in a round to come, from 1; `None` if it would be.
    fn out(&self, player: PairingNumber, round: u32) -> Option<Out> {
        match self.orders.gone.get(&player) {
            Some(Departure::Withdrawn) => return Some(Out::Withdrawn),
            Some(Departure::Disqualified { .. }) => return Some(Out::Disqualified),
            None => {}
        }
        let found_absent = || {
            let presence = self.orders.presence.as_ref().filter(|(of, _)| *of == round);
            presence.is_some_and(|(_, absent)| absent.iter().any(|absence| absence.player == player))
        };
        match self.orders.rounds.get(&(round, player)) {
            Some(RoundOrder::Absent) => Some(Out::Absent),
            Some(RoundOrder::Present) => None,
            Some(RoundOrder::Requested) => Some(Out::Bye(ByeWorth::Half)),
            Some(RoundOrder::Awarded(worth)) => Some(Out::Bye(*worth)),
            None if self.player(player).byes.contains(&round) => Some(Out::Bye(ByeWorth::Half)),
            None => found_absent().then_some(Out::Absent),
        }
    }

    /// Rounds, from 1, in which a player had or will have a requested half-point bye.
    pub fn requested_byes(&self, player: PairingNumber) -> Vec<u32> {
        let is_asked_for = |round: &u32| match self.orders.rounds.get(&(*round, player)) {
            Some(RoundOrder::Requested) => true,
            Some(_) => false,
            None => self.player(player).byes.contains(round),
        };
        (1..=self.created.rounds).filter(is_asked_for).collect()
    }

    /// How many rounds had been paired when a player entered late; `None` for players who were there from the start.
    pub fn entered_after(&self, player: PairingNumber) -> Option<usize> {
        let from_start = self.player_count() - self.entered.len();
        let late = player.index().checked_sub(from_start)?;
        self.entered.get(late).copied()
    }

    /// The entries without late ones, which change nothing about what is played.
    pub(crate) fn entries_from_start(&self) -> &[PlayerKeys] {
        &self.setup().players[..self.player_count() - self.entered.len()]
    }

    /// The house players: at most one, or one in each section.
    pub fn house_players(&self) -> impl Iterator<Item = PairingNumber> + '_ {
        self.numbers().filter(|number| self.player(*number).house)
    }
}
