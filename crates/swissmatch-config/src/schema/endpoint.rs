//! Keys of `[endpoint.NAME]`: a service at which models run.
//!
//! May not: know layers or files.

use super::{Key, entry};
use crate::kind::{
    Tone, ValueKind, choice, duration, micros, optional, path, player_name, service_address, switch, table, variable,
    verbatim, whole,
};
use swissmatch_tournament::setup::{EndpointKeys, Micros, OURS, Price};

/// The highest price of a million tokens.
const DEAREST: Micros = Micros(1_000_000_000_000);

pub(super) fn keys() -> Vec<Key<EndpointKeys>> {
    vec![
        entry!(
            "endpoint.url",
            EndpointKeys.url,
            service_address(),
            "The service's address; a call's own path, such as /chat/completions, is added.",
        )
        .required()
        .output(),
        entry!(
            "endpoint.key_env",
            EndpointKeys.key_env,
            optional(variable("LOCAL_KEY")),
            "Environment variable of the runner with the service's key. No agent ever has it, and it is written nowhere.",
        )
        .output(),
        entry!(
            "endpoint.key_file",
            EndpointKeys.key_file,
            optional(path("the path of a file")),
            "File with the key, instead of the variable; relative to this file.",
        )
        .output(),
        entry!(
            "endpoint.dialect",
            EndpointKeys.dialect,
            choice(),
            r#"What the service speaks: "openai" has POST /chat/completions, "openai-completions" POST /completions, the dialogue as one text."#,
        ),
        entry!(
            "endpoint.owner",
            EndpointKeys.owner,
            player_name().called("\"event\" or the name of a player"),
            "Whose service it is. A service of the event makes up for its outages; if it is a player's, the player pays for them.",
        ),
        entry!(
            "endpoint.at_once",
            EndpointKeys.at_once,
            whole("a number of calls", 1..=100_000),
            "How many calls may be open at once. Half as many games are played beside those of engines; see docs/models.md.",
        )
        .output(),
        entry!(
            "endpoint.requests_a_minute",
            EndpointKeys.requests_a_minute,
            optional(whole("a number of requests", 1..=1_000_000_000)),
            "How many requests the service may get in any minute; if left out, any number.",
        )
        .output(),
        entry!(
            "endpoint.tokens_a_minute",
            EndpointKeys.tokens_a_minute,
            optional(whole("a number of tokens", 1..=1_000_000_000_000)),
            "How many tokens calls may have in any minute; if left out, any number.",
        )
        .output(),
        entry!(
            "endpoint.patience",
            EndpointKeys.patience,
            duration("10m"),
            "How long a call that the service fails is made again, off the clock, before the game counts as not played.",
        )
        .output(),
        entry!(
            "endpoint.price",
            EndpointKeys.price,
            optional(price()),
            "What a million tokens cost: of prompts (input), of answers (output), and of what the service still had of a prompt (cached; if left out, as input).",
        )
        .output(),
        entry!(
            "endpoint.extra",
            EndpointKeys.extra,
            verbatim("{ top_k = 20 }").unless(|table| {
                let ours = table.keys().find(|key| OURS.contains(&key.as_str()))?;
                Some(format!("`{ours}` is swissmatch's to say: leave it out"))
            }),
            "What goes into each call besides, as it is.",
        ),
        entry!(
            "endpoint.stream",
            EndpointKeys.stream,
            switch(),
            "Whether answers are streamed.",
        ),
        entry!(
            "endpoint.trust_off",
            EndpointKeys.trust_off,
            switch(),
            "Whether players with isolation off, who could read the key, may play all the same.",
        )
        .output(),
    ]
}

/// A price as it is written.
#[derive(Clone)]
struct WrittenPrice {
    input: Micros,
    output: Micros,
    cached: Option<Micros>,
}

/// The price of a million tokens.
fn price() -> ValueKind<Price> {
    let amount = || {
        micros(
            "an amount from 0 with at most six decimals, such as 0.15",
            Micros(0)..=DEAREST,
        )
    };
    let blank = || WrittenPrice {
        input: Micros::default(),
        output: Micros::default(),
        cached: None,
    };
    let tone = Tone::Of {
        table: "a price",
        has: "a price has",
        found: true,
    };
    table(
        tone,
        blank,
        vec![
            entry!(WrittenPrice.input, amount(), "Of prompts.").required(),
            entry!(WrittenPrice.output, amount(), "Of answers, their reasoning included.").required(),
            entry!(
                WrittenPrice.cached,
                optional(amount()),
                "Of what the service still had of a prompt; if left out, as input.",
            ),
        ],
    )
    .called("a table, such as { input = 0.15, output = 0.60, cached = 0.02 }")
    .map(
        |written| Price {
            input: written.input,
            output: written.output,
            cached: written.cached.unwrap_or(written.input),
        },
        |price| {
            Some(WrittenPrice {
                input: price.input,
                output: price.output,
                cached: (price.cached != price.input).then_some(price.cached),
            })
        },
    )
}
