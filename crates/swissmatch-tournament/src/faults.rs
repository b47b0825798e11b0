//! Players who lost more games by faults than the event allows (alarms in standard error count too), and players who
//! never showed up.
//!
//! May not: change a result.

use swiss_system::pairing::history::PairingNumber;

use super::state::State;
use swissmatch_game::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCount {
    pub player: PairingNumber,
    /// Games lost by a fault of the player's agent.
    pub lost: u32,
    /// Other games in which the agent gave an alarm; no game counts twice.
    pub alarms: u32,
    /// All of its games that are over: rounds and play-offs, forfeits included.
    pub games: u32,
    /// The agent did not start, or was not ready, in every one of them.
    pub is_no_show: bool,
}

/// Every player with a game that is over, in order of pairing numbers.
pub fn counts(state: &State) -> Vec<FaultCount> {
    let mut counts: Vec<FaultCount> = state
        .numbers()
        .map(|player| FaultCount {
            player,
            lost: 0,
            alarms: 0,
            games: 0,
            is_no_show: true,
        })
        .collect();
    for game in state.finished_games() {
        let finished = &game.finished;
        for (side, player) in [(Side::White, finished.white), (Side::Black, finished.black)] {
            let count = &mut counts[player.index()];
            let is_fault = finished.termination.is_fault_of(side);
            count.games += 1;
            count.lost += u32::from(is_fault);
            count.alarms += u32::from(!is_fault && finished.alarms[side.index()]);
            count.is_no_show &= is_fault && !finished.termination.was_played();
        }
    }
    counts.retain(|count| count.games > 0);
    counts
}

/// Players whose agent did not start in any of their games, in order of pairing numbers.
pub fn no_shows(state: &State) -> Vec<FaultCount> {
    let mut counts = counts(state);
    counts.retain(|count| count.is_no_show);
    counts
}

/// Players who lost more games by faults, or gave alarms in more, than `run.max_faults` allows, in order of pairing
/// numbers.
pub fn over_bound(state: &State) -> Vec<FaultCount> {
    let Some(bound) = state.setup().run.max_faults else {
        return Vec::new();
    };
    let mut counts = counts(state);
    counts.retain(|count| bound.is_passed(count.lost + count.alarms, count.games));
    counts
}
