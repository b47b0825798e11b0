//! `[[rules]]`: rules of a ladder that change in mid-season. Each table makes a version; version 1 is the keys without
//! any table.
//!
//! May not: know TOML, or which keys may change.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Setup;

/// One `[[rules]]` table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesKeys {
    /// Rounds that are due from this time on are played by it.
    pub from: Timestamp,
    /// Why the rules change, for people.
    pub why: String,
    /// The changes from the version before.
    pub changes: Vec<RuleChange>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChange {
    /// Written as `game.max_plies`.
    pub key: String,
    /// The value before, in TOML.
    pub old: String,
    /// The value from then on, in TOML.
    pub new: String,
}

impl Setup {
    /// The version of the rules in force at a moment, from 1.
    pub fn version_at(&self, at: Timestamp) -> usize {
        1 + self.rules.iter().take_while(|rules| rules.from <= at).count()
    }

    /// The version that a run of this setup is played by: a round of a ladder by that of its time, the event itself by
    /// the last one.
    pub fn version(&self) -> usize {
        match &self.ladder.round {
            Some(round) => self.version_at(round.due),
            None => 1 + self.rules.len(),
        }
    }

    /// The most that an archive may have by any version, unpacked, in MB: an accepted submission plays on.
    pub fn most_unpacked(&self) -> u64 {
        let changes = self.rules.iter().flat_map(|rules| &rules.changes);
        let changes = changes.filter(|change| change.key == "submissions.max_unpacked");
        let values = changes.flat_map(|change| [&change.old, &change.new]);
        let values = values.filter_map(|value| value.parse().ok());
        values.max().unwrap_or(0).max(self.submissions.max_unpacked)
    }
}
