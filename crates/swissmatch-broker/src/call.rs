//! One call from beginning to end: the wait for a place, the tries, the time off the clock, and whose failure it is.
//!
//! Dropping a call hangs it up.

mod course;
mod exchange;
mod open;
mod outage;
mod pauses;
mod probe;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, Uri};
use serde_json::{Map, Value};
use swiss_system::text::{escaped, harmless};
use tokio::time::{sleep_until, timeout_at};

use super::endpoint::ServiceKey;
use super::grade::Fault;
use super::http::NAME;
use super::player::{AnswerSource, BrokerPlayer, CallReport};
use super::shared::BrokerState;
use super::wire::{Call, CallAnswer, Failure, Reply};
use course::Course;

/// The most bytes of an answer of a player's own server.
const LONGEST_MOVE: usize = 64 << 10;
/// The time limit for such a server if nobody sets one.
const LONGEST_WAIT: Duration = Duration::from_mins(10);
/// The most characters of a reason that are passed on.
const MOST_WORDS: usize = 400;

pub(crate) async fn answer(shared: &Arc<BrokerState>, player: &Arc<BrokerPlayer>, call: Call) -> CallAnswer {
    let ended = match (call, &player.source) {
        (Call::Model { messages, legal, .. }, AnswerSource::Model(index, session)) => {
            let mut course = Course::new(shared, player, (&shared.services[*index], session), (&messages, &legal));
            let ended = course.run().await;
            course.end(ended)
        }
        (Call::Move { body, .. }, AnswerSource::Url(_, address)) => own_server(shared, player, address, &body).await,
        _ => Err(Fault::new(
            Failure::Configuration,
            format!("{} has no such calls", player.name()),
        )),
    };
    match ended {
        Ok(reply) => CallAnswer::Reply { reply },
        Err(fault) => CallAnswer::Failed {
            failed: fault.whose,
            why: fault.why,
        },
    }
}

/// The part of a reason that may be shown.
fn shown(why: &str, key: Option<&ServiceKey>) -> String {
    // Removed characters could stand between two halves of a key.
    let why = harmless(why);
    let why = key.map_or_else(|| why.to_string(), |key| key.redacted(&why));
    escaped(why.chars().take(MOST_WORDS).collect::<String>())
}

/// When an answer is late, by the clock alone.
fn late_at(player: &BrokerPlayer) -> Option<Instant> {
    player.late_at(Instant::now())
}

/// Waits until then; with `None`, for ever.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

/// Asks the player's own server once. All of the time is the player's, and so is every failure.
async fn own_server(
    shared: &BrokerState,
    player: &BrokerPlayer,
    address: &Uri,
    body: &Map<String, Value>,
) -> Result<Reply, Fault> {
    let begun = Instant::now();
    let request = Request::post(address)
        .header("user-agent", NAME)
        .header("content-type", "application/json")
        .body(Full::from(serde_json::to_vec(body).unwrap_or_default()));
    let mut report = CallReport::new(player.now().game);
    let asked = async {
        let request = request.map_err(|error| Fault::transport(error.to_string()))?;
        let response = shared.outside.send(request).await;
        let response = response.map_err(|fault| Fault::transport(fault.why))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), LONGEST_MOVE).collect().await;
        let body = body.map_err(|error| Fault::transport(error.to_string()))?.to_bytes();
        if !status.is_success() {
            return Err(Fault::transport(format!("the server answered {status}")));
        }
        said_move(&body)
    };
    let late = late_at(player).unwrap_or(begun + LONGEST_WAIT);
    let ended = match timeout_at(late.into(), asked).await {
        Ok(ended) => ended,
        Err(_) => Err(Fault::new(
            Failure::Late,
            "the server has not answered within the limit",
        )),
    };
    let ended = ended.map_err(|fault| Fault {
        why: shown(&fault.why, None),
        ..fault
    });
    report.tries = 1;
    report.latency = begun.elapsed();
    report.failed = ended.as_ref().err().map(|fault| (fault.whose, fault.why.clone()));
    player.report(report);
    ended
}

/// Reads an object with a `move`, or the move alone.
fn said_move(body: &Bytes) -> Result<Reply, Fault> {
    let text = str::from_utf8(body).map_err(|_| Fault::transport("what the server answered is no text"))?;
    let object = serde_json::from_str::<Map<String, Value>>(text).ok();
    let content = match object {
        Some(object) => object
            .get("move")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        None => text.trim().to_owned(),
    };
    match content.is_empty() {
        true => Err(Fault::new(Failure::Empty, "the server answered without a move")),
        false => Ok(Reply {
            content,
            finish: "stop".to_owned(),
            ..Reply::default()
        }),
    }
}
