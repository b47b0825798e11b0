//! What the arbiter did, and who was found absent.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swiss_system::standings::results::Bye;
use swiss_system::word::words;

use super::created::Agent;
use crate::setup::PlayerKeys;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

/// The worth of a requested or awarded bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeWorth {
    /// Like a won round.
    Full,
    /// Like a drawn round.
    Half,
    /// No points.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// Starts no further game until the event is resumed; games under way are finished.
    Pause,
    /// Ends the pause.
    Resume,
    /// Ends the runner once the round that is being played is over.
    StopAfterRound,
    /// Ends the event with the rounds that are paired; play-offs and prizes follow.
    End,
    /// Admits a late entry.
    Enter { player: Box<PlayerKeys>, agent: Box<Agent> },
    /// Stops pairing a player.
    Withdraw { player: PairingNumber },
    /// Pairs a player again who had withdrawn or been disqualified.
    Reinstate { player: PairingNumber },
    /// Stops pairing a player and takes it off the list.
    Disqualify {
        player: PairingNumber,
        /// The player's mini-matches count as if they had never been played; otherwise nobody's score changes.
        annul: bool,
    },
    /// Marks a player as absent in a round that is not paired yet.
    Absent { player: PairingNumber, round: u32 },
    /// Marks a player as present after all, whatever was said, asked for or found by the presence check.
    Present { player: PairingNumber, round: u32 },
    /// Grants a half-point bye that a player asks for, within `bye.requests`.
    RequestBye { player: PairingNumber, round: u32 },
    /// Awards a bye: in a round to come, or for a round in which the player had no game.
    AwardBye {
        player: PairingNumber,
        round: u32,
        worth: ByeWorth,
    },
    /// Keeps two players from being paired in the coming round.
    Forbid {
        one: PairingNumber,
        other: PairingNumber,
        round: u32,
    },
    /// Pairs two players in the coming round.
    Force {
        /// The player with White in the first or only game.
        white: PairingNumber,
        black: PairingNumber,
        round: u32,
    },
    /// Has a game that has ended played again.
    Replay { game: GameId },
    /// Annuls a game that has ended; it is not played again.
    Void { game: GameId },
    /// Gives another result to a game that has ended.
    SetResult {
        game: GameId,
        /// The result that counts.
        #[serde(rename = "result")]
        outcome: Outcome,
    },
    /// Gives a result to a game that has not ended, by the `game-finished` that follows.
    Adjudicate {
        game: GameId,
        /// The result of the game.
        #[serde(rename = "result")]
        outcome: Outcome,
    },
    /// Confirms that the pairing shown is the one to be played.
    Confirm { round: u32, pairing: RoundPairing },
    /// Publishes the files that were held back.
    Release,
    /// Tells something to everyone who follows the event; nothing else changes.
    Announce {
        /// A single line.
        text: String,
    },
}

impl Act {
    /// True if it changes results of the first `rounds` rounds, which are those that are paired.
    pub(crate) const fn corrects(&self, rounds: usize) -> bool {
        match self {
            Self::Replay { .. } | Self::Void { .. } | Self::SetResult { .. } | Self::Disqualify { annul: true, .. } => {
                true
            }
            Self::AwardBye { round, .. } => *round as usize <= rounds,
            _ => false,
        }
    }

    /// True if it changes who plays.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArbiterActed {
    #[serde(flatten)]
    pub act: Act,
    /// The name of the person who acted.
    pub by: String,
    pub reason: String,
    /// The limits against the act that the arbiter overruled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<Limit>,
}

/// A limit that the arbiter may overrule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `"registration.until"`: late entries are no longer taken.
    Registration,
    /// `"bye.requests"`: no further bye may be asked for.
    ByeRequests,
    /// `"forbid"`: an earlier act keeps the two apart in the round.
    Forbid,
    /// `"kept-apart"`: the event keeps the two apart, by `swiss.keep_apart` or `swiss.forbidden`.
    KeptApart,
}

words!(Limit {
    Registration => "registration.until",
    ByeRequests => "bye.requests",
    Forbid => "forbid",
    KeptApart => "kept-apart",
});

/// The players who were found absent before a round was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceChecked {
    pub round: u32,
    /// In order of pairing numbers; all others answered.
    pub absent: Vec<Absence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    pub player: PairingNumber,
    /// How the absence showed, made harmless.
    pub why: String,
}
