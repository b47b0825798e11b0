//! Keys on when rounds are paired and played, and who is there: `[schedule]` and `[presence]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{choice, duration, list, moment, or, parsed, rising, time};
use swissmatch_tournament::setup::Setup;

/// Most entries of `schedule.rounds_at`: as many as there may be rounds.
const MOST_INSTANTS: usize = 10_000;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            schedule.start,
            or("now", moment("2026-01-30T18:00:00Z")),
            r#"When the first round is paired: "now", or a date and time with its offset from UTC."#,
        )
        .output(),
        key!(
            "schedule.break",
            schedule.r#break,
            duration("30s"),
            "Time from the end of a round's last game to the start of the next round.",
        )
        .output(),
        key!(
            schedule.notice,
            duration("30s"),
            "Least time from the announcement of a round's pairing to its start.",
        )
        .output(),
        key!(
            schedule.rounds_at,
            rising(
                "each must be later than the one before",
                list(
                    "a list of rising dates and times with their offsets from UTC, such as [2026-01-30T18:00:00Z]",
                    moment("2026-01-30T18:00:00Z")
                )
            )
            .unless(
                |instants| (instants.len() > MOST_INSTANTS).then(|| format!("at most {MOST_INSTANTS}, one a round")),
            ),
            "Dates and times before which no game of round 1, 2 and so on begins; []: none.",
        )
        .output(),
        key!(
            schedule.window,
            or("none", parsed("hours of a day such as \"18:00-23:00\"")),
            r#"Hours of the day in which games may begin, such as "18:00-23:00" or "22:00-02:00"; "none": all hours."#,
        )
        .output(),
        key!(
            schedule.time_zone,
            parsed(r#"a time zone such as "UTC", "Europe/Berlin" or "+02:00""#),
            r#"Time zone of the window: a name from the IANA database, such as "Europe/Berlin", or an offset, such as "+02:00"."#,
        )
        .output(),
        key!(
            schedule.clock,
            choice(),
            r#"What starts White's clock: the "game", once both engines are ready, or the "schedule", ready or not."#,
        ),
        key!(
            presence.check,
            choice(),
            r#"When agents are checked: "before-each-round", where one that has changed or does not answer sits out the round; or "never"."#,
        ),
        key!(
            presence.limit,
            time("30s"),
            "How long an agent may take to start and answer isready in that check.",
        ),
    ]
}
