//! Keys of `[eligibility]`.
//!
//! May not: know layers or files.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Key, entry, key};
use crate::error::InvalidValue;
use crate::kind::{Tone, ValueKind, arguments, or, path, points, switch, table, time_control, uci_options, whole};
use crate::value::{Value, quoted};
use swissmatch_tournament::setup::{Baseline, Setup};

/// Keys on who may play. None of them is checked again once a run has begun.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            eligibility.required,
            switch(),
            "Whether only agents with a current, passed qualification may play: docs/check.md.",
        )
        .output(),
        key!(
            eligibility.record,
            path("the path of a file, without control characters"),
            "File to which `swissmatch check --all` writes the qualifications; relative to this file.",
        )
        .output(),
        key!(
            eligibility.baseline,
            or("none", baseline())
                .called(r#""none", a program, or { command = "stockfish", args = [], options = { Skill = 0 } }"#),
            r#"Opponent that they play to qualify: "none", a program, or { command = "stockfish", options = { Skill = 0 } }."#,
        )
        .output(),
        key!(
            eligibility.games,
            whole("a number of games", 1..=10_000),
            "How many games are played against the baseline.",
        )
        .output(),
        key!(
            eligibility.score,
            points("a share of the points", 0..=1)
                .called("a share of the points from 0 to 1 with at most three decimals, such as 0.25"),
            "Share of the points of these games that is needed to qualify; a draw is half a point.",
        )
        .output(),
        key!(
            eligibility.time_control,
            or(
                "event",
                time_control(r#"a time control as a string, such as "100ms/move" or "5+0.1""#),
            ),
            r#"Time control of the games of `swissmatch check`, including those against the baseline; "event": the event's own, cut short (docs/check.md)."#,
        )
        .output(),
        key!(
            eligibility.valid_for,
            or("none", days()),
            r#"How long a qualification is valid, in days, such as "90d"; "none": indefinitely."#,
        )
        .output(),
    ]
}

fn days() -> ValueKind<u32> {
    let schema = json!({ "type": "string", "pattern": "^[0-9]{1,5}d$" });
    ValueKind::new(
        "a number of days from \"1d\" to \"36500d\"",
        schema,
        read_days,
        |days| quoted(&format!("{days}d")),
    )
}

fn read_days(value: Value<'_>) -> Result<u32, InvalidValue> {
    let digits = value.string()?.strip_suffix('d').ok_or_else(|| value.unexpected())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let days = digits
        .parse()
        .ok()
        .filter(|days| is_number && (1..=36_500).contains(days));
    days.ok_or_else(|| value.unexpected())
}

/// A program, by itself or in a table with its arguments and options.
fn baseline() -> ValueKind<Baseline> {
    let program = || path("a program");
    let blank = || Baseline {
        command: String::new(),
        args: Vec::new(),
        options: BTreeMap::new(),
    };
    let in_full = table(
        Tone::Bare,
        blank,
        vec![
            entry!(Baseline.command, program(), "The program.").required(),
            entry!(Baseline.args, arguments(), "Its arguments."),
            entry!(Baseline.options, uci_options("{ Skill = 0 }"), "Its UCI options."),
        ],
    );
    let schema = json!({ "anyOf": [program().schema, in_full.schema] });
    let (program, in_full) = (program(), std::sync::Arc::new(in_full));
    let to_read = in_full.clone();
    let read = move |value: Value<'_>| match value.string() {
        Ok(_) => program.read(value).map(|command| Baseline { command, ..blank() }),
        Err(_) => to_read.read(value),
    };
    ValueKind::new("a program or a table", schema, read, move |baseline| {
        in_full.write(baseline).unwrap_or_default()
    })
}
