//! Keys of what follows the rounds: `[playoff]`, `[prizes]`, `[tour]`.
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

/// What players are level on, `playoff.tied_on` and `prizes.tied_on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TiedOn {
    /// `"points"`: the first criterion of `standings.order`.
    #[default]
    Points,
    /// `"order"`: every criterion of it.
    Order,
}

words!(TiedOn {
    Points => "points",
    Order => "order",
});

/// Which ties are played off, `playoff.when`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoffWhen {
    /// `"tied"`: every tie for a place of `playoff.places`.
    #[default]
    Tied,
    /// `"indivisible-prize"`: a tie for a place whose prize has something that cannot be divided.
    IndivisiblePrize,
}

words!(PlayoffWhen {
    Tied => "tied",
    IndivisiblePrize => "indivisible-prize",
});

/// Who plays when three or more are tied, `playoff.entrants`.
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

/// Which games count head to head, `playoff.head_to_head`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadToHeadDays {
    /// `"same-day"`: those of rounds that were paired on the day of the last one, in UTC.
    #[default]
    SameDay,
    /// `"any-day"`
    AnyDay,
}

words!(HeadToHeadDays {
    SameDay => "same-day",
    AnyDay => "any-day",
});

/// Who goes on from a level mini-match of a knockout, `playoff.knockout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelTie {
    /// `"play-off"`: who wins the play-off.
    #[default]
    PlayOff,
    /// `"better-seed"`: the better seed of the two.
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

/// Who is third in a knockout, `playoff.third`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Third {
    /// `"shared"`: both who lost in the semi-finals.
    #[default]
    Shared,
    /// `"better-seed"`: the better seed of them; the other is fourth.
    BetterSeed,
    /// `"match"`: who wins the match that they play beside the final; the other is fourth.
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

    /// What it comes to among so many: of three one is free in the semi-finals, and only one loses there.
    pub const fn among(self, players: usize) -> Self {
        match self {
            Self::Match if players < 4 => Self::Shared,
            as_written => as_written,
        }
    }

    /// The end of a sentence that says that those who went out together share a place.
    pub const fn exception(self) -> &'static str {
        match self {
            Self::Shared => "",
            Self::BetterSeed => ", but of those who lost in the semi-finals the better seed is third",
            Self::Match => ", but those who lost in the semi-finals play a match for the third place",
        }
    }
}

/// Where the pairing numbers of a play-off come from, `playoff.numbers`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<Vec<Criterion>>", into = "WordOr<Vec<Criterion>>")]
pub enum PlayoffNumbers {
    /// `"lot"`: lots, drawn anew by the rule of the Grand Chess Tour, 4.7 to 4.10.1.
    #[default]
    Lot,
    /// Criteria, strictly in turn; lots among those still level.
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
    /// Places that are told from the next one by a play-off: 1 stands for first and second.
    pub places: Vec<u32>,
    /// Which ties for them are played off.
    pub when: PlayoffWhen,
    /// What players are tied on.
    pub tied_on: TiedOn,
    /// Who of three or more plays.
    pub entrants: Entrants,
    /// Order of the tied.
    pub numbers: PlayoffNumbers,
    /// What is contested, one after the other.
    pub stages: Vec<PlayoffStage>,
    /// Which games count head to head.
    pub head_to_head: HeadToHeadDays,
    /// Who goes on from a level mini-match of a knockout. Not stored where it is the usual one: logs are then as before the key.
    #[serde(skip_serializing_if = "LevelTie::is_play_off")]
    pub knockout: LevelTie,
    /// Who is third in a knockout. Not stored where it is the usual one.
    #[serde(skip_serializing_if = "Third::is_shared")]
    pub third: Third,
    /// Least time from the end of the last game to the first game of a play-off.
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
    /// Its money.
    pub money: Cents,
    /// Whether the money goes whole to whoever has the place, rather than being shared by those who are level.
    pub indivisible: bool,
    /// What else goes to whoever has the place.
    pub trophy: Option<String>,
}

impl Prize {
    /// Whether there is something in it that cannot be shared.
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
    /// What the money is; only shown.
    pub currency: String,
    /// Prizes from place 1 on.
    pub by_place: Vec<Prize>,
    /// Part of the first prize that goes to whoever wins a tie for first, at most that prize.
    pub winner_fixed: Cents,
    /// What those who share must be level on.
    pub tied_on: TiedOn,
    /// Tour points from place 1 on.
    pub points: Vec<Points>,
    /// Tour points for winning without a tie.
    pub outright_bonus: Points,
}

impl PrizeKeys {
    /// Whether there is anything to be won.
    pub const fn are_set(&self) -> bool {
        !self.by_place.is_empty() || !self.points.is_empty()
    }
}

/// `[tour]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TourKeys {
    /// Directories of the runs that it is made of, as written; relative to the event file.
    pub runs: Vec<String>,
    /// Money from overall place 1 on.
    pub bonus: Vec<Cents>,
    /// How many first places of the overall standings are invited.
    pub qualified: u32,
}
