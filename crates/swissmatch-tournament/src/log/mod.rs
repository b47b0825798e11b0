//! The entries of a run's log, as they are stored.
//!
//! May not: hold what follows from other entries; know the state that they make.

mod act;
mod analysis;
mod created;
mod game;
mod interrupted;
mod playoff;
mod rounds;
mod sprt;
mod stopped;
mod tour;
mod worker;

use serde::{Deserialize, Serialize};

pub use act::{Absence, Act, ArbiterActed, ByeWorth, Limit, PresenceChecked};
pub use analysis::{AnalysisBegun, Evaluations, GameAnalysed, Quality};
pub use created::{Agent, AgentIntroduction, FileHash, RunCreated, RunResumed, Suite, WorksIn};
pub use game::{GameFinished, TakenFrom};
pub use interrupted::{Cause, GamesInterrupted, HowEnded};
pub use playoff::{
    ArbiterDecided, ArbiterDirection, ContestId, Decision, Draw, Lot, LotOf, PlayoffBoard, Purpose, TieKey,
};
pub use rounds::{Later, PlayoffPaired, RoundPaired, StageBegun};
pub use sprt::SprtDecided;
pub use stopped::EventStopped;
pub(super) use tour::names_of_players;
pub use tour::{TourEvent, TourEventsError};
pub use worker::{PlayedOn, WorkerAdmitted};

/// The version of the log that this program writes.
pub const LOG_VERSION: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum Entry {
    /// The event was set up; always the first entry, and only once.
    Created(Box<RunCreated>),
    /// A runner went on with the run.
    Resumed(Box<RunResumed>),
    /// A stage after the first begins.
    StageBegun(StageBegun),
    RoundPaired(RoundPaired),
    /// A game ended, or was forfeited without being played.
    GameFinished(GameFinished),
    /// A lot was drawn, by [`swiss_system::lot::order`] from `event.rng_seed` and its purpose's words, over the players
    /// in order of pairing numbers.
    LotDrawn(Lot),
    PlayoffPaired(PlayoffPaired),
    /// The arbiter decided something that the rules leave open.
    Decided(ArbiterDecided),
    AnalysisBegun(Box<AnalysisBegun>),
    GameAnalysed(GameAnalysed),
    Acted(Box<ArbiterActed>),
    /// A presence check was made before a round was paired.
    PresenceChecked(PresenceChecked),
    /// A runner ended while games were open (the next runner writes this), or games were interrupted while it ran.
    Interrupted(GamesInterrupted),
    SprtDecided(SprtDecided),
    /// The event's stop rule ended it before its last round.
    EventStopped(EventStopped),
    WorkerAdmitted(Box<WorkerAdmitted>),
}

impl Entry {
    /// The kinds of entries.
    pub const KINDS: [&str; 16] = [
        "created",
        "resumed",
        "stage-begun",
        "round-paired",
        "game-finished",
        "lot-drawn",
        "playoff-paired",
        "decided",
        "analysis-begun",
        "game-analysed",
        "acted",
        "presence-checked",
        "interrupted",
        "sprt-decided",
        "event-stopped",
        "worker-admitted",
    ];

    /// Its kind, as in the log's column `kind`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Resumed(_) => "resumed",
            Self::StageBegun(_) => "stage-begun",
            Self::RoundPaired(_) => "round-paired",
            Self::GameFinished(_) => "game-finished",
            Self::LotDrawn(_) => "lot-drawn",
            Self::PlayoffPaired(_) => "playoff-paired",
            Self::Decided(_) => "decided",
            Self::AnalysisBegun(_) => "analysis-begun",
            Self::GameAnalysed(_) => "game-analysed",
            Self::Acted(_) => "acted",
            Self::PresenceChecked(_) => "presence-checked",
            Self::Interrupted(_) => "interrupted",
            Self::SprtDecided(_) => "sprt-decided",
            Self::EventStopped(_) => "event-stopped",
            Self::WorkerAdmitted(_) => "worker-admitted",
        }
    }
}
