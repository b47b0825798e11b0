//! The course of a match of two players: the result of each game pair, in schedule order.
//!
//! A pair of a run counts once all pairs before it are complete, so that it does not matter which games were played at
//! once. May not: work out what the results mean.

use swiss_system::text::harmless;

use super::sprt::{first_player, score};
use super::state::{EndedGame, State};
use swissmatch_game::Side;
use swissmatch_game::pgn_results::{Ending, GameRow, NameId, Names, game_pairs};
use swissmatch_stats::pairs::Score;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The player whose results these are, then the opponent; both made harmless.
    pub players: [String; 2],
    pub results: CourseResults,
    /// Games that count but are in no pair.
    pub single: u64,
}

/// Results of the first player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CourseResults {
    /// One entry for each game pair.
    Pairs(Vec<[Score; 2]>),
    /// One entry for each game, where there are no pairs.
    Games(Vec<Score>),
}

#[derive(Default)]
struct ResultsSoFar {
    pairs: Vec<[Score; 2]>,
    games: Vec<Score>,
}

impl Course {
    /// The course of a run; `None` unless it has exactly two players. `leave_out_faults` drops games that ended by a
    /// fault.
    pub fn of_run(state: &State, leave_out_faults: bool) -> Option<Self> {
        if state.player_count() != 2 {
            return None;
        }
        let first = first_player(state);
        let second = state.numbers().find(|number| *number != first)?;
        let counted = |game: &EndedGame| {
            let termination = game.finished.termination;
            let is_played = termination.was_played() || termination.is_fault();
            let is_left_out = leave_out_faults && termination.is_fault();
            score(state, game, first).filter(|_| is_played && !is_left_out)
        };
        let mut met = ResultsSoFar::default();
        'all: for board in state.sittings().flat_map(|sitting| sitting.mini_matches) {
            for two in board.games.pairs() {
                // A pair with a game missing does not count, and nothing after it does.
                let is_whole = two.len() == 2 || board.games.are_over();
                let games: Option<Vec<&EndedGame>> = two.iter().map(Option::as_ref).collect();
                let Some(games) = games.filter(|_| is_whole) else {
                    break 'all;
                };
                let scores: Vec<Option<Score>> = games.into_iter().map(counted).collect();
                met.add(&scores);
            }
            if !board.games.are_over() {
                break;
            }
        }
        let players = [first, second].map(|number| harmless(&state.player(number).name));
        Some(met.course(players))
    }

    /// The course of the games of a file, in file order; `None` unless there are exactly two players.
    pub fn of_file(rows: &[GameRow], names: &Names, leave_out_faults: bool) -> Option<Self> {
        let first = rows.first()?.player(Side::White);
        let second = rows.first()?.player(Side::Black);
        let is_of_both = |row: &GameRow| {
            let has = |player: NameId| row.side_of(player).is_some();
            has(first) && has(second)
        };
        if !rows.iter().all(is_of_both) {
            return None;
        }
        let counted = |row: &GameRow| {
            let ending = row.ending();
            let is_left_out = ending == Ending::NotPlayed || leave_out_faults && ending.is_fault();
            let points = row.result().half_points(row.side_of(first)?)?;
            let score = match points {
                0 => Score::Loss,
                1 => Score::Draw,
                _ => Score::Win,
            };
            (!is_left_out).then_some(score)
        };
        let mut met = ResultsSoFar::default();
        let mut is_paired = vec![false; rows.len()];
        for pair in game_pairs(rows) {
            let two = [pair.first as usize, pair.second as usize];
            two.iter().for_each(|&game| is_paired[game] = true);
            met.add(&two.map(|game| counted(&rows[game])));
        }
        let alone = rows.iter().zip(is_paired).filter(|(_, is_paired)| !is_paired);
        alone.for_each(|(row, _)| met.add(&[counted(row)]));
        Some(met.course([first, second].map(|player| harmless(names.name(player)))))
    }
}

impl ResultsSoFar {
    fn add(&mut self, scores: &[Option<Score>]) {
        match *scores {
            [Some(one), Some(other)] => self.pairs.push([one, other]),
            _ => self.games.extend(scores.iter().flatten()),
        }
    }

    fn course(self, players: [String; 2]) -> Course {
        let single = self.games.len() as u64;
        match self.pairs.is_empty() {
            true => Course {
                players,
                results: CourseResults::Games(self.games),
                single: 0,
            },
            false => Course {
                players,
                results: CourseResults::Pairs(self.pairs),
                single,
            },
        }
    }
}

#[cfg(test)]
mod tests;
