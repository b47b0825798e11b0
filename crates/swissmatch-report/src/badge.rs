//! Badges, as shields.io reads them from an endpoint.

use serde::Serialize;

/// The JSON of a badge: what stands at its left, what at its right, and the colour of that.
///
/// # Panics
/// Never: everything in it can be written.
pub(super) fn badge(label: &str, message: &str, color: &str) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Badge<'a> {
        schema_version: u32,
        label: &'a str,
        message: &'a str,
        color: &'a str,
    }
    let badge = Badge {
        schema_version: 1,
        label,
        message,
        color,
    };
    serde_json::to_string(&badge).expect("plain data") + "\n"
}
