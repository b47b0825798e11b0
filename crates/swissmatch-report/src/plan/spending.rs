//! The likely use and cost of an event's models.
//!
//! May not: estimate; that is `tournament::estimate`.

use serde::Serialize;
use swiss_system::text::harmless;

use crate::asked::UNKNOWN;
use crate::table::{Column, Page, Table};
use swissmatch_tournament::estimate::{Estimate, PlayerEstimate, Range, Total};
use swissmatch_tournament::setup::{Micros, Setup};

pub(super) fn page(setup: &Setup, estimate: &Estimate) -> Page {
    let columns = vec![
        Column::names("Player"),
        Column::figures("Games"),
        Column::figures("Measured").goes(1),
        Column::figures("Requests").goes(0),
        Column::figures("Tokens in"),
        Column::figures("Tokens out"),
        Column::figures("Cost"),
    ];
    let row = |player: &PlayerEstimate| {
        vec![
            harmless(&player.name),
            player.games.to_string(),
            player.measured.to_string(),
            of_one(player.requests, count),
            of_one(player.input, count),
            of_one(player.output, count),
            of_one(player.cost, money),
        ]
    };
    let all = vec![
        "All".to_owned(),
        String::new(),
        String::new(),
        of_all(estimate.total(|player| player.requests), count),
        of_all(estimate.total(|player| player.input), count),
        of_all(estimate.total(|player| player.output), count),
        of_all(estimate.total(|player| player.cost), money),
    ];
    Page {
        title: "What models are likely to use".to_owned(),
        table: Table {
            columns,
            rows: estimate.players.iter().map(row).chain([all]).collect(),
        },
        notes: notes(setup, estimate),
    }
}

fn notes(setup: &Setup, estimate: &Estimate) -> Vec<String> {
    let mut notes = Vec::new();
    let measured = |player: &&PlayerEstimate| player.measured > 0;
    if estimate.players.iter().any(|player| measured(&player)) {
        notes.push(
            "From the least to the most that a measured game took, for all games. Calls without an answer are requests alone, and what \
             a service did not tell is left out; with a + not everything is known."
                .to_owned(),
        );
    }
    if !estimate.players.iter().all(|player| measured(&player)) {
        notes.push(
            "Not all are measured: --measure plays up to four games, whose calls cost what calls cost; --from RUN takes the games of a run."
                .to_owned(),
        );
    }
    let unmeasured = || estimate.players.iter().filter(|player| !measured(player));
    let most: Option<u64> = unmeasured().map(|player| player.most_output).sum();
    match (unmeasured().count(), most) {
        (0, _) => {}
        (_, Some(most)) => notes.push(format!(
            "Answers of those without a measured game have at most {most} tokens, by model.max_tokens, the attempts and the cap on moves; \
             how long their prompts are is not known."
        )),
        (_, None) => notes.push("Without a cap on moves (game.max_moves) nothing bounds the tokens of those without a measured game.".to_owned()),
    }
    let unpriced = setup.endpoints.iter().filter(|endpoint| endpoint.price.is_none());
    let unpriced: Vec<String> = unpriced
        .map(|endpoint| format!("endpoint.{}.price", endpoint.name))
        .collect();
    if !unpriced.is_empty() {
        notes.push(format!(
            "Without {} a cost is known only where the service tells it.",
            unpriced.join(", ")
        ));
    }
    notes
}

/// The limits of `[spending]` that are likely to be exceeded, as sentences without their full stops.
pub fn beyond(setup: &Setup, estimate: &Estimate) -> Vec<String> {
    let keys = &setup.spending;
    let tokens = |player: &PlayerEstimate| Some(player.input?.and(player.output?));
    let passed = |key: &str, limit: Option<u64>, range: Option<Range>, written: fn(u64) -> String, does: &str| {
        let (limit, range) = (limit?, range?);
        let told = format!(
            "spending.{key} is {}, and {does} {}: raise it, or play fewer games",
            written(limit),
            of_one(Some(range), written)
        );
        (range.most > limit).then_some(told)
    };
    let cost = estimate.total(|player| player.cost).known;
    let used = estimate.total(tokens).known;
    let requests = estimate.total(|player| player.requests).known;
    let limit = keys.event.map(|limit| limit.0);
    let of_event = [
        passed("event", limit, cost, money, "the event is likely to cost"),
        passed("tokens", keys.tokens, used, count, "the event is likely to use"),
        passed(
            "requests",
            keys.requests,
            requests,
            count,
            "the event is likely to make",
        ),
    ];
    let of_players = estimate.players.iter().map(|player| {
        let does = format!("{} is likely to cost", harmless(&player.name));
        passed("player", keys.player.map(|limit| limit.0), player.cost, money, &does)
    });
    of_event.into_iter().chain(of_players).flatten().collect()
}

fn count(number: u64) -> String {
    number.to_string()
}

fn money(micros: u64) -> String {
    Micros(micros).to_string()
}

fn of_one(range: Option<Range>, written: fn(u64) -> String) -> String {
    match range {
        None => UNKNOWN.to_owned(),
        Some(Range { least, most }) if least == most => written(most),
        Some(Range { least, most }) => format!("{}–{}", written(least), written(most)),
    }
}

fn of_all(total: Total, written: fn(u64) -> String) -> String {
    let known = of_one(total.known, written);
    match (total.known, total.unknown) {
        (Some(_), 1..) => known + "+",
        _ => known,
    }
}

#[derive(Serialize)]
pub(super) struct SpendingJson {
    players: Vec<PlayerJson>,
    all: AllJson,
}

#[derive(Serialize)]
struct PlayerJson {
    name: String,
    games: u32,
    games_measured: usize,
    requests: Option<RangeJson>,
    input_tokens: Option<RangeJson>,
    output_tokens: Option<RangeJson>,
    /// In millionths of the unit of the prices.
    cost: Option<RangeJson>,
    /// `null` if nothing bounds it.
    most_output_tokens: Option<u64>,
}

#[derive(Serialize)]
struct AllJson {
    requests: TotalJson,
    input_tokens: TotalJson,
    output_tokens: TotalJson,
    cost: TotalJson,
}

#[derive(Serialize)]
struct RangeJson {
    least: u64,
    most: u64,
}

#[derive(Serialize)]
struct TotalJson {
    known: Option<RangeJson>,
    players_unknown: usize,
}

fn range_json(range: Option<Range>) -> Option<RangeJson> {
    range.map(|Range { least, most }| RangeJson { least, most })
}

pub(super) fn json(estimate: &Estimate) -> SpendingJson {
    let player = |player: &PlayerEstimate| PlayerJson {
        name: harmless(&player.name),
        games: player.games,
        games_measured: player.measured,
        requests: range_json(player.requests),
        input_tokens: range_json(player.input),
        output_tokens: range_json(player.output),
        cost: range_json(player.cost),
        most_output_tokens: player.most_output,
    };
    let total = |what: fn(&PlayerEstimate) -> Option<Range>| {
        let total = estimate.total(what);
        TotalJson {
            known: range_json(total.known),
            players_unknown: total.unknown,
        }
    };
    SpendingJson {
        players: estimate.players.iter().map(player).collect(),
        all: AllJson {
            requests: total(|player| player.requests),
            input_tokens: total(|player| player.input),
            output_tokens: total(|player| player.output),
            cost: total(|player| player.cost),
        },
    }
}
