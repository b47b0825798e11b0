//! Facts, not words: what a row of the standings is made of, and what puts one player before another.
//!
//! May not: know names or words.

use super::criterion::{Code, Criterion};
use super::results::Results;
use super::table::ScoreTable;
use super::term::Term;
use super::value::Value;
use super::{EncounterGroup, RankingRules, Standings, better, evaluate, h2h};
use crate::pairing::history::PairingNumber;

/// One number of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedValue<'a> {
    /// The player with this number.
    pub player: PairingNumber,
    /// The index of the standings' criterion.
    pub criterion: usize,
    /// The value; `None` if it is not defined, or belongs to a stage that told nobody apart.
    pub value: Option<Value>,
    /// The terms of its sum, including those that are cut.
    pub terms: Vec<Term>,
    /// For H2H: the others who are level with the player.
    pub level: Vec<PairingNumber>,
    /// For a direct encounter: the group to which it was applied, and its steps.
    pub stage: Option<&'a EncounterGroup>,
}

/// A player's row, number by number, in the order of the criteria.
///
/// # Panics
/// When the standings are not those of these results, or the player is not in them.
pub fn row<'a>(
    results: &Results,
    rules: &RankingRules,
    standings: &'a Standings,
    player: PairingNumber,
) -> Vec<ExplainedValue<'a>> {
    let table = ScoreTable::new(results, rules);
    let row = standings
        .rows
        .iter()
        .find(|row| row.player == player)
        .expect("in the standings");
    let of_criterion = |(index, criterion): (usize, &Criterion)| {
        let mut terms = Vec::new();
        let mut others = Vec::new();
        if criterion.code == Code::H2h {
            others = level(&table, rules, player);
            let level = &others;
            h2h::within_group(&table, player, |opponent| level.contains(&opponent), &mut terms);
        } else {
            let _ = evaluate::evaluate(&table, rules.primary(), criterion, player, &mut terms);
        }
        let stage = standings
            .stages
            .iter()
            .find(|stage| stage.criterion == index && stage.group.contains(&player));
        ExplainedValue {
            player,
            criterion: index,
            value: row.cells[index].value,
            terms,
            level: others,
            stage,
        }
    };
    standings.criteria.iter().enumerate().map(of_criterion).collect()
}

/// The others who are level with a player on the first criterion, among whom H2H counts: also those who were taken
/// off the list afterwards.
fn level(table: &ScoreTable<'_>, rules: &RankingRules, player: PairingNumber) -> Vec<PairingNumber> {
    let first = rules.order.iter().find(|criterion| !criterion.code.is_stage());
    let value = |player| {
        let mut terms = Vec::new();
        first.and_then(|first| evaluate::evaluate(table, rules.primary(), first, player, &mut terms))
    };
    let own = value(player);
    let others = table
        .numbers()
        .filter(|other| *other != player && !table.results().left_out.contains(other));
    others.filter(|&other| value(other) == own).collect()
}

/// The index of the first ranking criterion that puts one before the other; `None` if they share their place.
///
/// # Panics
/// When a player is not in the standings.
pub fn separation(standings: &Standings, one: PairingNumber, other: PairingNumber) -> Option<usize> {
    let row = |player| {
        standings
            .rows
            .iter()
            .find(|row| row.player == player)
            .expect("in the standings")
    };
    let (one, other) = (row(one), row(other));
    (0..standings.ranking)
        .find(|&index| better(&one.cells[index], &other.cells[index], &standings.criteria[index]).is_ne())
}
