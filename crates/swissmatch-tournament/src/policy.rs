//! What the event's rules do with players whose agents are repeatedly at fault: `[faults]`.
//!
//! A rule looks only at games that come before in the schedule, or at rounds that are over. So it comes to the same
//! however many games are played at once. May not: change the result of a game that was played.

use std::collections::BTreeMap;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::log::{Act, ArbiterActed};
use super::setup::NoShow;
use super::state::{MiniMatch, MiniMatchGames, State};

/// The name under which rules act. No arbiter may have this name.
pub const BY: &str = "the rules";

/// True if an engine that does not start forfeits the rest of its mini-match.
pub(crate) fn no_show_forfeits(state: &State) -> bool {
    state.setup().faults.no_show == NoShow::MiniMatch
}

/// True if a player of a mini-match has lost so many of its games by faults that it may not play the remaining ones, by
/// `faults.forfeit_after`.
pub(crate) fn forfeits_the_rest(state: &State, board: &MiniMatch) -> bool {
    let most = state.setup().faults.forfeit_after;
    let lost = [board.pair.white, board.pair.black].map(|player| board.games.faults_of(player));
    most.is_some_and(|most| lost.into_iter().any(|lost| lost >= most as usize))
}

/// For each of the two players, whether they may still play a game of their mini-match, by `faults.forfeit_after`: a
/// player who lost too many of the games before it by faults may not.
pub(crate) fn may_play(state: &State, board: &MiniMatch, game: u32, players: [PairingNumber; 2]) -> [bool; 2] {
    let Some(most) = state.setup().faults.forfeit_after else {
        return [true; 2];
    };
    players.map(|player| board.games.faults_before(game, player) < most as usize)
}

/// True if the game will be played however the unfinished games before it end; otherwise it waits for them.
pub fn is_settled(state: &State, board: &MiniMatch, game: u32) -> bool {
    let Some(most) = state.setup().faults.forfeit_after else {
        return true;
    };
    let open = board.games.due_before(game);
    [board.pair.white, board.pair.black]
        .into_iter()
        .all(|player| open + board.games.faults_before(game, player) < most as usize)
}

/// The players to withdraw before the next round, by `faults.withdraw_after` or `faults.unpaired_after`, in order of
/// pairing numbers. Players whom the arbiter took in again stay.
pub fn withdrawals(state: &State) -> Vec<ArbiterActed> {
    let faults = &state.setup().faults;
    let by_faults = too_often(state, faults.withdraw_after, MiniMatchGames::faults_of, |lost, most| {
        format!("it lost {lost} by a fault; faults.withdraw_after is {most}")
    });
    let by_starts = too_often(
        state,
        faults.unpaired_after,
        MiniMatchGames::lost_without_start,
        |lost, most| format!("its agent did not start in {lost}; faults.unpaired_after is {most}"),
    );
    let mut reasons = by_starts;
    reasons.extend(by_faults);
    let orders = state.orders();
    reasons.retain(|player, _| !orders.gone.contains_key(player) && !orders.reinstated.contains(player));
    let withdrawn = reasons.into_iter().map(|(player, reason)| ArbiterActed {
        act: Act::Withdraw { player },
        by: BY.to_owned(),
        reason,
        overruled: Vec::new(),
    });
    withdrawn.collect()
}

/// Players with at least `most` games of a kind, each with that as a reason.
fn too_often(
    state: &State,
    most: Option<u32>,
    games_of: impl Fn(&MiniMatchGames, PairingNumber) -> usize,
    reason: impl Fn(&str, u32) -> String,
) -> BTreeMap<PairingNumber, String> {
    let Some(most) = most else {
        return BTreeMap::new();
    };
    let mut found: BTreeMap<PairingNumber, usize> = BTreeMap::new();
    for board in state.sittings().flat_map(|sitting| sitting.mini_matches) {
        for player in [board.pair.white, board.pair.black] {
            *found.entry(player).or_default() += games_of(&board.games, player);
        }
    }
    let too_often = found.into_iter().filter(|(_, games)| *games >= most as usize);
    too_often
        .map(|(player, games)| (player, reason(&count::of(games, "game", "games"), most)))
        .collect()
}
