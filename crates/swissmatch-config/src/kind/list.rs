//! Lists of values.

use serde_json::json;

use super::{ValueKind, listing, one_of};
use crate::value::{array, words};
use swiss_system::word::Word;

pub(crate) fn list<V: 'static>(expected: &str, item: ValueKind<V>) -> ValueKind<Vec<V>> {
    let ValueKind {
        schema, read, write, ..
    } = item;
    ValueKind::new(
        expected,
        json!({ "type": "array", "items": schema }),
        move |value| value.list()?.into_iter().map(&read).collect(),
        move |values: &Vec<V>| array(values.iter().filter_map(&write)),
    )
}

/// Like the given list, but each value must be greater than the one before; `message` says so.
pub(crate) fn rising<V: PartialOrd + 'static>(message: &'static str, kind: ValueKind<Vec<V>>) -> ValueKind<Vec<V>> {
    kind.unless(move |values| {
        let rise = values.is_sorted_by(|one, other| one < other);
        (!rise).then(|| message.to_owned())
    })
}

/// A list of words of `T`, none twice.
pub(crate) fn choices<T: Word>() -> ValueKind<Vec<T>> {
    let expected = format!("a list of {}", listing::<T>("and"));
    let schema = json!({ "type": "array", "items": one_of::<T>(), "uniqueItems": true });
    ValueKind::new(expected, schema, |value| value.any_choices(), |values| words(values))
}

/// Like [`choices`], but with at least one word.
pub(crate) fn listed<T: Word>() -> ValueKind<Vec<T>> {
    let ValueKind {
        expected, mut schema, ..
    } = choices::<T>();
    schema["minItems"] = json!(1);
    ValueKind::new(expected, schema, |value| value.choices(), |values| words(values))
}
