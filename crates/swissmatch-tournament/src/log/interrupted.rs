//! Games that were open and ended without a result: a runner ended, a service did not answer, or a machine could not play them.

use serde::{Deserialize, Serialize};

use swissmatch_game::record::GameId;

/// How the playing process of a runner ended, as far as that is known: by a signal, or with an exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HowEnded {
    /// The number of the signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Why a game was interrupted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The service at which a player is asked failed it: what was told of that.
    Service(String),
    /// That service was away, and answered nobody: what was told of that.
    Outage(String),
    /// A machine could not play it, while others were played: what was told of that.
    Machine(String),
    /// A machine could play nothing: what was told of that.
    Standstill(String),
    /// The runner ended.
    #[serde(untagged)]
    Runner(HowEnded),
}

/// A runner ended while games were open: begun, and not in the log. Or a service, or a machine, did not let a game be played to its end.
/// They are due again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesInterrupted {
    /// Which games, in the order of the schedule; `None`: that is not known, as after a power cut.
    pub games: Option<Vec<GameId>>,
    /// How its playing process ended.
    #[serde(flatten)]
    pub ended: HowEnded,
    /// What was told of the service that did not answer, where that is why; the runner goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// What was told of the machine that could not play it, where that is why; the runner goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Whether that service answered nobody, or that machine could play nothing: it does not count for `run.replays`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outage: bool,
}

impl GamesInterrupted {
    /// That a game was interrupted, and why, while the runner went on.
    pub fn of(game: GameId, why: Cause) -> Self {
        let mut interrupted = Self {
            games: Some(vec![game]),
            outage: matches!(why, Cause::Outage(_) | Cause::Standstill(_)),
            ..Self::default()
        };
        match why {
            Cause::Service(why) | Cause::Outage(why) => interrupted.service = Some(why),
            Cause::Machine(why) | Cause::Standstill(why) => interrupted.machine = Some(why),
            Cause::Runner(ended) => interrupted.ended = ended,
        }
        interrupted
    }

    /// Why.
    pub fn cause(&self) -> Cause {
        match (&self.service, &self.machine) {
            (Some(why), _) if self.outage => Cause::Outage(why.clone()),
            (Some(why), _) => Cause::Service(why.clone()),
            (None, Some(why)) if self.outage => Cause::Standstill(why.clone()),
            (None, Some(why)) => Cause::Machine(why.clone()),
            (None, None) => Cause::Runner(self.ended),
        }
    }

    /// Whether it tells of the end of a runner.
    pub const fn is_of_runner(&self) -> bool {
        self.service.is_none() && self.machine.is_none()
    }
}
