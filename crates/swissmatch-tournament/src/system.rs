//! The pairing system of an event and its rules, by the keys.
//!
//! May not: pair anybody.

use swiss_system::lot;
use swiss_system::pairing::dutch::rules::baku;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::system::{PairingRules, PairingSystem};
use swiss_system::pairing::{double_swiss, dutch, immortal, match_points, us_chess};

use super::setup::{AccelerationRule, InitialColor, Setup};
use super::state::State;

/// The pairing rules of a Swiss event as it stands.
pub fn system_of(state: &State) -> PairingRules {
    system(state.setup(), state.player_count(), state.created().rounds)
}

/// The pairing rules of a Swiss with this many players and rounds.
pub fn system(setup: &Setup, players: usize, rounds: u32) -> PairingRules {
    match setup.swiss.pairing {
        PairingSystem::MatchPoints => PairingRules::MatchPoints(match_points::MatchPointsRules {
            bye_order: setup.bye.order.clone(),
        }),
        PairingSystem::Dutch => PairingRules::Dutch(dutch_rules(setup, players, rounds)),
        PairingSystem::UsChess => PairingRules::UsChess(us_chess::UsChessRules {
            rounds,
            games: setup.mini_match.games,
            initial_color: initial_color(setup),
        }),
        PairingSystem::Immortal => PairingRules::Immortal(immortal::ImmortalRules {
            initial_color: initial_color(setup),
            color_streak: setup.swiss.color_streak,
        }),
        // By game points: a match has two games.
        PairingSystem::DoubleSwiss => PairingRules::DoubleSwiss(double_swiss::DoubleSwissRules {
            rounds,
            initial_color: initial_color(setup),
            win: setup.scoring.game.times(setup.mini_match.games).win,
        }),
    }
}

/// The rules of the Dutch system, which pairs by match points: a win is a mini-match won.
pub fn dutch_rules(setup: &Setup, players: usize, rounds: u32) -> dutch::rules::DutchRules {
    let (swiss, scoring) = (&setup.swiss, setup.scoring.r#match);
    dutch::rules::DutchRules {
        edition: swiss.edition,
        color: swiss.color,
        tpn_parity: swiss.tpn_parity,
        initial_color: initial_color(setup),
        rounds,
        win: scoring.win,
        loss: scoring.loss,
        virtual_points: match swiss.acceleration {
            AccelerationRule::None => Vec::new(),
            AccelerationRule::Baku => baku(players, rounds, scoring.win),
        },
    }
}

/// The colour of odd pairing numbers before anyone has played: drawn by lot unless the keys set it.
pub(super) fn initial_color(setup: &Setup) -> FirstColor {
    match setup.swiss.initial_color {
        InitialColor::White => FirstColor::White,
        InitialColor::Black => FirstColor::Black,
        InitialColor::Lot if lot::order(setup.event.rng_seed, "initial color", 2)[0] == 0 => FirstColor::White,
        InitialColor::Lot => FirstColor::Black,
    }
}
