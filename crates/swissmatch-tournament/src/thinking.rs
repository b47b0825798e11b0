//! How agents thought: the time of their moves, by move number, and how near they came to their limits.
//!
//! Records are looked at one by one and forgotten: what is kept does not grow with the number of games. Moves are
//! counted from the end of the opening: move 1 is the first that a player made itself. [`Clocks`] runs the clocks again
//! from the recorded times.
//!
//! May not: read records from anywhere; show anything.

mod calls;

use std::num::NonZeroU32;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;

pub use self::calls::Calls;
use super::limits::limits_of;
use super::state::State;
use swissmatch_game::Side;
use swissmatch_game::clock::Clocks;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::{AttemptEnd, GameId, GameLimits, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_game::time_control::Limit;
use swissmatch_stats::spread::{Moments, Spread};

/// The most bands of move numbers; the last one also has all later moves.
pub const MOST_BANDS: usize = 30;
/// The most moves that are counted one by one; the last one also has all later moves.
pub const MOST_MOVES: usize = 400;
/// The default of what counts as near a limit.
pub const NEAR: Duration = Duration::from_millis(20);

/// The rounding allowed in an engine's own time, in microseconds.
const ROUNDED: u64 = 1000;
/// Moves shorter than this, in microseconds, give no useful speed.
const TOO_SHORT: u64 = 1000;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThinkingQuery {
    /// The players whose moves are counted.
    pub players: Vec<PairingNumber>,
    /// The number of first moves that are also counted one by one.
    pub one_by_one: usize,
    /// The number of moves counted together in a band.
    pub band: NonZeroU32,
    /// A move is a near miss if less than this was left of its limit. `None` means [`NEAR`], or under a time per move
    /// at most half of the overhead.
    pub near: Option<Duration>,
}

/// How the agents of some players thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    pub wanted: ThinkingQuery,
    /// Games looked at.
    pub games: u64,
    /// One for each player asked for.
    pub players: Vec<PlayerThinking>,
    /// The time per move that judged the games so far; `Some(None)` if there are several, or clocks.
    judged: Option<Option<Duration>>,
    /// Some agent thought while its opponent did.
    pub ponders: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerThinking {
    /// Games with a record.
    pub games: u64,
    /// Failed attempts at moves.
    pub failed_attempts: u64,
    /// Moves that needed more than one attempt.
    pub tried_again: u64,
    /// Figures of all its moves.
    pub all: Figures,
    /// Figures in bands of [`ThinkingQuery::band`] moves; at most [`MOST_BANDS`].
    pub bands: Vec<Figures>,
    /// Figures of single moves, at most [`MOST_MOVES`]; empty unless asked for.
    pub moves: Vec<Figures>,
    /// First evaluation in each game, as White and as Black.
    pub first_evals: [FirstEvals; 2],
    pub limits: NearLimits,
    /// Its own measurement of its time.
    pub own_time: OwnTime,
    /// What it asked over the network.
    pub calls: Calls,
}

/// Figures of some moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The time of each move, in microseconds, with all attempts at it.
    pub time: Spread,
    /// Depth, for moves that report it.
    pub depth: Spread,
    /// Nodes, for moves that report them.
    pub nodes: Spread,
    /// Nodes per second of each move of a millisecond or more, by the recorded time.
    pub speed: Spread,
    /// Time of the attempts that gave moves with reported nodes, in microseconds.
    pub time_with_nodes: u128,
}

/// First evaluations, in centipawns from the agent's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstEvals {
    /// Evaluations in centipawns.
    pub centipawns: Moments,
    /// Mates for the agent, and against it.
    pub mates: [u64; 2],
    /// The sum of the move numbers that had them.
    pub moves: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearLimits {
    /// Moves within their limit but near it.
    pub near_misses: u64,
    /// Moves beyond their limit that still counted as in time, by the margin or by doubt.
    pub excused: u64,
    /// The least time left of a move's limit, in microseconds, and where; negative if the move went beyond it.
    pub least_left: Option<(i64, At)>,
    /// Attempts that overran.
    pub overruns: u64,
    /// Overruns without an answer before the engine was killed.
    pub unanswered: u64,
    /// The answer furthest beyond its limit, in microseconds, and where.
    pub largest_overrun: Option<(u64, At)>,
    /// Games lost by overruns.
    pub time_forfeits: u64,
    /// For each game under a clock: the share of the clock's time that was used, in thousandths.
    pub clock_used: Spread,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub game: GameId,
    /// The number of the player's move, from 1, counted from the end of the opening.
    pub number: u32,
}

/// An agent's own measurement of its moves beside the runner's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnTime {
    /// The agent's own, in microseconds.
    pub said: Spread,
    /// The runner's time of the same moves, in microseconds.
    pub measured: Spread,
    /// By how much the runner's time is longer, in microseconds, where it is.
    pub beyond: Spread,
    /// Moves whose own time is longer than the runner's by more than [`ROUNDED`].
    pub longer: u64,
}

impl Thinking {
    pub fn new(wanted: ThinkingQuery) -> Self {
        let players = vec![PlayerThinking::default(); wanted.players.len()];
        Self {
            wanted,
            games: 0,
            players,
            judged: None,
            ponders: false,
        }
    }

    /// True if either of these two is a player asked for.
    pub fn wants(&self, players: [PairingNumber; 2]) -> bool {
        players.iter().any(|player| self.place(*player).is_some())
    }

    /// The time per move that judged every move; `None` if there are several, or clocks.
    pub fn time_per_move(&self) -> Option<Duration> {
        self.judged.flatten()
    }

    pub fn add(&mut self, state: &State, record: &GameRecord) {
        let players = [record.white, record.black];
        let limits = limits_of(state, record.id, players);
        let places = players.map(|player| self.place(player));
        for side in Side::BOTH.into_iter().filter(|side| places[side.index()].is_some()) {
            let own = match &limits.time_controls[side.index()].limit {
                Limit::MoveTime(limit) => Some(*limit),
                Limit::Guard | Limit::Clock(_) | Limit::Hourglass(_) => None,
            };
            let before = self.judged.unwrap_or(own);
            self.judged = Some(own.filter(|limit| before == Some(*limit)));
            self.ponders |= limits.ponder[side.index()];
            self.of(places, side, |player| player.begin(record, side));
        }
        self.games += 1;
        self.play_again(record, &limits, places);
    }

    /// Goes through the moves with the clocks that judged them.
    fn play_again(&mut self, record: &GameRecord, limits: &GameLimits, places: [Option<usize>; 2]) {
        let mut clocks = Clocks::new(limits);
        let mut first_evals = [false; 2];
        let mut side = record.opening.turn();
        // An attempt may be at the move after the last one, or at a move of the side that was not to move.
        for ply in 0..record.plies() + 2 {
            let number = u32::try_from(ply / 2 + 1).unwrap_or(u32::MAX);
            let at = At {
                game: record.id,
                number,
            };
            for attempt in record.failed_at(ply) {
                let time = Duration::from_micros(attempt.time_us);
                let limit = clocks.limit(attempt.side);
                self.of(places, attempt.side, |player| {
                    player.failed_attempts += 1;
                    player.limits.failed(&attempt.end, limit, time, at);
                });
                clocks.spent(attempt.side, time);
            }
            let Some(time_us) = record.time_us.get(ply).copied() else {
                side = side.other();
                continue;
            };
            let time = Duration::from_micros(time_us);
            let limit = clocks.limit(side);
            let near = self.near(limits, side);
            let has_first = &mut first_evals[side.index()];
            let singles = places[side.index()].is_some_and(|place| place < self.wanted.one_by_one);
            let band = self.wanted.band;
            self.of(places, side, |player| {
                player.limits.moved(limit, time, near, at);
                let said = MoveFigures::of(record, ply, time_us);
                player.tried_again += u64::from(record.failed_at(ply).next().is_some());
                player.add(&said, number, band, singles);
                if let Some(eval) = said.eval.filter(|_| !*has_first) {
                    *has_first = true;
                    player.first_evals[side.index()].add(eval, number);
                }
            });
            clocks.moved(side, time);
            side = side.other();
        }
        for (side, share) in Side::BOTH.into_iter().zip(clock_used(record, limits)) {
            if let Some(share) = share {
                self.of(places, side, |player| player.limits.clock_used.add(share));
            }
        }
    }

    /// Less than this counts as near a limit.
    fn near(&self, limits: &GameLimits, side: Side) -> Duration {
        let overhead = limits.move_overhead / 2;
        let is_told_less = !overhead.is_zero();
        match (self.wanted.near, &limits.time_controls[side.index()].limit) {
            (Some(near), _) => near,
            // The engine is told at most a tenth less than its limit.
            (None, Limit::MoveTime(limit)) if is_told_less => NEAR.min(overhead).min(*limit / 20),
            (None, _) => NEAR,
        }
    }

    fn place(&self, player: PairingNumber) -> Option<usize> {
        self.wanted.players.iter().position(|wanted| *wanted == player)
    }

    fn of(&mut self, places: [Option<usize>; 2], side: Side, change: impl FnOnce(&mut PlayerThinking)) {
        if let Some(place) = places[side.index()] {
            change(&mut self.players[place]);
        }
    }
}

/// The share of its clock's time that each side used in a game, in thousandths, White first; `None` for a side without
/// a clock or with no time used.
pub fn clock_used(record: &GameRecord, limits: &GameLimits) -> [Option<u64>; 2] {
    let mut clocks = Clocks::new(limits);
    let mut used = [0_u128; 2];
    let mut side = record.opening.turn();
    for ply in 0..record.plies() + 2 {
        for attempt in record.failed_at(ply) {
            clocks.spent(attempt.side, Duration::from_micros(attempt.time_us));
            used[attempt.side.index()] += u128::from(attempt.time_us);
        }
        if let Some(time_us) = record.time_us.get(ply).copied() {
            clocks.moved(side, Duration::from_micros(time_us));
            used[side.index()] += u128::from(time_us);
        }
        side = side.other();
    }
    Side::BOTH.map(|side| {
        let used = used[side.index()];
        let is_clock = matches!(limits.time_controls[side.index()].limit, Limit::Clock(_));
        let left = clocks.left(side).filter(|_| is_clock && used > 0)?;
        u64::try_from(used * 1000 / (used + left.as_micros()).max(1)).ok()
    })
}

/// Figures of one move.
struct MoveFigures {
    /// The time of the attempt that gave it.
    time: u64,
    /// The time of all attempts at it.
    time_in_all: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    eval: Option<Eval>,
    own_time: Option<u64>,
}

impl MoveFigures {
    fn of(record: &GameRecord, ply: usize, time_us: u64) -> Self {
        fn at<T: Copy>(column: &[Option<T>], ply: usize) -> Option<T> {
            column.get(ply).copied().flatten()
        }
        // Clock time before the first `go` was nobody's thinking; the first attempt includes it.
        let late = record.late_us.filter(|_| ply == 0).unwrap_or(0);
        let failed = record.failed_at(ply).map(|attempt| attempt.time_us);
        let failed = failed.reduce(u64::saturating_add);
        Self {
            time: time_us.saturating_sub(if failed.is_none() { late } else { 0 }),
            time_in_all: time_us.saturating_add(failed.unwrap_or(0)).saturating_sub(late),
            depth: at(&record.depth, ply),
            nodes: at(&record.nodes, ply),
            eval: at(&record.eval, ply),
            own_time: at(&record.engine_time_ms, ply),
        }
    }
}

impl PlayerThinking {
    /// How many in a thousand attempts gave a legal move in time; `None` without attempts.
    pub fn legal_share(&self) -> Option<u64> {
        let attempts = self.all.moves() + self.failed_attempts;
        self.all.moves().saturating_mul(1000).checked_div(attempts)
    }

    fn begin(&mut self, record: &GameRecord, side: Side) {
        self.games += 1;
        self.limits.time_forfeits += u64::from(record.termination == Termination::TimeForfeit { by: side });
        self.calls.add(record, side);
    }

    fn add(&mut self, said: &MoveFigures, number: u32, band: NonZeroU32, singles: bool) {
        let place = |each: u32, most: usize| (((number - 1) / each) as usize).min(most - 1);
        self.all.add(said);
        at(&mut self.bands, place(band.get(), MOST_BANDS)).add(said);
        if singles {
            at(&mut self.moves, place(1, MOST_MOVES)).add(said);
        }
        if let Some(own) = said.own_time {
            let own = own.saturating_mul(1000);
            self.own_time.said.add(own);
            self.own_time.measured.add(said.time);
            match said.time.checked_sub(own) {
                Some(beyond) => self.own_time.beyond.add(beyond),
                None => self.own_time.longer += u64::from(own - said.time > ROUNDED),
            }
        }
    }
}

/// The figures at an index; the list grows to reach it.
fn at(figures: &mut Vec<Figures>, place: usize) -> &mut Figures {
    if figures.len() <= place {
        figures.resize(place + 1, Figures::default());
    }
    &mut figures[place]
}

impl Figures {
    fn add(&mut self, said: &MoveFigures) {
        self.time.add(said.time_in_all);
        if let Some(depth) = said.depth {
            self.depth.add(depth.into());
        }
        if let Some(nodes) = said.nodes {
            self.nodes.add(nodes);
            self.time_with_nodes += u128::from(said.time);
            if said.time >= TOO_SHORT {
                let speed = u128::from(nodes) * 1_000_000 / u128::from(said.time);
                self.speed.add(u64::try_from(speed).unwrap_or(u64::MAX));
            }
        }
    }

    pub const fn moves(&self) -> u64 {
        self.time.count()
    }

    /// Nodes per second over all moves with reported nodes; `None` if there are none, or they took no time.
    pub fn mean_speed(&self) -> Option<u128> {
        self.nodes
            .sum()
            .saturating_mul(1_000_000)
            .checked_div(self.time_with_nodes)
    }
}

impl FirstEvals {
    fn add(&mut self, eval: Eval, number: u32) {
        self.moves += u64::from(number);
        match eval {
            Eval::Centipawns(value) => self.centipawns.add(value.into()),
            Eval::Mate(moves) => self.mates[usize::from(moves <= 0)] += 1,
        }
    }

    pub const fn games(&self) -> u64 {
        self.centipawns.count() + self.mates[0] + self.mates[1]
    }
}

impl NearLimits {
    fn moved(&mut self, limit: Duration, time: Duration, near: Duration, at: At) {
        let left = match limit.checked_sub(time) {
            Some(left) => {
                self.near_misses += u64::from(left < near);
                i64::try_from(left.as_micros()).unwrap_or(i64::MAX)
            }
            None => {
                self.excused += 1;
                i64::try_from((time - limit).as_micros()).map_or(i64::MIN, |beyond| -beyond)
            }
        };
        if self.least_left.is_none_or(|(least, _)| left < least) {
            self.least_left = Some((left, at));
        }
    }

    fn failed(&mut self, end: &AttemptEnd, limit: Duration, time: Duration, at: At) {
        if !end.is_overrun() {
            return;
        }
        self.overruns += 1;
        self.unanswered += u64::from(end.is_killed());
        let beyond = time.saturating_sub(limit).as_micros();
        let beyond = u64::try_from(beyond).unwrap_or(u64::MAX);
        let is_larger = self.largest_overrun.is_none_or(|(largest, _)| beyond > largest);
        // The other overruns were no answers: their length only shows how long the runner waited.
        if *end == AttemptEnd::Late && is_larger {
            self.largest_overrun = Some((beyond, at));
        }
    }
}

#[cfg(test)]
mod tests;
