//! Keys of what happens beside the games: `[registration]` and `[arbiter]`.
//!
//! May not: know layers or files.

use super::Key;
use crate::config::value::quoted;
use crate::tournament::setup::{MissedRounds, RegistrationUntil, Setup};

pub(super) static KEYS: &[Key<Setup>] = &[
    Key::new(
        "registration.until",
        "\"closed\", \"half\", or a number of rounds from 0 to 1000",
        "Late entries: \"closed\" (none), before so many rounds have been played, or \"half\": before rounds / 2 − 1, rounded up.",
        |s, v| {
            s.registration.until = match v.string().ok() {
                Some("closed") => RegistrationUntil::Closed,
                Some("half") => RegistrationUntil::Half,
                _ => RegistrationUntil::Rounds(v.whole(0..=1000)?),
            };
            Ok(())
        },
        |s| {
            Some(match s.registration.until {
                RegistrationUntil::Closed => quoted("closed"),
                RegistrationUntil::Half => quoted("half"),
                RegistrationUntil::Rounds(rounds) => rounds.to_string(),
            })
        },
    ),
    Key::new(
        "registration.missed",
        "\"zero\" or \"half-point\"",
        "What a late entry has for each round that it missed: nothing, or a half-point bye.",
        |s, v| {
            s.registration.missed = match v.string()? {
                "zero" => MissedRounds::Zero,
                "half-point" => MissedRounds::HalfPoint,
                _ => return Err(v.unexpected()),
            };
            Ok(())
        },
        |s| {
            Some(quoted(match s.registration.missed {
                MissedRounds::Zero => "zero",
                MissedRounds::HalfPoint => "half-point",
            }))
        },
    ),
    key!(
        "arbiter.confirm_rounds",
        "true or false",
        "Whether each pairing is shown and waits for `swissmatch arbiter confirm`.",
        arbiter.confirm_rounds = switch
    )
    .output(),
];
