//! Where a play-off stands: what was contested, what is due, what it has settled.
//!
//! May not: decide anything.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;

use swissmatch_game::time_control::TimeControl;

use super::facts::{BegunBoard, DueLot};
use crate::log::{ContestId, Lot, PlayoffBoard};

/// Where all ties stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// For each tie in the order given: what was contested, by contest number and places.
    pub contests: Vec<Vec<Contest>>,
    /// What has to happen now.
    pub due: Due,
    /// What the arbiter is asked. They may be answered while other ties are still being played.
    pub questions: Vec<Question>,
    /// For each tie in the order given: `None` while it is open; else its players in parts, one for each stretch of
    /// places that no boundary cuts, best first, by pairing number inside.
    pub parts: Vec<Option<Vec<Vec<PairingNumber>>>>,
}

/// What has to happen now, for all ties together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing: every tie is settled.
    Nothing,
    /// A round is being played.
    Playing,
    /// Lots are to be drawn.
    Lots(Vec<DueLot>),
    /// A round is to be played: the boards of all ties that can be played at once.
    Round(Vec<PlayoffBoard>),
    /// The arbiter is to decide: [`Stand::questions`].
    Decision,
}

/// What the arbiter is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The contest to come; for a game to which neither came, the contest of that game.
    pub contest: ContestId,
    /// Whom it is about, by pairing number.
    pub players: Vec<PairingNumber>,
    /// How many of them have to stand before each cut: `[1]` asks for the first of them, `[2]` for the best two.
    pub cuts: Vec<usize>,
    /// What is open.
    pub asks: QuestionSubject,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionSubject {
    /// No stage is left, and the tie is not resolved: a further round robin, or a result.
    Tie,
    /// Neither side came to an Armageddon game: who goes through.
    Game,
}

/// One contest, for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The contest, by its tie and its number.
    pub id: ContestId,
    /// What kind of contest.
    pub kind: ContestKind,
    /// The players: by number in the contest where it has numbers, else by pairing number of the event.
    pub players: Vec<PairingNumber>,
    /// How the numbers came about; `None` where there are none, or not yet.
    pub numbered: Option<ContestNumbering>,
    /// Lots drawn in it, numbers and coins.
    pub lots: Vec<Lot>,
    /// Who had byes in round 1 of a knockout.
    pub byes: Vec<PairingNumber>,
    /// Boards begun, in the order of rounds.
    pub boards: Vec<BegunBoard>,
    /// Game points, best first; of a round robin alone.
    pub table: Vec<RoundRobinRow>,
    /// The players in order, those not told apart in one group; `None` while it goes on.
    pub order: Option<Vec<Vec<PairingNumber>>>,
}

/// A row of a round robin's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobinRow {
    /// The player, by pairing number of the event.
    pub player: PairingNumber,
    /// Its game points: 1, ½, 0.
    pub points: Points,
}

/// What was contested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestKind {
    /// The result between two.
    HeadToHead(Finding),
    /// Who of three or more may play: the first two by number.
    TopTwo,
    /// Two: a mini-match of two games; more: everybody meets everybody once.
    RoundRobin {
        /// Limits.
        limits: TimeControl,
        /// By the rules or by the arbiter.
        by: ContestCaller,
    },
    /// A knockout of single games with draw odds.
    Armageddon,
    /// The arbiter directed a result.
    Decided,
}

/// Who called a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContestCaller {
    /// The rules.
    Rules,
    /// The arbiter.
    Arbiter,
}

/// What was found of two in the games of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// They have not met that day; a game that was not played is no meeting.
    NotMet,
    /// They have met, and were level.
    Level,
    /// One has beaten the other.
    Won,
}

/// How the numbers of a contest came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContestNumbering {
    /// By the criteria, which told all apart.
    Criteria,
    /// By the criteria, and lots among those still level.
    CriteriaAndLot,
    /// By lots drawn for this contest.
    Lot,
    /// As in the round robin before, colours reversed.
    Reversed,
    /// As in the contest before, closed up.
    Kept,
}
