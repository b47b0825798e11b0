//! Who may meet: meetings so far, and the pairs that the organizer forbids.
//!
//! May not: choose pairs.

use std::collections::{BTreeMap, BTreeSet};

use crate::pairing::history::{Encounter, History, PairingNumber};

/// Some players of a tournament, called by their place in this field, from 0, with the meetings and forbidden pairs
/// among them.
#[derive(Clone, Debug)]
pub(crate) struct PairingField {
    numbers: Vec<PairingNumber>,
    /// For each place, the later places whose players it has met.
    met: Vec<BTreeMap<usize, Meetings>>,
    /// Pairs that the organizer forbids, the smaller place first.
    forbidden: BTreeSet<(usize, usize)>,
}

/// How often two players have met so far, counting meetings in which a game was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meetings {
    pub(crate) count: u32,
    /// The round of the last meeting, from 1; 0 if they have not met.
    pub(crate) last: u32,
}

impl Meetings {
    /// What the pair adds to the repeats of a round: m² for m meetings so far. "Fewest repeats means the smallest sum
    /// over the pairs of m²", so that repeats spread over all pairs.
    pub(crate) const fn repeats(self) -> i128 {
        (self.count as i128).pow(2)
    }
}

impl PairingField {
    /// The field of these players, in this order.
    ///
    /// # Panics
    /// When a player, an opponent, or a player of a forbidden pair is not in the history.
    pub(crate) fn new(history: &History, numbers: Vec<PairingNumber>) -> Self {
        let mut place = vec![None; history.players.len()];
        for (at, number) in numbers.iter().enumerate() {
            place[number.index()] = Some(at);
        }
        let forbidden = history.forbidden.iter().filter_map(|(one, other)| {
            let (u, v) = (place[one.index()]?, place[other.index()]?);
            Some((u.min(v), u.max(v)))
        });
        let forbidden = forbidden.collect();
        let mut met = vec![BTreeMap::<usize, Meetings>::new(); numbers.len()];
        for (u, &number) in numbers.iter().enumerate() {
            for (round, past) in (1..).zip(&history.player(number).rounds) {
                if let Encounter::Met { opponent, .. } = past.encounter
                    && let Some(v) = place[opponent.index()].filter(|&v| u < v)
                {
                    let meetings = met[u].entry(v).or_default();
                    *meetings = Meetings {
                        count: meetings.count + 1,
                        last: round,
                    };
                }
            }
        }
        Self {
            numbers,
            met,
            forbidden,
        }
    }

    /// The players in the order of their places.
    pub(crate) fn numbers(&self) -> &[PairingNumber] {
        &self.numbers
    }

    /// How often the two have met: a pairing of which no game was played is not a meeting.
    pub(crate) fn meetings(&self, u: usize, v: usize) -> Meetings {
        self.met[u.min(v)].get(&u.max(v)).copied().unwrap_or_default()
    }

    pub(crate) fn met(&self, u: usize, v: usize) -> bool {
        self.meetings(u, v).count > 0
    }

    pub(crate) fn forbidden(&self, u: usize, v: usize) -> bool {
        self.forbidden.contains(&(u.min(v), u.max(v)))
    }
}

/// The players to be paired in the coming round, in order of pairing numbers.
pub fn present(history: &History) -> Vec<PairingNumber> {
    history
        .numbers()
        .filter(|&number| history.player(number).present)
        .collect()
}

/// The round, from 1, in which the two first met in this tournament.
///
/// # Panics
/// When `one` is not in the history.
pub fn met_in(history: &History, one: PairingNumber, other: PairingNumber) -> Option<usize> {
    let with_other = |encounter| matches!(encounter, Encounter::Met { opponent, .. } if opponent == other);
    let mut rounds = (1..).zip(&history.player(one).rounds);
    rounds
        .find(|(_, round)| with_other(round.encounter))
        .map(|(round, _)| round)
}

/// True if the two have met in this tournament.
///
/// # Panics
/// When `one` is not in the history.
pub(crate) fn have_met(history: &History, one: PairingNumber, other: PairingNumber) -> bool {
    met_in(history, one, other).is_some()
}

pub(crate) fn is_forbidden(history: &History, one: PairingNumber, other: PairingNumber) -> bool {
    history.forbidden.contains(&(one, other)) || history.forbidden.contains(&(other, one))
}
