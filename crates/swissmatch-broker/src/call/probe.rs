//! A call of one token, which only asks if a service is there.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use swiss_system::word::Word as _;
use tokio::time::timeout;

use super::super::grade::Fault;
use super::super::ledger::{LedgerRequest, hash};
use super::super::money::Tokens;
use super::super::player::Session;
use super::super::reply::ModelAnswer;
use super::super::request::body;
use super::super::shared::{BrokerState, Service};
use super::super::wire::{Failure, Message, Role};
use super::exchange::{HeardTimes, exchange, request};
use super::open::OpenRequest;

const QUESTION: &str = "Say yes.";
/// The time limit for the answer: a service may have to load its model.
const LONGEST: Duration = Duration::from_mins(1);

/// The body of the call, for the model of a player.
pub(super) fn question(service: &Service, of: &Session) -> Bytes {
    let mut session = Session::new(&of.player, &of.model);
    session.token_key = of.token_key;
    session.max_tokens = 1;
    let messages = [Message {
        role: Role::User,
        content: QUESTION.to_owned(),
    }];
    Value::Object(body(&service.endpoint, &session, &messages, &[]))
        .to_string()
        .into()
}

/// Makes the call when there is a place, counted for this game. Returns the service's fault; `None` if it answers, or
/// cannot be asked.
pub(super) async fn probe(shared: &BrokerState, service: &Service, (of, game): (&Session, &str)) -> Option<Fault> {
    let body = question(service, of);
    let most = (Tokens(body.len() as u64), Tokens(1));
    let _place = service.queue.place().await;
    let number = shared.ledger().number();
    service.queue.request(number, most.0.and(most.1)).await;
    let price = service.endpoint.price;
    let asked = LedgerRequest {
        request: number,
        player: of.player.clone(),
        game: game.to_owned(),
        endpoint: service.endpoint.name.clone(),
        probe: true,
        hash: hash(&body),
        tokens: most.0.and(most.1),
        money: price.map(|price| price.most(most.0, most.1)),
    };
    let mut open = OpenRequest::reserve((shared, service), asked, &Arc::default()).ok()?;
    let request = request(&service.endpoint, body).ok()?;
    let (mut answer, heard) = (ModelAnswer::default(), HeardTimes::default());
    let exchange = exchange(&shared.http, request, (&mut answer, &heard));
    let ended = timeout(LONGEST, exchange).await;
    let fault = match ended {
        Ok(ended) => ended.err(),
        Err(_) => Some(Fault::silence("the service answers nobody")),
    };
    open.was_turned_away = fault.as_ref().is_some_and(|fault| fault.is_free);
    let word = fault.as_ref().map_or("reply", |fault| fault.whose.word());
    // Unwritten, it counts as the same.
    let _ = open.end(word, None, &answer);
    fault.filter(|fault| fault.whose == Failure::Transport)
}
