//! The number of games of a whole event: of paired rounds and of rounds to come.
//!
//! May not: pair anybody.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::round_robin;
use swiss_system::pairing::rounds::{Rounds, TournamentFormat};

use super::state::State;
use crate::stage::Stage;

/// Games of the whole event, without play-offs. Paired rounds count with their boards, rounds to come with the games
/// that they will have if everyone now present stays.
pub fn games_in_all(state: &State) -> usize {
    if state.created.tour.is_some() {
        return 0;
    }
    let boards = state.rounds.iter().flat_map(|round| &round.mini_matches);
    let paired: usize = boards.map(|board| board.games.len()).sum();
    let done = u32::try_from(state.rounds.len()).expect("few rounds");
    let stages = state.stages();
    let to_come = (done..state.last_round()).flat_map(|round| {
        let own = stages.iter().enumerate();
        own.map(move |(place, stage)| {
            let games = stage.games_in(round.saturating_sub(stage.rounds_before));
            pairs_to_come(state, place, stage, round) * games as usize
        })
    });
    paired + to_come.sum::<usize>()
}

/// Games of the event as far as they are known: all rounds, and the play-offs that have been paired.
pub fn games_planned(state: &State) -> usize {
    let playoffs = state.sittings().filter(|sitting| sitting.playoff > 0);
    let boards = playoffs.flat_map(|sitting| sitting.mini_matches);
    games_in_all(state) + boards.map(|board| board.games.len()).sum::<usize>()
}

/// The pairs of a stage (`place` counts from 0), or of a section, in the round after the event's first `rounds` rounds,
/// which is not paired yet.
fn pairs_to_come(state: &State, place: usize, stage: &Stage, rounds: u32) -> usize {
    let Some(own) = rounds
        .checked_sub(stage.rounds_before)
        .filter(|own| *own < stage.rounds)
    else {
        return 0;
    };
    let format = stage.format.plan(stage.players).format;
    let has_byes = format == TournamentFormat::Swiss || stage.format == Rounds::Auto;
    if !has_byes {
        // A player who has left stays in the table and loses without a move.
        return stage.pairs().get(own as usize).map_or(0, |pairs| *pairs as usize);
    }
    let is_in_section = |number: &PairingNumber| {
        stage
            .section
            .is_none_or(|section| state.setup().section_of(state.player(*number)) == Ok(section))
    };
    let field: Vec<PairingNumber> = match place.checked_sub(1).filter(|_| stage.section.is_none()) {
        None => state.numbers().filter(is_in_section).collect(),
        Some(later) => match state.fields.get(later) {
            Some(field) => field.clone(),
            None => return stage.boards() as usize,
        },
    };
    let out = state.out_of_round(rounds + 1);
    if format == TournamentFormat::AllPlayAll {
        // A player whose opponent by the table is absent has a bye.
        let is_there = |number: PairingNumber| !out.contains_key(&field[number.index()]);
        let round = round_robin::berger(field.len()).into_iter().nth(own as usize);
        return round.map_or(0, |round| round.pairs_there(is_there).len());
    }
    let (houses, others): (Vec<_>, Vec<_>) = field.iter().partition(|number| state.player(**number).house);
    let there = others.iter().filter(|number| !out.contains_key(number)).count();
    match houses.iter().any(|house| !out.contains_key(house)) {
        true => there.div_ceil(2),
        false => there / 2,
    }
}
