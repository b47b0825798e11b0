//! Services that are away: who is told, when, and what ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use swissmatch_broker::endpoint::Endpoint;
use swissmatch_broker::outage::Outage;
use swissmatch_broker::wire::Failure;

use super::endpoint;
use super::rig::Rig;
use super::service::{Seen, Service, failed, said};

/// How long a test waits for something that has to come.
const LONG: Duration = Duration::from_secs(60);

/// A broker of an impatient endpoint, and its reports.
fn listened_to(mut endpoint: Endpoint) -> (Rig, Receiver<Outage>) {
    endpoint.patience = Duration::ZERO;
    let rig = Rig::new(endpoint);
    let (tell, told) = channel();
    rig.broker().listen(move |outage| drop(tell.send(outage)));
    (rig, told)
}

#[test]
fn a_model_that_is_away_is_told_once_and_again_when_it_answers() {
    let is_away = Arc::new(AtomicBool::new(true));
    let seen = Arc::clone(&is_away);
    let service = Service::start(
        move |request| match seen.load(Ordering::SeqCst) && request.body["model"] == "m" {
            true => failed("503 Away", "", "{}"),
            false => said("e2e4"),
        },
    );
    let (rig, told) = listened_to(endpoint(&service));
    let (failed, _) = rig.model("A").ask().expect_err("no reply");
    assert_eq!(failed, Failure::Transport);
    // It is reported before the caller knows.
    let outage = told.try_recv().expect("it is away");
    assert_eq!((outage.endpoint.as_str(), outage.url), ("local", service.url()));
    assert_eq!(
        (outage.model.as_deref(), outage.why.as_deref()),
        (Some("m"), Some("the service answered 503"))
    );
    // Another call fails for the same reason: nothing is reported, and the service is asked by one call at a time.
    rig.model("B").ask().expect_err("no reply");
    assert!(told.try_recv().is_err());
    is_away.store(false, Ordering::SeqCst);
    let over = told.recv_timeout(LONG).expect("it answers");
    assert_eq!((over.model.as_deref(), over.why), (Some("m"), None));
    assert!(service.seen().iter().filter(|seen| seen.is_probe()).count() >= 2);
    assert!(rig.model("A").ask().is_ok());
    assert!(told.try_recv().is_err());
}

#[test]
fn an_address_that_nobody_answers_is_away_for_all_models() {
    let gone = Service::start(|_| said("e2e4"));
    let endpoint = endpoint(&gone);
    drop(gone);
    std::thread::sleep(Duration::from_millis(50));
    let (rig, told) = listened_to(endpoint);
    rig.model("A").ask().expect_err("no reply");
    let outage = told.try_recv().expect("it is away");
    let why = outage.why.expect("a reason");
    assert_eq!(outage.model, None);
    assert!(why.starts_with("no connection: ") && why.contains("refused"), "{why}");
    // A question that got no connection counts as nothing.
    assert_eq!(rig.broker().spent().tokens.0, 0);
}

#[test]
fn a_service_that_fails_one_call_alone_is_not_away() {
    let service = Service::start(|request: &Seen| match request.is_probe() {
        true => said("y"),
        false => failed("500 No", "", "{}"),
    });
    let (rig, told) = listened_to(endpoint(&service));
    let (failed, _) = rig.model("A").ask().expect_err("no reply");
    assert_eq!(failed, Failure::Transport);
    assert!(told.try_recv().is_err());
    assert_eq!(service.seen().len(), 2);
}

#[test]
fn a_service_of_a_player_is_looked_after_by_nobody() {
    let service = Service::start(|_| failed("503 Away", "", "{}"));
    let mut endpoint = endpoint(&service);
    endpoint.owner_is_event = false;
    let (rig, told) = listened_to(endpoint);
    rig.model("A").ask().expect_err("no reply");
    assert!(told.try_recv().is_err());
    assert_eq!(service.seen().len(), 1);
}
