//! A presence check before a round is paired: each agent's files are hashed again, then it is started and shakes hands,
//! which ends with `isready`, all within the limit; several agents at a time. Then it is ended.
//!
//! In threads of its own, so that nobody waits for it. May not: judge what an absence means.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::escaped;
use tracing::warn;

use swissmatch_game::handshake::StartError;
use swissmatch_tournament::log::{Absence, PresenceChecked};

use super::find::Finder;
use super::slot::{DOUBT, HOST_WAIT, HOST_WAITS};
use crate::engine::Engine;
use crate::gpus::{NO_GPU, Pool};
use crate::host::{AgentSpec, FindAgentError, HostReport, Reports};
use crate::threads;

/// An agent as registered.
#[derive(Clone, Debug)]
pub(super) struct RegisteredAgent {
    pub(super) player: PairingNumber,
    pub(super) spec: AgentSpec,
}

/// The result of a check: who is absent, or what the machine lacks.
type PresenceReport = Result<PresenceChecked, String>;

/// A check under way. Dropping it abandons it, and ends the engines that it has started.
#[derive(Debug)]
pub(super) struct RollCall {
    abandoned: Arc<AtomicBool>,
}

impl Drop for RollCall {
    fn drop(&mut self) {
        self.abandoned.store(true, Ordering::Release);
    }
}

impl RollCall {
    /// Asks all agents, `at_once` at a time, each with the whole limit. Reports the result, unless it is abandoned.
    pub(super) fn begin(
        round: u32,
        agents: Vec<RegisteredAgent>,
        (finder, gpus): (Arc<Finder>, Arc<Pool>),
        limit: Duration,
        at_once: usize,
        reports: Reports,
    ) -> Self {
        let abandoned = Arc::new(AtomicBool::new(false));
        let heeded = Arc::clone(&abandoned);
        let refused = reports.clone();
        let thread = threads::start("roll call", move || {
            let called = std::panic::catch_unwind(|| call(round, (&agents, &finder, &gpus), limit, at_once, &heeded));
            let checked = called.unwrap_or_else(|_| Err("its thread panicked".to_owned()));
            if !heeded.load(Ordering::Acquire) {
                reports.tell(HostReport::Present(checked));
            }
        });
        if let Err(error) = thread {
            refused.tell(HostReport::Present(Err(error.to_string())));
        }
        Self { abandoned }
    }
}

fn call(
    round: u32,
    (agents, finder, gpus): (&[RegisteredAgent], &Finder, &Arc<Pool>),
    limit: Duration,
    at_once: usize,
    abandoned: &AtomicBool,
) -> PresenceReport {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Ok(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..at_once.clamp(1, agents.len().max(1)) {
            let thread = threads::start_in(scope, || {
                while let Some(agent) = agents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if abandoned.load(Ordering::Acquire) {
                        break;
                    }
                    let answer = ask(agent, (finder, gpus), limit, abandoned);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    match (answer, found.as_mut()) {
                        (Ok(Some(absence)), Ok(absent)) => absent.push(absence),
                        (Err(lacks), Ok(_)) => *found = Err(lacks),
                        (Ok(None), _) | (_, Err(_)) => {}
                    }
                }
            });
            if let Err(error) = thread {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Err(error.to_string());
                // Threads that did start begin no further agents.
                next.store(agents.len(), Ordering::Relaxed);
                break;
            }
        }
    });
    let mut absent: Vec<Absence> = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    absent.sort_unstable_by_key(|absence| absence.player);
    Ok(PresenceChecked { round, absent })
}

/// The absence of an agent; `None` if it is there. What the machine lacks is waited for, and makes nobody absent.
///
/// # Errors
/// What the machine lacks, however long it is waited for.
fn ask(
    agent: &RegisteredAgent,
    host: (&Finder, &Arc<Pool>),
    limit: Duration,
    abandoned: &AtomicBool,
) -> Result<Option<Absence>, String> {
    let mut waits = 0;
    let why = loop {
        let host = match answers(&agent.spec, host, limit, abandoned) {
            Ok(()) => return Ok(None),
            Err(MissingAnswer::Absent(why)) => break why,
            Err(MissingAnswer::Host(why)) => why,
        };
        if waits == HOST_WAITS || abandoned.load(Ordering::Acquire) {
            return Err(host);
        }
        waits += 1;
        warn!(
            player = agent.spec.player.name,
            lacks = host,
            waited = waits,
            "the machine lacks something to ask who is there"
        );
        std::thread::sleep(HOST_WAIT);
    };
    Ok(Some(Absence {
        player: agent.player,
        why: escaped(&why),
    }))
}

/// Why an agent has not answered.
enum MissingAnswer {
    Absent(String),
    Host(String),
}

fn answers(
    spec: &AgentSpec,
    (finder, gpus): (&Finder, &Arc<Pool>),
    limit: Duration,
    abandoned: &AtomicBool,
) -> Result<(), MissingAnswer> {
    let asked = Instant::now();
    let not_found = |why: FindAgentError| match why {
        FindAgentError::Machine(why) => MissingAnswer::Host(why),
        why => MissingAnswer::Absent(why.to_string()),
    };
    let command = finder.command(spec).map_err(not_found)?;
    let found = finder.find(spec).map_err(not_found)?;
    if let Some(change) = found.changed(spec).into_iter().next() {
        return Err(MissingAnswer::Absent(change));
    }
    let is_given_up = || abandoned.load(Ordering::Acquire) || asked.elapsed() >= limit;
    let taken = gpus.take(usize::from(command.needs_gpu), &is_given_up);
    let taken = taken.ok_or_else(|| MissingAnswer::Host(NO_GPU.to_owned()))?;
    let command = command.on(taken.gpus().first());
    // Time in which others had a GPU does not count against it.
    let until = if command.needs_gpu { Instant::now() } else { asked } + limit;
    let deadline = || match abandoned.load(Ordering::Acquire) {
        true => Instant::now(),
        false => until,
    };
    match Engine::start_until(&command, Some(&deadline)) {
        Ok((engine, _)) => {
            Engine::dismiss(vec![engine]);
            Ok(())
        }
        Err(StartError::Host(why)) => Err(MissingAnswer::Host(why)),
        Err(StartError::TooLate) => Err(MissingAnswer::Absent(format!("it was not ready within {limit:?}"))),
        Err(failure) => {
            // Whatever ended it may be about to end the runner.
            std::thread::sleep(DOUBT);
            Err(MissingAnswer::Absent(failure.to_string()))
        }
    }
}
