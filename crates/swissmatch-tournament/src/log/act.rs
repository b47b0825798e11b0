//! What the arbiter did, and who was found absent.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swiss_system::standings::results::Bye;
use swiss_system::word::words;

use super::created::Agent;
use crate::setup::PlayerKeys;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

/// What a bye that was asked for or awarded is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeWorth {
    /// As a won round.
    Full,
    /// As a drawn round.
    Half,
    /// Nothing.
    Zero,
}

impl From<ByeWorth> for Bye {
    fn from(worth: ByeWorth) -> Self {
        match worth {
            ByeWorth::Full => Self::FullPoint,
            ByeWorth::Half => Self::HalfPoint,
            ByeWorth::Zero => Self::ZeroPoint,
        }
    }
}

/// What the arbiter did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// No further game is started until the event is resumed; games under way are finished.
    Pause,
    /// The event goes on.
    Resume,
    /// The runner ends when the round that is being played is over.
    StopAfterRound,
    /// The event ends with the rounds that are paired: play-offs and prizes follow.
    End,
    /// A late entry.
    Enter {
        /// The entry.
        player: Box<PlayerKeys>,
        /// What its agent is made of.
        agent: Box<Agent>,
    },
    /// A player is paired no more.
    Withdraw {
        /// The player, by pairing number.
        player: PairingNumber,
    },
    /// A player who had withdrawn or been disqualified is paired again.
    Reinstate {
        /// The player, by pairing number.
        player: PairingNumber,
    },
    /// A player is paired no more, and taken off the list.
    Disqualify {
        /// The player, by pairing number.
        player: PairingNumber,
        /// Whether its mini-matches are as if they had not been; else nobody's score changes.
        annul: bool,
    },
    /// A player will be absent in a round that is not paired yet.
    Absent {
        /// The player, by pairing number.
        player: PairingNumber,
        /// The round, from 1.
        round: u32,
    },
    /// A player will be there after all, whatever was said, asked for or found by the presence check.
    Present {
        /// The player, by pairing number.
        player: PairingNumber,
        /// The round, from 1.
        round: u32,
    },
    /// A half-point bye that a player asks for, within `bye.requests`.
    RequestBye {
        /// The player, by pairing number.
        player: PairingNumber,
        /// The round, from 1.
        round: u32,
    },
    /// A bye that the arbiter gives: in a round to come, or for one in which the player had no game.
    AwardBye {
        /// The player, by pairing number.
        player: PairingNumber,
        /// The round, from 1.
        round: u32,
        /// What it is worth.
        worth: ByeWorth,
    },
    /// Two players are not paired in the coming round.
    Forbid {
        /// One.
        one: PairingNumber,
        /// The other.
        other: PairingNumber,
        /// The round, from 1.
        round: u32,
    },
    /// Two players are paired in the coming round.
    Force {
        /// Who has White in the (first) game.
        white: PairingNumber,
        /// Who has Black.
        black: PairingNumber,
        /// The round, from 1.
        round: u32,
    },
    /// A game that has ended is played again.
    Replay {
        /// The game, by its name.
        game: GameId,
    },
    /// A game that has ended counts for nobody, and is not played again.
    Void {
        /// The game, by its name.
        game: GameId,
    },
    /// A game that has ended has another result.
    SetResult {
        /// The game, by its name.
        game: GameId,
        /// What it counts as.
        #[serde(rename = "result")]
        outcome: Outcome,
    },
    /// A game that has not ended has a result: the `game-finished` that follows.
    Adjudicate {
        /// The game, by its name.
        game: GameId,
        /// What it gives.
        #[serde(rename = "result")]
        outcome: Outcome,
    },
    /// The pairing that was shown is the one to be played.
    Confirm {
        /// The round, from 1.
        round: u32,
        /// Its pairing.
        pairing: RoundPairing,
    },
    /// What was held back of the published files is published.
    Release,
    /// Everybody who follows the event is told something; nothing else changes.
    Announce {
        /// What, one line.
        text: String,
    },
}

impl Act {
    /// Whether it changes what the rounds that are paired, which are so many, have given.
    pub(crate) const fn corrects(&self, rounds: usize) -> bool {
        match self {
            Self::Replay { .. } | Self::Void { .. } | Self::SetResult { .. } | Self::Disqualify { annul: true, .. } => {
                true
            }
            Self::AwardBye { round, .. } => *round as usize <= rounds,
            _ => false,
        }
    }

    /// Whether it is about who plays.
    pub(crate) const fn is_of_players(&self) -> bool {
        matches!(
            self,
            Self::Enter { .. }
                | Self::Withdraw { .. }
                | Self::Reinstate { .. }
                | Self::Disqualify { .. }
                | Self::Absent { .. }
                | Self::Present { .. }
                | Self::RequestBye { .. }
                | Self::AwardBye { .. }
                | Self::Forbid { .. }
                | Self::Force { .. }
        )
    }
}

/// An act, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArbiterActed {
    /// What was done.
    #[serde(flatten)]
    pub act: Act,
    /// Who did it.
    pub by: String,
    /// Why it was done.
    pub reason: String,
    /// The limits against it, which the arbiter overruled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<Limit>,
}

/// A limit that the arbiter may overrule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `"registration.until"`: late entries are taken no more.
    Registration,
    /// `"bye.requests"`: no further bye may be asked for.
    ByeRequests,
    /// `"forbid"`: an earlier act keeps the two apart in the round.
    Forbid,
    /// `"kept-apart"`: the event does, by `swiss.keep_apart` or `swiss.forbidden`.
    KeptApart,
}

words!(Limit {
    Registration => "registration.until",
    ByeRequests => "bye.requests",
    Forbid => "forbid",
    KeptApart => "kept-apart",
});

/// Who was found absent before a round was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceChecked {
    /// The round that was to be paired, from 1.
    pub round: u32,
    /// Who, in order of pairing numbers; all others answered.
    pub absent: Vec<Absence>,
}

/// An absence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    /// The player, by pairing number.
    pub player: PairingNumber,
    /// How it showed, made harmless.
    pub why: String,
}
