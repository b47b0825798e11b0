//! Adjudication after a move that ended nothing by the rules: by tablebases, or by scores.
//!
//! May not: decide what ends a game; that is `adjudicate`.

use shakmaty::Chess;

use super::Game;
use crate::adjudicate::TablebaseVerdict;

impl Game {
    /// The position that [`Output::Probe`](super::Output::Probe) asks about.
    pub const fn position(&self) -> &Chess {
        self.board.position()
    }

    /// Ends the game by the tablebases' verdict, if they were asked, or else by the scores; or lets it go on.
    pub(super) fn adjudicate(&mut self, verdict: Option<TablebaseVerdict>) {
        let position = self.board.position();
        let by_tables = verdict.and_then(|verdict| self.adjudicator.by_tables(position, verdict));
        match by_tables.or_else(|| self.adjudicator.by_scores(position, &self.record.eval)) {
            Some(ruling) => {
                self.record.adjudication = Some(ruling.adjudication);
                self.end(ruling.outcome, ruling.termination);
            }
            None => self.next_turn(),
        }
    }
}
