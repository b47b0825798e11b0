//! Live lines: the reports on games while they are played, one JSON object a line.
//!
//! Each line is complete in itself, except that a listener is told each ply of a game's columns only once. So a lost
//! line costs nothing but freshness. Only what may be published is told: nothing about rounds under embargo, although
//! only the organizer can read the lines, because they are meant to be shown to others. May not: know who reads them.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use super::embargo::embargo;
use super::state::State;
use swissmatch_game::Side;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::GameId;
use swissmatch_game::seen::{Columns, GameView, LastMove};
use swissmatch_game::termination::{Outcome, Termination};

/// The version of these lines.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum LiveLine {
    /// The event: the first line, sent again whenever something in it changes.
    Event(LiveEvent),
    /// A game as it stands, or as it ended.
    Game(Box<LiveGame>),
    /// The listener is turned away; nothing follows.
    Refused {
        /// [`SCHEMA`]
        schema: u32,
        why: String,
    },
}

impl LiveLine {
    /// The line that turns a listener away, with the reason as a sentence.
    #[must_use]
    pub const fn refused(why: String) -> Self {
        Self::Refused { schema: SCHEMA, why }
    }
}

/// The event that is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveEvent {
    /// [`SCHEMA`]
    pub schema: u32,
    pub event: String,
    /// Rounds paired so far and open to the public.
    pub round: usize,
    /// Rounds of the whole event.
    pub rounds: u32,
    /// The embargo: nothing is told about rounds after this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embargo_after: Option<usize>,
    /// The delay with which spectators are to see what happens, in milliseconds; `None` from a runner of an earlier
    /// version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The most games that are played at once.
    pub slots: usize,
    /// By pairing number.
    pub players: Vec<LivePlayer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePlayer {
    pub pairing_number: PairingNumber,
    /// Made harmless.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// [`SCHEMA`]
    pub schema: u32,
    /// The time at which the line was true.
    pub at: Timestamp,
    /// The slot that plays the game, from 0: the slot's next line has a later time, or belongs to a later game.
    pub slot: usize,
    /// Written as `3.2.1`.
    pub id: GameId,
    pub begun: Timestamp,
    pub white: LiveSide,
    pub black: LiveSide,
    pub opening: Opening,
    /// All moves since the opening, in UCI notation, separated by blanks.
    pub moves: String,
    pub plies: u32,
    /// The side to move; `None` if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Side>,
    /// When that side began to look for its move; `None` if both are getting ready, or the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// The time it may take for that move, in microseconds, without the margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// How the game ended. The result counts once it is in the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<LiveEnd>,
    /// The plies that this listener has not been told yet; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<LiveColumns>,
}

/// Figures on some plies of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveColumns {
    /// The first ply, from 0.
    pub from: u32,
    /// Columns as in records.
    #[serde(flatten)]
    pub columns: Columns,
}

impl LiveColumns {
    /// The plies after the first `known`; `None` if there are none.
    pub fn after(columns: &Columns, known: usize) -> Option<Self> {
        (known < columns.plies()).then(|| Self {
            from: u32::try_from(known).unwrap_or(u32::MAX),
            columns: columns.part(known, columns.plies()),
        })
    }
}

/// A side of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSide {
    pub pairing_number: PairingNumber,
    /// Made harmless.
    pub name: String,
    /// The time on its clock when the clock last stopped, in microseconds; `None` under a time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_us: Option<u64>,
    /// Its last move, with what its engine said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastMove>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveEnd {
    pub result: Outcome,
    #[serde(flatten)]
    pub termination: Termination,
}

/// The facts about an event that live lines are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill(LiveEvent);

impl Bill {
    /// For an event that is played at `slots` slots.
    pub fn new(state: &State, slots: usize) -> Self {
        let player = |number| LivePlayer {
            pairing_number: number,
            name: harmless(&state.player(number).name),
        };
        Self::with(LiveEvent {
            schema: SCHEMA,
            event: harmless(&state.setup().event.name),
            round: state.rounds().len().min(embargo(state).unwrap_or(usize::MAX)),
            rounds: state.created().rounds,
            embargo_after: embargo(state),
            delay_ms: u64::try_from(state.setup().publish.delay.as_millis()).ok(),
            slots,
            players: state.numbers().map(player).collect(),
        })
    }

    /// From a line that is already made.
    pub const fn with(event: LiveEvent) -> Self {
        Self(event)
    }

    /// The round after which nothing is told; `None` if there is no embargo.
    pub const fn embargo(&self) -> Option<usize> {
        self.0.embargo_after
    }

    pub fn line(&self) -> LiveLine {
        LiveLine::Event(self.0.clone())
    }

    /// The line of a game seen at `slot` that began at `begun`, without its columns; `None` if the game is under
    /// embargo.
    pub fn game(&self, at: Timestamp, slot: usize, begun: Timestamp, game: GameView) -> Option<LiveLine> {
        if self.embargo().is_some_and(|rounds| game.id.round as usize > rounds) {
            return None;
        }
        let [white, black] = game.sides;
        let side = |number: PairingNumber, clock_us, last| LiveSide {
            pairing_number: number,
            // A late entry that has not been in a line yet.
            name: self
                .0
                .players
                .get(number.index())
                .map_or_else(String::new, |player| player.name.clone()),
            clock_us,
            last,
        };
        let since = |after| {
            SignedDuration::try_from(after)
                .ok()
                .and_then(|after| begun.checked_add(after).ok())
        };
        Some(LiveLine::Game(Box::new(LiveGame {
            schema: SCHEMA,
            at,
            slot,
            id: game.id,
            begun,
            white: side(game.white, white.clock_us, white.last),
            black: side(game.black, black.clock_us, black.last),
            opening: game.opening,
            moves: game.moves,
            plies: game.plies,
            to_move: game.ended.is_none().then_some(game.turn),
            since: game.running.and_then(|running| since(running.since)),
            limit_us: game
                .running
                .map(|running| u64::try_from(running.limit.as_micros()).unwrap_or(u64::MAX)),
            ended: game.ended.map(|ended| LiveEnd {
                result: ended.outcome,
                termination: ended.termination,
            }),
            columns: None,
        })))
    }
}
