//! Play-offs, which tell level players apart by contests of their own.
//!
//! [`stand`] works everything out anew from rules and facts: what was contested, what is due, what is settled. A tie
//! goes from stage to stage. Players left level by a stage go on as a tie of their own if a boundary still cuts them,
//! so that one tie can become several, which then go on apart (Grand Chess Tour 2024, 4.5). All that can be played at
//! once is one round of play-offs.
//!
//! Rules: Grand Chess Tour 2024, Tiebreak Regulations; its sections 3 and 4 are numbered here as they are headed (3.1,
//! 4.1, …), not 2.1 and 3.1 as printed. City Chess, "Tiebreaks".
//!
//! A ranking is cut only at its boundaries, because nothing else was asked for: "Ties for any other places, including
//! second place, shall not be broken" (4.2). Within a part the order of the standings stays.
//!
//! May not: draw lots, play games, ask the time, decide for the arbiter, remember anything.

mod armageddon;
pub mod decision;
pub mod facts;
mod head_to_head;
mod numbering;
mod round_robin;
pub mod stand;
mod walk;

use super::playoff_rules::PlayoffRules;
use facts::{Facts, Tie};
use stand::{Due, Stand};
use walk::Walk;

/// Where all these ties stand. Lots are due before the boards that need them, so that one round is made from all ties.
/// A question to the arbiter holds up only its own tie.
///
/// # Panics
/// If a tie has not as many players as places, or a player twice; or if a board that was begun does not have as many
/// games as it was due with.
pub fn stand(ties: &[Tie], rules: &PlayoffRules, facts: &Facts) -> Stand {
    let mut contests = Vec::new();
    let mut parts = Vec::new();
    let (mut lots, mut boards, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    for tie in ties {
        let mut walk = Walk::new(tie, rules, facts);
        parts.push(walk.parts());
        walk.contests.sort_by_key(|contest| (contest.id.number, contest.id.tie));
        contests.push(walk.contests);
        lots.extend(walk.lots);
        boards.extend(walk.boards);
        questions.extend(walk.questions);
    }
    let due = if facts.boards.iter().any(|held| !held.is_over()) {
        Due::Playing
    } else if !lots.is_empty() {
        Due::Lots(lots)
    } else if !boards.is_empty() {
        Due::Round(boards)
    } else if !questions.is_empty() {
        Due::Decision
    } else {
        Due::Nothing
    };
    Stand {
        contests,
        due,
        questions,
        parts,
    }
}

#[cfg(test)]
mod tests;
