//! A game that has ended, and what the arbiter made of it.

use swiss_system::pairing::history::PairingNumber;

use crate::log::GameFinished;
use swissmatch_game::Side;
use swissmatch_game::record::{CallTotals, GameId, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

/// A game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedGame {
    /// As it ended by itself.
    pub finished: LoggedGame,
    /// What it counts as by the arbiter, who set its result or annulled it.
    pub ruled: Option<Outcome>,
}

/// What the log says of a game that has ended, but for its hashes: a match may have a million games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedGame {
    /// Which game.
    pub id: GameId,
    /// Who had White.
    pub white: PairingNumber,
    /// Who had Black.
    pub black: PairingNumber,
    /// What it gave.
    pub outcome: Outcome,
    /// Why it ended.
    pub termination: Termination,
    /// Plies played.
    pub plies: u32,
    /// Attempts at moves that failed, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// Answers after the limit that were in time because the machine had taken the time, White's and Black's.
    pub in_doubt: [u32; 2],
    /// How long each side thought in all, White's and Black's; `None` of a forfeit.
    pub thinking: Option<[Thinking; 2]>,
    /// What each side asked over the network, White's and Black's; `None` where neither asked anything.
    pub asked: Option<[CallTotals; 2]>,
    /// Whether something was sent to an engine, so that there is a record of it.
    pub has_record: bool,
    /// Whether its evidence is kept.
    pub has_evidence: bool,
    /// Whether the agent gave an alarm, White's and Black's.
    pub alarms: [bool; 2],
    /// Whether it was taken from an earlier run, and not played in this one.
    pub is_taken: bool,
    /// The first 64 bits of [`GameFinished::movetext`]; `None` when no move was played.
    pub movetext: Option<u64>,
    /// The number of its entry in the log, from 1; there are its hashes.
    pub entry: u32,
}

impl EndedGame {
    /// What it counts as.
    pub fn outcome(&self) -> Outcome {
        self.ruled.unwrap_or(self.finished.outcome)
    }

    /// The side that a player of it has.
    pub fn side_of(&self, player: PairingNumber) -> Side {
        match self.finished.white == player {
            true => Side::White,
            false => Side::Black,
        }
    }
}

impl LoggedGame {
    /// What the entry of this number says.
    pub fn of_entry(entry: u32, finished: &GameFinished) -> Self {
        Self {
            id: finished.id,
            white: finished.white,
            black: finished.black,
            outcome: finished.outcome,
            termination: finished.termination,
            plies: finished.plies,
            failed_attempts: finished.failed_attempts,
            in_doubt: finished.in_doubt,
            thinking: finished.thinking,
            asked: finished.asked,
            has_record: finished.record.is_some(),
            has_evidence: finished.evidence.is_some(),
            alarms: finished.has_alarm(),
            is_taken: finished.taken_from.is_some(),
            movetext: finished.movetext.as_deref().and_then(first_bits),
            entry,
        }
    }

    /// Whether it ended by a fault, or an agent gave an alarm.
    pub fn is_faulty(&self) -> bool {
        self.termination.is_fault() || self.alarms[0] || self.alarms[1]
    }

    /// Whether it can be analysed: it was played, and its moves are kept.
    pub const fn is_analysable(&self) -> bool {
        self.has_record && self.termination.was_played()
    }
}

impl From<LoggedGame> for EndedGame {
    fn from(finished: LoggedGame) -> Self {
        Self { finished, ruled: None }
    }
}

/// The first 64 bits of a hash in hexadecimal.
fn first_bits(hash: &str) -> Option<u64> {
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}
