//! `[mini_match]`: how many games two players play, and from which openings.
//!
//! May not: read files, know TOML.

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

/// `mini_match.openings`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Openings {
    /// `"bundled"`: the suite that ships with swissmatch.
    Bundled,
    /// `"unbalanced"`: the other suite that ships with swissmatch, in which one side is ahead.
    Unbalanced,
    /// `"none"`: every game from the start position.
    None,
    /// A file (EPD, FEN per line, PGN, Polyglot; also packed), as written; relative to the event file.
    File(String),
    /// `"chess960"`: the 960 start positions of Chess960.
    Chess960,
}

impl From<Openings> for String {
    fn from(openings: Openings) -> Self {
        match openings {
            Openings::Bundled => "bundled".to_owned(),
            Openings::Unbalanced => "unbalanced".to_owned(),
            Openings::None => "none".to_owned(),
            Openings::Chess960 => "chess960".to_owned(),
            Openings::File(path) => path,
        }
    }
}

impl From<String> for Openings {
    fn from(written: String) -> Self {
        match written.as_str() {
            "bundled" => Self::Bundled,
            "unbalanced" => Self::Unbalanced,
            "none" => Self::None,
            "chess960" => Self::Chess960,
            _ => Self::File(written),
        }
    }
}

/// `mini_match.opening_format`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningFormat {
    /// `"by-name"`: by the extension of the file.
    #[default]
    ByName,
    /// `"epd"`
    Epd,
    /// `"fen"`: a FEN per line.
    Fen,
    /// `"pgn"`
    Pgn,
    /// `"polyglot"`: a book.
    Polyglot,
}

words!(OpeningFormat {
    ByName => "by-name",
    Epd => "epd",
    Fen => "fen",
    Pgn => "pgn",
    Polyglot => "polyglot",
});

/// `mini_match.opening_order`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    /// `"random"`: shuffled by `event.rng_seed`.
    Random,
    /// `"sequential"`: as in the suite.
    Sequential,
}

words!(OpeningOrder {
    Random => "random",
    Sequential => "sequential",
});

/// `mini_match.opening_policy`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningPolicy {
    /// `"round"`: all mini-matches of a round share their openings.
    #[default]
    Round,
    /// `"event"`: all mini-matches of the event share their openings, across rounds.
    Event,
    /// `"mini-match"`: each mini-match has openings of its own.
    MiniMatch,
}

words!(OpeningPolicy {
    Round => "round",
    Event => "event",
    MiniMatch => "mini-match",
});

/// The most games of a mini-match.
pub const MOST_GAMES: u32 = 1_000_000;

/// `[mini_match]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MiniMatchKeys {
    /// The number of games; even, or 1.
    pub games: u32,
    pub openings: Openings,
    /// The format of an openings file, whatever its name.
    pub opening_format: OpeningFormat,
    /// The order in which openings are taken.
    pub opening_order: OpeningOrder,
    /// The longest opening line taken from a PGN suite or a book, in plies; `None` takes whole lines of a PGN suite.
    pub opening_plies: Option<u32>,
    /// The first opening played, by its number in the order of play, from 1.
    pub opening_start: u32,
    /// Which mini-matches share openings.
    pub opening_policy: OpeningPolicy,
}

impl Default for MiniMatchKeys {
    fn default() -> Self {
        Self {
            games: 2,
            openings: Openings::Bundled,
            opening_format: OpeningFormat::default(),
            opening_order: OpeningOrder::Random,
            opening_plies: None,
            opening_start: 1,
            opening_policy: OpeningPolicy::default(),
        }
    }
}
