//! Head to head, Buchholz and Sonneborn-Berger of the Global Chess Challenge (rules, section A).
//!
//! May not: rank anybody.

use super::fraction::Fraction;
use super::fraction::ratio;
use super::fraction::whole;
use super::view::Kind;
use super::view::Round;
use super::view::View;

/// "Opponents faced": those of mini-matches that are decided.
fn faced(view: &View, player: usize) -> Vec<(usize, &Round)> {
    let mut faced = Vec::new();
    for round in view.rounds(player) {
        if let Some(opponent) = round.opponent
            && round.kind != Kind::StillPlaying
        {
            faced.push((opponent, round));
        }
    }
    faced
}

/// "Sum of the final MP of all opponents faced; a bye adds nothing."
pub(super) fn buchholz(view: &View, player: usize) -> Fraction {
    let faced = faced(view, player);
    faced.iter().map(|&(opponent, _)| view.total(false, opponent)).sum()
}

/// "Σ opponent's MP × own match result (1 / 0.5 / 0)."
pub(super) fn sonneborn_berger(view: &View, player: usize) -> Fraction {
    let result = |kind| match kind {
        Kind::WonOverTheBoard | Kind::ForfeitWin => whole(1),
        Kind::DrawnOverTheBoard | Kind::ForfeitLevel => ratio(1, 2),
        _ => whole(0),
    };
    let faced = faced(view, player);
    faced
        .iter()
        .map(|&(opponent, round)| view.total(false, opponent) * result(round.kind))
        .sum()
}

/// "Total game points scored in mini-matches among the tied agents, also when not all of them met (then the table marks it)":
/// for each of the group its points, and for all whether all have met.
pub(super) fn head_to_head(view: &View, group: &[usize]) -> (Vec<Fraction>, bool) {
    let against_group = |player: usize| -> Fraction {
        let rounds = view.rounds(player).iter();
        let within = rounds.filter(|round| round.opponent.is_some_and(|opponent| group.contains(&opponent)));
        within.map(|round| round.game_points).sum()
    };
    let mut all_met = true;
    for &one in group {
        for &other in group {
            let met = faced(view, one).iter().any(|&(opponent, _)| opponent == other);
            all_met &= one == other || met;
        }
    }
    (group.iter().map(|&player| against_group(player)).collect(), all_met)
}
