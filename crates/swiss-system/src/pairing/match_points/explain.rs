//! Explains a pairing by match points.
//!
//! May not: write sentences.

use crate::pairing::by_aims::{Aim, AimsExplanation, Grounds};
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::match_points::{MatchPointsAims, MatchPointsRules, pair};

/// Explains the pairing of the coming round.
///
/// # Errors
/// As [`pair`].
///
/// # Panics
/// Never: a round that was paired once can be paired again.
pub fn explain(history: &History, rules: &MatchPointsRules) -> Result<AimsExplanation, NoPairingError> {
    let pairing = pair(history, rules)?;
    let present = history.numbers().filter(|&number| history.player(number).present);
    let field: Vec<PairingNumber> = present.filter(|&number| Some(number) != pairing.bye).collect();
    let aims = MatchPointsAims::new(history, &field);
    let grounds = Grounds {
        numbers: &field,
        standings: aims.points.iter().copied().zip(aims.ranks.iter().copied()).collect(),
        weights: aims.weights()?,
        costs: &|u, v| aims.costs(u, v),
        aims: [Aim::Repeats, Aim::Distance, Aim::LastMet, Aim::RankCost],
    };
    Ok(grounds.explain(history, &pairing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::bye::ByeCriterion;
    use crate::pairing::history::{Encounter, FirstColor, PastPlayer};
    use crate::score::Points;

    /// Players with these whole points, of whom these pairs have met, one round each.
    fn history(points: &[i64], met: &[(u32, u32)]) -> History {
        let players = points.iter().zip(0..).map(|(&points, submission)| PastPlayer {
            points: Points::whole(points),
            present: true,
            submission,
            ..PastPlayer::default()
        });
        let mut history = History {
            players: players.collect(),
            ..History::default()
        };
        for &(white, black) in met {
            for player in &mut history.players {
                player.rounds.push(Encounter::Absent.worth(Points::ZERO));
            }
            for (own, other, color) in [(white, black, FirstColor::White), (black, white, FirstColor::Black)] {
                let opponent = PairingNumber(other);
                let last = history.players[own as usize - 1].rounds.last_mut();
                *last.expect("a round") = Encounter::Met { opponent, color }.worth(Points::ZERO);
            }
        }
        history
    }

    fn check(history: &History, expected: &[(u32, u32, Aim)]) {
        let rules = MatchPointsRules {
            bye_order: vec![ByeCriterion::EarliestSubmission],
        };
        let explained = explain(history, &rules).expect("somebody is present");
        assert_eq!(
            explained.pairs.iter().map(|(pair, _)| *pair).collect::<Vec<_>>(),
            pair(history, &rules).expect("paired").pairs
        );
        let found = explained.pairs.iter().flat_map(|(_, ruled_out)| ruled_out);
        let mut found: Vec<_> = found.map(|what| (what.player.0, what.opponent.0, what.by)).collect();
        found.sort_by_key(|&(player, opponent, _)| (player, opponent));
        assert_eq!(found, expected);
    }

    #[test]
    fn nothing_to_explain_where_top_halves_meet_bottom_halves() {
        check(&history(&[0; 4], &[]), &[]);
        check(&history(&[1, 1, 0, 0], &[]), &[]);
    }

    #[test]
    fn who_met_does_not_meet() {
        check(
            &history(&[0; 4], &[(1, 3), (2, 4)]),
            &[(1, 3, Aim::Met(1)), (2, 4, Aim::Met(2))],
        );
        // 2 and 4 could meet, but then 1 and 3 would meet again.
        check(
            &history(&[0; 4], &[(1, 3)]),
            &[(1, 3, Aim::Met(1)), (2, 4, Aim::Repeats)],
        );
    }

    #[test]
    fn a_forbidden_pair_is_said_to_be_one() {
        let mut history = history(&[0; 4], &[]);
        history.forbidden.push((PairingNumber(1), PairingNumber(3)));
        check(&history, &[(1, 3, Aim::Forbidden), (2, 4, Aim::Forbidden)]);
    }
}
