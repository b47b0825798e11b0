//! The settings of a match of two, as fastchess writes them behind their names: `10+0.1, 1t, 16MB, book.epd`.
//!
//! May not: know an engine's own defaults.

use std::collections::BTreeMap;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use super::number::general;
use swissmatch_game::record::GameId;
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::limits::time_controls_of;
use swissmatch_tournament::setup::Openings;
use swissmatch_tournament::state::State;

/// Time control, threads, hash and openings of two players.
pub(super) fn of(state: &State, players: [PairingNumber; 2]) -> String {
    let any = GameId {
        round: 1,
        playoff: 0,
        board: 1,
        game: 1,
    };
    let times = time_controls_of(state, any, players).map(time);
    let threads = players.map(|player| threads(state, player));
    let hash = players.map(|player| hash(state, player));
    let book = match &state.setup().mini_match.openings {
        Openings::File(path) => format!(", {}", harmless(path.rsplit(['/', '\\']).next().unwrap_or(path))),
        Openings::Bundled => ", bundled".to_owned(),
        Openings::Unbalanced => ", unbalanced".to_owned(),
        Openings::None | Openings::Chess960 => String::new(),
    };
    format!("{}, {}, {}{book}", both(times), both(threads), both(hash))
}

fn both([one, other]: [String; 2]) -> String {
    if one == other { one } else { format!("{one} - {other}") }
}

fn time(control: &TimeControl) -> String {
    let bounds = control.bounds;
    match &control.limit {
        Limit::Clock(clock) if clock.earlier.is_empty() => {
            let moves = clock.moves.map_or_else(String::new, |moves| format!("{moves}/"));
            let increment = match clock.increment {
                Duration::ZERO => String::new(),
                increment => format!("+{}", general(seconds(increment), 2)),
            };
            format!("{moves}{}{increment}", seconds(clock.base))
        }
        Limit::MoveTime(limit) => format!("{}/move", seconds(*limit)),
        Limit::Guard => match (bounds.depth, bounds.nodes) {
            (Some(depth), _) => format!("{depth} plies"),
            (None, Some(nodes)) => format!("{nodes} nodes"),
            (None, None) => String::new(),
        },
        Limit::Clock(_) | Limit::Hourglass(_) => control.to_string(),
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

fn threads(state: &State, player: PairingNumber) -> String {
    let created = state.created();
    let said = &created.agents[created.order[player.index()]].introduction;
    said.as_ref()
        .map_or_else(|| "NULL".to_owned(), |said| format!("{}t", said.threads))
}

/// The hash size that is set; `NULL` if none is.
fn hash(state: &State, player: PairingNumber) -> String {
    let own = &state.player(player).options;
    let set = find(own).or_else(|| find(&state.setup().engine.options));
    set.map_or_else(|| "NULL".to_owned(), |set| format!("{}MB", harmless(set)))
}

fn find(options: &BTreeMap<String, String>) -> Option<&String> {
    let mut found = options.iter().filter(|(name, _)| name.eq_ignore_ascii_case("hash"));
    found.next().map(|(_, value)| value)
}
