//! The rules of a play-off: what is told apart, and by what.
//!
//! May not: look at results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::time_control::TimeControl;

/// How ties are played off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayoffRules {
    /// Places that must be told from the next one: 1 stands for 1|2, 3 for 3|4. A level mini-match of a knockout is
    /// always told apart, whatever stands here.
    pub boundaries: Vec<u32>,
    /// The same for sections whose prizes are others than those of the event, by their numbers from 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub of_sections: BTreeMap<u32, Vec<u32>>,
    /// Of three or more tied, the first two by number alone play for the place; the others stay behind them.
    /// It needs a tie that is cut after its first place alone; any other is played by all.
    pub top_two: bool,
    /// Where pairing numbers come from.
    pub numbers: Numbers,
    /// What is contested, one after the other; after the last the arbiter decides.
    pub stages: Vec<PlayoffStage>,
}

/// Where the pairing numbers of a play-off come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// By criteria, lots among those still level; they last for the whole play-off (Grand Chess Tour 2024, 2.3, 3.3).
    Order,
    /// By lot, drawn anew before each round robin, except that after an odd number of them the same players play with
    /// colours reversed (Grand Chess Tour 2024, 4.7 to 4.10.1).
    Lot,
}

/// One stage of a play-off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayoffStage {
    /// The result between the two tied, if they have met that day and it was decisive (City Chess, 1). Not for more.
    HeadToHead,
    /// Two players: a mini-match of two games. Three or more: everybody meets everybody once.
    RoundRobin {
        /// Limits of two players.
        two: TimeControl,
        /// Limits of three or more.
        more: TimeControl,
    },
    /// A knockout of single games, in which a draw is a win for Black. It tells a tie's first place alone, so it is
    /// passed over where the tie is cut elsewhere.
    Armageddon {
        /// White's limits.
        white: TimeControl,
        /// Black's limits.
        black: TimeControl,
        /// How colours are settled.
        colors: Colors,
    },
}

/// How the colours of an Armageddon game are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// A coin is tossed; its winner chooses.
    Choice,
    /// By lot: who is drawn first has White.
    Lot,
}

words!(Colors {
    Choice => "choice",
    Lot => "lot",
});
