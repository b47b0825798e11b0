//! Games in which a process seems to have been ended from outside, perhaps by what also ends the runner.
//!
//! May not: decide what happens to them.

use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGTERM};

use swissmatch_game::record::{EngineEnd, GameRecord};

/// True if one of its processes may have been ended by something that is about to end the runner.
pub(super) fn is_in_doubt(record: &GameRecord) -> bool {
    // A keeper that was busy did not say why its engine closed a pipe.
    let ended = matches!(
        record.engine_end,
        Some(EngineEnd::Signalled(_) | EngineEnd::KeeperLost | EngineEnd::ClosedPipe)
    );
    ended || !record.termination.was_played()
}

/// True if it ended by a signal that would also stop a runner, if it was sent to all.
pub(super) fn may_be_meant_for_all(record: &GameRecord) -> bool {
    matches!(
        record.engine_end,
        Some(EngineEnd::Signalled(SIGTERM | SIGINT | SIGHUP | SIGKILL) | EngineEnd::KeeperLost)
    )
}
