//! Results of play-offs in a table: the final order, before all criteria.
//!
//! May not: play anything off; find what is tied.

use super::Standings;
use crate::pairing::history::PairingNumber;

/// A tie that a play-off decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedOff {
    /// The first place that it covered, from 1.
    pub first_place: u32,
    /// Its players in parts, the better first; it did not tell those of one part apart.
    pub parts: Vec<Vec<PairingNumber>>,
}

impl PlayedOff {
    /// The last place that it covered.
    pub fn last_place(&self) -> u32 {
        let players = self.parts.iter().map(Vec::len).sum::<usize>();
        self.first_place + u32::try_from(players).expect("few players") - 1
    }

    fn part_of(&self, player: PairingNumber) -> Option<usize> {
        self.parts.iter().position(|part| part.contains(&player))
    }
}

impl Standings {
    /// Puts the table in its final order: all listed players with their final places, as play-offs decided them.
    pub fn set_final_order(&mut self, places: &[(u32, PairingNumber)], played_off: Vec<PlayedOff>) {
        let before = std::mem::take(&mut self.rows);
        self.rows = places
            .iter()
            .filter_map(|&(place, player)| {
                let row = before.iter().find(|row| row.player == player)?;
                let was_in = played_off.iter().any(|tie| tie.part_of(player).is_some());
                Some(super::StandingsRow {
                    place,
                    before_playoff: was_in.then_some(row.place),
                    ..row.clone()
                })
            })
            .collect();
        self.played_off = played_off;
    }

    /// The play-off that put one of two players before the other.
    pub fn play_off_between(&self, one: PairingNumber, other: PairingNumber) -> Option<&PlayedOff> {
        let tells_apart = |tie: &&PlayedOff| match (tie.part_of(one), tie.part_of(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        self.played_off.iter().find(tells_apart)
    }
}
