//! A view of a game while it is played: complete in itself, so that a reader who misses one can use the next.
//!
//! What engines said is as in a record: numbers of their kind, variations of the form of moves, of bounded length.
//! May not: hold names; ask the time.

mod columns;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use super::Side;
use super::eval::Eval;
use super::opening::Opening;
use super::record::{GameId, GameRecord, GameSpec};
use super::rules::Board;
use super::termination::{Outcome, Termination};

pub use columns::Columns;

/// Bytes reserved for moves at once: a game of some 200 moves.
const ROOM: usize = 2048;
/// Longer than any variation that is shown, in bytes.
const LONGEST_PV: usize = 16 << 10;
/// Longer than any game.
const LONGEST: Duration = Duration::from_hours(24 * 365);

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameView {
    pub id: GameId,
    pub white: PairingNumber,
    pub black: PairingNumber,
    pub opening: Opening,
    /// The moves played since the opening, in UCI notation, separated by blanks.
    pub moves: String,
    /// The number of these moves.
    pub plies: u32,
    pub turn: Side,
    /// Each side, White first.
    pub sides: [SideSeen; 2],
    /// The figures of each ply.
    #[serde(default)]
    pub columns: Columns,
    /// The time that runs; `None` while both are getting ready, or if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<Running>,
    /// How the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<GameEnd>,
}

/// A side of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideSeen {
    /// The time on its clock when that was last stopped, in microseconds, if one runs through the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_us: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastMove>,
}

/// The last move of a side, with what its engine said of it: see [`GameRecord`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastMove {
    /// The ply of the game, from 0.
    pub ply: u32,
    /// The time it took, in microseconds.
    pub time_us: u64,
    /// From its own side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Selective depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// The variation that the engine expected: words that look like moves, not checked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
}

/// A time that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// When it began, from the beginning of the game.
    pub since: Duration,
    /// The limit of the side to move, without the margin.
    pub limit: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEnd {
    pub outcome: Outcome,
    #[serde(flatten)]
    pub termination: Termination,
}

impl GameView {
    pub fn begin(spec: &GameSpec) -> Self {
        Self::at_start(&GameRecord::begin(spec))
    }

    /// The start of a game, by its record.
    fn at_start(record: &GameRecord) -> Self {
        Self {
            id: record.id,
            white: record.white,
            black: record.black,
            opening: record.opening.clone(),
            moves: String::with_capacity(ROOM),
            plies: 0,
            turn: record.opening.turn(),
            sides: <[SideSeen; 2]>::default(),
            columns: Columns::default(),
            running: None,
            ended: None,
        }
    }

    /// The view of a game that is over.
    pub fn whole(record: &GameRecord) -> Self {
        let mut seen = Self::at_start(record);
        seen.end(record);
        seen
    }

    /// Ends the view with the record of the game.
    pub fn end(&mut self, record: &GameRecord) {
        self.follow(record);
        for side in Side::BOTH {
            let seen = &mut self.sides[side.index()];
            let ply = seen.last.as_ref().map(|last| last.ply as usize);
            // For a side without a clock the column has its limit.
            if let Some(left) = ply
                .and_then(|ply| record.clock_us.get(ply))
                .filter(|_| seen.clock_us.is_some())
            {
                seen.clock_us = Some(*left);
            }
        }
        self.running = None;
        self.ended = Some(GameEnd {
            outcome: record.outcome,
            termination: record.termination,
        });
    }

    /// True if this can be a view of the given game: its players, its opening, legal moves, and columns, variations
    /// and times of the proper form. A view from another machine is checked in this way before it is shown to anybody
    /// else.
    pub fn is_of(&self, spec: &GameSpec) -> bool {
        let is_its =
            (self.id, self.white, self.black) == (spec.id, spec.white, spec.black) && self.opening == spec.opening;
        let Some(mut board) = Board::new(&spec.opening).ok().filter(|_| is_its) else {
            return false;
        };
        let mut plies = 0;
        for word in self.moves.split_ascii_whitespace() {
            let Some(legal) = word.parse().ok().and_then(|uci| board.legal(&uci)) else {
                return false;
            };
            board.play(legal);
            plies += 1;
        }
        let Columns {
            time_us,
            clock_us,
            eval,
            depth,
            nodes,
        } = &self.columns;
        let lengths = [clock_us.len(), eval.len(), depth.len(), nodes.len()];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == ' ';
        let is_last = |last: &LastMove| {
            (last.ply as usize) < plies && last.pv.len() <= LONGEST_PV && last.pv.chars().all(is_word)
        };
        (self.plies as usize, time_us.len()) == (plies, plies)
            && lengths.iter().all(|length| [0, plies].contains(length))
            && self.turn == board.turn()
            && self.sides.iter().filter_map(|side| side.last.as_ref()).all(is_last)
            && self
                .running
                .is_none_or(|running| running.since <= LONGEST && running.limit <= LONGEST)
    }

    /// Adds what has been played since. What engines said of a side's earlier moves goes to the columns alone.
    pub(super) fn follow(&mut self, record: &GameRecord) {
        let (from, plies) = (self.plies as usize, record.plies());
        if plies <= from {
            return;
        }
        self.moves
            .push_str(record.moves.get(self.moves.len()..).unwrap_or_default());
        if (plies - from) % 2 == 1 {
            self.turn = self.turn.other();
        }
        for ply in plies.saturating_sub(2).max(from)..plies {
            let side = if (plies - ply) % 2 == 1 {
                self.turn.other()
            } else {
                self.turn
            };
            let last = self.sides[side.index()].last.get_or_insert_default();
            last.tell(record, ply);
        }
        self.columns.follow(record);
        self.plies = u32::try_from(plies).unwrap_or(u32::MAX);
    }
}

impl LastMove {
    /// The move of a record at this ply.
    ///
    /// # Panics
    /// When the record has no such ply.
    pub fn of(record: &GameRecord, ply: usize) -> Self {
        let mut last = Self::default();
        last.tell(record, ply);
        last
    }

    fn tell(&mut self, record: &GameRecord, ply: usize) {
        fn at<T: Copy>(column: &[Option<T>], ply: usize) -> Option<T> {
            column.get(ply).copied().flatten()
        }
        self.ply = u32::try_from(ply).unwrap_or(u32::MAX);
        self.time_us = record.time_us[ply];
        self.eval = at(&record.eval, ply);
        self.depth = at(&record.depth, ply);
        self.seldepth = at(&record.seldepth, ply);
        self.nodes = at(&record.nodes, ply);
        self.nps = at(&record.nps, ply);
        self.hashfull = at(&record.hashfull, ply);
        self.tbhits = at(&record.tbhits, ply);
        self.pv.clear();
        self.pv.push_str(record.pv.of_ply(ply));
    }
}
