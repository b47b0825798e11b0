//! Warnings about `[schedule]` and `[presence]`.
//!
//! May not: change a value, refuse anything: no combination of these keys is impossible.

use super::is_given;
use crate::LoadedEvent;
use swiss_system::count;
use swissmatch_game::time_control::write_duration;
use swissmatch_tournament::setup::PresenceCheck;

/// Warns of keys that have no effect, or another one than they seem to.
pub(super) fn warnings(loaded: &LoadedEvent) -> Vec<String> {
    let setup = &loaded.setup;
    let (schedule, rounds) = (&setup.schedule, setup.plan().rounds as usize);
    let short_break = (schedule.r#break < schedule.notice && is_given(loaded, "schedule.break")).then(|| {
        format!(
            "schedule.break: {} is less than schedule.notice, so {} counts",
            write_duration(schedule.r#break),
            write_duration(schedule.notice)
        )
    });
    let instants = schedule.rounds_at.len();
    let other_number = (instants > 0 && instants != rounds).then(|| {
        let what = match instants > rounds {
            true => "the last instants have no effect",
            false => "later rounds begin by schedule.break",
        };
        let instants = count::of(instants, "instant", "instants");
        format!(
            "schedule.rounds_at: {instants} for {}; {what}",
            count::of(rounds, "round", "rounds")
        )
    });
    let idle_limit = (setup.presence.check == PresenceCheck::Never && is_given(loaded, "presence.limit"))
        .then(|| "presence.limit: no agent is checked; write presence.check = \"before-each-round\"".to_owned());
    [short_break, other_number, idle_limit].into_iter().flatten().collect()
}
