//! What is measured of the sides of a game beside their moves: the work of one while the other is to move, and time
//! that is not an engine's.
//!
//! May not: judge.

use std::time::Duration;

use swissmatch_game::Side;
use swissmatch_game::doubt::MeasuredTime;
use swissmatch_game::record::OffTurn;

use super::{SlotGame, at_table, service};
use crate::engine::Engine;
use crate::pulse;

impl SlotGame<'_> {
    /// The processor time of each side while the other one was to move; empty if neither was measured.
    pub(super) fn off_turn(&self) -> Vec<OffTurn> {
        let of_sides = Side::BOTH.map(|side| {
            let mut all = self.off_turn[side.index()];
            all += self.engines[side.index()]
                .as_ref()
                .map(Engine::off_turn)
                .unwrap_or_default();
            OffTurn::new(all.ran, all.of)
        });
        match of_sides.iter().any(|of_side| of_side.measured_us > 0) {
            true => of_sides.into(),
            false => Vec::new(),
        }
    }

    /// The part of a side's time, from `since` to `now`, that was not its engine's.
    pub(super) fn measure(&mut self, side: Side, since: Duration, now: Duration, answered: bool) -> MeasuredTime {
        let (engine, other) = at_table(self.engines, side);
        // At once: what its threads do after its answer does not belong to it.
        let of_engine = engine.measure();
        MeasuredTime {
            rested: other.map_or(Duration::ZERO, |other| other.ran()),
            service: service::off_clock(engine, answered),
            pauses: pulse::paused(self.begin + since, self.begin + now, answered),
            ..of_engine
        }
    }
}
