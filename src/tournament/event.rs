//! What is stored: the events of a run, in the order in which they were appended.
//!
//! May not: hold what follows from other events.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::game::record::{GameId, Thinking};
use crate::game::termination::{Outcome, Termination};
use crate::pairing::history::{PairingNumber, RoundPairing};

use super::analysis::{AnalysisBegun, GameAnalysed};
use super::arbiter::{Acted, PresenceChecked, Ruling};
use super::playoff::facts::{Board, Decision, Lot};
use super::setup::Setup;
use super::tour::TourEvent;

/// Version of the events written by this program.
pub const LOG_VERSION: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Event {
    /// The event was set up; always first, never again.
    Created(Box<Created>),
    /// A runner took the run up again.
    Resumed(Box<Resumed>),
    /// A stage after the first begins.
    StageBegun(StageBegun),
    /// A round was paired.
    RoundPaired(RoundPaired),
    /// A game ended, or was forfeited without being played.
    GameFinished(GameFinished),
    /// A lot was drawn, by [`crate::lot::order`] from `event.rng_seed` and its purpose's words, over the players in order of
    /// pairing numbers.
    LotDrawn(Lot),
    /// A play-off round was paired.
    PlayoffPaired(PlayoffPaired),
    /// The arbiter decided what the rules leave open.
    Decided(Decided),
    /// An analysis by a reference engine begins.
    AnalysisBegun(Box<AnalysisBegun>),
    /// A game was analysed.
    GameAnalysed(GameAnalysed),
    /// The arbiter acted.
    Acted(Box<Acted>),
    /// It was asked who is there, before a round was paired.
    PresenceChecked(PresenceChecked),
}

impl Event {
    /// Its name, as in the log's column `kind`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Resumed(_) => "resumed",
            Self::StageBegun(_) => "stage_begun",
            Self::RoundPaired(_) => "round_paired",
            Self::GameFinished(_) => "game_finished",
            Self::LotDrawn(_) => "lot_drawn",
            Self::PlayoffPaired(_) => "playoff_paired",
            Self::Decided(_) => "decided",
            Self::AnalysisBegun(_) => "analysis_begun",
            Self::GameAnalysed(_) => "game_analysed",
            Self::Acted(_) => "acted",
            Self::PresenceChecked(_) => "presence_checked",
        }
    }
}

pub use crate::pairing::rounds::Format;

/// Everything that is fixed before the first round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// Version of the log's events.
    pub log_version: u32,
    /// Version of the program.
    pub software: String,
    /// Every key.
    pub setup: Setup,
    /// Rounds to be played.
    pub rounds: u32,
    /// How they are paired.
    pub format: Format,
    /// Entries (places in `setup.players`, from 0) in the order of their pairing numbers.
    pub order: Vec<usize>,
    /// The agents, in the order of `setup.players`.
    pub agents: Vec<Agent>,
    /// The opening suite.
    pub openings: Suite,
    /// The events of a tour: then nobody is paired in the one round, and its ties are played off. `None` of other events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tour: Option<Vec<TourEvent>>,
}

/// What an agent is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The program that the command was found to be.
    pub program: String,
    /// Its files: the program, and arguments that name files.
    pub files: Vec<FileHash>,
    /// What the engine said of itself before the event; `None` if it did not start.
    pub introduction: Option<AgentIntroduction>,
}

/// `id name` and `id author`, made harmless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentIntroduction {
    /// `id name`
    pub name: String,
    /// `id author`
    pub author: String,
    /// Threads on which it thinks, by its option `Threads`; `None` in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// How long its start took before the event, to `readyok` after its options, in microseconds; `None` in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_us: Option<u64>,
    /// Options for all, `engine.options`, that it does not declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options_left_out: Vec<String>,
}

/// The remedy where a file of an agent is not what it was.
pub const FILES_OF_ITS_OWN: &str = "player.write names files that an agent writes itself";

/// A file and what was in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHash {
    /// Path as found.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// `"bundled"`, `"none"` or the path.
    pub source: String,
    /// SHA-256 of its text, in hexadecimal; `None` for `"none"`.
    pub sha256: Option<String>,
    /// Openings in it.
    pub count: usize,
}

/// A runner took the run up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// Version of the program.
    pub software: String,
    /// The setup from now on; differs from before in keys alone that change no result.
    pub setup: Setup,
}

/// A stage after the first begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageBegun {
    /// Which, from 2.
    pub stage: u32,
    /// Who plays it, by their pairing numbers in the event, first seed first.
    pub players: Vec<PairingNumber>,
}

/// A round was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPaired {
    /// Which, from 1.
    pub round: u32,
    /// Its pairs in board order, and the bye.
    pub pairing: RoundPairing,
    /// The day on which it was paired, by `schedule.time_zone`; `None` in logs of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Date>,
    /// When its games begin, by the schedule; `None`: at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Timestamp>,
}

/// A play-off round was paired: all boards of play-offs that can be played at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayoffPaired {
    /// The round after which it is played, from 1.
    pub round: u32,
    /// The how manieth play-off round after that round, from 1.
    pub playoff: u32,
    /// Its boards.
    pub boards: Vec<Board>,
    /// Of the first one, where it is not played on the day on which the last game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<Later>,
}

/// A play-off that begins on a later day than it should: days by `schedule.time_zone`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// The day on which the last game ended.
    pub ended: Date,
    /// The day on which the play-off began.
    pub begun: Date,
}

/// A decision, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// Who decided: "the Chief Arbiter, or in his absence the Deputy".
    pub by: String,
    /// Whom they consulted.
    pub consulted: Vec<String>,
    /// Why.
    pub reason: String,
}

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
    pub termination: Termination,
    /// Plies played.
    pub plies: u32,
    /// Attempts at moves that failed, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// Answers after the limit that were in time because the machine had taken the time, White's and Black's.
    #[serde(default, skip_serializing_if = "are_none")]
    pub in_doubt: [u32; 2],
    /// How long each side thought in all, White's and Black's; `None` in logs of version 0.1 and for forfeits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<[Thinking; 2]>,
    /// SHA-256 of its record, in hexadecimal; `None` when nothing was sent to any engine.
    pub record: Option<String>,
    /// SHA-256 of its evidence, where kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// What [`crate::game::record::GameRecord::movetext_hash`] gives; `None` when no move was played, and in
    /// older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetext: Option<String>,
    /// What the arbiter made of it, in a state; `outcome` then is what it counts as. An event of the log has none.
    #[serde(skip)]
    pub ruling: Option<Ruling>,
}

/// Whether there are none of either side: most games have none.
fn are_none(of_sides: &[u32; 2]) -> bool {
    *of_sides == [0, 0]
}

impl GameFinished {
    /// A game that gives this without having been played.
    #[must_use]
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
            movetext: None,
            ruling: None,
        }
    }

    /// What it gave by itself, whatever the arbiter made of it.
    #[must_use]
    pub fn as_played(&self) -> (Outcome, Termination) {
        self.ruling
            .map_or((self.outcome, self.termination), |ruling| ruling.was)
    }
}
