//! Rounds and play-off rounds, paired and as far as they were played.

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
    /// As paired.
    pub pairing: RoundPairing,
    /// One a pair, in board order.
    pub mini_matches: Vec<MiniMatch>,
    /// The day on which it was paired, by `schedule.time_zone`.
    pub day: Date,
    /// Play-off rounds after it.
    pub playoffs: Vec<PlayoffRound>,
    /// How many drawings after it are void, because a result was corrected.
    pub void_drawings: u32,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(crate) settled_before: (usize, usize),
    /// When its games begin, by the schedule; `None`: at once.
    pub starts: Option<Timestamp>,
    /// Who was not to play in it, and why. Where pairs do not depend on results they are on its boards all the same, and
    /// forfeit.
    pub out: BTreeMap<PairingNumber, Out>,
}

/// A play-off round that has been paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoffRound {
    /// As paired.
    pub boards: Vec<PlayoffBoard>,
    /// One a board.
    pub mini_matches: Vec<MiniMatch>,
    /// The day on which the last game ended, and that on which this began, where the play-off began on a later one.
    pub later: Option<Later>,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(crate) settled_before: (usize, usize),
}

/// Mini-matches that are played at the same time: those of a round, or of a play-off round.
#[derive(Clone, Copy, Debug)]
pub struct Sitting<'a> {
    /// The round, from 1.
    pub round: u32,
    /// 0, or the number of the play-off round after it.
    pub playoff: u32,
    /// In board order.
    pub mini_matches: &'a [MiniMatch],
}

impl<'a> Sitting<'a> {
    /// Whether every game has ended.
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// Finished games, in schedule order.
    pub fn finished_games(self) -> impl Iterator<Item = EndedGame> + use<'a> {
        self.mini_matches.iter().flat_map(|board| board.games.iter().flatten())
    }
}

impl PlayoffRound {
    /// Whether none of its games has ended.
    pub(super) fn is_unplayed(&self) -> bool {
        self.mini_matches.iter().all(|board| board.games.count_ended() == 0)
    }
}

impl Round {
    /// Whether every game of the round itself has ended.
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// The round, which has this number, and its play-off rounds.
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
    /// Had withdrawn.
    Withdrawn,
    /// Had been disqualified.
    Disqualified,
    /// Was absent: reported so, or found so by the presence check.
    Absent,
    /// Had a bye that was asked for or awarded.
    Bye(ByeWorth),
}
