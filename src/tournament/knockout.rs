//! A knockout: who won a tie, who went out when, and the places that follow.
//!
//! May not: pair anybody; play off what is level (that is `ties`).

use std::cmp::Reverse;

use crate::pairing::history::{Pair, PairingNumber, PastPlayer};
use crate::pairing::rounds::Rounds;
use crate::score::Points;

use super::mini_match::MiniMatch;
use super::part::Part;
use super::state::State;
use super::ties;

impl State {
    /// Who won the mini-match on a board of a round, both from 1: who has more game points, else who won its play-off. `None`
    /// while it is not over, and while the play-off of a level one is not settled.
    #[must_use]
    pub fn tie_winner(&self, round: usize, board: usize) -> Option<PairingNumber> {
        let round = self.rounds.get(round.checked_sub(1)?)?;
        let mini_match = round.mini_matches.get(board.checked_sub(1)?)?;
        let pair = mini_match.pair;
        let [one, other] = [pair.white, pair.black].map(|player| mini_match.game_points(player, &self.setup().scoring));
        match one.cmp(&other) {
            _ if !mini_match.is_over() => None,
            std::cmp::Ordering::Greater => Some(pair.white),
            std::cmp::Ordering::Less => Some(pair.black),
            std::cmp::Ordering::Equal => mini_match.played_off,
        }
    }

    /// Whether a round of the event, from 1, is of a knockout.
    #[must_use]
    pub fn is_of_knockout(&self, round: u32) -> bool {
        let has_round = |part: &Part| part.has_round(round as usize - 1);
        self.parts()
            .iter()
            .any(|part| has_round(part) && part.format == Rounds::Knockout)
    }

    /// Boards of a round, from 1, whose mini-match is over and level.
    pub(super) fn level_boards(&self, round: u32) -> impl Iterator<Item = (u32, Pair)> {
        let scoring = &self.setup().scoring;
        let points =
            |board: &MiniMatch| [board.pair.white, board.pair.black].map(|player| board.game_points(player, scoring));
        let is_level = move |board: &MiniMatch| board.is_over() && points(board)[0] == points(board)[1];
        let boards = (1..).zip(&self.rounds[round as usize - 1].mini_matches);
        boards
            .filter(move |(_, board)| is_level(board))
            .map(|(number, board)| (number, board.pair))
    }

    /// Takes over what play-offs of the last round have settled.
    pub(super) fn take_over_play_offs(&mut self) {
        let Some(round) = u32::try_from(self.rounds.len())
            .ok()
            .filter(|round| *round > 0 && self.is_of_knockout(*round))
        else {
            return;
        };
        if self.sittings().last().is_some_and(|sitting| !sitting.is_over()) {
            return;
        }
        let Some(playoffs) = ties::after(self, round) else {
            return;
        };
        for (tie, parts) in playoffs.ties.iter().zip(&playoffs.stand.parts) {
            let winner = parts.as_ref().and_then(|parts| parts.first()?.first());
            if let (Some(board), Some(&winner)) = (tie.key.board.checked_sub(1), winner) {
                self.rounds[round as usize - 1].mini_matches[board as usize].played_off = Some(winner);
            }
        }
    }

    /// Gives each round of a knockout the points by which [`crate::pairing::knockout`] sees who won it: 1 and 0, and 0 to
    /// both while it is undecided.
    pub(super) fn set_tie_points(&self, players: &mut [PastPlayer]) {
        for (index, round) in self.rounds.iter().enumerate() {
            for (board, pair) in (1..).zip(&round.pairing.pairs) {
                let winner = self.tie_winner(index + 1, board);
                for player in [pair.white, pair.black] {
                    if let Some(past) = players[player.index()].rounds.get_mut(index) {
                        let has_won = winner == Some(player);
                        past.points = if has_won { Points::ONE } else { Points::ZERO };
                    }
                }
            }
        }
    }

    /// Places by the round in which one went out, shared by those who went out together; who is still in is first. In
    /// order of places, and within one of pairing numbers.
    #[must_use]
    pub fn knockout_places(&self, rounds: usize) -> Vec<(u32, PairingNumber)> {
        let mut out_in = vec![usize::MAX; self.player_count()];
        for (round, paired) in (1..).zip(self.rounds.iter().take(rounds)) {
            for (board, pair) in (1..).zip(&paired.pairing.pairs) {
                if let Some(winner) = self.tie_winner(round, board) {
                    let loser = if winner == pair.white { pair.black } else { pair.white };
                    out_in[loser.index()] = round;
                }
            }
        }
        let mut order: Vec<PairingNumber> = self.numbers().collect();
        order.sort_by_key(|number| Reverse(out_in[number.index()]));
        let place = |number: &PairingNumber| {
            let own = out_in[number.index()];
            let ahead = out_in.iter().filter(|&&other| other > own).count();
            u32::try_from(ahead + 1).expect("few players")
        };
        order.iter().map(|number| (place(number), *number)).collect()
    }
}
