//! A mini-match: who meets, what has been played, what it gave.
//!
//! May not: know rounds, or anything beyond its own games.

use swiss_system::pairing::history::{Pair, PairingNumber};
use swiss_system::score::Points;
use swiss_system::standings::results::{GameCounts, MatchResult};

use crate::game::Side;
use crate::game::termination::Outcome;

use super::game::Game;
use super::games::Games;
use crate::tournament::setup::{PointsTable, ScoringKeys};

/// A mini-match: all games of two players in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniMatch {
    /// Who meets, `white` having White in game 1.
    pub pair: Pair,
    /// Its games.
    pub games: Games,
    /// Whether White and Black of game 1 are there at all: who is not forfeits every game.
    pub came: [bool; 2],
}

impl MiniMatch {
    /// Whether every game has ended.
    pub fn is_over(&self) -> bool {
        self.games.are_over()
    }

    /// The opponent of a player of it.
    pub fn other(&self, player: PairingNumber) -> PairingNumber {
        if player == self.pair.white {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// Who has White in `game` (from 1): colours alternate game by game.
    pub const fn white_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.white
        } else {
            self.pair.black
        }
    }

    /// Who has Black in `game` (from 1).
    pub const fn black_of(&self, game: u32) -> PairingNumber {
        if game % 2 == 1 {
            self.pair.black
        } else {
            self.pair.white
        }
    }

    /// Whether a player of it is there at all.
    pub fn has_come(&self, player: PairingNumber) -> bool {
        self.came[usize::from(player != self.pair.white)]
    }

    /// Whether its games are over and the arbiter annulled all of them.
    pub fn is_void(&self) -> bool {
        let is_void = |game: &Option<Game>| game.as_ref().is_some_and(|game| game.outcome() == Outcome::Void);
        self.games.iter().all(is_void)
    }

    /// Game points of `player` so far.
    pub fn game_points(&self, player: PairingNumber, scoring: &ScoringKeys) -> Points {
        let counts = |game: &&Game| game.outcome() != Outcome::Void;
        let games = self.games.iter().flatten().filter(counts);
        games.map(|game| points_of(game, player, scoring)).sum()
    }

    pub(in crate::tournament) fn counts(&self, player: PairingNumber, scoring: &ScoringKeys) -> GameCounts {
        let mut counts = GameCounts::default();
        for game in self
            .games
            .iter()
            .flatten()
            .filter(|game| game.outcome() != Outcome::Void)
        {
            let side = game.side_of(player);
            let won = game.outcome() == Outcome::win(side);
            let of_color = match side {
                Side::White => &mut counts.white,
                Side::Black => &mut counts.black,
            };
            *match (game.finished.termination.was_played(), game.outcome()) {
                (true, Outcome::Draw) => &mut of_color.drawn,
                (true, _) if won => &mut of_color.won,
                (true, _) => &mut of_color.lost,
                (false, _) if won => &mut counts.forfeits_won,
                (false, _) => &mut counts.forfeits_lost,
            } += 1;
            if !game.finished.termination.was_played() {
                counts.forfeit_points += points_of(game, player, scoring);
            }
            counts.faults += u32::from(game.finished.termination.is_fault_of(side));
            if let Some(thinking) = game.finished.thinking {
                counts.moves += thinking[side.index()].moves;
                counts.thinking_us += thinking[side.index()].time_us;
            }
        }
        counts
    }

    /// Result for `player`, once over: "more GP than the opponent = 1, equal = 0.5, fewer = 0". Where both lost every game,
    /// because neither came or neither engine started, both have lost.
    pub(in crate::tournament) fn result(
        &self,
        player: PairingNumber,
        opponent: PairingNumber,
        scoring: &ScoringKeys,
    ) -> Option<MatchResult> {
        if !self.is_over() {
            return None;
        }
        let mut counted = self
            .games
            .iter()
            .flatten()
            .filter(|game| game.outcome() != Outcome::Void);
        if counted.all(|game| game.outcome() == Outcome::BothLose) {
            return Some(MatchResult::Lost);
        }
        Some(
            match self
                .game_points(player, scoring)
                .cmp(&self.game_points(opponent, scoring))
            {
                std::cmp::Ordering::Greater => MatchResult::Won,
                std::cmp::Ordering::Equal => MatchResult::Drawn,
                std::cmp::Ordering::Less => MatchResult::Lost,
            },
        )
    }
}

/// Game points that a game gave a player of it.
fn points_of(game: &Game, player: PairingNumber, scoring: &ScoringKeys) -> Points {
    let table = if game.finished.termination.was_played() {
        scoring.game
    } else {
        scoring.forfeited_game()
    };
    points(game.outcome(), game.side_of(player), table)
}

fn points(outcome: Outcome, side: Side, table: PointsTable) -> Points {
    match outcome {
        Outcome::Draw => table.draw,
        _ if outcome == Outcome::win(side) => table.win,
        _ => table.loss,
    }
}
