//! The port by which games are played: a host takes orders and gives reports. All of them can be written down, so that a host may
//! be another machine.
//!
//! A host has places, each of which plays one game at a time, and keeps the engines of a mini-match up between its games. Which
//! cores a place has, and whether there is room, is the host's own. What is stored of a game is made by whoever is told. May not:
//! decide what is played.

pub mod boards;
pub mod local;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::game::record::{GameId, GameRecord, GameSpec};
use crate::game::termination::Outcome;
use crate::pairing::history::PairingNumber;
use crate::tournament::arbiter::PresenceChecked;
use crate::tournament::event::Agent;
use crate::tournament::setup::PlayerKeys;

/// What a host is asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Look who is there before a round is paired: whether each agent is what was registered, and shakes hands within the limit.
    Present {
        /// The round that is to be paired, from 1.
        round: u32,
        /// Whose agents.
        players: Vec<PairingNumber>,
        /// For each.
        limit: Duration,
    },
    /// Look no more who is there.
    Abandon,
    /// A game of these two is to begin soon: start their engines.
    Seat {
        /// Where.
        place: usize,
        /// White first.
        players: [PairingNumber; 2],
    },
    /// Play these games, one after the other.
    Play {
        /// Where.
        place: usize,
        /// What.
        task: Box<Task>,
    },
    /// End a game that is being played so.
    Adjudicate {
        /// Which.
        game: GameId,
        /// How.
        outcome: Outcome,
    },
    /// There is nothing to play for now: end the engines.
    Rest {
        /// Where.
        place: usize,
    },
    /// A late entry, which has the next pairing number.
    Enter {
        /// Its keys; command and directory are whole paths.
        player: Box<PlayerKeys>,
        /// What it is made of.
        agent: Box<Agent>,
    },
}

/// Games of one mini-match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Which.
    pub games: Vec<GameSpec>,
    /// Since when the first clock of the first game runs, where it runs by the schedule; `None`: it starts with the game.
    pub since: Option<Timestamp>,
}

/// What came of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Report {
    /// Who is absent, or what the machine lacks to see it.
    Present(Result<PresenceChecked, String>),
    /// A game has been played.
    Played(Box<Played>),
    /// A place is there no more, and why; empty where it was told to end.
    Gone {
        /// Which.
        place: usize,
        /// Why.
        why: String,
    },
}

/// A game that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Where.
    pub place: usize,
    /// All that is known of it.
    pub record: GameRecord,
    /// What was said, where that is kept.
    pub evidence: Option<String>,
    /// Whether it ended by a signal that may have been meant for all: where the runner was asked to stop, it was.
    pub doubtful: bool,
}

/// Where reports go.
#[derive(Clone)]
pub struct Reports(Arc<dyn Fn(Report) + Send + Sync>);

impl Reports {
    /// To whom they go; whoever is told may have gone.
    pub fn to(told: impl Fn(Report) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    /// Reports.
    pub fn tell(&self, report: Report) {
        (self.0)(report);
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reports")
    }
}

/// Whoever plays the games of a run. Dropped, it ends every place, and each place says when it has gone.
pub trait GameHost: Send {
    /// Its places, numbered from 0.
    fn places(&self) -> usize;

    /// Takes an order, and does not wait for what comes of it.
    fn order(&mut self, order: Order);
}
