//! The rules of a play-off: which places are told apart, and how.
//!
//! May not: look at results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::time_control::TimeControl;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayoffRules {
    /// Places that must be told from the next one: 1 stands for 1|2, 3 for 3|4. A level mini-match of a knockout is
    /// always told apart, whatever is listed here.
    pub boundaries: Vec<u32>,
    /// Like `boundaries`, for sections whose prizes differ from those of the event, by section numbers from 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub of_sections: BTreeMap<u32, Vec<u32>>,
    /// If three or more are tied, only the first two by number play for the place; the others stay behind them. This
    /// needs a tie that is cut after its first place alone; any other tie is played by everyone in it.
    pub top_two: bool,
    pub numbers: Numbers,
    /// What is played, one stage after the other; after the last one the arbiter decides.
    pub stages: Vec<PlayoffStage>,
}

/// Where the pairing numbers of a play-off come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// By criteria, then by lot among those still level; fixed for the whole play-off (Grand Chess Tour 2024, 2.3,
    /// 3.3).
    Order,
    /// By lot, drawn anew before each round robin, except that after an odd-numbered one the same players play again
    /// with colours reversed (Grand Chess Tour 2024, 4.7 to 4.10.1).
    Lot,
}

/// One stage of a play-off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayoffStage {
    /// The result between the two tied players, if they met on that day and it was decisive (City Chess, 1). Not for
    /// more than two.
    HeadToHead,
    /// For two players a mini-match of two games. For three or more, everyone meets everyone once.
    RoundRobin {
        /// The limits for two players.
        two: TimeControl,
        /// The limits for three or more.
        more: TimeControl,
    },
    /// A knockout of single games, in which a draw is a win for Black. It only settles the first place of a tie, so it
    /// is passed over if the tie is cut elsewhere.
    Armageddon {
        white: TimeControl,
        black: TimeControl,
        colors: Colors,
    },
}

/// How the colours of an Armageddon game are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// A coin is tossed; its winner chooses.
    Choice,
    /// By lot: the player drawn first has White.
    Lot,
}

words!(Colors {
    Choice => "choice",
    Lot => "lot",
});
