//! Why a list of entries is not the history of an event.

use crate::log::{ContestId, LOG_VERSION, Purpose, TourEventsError};
use swissmatch_game::record::GameId;

/// Why a list of entries is not the history of an event. A log whose hashes are right never has one of these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenLogError {
    /// It must begin with `created`, which must not come again.
    #[error("the log does not begin with the entry `created`, or has that entry twice")]
    Created,
    /// It has too many rounds.
    #[error("the log says that the event has more rounds than any has")]
    Rounds,
    /// A mini-match has too many games.
    #[error("the log says that a mini-match has more games than any has")]
    Games,
    /// Every entry must have one pairing number and one agent.
    #[error("the starting order and the agents do not fit the players")]
    Order,
    /// The events of a tour must tell the players apart.
    #[error(transparent)]
    Tour(#[from] TourEventsError),
    /// Stages must come in order, each after the one before is over, with as many of its players as the setup says.
    #[error("stage {0} began out of turn, or with players whom it may not have")]
    Stage(u32),
    /// Rounds must come in order, each after the one before is over, with nobody in it twice.
    #[error("round {0} was paired out of turn, or has players who do not exist, are not in its stage or appear twice")]
    Round(u32),
    /// A game is not on the schedule, ended twice, or has numbers that no game has.
    #[error("game {0} is not on the schedule, has other players or impossible numbers, or finished twice")]
    Game(GameId),
    /// A worker must have been admitted before its game, and must have played the latest issue of it.
    #[error("game {0} was played by a worker that was not admitted with that class, or not when it was given out last")]
    Worker(GameId),
    /// A play-off round must come after a round or play-off round that is over, with nobody in it twice.
    #[error(
        "play-off round {1} after round {0} was paired out of turn, or has players who do not exist, are not in its stage or appear twice"
    )]
    Playoff(u32, u32),
    /// A lot must be drawn only once, among players that exist.
    #[error("the lot \"{0}\" was drawn twice, or among players who do not exist")]
    Lot(Purpose),
    /// A decision must be about players that exist.
    #[error("a decision on the play-off of {0} names players who do not exist or names them twice")]
    Decision(ContestId),
    /// A game must be analysed only once in an analysis, after it has ended, with possible losses.
    #[error(
        "game {0} was analysed twice, before it had ended, in no analysis that had begun, or with impossible numbers"
    )]
    Analysed(GameId),
    /// An act of the arbiter must be about players and games that exist.
    #[error("an act of the arbiter, or a presence check, is about players, games or rounds that do not exist")]
    Act,
    /// Interrupted games must have been due, each named once.
    #[error(
        "the entry \"interrupted\" names game {0}, which was not due then, or names games twice or out of their order"
    )]
    Interrupted(GameId),
    /// A test must be decided only once, in an event that has one.
    #[error("the log decides a test (sprt) twice, or one that there is not")]
    Sprt,
    /// The stop rule must end the event only once, after a round that is over and is not the last one, and no round
    /// follows.
    #[error("the log ends the event by its rule (stop) twice, out of turn or without one, or goes on after it")]
    Stop,
    /// A newer program wrote the log.
    #[error("the log has version {0}; this program reads up to {max}", max = LOG_VERSION)]
    Version(u32),
}
