//! Where a play-off stands: what was contested, what is due, and what is settled.
//!
//! May not: decide anything.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;

use swissmatch_game::time_control::TimeControl;

use super::facts::{BegunBoard, DueLot};
use crate::log::{ContestId, Lot, PlayoffBoard};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// For each tie in the order given, its contests by number and places.
    pub contests: Vec<Vec<Contest>>,
    /// What has to happen now.
    pub due: Due,
    /// The questions to the arbiter. They may be answered while other ties are still being played.
    pub questions: Vec<Question>,
    /// For each tie in the order given: `None` while it is open, otherwise its players in parts, one for each stretch
    /// of places that no boundary cuts; parts best first, players by pairing number.
    pub parts: Vec<Option<Vec<Vec<PairingNumber>>>>,
}

/// What has to happen now, for all ties together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing: every tie is settled.
    Nothing,
    /// A round is being played.
    Playing,
    /// These lots have to be drawn.
    Lots(Vec<DueLot>),
    /// A round has to be played: the boards of all ties that can be played at once.
    Round(Vec<PlayoffBoard>),
    /// The arbiter has to answer [`Stand::questions`].
    Decision,
}

/// A question to the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The contest to come; for a game to which neither side came, the contest of that game.
    pub contest: ContestId,
    /// The players in question, by pairing number.
    pub players: Vec<PairingNumber>,
    /// The number of players above each cut: `[1]` asks for the first of them, `[2]` for the best two.
    pub cuts: Vec<usize>,
    pub asks: QuestionSubject,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionSubject {
    /// No stage is left and the tie is not resolved: a further round robin or a result is needed.
    Tie,
    /// Neither side came to an Armageddon game: who goes through?
    Game,
}

/// A contest, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    pub id: ContestId,
    pub kind: ContestKind,
    /// By number in the contest if it has numbers, otherwise by pairing number of the event.
    pub players: Vec<PairingNumber>,
    /// How the numbers came about; `None` while there are none.
    pub numbered: Option<ContestNumbering>,
    /// Lots drawn in the contest, for numbers and coins.
    pub lots: Vec<Lot>,
    /// Players with byes in round 1 of a knockout.
    pub byes: Vec<PairingNumber>,
    /// Boards that have begun, in the order of rounds.
    pub boards: Vec<BegunBoard>,
    /// Game points, best first; only for a round robin.
    pub table: Vec<RoundRobinRow>,
    /// The players in order, those not told apart in one group; `None` while the contest goes on.
    pub order: Option<Vec<Vec<PairingNumber>>>,
}

/// A row of a round robin's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobinRow {
    /// The pairing number in the event.
    pub player: PairingNumber,
    /// Game points: 1, ½, 0.
    pub points: Points,
}

/// The kind of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestKind {
    /// The result between two players.
    HeadToHead(Finding),
    /// The choice of the two, among three or more, who may play: the first two by number.
    TopTwo,
    /// For two players a mini-match of two games; for more, everyone meets everyone once.
    RoundRobin {
        limits: TimeControl,
        /// Called by the rules or by the arbiter.
        by: ContestCaller,
    },
    /// A knockout of single games with draw odds.
    Armageddon,
    /// A result directed by the arbiter.
    Decided,
}

/// Who called for a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContestCaller {
    Rules,
    Arbiter,
}

/// What the games of the day say about two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// They did not meet on that day; a game that was not played is not a meeting.
    NotMet,
    /// They met and were level.
    Level,
    /// One beat the other.
    Won,
}

/// How the numbers of a contest came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContestNumbering {
    /// By the criteria, which told all players apart.
    Criteria,
    /// By the criteria, with lots among those still level.
    CriteriaAndLot,
    /// By lots drawn for this contest.
    Lot,
    /// As in the round robin before, colours reversed.
    Reversed,
    /// As in the contest before, with the gaps closed.
    Kept,
}
