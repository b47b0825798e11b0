//! A game that has ended, as it was played.

use std::fmt;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use super::worker::PlayedOn;
use swissmatch_game::Side;
use swissmatch_game::alarm::AlarmOf;
use swissmatch_game::record::{CallTotals, GameId, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

/// A game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFinished {
    /// Which game.
    pub id: GameId,
    /// Who had White.
    pub white: PairingNumber,
    /// Who had Black.
    pub black: PairingNumber,
    /// What it gave.
    #[serde(rename = "result")]
    pub outcome: Outcome,
    /// Why it ended.
    #[serde(flatten)]
    pub termination: Termination,
    /// Plies played.
    pub plies: u32,
    /// Attempts at moves that failed, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// Answers after the limit that were in time because the machine had taken the time, White's and Black's.
    #[serde(default, skip_serializing_if = "are_none")]
    pub in_doubt: [u32; 2],
    /// How long each side thought in all, White's and Black's; `None` of a forfeit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<[Thinking; 2]>,
    /// SHA-256 of its record, in hexadecimal; `None` when nothing was sent to any engine.
    pub record: Option<String>,
    /// SHA-256 of its evidence, where kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Bytes that its evidence takes up in the log, packed, by whose part of it they are: White's and Black's; `None` of a log from
    /// before they were told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_bytes: Option<[u64; 2]>,
    /// What [`swissmatch_game::record::GameRecord::movetext_hash`] gives; `None` when no move was
    /// played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetext: Option<String>,
    /// What sounded an alarm in standard error, by `engine.alarms`; most games have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<AlarmOf>,
    /// What each side asked over the network, White's and Black's; `None` where neither asked anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<[CallTotals; 2]>,
    /// The game of an earlier run that it is, where it was not played again; `None` of a game that was played in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<TakenFrom>,
    /// Where it was played, if not on the runner's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<Box<PlayedOn>>,
}

/// A game of an earlier run, where it was played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TakenFrom {
    /// The hash of the first entry of that run's log, by which it is known.
    pub run: String,
    /// Which game it is there.
    pub game: GameId,
}

/// As many digits of a run's hash are shown to people.
const SHOWN: usize = 8;

impl fmt::Display for TakenFrom {
    /// As part of a sentence: "game 1.2.3 of run 1a2b3c4d".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run: String = self.run.chars().filter(char::is_ascii_hexdigit).take(SHOWN).collect();
        write!(f, "game {} of run {run}", self.game)
    }
}

/// Whether there are none of either side: most games have none.
fn are_none(of_sides: &[u32; 2]) -> bool {
    *of_sides == [0, 0]
}

/// No game has more plies, attempts or doubts: a log that says so was not written by this program.
const MOST: u32 = 100_000;
/// Nor does a side think longer: three years, in microseconds.
const LONGEST: u64 = 100_000_000_000_000;

impl GameFinished {
    /// Whether a game may have such numbers, so that those of all games can be added up.
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

    /// A game that gives this without having been played.
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

    /// Whether the agent of a side gave an alarm, White's and Black's.
    pub fn has_alarm(&self) -> [bool; 2] {
        Side::BOTH.map(|side| self.alarms.iter().any(|alarm| alarm.side == side))
    }

    /// Whether it ended by a fault, or an agent gave an alarm: what `run.max_faults` counts.
    pub fn is_faulty(&self) -> bool {
        self.termination.is_fault() || !self.alarms.is_empty()
    }

    /// Whether it can be analysed: it was played, and its moves are kept.
    pub const fn is_analysable(&self) -> bool {
        self.record.is_some() && self.termination.was_played()
    }
}
