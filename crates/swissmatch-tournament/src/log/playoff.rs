//! Play-offs: which tie, which contest, its boards, what was drawn and what the arbiter decided.

use std::fmt;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::record::is_zero;
use swissmatch_game::time_control::TimeControl;

/// Which tie: the places that players share who are level. A part of it that is played off on its own has a key of its
/// own, with fewer places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TieKey {
    /// The round after which it stands, from 1.
    pub round: u32,
    /// The section whose standings it is of, from 1; 0 where everybody plays together.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub section: u32,
    /// 0: a tie of the standings. Else a level mini-match of a knockout: its board in the round, from 1; then the places
    /// are 1 and 2.
    pub board: u32,
    /// First place shared, from 1.
    pub first: u32,
    /// Last place shared.
    pub last: u32,
}

/// Which contest: the tie as it stood when it began, and its number among the contests of these players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContestId {
    /// The tie, or what is left of it.
    pub tie: TieKey,
    /// From 1, counted from the whole tie on.
    pub number: u32,
}

/// A board of a play-off round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayoffBoard {
    /// The contest that it belongs to.
    pub contest: ContestId,
    /// Round of the contest, from 1.
    pub round: u32,
    /// Who has White in game 1.
    pub white: PairingNumber,
    /// Who has Black in game 1.
    pub black: PairingNumber,
    /// Games; colours alternate.
    pub games: u32,
    /// Limits by the side that is played, White's first.
    pub limits: [TimeControl; 2],
    /// What a draw is worth.
    pub draw: Draw,
}

/// What a drawn game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Half a point to each.
    Shared,
    /// Draw odds: Black has won.
    WinForBlack,
}

/// What a lot is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Purpose {
    /// The contest.
    pub contest: ContestId,
    /// What for.
    pub what: LotOf,
    /// Its number among the drawings after that round, from 1: what was drawn before a result was corrected is void.
    #[serde(default = "first_drawing", skip_serializing_if = "is_first_drawing")]
    pub drawing: u32,
}

const fn first_drawing() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_first_drawing(drawing: &u32) -> bool {
    *drawing == 1
}

/// What a lot settles in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LotOf {
    /// The pairing numbers of a group of level players: which group of the tie, from 1; for numbers by lot always 1.
    Numbers(u32),
    /// The coin before an Armageddon game.
    Coin {
        /// Round of the knockout, from 1.
        round: u32,
        /// Its game, from 1, in the order of the better numbers.
        game: u32,
    },
}

/// A lot that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot {
    /// What for.
    pub purpose: Purpose,
    /// In the order drawn. A coin's winner is drawn first.
    pub drawn: Vec<PairingNumber>,
}

/// What the arbiter directed where the rules leave a tie open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The contest of the question that it answers.
    pub contest: ContestId,
    /// What is done.
    pub directed: ArbiterDirection,
}

/// The two ways to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArbiterDirection {
    /// A further round robin with such limits.
    RoundRobin(TimeControl),
    /// A result: the players in order, those of one group not told apart.
    Result(Vec<Vec<PairingNumber>>),
}

impl TieKey {
    /// Players in it.
    pub const fn size(self) -> usize {
        (self.last - self.first) as usize + 1
    }
}

impl PlayoffBoard {
    /// Who has `side` in `game` (from 1).
    pub const fn player(&self, side: Side, game: u32) -> PairingNumber {
        match (side, game % 2 == 1) {
            (Side::White, true) | (Side::Black, false) => self.white,
            (Side::White, false) | (Side::Black, true) => self.black,
        }
    }
}

/// `round 9, places 1-3`; `round 3, section 2, places 1-2`; `round 2, board 4`.
impl fmt::Display for TieKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}", self.round)?;
        if self.section > 0 {
            write!(f, ", section {}", self.section)?;
        }
        if self.board > 0 {
            return write!(f, ", board {}", self.board);
        }
        write!(f, ", places {}-{}", self.first, self.last)
    }
}

/// `round 9, places 1-3, contest 2`
impl fmt::Display for ContestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, contest {}", self.tie, self.number)
    }
}

/// The purpose of a drawn lot, as it is hashed: `play-off: round 9, places 1-3, contest 2, coin of game 1.1`, and where an
/// earlier drawing is void `…, drawing 2`. Stored lots rest on these words.
impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "play-off: {}, ", self.contest)?;
        match self.what {
            LotOf::Numbers(group) => write!(f, "numbers of group {group}")?,
            LotOf::Coin { round, game } => write!(f, "coin of game {round}.{game}")?,
        }
        match self.drawing {
            1 => Ok(()),
            drawing => write!(f, ", drawing {drawing}"),
        }
    }
}

/// A decision, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArbiterDecided {
    /// What was decided.
    pub decision: Decision,
    /// Who decided: "the Chief Arbiter, or in his absence the Deputy".
    pub by: String,
    /// Whom they consulted.
    pub consulted: Vec<String>,
    /// Why they decided so.
    pub reason: String,
}
