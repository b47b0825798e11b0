//! A game to be played, as the tests of the protocol begin with.

use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::flag_fall::FlagFall;
use swissmatch::game::opening::Opening;
use swissmatch::game::record::{Attempts, Bounds, GameId, GameLimits, GameSpec};
use swissmatch::game::rules::{Claims, PliesFrom};
use swissmatch::game::termination::BothFailed;
use swissmatch::game::time_control::TimeControl;
use swissmatch::game::variant::Variant;

/// Game 1.1.1 from the start position: one attempt at each move, one second for each step, nothing adjudicated.
pub(crate) fn spec(control: TimeControl) -> GameSpec {
    GameSpec {
        id: GameId {
            round: 1,
            playoff: 0,
            board: 1,
            game: 1,
        },
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: GameLimits {
            time_controls: [control.clone(), control],
            margins: [Duration::ZERO; 2],
            move_overhead: Duration::ZERO,
            attempts: Attempts::Shared(1),
            attempts_share: false,
            max_plies: None,
            plies_from: PliesFrom::Opening,
            claims: Claims::Automatic,
            both_failed: BothFailed::Lost,
            ready_limit: Duration::from_secs(5),
            step_limit: Duration::from_secs(1),
            restart_limits: [Duration::from_secs(2); 2],
            threads: [1; 2],
            stop_grace: Duration::from_millis(100),
            start_attempts: 2,
            ponder: [false; 2],
            freeze: false,
            resigns: [false; 2],
            flag_fall: FlagFall::DrawIfCannotMate,
        },
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}
