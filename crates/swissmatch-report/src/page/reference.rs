//! A reference engine's view of a game: its evaluations, what each move lost, and figures of both sides.
//!
//! May not: evaluate or judge anything; say where the engine is.

use serde::Serialize;

use super::super::analysis::tenths;
use super::super::decimal::Decimal;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::GameId;
use swissmatch_tournament::analysis::{Class, Tallies, judge_moves};
use swissmatch_tournament::log::Quality;
use swissmatch_tournament::state::State;

#[derive(Serialize)]
pub(super) struct Reference {
    /// From the side to move: of the position of the first move that was played, and of that after each move.
    reference: Vec<Eval>,
    /// Centipawns that each move lost.
    lost: Vec<u32>,
    /// One character for each move: `i`, `m` or `b` for an inaccuracy, a mistake or a blunder, otherwise `.`.
    marks: String,
    /// White, Black.
    quality: [OfSide; 2],
}

/// Figures of the moves of a side.
#[derive(Serialize)]
pub(super) struct OfSide {
    moves: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    acpl: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<Decimal>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl OfSide {
    fn new(quality: &Quality, acpl: Option<u64>) -> Self {
        let decimal = |value: Option<u64>| value.map(tenths).map(Decimal::of);
        Self {
            moves: quality.moves,
            acpl: decimal(acpl),
            accuracy: decimal(quality.mean_accuracy()),
            inaccuracies: quality.inaccuracies,
            mistakes: quality.mistakes,
            blunders: quality.blunders,
        }
    }
}

/// The evaluations of a game that was analysed.
pub(super) fn of_game(state: &State, id: GameId, evals: Vec<Eval>) -> Option<Reference> {
    let analysis = state.analysis()?;
    let sides = &analysis.games.get(&id)?.sides;
    let judged = || judge_moves(&analysis.begun.keys, &evals);
    let mark = |class: Option<Class>| match class {
        None => '.',
        Some(Class::Inaccuracy) => 'i',
        Some(Class::Mistake) => 'm',
        Some(Class::Blunder) => 'b',
    };
    Some(Reference {
        lost: judged().map(|judged| judged.lost).collect(),
        marks: judged().map(|judged| mark(judged.class)).collect(),
        quality: sides.each_ref().map(|side| OfSide::new(side, side.acpl())),
        reference: evals,
    })
}

/// A player's moves in all games that were analysed.
#[derive(Serialize)]
pub(super) struct AnalysedPlayer {
    games: u32,
    #[serde(flatten)]
    moves: OfSide,
    /// Average centipawn loss with White, with Black.
    acpl_by_color: [Option<Decimal>; 2],
}

/// From a player's tallies; `None` if none of its games was analysed.
pub(super) fn of_player(state: &State, tallies: &Tallies) -> Option<AnalysedPlayer> {
    let mean = state.analysis()?.begun.keys.mean;
    let both = &tallies.both;
    (both.games > 0).then(|| AnalysedPlayer {
        games: both.games,
        moves: OfSide::new(&both.moves, both.acpl(mean)),
        acpl_by_color: tallies
            .by_color
            .each_ref()
            .map(|tally| tally.acpl(mean).map(tenths).map(Decimal::of)),
    })
}
