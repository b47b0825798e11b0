//! Keys of `[eligibility]`.
//!
//! May not: know layers or files.

use std::collections::BTreeMap;

use swiss_system::score::Points;

use super::Key;
use crate::config::error::Problem;
use crate::config::value::{Value, array, or_word, quoted, write_table};
use crate::tournament::setup::{Baseline, Setup};

/// Who may play. None of it is asked again once a run has begun.
pub(super) static KEYS: &[Key<Setup>] = &[
    key!(
        "eligibility.required",
        "true or false",
        "Whether only agents with a current, passed qualification may play: docs/check.md.",
        eligibility.required = switch
    )
    .output(),
    Key::<Setup>::new(
        "eligibility.record",
        "the path of a file, without control characters",
        "File of the qualifications, which `swissmatch check --all` writes; relative to this file.",
        |s, v| v.line(1..=4096).map(|record| s.eligibility.record = record),
        |s| Some(quoted(&s.eligibility.record)),
    )
    .output(),
    Key::<Setup>::new(
        "eligibility.baseline",
        "\"none\", a program, or { command = \"stockfish\", args = [], options = { Skill = 0 } }",
        "Whom they play to qualify: \"none\", a program, or { command = …, args = […], options = {…} }.",
        |s, v| read_baseline(v).map(|baseline| s.eligibility.baseline = baseline),
        |s| Some(write_baseline(s.eligibility.baseline.as_ref())),
    )
    .output(),
    key!(
        "eligibility.games",
        "a number of games from 1 to 10000",
        "Games against the baseline.",
        eligibility.games = whole 1..=10_000
    )
    .output(),
    Key::<Setup>::new(
        "eligibility.score",
        "a share of the points from 0 to 1 with at most three decimals, such as 0.25",
        "Share of the points of these games that is required; a draw is half a point.",
        |s, v| {
            v.points(Points::ZERO..=Points::ONE)
                .map(|share| s.eligibility.score = share)
        },
        |s| Some(s.eligibility.score.to_string()),
    )
    .output(),
    Key::<Setup>::new(
        "eligibility.time_control",
        "a time control as a string, such as \"100ms/move\" or \"5+0.1\"",
        "Limits of the games of `swissmatch check`, those against the baseline included.",
        |s, v| v.time_control().map(|control| s.eligibility.time_control = control),
        |s| Some(quoted(&s.eligibility.time_control.to_string())),
    )
    .output(),
    Key::<Setup>::new(
        "eligibility.valid_for",
        "\"none\" or a number of days from \"1d\" to \"36500d\"",
        "How long a qualification holds, in days, such as \"90d\"; \"none\": for ever.",
        |s, v| v.word_or("none", read_days).map(|days| s.eligibility.valid_for = days),
        |s| Some(quoted(&or_days(s.eligibility.valid_for))),
    )
    .output(),
];

fn read_days(value: Value<'_>) -> Result<u32, Problem> {
    let digits = value.string()?.strip_suffix('d').ok_or_else(|| value.unexpected())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let days = digits
        .parse()
        .ok()
        .filter(|days| is_number && (1..=36_500).contains(days));
    days.ok_or_else(|| value.unexpected())
}

fn or_days(days: Option<u32>) -> String {
    days.map_or_else(|| "none".to_owned(), |days| format!("{days}d"))
}

fn read_baseline(value: Value<'_>) -> Result<Option<Baseline>, Problem> {
    if value.string().is_ok() {
        let command = value.word_or("none", |v| v.line(1..=4096))?;
        return Ok(command.map(|command| Baseline {
            command,
            args: Vec::new(),
            options: BTreeMap::new(),
        }));
    }
    value.only(&["command", "args", "options"])?;
    let command = value
        .entry("command")?
        .ok_or_else(|| Problem::said("`command` is missing".to_owned()).at(value.span()))?;
    let args = value.entry("args")?.map(Value::arguments).transpose()?;
    let options = value.entry("options")?.map(Value::uci_options).transpose()?;
    Ok(Some(Baseline {
        command: command.line(1..=4096)?,
        args: args.unwrap_or_default(),
        options: options.unwrap_or_default(),
    }))
}

fn write_baseline(baseline: Option<&Baseline>) -> String {
    let Some(Baseline { command, args, options }) = baseline else {
        return or_word(None::<String>, "none");
    };
    let args = (!args.is_empty()).then(|| format!("args = {}", array(args.iter().map(|arg| quoted(arg)))));
    let options = (!options.is_empty()).then(|| format!("options = {}", write_table(options)));
    let entries: Vec<String> = [format!("command = {}", quoted(command))]
        .into_iter()
        .chain(args)
        .chain(options)
        .collect();
    format!("{{ {} }}", entries.join(", "))
}
