//! Keys of what comes after the rounds: `[playoff]`, `[prizes]`, `[tour]`.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use super::listed;
use crate::money::Cents;
use crate::playoff_rules::PlayoffStage;
use serde::{Deserialize, Serialize};
use swiss_system::score::Points;
use swiss_system::standings::criterion::Criterion;
use swiss_system::word::{WordOr, is_none_of, words};

/// The criteria on which players are level, `playoff.tied_on` and `prizes.tied_on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TiedOn {
    /// `"points"`: the first criterion of `standings.order`.
    #[default]
    Points,
    /// `"order"`: all criteria of `standings.order`.
    Order,
}

words!(TiedOn {
    Points => "points",
    Order => "order",
});

/// The ties that are played off, `playoff.when`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoffWhen {
    /// `"tied"`: every tie for a place of `playoff.places`.
    #[default]
    Tied,
    /// `"indivisible-prize"`: every tie for a place with a prize that cannot be divided.
    IndivisiblePrize,
}

words!(PlayoffWhen {
    Tied => "tied",
    IndivisiblePrize => "indivisible-prize",
});

/// The players of a play-off if three or more are tied, `playoff.entrants`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entrants {
    /// `"all"`
    #[default]
    All,
    /// `"top-two"`: the first two by `playoff.numbers`.
    TopTwo,
}

words!(Entrants {
    All => "all",
    TopTwo => "top-two",
});

/// The games that count head to head, `playoff.head_to_head`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadToHeadDays {
    /// `"same-day"`: games of rounds that were paired on the day of the last one, in UTC.
    #[default]
    SameDay,
    /// `"any-day"`
    AnyDay,
}

words!(HeadToHeadDays {
    SameDay => "same-day",
    AnyDay => "any-day",
});

/// How a level mini-match of a knockout is decided, `playoff.knockout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelTie {
    /// `"play-off"`: by a play-off.
    #[default]
    PlayOff,
    /// `"better-seed"`: for the better seed.
    BetterSeed,
}

words!(LevelTie {
    PlayOff => "play-off",
    BetterSeed => "better-seed",
});

impl LevelTie {
    const fn is_play_off(&self) -> bool {
        matches!(self, Self::PlayOff)
    }
}

/// How third place of a knockout is decided, `playoff.third`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Third {
    /// `"shared"`: by both losers of the semi-finals.
    #[default]
    Shared,
    /// `"better-seed"`: for the better seed of the two losers; the other is fourth.
    BetterSeed,
    /// `"match"`: by a match of the two losers beside the final; the loser is fourth.
    Match,
}

words!(Third {
    Shared => "shared",
    BetterSeed => "better-seed",
    Match => "match",
});

impl Third {
    const fn is_shared(&self) -> bool {
        matches!(self, Self::Shared)
    }

    /// The rule that applies with this many players: with three, one is free in the semi-finals, and only one loses
    /// there.
    pub const fn among(self, players: usize) -> Self {
        match self {
            Self::Match if players < 4 => Self::Shared,
            as_written => as_written,
        }
    }

    /// The end of a sentence that says that players who went out together share a place.
    pub const fn exception(self) -> &'static str {
        match self {
            Self::Shared => "",
            Self::BetterSeed => ", but of those who lost in the semi-finals the better seed is third",
            Self::Match => ", but those who lost in the semi-finals play a match for the third place",
        }
    }
}

/// The source of the pairing numbers of a play-off, `playoff.numbers`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<Vec<Criterion>>", into = "WordOr<Vec<Criterion>>")]
pub enum PlayoffNumbers {
    /// `"lot"`: lots, drawn anew by the rule of the Grand Chess Tour, 4.7 to 4.10.1.
    #[default]
    Lot,
    /// Criteria in strict order; lots among those still level.
    By(Vec<Criterion>),
}

impl From<PlayoffNumbers> for WordOr<Vec<Criterion>> {
    fn from(numbers: PlayoffNumbers) -> Self {
        match numbers {
            PlayoffNumbers::Lot => Self::word("lot"),
            PlayoffNumbers::By(criteria) => Self::Other(criteria),
        }
    }
}

impl TryFrom<WordOr<Vec<Criterion>>> for PlayoffNumbers {
    type Error = String;

    fn try_from(written: WordOr<Vec<Criterion>>) -> Result<Self, String> {
        match written {
            WordOr::Other(criteria) => Ok(Self::By(criteria)),
            WordOr::Word(word) if word == "lot" => Ok(Self::Lot),
            WordOr::Word(word) => Err(is_none_of(&word, r#""lot""#)),
        }
    }
}

/// `[playoff]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayoffKeys {
    /// Places that a play-off tells from the next one: 1 stands for first and second.
    pub places: Vec<u32>,
    pub when: PlayoffWhen,
    pub tied_on: TiedOn,
    pub entrants: Entrants,
    /// The order of the tied players.
    pub numbers: PlayoffNumbers,
    /// The contests, one after the other.
    pub stages: Vec<PlayoffStage>,
    /// The games that count head to head.
    pub head_to_head: HeadToHeadDays,
    /// How a level mini-match of a knockout is decided. The default is not stored, so that logs stay as they were
    /// before the key.
    #[serde(skip_serializing_if = "LevelTie::is_play_off")]
    pub knockout: LevelTie,
    /// How third place of a knockout is decided. The default is not stored.
    #[serde(skip_serializing_if = "Third::is_shared")]
    pub third: Third,
    /// The least time from the end of the last game to the first game of a play-off.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub start_after: Duration,
}

impl Default for PlayoffKeys {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            when: PlayoffWhen::default(),
            tied_on: TiedOn::default(),
            entrants: Entrants::default(),
            numbers: PlayoffNumbers::By(listed(["WIN", "BPG", "DE"])),
            stages: Vec::new(),
            head_to_head: HeadToHeadDays::default(),
            knockout: LevelTie::default(),
            third: Third::default(),
            start_after: Duration::ZERO,
        }
    }
}

/// The prize of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prize {
    pub money: Cents,
    /// The money goes whole to the player who has the place, rather than being shared by level players.
    pub indivisible: bool,
    /// A trophy for the player who has the place.
    pub trophy: Option<String>,
}

impl Prize {
    /// True if part of the prize cannot be shared.
    pub const fn is_indivisible(&self) -> bool {
        self.indivisible || self.trophy.is_some()
    }
}

impl From<Cents> for Prize {
    fn from(money: Cents) -> Self {
        Self {
            money,
            ..Self::default()
        }
    }
}

/// `[prizes]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrizeKeys {
    /// The currency; only shown.
    pub currency: String,
    /// Prizes from place 1 on.
    pub by_place: Vec<Prize>,
    /// The part of the first prize that goes to the winner of a tie for first, at most that prize.
    pub winner_fixed: Cents,
    /// The criteria on which players must be level to share.
    pub tied_on: TiedOn,
    /// Tour points from place 1 on.
    pub points: Vec<Points>,
    /// Tour points for winning without a tie.
    pub outright_bonus: Points,
}

impl PrizeKeys {
    /// True if there are prizes or tour points.
    pub const fn are_set(&self) -> bool {
        !self.by_place.is_empty() || !self.points.is_empty()
    }
}

/// `[tour]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TourKeys {
    /// The directories of its runs, as written; relative to the event file.
    pub runs: Vec<String>,
    /// Money from overall place 1 on.
    pub bonus: Vec<Cents>,
    /// The number of first places in the overall standings that are invited.
    pub qualified: u32,
}
