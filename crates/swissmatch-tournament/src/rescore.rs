//! A run ranked by other rules: the games stay as played, but their worth changes.
//!
//! The pairings stay as they were played, although other rules might have paired otherwise.
//!
//! May not: store anything; change a game.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings;
use swiss_system::standings::results::Results;
use swiss_system::standings::{Standings, StandingsRow, better};

use crate::ranking::standings_after;
use crate::results::results_after;
use crate::ties::out_of_ties;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

use super::placing::Placing;
use super::ranking::put_in_order;
use super::setup::{DisqualificationEffect, Setup, TiedOn};
use super::state::State;
use super::ties;
use crate::state::RefinedTie;

/// The standings by both sets of rules.
#[derive(Clone, Debug)]
pub struct RescoredStandings {
    /// By the rules of the run.
    pub before: Standings,
    /// By the other rules, without the players who are out.
    pub after: Standings,
    /// The results as the other rules see them.
    pub results: Results,
    /// Play-offs that do not count under the other rules, because other players are tied over their cut.
    pub not_counted: Vec<RefinedTie>,
}

/// Ranks the first `rounds` rounds by another setup. Players who are `out` are treated as its `standings.disqualified`
/// says. Games in `changed` get the results that they would have had under it.
pub fn rescore(
    state: &State,
    setup: Setup,
    rounds: usize,
    out: &[PairingNumber],
    changed: &[(GameId, Outcome)],
) -> RescoredStandings {
    let before = standings_after(state, rounds);
    let usage = setup.standings.disqualified;
    let other = state.by_other_rules(setup).with_results(changed);
    let mut results = results_after(&other, rounds);
    match usage {
        DisqualificationEffect::Annulled => results.annul(out),
        DisqualificationEffect::OffTheList => results.struck.extend_from_slice(out),
    }
    let rules = other.setup().standings.rules();
    let mut after = standings::rank(&results, &rules);
    let mut not_counted = Vec::new();
    if !before.played_off.is_empty() {
        // Ties are looked for as they were then: players taken off the list since are still in it.
        let mut of_ties = results.clone();
        of_ties.struck = out_of_ties(state).into_iter().collect();
        let tied = standings::rank(&of_ties, &rules);
        let settled = ties::refined(state).into_iter().filter(|tie| tie.is_over);
        let (counted, others): (Vec<_>, Vec<_>) =
            settled.partition(|tie| is_tied(&tied, other.setup().playoff.tied_on, tie));
        if !counted.is_empty() {
            let gone = results.struck.iter().copied().collect();
            let placing = Placing::of_standings(&tied, TiedOn::Order, &counted).without(&gone);
            put_in_order(&mut after, &placing, &counted);
        }
        not_counted = others;
    }
    RescoredStandings {
        before,
        after,
        results,
        not_counted,
    }
}

/// "A play-off counts only where exactly its players are tied over its cut."
fn is_tied(standings: &Standings, tied_on: TiedOn, tie: &RefinedTie) -> bool {
    let level = |one: &StandingsRow, other: &StandingsRow| match (tied_on, standings.criteria.first()) {
        (TiedOn::Points, Some(first)) => better(&one.cells[0], &other.cells[0], first).is_eq(),
        _ => one.place == other.place,
    };
    let mut played = tie.parts.concat();
    played.sort_unstable();
    let mut first = 1;
    standings.rows.chunk_by(level).any(|rows| {
        let mut players: Vec<PairingNumber> = rows.iter().map(|row| row.player).collect();
        players.sort_unstable();
        let is_it = (first, &players) == (tie.first_place as usize, &played);
        first += rows.len();
        is_it
    })
}
