//! The port by which games are played: a host takes orders and gives reports. All of them can be written down, so that
//! a host may be another machine.
//!
//! Before a run begins the host finds its agents and starts each once. Then it opens slots, each of which plays one
//! game at a time and keeps the engines of a mini-match up between its games. The host itself decides on the cores of a
//! slot, and whether there is room. What is stored of a game is up to the receiver of its report. May not: decide what
//! is played.

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

/// An order to a host.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostOrder {
    /// Find these agents, and look into their files; answered by [`HostReport::Found`].
    Find {
        /// As in the event file.
        agents: Vec<AgentSpec>,
    },
    /// Start each of these once before the event, and end it again; answered by [`HostReport::Introduced`].
    Introduce {
        /// As they were found.
        agents: Vec<AgentSpec>,
        /// How many games are to be played at once, and where.
        host: HostKeys,
    },
    /// Start this agent and listen until its first move; answered by [`HostReport::Heard`].
    Listen {
        /// As it was found.
        agent: Box<AgentSpec>,
        /// The GPUs of which it is given one, if it must have one.
        gpus: Vec<u32>,
    },
    /// Ask this agent by itself: one step of its examination, beginning with the handshake; answered by
    /// [`HostReport::Examined`].
    Examine {
        /// As it was found.
        agent: Box<AgentSpec>,
        /// How long it may take to start, to answer and to quit.
        engine: Box<EngineKeys>,
        /// The GPUs of which it is given one, if it must have one.
        gpus: Vec<u32>,
        /// The step; not one that plays games.
        step: CheckStep,
    },
    /// Open slots for games on these terms; answered by [`HostReport::Open`].
    Open(Box<Terms>),
    /// Check who is there before a round is paired: each agent must be what was registered, and shake hands within the
    /// limit; answered by [`HostReport::Present`].
    Present {
        /// The round that is to be paired, from 1.
        round: u32,
        /// The players whose agents have to be there.
        players: Vec<PairingNumber>,
        /// How long each agent may take.
        limit: Duration,
    },
    /// End the presence check without a result.
    Abandon,
    /// A game between these two will begin soon: start their engines.
    Seat {
        /// The number of the slot, from 0.
        slot: usize,
        /// White first.
        players: [PairingNumber; 2],
    },
    /// Play these games, one after the other; each is answered by [`HostReport::Played`] or [`HostReport::NotPlayed`].
    /// If an agent does not start, the games after that are not begun.
    Play {
        /// The number of the slot, from 0.
        slot: usize,
        task: Box<Task>,
    },
    /// Do not begin these games, which were given to a slot behind others; each that has not begun is answered by
    /// [`HostReport::NotPlayed`].
    Recall { games: Vec<GameId> },
    /// End a game that is being played with this result.
    Adjudicate { game: GameId, outcome: Outcome },
    /// There is nothing to play for now: end the engines.
    Rest {
        /// The number of the slot, from 0.
        slot: usize,
    },
    /// A late entry, with the next pairing number; answered by [`HostReport::Entered`].
    Enter(Box<AgentSpec>),
    /// The log has the results of these games, each for this issue: copies elsewhere need no longer be kept.
    Booked(Vec<(GameId, u32)>),
    /// The log has these workers, from earlier runners.
    Known(Vec<WorkerAdmitted>),
    /// The event is over: nothing more is played.
    Over,
}

/// The terms on which a host opens slots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// By pairing number.
    pub agents: Vec<AgentSpec>,
    /// The number of threads that each of them thinks with.
    pub threads: Vec<usize>,
    /// How many games are played at once, and where.
    pub host: HostKeys,
    /// How many games that need no core are played beside these.
    #[serde(default, skip_serializing_if = "is_none")]
    pub beside: usize,
    /// How many times an engine that does not get ready for a game is started.
    pub start_attempts: u32,
    /// Which games report their evidence.
    pub evidence: Evidence,
    /// The most text of a game's evidence, in KiB.
    pub evidence_game: u32,
    /// How many times a game that takes more memory than there is is given up before it counts.
    pub replays: u32,
    /// Clocks run by the schedule, so the host's own clock has to be right.
    pub by_the_clock: bool,
    /// Each game reports how much memory its engines took.
    pub weigh: bool,
    /// The most men with which endgame tablebases decide games; `None` if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase_men: Option<u32>,
    /// The games of this run that were taken from earlier runs so far, with their origin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<(GameId, TakenFrom)>,
}

/// Games of one mini-match, at most [`SlotGroup::games_a_task`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// In the order of play.
    pub games: Vec<IssuedGame>,
    /// Since when the first clock of the first game has been running, if it runs by the schedule; `None` if it starts
    /// with the game.
    pub since: Option<Timestamp>,
}

/// A game that is given out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IssuedGame {
    pub spec: GameSpec,
    /// How many times it has been given out, from 1: [`swissmatch_tournament::state::State::issue_of`].
    pub issue: u32,
}

/// A report of a host.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostReport {
    /// What each agent is made of, or why it was not found.
    Found(Vec<Result<AgentFound, FindAgentError>>),
    /// What each agent said about itself.
    Introduced(Result<Vec<IntroductionReport>, HostError>),
    /// What a step of an examination saw, or what the machine lacked.
    Examined(Result<Box<ExaminationReport>, HostError>),
    /// What an agent said until its first move, or what the machine lacked.
    Heard(Result<Box<FirstMoveReport>, HostError>),
    /// Slots are open; each says itself when it is free.
    Open(Result<SlotsReport, HostError>),
    /// A slot has opened, or has carried out [`HostOrder::Seat`] or [`HostOrder::Rest`]. After a game it is free too,
    /// and does not say so again: the game's report tells whose engines are up there.
    Free {
        /// The number of the slot, from 0.
        slot: usize,
        /// The players whose engines are up there.
        up: Vec<PairingNumber>,
    },
    /// Who is absent, or what the machine lacks to find out.
    Present(Result<PresenceChecked, String>),
    /// A view of a game that is being played. A missed one is made up for by the next. A host whose views can be looked
    /// at does not send any.
    Live(Box<Live>),
    Played(Box<GameReport>),
    /// A game was not played, through no fault of its players: it is due again.
    NotPlayed {
        /// The number of the slot, from 0; it is free again, with no engines up.
        slot: usize,
        /// The game.
        game: GameId,
        /// What kept it from being played.
        whose: NotPlayedCause,
        /// What happened.
        why: String,
    },
    /// A service that players ask is away, has another reason to be away, or answers again. This comes before the
    /// reports of games that were not played because of it.
    Outage(Box<Outage>),
    /// Whether a late entry can play, or why not.
    Entered(Result<(), String>),
    /// An agent has made its first move, and had said by then that it could not open these files.
    Unopened {
        /// The player.
        player: PairingNumber,
        /// The files.
        unopened: Vec<UnopenedFile>,
    },
    /// All processes of an agent have ended, and these files, which its options name, are in its scratch directory.
    Left {
        /// The player.
        player: PairingNumber,
        /// The files.
        files: Vec<LeftFile>,
    },
    /// A sentence for people, about this machine or another.
    Remark(String),
    /// Another machine is admitted to play games of the run, or has changed; comes before the first game that it has
    /// played.
    Worker(Box<WorkerAdmitted>),
    /// A slot is now at this machine, if all games of a mini-match have to be played on one; other slots there report
    /// it, too.
    At {
        /// The number of the slot, from 0.
        slot: usize,
        /// The machine.
        place: String,
    },
    /// A slot takes no games until it says again that it is free: games that it was given and that have not begun are
    /// answered by [`HostReport::NotPlayed`] after this.
    Closed {
        /// The number of the slot, from 0.
        slot: usize,
    },
    /// Another runner, named here, has taken the event: this one may not write any more.
    Overtaken(String),
    /// A slot has gone, and why; empty if it was told to end.
    Gone {
        /// The number of the slot, from 0.
        slot: usize,
        /// The reason, as a sentence.
        why: String,
    },
}

impl HostReport {
    /// True if it answers an order from before games are played; any other report may come at any time.
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
    pub seen: StepReport,
    /// What the agent has said about itself so far.
    pub introduction: Option<Introduction>,
    /// What it seems to lack because of its isolation, if it did not start.
    pub lacks: Vec<Lack>,
}

/// Slots that a host has opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotsReport {
    /// Groups of like slots, which are numbered from 0 in this order.
    pub groups: Vec<SlotGroup>,
    /// A description for the manifest of the run.
    pub manifest: serde_json::Value,
    /// What isolated agents are not kept from here.
    #[serde(default)]
    pub missing: Vec<Protection>,
    /// Why engines have no control groups here; `None` if they have, or there are no engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_no_groups: Option<String>,
    /// The memory that all engines share here, in bytes; `None` if unknown, or there are no engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Engines and compilers that isolated agents can run here, if some may run any program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within_reach: Vec<String>,
    /// The class of this machine: agents play alike on machines of one class. `None` if nothing is known about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

impl SlotsReport {
    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.groups.iter().map(|group| group.slots).sum()
    }
}

/// Slots that are alike, on one machine or several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotGroup {
    /// The number of slots.
    pub slots: usize,
    /// The games that they take.
    pub takes: Takes,
    /// How many GPUs their games have together.
    pub gpus: usize,
    /// How many short games of a mini-match a slot may be given at once, so that it need not wait for each. 0 counts as
    /// 1.
    #[serde(default)]
    pub games_a_task: usize,
    /// A game that was begun there is played on when the runner ends.
    pub outlives: bool,
    /// The class of the machines if it is not [`SlotsReport::machine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(slots: &usize) -> bool {
    *slots == 0
}

/// Why a host does not carry out an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostError {
    /// A key of the event file asks for what this host cannot give.
    #[error("{key}: {message}")]
    Key {
        key: String,
        message: String,
        /// The remedy.
        help: String,
    },
    /// The agent of a player cannot be started as its keys ask.
    #[error("{why}")]
    Agent { player: String, why: FindAgentError },
    /// The machine lacks something.
    #[error("{0}")]
    Machine(String),
}

/// What kept a game from being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotPlayedCause {
    /// The host, which cannot play on.
    Host,
    /// The machine, which lacks something.
    Machine,
    /// The request to stop, or not to begin the game.
    Stop,
    /// The service that a player asks: it did not answer for as long as it is waited for.
    Service,
    /// Something of the organizer's: a key, an address, a quota, the spending on a service. The reason says what to
    /// repair.
    Configuration,
}

/// A game that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// The slot, which is free again.
    pub slot: usize,
    /// The players whose engines are now up there.
    pub up: Vec<PairingNumber>,
    /// All that is known about the game.
    pub record: GameRecord,
    /// What was said in it, if that is kept.
    pub evidence: Option<String>,
    /// It ended by a signal that may have been meant for all processes: if the runner was asked to stop, it was.
    pub doubtful: bool,
    /// The most memory that the processes of one of its engines had, in bytes, if that was asked for.
    pub memory: Option<u64>,
    /// The game of an earlier run that it was taken from, if it was not played now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<TakenFrom>,
    /// The worker that played it, if not the runner's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<PlayedOn>,
}

#[derive(Clone)]
pub struct Reports(Arc<dyn Fn(HostReport) + Send + Sync>);

impl Reports {
    /// Reports to `told`, which may have gone.
    pub fn to(told: impl Fn(HostReport) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    pub fn tell(&self, report: HostReport) {
        (self.0)(report);
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reports")
    }
}

/// Keeps a runner from writing after it stood still, when another one may have taken its run. Usually nothing does.
#[derive(Clone, Default)]
pub struct Fence(Option<Arc<dyn Fn() -> MayWrite + Send + Sync>>);

/// Whether a runner may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayWrite {
    Now,
    /// That is not known yet.
    NotYet,
    /// Another runner has the run.
    NeverMore,
}

impl Fence {
    /// A fence that asks before each thing that is written.
    pub fn of(ask: impl Fn() -> MayWrite + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    pub fn may_write(&self) -> MayWrite {
        self.0.as_ref().map_or(MayWrite::Now, |ask| ask())
    }
}

impl fmt::Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fence")
    }
}

/// Plays the games of a run. When dropped, it ends every slot, and each slot says when it has gone.
///
/// Orders are answered in the order in which they came, except that games and presence checks take their time.
pub trait GameHost: Send {
    /// Sets where it reports to; called before the first order.
    fn connect(&mut self, reports: Reports);

    /// Takes an order without waiting for its outcome.
    fn order(&mut self, order: HostOrder);

    /// Tells the host the run's directory, for what it keeps beside the log. The run is known by the hash of its log's
    /// first entry.
    ///
    /// # Errors
    /// The host cannot keep it there, or another runner has the run.
    fn keep_in(&mut self, _directory: &Path, _run: &str) -> io::Result<()> {
        Ok(())
    }

    /// The fence that keeps this runner from writing once another one may have taken the run; asked for once slots are
    /// open.
    fn fence(&self) -> Fence {
        Fence::default()
    }

    /// The agents that use most of what the machine may be lacking, as a sentence; `None` if that cannot be seen.
    fn heaviest(&self) -> Option<String> {
        None
    }

    /// The views of its games while they are played, once slots are open; `None` if it reports them by
    /// [`HostReport::Live`].
    fn views(&self) -> Option<Arc<Views>> {
        None
    }
}
