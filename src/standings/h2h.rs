//! Head to head (H2H): "total game points scored in mini-matches among the tied agents, also when not all of them met
//! (then the table marks it). Computed once for the whole group level on match points, not again for sub-groups."
//!
//! May not: rank anybody.

use std::collections::{BTreeMap, BTreeSet};

use crate::pairing::history::PairingNumber;
use crate::score::Points;
use crate::standings::results::{PlayerRound, Results};

/// One player's head to head within the group of all who are level with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct H2h {
    /// Game points scored against others of the group. Those of a mini-match still going on count as far as they are
    /// scored. Zero for a player alone.
    pub points: Points,
    /// Whether everybody in the group has finished a mini-match with everybody else in it; the table marks it if not.
    pub all_met: bool,
    /// Whether there is a group: `false` for a player who is level with nobody, and shown as blank.
    pub tied_group: bool,
}

/// Head to head of all players, in order of their pairing numbers; `level[i]` is what player `i` is tied on.
///
/// # Panics
/// When `level` is shorter than the list of players.
#[must_use]
pub fn h2h(results: &Results, level: &[Points]) -> Vec<H2h> {
    let players = results.players.len();
    let mut groups: BTreeMap<Points, Vec<usize>> = BTreeMap::new();
    for (player, &level) in level[..players].iter().enumerate() {
        groups.entry(level).or_default().push(player);
    }
    let mut all = vec![
        H2h {
            points: Points::ZERO,
            all_met: true,
            tied_group: false
        };
        players
    ];
    for group in groups.values().filter(|group| group.len() > 1) {
        let within = group
            .iter()
            .map(|&player| within_group(results, player, |opponent| level[opponent] == level[player]));
        let within: Vec<(Points, usize)> = within.collect();
        let all_met = within.iter().all(|&(_, met)| met == group.len() - 1);
        for (&player, (points, _)) in group.iter().zip(within) {
            all[player] = H2h {
                points,
                all_met,
                tied_group: true,
            };
        }
    }
    all
}

/// A player's game points against its group, and how many of the group it has finished a mini-match with.
fn within_group(results: &Results, player: usize, in_group: impl Fn(usize) -> bool) -> (Points, usize) {
    let mut points = Points::ZERO;
    let mut met: BTreeSet<PairingNumber> = BTreeSet::new();
    for round in &results.players[player].rounds {
        let PlayerRound::MiniMatch {
            opponent,
            game_points,
            result,
            ..
        } = round
        else {
            continue;
        };
        if in_group(opponent.index()) {
            points += *game_points;
            if result.is_some() {
                met.insert(*opponent);
            }
        }
    }
    (points, met.len())
}
