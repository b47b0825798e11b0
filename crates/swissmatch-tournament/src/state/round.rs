//! Rounds and play-off rounds: how they were paired, and how far they were played.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use swiss_system::pairing::history::{PairingNumber, RoundPairing};

use super::game::EndedGame;
use super::mini_match::MiniMatch;
use crate::log::{ByeWorth, Later, PlayoffBoard};

/// A round that has been paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub pairing: RoundPairing,
    /// One for each pair, in board order.
    pub mini_matches: Vec<MiniMatch>,
    /// The date of the pairing, by `schedule.time_zone`.
    pub day: Date,
    /// Play-off rounds after it.
    pub playoffs: Vec<PlayoffRound>,
    /// How many drawings after it are void because a result was corrected.
    pub void_drawings: u32,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(crate) settled_before: (usize, usize),
    /// The scheduled start of its games; `None` means at once.
    pub starts: Option<Timestamp>,
    /// The players who were not to play in it, and why. If pairs do not depend on results, they are on its boards all
    /// the same and forfeit.
    pub out: BTreeMap<PairingNumber, Out>,
}

/// A play-off round that has been paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoffRound {
    pub boards: Vec<PlayoffBoard>,
    /// One for each board.
    pub mini_matches: Vec<MiniMatch>,
    /// Set if the play-off began on a later day than the one on which the last game ended: both dates.
    pub later: Option<Later>,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(crate) settled_before: (usize, usize),
}

/// Mini-matches played at the same time: those of a round or of a play-off round.
#[derive(Clone, Copy, Debug)]
pub struct Sitting<'a> {
    /// From 1.
    pub round: u32,
    /// The number of the play-off round after it, or 0 for the round itself.
    pub playoff: u32,
    /// In board order.
    pub mini_matches: &'a [MiniMatch],
}

impl<'a> Sitting<'a> {
    /// True if every game has ended.
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// In schedule order.
    pub fn finished_games(self) -> impl Iterator<Item = EndedGame> + use<'a> {
        self.mini_matches.iter().flat_map(|board| board.games.iter().flatten())
    }
}

impl PlayoffRound {
    /// True if none of its games has ended.
    pub(super) fn is_unplayed(&self) -> bool {
        self.mini_matches.iter().all(|board| board.games.count_ended() == 0)
    }
}

impl Round {
    /// True if every game of the round itself has ended.
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// The round, whose number is `number`, and its play-off rounds.
    pub(super) fn sittings(&self, number: u32) -> impl Iterator<Item = Sitting<'_>> {
        let of_playoffs = self.playoffs.iter().map(|playoff| playoff.mini_matches.as_slice());
        let all = std::iter::once(self.mini_matches.as_slice()).chain(of_playoffs);
        (0..).zip(all).map(move |(playoff, mini_matches)| Sitting {
            round: number,
            playoff,
            mini_matches,
        })
    }
}

/// Why a player was not paired in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    Withdrawn,
    Disqualified,
    /// The player was reported absent, or found absent by the presence check.
    Absent,
    /// The player had a requested or awarded bye.
    Bye(ByeWorth),
}
