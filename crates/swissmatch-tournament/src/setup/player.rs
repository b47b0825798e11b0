//! One entry of an event: all keys of a `[[player]]`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use swissmatch_game::isolation::{Device, Isolation};

use super::{Exec, FirstColor, LadderRating, ModelKeys, Restart, SubmissionId, TimeControl};

/// `[[player]]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerKeys {
    /// The name, unique in the event.
    pub name: String,
    /// The program, as written.
    pub command: String,
    pub args: Vec<String>,
    /// The program and its arguments, as written, if it is not an engine and is asked once a move; `command` and `args`
    /// hold them, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub move_command: Vec<String>,
    /// Whether such a program stays alive after its answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_alive: bool,
    /// Whether such a program, if it stays alive, says when it can be asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_ready: bool,
    /// The model that plays, `ENDPOINT:MODEL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Keys by which this model is asked differently.
    #[serde(default, skip_serializing_if = "ModelKeys::is_empty")]
    pub model_keys: ModelKeys,
    /// The address of the web service that is asked once a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_url: Option<String>,
    /// UCI options with the values that are sent.
    pub options: BTreeMap<String, String>,
    /// The rating, if any.
    pub rating: Option<i32>,
    /// Ratings at the start of round 1, 2 and so on, for tie-breaks, if they change during the event; the last one
    /// counts for all later rounds. Empty means `rating` in every round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<i32>,
    /// When the agent was submitted, RFC 3339 in UTC; `None` counts in the order of the file.
    pub submitted_at: Option<jiff::Timestamp>,
    /// The team, for `swiss.keep_apart`.
    #[serde(default)]
    pub team: Option<String>,
    /// The author, for `swiss.keep_apart`.
    #[serde(default)]
    pub author: Option<String>,
    /// The colour that the player chooses in an Armageddon game; `None` means Black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armageddon: Option<FirstColor>,
    /// `go nodes` for this player.
    pub nodes: Option<u64>,
    /// `go depth` for this player.
    pub depth: Option<u32>,
    /// The player's time control, in place of the event's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// The working directory, as written; relative to the event file. `None` means the directory of the event file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Environment variables that replace those of the runner, as written: `$NAME` stands for the runner's own variable
    /// of that name, `$$` at the beginning for a single `$`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Files and directories that the agent writes itself and that are not part of it. As written; relative to where it
    /// runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
    /// Addresses, `HOST:PORT`, that the runner connects it to, whatever else it may reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connect: Vec<String>,
    /// When its engine is started anew, in place of `engine.restart`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Restart>,
    /// How far a move of this player may go beyond its limit, in place of `game.margin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "swissmatch_game::time_control::written::option")]
    pub margin: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<bool>,
    /// What its agent may reach, in place of `engine.isolation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// The programs that its agent may run, in place of `engine.exec`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exec: Option<Exec>,
    /// The devices that its agent uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// Rounds, from 1, in which the player asks for a half-point bye.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<u32>,
    /// The section that the player plays in, one of `event.sections`; `None` means by its rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Whether this is a house player, who only makes an odd number even and is not ranked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub house: bool,
    /// Whether the player counts as unrated, whatever `rating` and `ratings` say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
    /// The submission that the player plays with; `[[player]]` has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<SubmissionId>,
    /// The player's rating in the ladder before the run; `[[player]]` has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderRating>,
    /// How to reach the people behind the player. It stays in the event file: no log and no published file has it.
    #[serde(skip)]
    pub contact: Option<String>,
}

/// What is asked once a move for a player that is not a UCI engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource<'a> {
    /// A program with its arguments, `move_command`.
    Command(&'a [String]),
    /// A language model: the name of its endpoint, and its name there.
    Model(&'a str, &'a str),
    /// A web service at this address, `move_url`.
    Url(&'a str),
}

impl PlayerKeys {
    /// What is asked once a move; `None` for a UCI engine.
    pub fn asks(&self) -> Option<MoveSource<'_>> {
        let model = self.model.as_deref().and_then(|model| model.split_once(':'));
        let model = model.map(|(endpoint, model)| MoveSource::Model(endpoint, model));
        let url = self.move_url.as_deref().map(MoveSource::Url);
        let command = (!self.move_command.is_empty()).then_some(MoveSource::Command(&self.move_command));
        command.or(model).or(url)
    }

    /// True if the player asks for another model than the one that its service says it `served`. A longer name, as with
    /// a date, is not another model.
    pub fn is_other_model(&self, served: &str) -> bool {
        matches!(self.asks(), Some(MoveSource::Model(_, asked)) if !served.starts_with(asked))
    }

    /// True if the player's submission has still to be handed in.
    pub fn awaits_submission(&self) -> bool {
        self.command.is_empty() && self.asks().is_none()
    }

    /// True if the player is asked over the network, by the broker.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.asks(), Some(MoveSource::Model(..) | MoveSource::Url(_)))
    }

    /// True if the player is not an engine, but is asked once a move.
    pub fn is_asked(&self) -> bool {
        !self.move_command.is_empty()
    }

    /// The keys with `command` and `args` set to what is started.
    #[must_use]
    pub fn with_what_is_started(mut self) -> Self {
        if let Some((program, args)) = self.move_command.split_first() {
            program.clone_into(&mut self.command);
            self.args = args.to_vec();
        }
        self
    }

    /// True if its agent must have a GPU.
    pub fn needs_gpu(&self) -> bool {
        self.devices.contains(&Device::Gpu)
    }

    /// The rating that counts; `None` for unrated players.
    pub fn rating(&self) -> Option<i32> {
        self.rating.filter(|_| !self.unrated)
    }

    /// Ratings at the start of each round, the last one for all later rounds; empty for unrated players.
    pub fn ratings_by_round(&self) -> Vec<i32> {
        match self.ratings.as_slice() {
            _ if self.unrated => Vec::new(),
            [] => self.rating.into_iter().collect(),
            ratings => ratings.to_vec(),
        }
    }
}
