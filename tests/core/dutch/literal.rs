//! The Dutch system as its text says it (C.04.3, both editions): slow, and meant to be read beside the articles.
//!
//! Bracket after bracket from the top, candidates in the order of the text, each judged by all criteria in their order;
//! the best is taken, and of equally good ones the first. Nothing here is shared with the product's own pairing code.
//!
//! Time grows with the brackets: those of ten players take milliseconds, larger ones only when an early candidate meets
//! all criteria (as in round 1).
//!
//! May not: use the library's pairing code; weigh criteria against each other.

use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::Pair;
use swiss_system::pairing::history::RoundPairing;

pub(crate) mod bracket;
pub(crate) mod completion;
pub(crate) mod events;
pub(crate) mod generation;
pub(crate) mod position;
pub(crate) mod quality;
mod tests;

use bracket::Bracket;
use bracket::Kind;
use completion::Completion;
pub(crate) use completion::TooLarge;
use generation::Candidate;
use generation::best_candidate;
use position::Position;
use position::Set;
use position::members;
use position::one;

/// The round's pairing, in board order; `None` when there is no legal one.
pub(crate) fn pair(history: &History, rules: &DutchRules) -> Option<RoundPairing> {
    pair_within(history, rules, u64::MAX).expect("nobody counts that far")
}

/// The same, given up after so many `steps` (a million take a second or two).
///
/// # Errors
/// [`TooLarge`], also when more than 128 players are present.
pub(crate) fn pair_within(history: &History, rules: &DutchRules, steps: u64) -> Result<Option<RoundPairing>, TooLarge> {
    let position = Position::read(history, rules).ok_or(TooLarge)?;
    let Some(completion) = completion_of(&position, steps)? else {
        return Ok(None);
    };
    let mut pairs = Vec::new();
    let mut downfloaters: Set = 0;
    let mut below = position.scoregroups();
    while !below.is_empty() {
        let residents = below.remove(0);
        let mut bracket = Bracket {
            kind: Kind::Usual,
            mdps: members(downfloaters),
            residents,
            below,
        };
        let candidate = pair_bracket(&position, &completion, &mut bracket)?;
        pairs.extend(candidate.pairs);
        downfloaters = candidate.downfloaters;
        below = bracket.below;
    }
    Ok(Some(round_pairing(&position, &pairs, downfloaters)))
}

/// What can be completed: C1 to C3 and, in 2026, C5 for the whole field first. `None` when nothing can.
///
/// # Errors
/// [`TooLarge`].
pub(crate) fn completion_of<'a>(position: &'a Position<'a>, steps: u64) -> Result<Option<Completion<'a>>, TooLarge> {
    let everybody = (0..position.players.len()).fold(0, |set, player| set | one(player));
    let mut completion = Completion::new(position, steps);
    let possible = completion.can_be_completed(everybody);
    if position.rules.edition == DutchEdition::Of2026 {
        completion.settle_bye(everybody);
    }
    completion.spend(0)?;
    Ok(Some(completion).filter(|_| possible))
}

/// Pairs a bracket. In 2017 it may turn out to be the penultimate one: then it is paired again as such, and what is
/// below it becomes one scoregroup (A.9).
///
/// # Errors
/// [`TooLarge`].
pub(crate) fn pair_bracket(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &mut Bracket,
) -> Result<Candidate, TooLarge> {
    if position.rules.edition == DutchEdition::Of2026 {
        return best_candidate(position, completion, bracket);
    }
    if bracket.below.is_empty() {
        bracket.kind = Kind::Last;
        return best_candidate(position, completion, bracket);
    }
    let candidate = best_candidate(position, completion, bracket)?;
    let completes = completion.can_be_completed(candidate.downfloaters | bracket.below());
    completion.spend(0)?;
    if completes {
        return Ok(candidate);
    }
    bracket.kind = Kind::Penultimate;
    bracket.below = vec![bracket.below.concat()];
    best_candidate(position, completion, bracket)
}

/// Colours, boards and the bye. Boards (C.04.2): the higher score of the two, then the sum of both, then the number of
/// the higher ranked; virtual points do not count.
fn round_pairing(position: &Position<'_>, pairs: &[(usize, usize)], left_over: Set) -> RoundPairing {
    let seen = |player: usize| &position.players[player];
    let mut boards: Vec<(usize, usize)> = pairs.to_vec();
    boards.sort_by_key(|&(a, b)| {
        let rank = |player: usize| (-seen(player).points, seen(player).number);
        let (first, second) = (rank(a).min(rank(b)), rank(a).max(rank(b)));
        (first.0, second.0, first.1)
    });
    let pairs = boards.iter().map(|&(higher, lower)| {
        let white = position.white_of(higher, lower);
        let black = higher + lower - white;
        Pair {
            white: seen(white).number,
            black: seen(black).number,
            repeat: false,
        }
    });
    RoundPairing::new(
        pairs.collect(),
        members(left_over).first().map(|&player| seen(player).number),
    )
}
