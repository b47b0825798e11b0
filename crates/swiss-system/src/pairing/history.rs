//! Who met whom, who had White, who had a bye: the only input of every pairing system.
//!
//! May not: know games, clocks, files or names of agents.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::score::Points;
use crate::word::words;

/// A player's number in the starting order, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairingNumber(pub u32);

impl PairingNumber {
    /// The number of the entry at `index` (from 0) of the starting order.
    ///
    /// # Panics
    /// When `index` is not below `u32::MAX`; no tournament is that large.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index + 1).expect("fewer than 2^32 players"))
    }

    /// The place in the starting order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for PairingNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The colour of a player in a game; in a mini-match, in its first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirstColor {
    /// White in the first game.
    White,
    /// Black in the first game.
    Black,
}

words!(FirstColor {
    White => "white",
    Black => "black",
});

impl FirstColor {
    /// The other colour.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// What happened to a player in one earlier round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encounter {
    /// Paired with `opponent`, and at least one game of the meeting was played.
    Met {
        /// The opponent.
        opponent: PairingNumber,
        /// The player's own colour in the first game.
        color: FirstColor,
    },
    /// Paired with `opponent`, but nothing was played: not a meeting, no colour.
    Forfeit {
        /// The opponent of the pairing.
        opponent: PairingNumber,
    },
    /// The pairing-allocated bye.
    PairingAllocatedBye,
    /// Not paired: a requested bye, whatever it was worth, or an absence.
    Absent,
}

impl Encounter {
    /// A round with this encounter and these points.
    pub const fn worth(self, points: Points) -> PastRound {
        PastRound {
            encounter: self,
            points,
        }
    }
}

/// One earlier round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PastRound {
    /// The opponent, bye or absence of the round.
    pub encounter: Encounter,
    /// The points of the round: match points, or game points if a round is one game.
    pub points: Points,
}

/// One player as a pairing system sees it before a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastPlayer {
    /// Match points so far (game points if a round is one game), as the tournament counts them: they differ from the
    /// sum over the rounds if an organizer changed them.
    pub points: Points,
    /// Earlier rounds in order; `rounds.len()` is the number of rounds paired so far, the same for all.
    pub rounds: Vec<PastRound>,
    /// True if the player is to be paired in the coming round.
    pub present: bool,
    /// The player's place in the order of submission, from 0; no two are equal.
    pub submission: u32,
    /// The place (from 1, shared by those still tied) in the standings after the previous round; `None` before round 1.
    pub previous_place: Option<u32>,
    /// The rating; `None` for the unrated.
    pub rating: Option<u32>,
}

impl PastPlayer {
    /// How many byes the player has had.
    pub fn byes(&self) -> usize {
        let is_bye = |round: &&PastRound| round.encounter == Encounter::PairingAllocatedBye;
        self.rounds.iter().filter(is_bye).count()
    }
}

/// The tournament before a round: players in order of their pairing numbers, so `players[0]` has number 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// All players, including those who are absent.
    pub players: Vec<PastPlayer>,
    /// Pairs that an organizer forbids in the coming round (same team, same author); as binding as "never twice".
    pub forbidden: Vec<(PairingNumber, PairingNumber)>,
    /// Players whom the organizer has paired, or given a bye, in the coming round: they take part in it, but are not
    /// present to the system.
    pub paired_apart: Vec<PairingNumber>,
}

impl History {
    /// A player by pairing number.
    ///
    /// # Panics
    /// When nobody has that number.
    pub fn player(&self, number: PairingNumber) -> &PastPlayer {
        &self.players[number.index()]
    }

    /// All pairing numbers, in order.
    pub fn numbers(&self) -> impl Iterator<Item = PairingNumber> + use<> {
        (0..self.players.len()).map(PairingNumber::from_index)
    }

    /// Rounds paired so far.
    pub fn rounds_paired(&self) -> usize {
        self.players.first().map_or(0, |player| player.rounds.len())
    }
}

/// One pair of a round. With one game a round `white` has White; in a mini-match in its first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// White in the (first) game.
    pub white: PairingNumber,
    /// Black in the (first) game.
    pub black: PairingNumber,
    /// True if the two have met before in this tournament: allowed only if no other pairing exists.
    pub repeat: bool,
}

/// The pairing of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPairing {
    /// The pairs in board order, first board first.
    pub pairs: Vec<Pair>,
    /// The player with the pairing-allocated bye; of an event of several sections, that of the first section that has
    /// one.
    pub bye: Option<PairingNumber>,
    /// Further players with a bye: those of later sections, in the order of sections and, if the protocol's Swiss is
    /// an all-play-all, others whom the table leaves over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_byes: Vec<PairingNumber>,
    /// Those of these players who have it without a right to it, because nobody else could sit out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<PairingNumber>,
}

/// A player who sits out because the number of players to be paired is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitsOut {
    /// The player's number.
    pub player: PairingNumber,
    /// True if the player has no right to the bye.
    pub again: bool,
}

impl RoundPairing {
    /// A pairing with one bye at most, to which the player has a right.
    pub const fn new(pairs: Vec<Pair>, bye: Option<PairingNumber>) -> Self {
        Self {
            pairs,
            bye,
            further_byes: Vec::new(),
            again: Vec::new(),
        }
    }

    /// A pairing with one player at most who sits out.
    pub fn without(pairs: Vec<Pair>, out: Option<SitsOut>) -> Self {
        let again = out.into_iter().filter(|out| out.again);
        Self {
            again: again.map(|out| out.player).collect(),
            ..Self::new(pairs, out.map(|out| out.player))
        }
    }

    /// The same round for those players who have a number in the other numbering, under these numbers.
    pub fn renumbered(&self, number: impl Fn(PairingNumber) -> Option<PairingNumber>) -> Self {
        let renumbered = |pair: &Pair| {
            Some(Pair {
                white: number(pair.white)?,
                black: number(pair.black)?,
                ..*pair
            })
        };
        let pairs = self.pairs.iter().filter_map(renumbered).collect();
        Self {
            again: self.again.iter().copied().filter_map(&number).collect(),
            ..Self::with_byes(pairs, self.byes().filter_map(&number))
        }
    }

    /// A pairing with byes.
    pub fn with_byes(pairs: Vec<Pair>, byes: impl IntoIterator<Item = PairingNumber>) -> Self {
        let mut byes = byes.into_iter();
        Self {
            pairs,
            bye: byes.next(),
            further_byes: byes.collect(),
            again: Vec::new(),
        }
    }

    /// All players with a pairing-allocated bye.
    pub fn byes(&self) -> impl Iterator<Item = PairingNumber> + '_ {
        self.bye.into_iter().chain(self.further_byes.iter().copied())
    }

    /// The pairs of which both players are there.
    pub fn pairs_there(&self, is_there: impl Fn(PairingNumber) -> bool) -> Vec<Pair> {
        let both = |pair: &Pair| is_there(pair.white) && is_there(pair.black);
        self.pairs.iter().copied().filter(both).collect()
    }

    /// Adds the pairing of another section.
    pub fn add(&mut self, other: Self) {
        let byes: Vec<PairingNumber> = self.byes().chain(other.byes()).collect();
        self.pairs.extend(other.pairs);
        self.again.extend(other.again);
        let again = std::mem::take(&mut self.again);
        *self = Self {
            again,
            ..Self::with_byes(std::mem::take(&mut self.pairs), byes)
        };
    }
}
