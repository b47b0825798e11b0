//! Keys of `[submissions]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{ValueKind, choice, list, model, moment, optional, or, path, text, whole};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            submissions.contract,
            or("none", choice()),
            r#"What players hand in by `swissmatch submit`: "get-move" and "kaggle" (a function in Python), "uci" (an engine), "prompt" (a template by which submissions.model plays), or "none": docs/submissions.md."#,
        ),
        key!(
            submissions.entry,
            optional(path_within("a path in the archive")),
            r#"What plays, by its path in the archive; if left out, "agent.py" of "get-move", "main.py" of "kaggle", "engine" of "uci", "prompt.jinja" of "prompt"."#,
        )
        .such_as(r#""agent.py""#),
        key!(
            submissions.model,
            optional(model()),
            r#"The language model that plays by the prompts, for contract = "prompt": the name of an endpoint, a colon, and what the model is called there."#,
        )
        .such_as(r#""local:qwen3-8b""#),
        key!(
            submissions.function,
            optional(function()),
            r#"The function that is called; if left out, "get_move" of "get-move", "chess_bot" of "kaggle"."#,
        )
        .such_as(r#""get_move""#),
        key!(
            submissions.python,
            optional(path("the path of an environment of Python, such as \"envs/season\"")),
            "Environment of Python (venv) in which all submissions play; relative to this file. If left out, python3 of this machine.",
        )
        .such_as(r#""envs/season""#),
        key!(
            submissions.max_unpacked,
            whole("a number of megabytes", 1..=4_000),
            "Most that an archive may have, unpacked, in MB.",
        ),
        key!(
            submissions.per_day,
            or("none", whole("a number of submissions", 1..=1_000_000)),
            r#"How many submissions of a player are accepted on one day (of schedule.time_zone), or "none": any number."#,
        )
        .output(),
        key!(
            submissions.lock,
            optional(moment("2026-09-11T18:00:00+01:00")),
            "What comes from this time on does not play; if left out, what has come when the run begins plays. Until then a ladder may change it.",
        )
        .such_as("2026-09-11T18:00:00+01:00"),
        key!(
            submissions.out,
            list(r#"a list of players, such as ["Miskeen"]"#, text("the name of a player")),
            "Players that are taken out: from then on they hand nothing in, play in no round of the ladder and not in the event. Until the event begins a ladder may change it.",
        )
        .such_as(r#"["Miskeen"]"#),
        key!(
            submissions.slots,
            whole("a number of submissions", 1..=1000),
            "How many submissions are tried at once; the others wait for their turn.",
        )
        .output(),
    ]
}

/// A path that leads only to what is below.
fn path_within(expected: &str) -> ValueKind<String> {
    path(expected).unless(|path| {
        let is_within = path.split('/').all(|part| !["", ".", ".."].contains(&part));
        (!is_within)
            .then(|| "write a path below the root of the archive, such as \"agent.py\" or \"bin/engine\"".to_owned())
    })
}

fn function() -> ValueKind<String> {
    path("the name of a function, such as \"get_move\"").unless(|name| {
        let is_name =
            |at: usize, letter: char| letter == '_' || letter.is_alphabetic() || (at > 0 && letter.is_numeric());
        let is_function = name.chars().enumerate().all(|(at, letter)| is_name(at, letter));
        (!is_function).then(|| "a function of Python has letters, digits and _ in its name".to_owned())
    })
}
