//! A full disk: games wait for room, and nobody below `engine.max_disk` is blamed for the consequences.
//!
//! May not: end any process, or make room.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

use super::Agents;
use crate::engine::EngineCommand;
use crate::usage::disk;
use swissmatch_game::record::{EngineEnd, GameRecord};

/// How long a game waits for room, since others that have some may end.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often to check.
const LOOK: Duration = Duration::from_millis(100);

/// Waits until there is room where both may write; returns how long that took.
///
/// # Errors
/// There is none; names the agent that has most.
pub(super) fn wait_for_room(commands: &[EngineCommand; 2], agents: &Agents) -> io::Result<Duration> {
    let begun = Instant::now();
    while is_full(commands) {
        if begun.elapsed() > PATIENCE {
            return Err(no_room(agents));
        }
        std::thread::sleep(LOOK);
    }
    Ok(begun.elapsed())
}

/// True if there is no room where one of them may write.
pub(super) fn is_full(commands: &[EngineCommand; 2]) -> bool {
    let places = commands.iter().flat_map(|command| {
        let confined = command.launch.confinement.as_ref();
        let own = confined.is_none().then_some(command.launch.directory.as_path());
        let writes = confined.into_iter().flat_map(|confinement| &confinement.writes);
        writes.map(Path::new).chain(own)
    });
    disk::is_full(places)
}

/// True if a game may have ended because an agent could not write: by any fault other than a limit of its own.
pub(super) fn may_be_by_it(record: &GameRecord) -> bool {
    record.termination.is_fault() && !matches!(record.engine_end, Some(EngineEnd::OverLimit(_)))
}

/// The error that no room is left, with the agent that has most.
pub(super) fn no_room(agents: &Agents) -> io::Error {
    let heaviest = agents
        .heaviest()
        .map_or_else(String::new, |heaviest| format!("; {heaviest}"));
    let why = format!(
        "the disk on which agents write has no room left: make room where TMPDIR and player.write lead, or lower engine.max_disk{heaviest}"
    );
    io::Error::new(ErrorKind::StorageFull, why)
}
