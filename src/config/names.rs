//! The words of keys that take one of a few: each value of the setup and the string that means it.
//!
//! May not: know keys; one value has the same name wherever it stands.

use crate::tournament::setup::{
    AccelerationRule, ByeCriterion, ColorRule, Column, Criterion, Edition, Evidence, InitialColor, Kinship,
    OpeningOrder, PairingSystem, Pinning, Seeding, TpnParity,
};

/// A value that is written as one word.
pub trait Named: Copy + Eq + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Its word.
    fn name(self) -> &'static str;
}

/// Ties each value to its word; the compiler sees that none is left out.
macro_rules! names {
    ($type:ty { $($value:ident => $name:literal,)+ }) => {
        impl Named for $type {
            const ALL: &'static [Self] = &[$(Self::$value),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    };
}

names!(PairingSystem {
    MatchPoints => "match-points",
    Dutch => "dutch",
});

names!(ColorRule {
    FirstGame => "first-game",
    Ignore => "ignore",
});

names!(Edition {
    Of2017 => "2017",
    Of2026 => "2026",
});

names!(TpnParity {
    Participants => "participants",
    Listed => "listed",
});

names!(InitialColor {
    Lot => "lot",
    White => "white",
    Black => "black",
});

names!(AccelerationRule {
    None => "none",
    Baku => "baku",
});

names!(Kinship {
    Team => "team",
    Author => "author",
});

names!(Seeding {
    Rating => "rating",
    Submitted => "submitted",
    Listed => "listed",
    Random => "random",
});

names!(OpeningOrder {
    Random => "random",
    Sequential => "sequential",
});

names!(ByeCriterion {
    NoByeYet => "no-bye-yet",
    LowestMatchPoints => "lowest-match-points",
    WorstPreviousPlace => "worst-previous-place",
    EarliestSubmission => "earliest-submission",
});

names!(Criterion {
    MatchPoints => "match-points",
    H2h => "h2h",
    Buchholz => "buchholz",
    SonnebornBerger => "sonneborn-berger",
    GamePoints => "game-points",
});

names!(Column {
    MatchPoints => "match-points",
    H2h => "h2h",
    Buchholz => "buchholz",
    SonnebornBerger => "sonneborn-berger",
    GamePoints => "game-points",
    Acpl => "acpl",
    WinRate => "win-rate",
    Wdl => "wdl",
    Games => "games",
    Byes => "byes",
    Faults => "faults",
});

names!(Pinning {
    Auto => "auto",
    None => "none",
});

names!(Evidence {
    Faults => "faults",
    All => "all",
});
