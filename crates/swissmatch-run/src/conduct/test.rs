//! The test of two players, as games come in.
//!
//! May not: decide it; that is `tournament::sprt`.

use swissmatch_tournament::log::Entry;
use swissmatch_tournament::sprt::Test;

use super::{Conductor, item};

impl Conductor {
    /// Whether the test is decided, in the log or on its way there: no game begins.
    pub(super) fn is_decided(&self) -> bool {
        let is_found = |test: &Test| test.look.verdict.is_some();
        self.state.verdict().is_some() || self.test.as_ref().is_some_and(is_found)
    }

    /// Looks at the games that are in the log now, and appends the verdict when there is one.
    pub(super) fn heed_the_test(&mut self) {
        if self.is_decided() {
            return;
        }
        let Some(test) = &mut self.test else { return };
        test.go_on(&self.state, |_| {});
        if let Some(decided) = test.verdict() {
            self.pending += 1;
            self.writer.append(item(Entry::SprtDecided(decided)));
        }
    }
}
