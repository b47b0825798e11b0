//! The messages between runner and workers, in their written form.
//!
//! May not: know what carries them.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::isolation::UnopenedFile;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::Outcome;
use swissmatch_host::file_hash;
use swissmatch_host::host::views::Live;
use swissmatch_host::host::{IssuedGame, NotPlayedCause, Terms};
use swissmatch_host::signature::{self, Signer, Signers};
use swissmatch_tournament::log::Absence;

/// The version of these formats.
pub const VERSION: u32 = 1;
/// The beginning of every signed card, so that nothing else that was signed can pass for one.
const OF_CARD: &str = "card of an event of swissmatch\n";

/// Games for one worker to play, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskMessage {
    /// [`VERSION`].
    pub version: u32,
    /// The number of the runner that gave it out: a later runner of the event has a higher number.
    pub runner: u64,
    /// All from one mini-match.
    pub games: Vec<IssuedGame>,
    /// The hashes of the bundles of White's and Black's agents in the first game.
    pub agents: [String; 2],
}

impl TaskMessage {
    /// Its games except those in `kept`, each with the agents of its players, White first.
    pub fn games_but(self, kept: &BTreeSet<(GameId, u32)>) -> Vec<(IssuedGame, [String; 2])> {
        let white = self.games.first().map(|first| first.spec.white);
        let games = self.games.into_iter();
        let games = games.filter(|issued| !kept.contains(&(issued.spec.id, issued.issue)));
        let games = games.map(|issued| {
            let mut agents = self.agents.clone();
            if Some(issued.spec.white) != white {
                agents.reverse();
            }
            (issued, agents)
        });
        games.collect()
    }
}

/// The result of a game at a worker, as sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultMessage {
    /// [`VERSION`].
    pub version: u32,
    pub game: GameId,
    /// How many times it had been given out.
    pub issue: u32,
    /// The agents that played, as in the task.
    pub agents: [String; 2],
    /// The machine class.
    pub class: String,
    pub came: Came,
}

/// The result of a game at a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Came {
    Played {
        /// All that is known about the game.
        record: Box<GameRecord>,
        /// What was said in it, if that is kept.
        evidence: Option<String>,
        /// The most memory that the processes of one of its engines had, in bytes, if that was asked for.
        memory: Option<u64>,
    },
    /// The game was not played, through no fault of a player.
    NotPlayed {
        /// What kept it from being played.
        whose: NotPlayedCause,
        why: String,
    },
}

/// An event as workers see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EventCard {
    /// [`VERSION`].
    pub version: u32,
    /// The hash of the first entry of its log.
    pub run: String,
    pub name: String,
    /// How long a silent worker keeps its games.
    pub lease: Duration,
    /// The hashes of the agents' bundles, by pairing number; `None` for players who play only at the runner.
    pub agents: Vec<Option<String>>,
    /// The terms for the slots of its games, without agents and what each machine decides itself.
    pub terms: Terms,
    /// The machine class that it is played on; `None` means any, as nobody's moves depend on it.
    pub class: Option<String>,
}

/// A card signed by its event's owner.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SignedCard {
    /// The exact text that was signed.
    text: String,
    signature: String,
}

impl SignedCard {
    /// Signs a card.
    ///
    /// # Errors
    /// The key does not sign.
    pub fn of(card: &EventCard, signer: &Signer) -> Result<Self, String> {
        let text = format!(
            "{OF_CARD}{}",
            serde_json::to_string(card).map_err(|error| error.to_string())?
        );
        let signature = signer.sign(&text)?;
        Ok(Self { text, signature })
    }

    /// The card, if one of these owners signed it.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its end.
    pub fn open(&self, owners: &Signers) -> Result<EventCard, String> {
        signature::check(&self.text, &self.signature, Some(owners))?;
        let text = self.text.strip_prefix(OF_CARD);
        let text = text.ok_or_else(|| "what was signed is no card of an event".to_owned())?;
        serde_json::from_str(text).map_err(|error| format!("the card cannot be read: {error}"))
    }

    /// The hash that identifies it.
    pub fn hash(&self) -> String {
        file_hash::hash_text(&self.text)
    }
}

/// A worker's description of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerCard {
    /// [`VERSION`].
    pub version: u32,
    /// The program's version.
    pub software: String,
    /// A new number each time the worker starts, because it then has nothing.
    pub session: u64,
    /// The machine class.
    pub class: String,
    /// A description of its machine, for people.
    pub machine: Value,
    /// The hash of the event's card whose agents it has.
    pub card: String,
    /// Positions per second that each of its games has while all are played; `None` if it was not asked for.
    pub speed: Option<u64>,
    /// The number of games that it plays at once.
    pub slots: usize,
    /// The number of GPUs that it lends to them.
    pub gpus: usize,
    /// Games that it was given and that have not ended, each with its issue.
    pub has: Vec<(GameId, u32)>,
    /// Games that have ended, as long as it does not know that the log has them.
    pub kept: Vec<(GameId, u32)>,
    /// It has been given games of this event since it was started, and so was let in.
    pub has_had_games: bool,
    /// It is about to leave, and begins no more games.
    pub is_leaving: bool,
}

/// A message of a worker, which may be lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WorkerSays {
    /// It is there.
    Here(Box<WorkerCard>),
    /// A sentence for people.
    Remark(String),
    /// An agent has made its first move, and had said by then that it could not open these files.
    Unopened {
        player: PairingNumber,
        unopened: Vec<UnopenedFile>,
    },
    /// A game at one of its slots, as it stands.
    Live(Box<Live>),
    /// The answer to a presence check, or what its machine lacks to make one.
    Present {
        number: u64,
        seen: Result<SeenThere, String>,
    },
}

/// The players present at a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SeenThere {
    /// The players whom it looked for.
    pub players: Vec<PairingNumber>,
    /// Those of them who are absent.
    pub absent: Vec<Absence>,
}

/// A message of a runner, which may be lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunnerSays {
    /// It is there.
    Here {
        /// The number of the runner.
        runner: u64,
        /// The hash of the event's card as it is now.
        card: String,
        /// Someone is watching games.
        is_watched: bool,
    },
    /// It has no games for this worker, with the reason.
    Refused(String),
    /// Results of these games need no longer be kept.
    Settled(Vec<(GameId, u32)>),
    /// These games need not be begun.
    Recall(Vec<(GameId, u32)>),
    /// A game is to end with this result.
    Adjudicate(GameId, Outcome),
    /// Asks the worker to check who is there before a round is paired.
    WhoIsThere {
        /// The number of this check: others may have been asked for before.
        number: u64,
        round: u32,
        /// The players whose agents have to be there.
        players: Vec<PairingNumber>,
        /// How long each agent may take.
        limit: Duration,
    },
    /// The presence check is off.
    Abandon,
    Over,
    /// The worker is to finish its games and end.
    Drain,
}
