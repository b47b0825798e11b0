//! The table that an act is about, which is the event or the section of a player, and who may enter it late.
//!
//! May not: change the state.

use std::borrow::Cow;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;

use crate::arbiter::words::called;
use crate::log::Limit;
use crate::names::{DIFFERENCE, are_alike, told_from};
use crate::part::section_of;
use crate::part_events::event_of_part;
use crate::setup::PlayerKeys;
use crate::state::State;

use super::{ActError, ActReview, already, cannot};

impl ActReview<'_> {
    /// The table that a player is paired in: its section, or else the event.
    pub(super) fn table_of(&self, player: PairingNumber) -> Cow<'_, State> {
        self.table(self.state.player(player))
    }

    fn table(&self, player: &PlayerKeys) -> Cow<'_, State> {
        match section_of(self.state, player) {
            Some(section) => Cow::Owned(event_of_part(self.state, &section)),
            None => Cow::Borrowed(self.state),
        }
    }

    /// "Players must register … before half the number of rounds of the tournament minus 1, rounded up, are played"
    /// (Immortal Game); the number is `registration.until`. Before the first round entry is always possible.
    pub(super) fn may_enter(&self, player: &PlayerKeys) -> Result<(), ActError> {
        let state = self.state;
        let (setup, name) = (state.setup(), &player.name);
        if let Some(entry) = setup.players.iter().find(|entry| are_alike(&entry.name, name)) {
            return already(format!(
                "{name}{} reads like {}{}, who is already playing; {DIFFERENCE}",
                told_from(name, &entry.name),
                entry.name,
                told_from(&entry.name, name)
            ));
        }
        if !setup.event.sections.is_empty()
            && let Err(why) = setup.section_of(player)
        {
            return cannot(format!(
                "{name} does not belong to exactly one section of the event: {why}"
            ));
        }
        let table = self.table(player);
        swiss(&table, "late entries can be paired")?;
        let is_together = |other: &PairingNumber| {
            setup.event.sections.is_empty() || setup.section_of(state.player(*other)) == setup.section_of(player)
        };
        if let (true, Some(house)) = (player.house, state.house_players().find(is_together)) {
            return already(format!("{} is already the house player", called(state, house)));
        }
        let rounds = table.created().rounds;
        if state.rounds().len() >= rounds.min(state.last_round()) as usize {
            return cannot("all rounds are already paired".to_owned());
        }
        let played = table.rounds_over();
        let why = match setup.registration.until.played(rounds) {
            None => "registration is closed: registration.until allows no late entries".to_owned(),
            Some(until) if played >= until as usize && !state.rounds().is_empty() => {
                format!(
                    "registration was open until {until} of {rounds} rounds had been played, and {played} have been"
                )
            }
            Some(_) => return Ok(()),
        };
        self.keeps(Limit::Registration, why)
    }
}

pub(super) fn swiss(table: &State, what: &str) -> Result<(), ActError> {
    match table.created().format {
        TournamentFormat::Swiss => Ok(()),
        _ => cannot(format!("{what} only in a Swiss")),
    }
}

/// Refuses a round beyond the last of the table: a section may have fewer rounds than the event.
pub(super) fn has_round(table: &State, round: u32) -> Result<(), ActError> {
    let rounds = table.created().rounds;
    match round <= rounds {
        true => Ok(()),
        false => cannot(format!(
            "{} has {}",
            table.setup().event.name,
            count::of(rounds, "round", "rounds")
        )),
    }
}
