//! Queries that a log has under a name, for whoever reads it by SQL: docs/database.md says what their columns are.
//!
//! Their names begin with their version: what one has had once it keeps. May not: be read by this program, or change what `entries` holds.

use rusqlite::{Transaction, TransactionBehavior};

use super::Store;

/// Makes those that are not there.
pub(super) const VIEWS: &str = include_str!("views.sql");
/// How many there are.
const COUNT: i64 = 7;

impl Store {
    /// A log of before gets those that it lacks.
    pub(super) fn make_views(&self) -> rusqlite::Result<()> {
        let there: i64 = self.connection.query_row(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name GLOB 'v1_*'",
            [],
            |row| row.get(0),
        )?;
        if there >= COUNT {
            return Ok(());
        }
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        transaction.execute_batch(VIEWS)?;
        transaction.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted() {
        assert_eq!(VIEWS.matches("CREATE VIEW IF NOT EXISTS v1_").count() as i64, COUNT);
        assert_eq!(VIEWS.matches("CREATE ").count() as i64, COUNT);
    }
}
