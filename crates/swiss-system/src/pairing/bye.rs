//! The choice of who sits out of an odd number of players.
//!
//! The rule (Global Chess Challenge, final tournament): one player when the number to pair in this round is odd,
//! chosen by: has had the fewest byes; then lowest match points; then the worse place on the previous round's standings;
//! then earlier submission time. In round 1 all have the same points and no previous place, so that the submission
//! decides at once.
//!
//! Two other systems also never stop for want of a player with a right to the bye ([`crate::pairing::immortal`],
//! [`crate::pairing::us_chess`]). There the pairing has a say in it: [`sits_out`].
//!
//! The previous place is the shared one: places are shared after the last tie-break, so that the earlier submission,
//! the last criterion of the rule, can decide something.
//!
//! May not: pair anybody; know what a bye is worth.

pub mod steps;

use std::cmp::Reverse;

use crate::pairing::aims;
use crate::pairing::history::{History, PairingNumber, PastPlayer, SitsOut};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::meetings::PairingField;
use crate::word::words;

/// One step of `bye.order`, in the words of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByeCriterion {
    /// `"fewest-byes"`: players with fewer byes come before players with more. "None yet, while there is such an
    /// agent."
    FewestByes,
    /// `"lowest-match-points"`
    LowestMatchPoints,
    /// `"worst-previous-place"`: the worse place in the previous round's standings. A player without one (everybody
    /// before round 1, later a new entry) counts as worse placed than all who have one.
    WorstPreviousPlace,
    /// `"earliest-submission"`
    EarliestSubmission,
    /// `"lowest-rating"`: "the lowest points, then the lowest rating" (Immortal Game). The unrated are the lowest of all.
    LowestRating,
}

words!(ByeCriterion {
    FewestByes => "fewest-byes",
    LowestMatchPoints => "lowest-match-points",
    WorstPreviousPlace => "worst-previous-place",
    EarliestSubmission => "earliest-submission",
    LowestRating => "lowest-rating",
});

/// The player who gets the bye of the coming round; `None` if the number of players present is even.
///
/// The criteria apply strictly in turn. If they leave several players (impossible with
/// [`ByeCriterion::EarliestSubmission`] among them), the one with the largest pairing number gets it.
pub fn choose(history: &History, order: &[ByeCriterion]) -> Option<PairingNumber> {
    let mut candidates: Vec<usize> = (0..history.players.len())
        .filter(|&player| history.players[player].present)
        .collect();
    if candidates.len().is_multiple_of(2) {
        return None;
    }
    for criterion in order {
        let player = |&candidate: &usize| &history.players[candidate];
        match criterion {
            ByeCriterion::FewestByes => keep_least(&mut candidates, |c| player(c).byes()),
            ByeCriterion::LowestMatchPoints => keep_least(&mut candidates, |c| player(c).points),
            ByeCriterion::WorstPreviousPlace => {
                keep_least(&mut candidates, |c| {
                    Reverse(player(c).previous_place.unwrap_or(u32::MAX))
                });
            }
            ByeCriterion::EarliestSubmission => keep_least(&mut candidates, |c| player(c).submission),
            ByeCriterion::LowestRating => keep_least(&mut candidates, |c| player(c).rating),
        }
    }
    candidates.last().copied().map(PairingNumber::from_index)
}

/// Removes from these players, if their number is odd, the one who sits out (Immortal Game and US Chess alike). The
/// rule, in turn: "(1) those who may have the bye, where nobody may, all present; (2) of these the fewest times left
/// over so far, a round sat out counted whatever it gave; (3) the fewest repeats of the round without them; (4)
/// lowest points; (5) lowest rating, the unrated lowest; (6) largest pairing number". Before all that, the others
/// must have a pairing without a forbidden pair.
///
/// # Errors
/// [`NoPairingError::Forbidden`] if forbidden pairs leave no pairing, whoever sits out;
/// [`NoPairingError::TooManyPlayers`].
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn sits_out(
    history: &History,
    players: &mut Vec<PairingNumber>,
    may_have_bye: impl Fn(&PastPlayer) -> bool,
) -> Result<Option<SitsOut>, NoPairingError> {
    if players.len().is_multiple_of(2) {
        return Ok(None);
    }
    let player = |place: usize| history.player(players[place]);
    let mut by_claim: Vec<usize> = (0..players.len()).collect();
    by_claim.sort_by_key(|&place| (player(place).points, player(place).rating, Reverse(players[place])));
    let claim = aims::ranks(players.len(), &by_claim);
    let field = PairingField::new(history, players.clone());
    let bye = |u: usize| {
        let times = i128::try_from(player(u).byes()).expect("few rounds");
        Some([i128::from(!may_have_bye(player(u))), times, 0, claim[u]?])
    };
    let pair = |u: usize, v: usize| (!field.forbidden(u, v)).then(|| [0, 0, field.meetings(u, v).repeats(), 0]);
    let place = aims::left_over(players.len(), bye, pair)?.ok_or(NoPairingError::Forbidden)?;
    let again = !may_have_bye(player(place));
    Ok(Some(SitsOut {
        player: players.remove(place),
        again,
    }))
}

/// Drops all candidates whose key is not the least one.
fn keep_least<K: Ord>(candidates: &mut Vec<usize>, key: impl Fn(&usize) -> K) {
    let Some(least) = candidates.iter().map(&key).min() else {
        return;
    };
    candidates.retain(|candidate| key(candidate) == least);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::history::{Encounter, PastPlayer};
    use crate::score::Points;
    use ByeCriterion::{EarliestSubmission, FewestByes, LowestMatchPoints, LowestRating, WorstPreviousPlace};

    const PROTOCOL: [ByeCriterion; 4] = [FewestByes, LowestMatchPoints, WorstPreviousPlace, EarliestSubmission];

    /// (byes so far, half match points, previous place, submission)
    type Entry = (usize, i64, Option<u32>, u32);

    fn check(order: &[ByeCriterion], entries: &[Entry], absent: &[u32], expected: Option<u32>) {
        let player = |(index, &(byes, halves, previous_place, submission)): (usize, &Entry)| PastPlayer {
            points: Points::halves(halves),
            rounds: vec![Encounter::PairingAllocatedBye.worth(Points::ZERO); byes],
            present: !absent.contains(&PairingNumber::from_index(index).0),
            submission,
            previous_place,
            rating: None,
        };
        let history = History {
            players: entries.iter().enumerate().map(player).collect(),
            ..History::default()
        };
        assert_eq!(
            choose(&history, order),
            expected.map(PairingNumber),
            "{entries:?} without {absent:?}"
        );
    }

    #[test]
    fn lowest_points_then_lowest_rating_the_unrated_lowest_of_all() {
        let order = [FewestByes, LowestMatchPoints, LowestRating];
        let bye = |entries: &[(usize, i64, Option<u32>)]| {
            let player = |&(byes, halves, rating): &(usize, i64, Option<u32>)| PastPlayer {
                points: Points::halves(halves),
                rounds: vec![Encounter::PairingAllocatedBye.worth(Points::ZERO); byes],
                present: true,
                rating,
                ..PastPlayer::default()
            };
            let history = History {
                players: entries.iter().map(player).collect(),
                ..History::default()
            };
            choose(&history, &order).map(|number| number.0)
        };
        assert_eq!(
            bye(&[(0, 1, Some(900)), (0, 0, Some(1500)), (0, 0, Some(1400))]),
            Some(3)
        );
        assert_eq!(bye(&[(0, 0, Some(100)), (0, 0, None), (0, 0, Some(1400))]), Some(2));
        assert_eq!(bye(&[(0, 0, Some(100)), (1, 0, None), (0, 0, Some(1400))]), Some(1));
        assert_eq!(
            bye(&[(0, 0, None), (0, 0, None), (0, 0, Some(1400))]),
            Some(2),
            "the larger number"
        );
    }

    #[test]
    fn nobody_when_even() {
        check(&PROTOCOL, &[], &[], None);
        check(&PROTOCOL, &[(0, 0, None, 0), (0, 0, None, 1)], &[], None);
        check(
            &PROTOCOL,
            &[(0, 0, None, 0), (0, 0, None, 1), (0, 0, None, 2)],
            &[3],
            None,
        );
    }

    #[test]
    fn round_1_goes_by_submission() {
        check(
            &PROTOCOL,
            &[(0, 0, None, 2), (0, 0, None, 0), (0, 0, None, 1)],
            &[],
            Some(2),
        );
        check(
            &PROTOCOL,
            &[(0, 0, None, 2), (0, 0, None, 0), (0, 0, None, 1), (0, 0, None, 3)],
            &[2],
            Some(3),
        );
    }

    #[test]
    fn criteria_strictly_in_turn() {
        // The fewest points, but a bye already.
        check(
            &PROTOCOL,
            &[(0, 4, Some(1), 0), (0, 2, Some(2), 2), (1, 1, Some(3), 1)],
            &[],
            Some(2),
        );
        // Level on points: the worse place, not the earlier submission.
        check(
            &PROTOCOL,
            &[(0, 2, Some(2), 1), (0, 2, Some(3), 2), (0, 2, Some(1), 0)],
            &[],
            Some(2),
        );
        // All have had one: a player who has had two waits until all have.
        check(
            &PROTOCOL,
            &[(1, 4, Some(1), 0), (2, 2, Some(3), 2), (1, 3, Some(2), 1)],
            &[],
            Some(3),
        );
        check(
            &PROTOCOL,
            &[(2, 4, Some(1), 0), (2, 2, Some(3), 2), (2, 3, Some(2), 1)],
            &[],
            Some(2),
        );
        // A new entry has no previous place.
        check(
            &PROTOCOL,
            &[(0, 0, Some(1), 1), (0, 0, None, 2), (0, 0, Some(2), 0)],
            &[],
            Some(2),
        );
    }

    #[test]
    fn an_order_that_leaves_several() {
        check(
            &[LowestMatchPoints],
            &[(0, 2, None, 0), (0, 2, None, 1), (0, 3, None, 2)],
            &[],
            Some(2),
        );
        check(&[], &[(0, 2, None, 0)], &[], Some(1));
    }

    #[test]
    fn written_in_kebab_case() {
        let text = serde_json::to_string(&PROTOCOL).expect("plain names");
        assert_eq!(
            text,
            r#"["fewest-byes","lowest-match-points","worst-previous-place","earliest-submission"]"#
        );
    }
}
