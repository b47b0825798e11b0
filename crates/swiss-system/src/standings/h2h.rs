//! Head to head (H2H): "total game points scored in mini-matches among the tied agents, also when not all of them met
//! (then the table marks it). Computed once for the whole group level on match points, not again for sub-groups."
//!
//! May not: rank anybody.

use std::collections::BTreeSet;

use super::table::ScoreTable;
use super::term::Term;
use super::value::Value;
use crate::pairing::history::PairingNumber;

/// One player's head to head within the group of all who are level with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct H2h {
    /// Game points scored against others of the group, including those scored so far in a mini-match still going on.
    pub points: Value,
    /// True if everybody in the group has finished a mini-match with everybody else in it; the table marks it if not.
    pub all_met: bool,
}

/// Head to head of a whole group, in its order.
pub(super) fn h2h(table: &ScoreTable<'_>, group: &[PairingNumber]) -> Vec<H2h> {
    let mut level = vec![false; table.results().players.len()];
    group.iter().for_each(|player| level[player.index()] = true);
    let mut terms = Vec::new();
    let within: Vec<(Value, usize)> = group
        .iter()
        .map(|&player| {
            let points = within_group(table, player, |opponent| level[opponent.index()], &mut terms);
            (points, met(table, player, &level))
        })
        .collect();
    let all_met = within.iter().all(|&(_, met)| met == group.len() - 1);
    within.into_iter().map(|(points, _)| H2h { points, all_met }).collect()
}

/// A player's game points against its group, mini-match by mini-match.
pub(super) fn within_group(
    table: &ScoreTable<'_>,
    player: PairingNumber,
    in_group: impl Fn(PairingNumber) -> bool,
    terms: &mut Vec<Term>,
) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let opponent = round.fate.paired().filter(|&opponent| in_group(opponent));
        terms.extend(opponent.map(|opponent| Term::of_opponent(index, opponent, round.game_points.into())));
    }
    Term::sum(terms)
}

/// The number of others in its group with whom a player has finished a mini-match.
fn met(table: &ScoreTable<'_>, player: PairingNumber, level: &[bool]) -> usize {
    let opponents = table.rounds(player).iter().filter_map(|round| round.fate.opponent());
    let met: BTreeSet<PairingNumber> = opponents.filter(|opponent| level[opponent.index()]).collect();
    met.len()
}
