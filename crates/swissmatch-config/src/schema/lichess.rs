//! Keys of `[lichess]`.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, key};
use crate::kind::{ValueKind, list, optional, parsed, path, switch, variable};
use crate::value::quoted;
use swissmatch_tournament::setup::{Server, Setup, is_broadcast_round};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            lichess.rounds,
            list(
                r#"a list of rounds of a broadcast, such as ["aBcD1234"]"#,
                round(),
            ),
            "Rounds of a Lichess broadcast that games are sent to, 100 to each, in this order; [] sends nothing: docs/lichess.md.",
        )
        .output(),
        key!(
            lichess.by_round,
            switch(),
            "Whether each round of the event begins with the next round of the broadcast.",
        )
        .output(),
        key!(
            lichess.token_env,
            variable("LICHESS_TOKEN"),
            "Environment variable of the runner with the token, which has the scope study:write; the token is written nowhere.",
        )
        .output(),
        key!(
            lichess.token_file,
            optional(path("the path of a file")),
            "File with the token, instead of the variable; relative to this file.",
        )
        .such_as(r#""/etc/swissmatch/lichess-token""#)
        .output(),
        key!(
            lichess.server,
            parsed::<Server>("the address of a server, such as \"https://lichess.org\""),
            "The server, `https://…`, or `http://…` on this machine.",
        )
        .output(),
    ]
}

fn round() -> ValueKind<String> {
    ValueKind::new(
        "the eight letters and digits at the end of the address of a broadcast's round",
        json!({ "type": "string", "pattern": "^[0-9A-Za-z]{8}$" }),
        |value| {
            let text = value.line(1..=100)?;
            is_broadcast_round(&text)
                .then_some(text)
                .ok_or_else(|| value.unexpected())
        },
        |text| quoted(text),
    )
}
