//! The opponent that an own unplayed round counts as against: C.07 art. 16 and its predecessors, in the table of
//! [`super::unplayed`].
//!
//! May not: add up a tie-break.

use super::criterion::Score;
use super::table::ScoreTable;
use super::term::Note;
use super::unplayed::TieBreakEdition;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// The dummy opponent's score for an own unplayed round, by score, and why; `None` if there is no dummy.
pub(super) fn dummy(
    table: &ScoreTable<'_>,
    score: Score,
    player: PairingNumber,
    round: usize,
) -> Option<(Points, Note)> {
    let results = table.results();
    let own = &results.players[player.index()];
    let worth = score.worth(results);
    let times = |points: Points, times: usize| points.halved_times(2 * i64::try_from(times).unwrap_or(i64::MAX));
    match table.edition() {
        TieBreakEdition::PlayedOnly => None,
        TieBreakEdition::Of2022 => {
            let before: Points = own.rounds[..round].iter().map(|round| score.of_round(round)).sum();
            let missed = worth.win - score.of_round(&own.rounds[round]);
            let to_come = times(worth.draw, own.counted_rounds(round + 1));
            Some((before + missed + to_come, Note::VirtualOpponent))
        }
        TieBreakEdition::Of2024 => Some((table.total(score, player), Note::Dummy)),
        TieBreakEdition::Of2026 => {
            let total = table.total(score, player);
            let fate = own.rounds[round].fate;
            let (cap, note) = match fate.opponent() {
                Some(opponent) => (table.adjusted(score, opponent), Note::DummyCappedByOpponent),
                None => (times(worth.draw, own.counted_rounds(0)), Note::DummyCappedByDraws),
            };
            Some(if cap < total { (cap, note) } else { (total, Note::Dummy) })
        }
    }
}
