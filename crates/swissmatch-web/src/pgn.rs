//! Games as PGN, sent part by part as the reader takes them: only a part of a long event is in memory for each reader.
//!
//! May not: choose games, or write them.

use std::io;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream::unfold;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

use swissmatch_run::chosen::{ChosenGames, Which};

use super::site::Site;

/// How long a reader waits for a place.
const PATIENCE: Duration = Duration::from_secs(20);

struct Rest {
    site: Arc<Site>,
    chosen: Arc<ChosenGames>,
    next: usize,
    _place: OwnedSemaphorePermit,
}

/// The games of `games.pgn`, or of a file in `games`, `rounds` or `agents`; `None` if no such file can exist.
pub(super) fn which(folder: &str, file: &str) -> Option<Which> {
    let name = file.strip_suffix(".pgn")?;
    match folder {
        "games" => Some(Which::MiniMatch(name.to_owned())),
        "rounds" => name.parse().ok().map(Which::Round),
        "agents" => name.parse().ok().map(Which::Player),
        _ => None,
    }
}

/// The name under which the reader saves the file.
fn file_name(which: &Which) -> String {
    match which {
        Which::All => "games.pgn".to_owned(),
        Which::MiniMatch(name) => format!("match-{name}.pgn"),
        Which::Round(round) => format!("round-{round}.pgn"),
        Which::Player(number) => format!("agent-{number}.pgn"),
    }
}

pub(super) async fn answer(site: Arc<Site>, which: Which) -> Response {
    let place = tokio::time::timeout(PATIENCE, Arc::clone(&site.pgn_places).acquire_owned()).await;
    let Ok(Ok(place)) = place else {
        let why = "Others are being sent games; try again in a moment.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "10")], why).into_response();
    };
    let (asked, of) = (which.clone(), Arc::clone(&site));
    let chosen = match spawn_blocking(move || ChosenGames::of(&of.followed(), &asked)).await {
        Ok(Some(chosen)) => Arc::new(chosen),
        Ok(None) => {
            let why = "There is nothing of that name, or none of its games has ended.\n";
            return (StatusCode::NOT_FOUND, why).into_response();
        }
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    let headers = [
        (CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", file_name(&which)),
        ),
        (CACHE_CONTROL, "no-cache".to_owned()),
    ];
    let rest = Rest {
        site,
        chosen,
        next: 0,
        _place: place,
    };
    (headers, Body::from_stream(unfold(rest, next))).into_response()
}

/// The next part. A part that cannot be written breaks the answer off, so that nobody takes it for complete.
async fn next(mut rest: Rest) -> Option<(Result<Bytes, io::Error>, Rest)> {
    if rest.next >= rest.chosen.parts() {
        return None;
    }
    let (site, chosen, number) = (Arc::clone(&rest.site), Arc::clone(&rest.chosen), rest.next);
    let written = spawn_blocking(move || {
        let _turn = site.pgn_turn.lock().unwrap_or_else(PoisonError::into_inner);
        let part = chosen.part(number);
        part.inspect_err(|why| tracing::warn!(%why, "games cannot be read"))
    });
    let part = written.await.unwrap_or_else(|error| Err(io::Error::other(error)));
    rest.next = match part {
        Ok(_) => rest.next + 1,
        Err(_) => rest.chosen.parts(),
    };
    Some((part.map(Bytes::from), rest))
}
