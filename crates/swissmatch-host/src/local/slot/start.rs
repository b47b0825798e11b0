//! Starting the engine of a player, as often as it may be tried.
//!
//! May not: play.

use std::io;
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::escaped;
use tracing::warn;

use crate::engine::{Engine, EngineCommand};
use swissmatch_game::handshake::StartFailure;

use super::{Agents, HOST_WAIT, HOST_WAITS};

/// Starts an engine; `None` when it fails at every attempt. What the machine lacks is waited for.
///
/// # Errors
/// When the machine cannot start it, however long it is waited.
pub(super) fn start(
    agents: &Agents,
    of: (PairingNumber, &EngineCommand),
    failures: &mut Vec<String>,
) -> io::Result<Option<Engine>> {
    start_within(agents, of, None, failures).map(|(engine, _)| engine)
}

/// The same; given up where the starts have taken longer than `within`. Also says how long the machine was waited for.
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
            Err(StartFailure::Host(lacks)) if waited < HOST_WAITS => {
                waited += 1;
                warn!(
                    player = command.name,
                    lacks, waited, "the machine lacks something to start an engine, and is waited for"
                );
                std::thread::sleep(HOST_WAIT);
                lacked += tried.elapsed();
            }
            Err(failure @ StartFailure::Host(_)) => return Err(io::Error::other(failure)),
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
