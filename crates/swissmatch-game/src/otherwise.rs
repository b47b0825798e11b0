//! How a game that was played would have ended by other rules, as far as its record shows it.
//!
//! May not: guess how a game would have gone on; ask tablebases.

use super::adjudicate::{AdjudicationRules, Adjudicator};
use super::record::GameRecord;
use super::rules::{Board, Ends};
use super::termination::{Outcome, Termination};

/// How a game ends by other rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// So, at its end or before it.
    Ends(Outcome),
    /// It was ended by a rule that there is not then: nobody knows how it would have gone on.
    GoesOn,
    /// As it did, by what no such rule rules.
    AsItDid,
}

/// What the moves and scores of a record give by these rules; `None`: its moves are not legal.
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
        // Of an agent that tells no scores there are none.
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
