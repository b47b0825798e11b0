//! Values of tournaments: time controls, formats, points, money, criteria.

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};

use super::{Tone, ValueKind, entry, table};
use crate::error::InvalidValue;
use crate::value::{Value, array, quoted};
use swiss_system::score::{Points, PointsTable};
use swiss_system::standings::criterion::{self, Criterion};
use swissmatch_game::time_control::TimeControl;
use swissmatch_stats::sprt::Decimal;
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::setup::Rounds;

/// The largest difference of a hypothesis, in millionths of an Elo point.
const MOST_ELO: i64 = 999_999_999_999_999;

pub(crate) fn time_control(expected: &str) -> ValueKind<TimeControl> {
    let schema = json!({ "type": "string", "minLength": 1 });
    ValueKind::new(
        expected,
        schema,
        |value| value.time_control(),
        |control| quoted(&control.to_string()),
    )
}

/// Most rounds of any format whose name has their number, or that of its cycles.
pub(crate) const MOST_ROUNDS: u32 = 10_000;

/// The number and kind of rounds.
pub(crate) fn rounds(expected: &str) -> ValueKind<Rounds> {
    let number = json!({ "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS });
    let schema = json!({ "anyOf": [number, { "type": "string", "minLength": 1 }] });
    ValueKind::new(expected, schema, read_rounds, |rounds| match rounds {
        Rounds::Number(rounds) => rounds.to_string(),
        written => quoted(&written.to_string()),
    })
}

fn read_rounds(value: Value<'_>) -> Result<Rounds, InvalidValue> {
    let Ok(text) = value.string() else {
        return value.whole(1..=MOST_ROUNDS.into()).map(Rounds::Number);
    };
    match text.parse() {
        Ok(
            Rounds::Number(number)
            | Rounds::Log2Plus(number)
            | Rounds::DoubleSwiss(Some(number))
            | Rounds::AllPlayAll { cycles: number }
            | Rounds::Gauntlet { runners: number, .. },
        ) if number > MOST_ROUNDS => Err(value.unexpected()),
        Ok(Rounds::Gauntlet { cycles, .. }) if cycles > MOST_ROUNDS => Err(value.unexpected()),
        Ok(rounds) => Ok(rounds),
        Err(_) => Err(value.unexpected()),
    }
}

/// Exact points between whole bounds.
pub(crate) fn points(what: &str, range: RangeInclusive<u32>) -> ValueKind<Points> {
    let (least, most) = (*range.start(), *range.end());
    let expected = format!("{what} from {least} to {most} with at most three decimals");
    let bounds = Points::whole(least.into())..=Points::whole(most.into());
    let read = move |value: Value<'_>| value.exact(bounds.clone());
    ValueKind::new(expected, decimal(least.into(), most.into()), read, Points::to_string)
}

/// A decimal between bounds, or one as a string.
fn decimal(least: i64, most: i64) -> Json {
    let sign = if least < 0 { "-?" } else { "" };
    json!({ "anyOf": [
        { "type": "number", "minimum": least, "maximum": most },
        { "type": "string", "pattern": format!(r"^{sign}[0-9]+(\.[0-9]{{1,3}})?$") },
    ] })
}

/// Most points for a win, and fewest for a loss.
const MOST_POINTS: i64 = 1000;

/// Points for a win, a draw, a loss: a table or a list of three.
pub(crate) fn points_table() -> ValueKind<PointsTable> {
    let point = || {
        let bounds = -Points::whole(MOST_POINTS)..=Points::whole(MOST_POINTS);
        let read = move |value: Value<'_>| value.exact(bounds.clone());
        ValueKind::new("points", decimal(-MOST_POINTS, MOST_POINTS), read, Points::to_string)
    };
    let expected = format!(
        "points between -{MOST_POINTS} and {MOST_POINTS} with at most three decimals, such as {{ win = 1, draw = 0.5, \
         loss = 0 }} or [1, 0.5, 0]"
    );
    let named = table(
        Tone::Bare,
        || PointsTable::STANDARD,
        vec![
            entry!(PointsTable.win, point(), "For a win.").required(),
            entry!(PointsTable.draw, point(), "For a draw.").required(),
            entry!(PointsTable.loss, point(), "For a loss.").required(),
        ],
    );
    let list = json!({ "type": "array", "items": point().schema, "minItems": 3, "maxItems": 3 });
    let schema = json!({ "anyOf": [named.schema, list] });
    let (point, write) = (point(), named.write);
    let read = move |value: Value<'_>| {
        if value.table().is_ok() {
            return (named.read)(value);
        }
        let values = value.list()?;
        let [win, draw, loss] = values[..] else {
            return Err(InvalidValue::found(format!("{} values", values.len())));
        };
        Ok(PointsTable {
            win: point.read(win)?,
            draw: point.read(draw)?,
            loss: point.read(loss)?,
        })
    };
    ValueKind {
        expected,
        schema,
        read: Box::new(read),
        write,
    }
    .unless(|table| {
        let is_wrong = table.win < table.draw || table.draw < table.loss || table.win == table.loss;
        is_wrong.then(|| "a win must be worth more than a loss, and a draw must lie between them".to_owned())
    })
}

pub(crate) fn money(expected: &str) -> ValueKind<Cents> {
    let schema = json!({ "anyOf": [
        { "type": "number", "minimum": 0 },
        { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,2})?$" },
    ] });
    ValueKind::new(expected, schema, |value| value.money(), Cents::to_string)
}

/// A decimal with at most six digits after the point, within these bounds in millionths.
fn small_decimal(expected: &str, range: RangeInclusive<i64>) -> ValueKind<Decimal> {
    let of = |millionths: &i64| Decimal::from_millionths(*millionths);
    let (least, most) = (of(range.start()), of(range.end()));
    let number = |bound: Decimal| bound.to_string().parse::<serde_json::Number>().ok();
    let schema = json!({ "anyOf": [
        { "type": "number", "minimum": number(least), "maximum": number(most) },
        { "type": "string", "pattern": r"^[-+]?[0-9]*(\.[0-9]{1,6})?$" },
    ] });
    let read = move |value: Value<'_>| value.exact(least..=most);
    ValueKind::new(expected, schema, read, Decimal::to_string)
}

/// A difference of an SPRT's hypothesis, in Elo points.
pub(crate) fn elo_difference() -> ValueKind<Decimal> {
    let expected = "a difference in Elo, such as 5 or -2.5, with at most six digits after the point";
    small_decimal(expected, -MOST_ELO..=MOST_ELO)
}

/// The probability of an error of a test.
pub(crate) fn chance_of_error() -> ValueKind<Decimal> {
    small_decimal("a probability above 0 and below 0.5, such as 0.05", 1..=499_999)
}

/// Criteria in order.
pub(crate) fn criteria(such_as: &str) -> ValueKind<Vec<Criterion>> {
    let schema = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
    ValueKind::new(
        format!("a list of criteria, such as {such_as}"),
        schema,
        |value| value.parsed_each::<Criterion>(|criterion| criterion.code.may_be_repeated()),
        |order| array(order.iter().map(|criterion| quoted(&criterion.to_string()))),
    )
    .unless(|order| criterion::refuse_doubles(order).err().map(|error| error.to_string()))
}
