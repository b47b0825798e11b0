//! Every key of `[playoff]`.
//!
//! May not: know layers or files.

use std::time::Duration;

use swiss_system::standings::criterion;
use swiss_system::standings::criterion::Criterion;
use swiss_system::word::Word as _;

use super::Key;
use crate::config::error::Problem;
use crate::config::value::{Value, array, quoted};
use crate::tournament::playoff::rules::Stage;
use crate::tournament::setup::{PlayoffNumbers, Setup};

pub(super) const KEYS: &[Key<Setup>] = &[
    Key::new(
        "playoff.places",
        "a list of places from 1 to 10000 in rising order, such as [1] or [1, 3], or []",
        "Places told from the next one by a play-off when players are tied for both: [1] for the first; [] for none.",
        |s, v| {
            let places = v.list()?.into_iter().map(|v| v.whole(1..=10_000));
            let places = places.collect::<Result<Vec<u32>, _>>()?;
            if !places.is_sorted_by(|one, other| one < other) {
                return Err(Problem::said("the places must rise".to_owned()));
            }
            s.playoff.places = places;
            Ok(())
        },
        |s| Some(array(s.playoff.places.iter().map(u32::to_string))),
    ),
    key!(
        "playoff.when",
        "\"tied\" or \"indivisible-prize\"",
        "Which ties are played off: all for such a place (\"tied\"), or those for an \"indivisible-prize\" of [prizes].",
        playoff.when = choice
    ),
    key!(
        "playoff.tied_on",
        "\"points\" or \"order\"",
        "Who is tied: players level on \"points\" (the first criterion of standings.order), or on all of the \"order\".",
        playoff.tied_on = choice
    ),
    key!(
        "playoff.entrants",
        "\"all\" or \"top-two\"",
        "Who plays where three or more are tied: \"all\", or the \"top-two\" by playoff.numbers.",
        playoff.entrants = choice
    ),
    Key::new(
        "playoff.numbers",
        "\"lot\" or a list of criteria, such as [\"WIN\", \"BPG\", \"DE\"]",
        "Pairing numbers of the tied: criteria strictly in turn, then lots; or \"lot\", drawn anew as the tour's rules say.",
        |s, v| {
            s.playoff.numbers = match v.string() {
                Ok("lot") => PlayoffNumbers::Lot,
                _ => {
                    let criteria = v.parsed_each::<Criterion>()?;
                    criterion::refuse_doubles(&criteria).map_err(|error| Problem::said(error.to_string()))?;
                    PlayoffNumbers::By(criteria)
                }
            };
            Ok(())
        },
        |s| {
            Some(match &s.playoff.numbers {
                PlayoffNumbers::Lot => quoted("lot"),
                PlayoffNumbers::By(criteria) => array(criteria.iter().map(|criterion| quoted(&criterion.to_string()))),
            })
        },
    ),
    Key::new(
        "playoff.stages",
        "a list of stages, such as [{ kind = \"round-robin\", two = \"8:00+3\", more = \"5:00+2\" }]",
        "What is contested, in turn: kind = \"head-to-head\", \"round-robin\" or \"armageddon\"; then the arbiter decides.",
        |s, v| {
            let stages = v.list()?.into_iter().map(read_stage);
            s.playoff.stages = stages.collect::<Result<_, _>>()?;
            Ok(())
        },
        |s| Some(array(s.playoff.stages.iter().map(write_stage))),
    ),
    key!(
        "playoff.head_to_head",
        "\"same-day\" or \"any-day\"",
        "Games that count head to head: of rounds paired on the day of the last one, \"same-day\", or \"any-day\".",
        playoff.head_to_head = choice
    ),
    key!(
        "playoff.start_after",
        "a duration such as \"15m\" or \"0s\"",
        "Least time from the end of the last game to the first game of a play-off.",
        playoff.start_after = duration Duration::ZERO
    )
    .output(),
];

/// A stage: a table whose entry `kind` says which others it has.
fn read_stage(value: Value<'_>) -> Result<Stage, Problem> {
    let kind = value.entry("kind")?;
    let kind = kind.ok_or_else(|| Problem::said("a stage needs an entry `kind`".to_owned()).at(value.span()))?;
    let time_control = |name: &str| {
        let entry = value.entry(name)?;
        let missing = || Problem::said(format!("`{name}` is missing")).at(value.span());
        entry.ok_or_else(missing)?.time_control()
    };
    match kind.string()? {
        "head-to-head" => {
            value.only(&["kind"])?;
            Ok(Stage::HeadToHead)
        }
        "round-robin" => {
            value.only(&["kind", "two", "more"])?;
            Ok(Stage::RoundRobin {
                two: time_control("two")?,
                more: time_control("more")?,
            })
        }
        "armageddon" => {
            value.only(&["kind", "white", "black", "colors"])?;
            let colors = value.entry("colors")?;
            let colors = colors.ok_or_else(|| Problem::said("`colors` is missing".to_owned()).at(value.span()))?;
            Ok(Stage::Armageddon {
                white: time_control("white")?,
                black: time_control("black")?,
                colors: colors.choice()?,
            })
        }
        other => {
            let kinds = "\"head-to-head\", \"round-robin\" or \"armageddon\"";
            let message = format!(
                "{} is no kind of stage; expected {kinds}",
                crate::config::value::shown(other)
            );
            Err(Problem::said(message).at(kind.span()))
        }
    }
}

fn write_stage(stage: &Stage) -> String {
    let limits = |limits: &crate::game::time_control::TimeControl| quoted(&limits.to_string());
    match stage {
        Stage::HeadToHead => "{ kind = \"head-to-head\" }".to_owned(),
        Stage::RoundRobin { two, more } => {
            let (two, more) = (limits(two), limits(more));
            format!("{{ kind = \"round-robin\", two = {two}, more = {more} }}")
        }
        Stage::Armageddon { white, black, colors } => {
            let (white, black, colors) = (limits(white), limits(black), quoted(colors.word()));
            format!("{{ kind = \"armageddon\", white = {white}, black = {black}, colors = {colors} }}")
        }
    }
}
