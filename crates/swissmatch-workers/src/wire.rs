//! What runner and workers tell each other, as it is written down.
//!
//! May not: know what carries it.

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

/// Version of these shapes.
pub const VERSION: u32 = 1;
/// What a signed card begins with: what was signed for anything else is none.
const OF_CARD: &str = "card of an event of swissmatch\n";

/// Games to be played by one worker, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskMessage {
    /// [`VERSION`].
    pub version: u32,
    /// Which runner of the event gave it out: a later one has a higher number.
    pub runner: u64,
    /// The games, of one mini-match.
    pub games: Vec<IssuedGame>,
    /// The agents of their players, by the hashes of their bundles: those of White and Black of the first game.
    pub agents: [String; 2],
}

impl TaskMessage {
    /// Its games but for these, each with the agents of its players, White first.
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

/// What came of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultMessage {
    /// [`VERSION`].
    pub version: u32,
    /// Its number.
    pub game: GameId,
    /// Which time it was given out.
    pub issue: u32,
    /// The agents that played, as in the task.
    pub agents: [String; 2],
    /// The class of the machine.
    pub class: String,
    /// What came of it.
    pub came: Came,
}

/// What came of a game at a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Came {
    /// It was played.
    Played {
        /// All that is known of it.
        record: Box<GameRecord>,
        /// What was said, where that is kept.
        evidence: Option<String>,
        /// The most memory of the processes of one of its engines, in bytes, where that was asked for.
        memory: Option<u64>,
    },
    /// It was not played, by nobody's fault who plays.
    NotPlayed {
        /// Whose doing it was.
        whose: NotPlayedCause,
        /// What happened.
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
    /// Its name.
    pub name: String,
    /// How long a worker that is silent keeps its games.
    pub lease: Duration,
    /// The agents by pairing number, by the hashes of their bundles; `None`: who plays at the runner alone.
    pub agents: Vec<Option<String>>,
    /// What the slots for its games have to be, but for the agents and what is each machine's own.
    pub terms: Terms,
    /// The class of machines that it is played on; `None`: any, as nobody's moves depend on it.
    pub class: Option<String>,
}

/// A card, as its event's owner signed it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SignedCard {
    /// The card, as it was signed.
    text: String,
    signature: String,
}

impl SignedCard {
    /// Signs a card.
    ///
    /// # Errors
    /// When the key does not sign.
    pub fn of(card: &EventCard, signer: &Signer) -> Result<Self, String> {
        let text = format!(
            "{OF_CARD}{}",
            serde_json::to_string(card).map_err(|error| error.to_string())?
        );
        let signature = signer.sign(&text)?;
        Ok(Self { text, signature })
    }

    /// The card, where one of these signed it.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its end.
    pub fn open(&self, owners: &Signers) -> Result<EventCard, String> {
        signature::check(&self.text, &self.signature, Some(owners))?;
        let text = self.text.strip_prefix(OF_CARD);
        let text = text.ok_or_else(|| "what was signed is no card of an event".to_owned())?;
        serde_json::from_str(text).map_err(|error| format!("the card cannot be read: {error}"))
    }

    /// By what it is known.
    pub fn hash(&self) -> String {
        file_hash::hash_text(&self.text)
    }
}

/// A worker, as it says itself what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerCard {
    /// [`VERSION`].
    pub version: u32,
    /// The program's version.
    pub software: String,
    /// Another one each time that it starts: it has nothing then.
    pub session: u64,
    /// The class of its machine.
    pub class: String,
    /// What its machine is, for people.
    pub machine: Value,
    /// The card of the event that it has agents of.
    pub card: String,
    /// Positions a second that each of its games has while all are played; `None`: it was not asked for.
    pub speed: Option<u64>,
    /// Games that it plays at once.
    pub slots: usize,
    /// GPUs that it lends to them.
    pub gpus: usize,
    /// Games that it has been given, and that have not ended: each with its issue.
    pub has: Vec<(GameId, u32)>,
    /// Games that have ended, as long as it does not know that the log has them.
    pub kept: Vec<(GameId, u32)>,
    /// It has been given games of this event since it was started, and so was let in.
    pub has_had_games: bool,
    /// It is about to leave, and begins no more games.
    pub is_leaving: bool,
}

/// What a worker says, that may be lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WorkerSays {
    /// It is there.
    Here(Box<WorkerCard>),
    /// Something is worth a sentence.
    Remark(String),
    /// An agent has made its first move, and said until then that it could not open these files.
    Unopened {
        /// Whose it is.
        player: PairingNumber,
        /// What it said.
        unopened: Vec<UnopenedFile>,
    },
    /// How a game stands at one of its slots.
    Live(Box<Live>),
    /// Who is there, of those after whom the runner asked by this number; or what its machine lacks to see it.
    Present {
        /// The runner's number.
        number: u64,
        /// That.
        seen: Result<SeenThere, String>,
    },
}

/// Who is at a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SeenThere {
    /// Those whom it has looked for.
    pub players: Vec<PairingNumber>,
    /// Of these, who is absent.
    pub absent: Vec<Absence>,
}

/// What a runner says, that may be lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunnerSays {
    /// It is there.
    Here {
        /// Which runner of the event it is.
        runner: u64,
        /// The card of the event, as it is now.
        card: String,
        /// Whether anybody looks at games.
        is_watched: bool,
    },
    /// It has no games for this worker.
    Refused(String),
    /// Of these nothing need be kept any more.
    Settled(Vec<(GameId, u32)>),
    /// These need not be begun.
    Recall(Vec<(GameId, u32)>),
    /// A game is to end so.
    Adjudicate(GameId, Outcome),
    /// It is to look who is there before a round is paired, and to say so.
    WhoIsThere {
        /// Of this question: others may have been asked before.
        number: u64,
        /// The round.
        round: u32,
        /// Whose agents have to be there.
        players: Vec<PairingNumber>,
        /// How long each agent may take.
        limit: Duration,
    },
    /// It need not look any more who is there.
    Abandon,
    /// The event is over.
    Over,
    /// It is to finish its games, and to end.
    Drain,
}
