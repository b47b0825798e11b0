//! What a reference engine's evaluations say of the moves: centipawns lost, inaccuracies, mistakes, blunders, accuracy.
//!
//! A move loses max(0, evaluation before − evaluation after), from the mover's side, both clamped to ±`analysis.clamp`; a mate
//! counts as the clamp. The evaluation after a move is that of the next position from the other side.
//!
//! May not: evaluate a position; hold a float or the evaluations themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::game::record::{Eval, GameId};
use crate::game::termination::Termination;
use crate::pairing::history::PairingNumber;
use crate::stats::accuracy;
use crate::stats::accuracy::Loss;

use super::event::{Agent, AgentIntroduction, GameFinished};
use super::part::Part;
use super::setup::{AnalysisKeys, Mean};
use super::state::{BrokenLog, State};

/// An analysis begins: what the games that follow are analysed with. It replaces any earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisBegun {
    /// Version of the program.
    pub software: String,
    /// The reference engine, its files with their hashes.
    pub engine: Agent,
    /// The keys that count in it.
    pub keys: AnalysisKeys,
}

impl AnalysisBegun {
    /// Whether games analysed with the other belong to this one: the same files, whatever their paths, and the same keys but
    /// those by which no number changes.
    #[must_use]
    pub fn goes_on_with(&self, other: &Self) -> bool {
        let files =
            |begun: &Self| -> Vec<String> { begun.engine.files.iter().map(|file| file.sha256.clone()).collect() };
        let keys = |begun: &Self| AnalysisKeys {
            command: String::new(),
            limit: AnalysisKeys::default().limit,
            ..begun.keys.clone()
        };
        // How long a start took is of that start alone.
        let said = |begun: &Self| {
            let said = begun.engine.introduction.clone();
            said.map(|said| AgentIntroduction { start_us: None, ..said })
        };
        files(self) == files(other) && keys(self) == keys(other) && said(self) == said(other)
    }
}

/// What one side's moves in a game were worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    /// Moves made.
    pub moves: u32,
    /// Centipawns lost in all.
    pub lost: u64,
    /// Moves that lost as much as an inaccuracy and less than a mistake.
    pub inaccuracies: u32,
    /// Moves that lost as much as a mistake and less than a blunder.
    pub mistakes: u32,
    /// Moves that lost as much as a blunder.
    pub blunders: u32,
    /// The accuracies of the moves added up, in thousandths of a per cent.
    pub accuracy: u64,
}

impl Quality {
    /// Average centipawn loss of these moves, in tenths of a centipawn; `None` without a move.
    #[must_use]
    pub fn acpl(&self) -> Option<u64> {
        accuracy::rounded(10 * self.lost, self.moves.into())
    }

    /// Mean accuracy, in tenths of a per cent; `None` without a move.
    #[must_use]
    pub fn mean_accuracy(&self) -> Option<u64> {
        accuracy::rounded(self.accuracy, 100 * u64::from(self.moves))
    }

    fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.lost += other.lost;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.accuracy += other.accuracy;
    }
}

/// A game was analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameAnalysed {
    /// Which game.
    pub id: GameId,
    /// White's moves and Black's.
    pub sides: [Quality; 2],
    /// SHA-256 of its [`Evaluations`] as stored, in hexadecimal.
    pub evaluations: String,
}

/// The evaluations of a game's positions, as they lie beside the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluations {
    /// Version of this shape.
    pub version: u32,
    /// Which game.
    pub id: GameId,
    /// From the side to move, of the position of the first move up to the last position.
    pub evals: Vec<Eval>,
}

impl Evaluations {
    /// Version written by this program.
    pub const VERSION: u32 = 1;
}

/// An analysis as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What it is done with.
    pub begun: AnalysisBegun,
    /// Games that have been analysed.
    pub games: BTreeMap<GameId, GameAnalysed>,
}

/// An evaluation in centipawns, clamped; a side that is mated has lost all.
#[must_use]
pub fn clamped(eval: Eval, clamp: u32) -> i32 {
    let most = i32::try_from(clamp).unwrap_or(i32::MAX);
    match eval {
        Eval::Centipawns(centipawns) => centipawns.clamp(-most, most),
        Eval::Mate(moves) if moves > 0 => most,
        Eval::Mate(_) => -most,
    }
}

/// What each side's moves were worth, White first, by the evaluations of all positions from the side to move.
#[must_use]
pub fn judge(keys: &AnalysisKeys, first: Side, evals: &[Eval]) -> [Quality; 2] {
    let mut sides = [Quality::default(); 2];
    let mut mover = first;
    for pair in evals.windows(2) {
        let (before, after) = (clamped(pair[0], keys.clamp), -clamped(pair[1], keys.clamp));
        let lost = u32::try_from(before - after).unwrap_or(0);
        let class = |least: u32, below: u32| u32::from((least..below).contains(&lost));
        sides[mover.index()].add(&Quality {
            moves: 1,
            lost: lost.into(),
            inaccuracies: class(keys.inaccuracy, keys.mistake),
            mistakes: class(keys.mistake, keys.blunder),
            blunders: class(keys.blunder, u32::MAX),
            accuracy: accuracy::of_move(before, after).into(),
        });
        mover = mover.other();
    }
    sides
}

/// Whether a game is analysed: it was played, and its moves are kept.
#[must_use]
pub fn is_analysable(game: &GameFinished) -> bool {
    game.record.is_some() && game.termination.was_played()
}

/// Whether `side` left a game that was under way: it lost by a fault of its own, which the protocol shows as resignation.
fn left(termination: Termination, side: Side) -> bool {
    termination.was_played() && termination.is_fault_of(side)
}

/// What a player's moves in several games were worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games analysed.
    pub games: u32,
    /// Its moves in them.
    pub moves: Quality,
    /// Games in which one more move counts as lost, `analysis.resignation_move`.
    pub resignations: u32,
    /// Each game's loss, that move included.
    losses: Vec<Loss>,
}

impl Tally {
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
    #[must_use]
    pub fn acpl(&self, mean: Mean) -> Option<u64> {
        match mean {
            Mean::Moves => accuracy::mean_over_moves(&self.losses),
            Mean::Games => accuracy::mean_over_games(&self.losses),
        }
    }

    /// Mean accuracy of its moves, in tenths of a per cent; `None` without a move.
    #[must_use]
    pub fn accuracy(&self) -> Option<u64> {
        self.moves.mean_accuracy()
    }
}

/// A player's games with White, with Black, and all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// By colour, White first.
    pub by_color: [Tally; 2],
    /// All.
    pub both: Tally,
}

impl State {
    /// The last analysis, if there is one.
    #[must_use]
    pub const fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// Finished games that an analysis with these settings has still to analyse, in schedule order.
    #[must_use]
    pub fn due_for_analysis(&self, begun: &AnalysisBegun) -> Vec<&GameFinished> {
        let so_far = self
            .analysis
            .as_ref()
            .filter(|analysis| analysis.begun.goes_on_with(begun));
        let is_due = |game: &&GameFinished| {
            is_analysable(game) && so_far.is_none_or(|analysis| !analysis.games.contains_key(&game.id))
        };
        self.finished_games().filter(is_due).collect()
    }

    /// Games of the first `rounds` rounds that can be analysed, and how many of them are. Play-offs are no rounds.
    #[must_use]
    pub fn analysed(&self, rounds: usize) -> (usize, usize) {
        let games = || self.games_of(rounds).filter(|game| is_analysable(game));
        let is_done = |game: &&GameFinished| {
            let analysis = self.analysis.as_ref();
            analysis.is_some_and(|analysis| analysis.games.contains_key(&game.id))
        };
        (games().count(), games().filter(is_done).count())
    }

    /// Finished games of the first `rounds` rounds, without play-offs.
    fn games_of(&self, rounds: usize) -> impl Iterator<Item = &GameFinished> {
        let is_of = move |game: &&GameFinished| game.id.playoff == 0 && game.id.round as usize <= rounds;
        self.finished_games().filter(is_of)
    }

    /// What the moves of each player, by pairing number, in the analysed games of the first `rounds` rounds were worth. `None`
    /// where nothing was analysed.
    #[must_use]
    pub fn tallies(&self, rounds: usize) -> Option<Vec<Tallies>> {
        let analysis = self.analysis.as_ref()?;
        let mut players = vec![Tallies::default(); self.player_count()];
        for game in self.games_of(rounds) {
            let Some(analysed) = analysis.games.get(&game.id) else {
                continue;
            };
            for (side, player) in Side::BOTH.into_iter().zip([game.white, game.black]) {
                let left = left(game.termination, side);
                let resignation = analysis.begun.keys.resignation_move.filter(|_| left);
                let (tallies, quality) = (&mut players[player.index()], &analysed.sides[side.index()]);
                tallies.by_color[side.index()].add(quality, resignation);
                tallies.both.add(quality, resignation);
            }
        }
        Some(players)
    }

    /// An analysis begins, or goes on with another game.
    pub(super) fn apply_analysed(&mut self, analysed: &GameAnalysed) -> Result<(), BrokenLog> {
        let broken = BrokenLog::Analysed(analysed.id);
        let finished = self.finished_game(analysed.id);
        if !finished.is_some_and(is_analysable) {
            return Err(broken);
        }
        let games = self.analysis.as_mut().map(|analysis| &mut analysis.games);
        let before = games.map(|games| games.insert(analysed.id, analysed.clone()));
        match before {
            Some(None) => Ok(()),
            Some(Some(_)) | None => Err(broken),
        }
    }

    /// A game, if it has ended.
    #[must_use]
    pub fn finished_game(&self, id: GameId) -> Option<&GameFinished> {
        let game = (id.game as usize).checked_sub(1)?;
        self.mini_match(id)?.games.get(game)?.as_ref()
    }

    /// The analysis as far as it is of a part's games, under their numbers in the part.
    pub(super) fn analysis_of(&self, part: &Part) -> Option<Analysis> {
        let analysis = self.analysis.as_ref()?;
        let is_own = |player: PairingNumber| part.own_number(player).is_some();
        let (before, rounds) = (part.rounds_before, part.rounds);
        let mut games = BTreeMap::new();
        for (number, round) in (1..).zip(self.rounds().iter().skip(before as usize).take(rounds as usize)) {
            let boards = (1..).zip(&round.mini_matches);
            let own = boards.filter(|(_, board)| is_own(board.pair.white) && is_own(board.pair.black));
            for (own_board, (board, mini_match)) in (1..).zip(own) {
                let numbers = 1..=u32::try_from(mini_match.games.len()).unwrap_or(u32::MAX);
                let analysed = numbers.filter_map(|game| {
                    let id = |round, mini_match| GameId {
                        round,
                        playoff: 0,
                        mini_match,
                        game,
                    };
                    let own = id(number, own_board);
                    let analysed = analysis.games.get(&id(before + number, board))?.clone();
                    Some((own, GameAnalysed { id: own, ..analysed }))
                });
                games.extend(analysed);
            }
        }
        Some(Analysis {
            begun: analysis.begun.clone(),
            games,
        })
    }
}

#[cfg(test)]
mod tests;
