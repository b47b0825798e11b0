//! What went wrong in a game of an agent, in words that name the key of the limit that was broken.
//!
//! May not: judge, or play.

use std::time::Duration;

use swissmatch_game::conformance::gone;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameRecord};

/// What went wrong in a game, if anything did, after "it" or a colon, with the key of the limit that was broken; `clock` is that of the
/// time control.
pub(crate) fn problem(record: &GameRecord, clock: &str) -> Option<String> {
    if !record.termination.was_played() {
        return Some("it did not get ready for the game (engine.start_limit, engine.ready_limit)".to_owned());
    }
    if !record.termination.is_fault() {
        return None;
    }
    if let Some(end) = record.engine_end {
        return Some(format!("it {}", gone(end)));
    }
    Some(record.failed_attempts.last().map_or_else(
        || "it did not get ready again (engine.start_limit)".to_owned(),
        |last| failure(record, last, clock),
    ))
}

/// What went wrong in an attempt at a move, as there.
pub(crate) fn failure(record: &GameRecord, attempt: &FailedAttempt, clock: &str) -> String {
    let (took, meant) = (tenths(Duration::from_micros(attempt.time_us)), attempt.meant_in_words());
    match &attempt.end {
        AttemptEnd::Late => format!("it answered only after {took} ({clock})"),
        AttemptEnd::OutOfStep
            if record
                .failed_before(attempt)
                .last()
                .is_some_and(|of| !of.end.is_overrun()) =>
        {
            format!("it was not ready again in what was left of its time, {took} ({clock})")
        }
        AttemptEnd::OutOfStep => format!("it was not ready again after {took} (engine.step_limit)"),
        AttemptEnd::SlowStart => format!("it was not ready again after {took} (engine.start_limit)"),
        AttemptEnd::Silent => format!("it did not answer ({clock}), not even to `stop` (engine.stop_grace)"),
        AttemptEnd::Illegal(said) => format!("it said {said}, which is not legal{meant}"),
        AttemptEnd::Unparsable(said) => format!("it said `{said}`, which is not a move{meant}"),
        end @ (AttemptEnd::Empty | AttemptEnd::Truncated | AttemptEnd::Refused) => format!("it {end}"),
    }
}

pub(crate) fn tenths(time: Duration) -> String {
    let tenths = time.as_micros().div_ceil(100);
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use swiss_system::pairing::history::PairingNumber;
    use swissmatch_game::Side;
    use swissmatch_game::adjudicate::AdjudicationRules;
    use swissmatch_game::opening::Opening;
    use swissmatch_game::record::{Bounds, GameId, GameSpec};
    use swissmatch_game::time_control::{Limit, TimeControl};
    use swissmatch_game::variant::Variant;
    use swissmatch_tournament::limits::limits_of_trial;
    use swissmatch_tournament::setup::Setup;

    #[test]
    fn who_is_not_back_in_step_is_told_which_time_is_over() {
        let attempt = |attempt, end| FailedAttempt {
            ply: 4,
            side: Side::White,
            attempt,
            time_us: 2_500_000,
            end,
            wakeup_us: None,
            service_us: None,
            ready_us: None,
            doubt: None,
            meant: None,
        };
        let player = crate::eligibility::blank_entry("A", "a");
        let control = TimeControl::from(Limit::MoveTime(Duration::from_secs(30)));
        let spec = GameSpec {
            id: GameId {
                round: 1,
                playoff: 0,
                board: 1,
                game: 1,
            },
            white: PairingNumber(1),
            black: PairingNumber(2),
            opening: Opening::start(Variant::Standard),
            limits: limits_of_trial(&Setup::default(), &player, &control),
            bounds: [Bounds::default(); 2],
            adjudication: AdjudicationRules::default(),
        };
        let mut record = GameRecord::begin(&spec);
        let second = attempt(2, AttemptEnd::OutOfStep);
        for (first, told) in [
            (
                AttemptEnd::Late,
                "it was not ready again after 2500.0 ms (engine.step_limit)",
            ),
            (
                AttemptEnd::Illegal("e2e5".to_owned()),
                "it was not ready again in what was left of its time, 2500.0 ms (game.move_time)",
            ),
        ] {
            record.failed_attempts = vec![attempt(1, first), second.clone()];
            assert_eq!(failure(&record, &second, "game.move_time"), told);
        }
    }
}
