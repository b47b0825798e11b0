//! What the full product will take and this version refuses by name, so that nobody mistakes it for a slip.
//!
//! May not: give anything a meaning. A line leaves this file when its key enters `schema`.

/// Keys and whole tables.
const KEYS: [&str; 8] = [
    "attendance",
    "eligibility",
    "isolation",
    "limits",
    "presence",
    "sandbox",
    "schedule",
    "swiss.color_streak",
];

/// Values, with the key they stand at.
const VALUES: [(&str, &[&str]); 3] = [
    ("preset", &["immortal-game"]),
    ("swiss.pairing", &["double-swiss", "immortal"]),
    ("bye.order", &["lowest-rating"]),
];

/// Whether the key, or the table it is in, belongs to a later version.
pub(super) fn is_later_key(path: &str) -> bool {
    KEYS.iter().any(|key| {
        path.strip_prefix(key)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// Whether the value of this key belongs to a later version.
pub(super) fn is_later_value(path: &str, value: &str) -> bool {
    VALUES
        .iter()
        .any(|(key, values)| *key == path && values.contains(&value))
}
