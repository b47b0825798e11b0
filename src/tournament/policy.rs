//! What the event's rules do with players whose agents are at fault again and again: `[faults]`.
//!
//! A rule looks only at games that come before in the schedule, or at rounds that are over: so it gives the same however many
//! games are played at once. May not: change a result of a game that was played.

use std::collections::BTreeMap;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::log::{Act, Acted};
use super::setup::NoShow;
use super::state::{Game, MiniMatch, State};
use crate::game::Side;
use crate::game::termination::Outcome;

/// Who acts where a rule does. No arbiter may have this name.
pub const BY: &str = "the rules";

/// Whether an engine that does not start forfeits the rest of its mini-match.
pub fn no_show_forfeits(state: &State) -> bool {
    state.setup().faults.no_show == NoShow::MiniMatch
}

/// Whether a player lost this game by a fault of its agent, which was asked to play it. A game that is annulled counts for
/// nobody.
fn is_fault_of(game: &Game, player: PairingNumber) -> bool {
    let side = match game.finished.white == player {
        true => Side::White,
        false => Side::Black,
    };
    let finished = &game.finished;
    finished.record.is_some() && finished.termination.is_fault_of(side) && game.outcome() != Outcome::Void
}

/// Whether each of two players may still play a game of their mini-match, by `faults.forfeit_after`: who lost so many of the
/// games before it by a fault may not.
pub fn may_play(state: &State, board: &MiniMatch, game: u32, players: [PairingNumber; 2]) -> [bool; 2] {
    let Some(most) = state.setup().faults.forfeit_after else {
        return [true; 2];
    };
    players.map(|player| {
        let before = board.games[..game as usize - 1].iter().flatten();
        before.filter(|game| is_fault_of(game, player)).count() < most as usize
    })
}

/// Whether it is settled that a game is played, however those before it end that have not: else it waits for them.
pub fn is_settled(state: &State, board: &MiniMatch, game: u32) -> bool {
    let Some(most) = state.setup().faults.forfeit_after else {
        return true;
    };
    let before = &board.games[..game as usize - 1];
    [board.pair.white, board.pair.black].into_iter().all(|player| {
        let may_be_lost = |game: &&Option<Game>| game.as_ref().is_none_or(|game| is_fault_of(game, player));
        before.iter().filter(may_be_lost).count() < most as usize
    })
}

/// Who is to be withdrawn before the next round, by `faults.withdraw_after`, in order of pairing numbers. Whom the arbiter took
/// in again stays.
pub fn withdrawals(state: &State) -> Vec<Acted> {
    let Some(most) = state.setup().faults.withdraw_after else {
        return Vec::new();
    };
    let mut lost: BTreeMap<PairingNumber, usize> = BTreeMap::new();
    for game in state.finished_games() {
        let two = [game.finished.white, game.finished.black];
        for player in two.into_iter().filter(|player| is_fault_of(game, *player)) {
            *lost.entry(player).or_default() += 1;
        }
    }
    let orders = state.orders();
    let stays = |player: &PairingNumber| orders.gone.contains_key(player) || orders.reinstated.contains(player);
    let too_often = lost
        .into_iter()
        .filter(|(player, lost)| *lost >= most as usize && !stays(player));
    let withdrawn = too_often.map(|(player, lost)| Acted {
        act: Act::Withdraw { player },
        by: BY.to_owned(),
        reason: format!(
            "it lost {} by a fault; faults.withdraw_after is {most}",
            count::of(lost, "game", "games")
        ),
        overruled: Vec::new(),
    });
    withdrawn.collect()
}
