//! Open games that ended without a result: a runner ended, a service did not answer, or a machine could not play them.

use serde::{Deserialize, Serialize};

use swissmatch_game::record::GameId;

/// How a runner's process that plays ended, if known: by a signal or with an exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HowEnded {
    /// The number of the signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Why a game was interrupted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The service that a player asks failed it; says how.
    Service(String),
    /// The service was away and answered nobody; says how.
    Outage(String),
    /// A machine could not play the game although it played others; says why.
    Machine(String),
    /// A machine could play nothing; says why.
    Standstill(String),
    #[serde(untagged)]
    Runner(HowEnded),
}

/// Games that were begun but are not in the log when a runner ended, or that a service or a machine kept from being
/// played to their end. They are due again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesInterrupted {
    /// The games in schedule order; `None` if unknown, as after a power cut.
    pub games: Option<Vec<GameId>>,
    /// How the process that plays ended.
    #[serde(flatten)]
    pub ended: HowEnded,
    /// The message about the service that did not answer, if that is the cause; the runner goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The message about the machine that could not play the game, if that is the cause; the runner goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The service answered nobody, or the machine could play nothing: then it does not count for `run.replays`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outage: bool,
}

impl GamesInterrupted {
    /// The interruption of one game while the runner goes on.
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

    pub fn cause(&self) -> Cause {
        match (&self.service, &self.machine) {
            (Some(why), _) if self.outage => Cause::Outage(why.clone()),
            (Some(why), _) => Cause::Service(why.clone()),
            (None, Some(why)) if self.outage => Cause::Standstill(why.clone()),
            (None, Some(why)) => Cause::Machine(why.clone()),
            (None, None) => Cause::Runner(self.ended),
        }
    }

    /// True if it reports the end of a runner.
    pub const fn is_of_runner(&self) -> bool {
        self.service.is_none() && self.machine.is_none()
    }
}
