//! The standings of an event after its rounds, and the final places.
//!
//! May not: play anything off; know anything about prizes except what they are shared by.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::played_off::PlayedOff;
use swiss_system::standings::results::Results;
use swiss_system::standings::{self, Standings};

use super::knockout;
use super::part_events::parts_after;
use super::placing::Placing;
use super::results::results_after;
use super::setup::TiedOn;
use super::state::{RefinedTie, State};
use super::ties;
use super::ties::{Playoffs, out_of_ties};

/// A kind of standings for a part: the final ones, or those in which ties are looked for.
type OfPart = fn(&State, usize) -> Standings;

/// The standings after the first `rounds` rounds; a knockout and an event with several parts have their own order.
/// After the last round this is the final order: what a play-off decided comes before all criteria.
pub fn standings_after(state: &State, rounds: usize) -> Standings {
    let mut standings = ranked(state, rounds, &results_after(state, rounds), standings_after);
    // The parts of an event have play-offs of their own.
    if rounds >= state.last_round() as usize && !state.is_divided() {
        set_final_order(state, &mut standings);
    }
    standings
}

/// The standings in which ties for places are looked for: see [`out_of_ties`].
pub(crate) fn standings_of_ties(state: &State, rounds: usize) -> Standings {
    let mut results = results_after(state, rounds);
    results.leave_off(&out_of_ties(state));
    ranked(state, rounds, &results, standings_of_ties)
}

pub(super) fn ranked(state: &State, rounds: usize, results: &Results, of_part: OfPart) -> Standings {
    let mut standings = standings::rank(results, &state.setup().standings.rules());
    match state.created.format {
        TournamentFormat::Knockout => standings.relist(&knockout::places_after(state, rounds)),
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            standings.relist(&ranking_by(state, rounds, of_part))
        }
        TournamentFormat::Swiss | TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet => {}
    }
    standings
}

/// The players of a stage, from 2, by the standings of the stage before it, which is over.
pub fn field_by_rank(state: &State, stage: u32) -> Vec<PairingNumber> {
    let stages = state.stages();
    let place = stage as usize - 1;
    let ranking = ranking_of_stage(state, stage - 1, stages[place].rounds_before as usize, standings_after);
    let mut field: Vec<PairingNumber> = ranking.into_iter().map(|(_, number)| number).collect();
    // Players who have left take no places; the field is filled up with them if there are too few others.
    let everybody = state.numbers().filter(|number| !field.contains(number));
    let unlisted: Vec<PairingNumber> = everybody.collect();
    field.extend(unlisted);
    field.sort_by_key(|number| state.orders.gone.contains_key(number));
    field.truncate(stages[place].players as usize);
    field
}

/// The ranking of a stage, from 1, after the event's first `rounds` rounds: its standings, with sections one after the
/// other.
fn ranking_of_stage(state: &State, stage: u32, rounds: usize, standings: OfPart) -> Vec<(u32, PairingNumber)> {
    let mut ranking = Vec::new();
    for (part, state, own) in parts_after(state, rounds) {
        if part.stage.is_none_or(|of| of == stage) {
            let before = u32::try_from(ranking.len()).expect("few players");
            let rows = standings(&state, own).rows;
            ranking.extend(
                rows.iter()
                    .map(|row| (before + row.place, part.players[row.player.index()])),
            );
        }
    }
    ranking
}

/// The ranking of an event of several parts after its first `rounds` rounds: first the players of the last stage that
/// has begun, as that stage ranks them, then the others as the stage before left them, and so on.
pub fn ranking_after(state: &State, rounds: usize) -> Vec<(u32, PairingNumber)> {
    ranking_by(state, rounds, standings_after)
}

/// Like [`ranking_after`], with this kind of standings for each part.
fn ranking_by(state: &State, rounds: usize, standings: OfPart) -> Vec<(u32, PairingNumber)> {
    let mut ranking: Vec<(u32, PairingNumber)> = Vec::new();
    let stages = u32::try_from(state.fields.len() + 1).expect("few stages");
    for stage in (1..=stages).rev() {
        let before = u32::try_from(ranking.len()).expect("few players");
        let mut rest = ranking_of_stage(state, stage, rounds, standings);
        rest.retain(|(_, number)| ranking.iter().all(|(_, ranked)| ranked != number));
        let places: Vec<u32> = rest.iter().map(|(place, _)| *place).collect();
        let ahead = |own: u32| u32::try_from(places.iter().filter(|&&place| place < own).count()).expect("few players");
        ranking.extend(rest.iter().map(|&(place, number)| (before + ahead(place) + 1, number)));
    }
    ranking
}

/// The places of an event whose rounds are over, refined by its play-offs so far.
pub fn final_places(state: &State) -> Placing {
    let standings = standings_of_ties(state, state.rounds().len());
    // Points do not rank a knockout, nor an event of several parts: there players are level if they share a place.
    let by_place = state.is_divided() || state.created().format == TournamentFormat::Knockout;
    let tied_on = if by_place {
        TiedOn::Order
    } else {
        state.setup().prizes.tied_on
    };
    let placing = Placing::of_standings(&standings, tied_on, &ties::refined(state));
    // A final that was played off is a play-off for first place, too.
    let of_final = |playoffs: &Playoffs| playoffs.ties.iter().any(|tie| tie.key.board == knockout::FINAL);
    Placing {
        played_off: placing.played_off || ties::at_the_end(state).as_ref().is_some_and(of_final),
        ..placing
    }
    .without(&state.orders().disqualified())
}

/// Puts the standings after the last round in the final order: "What a play-off decides is the final order, before all
/// tie-breaks". A tie that is still being played off stays in the order of the criteria.
pub(super) fn set_final_order(state: &State, standings: &mut Standings) {
    let settled: Vec<RefinedTie> = ties::refined(state).into_iter().filter(|tie| tie.is_over).collect();
    if !settled.is_empty() {
        put_in_order(standings, &final_places(state), &settled);
    }
}

/// Lists the standings in the order of a placing made by these play-offs.
pub(super) fn put_in_order(standings: &mut Standings, placing: &Placing, settled: &[RefinedTie]) {
    let places: Vec<(u32, PairingNumber)> = placing
        .places
        .iter()
        .copied()
        .zip(placing.order.iter().copied())
        .collect();
    let decided = settled.iter().map(|tie| PlayedOff {
        first_place: tie.first_place,
        parts: tie.parts.clone(),
    });
    standings.set_final_order(&places, decided.collect());
}
