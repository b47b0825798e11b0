//! Why an `"immortal"` pairing is what it is.
//!
//! May not: write sentences.

use crate::pairing::by_aims::{Aim, AimsExplanation, Grounds};
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::immortal::{ImmortalAims, ImmortalRules, pair};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::meetings;

/// Explains the pairing of the coming round.
///
/// # Errors
/// As [`pair`].
///
/// # Panics
/// Never: a round that was paired once can be paired again.
pub fn explain(history: &History, rules: &ImmortalRules) -> Result<AimsExplanation, NoPairingError> {
    let pairing = pair(history, rules)?;
    let present = meetings::present(history).into_iter();
    let paired: Vec<PairingNumber> = present.filter(|&number| Some(number) != pairing.bye).collect();
    let aims = ImmortalAims::new(history, rules, paired);
    let costs = |u: usize, v: usize| {
        let apart = i128::from((aims.points[u] - aims.points[v]).units());
        [
            aims.field.meetings(u, v).repeats(),
            i128::from(aims.due_alike(u, v)),
            apart.pow(2),
            aims.rank_cost(u, v),
        ]
    };
    let grounds = Grounds {
        numbers: aims.field.numbers(),
        standings: aims.points.iter().copied().zip(aims.ranks.iter().copied()).collect(),
        weights: aims.graph()?,
        costs: &costs,
        aims: [Aim::Repeats, Aim::ColorStreak, Aim::Distance, Aim::RankCost],
    };
    Ok(grounds.explain(history, &pairing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::history::{Encounter, FirstColor};
    use crate::pairing::tests::{fresh, had, met};

    fn check(history: &History, expected: &[(u32, u32, Aim)]) {
        let rules = ImmortalRules {
            initial_color: FirstColor::White,
            color_streak: Some(2),
        };
        let explained = explain(history, &rules).expect("somebody is present");
        let pairing = pair(history, &rules).expect("paired");
        assert_eq!(
            explained.pairs.iter().map(|(pair, _)| *pair).collect::<Vec<_>>(),
            pairing.pairs
        );
        assert_eq!(explained.bye, pairing.bye);
        let found = explained.pairs.iter().flat_map(|(_, ruled_out)| ruled_out);
        let mut found: Vec<_> = found.map(|what| (what.player.0, what.opponent.0, what.by)).collect();
        found.sort_by_key(|&(player, opponent, _)| (player, opponent));
        assert_eq!(found, expected);
    }

    #[test]
    fn nothing_to_explain_in_the_first_round() {
        check(&fresh(&[0; 8]), &[]);
    }

    #[test]
    fn who_met_does_not_meet_and_who_needs_the_same_color_does_not_either() {
        let mut history = fresh(&[2; 4]);
        met(&mut history, &[(1, 3), (4, 2)]);
        check(&history, &[(1, 3, Aim::Met(1)), (2, 4, Aim::Met(1))]);

        // 1 and 2 had White twice, 3 Black: if 1 and 2 met, or 3 and 4 and so 1 and 2, somebody would have White once more.
        let mut history = fresh(&[4, 4, 0, 0]);
        for opponent in [5, 6].map(PairingNumber) {
            for (own, color) in [(1, FirstColor::White), (2, FirstColor::White), (3, FirstColor::Black)] {
                had(&mut history, own, Encounter::Met { opponent, color }, 2);
            }
            had(&mut history, 4, Encounter::Absent, 0);
        }
        history.players.append(&mut fresh(&[0, 0]).players);
        history.players[4..]
            .iter_mut()
            .for_each(|player| player.present = false);
        check(&history, &[(1, 2, Aim::ColorStreak), (3, 4, Aim::ColorStreak)]);
    }

    #[test]
    fn a_forbidden_pair_is_said_to_be_one() {
        let mut history = fresh(&[0; 4]);
        history.forbidden.push((PairingNumber(1), PairingNumber(3)));
        check(&history, &[(1, 3, Aim::Forbidden), (2, 4, Aim::Forbidden)]);
    }
}
