//! Players who are disqualified after the end.
//!
//! May not: rank anybody.

use super::Standings;
use super::results::{PlayerRound, Results, RoundFate};
use crate::pairing::history::PairingNumber;
use crate::score::Points;

impl Standings {
    /// "Taken off the leaderboard; everyone below moves up; nobody's score or tie-break changes" (Immortal Game).
    pub(super) fn strike(&mut self, out: &[PairingNumber]) {
        let places: Vec<u32> = self
            .rows
            .iter()
            .filter(|row| out.contains(&row.player))
            .map(|row| row.place)
            .collect();
        if places.is_empty() {
            return;
        }
        self.rows.retain(|row| !out.contains(&row.player));
        for row in &mut self.rows {
            let above = places.iter().filter(|&&place| place < row.place).count();
            row.place -= u32::try_from(above).expect("few players");
        }
    }
}

impl Results {
    /// Treats the players as if they had not taken part: their rounds, and those of others against them, give
    /// nothing, and count as neither played nor unplayed.
    pub fn annul(&mut self, out: &[PairingNumber]) {
        let annulled = |round: &PlayerRound| PlayerRound {
            fate: RoundFate::Annulled,
            repeat: round.repeat,
            ..PlayerRound::absent()
        };
        for (index, player) in self.players.iter_mut().enumerate() {
            let is_out = out.contains(&PairingNumber::from_index(index));
            for round in &mut player.rounds {
                if is_out || round.fate.paired().is_some_and(|opponent| out.contains(&opponent)) {
                    *round = annulled(round);
                }
            }
            if is_out {
                (player.bonus, player.game_bonus) = (Points::ZERO, Points::ZERO);
            }
        }
        self.left_out.extend_from_slice(out);
    }
}
