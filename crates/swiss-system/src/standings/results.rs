//! Results of the players, round by round: the only input of the standings.
//!
//! May not: know games, engines, files; rank anything.

use std::collections::BTreeSet;
use std::ops::{Add, AddAssign};

use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::{Points, PointsTable};
use crate::word::words;

/// The end of a played round for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchResult {
    /// Won: in a mini-match, more game points than the opponent.
    Won,
    /// Drawn: equal game points.
    Drawn,
    /// Lost: fewer game points.
    Lost,
}

/// Played games with one colour, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColorCounts {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl ColorCounts {
    /// The number of games.
    pub const fn played(self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

impl Add for ColorCounts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }
}

/// A player's games, counted. A game that was not played (a forfeit before the first move) counts in `forfeits_*`
/// alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Played with White.
    pub white: ColorCounts,
    /// Played with Black.
    pub black: ColorCounts,
    /// Unplayed games won by forfeit.
    pub forfeits_won: u32,
    /// Unplayed games won by forfeit in which the player had Black.
    pub forfeits_won_with_black: u32,
    /// Unplayed games lost by forfeit.
    pub forfeits_lost: u32,
    /// Game points that the unplayed games gave.
    pub forfeit_points: Points,
    /// Games that ended by this player's own fault (time forfeit, illegal move, crash, not started), played or not.
    pub faults: u32,
    /// Failed attempts at moves.
    pub failed_attempts: u32,
    /// The number of moves whose time is known.
    pub moves: u32,
    /// The time of these moves, in microseconds.
    pub thinking_us: u64,
}

impl GameCounts {
    /// Played games, both colours together.
    pub fn both(self) -> ColorCounts {
        self.white + self.black
    }

    /// Number of games that were played.
    pub fn played(self) -> u32 {
        self.both().played()
    }
}

impl Add for GameCounts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            white: self.white + other.white,
            black: self.black + other.black,
            forfeits_won: self.forfeits_won + other.forfeits_won,
            forfeits_won_with_black: self.forfeits_won_with_black + other.forfeits_won_with_black,
            forfeits_lost: self.forfeits_lost + other.forfeits_lost,
            forfeit_points: self.forfeit_points + other.forfeit_points,
            faults: self.faults + other.faults,
            failed_attempts: self.failed_attempts.saturating_add(other.failed_attempts),
            moves: self.moves.saturating_add(other.moves),
            thinking_us: self.thinking_us.saturating_add(other.thinking_us),
        }
    }
}

impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The reason for a round without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bye {
    /// Nobody was left to pair with.
    PairingAllocated,
    /// A full point, given.
    FullPoint,
    /// Half a point, asked for.
    HalfPoint,
    /// No points: absent, not entered yet, or withdrawn.
    ZeroPoint,
}

/// One round of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundFate {
    /// Played over the board, to its end.
    Played {
        /// The opponent.
        opponent: PairingNumber,
        /// The colour, in a mini-match that of its first game.
        color: FirstColor,
        /// The result for the player.
        result: MatchResult,
    },
    /// Still being played: it gives no match points, and no tie-break uses it except H2H, Fore Buchholz (in the last
    /// round) and the counts of games and of game points.
    Unfinished {
        /// The opponent.
        opponent: PairingNumber,
        /// The colour, in a mini-match that of its first game.
        color: FirstColor,
    },
    /// Paired, not played.
    Forfeit {
        /// The opponent; some tournament files do not name one.
        opponent: Option<PairingNumber>,
        /// Won: by the opponent's fault. Lost: by the player's own fault, or nobody came. Drawn: each forfeited as
        /// many games.
        result: MatchResult,
    },
    /// Not paired.
    Bye(Bye),
    /// A round for which the table has no opponent (all-play-all, gauntlet, round 1 of a knockout), or in which a house player
    /// rests: "no round of that player to any tie-break: neither an unplayed round, nor part of the maximum, nor a dummy
    /// opponent".
    Free,
    /// A round whose result was annulled: as if it had never been.
    Annulled,
}

impl RoundFate {
    /// The opponent of a decided round, played or forfeited.
    pub const fn opponent(self) -> Option<PairingNumber> {
        match self {
            Self::Played { opponent, .. } => Some(opponent),
            Self::Forfeit { opponent, .. } => opponent,
            Self::Unfinished { .. } | Self::Bye(_) | Self::Free | Self::Annulled => None,
        }
    }

    /// The opponent, whatever the result.
    pub const fn paired(self) -> Option<PairingNumber> {
        match self {
            Self::Unfinished { opponent, .. } => Some(opponent),
            _ => self.opponent(),
        }
    }

    /// The result, played or forfeited.
    pub const fn result(self) -> Option<MatchResult> {
        match self {
            Self::Played { result, .. } | Self::Forfeit { result, .. } => Some(result),
            Self::Unfinished { .. } | Self::Bye(_) | Self::Free | Self::Annulled => None,
        }
    }

    /// True if it counts as a round: not if there was nobody to be met, nor if it was annulled.
    pub const fn is_round(self) -> bool {
        !matches!(self, Self::Free | Self::Annulled)
    }

    /// True if it was a win or a loss by forfeit.
    pub fn is_forfeit(self, ended: MatchResult) -> bool {
        matches!(self, Self::Forfeit { result, .. } if result == ended)
    }

    /// The opponent, if it was played over the board.
    pub const fn played(self) -> Option<PairingNumber> {
        match self {
            Self::Played { opponent, .. } => Some(opponent),
            _ => None,
        }
    }
}

/// One round of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRound {
    /// What happened in the round.
    pub fate: RoundFate,
    /// Match points of the round; in a tournament without match points, the points.
    pub points: Points,
    /// Game points of the round so far; in a tournament without match points, the points.
    pub game_points: Points,
    /// The player's games in it.
    pub games: GameCounts,
    /// True if the two had met before (a forced repeat).
    pub repeat: bool,
    /// True if the player was left over without a right to the bye, `bye.again`.
    pub sat_out: bool,
}

impl PlayerRound {
    /// A round without an opponent.
    pub fn bye(bye: Bye, points: Points, game_points: Points) -> Self {
        Self {
            fate: RoundFate::Bye(bye),
            points,
            game_points,
            games: GameCounts::default(),
            repeat: false,
            sat_out: false,
        }
    }

    /// "A bye is the round of a present player who is left over", with a right to it or without; "a full-point bye that the
    /// arbiter awards counts as one".
    pub fn is_bye(&self) -> bool {
        self.sat_out || matches!(self.fate, RoundFate::Bye(Bye::PairingAllocated | Bye::FullPoint))
    }

    /// A round that gave nothing and was not paired.
    pub fn absent() -> Self {
        Self::bye(Bye::ZeroPoint, Points::ZERO, Points::ZERO)
    }

    /// A round in which the table has no opponent.
    pub fn free() -> Self {
        Self {
            fate: RoundFate::Free,
            ..Self::absent()
        }
    }
}

/// All results of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerResults {
    /// One entry for each round that has been paired, in order; every player has equally many.
    pub rounds: Vec<PlayerRound>,
    /// Bonus and penalty points, which no round gave; match points if there are both kinds.
    pub bonus: Points,
    /// Game points that no round gave, if there are both kinds.
    pub game_bonus: Points,
    /// Rating at the start of each round; the last one counts for all later rounds. Empty for the unrated.
    pub ratings: Vec<i32>,
}

impl PlayerResults {
    /// The number of rounds from `from` on (from 0) that were neither free nor annulled.
    pub fn counted_rounds(&self, from: usize) -> usize {
        let rounds = self.rounds.iter().skip(from);
        rounds.filter(|round| round.fate.is_round()).count()
    }

    /// The rating at the start of a round, from 0.
    pub fn rating(&self, round: usize) -> Option<i32> {
        self.ratings.get(round).or(self.ratings.last()).copied()
    }
}

/// The worth of a win and a draw, for rounds without a result of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// A win.
    pub win: Points,
    /// A draw.
    pub draw: Points,
}

impl From<PointsTable> for Worth {
    fn from(PointsTable { win, draw, .. }: PointsTable) -> Self {
        Self { win, draw }
    }
}

impl Default for Worth {
    /// 1 and 1/2.
    fn default() -> Self {
        Self {
            win: Points::ONE,
            draw: Points::HALF,
        }
    }
}

/// The rule on who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultsFormat {
    /// A Swiss.
    #[default]
    Swiss,
    /// A table: everybody meets everybody, or those whom it names (Scheveningen, Schiller); forfeits count as games.
    RoundRobin,
}

words!(ResultsFormat {
    Swiss => "swiss",
    RoundRobin => "round-robin",
});

/// The tournament so far, with players in order of their pairing numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// All players.
    pub players: Vec<PlayerResults>,
    /// The worth of a round in match points (in points, if there are no match points).
    pub worth: Worth,
    /// The worth of a round in game points: that of a mini-match with all games won or drawn.
    pub game_worth: Worth,
    /// The rule on who meets whom.
    pub format: ResultsFormat,
    /// Each player's place in the order of submission, from 0; no two are equal. It decides the order among the tied.
    pub submission: Vec<u32>,
    /// Each player's place in the order of lots, from 0.
    pub lots: Vec<u32>,
    /// Players who are not ranked.
    pub left_out: Vec<PairingNumber>,
    /// Pairing numbers as they are shown, if they are not 1, 2, 3 …; else empty.
    pub numbers: Vec<u32>,
    /// Names, for the order of listing after submission; in the same order as `players`.
    pub names: Vec<String>,
    /// Players who are ranked with the others and then taken off the list: "nobody's score or tie-break changes"
    /// (Immortal Game).
    pub struck: Vec<PairingNumber>,
    /// Rounds of the whole tournament; `None` for those that have been paired.
    pub planned: Option<usize>,
}

impl Results {
    /// The pairing number as it is shown.
    pub fn number(&self, player: PairingNumber) -> u32 {
        self.numbers.get(player.index()).copied().unwrap_or(player.0)
    }

    /// Takes these players off the list; those who are not ranked at all stay so.
    pub fn leave_off(&mut self, out: &BTreeSet<PairingNumber>) {
        self.left_out.retain(|player| out.contains(player));
        let is_ranked = |player: &&PairingNumber| !self.left_out.contains(player);
        self.struck = out.iter().filter(is_ranked).copied().collect();
    }

    /// True if the last round has not been paired yet.
    pub fn is_before_last_round(&self) -> bool {
        self.planned.is_some_and(|planned| self.rounds() < planned)
    }

    /// The number of rounds that have been paired.
    pub fn rounds(&self) -> usize {
        self.players.iter().map(|player| player.rounds.len()).max().unwrap_or(0)
    }
}
