//! Play-off rounds as they are paired, and what a correction makes void.

use swiss_system::pairing::history::Pair;

use super::State;
use super::broken::BrokenLogError;
use super::games::MiniMatchGames;
use super::mini_match::MiniMatch;
use super::round::PlayoffRound;
use crate::log::PlayoffPaired;
use swissmatch_game::record::GameId;

impl State {
    pub(super) fn apply_playoff(&mut self, paired: &PlayoffPaired) -> Result<(), BrokenLogError> {
        let players = paired.boards.iter().flat_map(|board| [board.white, board.black]);
        let all_over = self.sittings().all(|sitting| sitting.is_over());
        let has_games = paired.boards.iter().all(|board| (1..=2).contains(&board.games));
        let is_whole = all_over && has_games && self.has_each_once(players);
        let broken = BrokenLogError::Playoff(paired.round, paired.playoff);
        let rounds = self.rounds.len();
        let settled_before = self.settled();
        let Some(round) = self
            .rounds
            .last_mut()
            .filter(|_| is_whole && paired.round as usize == rounds)
        else {
            return Err(broken);
        };
        if paired.playoff as usize != round.playoffs.len() + 1 {
            return Err(broken);
        }
        let gone = &self.orders.gone;
        let mini_matches = (1..).zip(&paired.boards).map(|(number, board)| MiniMatch {
            pair: Pair {
                white: board.white,
                black: board.black,
                repeat: false,
            },
            games: MiniMatchGames::due(
                GameId::first_of(paired.round, paired.playoff, number),
                [board.white, board.black],
                board.games,
            ),
            came: [board.white, board.black].map(|player| !gone.contains_key(&player)),
        });
        round.playoffs.push(PlayoffRound {
            boards: paired.boards.clone(),
            mini_matches: mini_matches.collect(),
            later: paired.later,
            settled_before,
        });
        Ok(())
    }

    /// How many lots have been drawn and decisions made.
    pub(super) fn settled(&self) -> (usize, usize) {
        (self.lots.len(), self.decisions.len())
    }

    /// True if anything was drawn, decided or paired for a play-off of which no game has ended.
    pub(crate) fn has_drawn(&self) -> bool {
        let Some(round) = self.rounds.last() else {
            return false;
        };
        let before = round
            .playoffs
            .last()
            .map_or(round.settled_before, |playoff| playoff.settled_before);
        round.playoffs.last().is_some_and(PlayoffRound::is_unplayed) || self.settled() > before
    }

    /// "Until the first game of that play-off begins a result may still be corrected; what was drawn is then void and
    /// stays in the log, and is drawn again." The same goes for decisions: the arbiter is asked again.
    pub(crate) fn void_what_was_drawn(&mut self) {
        if !self.has_drawn() {
            return;
        }
        let number = self.rounds.len();
        let Some(round) = self.rounds.last_mut() else { return };
        round.playoffs.pop_if(|playoff| playoff.is_unplayed());
        let (lots, decisions) = round
            .playoffs
            .last()
            .map_or(round.settled_before, |playoff| playoff.settled_before);
        round.void_drawings += 1;
        if round.playoffs.is_empty() {
            self.out_of_ties = None;
        }
        // Games of the next drawing get the same names.
        let left = round.playoffs.len();
        self.interrupted
            .retain(|game, _| (game.round as usize, game.playoff as usize) <= (number, left));
        self.void_lots.extend(self.lots.drain(lots..));
        self.decisions.truncate(decisions);
    }
}
