//! Keys that later versions will take and this one does not, and says so, so that nobody takes them for a slip.
//!
//! May not: give anything a meaning. A line leaves this file when its key enters `schema`.

/// Keys and whole tables.
const KEYS: [&str; 2] = ["attendance", "limits"];

/// Whether the key, or its table, belongs to a later version.
pub(super) fn is_later_key(path: &str) -> bool {
    KEYS.iter().any(|key| {
        path.strip_prefix(key)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
