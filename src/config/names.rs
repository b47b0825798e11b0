//! The words of keys that take one of a few: each value of the setup and the string that means it.
//!
//! May not: know keys; one value has the same name wherever it stands.

use crate::game::adjudicate::Decides;
use crate::game::evaluation::Scores;
use crate::pairing::history::FirstColor;
use crate::standings::results::Format;
use crate::tournament::playoff::rules::Colors;
use crate::tournament::setup::{
    AccelerationRule, ByeAgain, ByeCriterion, ClockStart, ColorRule, Disqualified, Edition, Entrants, Evidence,
    HeadToHeadDays, InitialColor, Kinship, Mean, OpeningOrder, OpeningPolicy, PairingSystem, PgnExtra, Pinning,
    PlayoffWhen, PresenceCheck, Restart, Seeding, TieBreakEdition, TiedOn, TpnParity, Variant,
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
    UsChess => "us-chess",
    Immortal => "immortal",
    DoubleSwiss => "double-swiss",
});

names!(ColorRule {
    FirstGame => "first-game",
    Ignore => "ignore",
});

/// Editions have their names where they are, because tournament files have them too.
macro_rules! named_there {
    ($($type:ty),+) => {
        $(impl Named for $type {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        })+
    };
}

named_there!(Edition, TieBreakEdition);

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

names!(Mean {
    Moves => "moves",
    Games => "games",
});

names!(Scores {
    Last => "last",
    Exact => "exact",
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

names!(OpeningPolicy {
    Round => "round",
    MiniMatch => "mini-match",
});

names!(Variant {
    Standard => "standard",
    Chess960 => "chess960",
});

names!(ByeAgain {
    Bye => "bye",
    Requested => "requested",
    Zero => "zero",
});

names!(ByeCriterion {
    FewestByes => "fewest-byes",
    LowestMatchPoints => "lowest-match-points",
    WorstPreviousPlace => "worst-previous-place",
    EarliestSubmission => "earliest-submission",
    LowestRating => "lowest-rating",
});

names!(Format {
    Swiss => "swiss",
    RoundRobin => "round-robin",
});

names!(Decides {
    WinDraw => "win-draw",
    Win => "win",
    Draw => "draw",
});

names!(Disqualified {
    OffTheList => "off-the-list",
    Annulled => "annulled",
});

names!(TiedOn {
    Points => "points",
    Order => "order",
});

names!(PlayoffWhen {
    Tied => "tied",
    IndivisiblePrize => "indivisible-prize",
});

names!(Entrants {
    All => "all",
    TopTwo => "top-two",
});

names!(HeadToHeadDays {
    SameDay => "same-day",
    AnyDay => "any-day",
});

names!(Colors {
    Choice => "choice",
    Lot => "lot",
});

names!(FirstColor {
    White => "white",
    Black => "black",
});

names!(ClockStart {
    Game => "game",
    Schedule => "schedule",
});

names!(PresenceCheck {
    Never => "never",
    BeforeEachRound => "before-each-round",
});

names!(Pinning {
    Auto => "auto",
    None => "none",
    Always => "always",
});

names!(Restart {
    Never => "never",
    Game => "game",
});

names!(Evidence {
    Faults => "faults",
    All => "all",
});

names!(PgnExtra {
    Clock => "clock",
    Latency => "latency",
    Nodes => "nodes",
    Seldepth => "seldepth",
    Nps => "nps",
    Hashfull => "hashfull",
    Tbhits => "tbhits",
    EngineTime => "engine-time",
    Wakeup => "wakeup",
    Pv => "pv",
});
