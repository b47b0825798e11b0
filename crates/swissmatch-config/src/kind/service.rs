//! Values of models and of the services at which they run: addresses, prices, texts to send, and tables that are passed on unchanged.
//!
//! May not: look whether a service is there.

use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ValueKind;
use crate::error::InvalidValue;
use crate::value::{Value, json_table, quoted, shown};
use swiss_system::text::is_no_part_of_a_name;
use swissmatch_tournament::setup::{Micros, Thousandths, is_endpoint_name, is_web_address};

/// Characters of an address.
const ADDRESS: RangeInclusive<usize> = 1..=4096;
/// Most characters of a text that is sent with each call.
const LONGEST_TEXT: usize = 100_000;
/// Characters of a model's name.
const MODEL: RangeInclusive<usize> = 1..=200;

/// The address of a service, to which the path of each call is added.
pub(crate) fn service_address() -> ValueKind<String> {
    ValueKind::new(
        "the address of a service, http:// or https://, such as \"http://127.0.0.1:8000/v1\"",
        json!({ "type": "string", "pattern": "^https?://[^@?#]+$" }),
        |value| {
            let help = "name the variable or the file that holds the key: key_env or key_file";
            let address = web_address(value, help)?;
            if address.contains('?') {
                let problem = InvalidValue::said("a service's address has no query".to_owned());
                return Err(problem.help("what each call needs besides stands in extra".to_owned()));
            }
            Ok(address)
        },
        |address| quoted(address),
    )
}

/// The address that is asked for moves.
pub(crate) fn move_address() -> ValueKind<String> {
    ValueKind::new(
        "an address, http:// or https://, such as \"https://agent.example.org/move\"",
        json!({ "type": "string", "pattern": "^https?://[^@#]+$" }),
        |value| web_address(value, "leave it out: the address stands in the log, which is published"),
        |address| quoted(address),
    )
}

/// An address of the web. `help` is the remedy if it has a password, which is not shown again.
fn web_address(value: Value<'_>, help: &str) -> Result<String, InvalidValue> {
    let address = value.line(ADDRESS)?;
    if address.contains('@') {
        let problem = InvalidValue::said("an address has no user and no password".to_owned());
        return Err(problem.help(help.to_owned()));
    }
    is_web_address(&address)
        .then_some(address)
        .ok_or_else(|| value.unexpected())
}

/// A model: its endpoint, a colon, and its name there.
pub(crate) fn model() -> ValueKind<String> {
    ValueKind::new(
        "an endpoint's name, a colon and the model's name there, such as \"local:qwen3-8b\"",
        json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]+:." }),
        |value| {
            let text = value.line(MODEL)?;
            let is_one = text
                .split_once(':')
                .is_some_and(|(endpoint, model)| is_endpoint_name(endpoint) && !model.trim().is_empty());
            is_one.then_some(text).ok_or_else(|| value.unexpected())
        },
        |model| quoted(model),
    )
}

/// The tag that encloses a move in an answer, or stands before it.
pub(crate) fn tag() -> ValueKind<String> {
    ValueKind::new(
        "the name of a tag, such as \"uci_move\", or a text that ends in a colon, such as \"Final Answer:\"",
        json!({ "type": "string", "pattern": "^([A-Za-z0-9_-]{1,100}|.{0,99}:)$" }),
        |value| {
            let tag = value.line(1..=100)?;
            let is_text = tag.len() > 1 && tag.ends_with(':') && tag.trim() == tag;
            (is_text || is_endpoint_name(&tag))
                .then_some(tag)
                .ok_or_else(|| value.unexpected())
        },
        |tag| quoted(tag),
    )
}

/// A text of several lines that is sent.
pub(crate) fn text(expected: &str) -> ValueKind<String> {
    let is_unfit = |c: char| is_no_part_of_a_name(c) && !matches!(c, '\n' | '\r' | '\t');
    ValueKind::new(
        expected,
        json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_TEXT }),
        move |value| {
            let text = value.string()?;
            let is_fit = (1..=LONGEST_TEXT).contains(&text.chars().count()) && !text.contains(is_unfit);
            is_fit.then(|| text.to_owned()).ok_or_else(|| value.unexpected())
        },
        |text| quoted(text),
    )
}

/// A number with up to three decimals.
pub(crate) fn thousandths(expected: &str, most: u32) -> ValueKind<Thousandths> {
    let schema = json!({ "anyOf": [
        { "type": "number", "minimum": 0, "maximum": most },
        { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,3})?$" },
    ] });
    let range = Thousandths(0)..=Thousandths(most * 1000);
    ValueKind::new(
        expected,
        schema,
        move |value| value.exact(range.clone()),
        Thousandths::to_string,
    )
}

/// An amount in the unit of the prices, with up to six decimals.
pub(crate) fn micros(expected: &str, range: RangeInclusive<Micros>) -> ValueKind<Micros> {
    let schema = json!({ "anyOf": [
        { "type": "number", "minimum": 0 },
        { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,6})?$" },
    ] });
    ValueKind::new(
        expected,
        schema,
        move |value| value.exact(range.clone()),
        |amount| {
            amount
                .to_string()
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        },
    )
}

/// A table that is passed on in each call, unchanged.
pub(crate) fn verbatim(such_as: &str) -> ValueKind<Map<String, Json>> {
    ValueKind::new(
        format!("a table, such as {such_as}"),
        json!({ "type": "object" }),
        |value| as_json(value.table()?),
        // It came from TOML, and so has no `null`.
        |table| json_table(table).unwrap_or_default(),
    )
}

/// TOML as JSON.
fn as_json(table: &DeTable<'_>) -> Result<Map<String, Json>, InvalidValue> {
    let entries = table.iter();
    entries
        .map(|(name, value)| Ok((name.get_ref().to_string(), value_as_json(value)?)))
        .collect()
}

fn value_as_json(value: &Spanned<DeValue<'_>>) -> Result<Json, InvalidValue> {
    let said = |message: String| InvalidValue::said(message).at(Some(value.span()));
    Ok(match value.get_ref() {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Boolean(switch) => (*switch).into(),
        DeValue::Integer(_) => {
            let number: i64 = Value::Toml(value).whole(i64::MIN.into()..=i64::MAX.into())?;
            number.into()
        }
        DeValue::Float(float) => {
            let number = float.as_str().trim_start_matches('+').parse();
            Json::Number(number.map_err(|_| said(format!("JSON has no number {}", float.as_str())))?)
        }
        DeValue::Datetime(moment) => {
            return Err(said(format!("JSON has no date: write {}", shown(&moment.to_string()))));
        }
        DeValue::Array(values) => values.iter().map(value_as_json).collect::<Result<_, _>>()?,
        DeValue::Table(table) => as_json(table)?.into(),
    })
}
