//! A column of the standings, `standings.columns`.
//!
//! May not: show anything.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use swiss_system::standings::criterion::{Criterion, ParseCriterionError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A criterion, which may or may not rank.
    Criterion(Criterion),
    /// `"acpl"`: empty until the run has been analysed.
    Acpl,
    /// `"win-rate"`: played games won / played games × 100.
    WinRate,
    /// `"wdl"`: played games won, drawn, lost.
    Wdl,
    /// `"wdl-white"`: like `"wdl"`, but only games with White.
    WdlWhite,
    /// `"wdl-black"`: like `"wdl"`, but only games with Black.
    WdlBlack,
    /// `"games"`: games played.
    Games,
    /// `"byes"`
    Byes,
    /// `"forfeits"`: unplayed games won and lost.
    Forfeits,
    /// `"faults"`
    Faults,
    /// `"attempts"`: failed attempts at moves.
    Attempts,
    /// `"move-time"`: mean time of a move.
    MoveTime,
    /// `"accuracy"`: mean accuracy of a move; empty until the run has been analysed.
    Accuracy,
    /// `"blunders"`: empty until the run has been analysed.
    Blunders,
    /// `"tokens-in"`: tokens of prompts, for a player that is asked over the network.
    TokensIn,
    /// `"tokens-out"`: tokens of answers, likewise.
    TokensOut,
    /// `"cost"`: in the unit of the prices, likewise.
    Cost,
    /// `"cost-a-win"`: cost / played games won, likewise.
    CostAWin,
    /// `"legal-share"`: moves / attempts × 100, with its interval, likewise.
    LegalShare,
    /// `"score"`: (played games won + half of those drawn) / played games × 100, with its interval.
    Score,
    /// `"score-without-faults"`: like `"score"`, but without the games that the player lost by a fault of its own.
    ScoreWithoutFaults,
}

/// Columns that are not criteria, and criteria whose cell shows something other than the value.
const WORDS: [(&str, Column); 20] = [
    ("acpl", Column::Acpl),
    ("win-rate", Column::WinRate),
    ("wdl", Column::Wdl),
    ("wdl-white", Column::WdlWhite),
    ("wdl-black", Column::WdlBlack),
    ("games", Column::Games),
    ("byes", Column::Byes),
    ("forfeits", Column::Forfeits),
    ("faults", Column::Faults),
    ("attempts", Column::Attempts),
    ("move-time", Column::MoveTime),
    ("accuracy", Column::Accuracy),
    ("blunders", Column::Blunders),
    ("tokens-in", Column::TokensIn),
    ("tokens-out", Column::TokensOut),
    ("cost", Column::Cost),
    ("cost-a-win", Column::CostAWin),
    ("legal-share", Column::LegalShare),
    ("score", Column::Score),
    ("score-without-faults", Column::ScoreWithoutFaults),
];

impl Column {
    /// The words of the columns that are not criteria.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }
}

/// The text is not a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}; columns that are no tie-breaks are {words}", words = Column::words().collect::<Vec<_>>().join(", "))]
pub struct ParseColumnError(ParseCriterionError);

impl FromStr for Column {
    type Err = ParseColumnError;

    fn from_str(text: &str) -> Result<Self, ParseColumnError> {
        match WORDS.iter().find(|(word, _)| *word == text) {
            Some((_, column)) => Ok(*column),
            None => text.parse().map(Self::Criterion).map_err(ParseColumnError),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, WORDS.iter().find(|(_, column)| column == self)) {
            (Self::Criterion(criterion), _) => criterion.fmt(f),
            (_, word) => f.pad(word.map_or("", |(word, _)| word)),
        }
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_column() {
        for (word, column) in WORDS {
            assert_eq!((word.parse(), column.to_string().as_str()), (Ok(column), word));
        }
        let cut: Column = "BH/C1".parse().expect("a criterion");
        assert_eq!(cut.to_string(), "BH/C1");
    }
}
