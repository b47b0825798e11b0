//! Play-offs: ties, contests, boards, lots and decisions of the arbiter.

use std::fmt;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::record::is_zero;
use swissmatch_game::time_control::TimeControl;

/// The key of a tie: the places that level players share. A part of a tie that is played off on its own has its own key
/// with fewer places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TieKey {
    /// The round after which the tie stands, from 1.
    pub round: u32,
    /// The section whose standings have the tie, from 1; 0 where everyone plays together.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub section: u32,
    /// 0 for a tie in the standings. For a level mini-match of a knockout its board in the round, from 1; the places
    /// are then 1 and 2.
    pub board: u32,
    /// The first shared place, from 1.
    pub first: u32,
    /// The last shared place.
    pub last: u32,
}

/// The key of a contest: the tie as it stood when the contest began, and its number among the contests of these
/// players.
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
    pub contest: ContestId,
    /// The round of the contest, from 1.
    pub round: u32,
    /// The player with White in game 1.
    pub white: PairingNumber,
    /// The player with Black in game 1.
    pub black: PairingNumber,
    /// The number of games; colours alternate.
    pub games: u32,
    /// Limits by the side played, White's first.
    pub limits: [TimeControl; 2],
    /// What a draw is worth.
    pub draw: Draw,
}

/// The worth of a drawn game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Half a point each.
    Shared,
    /// Draw odds: Black wins.
    WinForBlack,
}

/// The purpose of a lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Purpose {
    pub contest: ContestId,
    /// What the lot settles.
    pub what: LotOf,
    /// The number of the drawing after that round, from 1. What was drawn before a result was corrected is void.
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
    /// The pairing numbers of a group of level players; the value is the number of the group in the tie, from 1 (always
    /// 1 for numbers by lot).
    Numbers(u32),
    /// The coin before an Armageddon game.
    Coin {
        /// The round of the knockout, from 1.
        round: u32,
        /// The game, from 1, in the order of the better numbers.
        game: u32,
    },
}

/// A lot that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot {
    pub purpose: Purpose,
    /// In the order drawn. A coin's winner is drawn first.
    pub drawn: Vec<PairingNumber>,
}

/// The arbiter's direction for a tie that the rules leave open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The contest of the question that it answers.
    pub contest: ContestId,
    pub directed: ArbiterDirection,
}

/// The two ways to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArbiterDirection {
    /// A further round robin with these limits.
    RoundRobin(TimeControl),
    /// A result: the players in order; those in one group are not told apart.
    Result(Vec<Vec<PairingNumber>>),
}

impl TieKey {
    /// The number of players in the tie.
    pub const fn size(self) -> usize {
        (self.last - self.first) as usize + 1
    }
}

impl PlayoffBoard {
    /// The player with `side` in `game` (from 1).
    pub const fn player(&self, side: Side, game: u32) -> PairingNumber {
        match (side, game % 2 == 1) {
            (Side::White, true) | (Side::Black, false) => self.white,
            (Side::White, false) | (Side::Black, true) => self.black,
        }
    }
}

/// Written as `round 9, places 1-3`; `round 3, section 2, places 1-2`; `round 2, board 4`.
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

/// Written as `round 9, places 1-3, contest 2`.
impl fmt::Display for ContestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, contest {}", self.tie, self.number)
    }
}

/// The purpose of a drawn lot, as hashed: `play-off: round 9, places 1-3, contest 2, coin of game 1.1`, with `…,
/// drawing 2` added where an earlier drawing is void. Stored lots rest on these words.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArbiterDecided {
    pub decision: Decision,
    /// The person who decided: "the Chief Arbiter, or in his absence the Deputy".
    pub by: String,
    /// The people who were consulted.
    pub consulted: Vec<String>,
    pub reason: String,
}
