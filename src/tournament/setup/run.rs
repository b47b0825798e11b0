//! Keys of how an event is carried out, `[run]`.
//!
//! May not: change a result; read files, know TOML.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use swiss_system::word::words;

/// Which games keep their UCI transcript and stderr, `run.evidence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// `"faults"`: games that ended in a fault or had a failed attempt.
    Faults,
    /// `"all"`
    All,
}

words!(Evidence {
    Faults => "faults",
    All => "all",
});

/// Whether a game has a core of its own, `run.pin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinning {
    /// `"auto"`: where the games at once take all the cores there are, each game (both engines, of which one thinks at a
    /// time, and what serves them) stays on cores of its own, as many as its engines have threads.
    Auto,
    /// `"none"`: never.
    None,
    /// `"always"`: also where cores are left over.
    Always,
}

words!(Pinning {
    Auto => "auto",
    Always => "always",
    None => "none",
});

/// What a comment of a move has besides evaluation, depth and time, `run.pgn_extras`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnExtra {
    /// `"clock"`: clock left after the move, `tl=`.
    Clock,
    /// `"latency"`: time of the move less what the engine reports of it, `latency=`.
    Latency,
    /// `"nodes"`: `n=`.
    Nodes,
    /// `"seldepth"`: `sd=`.
    Seldepth,
    /// `"nps"`: nodes a second, `nps=`.
    Nps,
    /// `"hashfull"`: thousandths of the hash table, `hashfull=`.
    Hashfull,
    /// `"tbhits"`: tablebase hits, `tbhits=`.
    Tbhits,
    /// `"engine-time"`: time as the engine reports it, `engine-time=`.
    EngineTime,
    /// `"wakeup"`: the runner's own delay, `wakeup=`.
    Wakeup,
    /// `"pv"`: the variation expected, `pv="…"`.
    Pv,
}

words!(PgnExtra {
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

impl PgnExtra {
    /// In the order in which they stand in a comment, whatever the order of the key: that of other runners.
    pub const IN_ORDER: [Self; 10] = [
        Self::Clock,
        Self::Latency,
        Self::Nodes,
        Self::Seldepth,
        Self::Nps,
        Self::Hashfull,
        Self::Tbhits,
        Self::EngineTime,
        Self::Wakeup,
        Self::Pv,
    ];
}

/// `[run]`: how the event is carried out; changes nothing of its results.
#[derive(Clone, Debug, PartialEq, Eq, SmartDefault, Serialize, Deserialize)]
#[serde(default)]
pub struct RunKeys {
    /// Games at once; `None` (`"cores"`): as many as have a physical core for each of their threads.
    pub concurrency: Option<u32>,
    /// Games at once of one player; `None`: no cap.
    pub max_games_per_player: Option<u32>,
    /// Whether a game has a core of its own.
    #[default(Pinning::Auto)]
    pub pin: Pinning,
    /// Which games keep their evidence.
    #[default(Evidence::Faults)]
    pub evidence: Evidence,
    /// What the comments of moves have besides; the order does not matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pgn_extras: Vec<PgnExtra>,
    /// Whether the games at once may have more threads than there are hardware threads.
    pub oversubscribe: bool,
}
