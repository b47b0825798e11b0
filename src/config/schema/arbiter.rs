//! Keys of what happens beside the games: `[registration]`, `[arbiter]`, byes that are asked for.
//!
//! May not: know layers or files.

use super::Key;
use crate::config::error::Problem;
use crate::config::value::{Value, array, quoted, shown};
use crate::tournament::setup::{ByeLimit, MissedRounds, RegistrationUntil, Setup};

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
    Key::<Setup>::new(
        "arbiter.confirm_rounds",
        "true or false",
        "Whether each pairing is shown and waits for `swissmatch arbiter confirm`.",
        |s, v| v.switch().map(|on| s.arbiter.confirm_rounds = on),
        |s| Some(s.arbiter.confirm_rounds.to_string()),
    )
    .output(),
];

pub(super) fn read_limits(value: Value<'_>) -> Result<Vec<ByeLimit>, Problem> {
    let limits: Vec<ByeLimit> = value.list()?.into_iter().map(read_limit).collect::<Result<_, _>>()?;
    match limits.is_sorted_by(|one, other| one.rounds < other.rounds) {
        true => Ok(limits),
        false => Err(
            Problem::said("bye.requests: each line must be for more rounds than the one before".to_owned())
                .at(value.span()),
        ),
    }
}

fn read_limit(value: Value<'_>) -> Result<ByeLimit, Problem> {
    let table = value.table()?;
    if let Some((key, _)) = table
        .iter()
        .find(|(key, _)| !["rounds", "byes"].contains(&key.get_ref().as_ref()))
    {
        let message = format!("unknown entry {} of bye.requests", shown(key.get_ref()));
        return Err(Problem::said(message)
            .at(Some(key.span()))
            .help("a line has rounds and byes".to_owned()));
    }
    let number = |name: &str, least: i128| {
        let expected = || {
            Problem::said(format!(
                "{name} of bye.requests: expected a number from {least} to 1000"
            ))
        };
        let entry = table.get(name).map(Value::Toml);
        let entry = entry.ok_or_else(|| expected().at(value.span()))?;
        entry
            .whole::<u32>(least..=1000)
            .map_err(|_| expected().at(entry.span()))
    };
    Ok(ByeLimit {
        rounds: number("rounds", 1)?,
        byes: number("byes", 0)?,
    })
}

pub(super) fn write_limits(limits: &[ByeLimit]) -> String {
    array(
        limits
            .iter()
            .map(|limit| format!("{{ rounds = {}, byes = {} }}", limit.rounds, limit.byes)),
    )
}
