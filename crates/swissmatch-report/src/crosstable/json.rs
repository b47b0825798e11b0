//! Crosstables as JSON.
//!
//! May not: rank anybody, count points.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::results::{Bye, MatchResult, PlayerRound, RoundFate};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;

use crate::progress::CountedRounds;
use crate::untrusted::name;
use swissmatch_tournament::state::State;

/// The meetings of the first rounds. Points are strings, so that no reader makes floats of them.
#[derive(Serialize)]
pub(crate) struct CrosstableJson {
    /// Rounds that are over.
    round: usize,
    rounds: u32,
    r#final: bool,
    /// In the order of the standings.
    players: Vec<CrosstablePlayerJson>,
}

#[derive(Serialize)]
struct CrosstablePlayerJson {
    line: usize,
    place: u32,
    pairing_number: PairingNumber,
    name: String,
    match_points: Points,
    game_points: Points,
    rounds: Vec<CrosstableRoundJson>,
}

#[derive(Serialize)]
struct CrosstableRoundJson {
    round: usize,
    /// The kind of round.
    fate: &'static str,
    opponent: Option<PairingNumber>,
    /// Whether the player had White in game 1; `null` without an opponent.
    white_first: Option<bool>,
    /// `won`, `drawn`, `lost`, or `null`.
    result: Option<&'static str>,
    match_points: Points,
    game_points: Points,
    /// Whether the two had met before.
    repeat: bool,
}

/// The document after the first `rounds` rounds.
pub(crate) fn document(state: &State, rounds: usize) -> CrosstableJson {
    let counted = CountedRounds::new(state, rounds);
    let (results, standings) = (
        results_after(state, counted.rounds.len()),
        standings_after(state, counted.rounds.len()),
    );
    let white_first = super::white_first(state, &counted);
    let players = (1..).zip(&standings.rows).map(|(line, row)| {
        let player = row.player.index();
        let played = (1..).zip(&results.players[player].rounds).zip(&white_first);
        CrosstablePlayerJson {
            line,
            place: row.place,
            pairing_number: row.player,
            name: name(state, row.player),
            match_points: row.points,
            game_points: row.game_points,
            rounds: played
                .map(|((round, had), white)| of_round(round, had, white[player]))
                .collect(),
        }
    });
    CrosstableJson {
        round: counted.over,
        rounds: state.created().rounds,
        r#final: counted.is_final(state),
        players: players.collect(),
    }
}

fn of_round(round: usize, had: &PlayerRound, white_first: bool) -> CrosstableRoundJson {
    let opponent = had.fate.paired();
    CrosstableRoundJson {
        round,
        fate: fate(had.fate),
        opponent,
        white_first: opponent.map(|_| white_first),
        result: result(had.fate),
        match_points: had.points,
        game_points: had.game_points,
        repeat: had.repeat,
    }
}

/// The kind of a round for a player, in one word.
pub const fn fate(fate: RoundFate) -> &'static str {
    match fate {
        RoundFate::Played { .. } => "played",
        RoundFate::Unfinished { .. } => "unfinished",
        RoundFate::Forfeit { .. } => "forfeit",
        RoundFate::Bye(Bye::PairingAllocated) => "bye",
        RoundFate::Bye(Bye::FullPoint) => "full-point-bye",
        RoundFate::Bye(Bye::HalfPoint) => "half-point-bye",
        RoundFate::Bye(Bye::ZeroPoint) => "absent",
        RoundFate::Free => "free",
        RoundFate::Annulled => "annulled",
    }
}

/// The result of a round for a player, in one word.
pub fn result(fate: RoundFate) -> Option<&'static str> {
    fate.result().map(|result| match result {
        MatchResult::Won => "won",
        MatchResult::Drawn => "drawn",
        MatchResult::Lost => "lost",
    })
}
