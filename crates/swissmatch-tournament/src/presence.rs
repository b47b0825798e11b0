//! The players who are asked, before a round, whether they are there.
//!
//! "Players have to be active … on Immortal Game within 30s before the matchmaking to be part of the matchmaking": here a
//! registered agent is unchanged and answers.
//!
//! May not: ask them.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::{Rounds, TournamentFormat};

use super::knockout::survivors;
use super::part::parts_of;
use super::part_events::event_of_part;
use super::setup::PresenceCheck;
use super::state::{Out, State};

/// True if players still have to be asked before the coming round (from 1): the log has no check for it.
pub fn is_to_be_checked(state: &State, round: u32) -> bool {
    let checked = state.orders().presence.as_ref().is_some_and(|(of, _)| *of == round);
    state.setup().presence.check == PresenceCheck::BeforeEachRound && state.created().tour.is_none() && !checked
}

/// Everyone who may be paired in the coming round (from 1). Left out are players who have withdrawn, were disqualified,
/// have a requested or awarded bye, or no longer play.
pub fn asked(state: &State, round: u32) -> Vec<PairingNumber> {
    let out = state.out_of_round(round);
    let is_asked =
        |player: &PairingNumber| !matches!(out.get(player), Some(Out::Withdrawn | Out::Disqualified | Out::Bye(_)));
    let mut players = still_playing(state);
    players.sort_unstable();
    players.into_iter().filter(is_asked).collect()
}

/// Players in the stage of the coming round who have not been knocked out of it.
fn still_playing(state: &State) -> Vec<PairingNumber> {
    let done = state.rounds().len();
    match state.created().format {
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            let parts = parts_of(state).into_iter().filter(|part| part.has_round(done));
            let players = parts.flat_map(|part| match part.format {
                Rounds::Knockout => {
                    let own = survivors(&event_of_part(state, &part));
                    own.into_iter().map(|own| part.players[own.index()]).collect()
                }
                _ => part.players,
            });
            players.collect()
        }
        TournamentFormat::Knockout => survivors(state),
        TournamentFormat::Swiss | TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet => {
            state.numbers().collect()
        }
    }
}
