//! Checks of the times of `[[rules]]`.
//!
//! May not: know what has been played.

use crate::{ConfigError, LoadedEvent};
use jiff::SignedDuration;

/// Refuses rules that would apply to no round.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let (schedule, lock) = (setup.ladder.schedule, setup.submissions.lock);
    for (place, rules) in setup.rules.iter().enumerate() {
        let refused = |message: &str, help: &str| Err(loaded.error_at_rules(place, message.to_owned(), help));
        let (Some(schedule), Some(lock)) = (schedule, lock) else {
            return refused(
                "the rules of an event without a ladder do not change",
                "change the keys themselves before it begins, or write schedule = \"hourly\" or another one under [ladder]",
            );
        };
        if place > 0 && setup.rules[place - 1].from >= rules.from {
            return refused(
                "it is not after that of the table before",
                "put the tables in the order of their times, and write what changes at one time in one of them",
            );
        }
        let just_before = rules
            .from
            .saturating_sub(SignedDuration::from_nanos(1))
            .unwrap_or(rules.from);
        let first = schedule.first_after(just_before, setup.schedule.time_zone.rules());
        if first.is_none_or(|first| first >= lock) {
            return refused(
                "no round of the ladder is due from then on and before submissions.lock",
                "write an earlier time, so that everybody sees the event's rules in play",
            );
        }
    }
    Ok(())
}
