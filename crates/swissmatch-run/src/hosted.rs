//! A host that is asked and waited for, before games are played.
//!
//! May not: play.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use swissmatch_config::{ConfigError, LoadedEvent};
use swissmatch_game::isolation::Isolation;
use swissmatch_game::record::GameId;
use swissmatch_host::host::earlier::SparingHost;
use swissmatch_host::host::{
    AgentFound, AgentSpec, FindAgentError, GameHost, HostError, HostOrder, HostReport, IntroductionReport, SlotsReport,
    Terms,
};
use swissmatch_host::local::{self, LocalHost};
use swissmatch_host::services::Services;
use swissmatch_host::tablebase::{Tablebases, TablesError};
use swissmatch_tournament::beside;
use swissmatch_tournament::log::TakenFrom;
use swissmatch_tournament::setup::{ClockStart, PlayerKeys, Setup};

use super::conduct::{Ear, Stopper};
use super::earlier::EarlierRuns;
use super::error::RunError;
use super::event_file::EventFile;
use super::services;

/// A host, and where its reports arrive.
pub(super) struct HostConnection {
    pub(super) host: Box<dyn GameHost>,
    pub(super) line: (Stopper, Ear),
}

impl fmt::Debug for HostConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostConnection")
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

/// This machine as the host of an event.
///
/// # Errors
/// When the tablebases are not there by which its games are to be adjudicated; the key is named.
pub fn this_machine(event: &EventFile) -> Result<Box<dyn GameHost>, RunError> {
    this_machine_as(event, Machine::default())
}

/// What is said of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine<'a> {
    /// Its class, where it is not to be found out.
    pub class: Option<&'a str>,
    /// Slots elsewhere whose games are seen here, too.
    pub slots_elsewhere: usize,
}

/// The same as a machine of which this is said.
///
/// # Errors
/// As there.
pub fn this_machine_as(event: &EventFile, machine: Machine<'_>) -> Result<Box<dyn GameHost>, RunError> {
    try_ahead(&event.loaded.setup);
    let host = LocalHost::new(&event.directory, tablebases(event)?)
        .with_services(services::of_event(event)?)
        .with_more_views(machine.slots_elsewhere);
    Ok(Box::new(match machine.class {
        Some(class) => host.of_class(class.to_owned()),
        None => host,
    }))
}

/// Begins to try what this machine gives to hold the agents of an event.
pub(super) fn try_ahead(setup: &Setup) {
    let mut players = setup.players.iter();
    local::try_ahead(players.any(|player| setup.isolation(player) != Isolation::Off));
}

/// A host that takes games from earlier runs, and has this one play all others.
pub fn sparing(host: Box<dyn GameHost>, earlier: EarlierRuns) -> Box<dyn GameHost> {
    Box::new(SparingHost::new(host, Box::new(earlier)))
}

impl HostConnection {
    /// Connects a host.
    pub(super) fn new(mut host: Box<dyn GameHost>) -> Self {
        let line = Stopper::new();
        host.connect(line.0.reports());
        Self { host, line }
    }

    /// This machine, where games by tablebases are not in question; the words of agents are relative to `directory`.
    pub(super) fn at(directory: &Path) -> Self {
        Self::new(Box::new(LocalHost::new(directory, None)))
    }

    /// The same, where players may be asked that are no programs here.
    pub(super) fn serving(directory: &Path, services: &Arc<Services>) -> Self {
        let host = LocalHost::new(directory, None).with_services(Arc::clone(services));
        Self::new(Box::new(host))
    }

    /// Gives an order, and waits for the answer.
    pub(super) fn ask(&mut self, order: HostOrder) -> HostReport {
        self.host.order(order);
        self.line.1.answer()
    }

    /// What each agent is made of.
    pub(super) fn find(&mut self, agents: Vec<AgentSpec>) -> Result<Vec<Result<AgentFound, FindAgentError>>, RunError> {
        let count = agents.len();
        match self.ask(HostOrder::Find { agents }) {
            HostReport::Found(found) if found.len() == count => Ok(found),
            other => Err(odd(&other)),
        }
    }

    /// What one agent is made of.
    pub(super) fn find_one(&mut self, agent: AgentSpec) -> Result<Result<AgentFound, FindAgentError>, RunError> {
        let mut found = self.find(vec![agent])?;
        Ok(found.pop().expect("as many as were asked for"))
    }

    /// What each agent says of itself.
    pub(super) fn introduce(
        &mut self,
        agents: Vec<AgentSpec>,
        loaded: &LoadedEvent,
    ) -> Result<Vec<IntroductionReport>, RunError> {
        let (count, host) = (agents.len(), loaded.setup.run.host());
        match self.ask(HostOrder::Introduce { agents, host }) {
            HostReport::Introduced(Ok(introduced)) if introduced.len() == count => Ok(introduced),
            HostReport::Introduced(Err(refused)) => Err(refusal(refused, loaded)),
            other => Err(odd(&other)),
        }
    }

    /// What one agent says of itself.
    pub(super) fn introduce_one(
        &mut self,
        agent: AgentSpec,
        loaded: &LoadedEvent,
    ) -> Result<IntroductionReport, RunError> {
        let mut introduced = self.introduce(vec![agent], loaded)?;
        Ok(introduced.pop().expect("as many as were asked for"))
    }

    /// The same of an agent that the host may be unable to start as it has to be: why it is.
    pub(super) fn try_to_introduce(
        &mut self,
        agent: AgentSpec,
        loaded: &LoadedEvent,
    ) -> Result<Result<IntroductionReport, FindAgentError>, RunError> {
        let (agents, host) = (vec![agent], loaded.setup.run.host());
        match self.ask(HostOrder::Introduce { agents, host }) {
            HostReport::Introduced(Ok(mut introduced)) if introduced.len() == 1 => Ok(Ok(introduced.remove(0))),
            HostReport::Introduced(Err(HostError::Agent { why, .. })) => Ok(Err(why)),
            HostReport::Introduced(Err(refused)) => Err(refusal(refused, loaded)),
            other => Err(odd(&other)),
        }
    }

    /// Opens the slots for a run.
    pub(super) fn open(&mut self, terms: Terms, loaded: &LoadedEvent) -> Result<SlotsReport, RunError> {
        match self.ask(HostOrder::Open(Box::new(terms))) {
            HostReport::Open(Ok(opened)) => Ok(opened),
            HostReport::Open(Err(refused)) => Err(refusal(refused, loaded)),
            other => Err(odd(&other)),
        }
    }
}

/// A host that does not keep to the port.
pub(super) fn odd(report: &HostReport) -> RunError {
    let report = format!("{report:?}");
    let begin: String = report.chars().take(100).collect();
    RunError::Machine(format!("the host gave no answer to what it was asked, but {begin}"))
}

/// What a host refused, at the key that it is about.
pub(super) fn refusal(refused: HostError, loaded: &LoadedEvent) -> RunError {
    match refused {
        HostError::Key { key, message, help } => RunError::Event(ConfigError {
            help: Some(help),
            ..loaded.error_at(&key, message)
        }),
        HostError::Agent { player, why } => {
            let index = loaded.setup.players.iter().position(|other| other.name == player);
            match index {
                Some(index) => not_found(loaded, index, why),
                None => RunError::Machine(format!("{player}: {why}")),
            }
        }
        HostError::Machine(why) => RunError::Machine(why),
    }
}

/// The agent of a player was not found; the player stands at `index` in the event file.
pub(super) fn not_found(loaded: &LoadedEvent, index: usize, why: FindAgentError) -> RunError {
    let at = |key, why: String| RunError::Event(loaded.error_at_player(index, key, why));
    if loaded
        .setup
        .players
        .get(index)
        .is_some_and(PlayerKeys::awaits_submission)
    {
        return RunError::Event(ConfigError {
            help: Some("hand one in by `swissmatch submit`".to_owned()),
            ..loaded.error_at_player(index, "player.name", "this player has no accepted submission")
        });
    }
    match why {
        FindAgentError::Command(why) => at("player.command", why),
        FindAgentError::Template(why) => at("player.prompt", why),
        FindAgentError::Service(why) => at("player.model", why),
        FindAgentError::Unreadable(why) => at("player.command", format!("cannot be read: {why}")),
        FindAgentError::Directory(why) => at("player.dir", why),
        FindAgentError::Variable(why) => at("player.env", why),
        FindAgentError::Isolation(why) => RunError::Unfit(Box::new(not_isolated(loaded, index, why))),
        FindAgentError::Write(why) => RunError::Unfit(Box::new(loaded.error_at_player(index, "player.write", why))),
        FindAgentError::Machine(why) => RunError::Machine(why),
    }
}

/// That an agent cannot be isolated as it has to be, at the key that asks for it.
fn not_isolated(loaded: &LoadedEvent, index: usize, why: String) -> ConfigError {
    let player = &loaded.setup.players[index];
    match (loaded.setup.isolation(player), player.isolation) {
        (Isolation::Sealed, Some(_)) => loaded.error_at_player(index, "player.isolation", why),
        (Isolation::Sealed, None) => loaded.error_at("engine.isolation", why),
        (Isolation::Guarded | Isolation::Off, _) => loaded.error_at("engine.isolation_require", why),
    }
}

/// What a run needs of its slots that has these games of earlier runs.
pub(super) fn terms(
    agents: Vec<AgentSpec>,
    threads: Vec<usize>,
    setup: &Setup,
    taken: Vec<(GameId, TakenFrom)>,
) -> Terms {
    let run = &setup.run;
    Terms {
        agents,
        threads,
        host: run.host(),
        beside: usize::try_from(beside::slots(setup)).unwrap_or(usize::MAX),
        start_attempts: setup.engine.start_attempts,
        evidence: run.evidence,
        evidence_game: run.evidence_game,
        replays: run.replays,
        by_the_clock: setup.schedule.clock == ClockStart::Schedule,
        weigh: false,
        tablebase_men: (!setup.adjudication.tablebases.is_empty()).then_some(setup.adjudication.tablebase_men),
        taken,
    }
}

/// Opens the tablebases that the event asks for; all tables that it may need must be there.
fn tablebases(event: &EventFile) -> Result<Option<Tablebases>, RunError> {
    let keys = &event.loaded.setup.adjudication;
    if keys.tablebases.is_empty() {
        return Ok(None);
    }
    let directories: Vec<_> = keys.tablebases.iter().map(|path| event.directory.join(path)).collect();
    Tablebases::open(&directories, keys.tablebase_men)
        .map(Some)
        .map_err(|error| {
            let help = match &error {
                TablesError::Missing {
                    complete: Some(men), ..
                } => Some(format!(
                    "write tablebase_men = {men}, or add the directory with the missing ones"
                )),
                TablesError::Missing { .. } => Some("add the directory with them".to_owned()),
                TablesError::Unreadable { .. } => Some("directories are relative to the event file".to_owned()),
            };
            RunError::Event(ConfigError {
                help,
                ..event.loaded.error_at("adjudication.tablebases", error.to_string())
            })
        })
}
