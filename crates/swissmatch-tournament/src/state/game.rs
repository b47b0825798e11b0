//! A game that has ended, and the arbiter's ruling on it.

use swiss_system::pairing::history::PairingNumber;

use crate::log::GameFinished;
use swissmatch_game::Side;
use swissmatch_game::record::{CallTotals, GameId, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedGame {
    /// The game as it ended by itself.
    pub finished: LoggedGame,
    /// The result that counts by the arbiter, who set it or annulled the game.
    pub ruled: Option<Outcome>,
}

/// The log's entry of a game that has ended, without its hashes: a match may have a million games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedGame {
    pub id: GameId,
    /// The player with White.
    pub white: PairingNumber,
    /// The player with Black.
    pub black: PairingNumber,
    pub outcome: Outcome,
    /// Why it ended.
    pub termination: Termination,
    pub plies: u32,
    /// Failed attempts at moves, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// Answers after the limit that counted as in time because of the machine, White's and Black's.
    pub in_doubt: [u32; 2],
    /// The thinking time of each side, White's and Black's; `None` for a forfeit.
    pub thinking: Option<[Thinking; 2]>,
    /// Totals of each side's calls over the network, White's and Black's; `None` if neither side made one.
    pub asked: Option<[CallTotals; 2]>,
    /// Something was sent to an engine, so the game has a record.
    pub has_record: bool,
    pub has_evidence: bool,
    /// Whether the agent gave an alarm, White's and Black's.
    pub alarms: [bool; 2],
    /// The game was taken from an earlier run.
    pub is_taken: bool,
    /// The first 64 bits of [`GameFinished::movetext`]; `None` if no move was played.
    pub movetext: Option<u64>,
    /// The number of its entry in the log, from 1, where its hashes are.
    pub entry: u32,
}

impl EndedGame {
    /// The result that counts.
    pub fn outcome(&self) -> Outcome {
        self.ruled.unwrap_or(self.finished.outcome)
    }

    /// The side of one of its players.
    pub fn side_of(&self, player: PairingNumber) -> Side {
        match self.finished.white == player {
            true => Side::White,
            false => Side::Black,
        }
    }
}

impl LoggedGame {
    /// The game as entry number `entry` of the log has it.
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

    /// True if it ended by a fault or an agent gave an alarm.
    pub fn is_faulty(&self) -> bool {
        self.termination.is_fault() || self.alarms[0] || self.alarms[1]
    }

    /// True if it can be analysed: it was played, and its moves are kept.
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
