//! Which faults are told: each, until one player has had many in a round.
//!
//! May not: say what a fault was.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use crate::game::record::GameId;
use crate::report::faults::Fault;
use crate::tournament::state::State;

/// Faults of one player in a round that are told one by one.
const TOLD: u32 = 5;

/// What has been told of faults.
#[derive(Debug, Default)]
pub(super) struct FaultLines {
    /// The round, and the play-off round, that is counted.
    of: (u32, u32),
    /// Faults of each player in it.
    counts: BTreeMap<PairingNumber, u32>,
}

impl FaultLines {
    /// The line about a player's fault in a game; `None` where enough has been said.
    pub(super) fn line(&mut self, state: &State, id: GameId, fault: &Fault) -> Option<String> {
        let of = (id.round, id.playoff);
        if of != self.of {
            self.of = of;
            self.counts.clear();
        }
        let count = self.counts.entry(fault.player).or_default();
        *count += 1;
        if *count <= TOLD {
            return Some(format!("  fault: {}", fault.sentence(state, id)));
        }
        let name = &state.player(fault.player).name;
        (*count == TOLD + 1).then(|| format!("  fault: {name} … and so on; `swissmatch status` counts them"))
    }
}
