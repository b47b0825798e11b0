//! The steps to the bye: the grounds in turn, with each player's figure and those who were left.
//!
//! May not: choose anybody; write sentences.

use std::cmp::Reverse;

use crate::pairing::bye::ByeCriterion;
use crate::pairing::history::{Encounter, History, PairingNumber};
use crate::pairing::meetings;
use crate::score::Points;
use crate::word::words;

/// A ground on which some players are left and others not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A right to the bye.
    Right,
    /// The others can be paired without this player, and meet again as seldom as possible.
    Others,
    /// The fewest byes so far.
    FewestByes,
    /// The lowest match points.
    LowestMatchPoints,
    /// The lowest points by which the system pairs.
    LowestPoints,
    /// The worse place in the standings after the previous round.
    WorstPreviousPlace,
    /// The earliest submission.
    EarliestSubmission,
    /// The lowest rating, the unrated first.
    LowestRating,
    /// The most rounds in which a game was played.
    MostPlayed,
    /// The largest pairing number.
    LargestNumber,
}

words!(Ground {
    Right => "right",
    Others => "others",
    FewestByes => "fewest-byes",
    LowestMatchPoints => "lowest-match-points",
    LowestPoints => "lowest-points",
    WorstPreviousPlace => "worst-previous-place",
    EarliestSubmission => "earliest-submission",
    LowestRating => "lowest-rating",
    MostPlayed => "most-played",
    LargestNumber => "largest-number",
});

impl From<ByeCriterion> for Ground {
    fn from(criterion: ByeCriterion) -> Self {
        match criterion {
            ByeCriterion::FewestByes => Self::FewestByes,
            ByeCriterion::LowestMatchPoints => Self::LowestMatchPoints,
            ByeCriterion::WorstPreviousPlace => Self::WorstPreviousPlace,
            ByeCriterion::EarliestSubmission => Self::EarliestSubmission,
            ByeCriterion::LowestRating => Self::LowestRating,
        }
    }
}

/// A player's figure for a ground: the least has the best claim to the bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// True if the player must not have it.
    Barred(bool),
    /// A number of byes, or the place in the order of submission, from 0.
    Count(usize),
    /// Points.
    Points(Points),
    /// A place; `u32::MAX` for a player without one, which is worst.
    Place(Reverse<u32>),
    /// A rating; `None` for the unrated.
    Rating(Option<u32>),
    /// A number of which the most or the largest counts.
    Most(Reverse<usize>),
}

/// One step on the way to the bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByeStep {
    /// The ground of the step.
    pub by: Ground,
    /// The players left before it, each with a figure; no figures if the pairing of the others decides.
    pub before: Vec<(PairingNumber, Option<Figure>)>,
    /// The players left after it.
    pub left: Vec<PairingNumber>,
}

/// The steps by which `chosen` was found among those present; they end once only one player is left. A player who has
/// a better claim than `chosen` but did not get the bye was in the way of the pairing of the others, which is a step
/// of its own.
pub fn steps(
    history: &History,
    chosen: PairingNumber,
    grounds: &[Ground],
    may_have_bye: impl Fn(PairingNumber) -> bool,
) -> Vec<ByeStep> {
    let mut left = meetings::present(history);
    let mut steps = Vec::new();
    for &by in grounds.iter().chain([&Ground::LargestNumber]) {
        let figure = |number: PairingNumber| figure(history, by, number, &may_have_bye);
        let of_chosen = figure(chosen);
        let stays = |number: &PairingNumber| figure(*number) >= of_chosen;
        if !left.iter().all(stays) {
            let before = left.iter().map(|&number| (number, None)).collect();
            left.retain(stays);
            let left = left.clone();
            steps.push(ByeStep {
                by: Ground::Others,
                before,
                left,
            });
        }
        if left.len() < 2 {
            break;
        }
        let before = left.iter().map(|&number| (number, Some(figure(number)))).collect();
        left.retain(|&number| figure(number) == of_chosen);
        let left = left.clone();
        steps.push(ByeStep { by, before, left });
    }
    steps
}

fn figure(
    history: &History,
    by: Ground,
    number: PairingNumber,
    may_have_bye: impl Fn(PairingNumber) -> bool,
) -> Figure {
    let player = history.player(number);
    let has_met = |encounter: &Encounter| matches!(encounter, Encounter::Met { .. });
    match by {
        Ground::Right => Figure::Barred(!may_have_bye(number)),
        Ground::FewestByes => Figure::Count(player.byes()),
        Ground::LowestMatchPoints | Ground::LowestPoints => Figure::Points(player.points),
        Ground::WorstPreviousPlace => Figure::Place(Reverse(player.previous_place.unwrap_or(u32::MAX))),
        Ground::EarliestSubmission => Figure::Count(player.submission as usize),
        Ground::LowestRating => Figure::Rating(player.rating),
        Ground::MostPlayed => {
            let played = player.rounds.iter().filter(|round| has_met(&round.encounter));
            Figure::Most(Reverse(played.count()))
        }
        Ground::LargestNumber | Ground::Others => Figure::Most(Reverse(number.0 as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::history::PastPlayer;

    #[test]
    fn each_step_leaves_those_with_the_best_claim_and_who_is_passed_over_is_told() {
        let player = |(byes, halves): (usize, i64)| PastPlayer {
            points: Points::halves(halves),
            rounds: vec![Encounter::PairingAllocatedBye.worth(Points::ZERO); byes],
            present: true,
            ..PastPlayer::default()
        };
        let history = History {
            players: [(0, 8), (1, 2), (0, 6), (0, 6), (0, 4)].map(player).to_vec(),
            ..History::default()
        };
        let told = |chosen: u32| -> Vec<(Ground, Vec<u32>)> {
            let grounds = [Ground::FewestByes, Ground::LowestPoints];
            let steps = steps(&history, PairingNumber(chosen), &grounds, |_| true);
            let step = |step: ByeStep| (step.by, step.left.iter().map(|number| number.0).collect());
            steps.into_iter().map(step).collect()
        };
        let fewest = (Ground::FewestByes, vec![1, 3, 4, 5]);
        assert_eq!(told(5), [fewest.clone(), (Ground::LowestPoints, vec![5])]);
        assert_eq!(
            told(4),
            [
                fewest,
                (Ground::Others, vec![1, 3, 4]),
                (Ground::LowestPoints, vec![3, 4]),
                (Ground::LargestNumber, vec![4])
            ]
        );
    }
}
