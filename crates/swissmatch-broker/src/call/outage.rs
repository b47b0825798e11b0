//! Asks a service that is away from time to time, until it answers.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::sleep;

use super::super::grade::Fault;
use super::super::player::Session;
use super::super::shared::{BrokerState, Service};
use super::pauses::pause;
use super::probe::probe;
use super::shown;

/// Notes that the service is away, by the failure that was seen, since it failed a call of this player's.
pub(super) fn begin(shared: &Arc<BrokerState>, service: &Service, of: &Session, (since, seen): (Instant, &Fault)) {
    let model = seen.is_said.then(|| of.model.clone());
    let why = shown(&seen.why, service.endpoint.key.as_ref());
    if shared.is_away(service, model.as_deref(), (since, why)) {
        let (shared, name, of) = (Arc::clone(shared), service.endpoint.name.clone(), of.clone());
        tokio::spawn(async move { ask(&shared, &name, &of, (model, since)).await });
    }
}

async fn ask(shared: &BrokerState, name: &str, of: &Session, (model, since): (Option<String>, Instant)) {
    let Some(service) = shared.service(name) else { return };
    for tries in 1.. {
        sleep(pause(tries)).await;
        // The outage is over, or it is another one, whose finder asks about it.
        if service.outages.since(model.as_deref()) != Some(since) {
            return;
        }
        match probe(shared, service, (of, "")).await {
            Some(fault) => {
                let why = shown(&fault.why, service.endpoint.key.as_ref());
                shared.is_away(service, model.as_deref(), (since, why));
            }
            None => return shared.answers(service, model.as_deref()),
        }
    }
}
