//! Facts of an event that stand at the head of each of its games.
//!
//! May not: hold games.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use crate::untrusted;
use swissmatch_game::record::GameId;
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::limits::time_controls_of;
use swissmatch_tournament::state::State;

/// Facts of an event that stand at the head of each of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heads {
    pub(super) event: String,
    pub(super) site: String,
    players: Vec<ViewerPlayer>,
    /// By the first game of a mini-match.
    controls: BTreeMap<GameId, [Control; 2]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ViewerPlayer {
    name: String,
    rating: Option<i32>,
}

/// The time control of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// As the PGN tag has it.
    pub(super) text: String,
    /// Whether it has a clock through the game.
    pub(super) has_clock: bool,
}

impl Control {
    fn new(control: &TimeControl) -> Self {
        Self {
            text: control.pgn(),
            has_clock: matches!(control.limit, Limit::Clock(_) | Limit::Hourglass(_)),
        }
    }
}

impl Heads {
    /// The heads of an event as it stands.
    pub fn new(state: &State) -> Self {
        let player = |number| ViewerPlayer {
            name: untrusted::name(state, number),
            rating: state.player(number).rating(),
        };
        let mut controls = BTreeMap::new();
        for sitting in state.sittings() {
            for (board, mini_match) in (1..).zip(sitting.mini_matches) {
                let id = GameId::first_of(sitting.round, sitting.playoff, board);
                let players = [mini_match.pair.white, mini_match.pair.black];
                controls.insert(id, time_controls_of(state, id, players).map(Control::new));
            }
        }
        Self {
            event: untrusted::event(state),
            site: harmless(&state.setup().event.site),
            players: state.numbers().map(player).collect(),
            controls,
        }
    }

    pub(super) fn name(&self, number: PairingNumber) -> &str {
        self.players
            .get(number.index())
            .map_or("?", |player| player.name.as_str())
    }

    pub(super) fn rating(&self, number: PairingNumber) -> Option<i32> {
        self.players.get(number.index()).and_then(|player| player.rating)
    }

    /// The time controls of White and Black in a game.
    pub(super) fn controls(&self, id: GameId) -> Option<[&Control; 2]> {
        let [white, black] = self.controls.get(&GameId { game: 1, ..id })?;
        // A play-off gives time controls to colours; elsewhere they belong to players, who change colours.
        Some(match id.playoff == 0 && id.game.is_multiple_of(2) {
            true => [black, white],
            false => [white, black],
        })
    }
}
