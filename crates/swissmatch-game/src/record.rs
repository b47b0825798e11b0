//! What goes into a game and what comes out of it, as data that can be stored and sent.
//!
//! May not: hold names or programs; players are pairing numbers here.

mod asked;
mod attempt;
mod called;
mod limits;
mod used;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use swiss_system::pairing::history::PairingNumber;

use super::Side;
use super::adjudicate::{Adjudication, AdjudicationRules};
use super::alarm::Alarm;
use super::doubt::Doubt;
use super::eval::Eval;
use super::isolation::{IsolatedAgent, UnopenedFile};
use super::opening::Opening;
use super::resource::Overuse;
use super::termination::{Outcome, Termination};
pub use super::time_control::Bounds;
use super::variations::Variations;
pub use asked::{CallTotals, PartialSum};
pub use attempt::{AttemptEnd, FailedAttempt};
pub use called::{Calls, ServiceCall};
pub use limits::{Attempts, GameLimits};
pub use used::{DoorUse, OffTurn};

/// A game's number: round, board (mini-match) and game of the mini-match, all from 1. Ordered by schedule.
///
/// Games of a play-off belong to a play-off round, of which there may be several after a round. Shown and stored as
/// `3.2.1`; in the second play-off round after round 9, as `9p2.1.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    pub round: u32,
    /// 0 for a game of the round itself, else the number of the play-off round after it, from 1.
    pub playoff: u32,
    pub board: u32,
    pub game: u32,
}

impl GameId {
    pub const fn first_of(round: u32, playoff: u32, board: u32) -> Self {
        Self {
            round,
            playoff,
            board,
            game: 1,
        }
    }

    /// All games that the mini-match may have, from this game's first.
    pub const fn mini_match(self) -> RangeInclusive<Self> {
        let (first, last) = (Self { game: 1, ..self }, Self { game: u32::MAX, ..self });
        first..=last
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.round)?;
        if self.playoff > 0 {
            write!(f, "p{}", self.playoff)?;
        }
        write!(f, ".{}.{}", self.board, self.game)
    }
}

/// A text that is not a game's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game is ROUND.BOARD.GAME, such as 3.2.1, or in a play-off ROUNDpN.BOARD.GAME, such as 9p1.1.1")]
pub struct ParseGameIdError;

impl FromStr for GameId {
    type Err = ParseGameIdError;

    /// Reads the form that is shown.
    fn from_str(text: &str) -> Result<Self, ParseGameIdError> {
        let number = |text: &str| text.parse().map_err(|_| ParseGameIdError);
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(ParseGameIdError);
        let (round, mini_match, game) = (part()?, number(part()?)?, number(part()?)?);
        let (round, playoff) = round.split_once('p').unwrap_or((round, "0"));
        let (round, playoff) = (number(round)?, number(playoff)?);
        let id = Self {
            round,
            playoff,
            board: mini_match,
            game,
        };
        // This refuses signs, leading zeros and further parts.
        let is_as_shown = id.to_string() == text && [round, mini_match, game].iter().all(|&number| number > 0);
        is_as_shown.then_some(id).ok_or(ParseGameIdError)
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// For fields that are left out when zero.
pub fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSpec {
    pub id: GameId,
    pub white: PairingNumber,
    pub black: PairingNumber,
    pub opening: Opening,
    pub limits: GameLimits,
    /// Search bounds, White first, merged with those of the time controls.
    pub bounds: [Bounds; 2],
    pub adjudication: AdjudicationRules,
}

impl GameSpec {
    pub const fn player(&self, side: Side) -> PairingNumber {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

/// An answer after its limit that counts as in time because of doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InDoubt {
    /// The ply of the game, from 0.
    pub ply: u32,
    pub side: Side,
    /// From `go` to the answer, in microseconds.
    pub time_us: u64,
    /// The limit and the margin, in microseconds.
    pub limit_us: u64,
    #[serde(flatten)]
    pub doubt: Doubt,
}

/// How the process of a side ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineEnd {
    Exited(i32),
    Signalled(i32),
    /// It closed a pipe, but lives on.
    ClosedPipe,
    /// Its keeper was killed.
    KeeperLost,
    /// It was ended for using more than its limit.
    OverLimit(Overuse),
}

impl fmt::Display for EngineEnd {
    /// The rest of a sentence about the process: "was killed by signal 11".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signalled(signal) => write!(f, "was killed by signal {signal}"),
            Self::ClosedPipe => f.write_str("closed a pipe and lived on"),
            Self::KeeperLost => f.write_str("lost the process that keeps it, which somebody killed"),
            Self::OverLimit(overuse) => write!(f, "{overuse}, and was ended"),
        }
    }
}

/// The longest remark that is kept of a model beside a move, in characters.
pub const LONGEST_RATIONALE: usize = 500;

/// A finished game. Columns have one entry for each ply of `moves`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of this format.
    pub version: u32,
    pub id: GameId,
    pub white: PairingNumber,
    pub black: PairingNumber,
    pub opening: Opening,
    /// The moves played, in UCI notation, separated by blanks.
    pub moves: String,
    #[serde(rename = "result")]
    pub outcome: Outcome,
    #[serde(flatten)]
    pub termination: Termination,
    /// The time of each move, from `go` written to `bestmove` read, in microseconds; the first one includes
    /// `late_us`, and none includes `service_us`.
    pub time_us: Vec<u64>,
    /// The time on the clock after each move, in microseconds; empty without clocks. If only the other side has a
    /// clock, this side's entries are its limit for a move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock_us: Vec<u64>,
    /// The mover's evaluation of each move. This column and the others that engines fill (to `pv`) are empty if they
    /// have no value in the whole game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eval: Vec<Option<Eval>>,
    /// The depth reported with each move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depth: Vec<Option<u32>>,
    /// The nodes reported with each move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<FailedAttempt>,
    /// How the process ended whose end finished the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_end: Option<EngineEnd>,
    /// The selective depth reported with each move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seldepth: Vec<Option<u32>>,
    /// Nodes per second, as reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nps: Vec<Option<u64>>,
    /// How full the hash table is, in thousandths, as reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hashfull: Vec<Option<u32>>,
    /// Tablebase hits, as reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tbhits: Vec<Option<u64>>,
    /// The time of the search as the engine reports it, in milliseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engine_time_ms: Vec<Option<u64>>,
    /// How long the runner, ready to read the move, had to wait for a processor, in microseconds; part of the time of
    /// the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wakeup_us: Vec<Option<u64>>,
    /// The engine's processor time for each move, with all attempts at it, in microseconds; not measured if the move
    /// is over in an instant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processor_us: Vec<Option<u64>>,
    /// The variation that the engine expected, as it gave it: words that look like moves, not checked; the first 60.
    #[serde(default, skip_serializing_if = "Variations::is_empty")]
    pub pv: Variations,
    /// Plies whose evaluation was given as a lower or upper bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eval_bounds: Vec<u32>,
    /// Values that are not numbers of their kind; the first 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub odd_info: Vec<OddInfo>,
    /// What decided an adjudicated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// If clocks run by the schedule, how much of the first clock had run before the first `go`, in microseconds. It
    /// is part of the time of the first move, or of the first failed attempt at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_us: Option<u64>,
    /// How long each side took to get ready for the game, from `isready` to `readyok`, in microseconds, White first.
    pub ready_us: [u64; 2],
    /// Answers after their limit that still counted as in time, because the machine had taken the time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_doubt: Vec<InDoubt>,
    /// Each side's processor time while the other one was to move, White's first; empty if measured for neither.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_turn: Vec<OffTurn>,
    /// How the engines were isolated, White's first; empty if neither was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub isolation: Vec<IsolatedAgent>,
    /// The number of the GPU that each engine had, White's first; empty if neither had one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gpus: Vec<Option<u32>>,
    /// The traffic through each engine's door, White's first, since its last game ended or, in its first game, since
    /// it was started; empty if neither had a door.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doors: Vec<Option<DoorUse>>,
    /// The peak memory of all processes of each engine together since its start, as its control group counted, in
    /// bytes, White first; empty if neither was counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_peak: Vec<Option<u64>>,
    /// Alarms in standard error, by `engine.alarms`; most games have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<Alarm>,
    /// Files that an agent could not open, by what it said before its first move; only in its first game of a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unopened: Vec<UnopenedFile>,
    /// For a side that is asked over the network: the part of the time until each move that was the service's, in
    /// microseconds; not in `time_us`. Empty if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub service_us: Vec<Option<u64>>,
    /// The calls of a side that is asked over the network, in the order in which they ended; most games have none.
    #[serde(default, skip_serializing_if = "Calls::is_empty")]
    pub calls: Calls,
    /// What a model said beside each move, in one line, shortened and harmless; empty if that is not asked for, or
    /// nothing was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rationale: Vec<Option<String>>,
}

/// A field of an `info` line whose value is not a number of its kind, or not one that can be held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OddInfo {
    /// The ply of the game, from 0.
    pub ply: u32,
    /// The field, such as `score cp`.
    pub field: String,
    /// The text in place of its value, made harmless.
    pub said: String,
}

/// A side's total thinking time in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    pub moves: u32,
    /// Microseconds.
    pub time_us: u64,
}

impl GameRecord {
    pub const fn player(&self, side: Side) -> PairingNumber {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The version that this program writes.
    pub const VERSION: u32 = 1;

    /// The record of a game in which nothing has been played yet.
    pub fn begin(spec: &GameSpec) -> Self {
        Self {
            version: Self::VERSION,
            id: spec.id,
            white: spec.white,
            black: spec.black,
            opening: spec.opening.clone(),
            moves: String::new(),
            outcome: Outcome::Draw,
            termination: Termination::NeitherStarted,
            time_us: Vec::new(),
            clock_us: Vec::new(),
            eval: Vec::new(),
            depth: Vec::new(),
            nodes: Vec::new(),
            failed_attempts: Vec::new(),
            engine_end: None,
            seldepth: Vec::new(),
            nps: Vec::new(),
            hashfull: Vec::new(),
            tbhits: Vec::new(),
            engine_time_ms: Vec::new(),
            wakeup_us: Vec::new(),
            processor_us: Vec::new(),
            off_turn: Vec::new(),
            pv: Variations::default(),
            eval_bounds: Vec::new(),
            odd_info: Vec::new(),
            adjudication: None,
            late_us: None,
            ready_us: [0; 2],
            in_doubt: Vec::new(),
            isolation: Vec::new(),
            gpus: Vec::new(),
            doors: Vec::new(),
            memory_peak: Vec::new(),
            alarms: Vec::new(),
            unopened: Vec::new(),
            service_us: Vec::new(),
            calls: Calls::default(),
            rationale: Vec::new(),
        }
    }

    /// The record of a game that could not begin; `started` says whose engine was there, White first.
    pub fn not_started(spec: &GameSpec, started: [bool; 2]) -> Self {
        let (outcome, termination) = spec.limits.both_failed.applied(Termination::not_started(started));
        Self {
            outcome,
            termination,
            ..Self::begin(spec)
        }
    }

    pub fn plies(&self) -> usize {
        self.time_us.len()
    }

    /// The side to move at a ply of the game, from 0.
    pub fn side_at(&self, ply: usize) -> Side {
        let first = self.opening.turn();
        if ply.is_multiple_of(2) { first } else { first.other() }
    }

    /// The last position, as an engine is told it: the starting position and all moves since.
    pub fn position_command(&self) -> String {
        let start = match &self.opening.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        let moves = [self.opening.moves_text(), self.moves.clone()].join(" ");
        match moves.trim() {
            "" => start,
            moves => format!("{start} moves {moves}"),
        }
    }

    /// The first 16 hexadecimal digits of the SHA-256 of "{FEN of the start}\n{moves of the opening}\n{moves}\n",
    /// where the FEN has its first four fields only, without the counters. Games that are equal move by move have the
    /// same hash. `None` if no move was played.
    pub fn movetext_hash(&self) -> Option<String> {
        if self.moves.is_empty() {
            return None;
        }
        let fen = self.opening.start_fen();
        let position: Vec<&str> = fen.split(' ').take(4).collect();
        let text = [&position.join(" "), &self.opening.moves_text(), &self.moves].map(|part| format!("{part}\n"));
        let digest = Sha256::digest(text.concat());
        Some(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Total thinking time of each side, White first.
    pub fn thinking(&self) -> [Thinking; 2] {
        let first = self.opening.turn().index();
        let mut sides = [Thinking::default(); 2];
        for (ply, time) in self.time_us.iter().enumerate() {
            let side = &mut sides[(first + ply) % 2];
            side.moves += 1;
            side.time_us += time;
        }
        sides
    }

    /// How many answers of each side were in time by doubt, White first.
    pub fn in_doubt_of_sides(&self) -> [u32; 2] {
        Side::BOTH.map(|side| {
            let of_side = self.in_doubt.iter().filter(|answer| answer.side == side);
            u32::try_from(of_side.count()).unwrap_or(u32::MAX)
        })
    }

    pub fn failed_at(&self, ply: usize) -> impl Iterator<Item = &FailedAttempt> {
        let all = self.failed_attempts.iter();
        all.filter(move |attempt| attempt.ply as usize == ply)
    }

    /// Earlier failed attempts at the same move.
    pub fn failed_before(&self, attempt: &FailedAttempt) -> impl Iterator<Item = &FailedAttempt> {
        let number = attempt.attempt;
        self.failed_at(attempt.ply as usize)
            .filter(move |of| of.attempt < number)
    }

    /// The number of failed attempts at the move with which the game ended.
    pub fn last_attempts(&self) -> usize {
        self.failed_at(self.plies()).count()
    }

    /// True if the record holds anything that somebody may have to look into.
    pub fn has_faults(&self) -> bool {
        self.termination.is_fault() || !self.failed_attempts.is_empty() || !self.alarms.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{GameId, ParseGameIdError};

    #[test]
    fn the_number_of_a_game_is_read_as_it_is_shown() {
        for text in ["3.2.1", "12.250.40", "9p2.1.1"] {
            assert_eq!(text.parse::<GameId>().map(|id| id.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "3",
            "3.2",
            "3.2.1.1",
            "0.1.1",
            "1.0.1",
            "03.2.1",
            "+3.2.1",
            "3p.1.1",
            "3p0.1.1",
            "p1.1.1",
            "3p1p1.1.1",
            "3.2p1.1",
            "3.2.1 ",
            "9999999999.1.1",
        ] {
            assert_eq!(text.parse::<GameId>(), Err(ParseGameIdError), "{text}");
        }
    }
}
