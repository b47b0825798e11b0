//! How a game that was played would have ended by other rules, as far as its record shows it.
//!
//! May not: guess how a game would have gone on; ask tablebases.

use super::adjudicate::{AdjudicationRules, Adjudicator};
use super::record::GameRecord;
use super::rules::{Board, Ends};
use super::termination::{Outcome, Termination};

/// The end of a game by other rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The game ends with this outcome, at its recorded end or before it.
    Ends(Outcome),
    /// The rule that ended the game does not exist then: nobody knows how it would have gone on.
    GoesOn,
    /// The game ends as it did, by something that such rules do not touch.
    AsItDid,
}

/// Applies these rules to the moves and scores of a record; `None` if its moves are not legal.
pub fn otherwise(record: &GameRecord, ends: Ends, adjudication: AdjudicationRules) -> Option<Otherwise> {
    let mut board = Board::new(&record.opening).ok()?;
    let mut adjudicator = Adjudicator::new(adjudication);
    if let Some((outcome, _)) = board.ending(ends) {
        return Some(Otherwise::Ends(outcome));
    }
    for (ply, word) in record.moves.split_ascii_whitespace().enumerate() {
        let legal = board.legal(&word.parse().ok()?)?;
        board.play(legal);
        if let Some((outcome, _)) = board.ending(ends) {
            return Some(Otherwise::Ends(outcome));
        }
        // An agent that reports no scores has none here.
        let scores = record.eval.get(..=ply).unwrap_or_default();
        if let Some(ruling) = adjudicator.by_scores(board.position(), scores) {
            return Some(Otherwise::Ends(ruling.outcome));
        }
    }
    Some(match record.termination {
        Termination::MoveCap
        | Termination::ThreefoldRepetition
        | Termination::FiftyMoveRule
        | Termination::ResignAdjudication
        | Termination::DrawAdjudication => Otherwise::GoesOn,
        _ => Otherwise::AsItDid,
    })
}
