//! Which faults are told: each, until one player has had many in a round.
//!
//! May not: say what a fault was.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use crate::game::record::GameId;
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
    /// The line about a player's fault in a game, which `sentence` tells; `None` where enough has been said.
    pub(super) fn line(&mut self, state: &State, id: GameId, player: PairingNumber, sentence: &str) -> Option<String> {
        let of = (id.round, id.playoff);
        if of != self.of {
            self.of = of;
            self.counts.clear();
        }
        let count = self.counts.entry(player).or_default();
        *count += 1;
        if *count <= TOLD {
            return Some(format!("  fault: {sentence}"));
        }
        let name = &state.player(player).name;
        (*count == TOLD + 1).then(|| format!("  fault: {name} … and so on; `swissmatch status` counts them"))
    }
}
