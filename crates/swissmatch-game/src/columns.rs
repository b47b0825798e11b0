//! The columns of a record that engines fill.
//!
//! Everything in them is untrusted: numbers are of their kind, variations have the form of moves. May not: check a
//! variation.

use super::record::{GameRecord, OddInfo};
use super::uci::{self, Info};
use super::variations::Variations;

/// The most fields per game that are kept although their value is not a number of their kind.
const KEPT_ODD: usize = 20;

impl GameRecord {
    /// Adds what was said of the move at `ply` to each column.
    pub(super) fn push_said(&mut self, ply: u32, info: &Info<'_>) {
        self.eval.push(info.eval);
        self.depth.push(info.depth);
        self.seldepth.push(info.seldepth);
        self.nodes.push(info.nodes);
        self.nps.push(info.nps);
        self.hashfull.push(info.hashfull);
        self.tbhits.push(info.tbhits);
        self.engine_time_ms.push(info.time_ms);
        self.pv.push_said(info.pv);
        if info.is_bound && info.eval.is_some() {
            self.eval_bounds.push(ply);
        }
        if let Some((field, said)) = info.odd.filter(|_| self.odd_info.len() < KEPT_ODD) {
            let (field, said) = (field.to_owned(), uci::kept(said));
            self.odd_info.push(OddInfo { ply, field, said });
        }
    }

    /// Empties the columns that have no value in the whole game.
    pub(super) fn drop_empty_columns(&mut self) {
        fn tidy<T>(column: &mut Vec<Option<T>>) {
            if column.iter().all(Option::is_none) {
                column.clear();
            }
        }
        tidy(&mut self.eval);
        tidy(&mut self.depth);
        tidy(&mut self.seldepth);
        tidy(&mut self.nodes);
        tidy(&mut self.nps);
        tidy(&mut self.hashfull);
        tidy(&mut self.tbhits);
        tidy(&mut self.engine_time_ms);
        tidy(&mut self.wakeup_us);
        for column in [&mut self.processor_us, &mut self.service_us] {
            if column.iter().any(Option::is_some) {
                column.resize(self.time_us.len(), None);
            }
        }
        tidy(&mut self.processor_us);
        if self.pv.are_blank() {
            self.pv = Variations::default();
        }
    }
}
