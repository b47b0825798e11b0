//! The broker with a service that misbehaves.
#![expect(clippy::disallowed_methods, reason = "tests have clocks, threads and files")]

mod answers;
mod clock;
mod outages;
mod places;
mod rig;
mod service;
mod spending;
mod urls;

use swissmatch_broker::endpoint::Endpoint;

fn endpoint(service: &service::Service) -> Endpoint {
    Endpoint::new("local", &service.url()).expect("an endpoint")
}
