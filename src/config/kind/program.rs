//! What a program is given: arguments, UCI options, variables.

use std::collections::BTreeMap;

use serde_json::json;

use super::Kind;
use crate::config::value::{array, quoted, write_table};

/// Its arguments.
pub(in crate::config) fn arguments() -> Kind<Vec<String>> {
    Kind::new(
        "a list of strings without NUL characters",
        json!({ "type": "array", "items": { "type": "string" } }),
        |value| value.arguments(),
        |args| array(args.iter().map(|arg| quoted(arg))),
    )
}

/// Its UCI options.
pub(in crate::config) fn uci_options(such_as: &str) -> Kind<BTreeMap<String, String>> {
    Kind::new(
        format!("a table of UCI options, such as {such_as}"),
        json!({ "type": "object", "additionalProperties": { "type": ["string", "integer", "boolean"] } }),
        |value| value.uci_options(),
        write_table,
    )
}

/// Its variables.
pub(in crate::config) fn environment() -> Kind<BTreeMap<String, String>> {
    Kind::new(
        r#"a table of strings, such as { OMP_NUM_THREADS = "1", API_KEY = "$API_KEY" }"#,
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": { "type": "string" },
        }),
        |value| value.environment(),
        write_table,
    )
}
