//! Starting the engine of a player, as often as that may be tried.
//!
//! May not: play.

use std::io;
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::escaped;
use tracing::warn;

use crate::engine::{Engine, EngineCommand};
use crate::threads;
use swissmatch_game::handshake::StartError;

use super::{Agents, HOST_WAIT, HOST_WAITS};

/// Starts the engines of a game that are not up; one that fails at every attempt stays missing. What the machine lacks
/// is waited for. Isolated engines start at the same time; any other could replace a program that has just been
/// checked.
///
/// # Errors
/// The machine cannot start one, however long it is waited for.
pub(super) fn start_missing(
    engines: &mut [Option<Engine>; 2],
    agents: &Agents,
    (players, commands): ([PairingNumber; 2], &[EngineCommand; 2]),
    failures: &mut Vec<String>,
) -> io::Result<()> {
    let start = |at: usize| {
        let mut failures = Vec::new();
        let started = start_within(agents, (players[at], &commands[at]), None, &mut failures);
        (started.map(|(engine, _)| engine), failures)
    };
    let [white, black] = engines.each_ref().map(Option::is_none);
    let started = std::thread::scope(|scope| {
        // Without a thread it starts after the other one.
        let both = white && black && commands.iter().all(|command| command.launch.confinement.is_some());
        let beside = both.then(|| threads::start_in(scope, || start(1)).ok()).flatten();
        let first = white.then(|| start(0));
        let second = match beside {
            Some(thread) => Some(thread.join().expect("starts do not panic")),
            None if matches!(first, Some((Err(_), _))) => None,
            None => black.then(|| start(1)),
        };
        [first, second]
    });
    for (engine, started) in engines.iter_mut().zip(started) {
        if let Some((started, failed)) = started {
            failures.extend(failed);
            *engine = started?;
        }
    }
    Ok(())
}

/// Starts an engine; `None` if it fails at every attempt, or the starts have taken longer than `within`. What the
/// machine lacks is waited for; also returns how long that was.
///
/// # Errors
/// The machine cannot start it, however long it is waited for.
pub(super) fn start_within(
    agents: &Agents,
    (player, command): (PairingNumber, &EngineCommand),
    within: Option<Duration>,
    failures: &mut Vec<String>,
) -> io::Result<(Option<Engine>, Duration)> {
    let begun = Instant::now();
    let (mut attempt, mut waited, mut lacked) = (1, 0, Duration::ZERO);
    while attempt <= agents.start_attempts {
        let deadline = within.map(|within| begun + lacked + within);
        let until = || deadline.unwrap_or_else(Instant::now);
        let until: Option<&dyn Fn() -> Instant> = deadline.is_some().then_some(&until);
        let tried = Instant::now();
        match Engine::start_until(command, until) {
            Ok((engine, _)) => return Ok((Some(engine), lacked)),
            Err(StartError::Host(lacks)) if waited < HOST_WAITS => {
                waited += 1;
                warn!(
                    player = command.name,
                    lacks, waited, "the machine lacks something to start an engine, and is waited for"
                );
                std::thread::sleep(HOST_WAIT);
                lacked += tried.elapsed();
            }
            Err(failure @ StartError::Host(_)) => return Err(io::Error::other(failure)),
            Err(failure) => {
                warn!(
                    player = command.name,
                    attempt,
                    why = escaped(failure.to_string()),
                    "engine did not start"
                );
                failures.push(format!("player {player}, start {attempt}: {failure}"));
                attempt += 1;
            }
        }
        if within.is_some_and(|within| begun.elapsed() >= lacked + within) {
            break;
        }
    }
    Ok((None, lacked))
}
