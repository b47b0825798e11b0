//! The SQL views of a log, for anyone who reads it by SQL; docs/database.md describes their columns.
//!
//! Their names begin with their version, and a published view never changes. May not: be read by this program, or
//! change what `entries` holds.

use rusqlite::{Transaction, TransactionBehavior};

use super::Store;

/// Creates the missing ones.
pub(super) const VIEWS: &str = include_str!("views.sql");
/// How many there are.
const COUNT: i64 = 7;

impl Store {
    /// Adds the views that an older log lacks.
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
