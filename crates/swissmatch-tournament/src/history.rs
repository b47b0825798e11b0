//! What the pairing systems are told about an event so far.
//!
//! May not: pair anybody.

use swiss_system::pairing::history::{Encounter, History, PairingNumber, PastPlayer, PastRound};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Score;
use swiss_system::standings::results::{Bye, PlayerRound, RoundFate};

use super::house::seat_house;
use super::knockout::set_tie_points;
use super::ranking::{ranked, standings_after};
use super::results::results_after;
use super::roster;
use super::state::State;
use super::state::orders::{Orders, is_pair};

/// A player's round as a pairing system sees it. A mini-match without a played game does not count as a meeting.
fn past_round(had: &PlayerRound, score: Score) -> PastRound {
    let encounter = match had.fate {
        RoundFate::Played { opponent, color, .. } | RoundFate::Unfinished { opponent, color } => {
            Encounter::Met { opponent, color }
        }
        RoundFate::Forfeit {
            opponent: Some(opponent),
            ..
        } => Encounter::Forfeit { opponent },
        // "Never two for one player" (US Chess): a full-point bye that was awarded counts as one.
        RoundFate::Bye(Bye::PairingAllocated | Bye::FullPoint) => Encounter::PairingAllocatedBye,
        // "A round sat out counted whatever it gave."
        RoundFate::Bye(_) if had.sat_out => Encounter::PairingAllocatedBye,
        RoundFate::Forfeit { opponent: None, .. } | RoundFate::Bye(_) | RoundFate::Free | RoundFate::Annulled => {
            Encounter::Absent
        }
    };
    encounter.worth(score.of_round(had))
}

/// The history that the pairing of round `rounds + 1` sees.
pub fn history_after(state: &State, rounds: usize) -> History {
    let mut results = results_after(state, rounds);
    // Players who are not listed still have points.
    results.left_out.clear();
    results.struck.clear();
    let standings = ranked(state, rounds, &results, standings_after);
    let round = u32::try_from(rounds + 1).expect("few rounds");
    let out = state.out_of_round(round);
    let score = match state.created.format {
        TournamentFormat::Swiss => state.setup().pairing_score(),
        _ => Score::Match,
    };
    let players = results.players.iter().enumerate().map(|(index, player)| {
        let number = PairingNumber::from_index(index);
        PastPlayer {
            points: Points::ZERO,
            rounds: player.rounds.iter().map(|had| past_round(had, score)).collect(),
            present: !out.contains_key(&number),
            submission: results.submission[index],
            previous_place: None,
            rating: state
                .player(number)
                .rating()
                .and_then(|rating| u32::try_from(rating).ok()),
        }
    });
    let mut players: Vec<PastPlayer> = players.collect();
    for (player, place) in players.iter_mut().zip(standings.places()) {
        player.previous_place = (rounds > 0).then_some(place);
    }
    for row in &standings.rows {
        players[row.player.index()].points = row.points_by(score);
    }
    seat_house(state, &mut players);
    if state.created.format == TournamentFormat::Knockout {
        set_tie_points(state, &mut players);
    }
    let allowed = Orders::of_round(&state.orders.allowed, round);
    let is_apart = |pair: &(PairingNumber, PairingNumber)| {
        let mut allowed = allowed.iter();
        !allowed.any(|&(one, other)| is_pair(*pair, [one, other]))
    };
    History {
        players,
        forbidden: forbidden_pairs(state)
            .into_iter()
            .filter(is_apart)
            .chain(Orders::of_round(&state.orders.forbidden, round))
            .collect(),
        ..History::default()
    }
}

pub fn forced_pairs(state: &State, rounds: usize) -> Vec<(PairingNumber, PairingNumber)> {
    let round = u32::try_from(rounds + 1).expect("few rounds");
    Orders::of_round(&state.orders.forced, round)
}

/// Pairs that are never made, by `swiss.keep_apart` and `swiss.forbidden`.
pub fn forbidden_pairs(state: &State) -> Vec<(PairingNumber, PairingNumber)> {
    let setup = state.setup();
    roster::forbidden_pairs(&setup.players, &state.created.order, &setup.swiss)
}
