//! A game that has ended, as it was played.

use std::fmt;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use super::worker::PlayedOn;
use swissmatch_game::Side;
use swissmatch_game::alarm::AlarmOf;
use swissmatch_game::record::{CallTotals, GameId, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFinished {
    pub id: GameId,
    /// The player with White.
    pub white: PairingNumber,
    /// The player with Black.
    pub black: PairingNumber,
    #[serde(rename = "result")]
    pub outcome: Outcome,
    /// Why it ended.
    #[serde(flatten)]
    pub termination: Termination,
    pub plies: u32,
    /// Failed attempts at moves, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// Answers after the limit that counted as in time because of the machine, White's and Black's.
    #[serde(default, skip_serializing_if = "are_none")]
    pub in_doubt: [u32; 2],
    /// The thinking time of each side, White's and Black's; `None` for a forfeit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<[Thinking; 2]>,
    /// SHA-256 of its record, in hexadecimal; `None` if nothing was sent to an engine.
    pub record: Option<String>,
    /// SHA-256 of its evidence, if kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Bytes of evidence in the log, packed, about White and about Black; `None` in a log from before they were told
    /// apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_bytes: Option<[u64; 2]>,
    /// The value of [`swissmatch_game::record::GameRecord::movetext_hash`]; `None` if no move was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetext: Option<String>,
    /// Texts in standard error that gave an alarm, by `engine.alarms`; most games have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<AlarmOf>,
    /// Totals of each side's calls over the network, White's and Black's; `None` if neither side made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<[CallTotals; 2]>,
    /// The game of an earlier run that this one was taken from; `None` if it was played in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<TakenFrom>,
    /// The worker that played it; `None` if the runner's machine did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<Box<PlayedOn>>,
}

/// A game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TakenFrom {
    /// The hash of the first entry of that run's log, which identifies the run.
    pub run: String,
    pub game: GameId,
}

/// The number of digits of a run's hash that are shown to people.
const SHOWN: usize = 8;

impl fmt::Display for TakenFrom {
    /// As part of a sentence: "game 1.2.3 of run 1a2b3c4d".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run: String = self.run.chars().filter(char::is_ascii_hexdigit).take(SHOWN).collect();
        write!(f, "game {} of run {run}", self.game)
    }
}

/// True if both are zero, as in most games.
fn are_none(of_sides: &[u32; 2]) -> bool {
    *of_sides == [0, 0]
}

/// No game has more plies, attempts or doubts: a log with more was not written by this program.
const MOST: u32 = 100_000;
/// No side thinks longer than this: three years, in microseconds.
const LONGEST: u64 = 100_000_000_000_000;

impl GameFinished {
    /// True if a game can have such numbers, so that sums over all games cannot overflow.
    pub(crate) fn is_possible(&self) -> bool {
        let counts = [self.plies]
            .into_iter()
            .chain(self.failed_attempts)
            .chain(self.in_doubt);
        let mut thinking = self.thinking.iter().flatten();
        let mut asked = self.asked.iter().flatten();
        counts.max().is_none_or(|most| most <= MOST)
            && asked.all(CallTotals::is_possible)
            && thinking.all(|side| side.moves <= MOST && side.time_us <= LONGEST)
    }

    /// A game with this result that was not played.
    pub const fn unplayed(
        id: GameId,
        [white, black]: [PairingNumber; 2],
        (outcome, termination): (Outcome, Termination),
    ) -> Self {
        Self {
            id,
            white,
            black,
            outcome,
            termination,
            plies: 0,
            failed_attempts: [0, 0],
            in_doubt: [0, 0],
            thinking: None,
            record: None,
            evidence: None,
            evidence_bytes: None,
            movetext: None,
            alarms: Vec::new(),
            asked: None,
            taken_from: None,
            played_on: None,
        }
    }

    /// Whether each side's agent gave an alarm, White's and Black's.
    pub fn has_alarm(&self) -> [bool; 2] {
        Side::BOTH.map(|side| self.alarms.iter().any(|alarm| alarm.side == side))
    }

    /// True if it ended by a fault or an agent gave an alarm, which is what `run.max_faults` counts.
    pub fn is_faulty(&self) -> bool {
        self.termination.is_fault() || !self.alarms.is_empty()
    }

    /// True if it can be analysed: it was played, and its moves are kept.
    pub const fn is_analysable(&self) -> bool {
        self.record.is_some() && self.termination.was_played()
    }
}
