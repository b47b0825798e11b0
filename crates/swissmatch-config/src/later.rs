//! What the full product will take and this version does not support, and says so, so that nobody mistakes it for a slip.
//!
//! May not: give anything a meaning. A line leaves this file when its key enters `schema`.

/// Keys and whole tables.
const KEYS: [&str; 2] = ["attendance", "limits"];

/// Whether the key, or the table it is in, belongs to a later version.
pub(super) fn is_later_key(path: &str) -> bool {
    KEYS.iter().any(|key| {
        path.strip_prefix(key)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
