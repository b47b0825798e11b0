//! An event as it stands before anything is played, for simulations.
//!
//! May not: play, pair, or assume anything about the agents.

use swiss_system::pairing::history::{History, PastPlayer};
use swiss_system::standings::results::{self, Bye, PlayerResults, Results};

use swissmatch_stats::simulate::{Event, Pairing};

use swiss_system::pairing::rounds::TournamentFormat;

use super::director::table;
use super::roster;
use super::setup::{ByeAgain, Seeding, Setup};
use super::system::system;

/// A format that cannot be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not simulated")]
pub struct NoSimulationError(&'static str);

/// The event, allowing for each of these numbers of rounds; `order` has the entries in the order of their pairing
/// numbers.
///
/// # Errors
/// The format cannot be simulated.
pub fn planned(
    setup: &Setup,
    format: TournamentFormat,
    order: &[usize],
    rounds: &[u32],
) -> Result<Event, NoSimulationError> {
    let submission = roster::submission(&setup.players);
    let players = order.iter().map(|entry| PastPlayer {
        present: true,
        submission: submission[*entry],
        rating: setup.players[*entry]
            .rating()
            .and_then(|rating| u32::try_from(rating).ok()),
        ..PastPlayer::default()
    });
    let results = order.iter().map(|entry| PlayerResults {
        ratings: setup.players[*entry].ratings_by_round(),
        ..PlayerResults::default()
    });
    if setup.players.iter().any(|player| player.house) {
        return Err(NoSimulationError("an event with a house player"));
    }
    let swiss = |&rounds: &u32| (rounds, system(setup, order.len(), rounds));
    let pairing = match format {
        TournamentFormat::Knockout => return Err(NoSimulationError("a knockout")),
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            return Err(NoSimulationError("an event of several parts"));
        }
        TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet => {
            Pairing::Table(table(format, setup.swiss.rounds, order.len()))
        }
        TournamentFormat::Swiss => Pairing::Swiss(rounds.iter().map(swiss).collect()),
    };
    Ok(Event {
        pairing,
        history: History {
            players: players.collect(),
            forbidden: roster::forbidden_pairs(&setup.players, order, &setup.swiss),
            ..History::default()
        },
        results: Results {
            players: results.collect(),
            worth: setup.scoring.r#match.into(),
            format: match format {
                TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet => results::ResultsFormat::RoundRobin,
                _ => results::ResultsFormat::Swiss,
            },
            names: vec![String::new(); order.len()],
            ..Results::default()
        },
        rules: setup.standings.rules(),
        game: setup.scoring.game,
        match_points: setup.scoring.r#match,
        bye: setup.bye_points(),
        bye_again: match setup.bye.again {
            ByeAgain::Bye => None,
            ByeAgain::Requested => Some(Bye::HalfPoint),
            ByeAgain::Zero => Some(Bye::ZeroPoint),
        },
    })
}

/// Numbers of rounds around the one that is set: from two fewer to two more, at least 1, and at most as many as bring
/// everyone together once. A format other than a Swiss has only its own number.
pub fn rounds_around(rounds: u32, format: TournamentFormat, players: u32) -> Vec<u32> {
    if format != TournamentFormat::Swiss {
        return vec![rounds];
    }
    let everybody = if players.is_multiple_of(2) {
        players - 1
    } else {
        players
    };
    let most = rounds.saturating_add(2).min(everybody.max(rounds));
    (rounds.saturating_sub(2).max(1)..=most).collect()
}

/// The number of pairing numbers, from 1 on, that are given by rating.
pub fn seeded_by_rating(setup: &Setup) -> usize {
    match setup.swiss.seeding {
        Seeding::Rating => setup.players.iter().filter(|player| player.rating().is_some()).count(),
        Seeding::Submitted | Seeding::Listed | Seeding::Random | Seeding::Ladder => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_stay_within_what_is_possible() {
        let around = |rounds, players| rounds_around(rounds, TournamentFormat::Swiss, players);
        assert_eq!(around(9, 64), [7, 8, 9, 10, 11]);
        assert_eq!(around(2, 64), [1, 2, 3, 4]);
        assert_eq!(around(6, 8), [4, 5, 6, 7]);
        assert_eq!(around(6, 7), [4, 5, 6, 7]);
        assert_eq!(around(9, 4), [7, 8, 9], "more than every opponent once, but asked for");
        assert_eq!(rounds_around(5, TournamentFormat::AllPlayAll, 6), [5]);
    }
}
