//! One entry of an event: every key of a `[[player]]`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use swissmatch_game::isolation::{Device, Isolation};

use super::{Exec, FirstColor, LadderRating, ModelKeys, Restart, SubmissionId, TimeControl};

/// `[[player]]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerKeys {
    /// Name, unique in the event.
    pub name: String,
    /// Program, as written.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The program and its arguments, as written, where it is no engine and is asked once a move; `command` and `args` have them, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub move_command: Vec<String>,
    /// Whether such a program goes on after its answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_alive: bool,
    /// Whether such a program that goes on says when it can be asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_ready: bool,
    /// The model that plays, `ENDPOINT:MODEL`, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How it is asked, where that is not as for all.
    #[serde(default, skip_serializing_if = "ModelKeys::is_empty")]
    pub model_keys: ModelKeys,
    /// The address of the web service that is asked once a move, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_url: Option<String>,
    /// UCI options, values as they are sent.
    pub options: BTreeMap<String, String>,
    /// Rating, if any.
    pub rating: Option<i32>,
    /// Ratings at the start of round 1, 2 and so on, for tie-breaks, where they change during the event; the last one counts
    /// for all rounds after it. Empty: `rating` in every round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<i32>,
    /// When the agent was submitted, RFC 3339 in UTC; `None` counts in the order of the file.
    pub submitted_at: Option<jiff::Timestamp>,
    /// Team, for `swiss.keep_apart`.
    #[serde(default)]
    pub team: Option<String>,
    /// Author, for `swiss.keep_apart`.
    #[serde(default)]
    pub author: Option<String>,
    /// The colour that it chooses in an Armageddon game; `None`: Black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armageddon: Option<FirstColor>,
    /// `go nodes` of this player.
    pub nodes: Option<u64>,
    /// `go depth` of this player.
    pub depth: Option<u32>,
    /// Time control of this player, in place of the event's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// Working directory, as written; relative to the event file. `None`: where the event file is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Variables over those of the runner's environment, as written: `$NAME` stands for the runner's own variable of that
    /// name, `$$` at the beginning for one `$`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Files that it writes itself, and directories of such: no part of it. As written; relative to where it runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
    /// Addresses, `HOST:PORT`, that the runner connects it to, whatever it may reach otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connect: Vec<String>,
    /// When its engine is started anew, in place of `engine.restart`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Restart>,
    /// How far over its limit a move of this player may be, in place of `game.margin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "swissmatch_game::time_control::written::option")]
    pub margin: Option<Duration>,
    /// Whether this player ponders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<bool>,
    /// What its agent may reach, in place of `engine.isolation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// Which programs its agent may run, in place of `engine.exec`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exec: Option<Exec>,
    /// Which devices its agent uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// Rounds, from 1, in which it asks for a half-point bye.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<u32>,
    /// The section in which it plays, one of `event.sections`; `None`: as its rating says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Whether it plays only to make an odd number even, and is not ranked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub house: bool,
    /// Whether it counts as unrated, whatever `rating` and `ratings` say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
    /// What it plays by, where that was handed in; `[[player]]` has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<SubmissionId>,
    /// Its rating in the ladder before the run; `[[player]]` has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderRating>,
    /// How its people are reached. It stands in the event file alone: no log, no published file has it.
    #[serde(skip)]
    pub contact: Option<String>,
}

/// What of a player is asked once a move, where it is no UCI engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource<'a> {
    /// A program with its arguments, `move_command`.
    Command(&'a [String]),
    /// A language model, at the endpoint of this name, and what it is called there.
    Model(&'a str, &'a str),
    /// A web service at this address, `move_url`.
    Url(&'a str),
}

impl PlayerKeys {
    /// What of it is asked once a move; `None`: it is a UCI engine.
    pub fn asks(&self) -> Option<MoveSource<'_>> {
        let model = self.model.as_deref().and_then(|model| model.split_once(':'));
        let model = model.map(|(endpoint, model)| MoveSource::Model(endpoint, model));
        let url = self.move_url.as_deref().map(MoveSource::Url);
        let command = (!self.move_command.is_empty()).then_some(MoveSource::Command(&self.move_command));
        command.or(model).or(url)
    }

    /// Whether it asks for another model than the one that its service says it `served`. What more a name says, such as a date, is no
    /// other.
    pub fn is_other_model(&self, served: &str) -> bool {
        matches!(self.asks(), Some(MoveSource::Model(_, asked)) if !served.starts_with(asked))
    }

    /// Whether nothing says yet what plays: it is to be handed in.
    pub fn awaits_submission(&self) -> bool {
        self.command.is_empty() && self.asks().is_none()
    }

    /// Whether what is asked is elsewhere, over the broker.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.asks(), Some(MoveSource::Model(..) | MoveSource::Url(_)))
    }

    /// Whether it is no engine, but a program that is asked once a move.
    pub fn is_asked(&self) -> bool {
        !self.move_command.is_empty()
    }

    /// The same where `command` and `args` are what is started.
    #[must_use]
    pub fn with_what_is_started(mut self) -> Self {
        if let Some((program, args)) = self.move_command.split_first() {
            program.clone_into(&mut self.command);
            self.args = args.to_vec();
        }
        self
    }

    /// Whether its agent has to have a GPU.
    pub fn needs_gpu(&self) -> bool {
        self.devices.contains(&Device::Gpu)
    }

    /// The rating that counts; none of the unrated.
    pub fn rating(&self) -> Option<i32> {
        self.rating.filter(|_| !self.unrated)
    }

    /// Ratings at the start of each round, the last one for all rounds after it; none of the unrated.
    pub fn ratings_by_round(&self) -> Vec<i32> {
        match self.ratings.as_slice() {
            _ if self.unrated => Vec::new(),
            [] => self.rating.into_iter().collect(),
            ratings => ratings.to_vec(),
        }
    }
}
