//! Calls of players over the network: a table, and JSON.
//!
//! May not: compute what it shows.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::{ThinkingReport, or_none, quantile_ms};
use crate::asked::{UNKNOWN, cost, help, tokens};
use crate::table::{Column, Page, Table};
use crate::untrusted::name;
use swissmatch_game::record::PartialSum;
use swissmatch_tournament::state::State;
use swissmatch_tournament::thinking::PlayerThinking;

impl ThinkingReport<'_> {
    pub(super) fn has_calls(&self) -> bool {
        self.thinking.players.iter().any(|player| player.calls.count > 0)
    }

    pub(super) fn calls(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::figures("Calls"),
            Column::figures("Tries"),
            Column::figures("No answer").goes(1),
            Column::figures("Legal %"),
            Column::words("Legal in prompt").goes(1),
            Column::words("Constrained").goes(1),
            Column::figures("Tokens in"),
            Column::figures("Cached").goes(2),
            Column::figures("Tokens out"),
            Column::figures("Reasoning").goes(2),
            Column::figures("Cost"),
            Column::figures("First byte ms"),
            Column::figures("99 % ms").goes(2),
            Column::figures("Latency ms"),
            Column::figures("99 % ms"),
        ];
        let row = |(number, player): (PairingNumber, &PlayerThinking)| {
            let calls = &player.calls;
            let help = help(self.state, number);
            let help = help.as_ref();
            vec![
                name(self.state, number),
                calls.count.to_string(),
                calls.tries.to_string(),
                calls.failed.to_string(),
                or_none(
                    player
                        .legal_share()
                        .map(|share| format!("{}.{}", share / 10, share % 10)),
                ),
                help.and_then(|help| help.legal_moves)
                    .map_or(UNKNOWN, |shown| shown.word())
                    .to_owned(),
                match help {
                    Some(help) if help.is_constrained => "yes".to_owned(),
                    _ => "no".to_owned(),
                },
                tokens(calls.input, calls.count),
                tokens(calls.cached, calls.count),
                tokens(calls.output, calls.count),
                tokens(calls.reasoning, calls.count),
                cost(calls.cost.whole()),
                quantile_ms(&calls.first_byte, 50),
                quantile_ms(&calls.first_byte, 99),
                quantile_ms(&calls.latency, 50),
                quantile_ms(&calls.latency, 99),
            ]
        };
        let who_asked = self.each().filter(|(_, player)| player.calls.count > 0);
        Page {
            title: "What they asked over the network".to_owned(),
            table: Table {
                rows: who_asked.map(row).collect(),
                columns,
            },
            notes: vec![format!(
                "Of games that were played; tokens as services told them. Legal %: of all attempts, those that gave a legal move in time. \
                     Legal in prompt: which legal moves the prompt shows, by what its template asks for. Constrained: whether the service \
                     was told what form an answer has. \
                     Tokens with a + are at least so many: the service did not tell those of all calls. A cost of which a part is unknown \
                     is {UNKNOWN}. First byte and latency: medians, and what 99 % did not exceed; with all that was off the clock."
            )],
        }
    }
}

/// The calls of a player.
#[derive(Serialize)]
pub(super) struct PlayerCallsJson {
    count: u64,
    tries: u64,
    without_answer: u64,
    legal_share_percent: Option<f64>,
    legal_moves_in_prompt: Option<&'static str>,
    constrained: bool,
    input_tokens: Tokens,
    cached_tokens: Tokens,
    output_tokens: Tokens,
    reasoning_tokens: Tokens,
    /// In millionths of the unit of the prices.
    cost: Option<u64>,
    first_byte_us: Option<Times>,
    latency_us: Option<Times>,
}

#[derive(Serialize)]
struct Tokens {
    sum: u64,
    calls_untold: u64,
}

#[derive(Serialize)]
struct Times {
    median: u64,
    percentile_99: u64,
}

impl PlayerCallsJson {
    /// `None` if the player asked nothing.
    pub(super) fn of(state: &State, number: PairingNumber, player: &PlayerThinking) -> Option<Self> {
        let calls = &player.calls;
        let help = help(state, number);
        let tokens = |told: PartialSum| Tokens {
            sum: told.sum,
            calls_untold: told.untold,
        };
        let times = |times: &swissmatch_stats::spread::Spread| {
            Some(Times {
                median: times.median()?,
                percentile_99: times.quantile(99)?,
            })
        };
        (calls.count > 0).then(|| Self {
            count: calls.count,
            tries: calls.tries,
            without_answer: calls.failed,
            legal_share_percent: player.legal_share().map(|share| share as f64 / 10.0),
            legal_moves_in_prompt: (help.as_ref()).and_then(|help| Some(help.legal_moves?.word())),
            constrained: help.is_some_and(|help| help.is_constrained),
            input_tokens: tokens(calls.input),
            cached_tokens: tokens(calls.cached),
            output_tokens: tokens(calls.output),
            reasoning_tokens: tokens(calls.reasoning),
            cost: calls.cost.whole(),
            first_byte_us: times(&calls.first_byte),
            latency_us: times(&calls.latency),
        })
    }
}
