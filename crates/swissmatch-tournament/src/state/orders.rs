//! What the arbiter's acts ask of rounds to come: a fold over the acts.
//!
//! May not: know results.

use std::collections::{BTreeMap, BTreeSet};

use swiss_system::pairing::history::{PairingNumber, RoundPairing};

use swissmatch_game::record::GameId;

use crate::log::{Absence, ByeWorth};

/// Why a player is no longer paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    Withdrawn,
    Disqualified {
        /// Its mini-matches count as if they had never been played.
        annul: bool,
    },
}

/// What was said of a player's round before it was paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOrder {
    /// The player will be absent.
    Absent,
    /// The player will be there, whatever else is said.
    Present,
    /// The player asked for a half-point bye.
    Requested,
    /// The player was given a bye.
    Awarded(ByeWorth),
}

/// An early end of the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Early {
    /// The number of rounds that it ends with.
    pub rounds: u32,
    pub by: String,
    pub reason: String,
}

/// The orders in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Who paused the event, and why.
    pub paused: Option<(String, String)>,
    /// The runner ends when this many rounds are over.
    pub stop_after: Option<usize>,
    /// The arbiter ended the event with fewer rounds than planned.
    pub ended: Option<Early>,
    /// Players who are no longer paired.
    pub gone: BTreeMap<PairingNumber, Departure>,
    /// By round, from 1, and player.
    pub rounds: BTreeMap<(u32, PairingNumber), RoundOrder>,
    /// By round, from 1.
    pub forbidden: Vec<(u32, PairingNumber, PairingNumber)>,
    /// By round, from 1: White and Black.
    pub forced: Vec<(u32, PairingNumber, PairingNumber)>,
    /// Forced pairs that the event would otherwise keep apart, by round, from 1.
    pub allowed: Vec<(u32, PairingNumber, PairingNumber)>,
    /// The pairing that was confirmed, and its round.
    pub confirmed: Option<(u32, RoundPairing)>,
    /// The players found absent before a round, from 1; `None` if the coming round has not been checked.
    pub presence: Option<(u32, Vec<Absence>)>,
    /// What was held back may be published.
    pub released: bool,
    /// Byes awarded for rounds that had been played, by round and player.
    pub awards: BTreeMap<(u32, PairingNumber), ByeWorth>,
    /// Players taken in again after a withdrawal or a disqualification.
    pub reinstated: BTreeSet<PairingNumber>,
    /// Games that were ordered to be replayed, and how often.
    pub replayed: BTreeMap<GameId, u32>,
}

/// True if both pairs are the same, in either order.
pub(crate) fn is_pair(two: (PairingNumber, PairingNumber), [one, other]: [PairingNumber; 2]) -> bool {
    [(one, other), (other, one)].contains(&two)
}

impl Orders {
    /// The pairs of a round, from 1, that are forced or forbidden for it.
    pub(crate) fn of_round(
        pairs: &[(u32, PairingNumber, PairingNumber)],
        round: u32,
    ) -> Vec<(PairingNumber, PairingNumber)> {
        let of_round = pairs.iter().filter(|(of, ..)| *of == round);
        of_round.map(|&(_, one, other)| (one, other)).collect()
    }

    /// Lets two players meet in a round, from 1, although they are kept apart.
    pub(crate) fn allow(&mut self, round: u32, pair: [PairingNumber; 2]) {
        let [one, other] = pair;
        self.forbidden
            .retain(|&(of, a, b)| of != round || !is_pair((a, b), pair));
        self.allowed.push((round, one, other));
    }

    pub fn disqualified(&self) -> BTreeSet<PairingNumber> {
        let gone = self.gone.iter();
        gone.filter(|(_, gone)| matches!(gone, Departure::Disqualified { .. }))
            .map(|(player, _)| *player)
            .collect()
    }

    /// True if a player's mini-matches count as if they had never been played.
    pub fn is_annulled(&self, player: PairingNumber) -> bool {
        self.gone.get(&player) == Some(&Departure::Disqualified { annul: true })
    }

    /// The orders as a part of the event sees them, with its own player and round numbers.
    pub(crate) fn of_part(&self, own: impl Fn(PairingNumber) -> Option<PairingNumber>, rounds_before: u32) -> Self {
        let round = |round: u32| round.checked_sub(rounds_before).filter(|round| *round > 0);
        let pairs = |pairs: &[(u32, PairingNumber, PairingNumber)]| {
            let pair =
                |&(of, one, other): &(u32, PairingNumber, PairingNumber)| Some((round(of)?, own(one)?, own(other)?));
            pairs.iter().filter_map(pair).collect()
        };
        let by_round = |key: &(u32, PairingNumber)| Some((round(key.0)?, own(key.1)?));
        Self {
            paused: None,
            stop_after: None,
            ended: self.ended.as_ref().map(|early| Early {
                rounds: early.rounds.saturating_sub(rounds_before),
                ..early.clone()
            }),
            gone: self
                .gone
                .iter()
                .filter_map(|(player, gone)| Some((own(*player)?, *gone)))
                .collect(),
            reinstated: self.reinstated.iter().filter_map(|player| own(*player)).collect(),
            rounds: self
                .rounds
                .iter()
                .filter_map(|(key, order)| Some((by_round(key)?, *order)))
                .collect(),
            forbidden: pairs(&self.forbidden),
            forced: pairs(&self.forced),
            allowed: pairs(&self.allowed),
            confirmed: None,
            presence: self.presence.as_ref().and_then(|(of, absent)| {
                let absent = absent.iter().filter_map(|absence| {
                    Some(Absence {
                        player: own(absence.player)?,
                        why: absence.why.clone(),
                    })
                });
                Some((round(*of)?, absent.collect()))
            }),
            released: self.released,
            awards: self
                .awards
                .iter()
                .filter_map(|(key, worth)| Some((by_round(key)?, *worth)))
                .collect(),
            // Games have other numbers in the part.
            replayed: BTreeMap::new(),
        }
    }
}
