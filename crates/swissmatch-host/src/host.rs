//! The port by which games are played: a host takes orders and gives reports. All of them can be written down, so that a host may
//! be another machine.
//!
//! Before a run begins the host finds its agents and starts each once. Then it opens slots, each of which plays one game at a time
//! and keeps the engines of a mini-match up between its games. Which cores a slot has, and whether there is room, is the host's
//! own. What is stored of a game is made by whoever is told. May not: decide what is played.

pub mod agent;
pub mod earlier;
pub mod key;
pub mod scripted;
pub mod views;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;

use swissmatch_broker::outage::Outage;
use swissmatch_game::conformance::{CheckStep, FirstMoveReport, StepReport};
use swissmatch_game::handshake::Introduction;
use swissmatch_game::isolation::{Lack, Protection, UnopenedFile};
use swissmatch_game::record::{GameId, GameRecord, GameSpec};
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::log::{PlayedOn, PresenceChecked, TakenFrom, WorkerAdmitted};
use swissmatch_tournament::setup::{EngineKeys, Evidence, HostKeys};

use views::{Live, Views};

pub use crate::scratch::{LeftFile, MOST_LEFT};
pub use agent::{AgentFound, AgentSpec, FindAgentError, IntroductionReport};

/// What a host is asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostOrder {
    /// Find these agents, and look what is in their files; answered by [`HostReport::Found`].
    Find {
        /// As the event file has them.
        agents: Vec<AgentSpec>,
    },
    /// Start each of these once before the event, and end it again; answered by [`HostReport::Introduced`].
    Introduce {
        /// As they were found.
        agents: Vec<AgentSpec>,
        /// How many games are to be played at once, and where.
        host: HostKeys,
    },
    /// Start this agent and hear it until its first move; answered by [`HostReport::Heard`].
    Listen {
        /// As it was found.
        agent: Box<AgentSpec>,
        /// The GPUs of which it is given one, where it has to have one.
        gpus: Vec<u32>,
    },
    /// Ask this agent by itself: a step of its examination, of which the handshake is the first; answered by
    /// [`HostReport::Examined`].
    Examine {
        /// As it was found.
        agent: Box<AgentSpec>,
        /// How long it may take to start, to answer and to quit.
        engine: Box<EngineKeys>,
        /// The GPUs of which it is given one, where it has to have one.
        gpus: Vec<u32>,
        /// What is looked at: no step that takes games.
        step: CheckStep,
    },
    /// Open slots for the games of these; answered by [`HostReport::Open`].
    Open(Box<Terms>),
    /// Look who is there before a round is paired: whether each agent is what was registered, and shakes hands within the limit;
    /// answered by [`HostReport::Present`].
    Present {
        /// The round that is to be paired, from 1.
        round: u32,
        /// Those whose agents have to be there.
        players: Vec<PairingNumber>,
        /// How long each agent may take.
        limit: Duration,
    },
    /// Look no more who is there.
    Abandon,
    /// A game of these two is to begin soon: start their engines.
    Seat {
        /// Number of the slot, from 0.
        slot: usize,
        /// White first.
        players: [PairingNumber; 2],
    },
    /// Play these games, one after the other; each is answered by [`HostReport::Played`] or [`HostReport::NotPlayed`]. Where an agent does not
    /// start, those that follow are not begun.
    Play {
        /// Number of the slot, from 0.
        slot: usize,
        /// The games.
        task: Box<Task>,
    },
    /// Begin none of these games, which were given to a slot behind others; each that has not begun is answered by
    /// [`HostReport::NotPlayed`].
    Recall {
        /// Their numbers.
        games: Vec<GameId>,
    },
    /// End a game that is being played so.
    Adjudicate {
        /// Its number.
        game: GameId,
        /// What it is to give.
        outcome: Outcome,
    },
    /// There is nothing to play for now: end the engines.
    Rest {
        /// Number of the slot, from 0.
        slot: usize,
    },
    /// A late entry, which has the next pairing number; answered by [`HostReport::Entered`].
    Enter(Box<AgentSpec>),
    /// The log has what came of these games, each of this issue: whoever keeps it elsewhere need not any more.
    Booked(Vec<(GameId, u32)>),
    /// The log knows these workers, from runners before this one.
    Known(Vec<WorkerAdmitted>),
    /// The event is over: nothing more is played.
    Over,
}

/// What the slots of a host are for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The agents, by pairing number.
    pub agents: Vec<AgentSpec>,
    /// On how many threads each of them thinks.
    pub threads: Vec<usize>,
    /// How many games are played at once, and where.
    pub host: HostKeys,
    /// How many games that need no core are played beside these.
    #[serde(default, skip_serializing_if = "is_none")]
    pub beside: usize,
    /// How often an engine that does not get ready for a game is started anew.
    pub start_attempts: u32,
    /// Which games report their evidence.
    pub evidence: Evidence,
    /// How much text of a game that is, in KiB.
    pub evidence_game: u32,
    /// How often a game that takes more memory than there is is given up before it counts.
    pub replays: u32,
    /// Whether clocks run by the schedule, so that the host's own has to be right.
    pub by_the_clock: bool,
    /// Whether each game reports how much memory its engines took.
    pub weigh: bool,
    /// Up to how many men endgame tablebases decide games; `None`: none do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase_men: Option<u32>,
    /// Which games of this run were taken from earlier runs so far, and from where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<(GameId, TakenFrom)>,
}

/// Games of one mini-match, at most [`SlotGroup::games_a_task`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// In the order in which they are played.
    pub games: Vec<IssuedGame>,
    /// Since when the first clock of the first game runs, where it runs by the schedule; `None`: it starts with the game.
    pub since: Option<Timestamp>,
}

/// A game that is given out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IssuedGame {
    /// The game.
    pub spec: GameSpec,
    /// Which time it is given out, from 1: [`swissmatch_tournament::state::State::issue_of`].
    pub issue: u32,
}

/// What came of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostReport {
    /// What each agent is made of, or why it was not found.
    Found(Vec<Result<AgentFound, FindAgentError>>),
    /// What each agent said of itself.
    Introduced(Result<Vec<IntroductionReport>, HostError>),
    /// What a step of an examination saw, or what the machine lacked.
    Examined(Result<Box<ExaminationReport>, HostError>),
    /// What an agent said until its first move, or what the machine lacked.
    Heard(Result<Box<FirstMoveReport>, HostError>),
    /// There are slots, which say themselves when they are free.
    Open(Result<SlotsReport, HostError>),
    /// A slot has opened, or has done what [`HostOrder::Seat`] or [`HostOrder::Rest`] told it. After a game it is free too, and does not say
    /// so again: who hears that a game is over knows whose engines are up there.
    Free {
        /// Number of the slot, from 0.
        slot: usize,
        /// Whose engines are up there.
        up: Vec<PairingNumber>,
    },
    /// Who is absent, or what the machine lacks to see it.
    Present(Result<PresenceChecked, String>),
    /// What is seen of a game that is being played. Whoever misses one sees the next; a host whose views can be looked at tells
    /// none.
    Live(Box<Live>),
    /// A game has been played.
    Played(Box<GameReport>),
    /// A game has not been played, by nobody's fault who plays: it is due again.
    NotPlayed {
        /// Number of the slot, from 0; it is free again, and no engine is up there.
        slot: usize,
        /// Its number.
        game: GameId,
        /// Whose doing it was.
        whose: NotPlayedCause,
        /// What happened.
        why: String,
    },
    /// A service at which players are asked is away, another reason for that is seen, or it answers again. It comes before the reports of
    /// games that were not played because of it.
    Outage(Box<Outage>),
    /// Whether a late entry can play, or why not.
    Entered(Result<(), String>),
    /// An agent has made its first move, and said until then that it could not open these files.
    Unopened {
        /// Whose it is.
        player: PairingNumber,
        /// What it said.
        unopened: Vec<UnopenedFile>,
    },
    /// All processes of an agent have ended, and these files are in its scratch directory, which options of it name.
    Left {
        /// Whose they are.
        player: PairingNumber,
        /// The files.
        files: Vec<LeftFile>,
    },
    /// Something is worth a sentence, of this machine or another.
    Remark(String),
    /// Another machine is admitted to play games of the run, or is not what it was; before the first game that it has played.
    Worker(Box<WorkerAdmitted>),
    /// A slot is at this machine from now on, where all games of a mini-match have to be played at one: other slots there say so, too.
    At {
        /// Number of the slot, from 0.
        slot: usize,
        /// The machine.
        place: String,
    },
    /// A slot takes no game until it says again that it is free: those that it was given and that have not begun are answered by
    /// [`HostReport::NotPlayed`] after this.
    Closed {
        /// Number of the slot, from 0.
        slot: usize,
    },
    /// Another runner has taken the event, and who: this one may write nothing any more.
    Overtaken(String),
    /// A slot is there no more, and why; empty where it was told to end.
    Gone {
        /// Number of the slot, from 0.
        slot: usize,
        /// The reason, as a sentence.
        why: String,
    },
}

impl HostReport {
    /// Whether it answers what is asked before games are played; anything else may come at any time.
    pub const fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::Found(_) | Self::Introduced(_) | Self::Examined(_) | Self::Heard(_) | Self::Open(_)
        )
    }
}

/// What a step of an examination saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExaminationReport {
    /// That.
    pub seen: StepReport,
    /// What the agent has said of itself so far.
    pub introduction: Option<Introduction>,
    /// What it seems to lack, where it is isolated and did not start.
    pub lacks: Vec<Lack>,
}

/// Slots that a host has opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotsReport {
    /// Those that are alike, numbered from 0 in this order.
    pub groups: Vec<SlotGroup>,
    /// What they are, for the manifest of the run.
    pub manifest: serde_json::Value,
    /// What isolated agents are not kept from here.
    #[serde(default)]
    pub missing: Vec<Protection>,
    /// Why engines have no control groups here; `None`: they have, or there are no engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_no_groups: Option<String>,
    /// Bytes of memory that all engines share here; `None`: not known, or there are no engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Engines and compilers that isolated agents can run here, where some may run any program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within_reach: Vec<String>,
    /// The class of this machine: on machines of one class agents play alike. `None` where nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

impl SlotsReport {
    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.groups.iter().map(|group| group.slots).sum()
    }
}

/// Slots that are alike, at one machine or at several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotGroup {
    /// How many.
    pub slots: usize,
    /// Which games they take.
    pub takes: Takes,
    /// How many GPUs their games have together.
    pub gpus: usize,
    /// How many games of a mini-match a slot may be given at once, so that it need not wait for each: short ones. 0 is 1.
    #[serde(default)]
    pub games_a_task: usize,
    /// Whether a game that was begun there is played on when the runner ends.
    pub outlives: bool,
    /// The class of the machines where it is not [`SlotsReport::machine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(slots: &usize) -> bool {
    *slots == 0
}

/// Why a host does not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostError {
    /// A key of the event file asks for what this host cannot give.
    #[error("{key}: {message}")]
    Key {
        /// Its name.
        key: String,
        /// What is wrong.
        message: String,
        /// What helps.
        help: String,
    },
    /// The agent of a player cannot be started as its keys ask.
    #[error("{why}")]
    Agent {
        /// Whose.
        player: String,
        /// Why.
        why: FindAgentError,
    },
    /// The machine lacks something.
    #[error("{0}")]
    Machine(String),
}

/// Whose doing it is that a game was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotPlayedCause {
    /// The host's: it cannot play on.
    Host,
    /// The machine's, which lacks something.
    Machine,
    /// Of whoever had the host stop, or not begin it.
    Stop,
    /// The service's at which a player is asked: it did not answer for as long as it is waited for.
    Service,
    /// The organizer's: a key, an address, a quota, the spending of a service. What is to be mended stands in the reason.
    Configuration,
}

/// A game that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// Where; the slot is free again.
    pub slot: usize,
    /// Whose engines are up there now.
    pub up: Vec<PairingNumber>,
    /// All that is known of it.
    pub record: GameRecord,
    /// What was said, where that is kept.
    pub evidence: Option<String>,
    /// Whether it ended by a signal that may have been meant for all: where the runner was asked to stop, it was.
    pub doubtful: bool,
    /// The most memory of the processes of one of its engines, in bytes, where that was asked for.
    pub memory: Option<u64>,
    /// The game of an earlier run that it is, where it was not played now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<TakenFrom>,
    /// Where it was played, if not on the runner's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<PlayedOn>,
}

/// Where reports go.
#[derive(Clone)]
pub struct Reports(Arc<dyn Fn(HostReport) + Send + Sync>);

impl Reports {
    /// To whom they go; whoever is told may have gone.
    pub fn to(told: impl Fn(HostReport) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    /// Reports.
    pub fn tell(&self, report: HostReport) {
        (self.0)(report);
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reports")
    }
}

/// What keeps a runner from writing that stood still, so that another one may have taken its run. Usually nothing does.
#[derive(Clone, Default)]
pub struct Fence(Option<Arc<dyn Fn() -> MayWrite + Send + Sync>>);

/// Whether a runner may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayWrite {
    /// It may.
    Now,
    /// It is not known yet.
    NotYet,
    /// Another one has the run.
    NeverMore,
}

impl Fence {
    /// Whoever is asked before each thing that is written.
    pub fn of(ask: impl Fn() -> MayWrite + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// Whether the runner may write now.
    pub fn may_write(&self) -> MayWrite {
        self.0.as_ref().map_or(MayWrite::Now, |ask| ask())
    }
}

impl fmt::Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fence")
    }
}

/// Whoever plays the games of a run. Dropped, it ends every slot, and each slot says when it has gone.
///
/// Orders are answered in the order in which they came, but for those that games and roll calls take their time for.
pub trait GameHost: Send {
    /// To whom it reports from now on; before the first order.
    fn connect(&mut self, reports: Reports);

    /// Takes an order, and does not wait for what comes of it.
    fn order(&mut self, order: HostOrder);

    /// A run has its directory: what the host keeps of it beside the log is there. The run is known by the hash of its log's first entry.
    ///
    /// # Errors
    /// When it cannot be kept there, or another runner has the run.
    fn keep_in(&mut self, _directory: &Path, _run: &str) -> io::Result<()> {
        Ok(())
    }

    /// What keeps this runner from writing once another one may have taken the run; asked for once slots are open.
    fn fence(&self) -> Fence {
        Fence::default()
    }

    /// Which agents use most of what a machine may lack just now, as a sentence; `None` where that cannot be seen.
    fn heaviest(&self) -> Option<String> {
        None
    }

    /// What can be seen of its games while they are played, once slots are open; `None`: it tells of them by [`HostReport::Live`].
    fn views(&self) -> Option<Arc<Views>> {
        None
    }
}
