//! Keys of `[[rules]]`: when and why rules change, and which may.
//!
//! May not: know layers or files.

use super::{Key, entry};
use crate::kind::{line, moment};
use swissmatch_tournament::setup::RulesKeys;

/// The tables within a `[[rules]]`.
pub(crate) const CHANGING: [&str; 4] = ["game", "adjudication", "submissions", "engine"];

/// In these tables only these keys may change. The requirements on archives may not: accepted submissions would no longer play.
const ALONE: [&str; 3] = ["submissions.max_unpacked", "submissions.per_day", "engine.start_limit"];

/// Whether a `[[rules]]` may have this key of an event.
pub(crate) fn may_change(path: &str) -> bool {
    path.starts_with("game.") || path.starts_with("adjudication.") || ALONE.contains(&path)
}

pub(super) fn keys() -> Vec<Key<RulesKeys>> {
    vec![
        entry!(
            "rules.from",
            RulesKeys.from,
            moment("2026-09-04T18:00:00+01:00"),
            "Rounds of the ladder that are due from this time on are played by it; after that of the table before.",
        )
        .such_as("2026-09-04T18:00:00+01:00")
        .required(),
        entry!(
            "rules.why",
            RulesKeys.why,
            line("a sentence for players", 1..=500),
            "Why the rules change; the page and rules.md say so.",
        )
        .such_as(r#""Slow machines need longer to import.""#)
        .required(),
    ]
}
