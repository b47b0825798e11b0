//! Keys of how an event is carried out, `[run]`.
//!
//! May not: change a result; read files, know TOML.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use super::anchor::Anchor;

/// Which games keep their UCI transcript and standard error, `run.evidence`.
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

/// Whether each game has cores of its own, `run.pin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinning {
    /// `"auto"`: if the games at once take all the cores there are, each game stays on cores of its own, as many as its
    /// engines have threads. They serve both engines, of which one thinks at a time, and the processes around them.
    Auto,
    /// `"none"`: never.
    None,
    /// `"always"`: even if cores are left over.
    Always,
}

words!(Pinning {
    Auto => "auto",
    Always => "always",
    None => "none",
});

/// What the comment of a move has beside evaluation, depth and time, `run.pgn_extras`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnExtra {
    /// `"clock"`: time left on the clock after the move, `tl=`.
    Clock,
    /// `"latency"`: the time of the move minus the time that the engine reports, `latency=`.
    Latency,
    /// `"nodes"`: `n=`.
    Nodes,
    /// `"seldepth"`: `sd=`.
    Seldepth,
    /// `"nps"`: nodes per second, `nps=`.
    Nps,
    /// `"hashfull"`: thousandths of the hash table, `hashfull=`.
    Hashfull,
    /// `"tbhits"`: tablebase hits, `tbhits=`.
    Tbhits,
    /// `"engine-time"`: time as the engine reports it, `engine-time=`.
    EngineTime,
    /// `"wakeup"`: the runner's own delay, `wakeup=`.
    Wakeup,
    /// `"processor-time"`: processor time for the move, `processor=`.
    ProcessorTime,
    /// `"pv"`: the expected variation, `pv="…"`.
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
    ProcessorTime => "processor-time",
    Pv => "pv",
});

impl PgnExtra {
    /// The order in a comment, whatever the order of the key; other runners use it, too.
    pub const IN_ORDER: [Self; 11] = [
        Self::Clock,
        Self::Latency,
        Self::Nodes,
        Self::Seldepth,
        Self::Nps,
        Self::Hashfull,
        Self::Tbhits,
        Self::EngineTime,
        Self::Wakeup,
        Self::ProcessorTime,
        Self::Pv,
    ];
}

/// How many games an agent may lose by faults, `run.max_faults`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenBound", into = "WrittenBound")]
pub enum FaultBound {
    /// `3`: this many games.
    Games(u32),
    /// `"10%"`: this percentage of its own games, and one game in any case.
    Percent(u32),
}

impl FaultBound {
    /// The number of faulty games, out of `games`, that is allowed.
    pub fn allows(self, games: u32) -> u32 {
        match self {
            Self::Games(most) => most,
            Self::Percent(most) => (games / 100 * most + games % 100 * most / 100).max(1),
        }
    }

    /// True if `lost` games by faults, out of `games`, are more than allowed.
    pub(crate) fn is_passed(self, lost: u32, games: u32) -> bool {
        lost > self.allows(games)
    }
}

impl fmt::Display for FaultBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games(games) => write!(f, "{games}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// A text that is not a share of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a share of games is a whole number from 0 to 100 and a percent sign, such as 10%")]
pub struct FaultBoundError;

impl FromStr for FaultBound {
    type Err = FaultBoundError;

    /// Reads a share such as `"10%"`.
    fn from_str(text: &str) -> Result<Self, FaultBoundError> {
        let number = text.strip_suffix('%').and_then(|number| number.parse().ok());
        let share = number.filter(|percent| *percent <= 100).map(Self::Percent);
        share.filter(|share| share.to_string() == text).ok_or(FaultBoundError)
    }
}

/// The two forms of the key.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a number of games or a share such as \"10%\"")]
enum WrittenBound {
    Number(u32),
    Text(String),
}

impl TryFrom<WrittenBound> for FaultBound {
    type Error = FaultBoundError;

    fn try_from(written: WrittenBound) -> Result<Self, FaultBoundError> {
        match written {
            WrittenBound::Number(games) => Ok(Self::Games(games)),
            WrittenBound::Text(text) => text.parse(),
        }
    }
}

impl From<FaultBound> for WrittenBound {
    fn from(bound: FaultBound) -> Self {
        match bound {
            FaultBound::Games(games) => Self::Number(games),
            share @ FaultBound::Percent(_) => Self::Text(share.to_string()),
        }
    }
}

/// `[run]`: how the event is carried out; nothing of it changes the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunKeys {
    /// Games at once; `None` (`"cores"`) means as many as have a physical core for each of their threads.
    pub concurrency: Option<u32>,
    /// Games at once for one player; `None` means no cap.
    pub max_games_per_player: Option<u32>,
    /// Whether each game has cores of its own.
    pub pin: Pinning,
    /// The GPUs that agents are given, by number; one that is listed twice is given to two agents at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gpus: Vec<u32>,
    /// Which games keep their evidence.
    pub evidence: Evidence,
    /// The most evidence kept for a game, in KiB of text.
    pub evidence_game: u32,
    /// The most room for the evidence of all games in the log, in MiB.
    pub evidence_event: u32,
    /// Additions to the comments of moves; their order does not matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pgn_extras: Vec<PgnExtra>,
    /// Whether the games at once may have more threads than there are hardware threads.
    pub oversubscribe: bool,
    /// How many games an agent may lose by faults, or give alarms in; `None` means any number, as in logs that lack the
    /// key.
    #[serde(default)]
    pub max_faults: Option<FaultBound>,
    /// The receivers of the lines with the log's head.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor: Vec<Anchor>,
    /// How many times an interrupted game is handed out again without the arbiter.
    pub replays: u32,
    /// How long a worker may be silent before its games are given to others.
    #[serde(with = "swissmatch_game::time_control::written", skip_serializing_if = "is_usual")]
    pub lease: Duration,
}

/// How long a worker may be silent, by default.
const LEASE: Duration = Duration::from_secs(30);

fn is_usual(lease: &Duration) -> bool {
    *lease == LEASE
}

impl RunKeys {
    /// The keys for a machine that plays.
    pub fn host(&self) -> HostKeys {
        HostKeys {
            concurrency: self.concurrency,
            pin: self.pin,
            gpus: self.gpus.clone(),
            oversubscribe: self.oversubscribe,
        }
    }
}

/// The keys of a machine that plays, as in [`RunKeys`]; each worker has its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostKeys {
    pub concurrency: Option<u32>,
    pub pin: Pinning,
    /// The GPUs that agents are given on this machine.
    pub gpus: Vec<u32>,
    /// Whether the games at once may have more threads than there are hardware threads.
    pub oversubscribe: bool,
}

impl Default for HostKeys {
    fn default() -> Self {
        RunKeys::default().host()
    }
}

impl Default for RunKeys {
    fn default() -> Self {
        Self {
            concurrency: None,
            max_games_per_player: None,
            pin: Pinning::Auto,
            gpus: Vec::new(),
            evidence: Evidence::Faults,
            evidence_game: 1024,
            evidence_event: 1024,
            pgn_extras: Vec::new(),
            oversubscribe: false,
            max_faults: Some(FaultBound::Percent(10)),
            anchor: Vec::new(),
            replays: 2,
            lease: LEASE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_games_allows_one_in_any_case() {
        let tenth = FaultBound::Percent(10);
        for (lost, games, is_passed) in [
            (1, 2, false),
            (2, 20, false),
            (2, 19, true),
            (3, 29, true),
            (0, 0, false),
        ] {
            assert_eq!(tenth.is_passed(lost, games), is_passed, "{lost} of {games}");
        }
        assert!(FaultBound::Games(0).is_passed(1, 100));
        assert_eq!([tenth.allows(8), tenth.allows(29), tenth.allows(250)], [1, 2, 25]);
        assert_eq!(FaultBound::Percent(100).allows(u32::MAX), u32::MAX);
        assert!(!FaultBound::Games(3).is_passed(3, 3));
    }

    #[test]
    fn a_share_is_read_as_it_is_shown() {
        assert_eq!("10%".parse(), Ok(FaultBound::Percent(10)));
        for text in ["10", "%", "101%", "-1%", "+1%", "01%", "1.5%", "10 %"] {
            assert_eq!(text.parse::<FaultBound>(), Err(FaultBoundError), "{text}");
        }
    }

    #[test]
    fn a_log_that_lacks_the_bound_has_none() {
        let keys: RunKeys = serde_json::from_str("{}").expect("every key has a default");
        assert_eq!(keys.max_faults, None);
        let stored = serde_json::to_value(RunKeys::default()).expect("plain data");
        assert_eq!(stored["max_faults"], "10%");
    }
}
