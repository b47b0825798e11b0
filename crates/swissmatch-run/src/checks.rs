//! The agents of an event checked: one, or all of them, several at once; and what their checks came to, kept.
//!
//! May not: speak to a person.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use jiff::Timestamp;
use swissmatch_game::conformance::{CheckVerdict, Finding};
use swissmatch_game::isolation::Isolation;
use swissmatch_game::opening::OpeningSuite;
use swissmatch_host::host::{AgentFound, AgentSpec, FindAgentError, HostOrder, HostReport};
use swissmatch_host::local::FIRST_MOVE;
use swissmatch_host::services::Services;
use swissmatch_host::topology::Topology;
use swissmatch_host::{machine, threads};
use swissmatch_report::check::{CheckReport, CheckedPlayer};
use swissmatch_report::compared::IsolationComparison;
use swissmatch_tournament::eligibility::{Eligible, QualifiedEngine, Records, Why, judge};
use swissmatch_tournament::log::Suite;
use swissmatch_tournament::setup::PlayerKeys;

use super::check::{Opponent, Subject, check};
use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::{HostConnection, not_found, odd, refusal};
use super::materials::openings;
use super::open_run::usual_place;
use super::{eligibility, own_directory, services, submissions};

/// How long a service that fails is asked again: whoever waits for a check wants to know.
const PATIENCE: Duration = Duration::from_secs(10);

/// The checks of an event's agents, with everything that they need.
#[derive(Debug)]
pub struct Checks {
    event: EventFile,
    baseline: Option<Opponent>,
    openings: OpeningSuite,
    suite: Suite,
    of_event: bool,
    max_memory: Option<(u64, &'static str)>,
}

/// A player to be checked.
struct PlayerToCheck {
    agent: AgentSpec,
    program: String,
    made: QualifiedEngine,
}

impl Checks {
    /// Those of an event, or where `of_event` is false of what stands for one; the processes of an agent may have `max_memory` bytes
    /// together, or as many as the event says.
    ///
    /// # Errors
    /// When the baseline or the openings are not there; the key is named.
    pub fn new(event: EventFile, of_event: bool, max_memory: Option<u64>) -> Result<Self, RunError> {
        let mut event = event.in_force(Timestamp::now());
        let run = usual_place(event.path(), &event.loaded.setup.event.name);
        submissions::as_handed_in(&mut event, &run)?;
        let (openings, suite, _) = openings(&event)?;
        let of_keys = event.loaded.setup.engine.max_memory;
        Ok(Self {
            baseline: eligibility::baseline(&event, &mut HostConnection::at(&event.directory))?,
            event,
            openings,
            suite,
            of_event,
            max_memory: max_memory
                .map(|most| (most, "--max-memory"))
                .or(of_keys.map(|mebibytes| (mebibytes * 1024 * 1024, "engine.max_memory"))),
        })
    }

    /// Checks the player at `index` of the event file; `heard` is told each step.
    ///
    /// # Errors
    /// When its agent is not there; the key is named.
    pub fn one(&self, index: usize, heard: &mut dyn FnMut(&Finding)) -> Result<CheckReport, RunError> {
        let agent = own_directory::agents(&self.event).swap_remove(index);
        let found = HostConnection::at(&self.event.directory).find_one(agent.clone())?;
        let entry = self.entry(index, agent, found)?;
        let services = self.services(&[index])?;
        Ok(check(&self.subject(index, &entry, &services), heard))
    }

    /// The agent of the player at `index`, isolated as it is to be, and the same one as its author starts it, without isolation.
    ///
    /// # Errors
    /// When its agent is not there, or the machine lacks something.
    pub fn compared(&self, index: usize) -> Result<IsolationComparison, RunError> {
        let setup = &self.event.loaded.setup;
        let agent = own_directory::agents(&self.event).swap_remove(index);
        let mut player = setup.players[index].clone();
        player.isolation = Some(Isolation::Off);
        let by_hand = AgentSpec {
            requires: Vec::new(),
            ..AgentSpec::of_player(&player, setup)
        };
        let mut hosted = HostConnection::serving(&self.event.directory, &self.services(&[index])?);
        let mut heard = |agent: AgentSpec| match hosted.ask(HostOrder::Listen {
            agent: Box::new(agent),
            gpus: setup.run.gpus.clone(),
        }) {
            HostReport::Heard(Ok(heard)) => Ok(*heard),
            HostReport::Heard(Err(refused)) => Err(refusal(refused, &self.event.loaded)),
            other => Err(odd(&other)),
        };
        Ok(IsolationComparison {
            isolated: heard(agent)?,
            by_hand: heard(by_hand)?,
            nodes: FIRST_MOVE,
        })
    }

    /// How the agent of the player at `index` is to be isolated.
    pub fn isolation(&self, index: usize) -> Isolation {
        let setup = &self.event.loaded.setup;
        setup.isolation(&setup.players[index])
    }

    /// Keeps what a player's check came to. One that the machine kept from ending says nothing of the agent, and takes nothing
    /// from what is there.
    ///
    /// # Errors
    /// When the file of qualifications cannot be written.
    pub fn keep(&self, report: &CheckReport) -> Result<(), RunError> {
        if report.verdict() == CheckVerdict::Inconclusive {
            return Ok(());
        }
        let keys = &self.event.loaded.setup.eligibility;
        let record = report.record(machine::today(), keys.valid_for);
        let path = self.event.directory.join(&keys.record);
        eligibility::keep(&path, &report.name, record).map_err(RunError::machine)
    }

    /// Checks every player, or those without a current, passed check; what each came to is kept. `told` is told of each check: its
    /// number, and of how many.
    ///
    /// # Errors
    /// When the machine has no room, or what was found cannot be kept.
    pub fn all(
        &self,
        only_stale: bool,
        told: &mut dyn FnMut(usize, usize, &CheckReport),
    ) -> Result<Vec<CheckedPlayer>, RunError> {
        let players = &self.event.loaded.setup.players;
        let (_, known) = eligibility::records(&self.event)?;
        let agents = own_directory::agents(&self.event);
        let found = HostConnection::at(&self.event.directory).find(agents.clone())?;
        let looked_at = agents.into_iter().zip(found).enumerate();
        let entry = |(index, (agent, found))| self.entry(index, agent, found).map_err(|error| error.to_string());
        let entries: Vec<Result<PlayerToCheck, String>> = looked_at.map(entry).collect();
        let due: Vec<usize> = (0..entries.len())
            .filter(|index| match &entries[*index] {
                Ok(entry) => !only_stale || self.standing(&known, entry).is_err(),
                Err(_) => false,
            })
            .collect();
        let reports = self.check(&entries, &due, told)?;
        let (_, known) = eligibility::records(&self.event)?;
        let listed = entries.iter().zip(reports).zip(players);
        Ok(listed
            .map(|((entry, report), player)| CheckedPlayer {
                name: player.name.clone(),
                standing: match (entry, report.as_ref().map(CheckReport::verdict)) {
                    (Ok(_), Some(verdict @ CheckVerdict::Inconclusive)) => Err(Why::Failed {
                        verdict,
                        steps: Vec::new(),
                    }),
                    (Ok(entry), _) => self.standing(&known, entry),
                    (Err(why), _) => Err(Why::Missing(why.clone())),
                },
                report,
            })
            .collect())
    }

    /// Checks those of `entries` that are due, several at once.
    fn check(
        &self,
        entries: &[Result<PlayerToCheck, String>],
        due: &[usize],
        told: &mut dyn FnMut(usize, usize, &CheckReport),
    ) -> Result<Vec<Option<CheckReport>>, RunError> {
        let services = self.services(due)?;
        let at_once = self.at_once(entries)?.min(due.len().max(1));
        let (done, reports) = mpsc::channel::<(usize, CheckReport)>();
        let next = AtomicUsize::new(0);
        let mut of_player: Vec<Option<CheckReport>> = entries.iter().map(|_| None).collect();
        std::thread::scope(|scope| -> Result<(), RunError> {
            for _ in 0..at_once {
                let (done, next, services) = (done.clone(), &next, &services);
                let started = threads::start_in(scope, move || {
                    while let Some(&index) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Ok(entry) = &entries[index] else { continue };
                        let report = check(&self.subject(index, entry, services), &mut |_| {});
                        if done.send((index, report)).is_err() {
                            return;
                        }
                    }
                });
                if let Err(error) = started {
                    next.store(due.len(), Ordering::Relaxed);
                    return Err(RunError::machine(error));
                }
            }
            drop(done);
            for (count, (index, report)) in reports.iter().enumerate() {
                told(count + 1, due.len(), &report);
                if let Err(error) = self.keep(&report) {
                    // No further check is begun; those under way end.
                    next.store(due.len(), Ordering::Relaxed);
                    return Err(error);
                }
                of_player[index] = Some(report);
            }
            Ok(())
        })?;
        Ok(of_player)
    }

    /// What these players ask, where they are no programs here.
    fn services(&self, players: &[usize]) -> Result<Arc<Services>, RunError> {
        services::of_players(&self.event, players, PATIENCE)
    }

    fn entry(
        &self,
        index: usize,
        agent: AgentSpec,
        found: Result<AgentFound, FindAgentError>,
    ) -> Result<PlayerToCheck, RunError> {
        let found = found.map_err(|why| not_found(&self.event.loaded, index, why))?;
        Ok(PlayerToCheck {
            made: QualifiedEngine::new(&agent.player, &self.event.loaded.setup, found.files),
            agent,
            program: found.program,
        })
    }

    fn subject<'a>(&'a self, index: usize, entry: &PlayerToCheck, services: &'a Arc<Services>) -> Subject<'a> {
        Subject {
            of: (&self.event.loaded, index),
            of_event: self.of_event,
            agent: entry.agent.clone(),
            directory: &self.event.directory,
            services,
            program: entry.program.clone(),
            made: entry.made.clone(),
            baseline: self.baseline.as_ref(),
            openings: (&self.openings, &self.suite),
            max_memory: self.max_memory,
        }
    }

    fn standing(&self, known: &Records, entry: &PlayerToCheck) -> Result<Eligible, Why> {
        let record = known.players.get(&entry.agent.player.name);
        let terms = self.baseline.as_ref().map(|opponent| &opponent.terms);
        judge(record, &entry.made, terms, machine::today())
    }

    /// Checks at once: as many as games, of which each has a core for each thread of its agent.
    fn at_once(&self, entries: &[Result<PlayerToCheck, String>]) -> Result<usize, RunError> {
        let of_each = entries.iter().flatten();
        let threads = of_each.map(|entry| entry.agent.options.threads_asked_for());
        let at_once = match self.event.loaded.setup.run.concurrency {
            Some(checks) => checks as usize,
            None => Topology::of_this_machine()
                .map_err(RunError::machine)?
                .at_once(threads.max().unwrap_or(1) as usize),
        };
        // Beside the two engines of a game there may be one that is asked by itself.
        let asks_services = self.event.loaded.setup.players.iter().any(PlayerKeys::is_elsewhere);
        machine::raise_descriptor_limit(2 * at_once, 0)
            .and_then(|()| machine::raise_process_limit(2 * at_once, asks_services))
            .map_err(RunError::Machine)?;
        Ok(at_once)
    }
}
