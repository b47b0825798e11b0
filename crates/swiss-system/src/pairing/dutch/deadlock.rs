//! Why a round cannot be paired: players who can only meet the same few others.
//!
//! The search for a matching ends at groups of players (most often single ones) whose possible opponents outside
//! their group are all among fewer others than there are groups. Each group needs one of them, because it cannot be
//! paired within itself. That is a proof. It rests on which players of different groups must not meet, and why: this
//! is what an arbiter wants to know.
//!
//! May not: pair anybody.

use crate::pairing::deadlock::{ByeInDeadlock, Deadlock, Obstacle};
use crate::pairing::dutch::bracket;
use crate::pairing::dutch::completion;
use crate::pairing::dutch::player::{DutchField, Strength};
use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::meetings;

/// The proof for a field that cannot be paired; `None` for one that can.
pub(super) fn find(field: &DutchField, history: &History) -> Option<Deadlock> {
    let stuck = bracket::stuck(field, &completion::everybody(field))?;
    let seat = field.players.len();
    let number = |place: usize| field.players[place].number;
    let is_seat = |places: &Vec<usize>| places.contains(&seat);
    let bye = if stuck.groups.iter().any(is_seat) {
        ByeInDeadlock::Unplaced
    } else if stuck.opponents.contains(&seat) {
        ByeInDeadlock::Opponent
    } else if seat.is_multiple_of(2) {
        ByeInDeadlock::NotNeeded
    } else {
        ByeInDeadlock::Denied
    };
    let players = |places: &[usize]| -> Vec<PairingNumber> {
        let mut numbers: Vec<_> = places
            .iter()
            .filter(|&&place| place != seat)
            .map(|&place| number(place))
            .collect();
        numbers.sort_unstable();
        numbers
    };
    let mut groups: Vec<Vec<PairingNumber>> = stuck.groups.iter().map(|group| players(group)).collect();
    groups.retain(|group| !group.is_empty());
    groups.sort_unstable();
    let mut reasons = Vec::new();
    for (at, group) in stuck.groups.iter().enumerate() {
        let later = |place: &usize| stuck.groups[..=at].iter().all(|group| !group.contains(place));
        let others = (0..seat).filter(|place| !stuck.opponents.contains(place)).filter(later);
        for other in others {
            for &member in group.iter().filter(|&&member| member != seat) {
                let (u, v) = (member.min(other), member.max(other));
                reasons.push((number(u), number(v), obstacle(field, history, u, v)));
            }
        }
    }
    reasons.sort_by_key(|&(one, other, _)| (one, other));
    Some(Deadlock {
        groups,
        opponents: players(&stuck.opponents),
        bye,
        reasons,
    })
}

/// Why the players at two places, who must not meet, may not.
pub(super) fn obstacle(field: &DutchField, history: &History, one: usize, other: usize) -> Obstacle {
    let (one, other) = (&field.players[one], &field.players[other]);
    if let Some(round) = meetings::met_in(history, one.number, other.number) {
        return Obstacle::Met(round);
    }
    let absolute = field.color == ColorRule::FirstGame && one.color.strength == Strength::Absolute;
    match one.color.preference {
        Some(color) if absolute && one.color.preference == other.color.preference => {
            if meetings::is_forbidden(history, one.number, other.number) {
                Obstacle::Forbidden
            } else {
                Obstacle::SameAbsolutePreference(color)
            }
        }
        _ => Obstacle::Forbidden,
    }
}
