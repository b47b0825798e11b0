//! Games in which a process was ended from outside, as it seems: by what ends the runner too, perhaps.
//!
//! May not: decide what becomes of them.

use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGTERM};

use swissmatch_game::record::{EngineEnd, GameRecord};

/// Whether something may have ended a process of it that is about to end the runner.
pub(super) fn is_in_doubt(record: &GameRecord) -> bool {
    // A keeper that was busy did not say why its engine closed a pipe.
    let ended = matches!(
        record.engine_end,
        Some(EngineEnd::Signalled(_) | EngineEnd::KeeperLost | EngineEnd::ClosedPipe)
    );
    ended || !record.termination.was_played()
}

/// Whether it ended by what stops a runner too, if that was sent to all.
pub(super) fn may_be_meant_for_all(record: &GameRecord) -> bool {
    matches!(
        record.engine_end,
        Some(EngineEnd::Signalled(SIGTERM | SIGINT | SIGHUP | SIGKILL) | EngineEnd::KeeperLost)
    )
}
