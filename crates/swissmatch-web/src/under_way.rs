//! Games under way: the figures of all visible plies of each, for whoever begins to watch it.
//!
//! May not: know of plies that are not visible yet; ask the runner for anything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use serde::Serialize;

use swissmatch_game::record::GameId;
use swissmatch_game::seen::Columns;
use swissmatch_tournament::live::{LiveColumns, LiveGame};

use super::content::{JSON, Keep, ResponseContent};

/// The game at each slot, as far as it is shown.
#[derive(Debug, Default)]
pub(super) struct UnderWay(Mutex<HashMap<usize, WatchedGame>>);

#[derive(Debug)]
struct WatchedGame {
    id: GameId,
    begun: Timestamp,
    columns: Columns,
    /// The whole game as an answer, made at the first request.
    whole: Option<Arc<ResponseContent>>,
}

#[derive(Serialize)]
struct UnderWayJson {
    schema: u32,
    id: GameId,
    plies: usize,
    columns: LiveColumns,
}

impl UnderWay {
    /// Shows the current state of a game, with the figures of its new plies.
    pub(super) fn show(&self, game: &LiveGame, new: Option<&LiveColumns>) {
        let mut games = self.lock();
        let known = games.entry(game.slot).or_insert_with(|| WatchedGame::of(game));
        if (known.id, known.begun) != (game.id, game.begun) {
            *known = WatchedGame::of(game);
        }
        let Some(new) = new else { return };
        if !known.columns.add(new.from as usize, &new.columns) {
            tracing::warn!(game = %game.id, from = new.from, "plies of a game under way are missing");
        }
        known.whole = None;
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    /// The plies of a game from number `from` on.
    pub(super) fn answer(&self, name: &str, from: usize, asked: &HeaderMap) -> Response {
        let mut games = self.lock();
        let Some(game) = games.values_mut().find(|game| game.id.to_string() == name) else {
            let why = "This game is not being played, or it is not shown while it is played.\n";
            return (StatusCode::NOT_FOUND, why).into_response();
        };
        let content = match from {
            // Many readers come at once, and all of them want this.
            0 => Arc::clone(
                game.whole
                    .get_or_insert_with(|| Arc::new(told(game.id, &game.columns, 0))),
            ),
            from => Arc::new(told(game.id, &game.columns, from)),
        };
        drop(games);
        content.answer(asked)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, WatchedGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WatchedGame {
    fn of(game: &LiveGame) -> Self {
        Self {
            id: game.id,
            begun: game.begun,
            columns: Columns::default(),
            whole: None,
        }
    }
}

fn told(id: GameId, columns: &Columns, from: usize) -> ResponseContent {
    let plies = columns.plies();
    let from = from.min(plies);
    let told = UnderWayJson {
        schema: 1,
        id,
        plies,
        columns: LiveColumns {
            from: u32::try_from(from).unwrap_or(u32::MAX),
            columns: columns.part(from, plies),
        },
    };
    let text = serde_json::to_string(&told).expect("plain data");
    ResponseContent::new(JSON, Keep::AskAgain, text)
}
