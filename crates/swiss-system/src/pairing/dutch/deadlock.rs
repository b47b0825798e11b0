//! Why a round cannot be paired: players who can only meet the same few others.
//!
//! The search for a matching ends at groups of players (most often single ones) whose possible opponents outside their
//! group are all among fewer others than there are groups; each group needs one of them, because it cannot be paired
//! within itself. That is a proof, and what it rests on, who of different groups must not meet and why, is what an
//! arbiter wants to know.
//!
//! May not: pair anybody.

use std::fmt;

use crate::pairing::boards;
use crate::pairing::dutch::bracket;
use crate::pairing::dutch::completion;
use crate::pairing::dutch::player::{Field, Strength};
use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::history::{FirstColor, History, PairingNumber};

/// As many reasons as a message names.
const NAMED: usize = 12;

/// A proof that nobody can pair the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Groups whose members can meet nobody outside their group but `opponents`. Groups are more than opponents; with an
    /// odd number of players the bye counts as an opponent of those who may have it.
    pub groups: Vec<Vec<PairingNumber>>,
    /// All whom members of the groups can meet outside their groups.
    pub opponents: Vec<PairingNumber>,
    /// What the bye has to do with it.
    pub bye: ByeInDeadlock,
    /// Why members of the groups must not meet others, those of other groups among them.
    pub reasons: Vec<(PairingNumber, PairingNumber, Obstacle)>,
}

/// The place of the bye in a [`Deadlock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByeInDeadlock {
    /// The number of players is even.
    NotNeeded,
    /// No member of the groups may have it (C2).
    Denied,
    /// It is one of the opponents.
    Opponent,
    /// Nobody but the opponents may have it (C2).
    Unplaced,
}

/// Why two players must not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// C1: they have met, in this round.
    Met(usize),
    /// An organizer forbids it.
    Forbidden,
    /// C3: they have the same absolute colour preference.
    SameAbsolutePreference(FirstColor),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Met(round) => write!(f, "met in round {round}, C1"),
            Self::Forbidden => f.write_str("forbidden by the organizer"),
            Self::SameAbsolutePreference(FirstColor::White) => f.write_str("both must have White, C3"),
            Self::SameAbsolutePreference(FirstColor::Black) => f.write_str("both must have Black, C3"),
        }
    }
}

fn list(numbers: &[PairingNumber]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(", ")
}

impl Deadlock {
    /// Everybody whom the message names, in order.
    #[must_use]
    pub fn players(&self) -> Vec<PairingNumber> {
        let reasons = self.reasons.iter().take(NAMED);
        let of_reasons = reasons.flat_map(|&(one, other, _)| [one, other]);
        let of_groups = self.groups.iter().flatten().chain(&self.opponents).copied();
        let players: std::collections::BTreeSet<PairingNumber> = of_groups.chain(of_reasons).collect();
        players.into_iter().collect()
    }
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (single, larger): (Vec<_>, Vec<_>) = self.groups.iter().partition(|group| group.len() == 1);
        let mut who: Vec<String> = Vec::new();
        if !single.is_empty() {
            let numbers: Vec<PairingNumber> = single.into_iter().flatten().copied().collect();
            who.push(list(&numbers));
        }
        who.extend(
            larger
                .iter()
                .map(|group| format!("one of the {} players {}", group.len(), list(group))),
        );
        let is_unplaced = self.bye == ByeInDeadlock::Unplaced;
        if is_unplaced {
            who.push("whoever has the bye".to_owned());
        }
        let bye = (self.bye == ByeInDeadlock::Opponent).then(|| "the bye".to_owned());
        let numbers = (!self.opponents.is_empty()).then(|| list(&self.opponents));
        let whom: Vec<String> = numbers.into_iter().chain(bye).collect();
        let places = self.opponents.len() + usize::from(self.bye == ByeInDeadlock::Opponent);
        match (self.groups.len() + usize::from(is_unplaced), places) {
            (_, 0) => write!(f, "{} can meet nobody", who.join(" and "))?,
            (needs, places) => write!(
                f,
                "{} can meet only {}: {needs} need an opponent of their own, and {places} can be had",
                who.join(" and "),
                whom.join(" and ")
            )?,
        }
        f.write_str(match self.bye {
            ByeInDeadlock::NotNeeded | ByeInDeadlock::Opponent => "",
            ByeInDeadlock::Denied => "; none of them may have the bye (C2)",
            ByeInDeadlock::Unplaced => "; nobody else may have the bye (C2)",
        })?;
        let named: Vec<String> = self
            .reasons
            .iter()
            .take(NAMED)
            .map(|(one, other, why)| format!("{one} and {other} ({why})"))
            .collect();
        if !named.is_empty() {
            write!(f, ". Who must not meet: {}", named.join("; "))?;
        }
        if self.reasons.len() > NAMED {
            write!(f, "; and {} pairs more", self.reasons.len() - NAMED)?;
        }
        f.write_str(". What an arbiter can do: ")?;
        let has = |is: fn(&Obstacle) -> bool| self.reasons.iter().any(|(_, _, why)| is(why));
        if has(|why| *why == Obstacle::Forbidden) {
            f.write_str("allow one of the forbidden pairs, ")?;
        }
        if has(|why| matches!(why, Obstacle::SameAbsolutePreference(_))) {
            f.write_str("pair without regard to colour, ")?;
        }
        f.write_str("let somebody sit this round out with a requested bye, or end the tournament here")
    }
}

/// The proof for a field that cannot be paired; `None` for one that can.
pub(super) fn find(field: &Field, history: &History) -> Option<Deadlock> {
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

/// Why two places must not meet, who must not.
pub(super) fn obstacle(field: &Field, history: &History, one: usize, other: usize) -> Obstacle {
    let (one, other) = (&field.players[one], &field.players[other]);
    if let Some(round) = boards::met_in(history, one.number, other.number) {
        return Obstacle::Met(round);
    }
    let absolute = field.color == ColorRule::FirstGame && one.color.strength == Strength::Absolute;
    match one.color.preference {
        Some(color) if absolute && one.color.preference == other.color.preference => {
            if boards::is_forbidden(history, one.number, other.number) {
                Obstacle::Forbidden
            } else {
                Obstacle::SameAbsolutePreference(color)
            }
        }
        _ => Obstacle::Forbidden,
    }
}
