//! What a reference engine's evaluations say about the moves: centipawns lost, inaccuracies, mistakes, blunders,
//! accuracy.
//!
//! A move loses max(0, evaluation before − evaluation after), from the mover's side, both clamped to ±`analysis.clamp`; a mate
//! counts as the clamp. The evaluation after a move is that of the next position from the other side.
//!
//! May not: evaluate a position; hold a float or the evaluations themselves.

use super::log::{AnalysisBegun, Quality};
use super::setup::{AnalysisKeys, Mean};
use super::state::{EndedGame, State};
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::termination::Termination;
use swissmatch_stats::accuracy;
use swissmatch_stats::accuracy::Loss;

/// An evaluation in centipawns, clamped; a mate counts as the clamp.
pub fn clamped(eval: Eval, clamp: u32) -> i32 {
    let most = i32::try_from(clamp).unwrap_or(i32::MAX);
    match eval {
        Eval::Centipawns(centipawns) => centipawns.clamp(-most, most),
        Eval::Mate(moves) if moves > 0 => most,
        Eval::Mate(_) => -most,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It lost `analysis.inaccuracy` or more.
    Inaccuracy,
    /// It lost `analysis.mistake` or more.
    Mistake,
    /// It lost `analysis.blunder` or more.
    Blunder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// In centipawns.
    pub lost: u32,
    /// `None` for a move that lost less than an inaccuracy.
    pub class: Option<Class>,
    /// In thousandths of a per cent.
    pub accuracy: u32,
    /// The position was decided for the same side before and after the move.
    pub settled: bool,
}

/// Judges each move, in order. `evals` are the evaluations of all positions, each from the side to move.
pub fn judge_moves<'a>(keys: &'a AnalysisKeys, evals: &'a [Eval]) -> impl Iterator<Item = JudgedMove> + 'a {
    evals.windows(2).map(|pair| {
        let (before, after) = (clamped(pair[0], keys.clamp), -clamped(pair[1], keys.clamp));
        let lost = u32::try_from(before - after).unwrap_or(0);
        let class = match lost {
            lost if lost >= keys.blunder => Some(Class::Blunder),
            lost if lost >= keys.mistake => Some(Class::Mistake),
            lost if lost >= keys.inaccuracy => Some(Class::Inaccuracy),
            _ => None,
        };
        JudgedMove {
            lost,
            class,
            accuracy: accuracy::of_move(before, after),
            settled: before == after && before.unsigned_abs() == keys.clamp,
        }
    })
}

/// Sums up each side's moves, White first. `evals` are the evaluations of all positions, each from the side to move.
pub fn judge(keys: &AnalysisKeys, first: Side, evals: &[Eval]) -> [Quality; 2] {
    let mut sides = [Quality {
        settled: Some(0),
        ..Quality::default()
    }; 2];
    let mut mover = first;
    for judged in judge_moves(keys, evals) {
        let is = |class| u32::from(judged.class == Some(class));
        sides[mover.index()].add(&Quality {
            moves: 1,
            lost: judged.lost.into(),
            inaccuracies: is(Class::Inaccuracy),
            mistakes: is(Class::Mistake),
            blunders: is(Class::Blunder),
            accuracy: judged.accuracy.into(),
            settled: Some(judged.settled.into()),
        });
        mover = mover.other();
    }
    sides
}

/// True if `side` left a game that was under way: it resigned, or lost by a fault of its own, which the protocol shows
/// as a resignation.
fn left(termination: Termination, side: Side) -> bool {
    let has_resigned = termination == Termination::Resignation { by: side };
    has_resigned || termination.was_played() && termination.is_fault_of(side)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QualityTally {
    /// Analysed games.
    pub games: u32,
    pub moves: Quality,
    /// Games in which one more move counts as lost, by `analysis.resignation_move`.
    pub resignations: u32,
    /// The loss in each game, including that move.
    losses: Vec<Loss>,
}

impl QualityTally {
    fn add(&mut self, quality: &Quality, resignation: Option<u32>) {
        self.games += 1;
        self.moves.add(quality);
        self.resignations += u32::from(resignation.is_some());
        self.losses.push(Loss {
            centipawns: quality.lost + resignation.map_or(0, u64::from),
            moves: quality.moves + u32::from(resignation.is_some()),
        });
    }

    /// Average centipawn loss by this mean, in tenths of a centipawn; `None` without a move.
    pub fn acpl(&self, mean: Mean) -> Option<u64> {
        match mean {
            Mean::Moves => accuracy::mean_over_moves(&self.losses),
            Mean::Games => accuracy::mean_over_games(&self.losses),
        }
    }

    /// Mean accuracy of the moves that had something to lose, in tenths of a per cent; `None` without one.
    pub fn accuracy(&self) -> Option<u64> {
        self.moves.mean_accuracy()
    }
}

/// A player's figures with White, with Black, and in all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// White first.
    pub by_color: [QualityTally; 2],
    pub both: QualityTally,
}

/// Finished games that an analysis with these settings has yet to analyse, in schedule order.
pub fn due_for_analysis(state: &State, begun: &AnalysisBegun) -> Vec<EndedGame> {
    let so_far = state
        .analysis
        .as_ref()
        .filter(|analysis| analysis.begun.goes_on_with(begun));
    let is_due = |game: &EndedGame| {
        game.finished.is_analysable() && so_far.is_none_or(|analysis| !analysis.games.contains_key(&game.finished.id))
    };
    state.finished_games().filter(is_due).collect()
}

/// Of the first `rounds` rounds: how many games can be analysed, and how many have been. Play-offs are not rounds.
pub fn analysed_after(state: &State, rounds: usize) -> (usize, usize) {
    let games = || games_of(state, rounds).filter(|game| game.finished.is_analysable());
    let is_done = |game: &EndedGame| {
        let analysis = state.analysis.as_ref();
        analysis.is_some_and(|analysis| analysis.games.contains_key(&game.finished.id))
    };
    (games().count(), games().filter(is_done).count())
}

/// Finished games of the first `rounds` rounds, without play-offs.
fn games_of(state: &State, rounds: usize) -> impl Iterator<Item = EndedGame> {
    let is_of = move |game: &EndedGame| game.finished.id.playoff == 0 && game.finished.id.round as usize <= rounds;
    state.finished_games().filter(is_of)
}

/// The figures of each player, by pairing number, from the analysed games of the first `rounds` rounds. `None` where
/// nothing was analysed.
pub fn tallies_after(state: &State, rounds: usize) -> Option<Vec<Tallies>> {
    let analysis = state.analysis.as_ref()?;
    let mut players = vec![Tallies::default(); state.player_count()];
    for game in games_of(state, rounds) {
        let Some(analysed) = analysis.games.get(&game.finished.id) else {
            continue;
        };
        for (side, player) in Side::BOTH.into_iter().zip([game.finished.white, game.finished.black]) {
            let left = left(game.finished.termination, side);
            let resignation = analysis.begun.keys.resignation_move.filter(|_| left);
            let (tallies, quality) = (&mut players[player.index()], &analysed.sides[side.index()]);
            tallies.by_color[side.index()].add(quality, resignation);
            tallies.both.add(quality, resignation);
        }
    }
    Some(players)
}

#[cfg(test)]
mod tests;
