//! A knockout: the winner of each tie, the round in which each loser went out, and the places that follow.
//!
//! May not: pair anybody; play off what is level (`ties` does that).

use std::collections::BTreeSet;

use swiss_system::pairing::history::{PairingNumber, PastPlayer};
use swiss_system::score::Points;

use super::part;
use super::part::Part;
use super::setup::{LevelTie, Third};
use super::state::{MiniMatch, State};
use super::ties;

/// The board of the final in the last round, from 1.
pub(super) const FINAL: u32 = 1;
/// The board of the match for third place in the last round, from 0.
const FOR_THIRD: usize = 1;

/// The winner of each mini-match of a knockout, by round and board: the player with more game points, or else the
/// winner of the play-off or the better seed, as `playoff.knockout` says. `None` while the mini-match is not over, or
/// its play-off is not settled.
pub fn winners(state: &State) -> Vec<Vec<Option<PairingNumber>>> {
    let rounds = (1..).zip(state.rounds());
    rounds
        .map(|(number, round)| {
            let mut went_through: Option<BTreeSet<PairingNumber>> = None;
            let boards = round.mini_matches.iter();
            let winner = |board: &MiniMatch| {
                if !board.is_over() {
                    return None;
                }
                let players = [board.pair.white, board.pair.black];
                let [white, black] = players.map(|player| board.game_points(player, &state.setup().scoring));
                match white.cmp(&black) {
                    std::cmp::Ordering::Greater => Some(board.pair.white),
                    std::cmp::Ordering::Less => Some(board.pair.black),
                    // In a knockout the pairing numbers are the seeds.
                    std::cmp::Ordering::Equal if state.setup().playoff.knockout == LevelTie::BetterSeed => {
                        players.into_iter().min()
                    }
                    std::cmp::Ordering::Equal => {
                        let through = went_through.get_or_insert_with(|| went_through_after(state, number));
                        players.into_iter().find(|player| through.contains(player))
                    }
                }
            };
            boards.map(winner).collect()
        })
        .collect()
}

/// The players who went on from a round, from 1, after a level mini-match: those who play the next round of the
/// knockout, or in the last round the winners of play-offs.
fn went_through_after(state: &State, round: u32) -> BTreeSet<PairingNumber> {
    match state.rounds().get(round as usize) {
        Some(next) if part::is_of_knockout(state, round) && part::is_of_knockout(state, round + 1) => next
            .pairing
            .pairs
            .iter()
            .take(boards_of_bracket(state, round + 1))
            .flat_map(|pair| [pair.white, pair.black])
            .collect(),
        _ => ties::went_through(state, round),
    }
}

/// The number of boards of a round, from 1, that belong to the bracket: in the last round there may also be a match for
/// third place.
fn boards_of_bracket(state: &State, round: u32) -> usize {
    let is_last = |part: &Part| part.rounds_before + part.rounds == round;
    match part::parts_of(state).iter().any(is_last) {
        true => FOR_THIRD,
        false => usize::MAX,
    }
}

/// Gives each round of a knockout the points from which [`swiss_system::pairing::knockout`] tells the winner: 1 and 0,
/// or 0 for both while it is undecided.
pub(super) fn set_tie_points(state: &State, players: &mut [PastPlayer]) {
    for (index, (round, winners)) in state.rounds().iter().zip(winners(state)).enumerate() {
        for (pair, winner) in round.pairing.pairs.iter().zip(winners) {
            for player in [pair.white, pair.black] {
                if let Some(past) = players[player.index()].rounds.get_mut(index) {
                    let has_won = winner == Some(player);
                    past.points = if has_won { Points::ONE } else { Points::ZERO };
                }
            }
        }
    }
}

/// Places by the round in which a player went out, shared by those who went out together, except third place, for which
/// `playoff.third` decides; players still in share first place. In order of places, then of pairing numbers.
pub fn places_after(state: &State, rounds: usize) -> Vec<(u32, PairingNumber)> {
    let mut out_in = vec![usize::MAX; state.player_count()];
    for (round, losers) in (1..).zip(losers(state)).take(rounds) {
        for loser in losers {
            out_in[loser.index()] = round;
        }
    }
    let last = state.created().rounds as usize;
    let semi_final = last.checked_sub(1).filter(|round| *round > 0);
    let mut lost_there = state
        .numbers()
        .filter(|number| Some(out_in[number.index()]) == semi_final);
    let third = match state.setup().playoff.third {
        Third::Shared => None,
        Third::BetterSeed => lost_there.next(),
        Third::Match if rounds < last => None,
        Third::Match => winners(state).get(last - 1).and_then(|last| *last.get(FOR_THIRD)?),
    };
    let place = |number: PairingNumber| {
        let own = out_in[number.index()];
        let is_ahead = |(other, round): (PairingNumber, &usize)| {
            *round > own || *round == own && Some(other) == third && other != number
        };
        let ahead = state.numbers().zip(&out_in).filter(|of| is_ahead(*of)).count();
        u32::try_from(ahead + 1).expect("few players")
    };
    let mut places: Vec<(u32, PairingNumber)> = state.numbers().map(|number| (place(number), number)).collect();
    places.sort_unstable();
    places
}

/// Players who have lost no mini-match.
pub(super) fn survivors(state: &State) -> Vec<PairingNumber> {
    let losers: BTreeSet<PairingNumber> = losers(state).flatten().collect();
    state.numbers().filter(|number| !losers.contains(number)).collect()
}

/// Players who went out by losing a mini-match, round by round.
fn losers(state: &State) -> impl Iterator<Item = Vec<PairingNumber>> {
    let rounds = (1..).zip(state.rounds()).zip(winners(state));
    rounds.map(|((number, round), winners)| {
        let boards = round
            .mini_matches
            .iter()
            .zip(winners)
            .take(boards_of_bracket(state, number));
        let loser = |(board, winner): (&MiniMatch, Option<PairingNumber>)| Some(board.other(winner?));
        boards.filter_map(loser).collect()
    })
}
