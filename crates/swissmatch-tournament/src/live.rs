//! Live lines: what is told of games while they are played, one JSON object a line.
//!
//! Each is complete in itself but for the columns of a game, of which a listener is told each ply once, so that a lost line costs
//! freshness alone. They are about what may be published: of rounds under
//! embargo nothing is told, though only the organizer can read them: they are there to be shown to others. May not: know
//! who reads them.

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

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum LiveLine {
    /// The event: first of all, and again where anything of it has changed.
    Event(LiveEvent),
    /// A game as it stands, or as it ended.
    Game(Box<LiveGame>),
    /// Who listens is turned away; nothing follows.
    Refused {
        /// [`SCHEMA`]
        schema: u32,
        /// The reason, as a sentence.
        why: String,
    },
}

impl LiveLine {
    /// The line of who is turned away, with the reason as a sentence.
    #[must_use]
    pub const fn refused(why: String) -> Self {
        Self::Refused { schema: SCHEMA, why }
    }
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveEvent {
    /// [`SCHEMA`]
    pub schema: u32,
    /// Its name.
    pub event: String,
    /// Rounds paired so far, as far as they may be published.
    pub round: usize,
    /// Rounds of the whole event.
    pub rounds: u32,
    /// Of later rounds nothing is told: they are under embargo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embargo_after: Option<usize>,
    /// So many milliseconds later than it happens spectators are to see it; `None`: a runner of an earlier version does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Games that are played at once, at most.
    pub slots: usize,
    /// Who plays, by pairing number.
    pub players: Vec<LivePlayer>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePlayer {
    /// Pairing number.
    pub pairing_number: PairingNumber,
    /// Name, made harmless.
    pub name: String,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// [`SCHEMA`]
    pub schema: u32,
    /// When this was so.
    pub at: Timestamp,
    /// Where it is played, from 0: its next line is of a later time, or of a later game.
    pub slot: usize,
    /// Which game, as `3.2.1`.
    pub id: GameId,
    /// When it began.
    pub begun: Timestamp,
    /// White.
    pub white: LiveSide,
    /// Black.
    pub black: LiveSide,
    /// Where it started.
    pub opening: Opening,
    /// All moves since the opening, in UCI notation, separated by blanks.
    pub moves: String,
    /// How many.
    pub plies: u32,
    /// Who is to move; `None`: it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Side>,
    /// Since when that side has been looking for its move; `None`: both are getting ready, or it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What it may take for it, in microseconds, margin not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// How it ended. It counts when it is in the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<LiveEnd>,
    /// The plies that this listener has not been told of; `None`: there are no others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<LiveColumns>,
}

/// What is known of plies of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveColumns {
    /// The first of them, from 0.
    pub from: u32,
    /// As in records.
    #[serde(flatten)]
    pub columns: Columns,
}

impl LiveColumns {
    /// What a listener has not heard who knows so many plies; `None`: there is no more.
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
    /// Pairing number.
    pub pairing_number: PairingNumber,
    /// Name, made harmless.
    pub name: String,
    /// What its clock had left when it was last stopped, in microseconds; `None`: it has a time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_us: Option<u64>,
    /// Its last move, and what its engine said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastMove>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveEnd {
    /// What it gave.
    pub result: Outcome,
    /// Why it ended.
    #[serde(flatten)]
    pub termination: Termination,
}

/// What of an event live lines are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill(LiveEvent);

impl Bill {
    /// Of an event that is played at so many slots.
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

    /// With this line.
    pub const fn with(event: LiveEvent) -> Self {
        Self(event)
    }

    /// The round after which nothing is told; `None`: all is.
    pub const fn embargo(&self) -> Option<usize> {
        self.0.embargo_after
    }

    /// The line of the event.
    pub fn line(&self) -> LiveLine {
        LiveLine::Event(self.0.clone())
    }

    /// The line of a game that was seen at `slot`, and began at `begun`, without its columns; `None` where it is under embargo.
    pub fn game(&self, at: Timestamp, slot: usize, begun: Timestamp, game: GameView) -> Option<LiveLine> {
        if self.embargo().is_some_and(|rounds| game.id.round as usize > rounds) {
            return None;
        }
        let [white, black] = game.sides;
        let side = |number: PairingNumber, clock_us, last| LiveSide {
            pairing_number: number,
            // A late entry whom no line has named yet.
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
