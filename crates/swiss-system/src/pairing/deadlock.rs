//! A proof that a round cannot be paired: players who can only meet the same few others.
//!
//! May not: seek it.

use std::fmt;

use crate::count;
use crate::pairing::history::{FirstColor, PairingNumber};

/// The most reasons that a message names.
const NAMED: usize = 12;

/// A proof that nobody can pair the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Groups whose members can meet nobody outside their group but `opponents`. There are more groups than
    /// opponents; with an odd number of players the bye counts as an opponent of those who may have it.
    pub groups: Vec<Vec<PairingNumber>>,
    /// All players whom members of the groups can meet outside their groups.
    pub opponents: Vec<PairingNumber>,
    /// The role of the bye in it.
    pub bye: ByeInDeadlock,
    /// Why members of the groups must not meet others, including those of other groups.
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
    /// All players whom the message names, in order.
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
                "{} can meet only {}: {needs} need an opponent each, with only {places} available",
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
            write!(
                f,
                "; and {} more",
                count::of(self.reasons.len() - NAMED, "pair", "pairs")
            )?;
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
