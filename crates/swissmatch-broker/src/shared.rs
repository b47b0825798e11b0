//! What is shared by all calls: services with their places, connections, the ledger.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as Turn, watch};
use tokio::time::Instant;

use super::endpoint::Endpoint;
use super::http::{Http, Reach};
use super::ledger::Ledger;
use super::queue::Queue;

/// What is shared by all calls.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) services: Vec<Service>,
    pub(crate) http: Http,
    /// To players' own servers.
    pub(crate) outside: Http,
    ledger: Mutex<Ledger>,
}

/// A service with its places.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) endpoint: Endpoint,
    pub(crate) queue: Queue,
    /// The last call that only asked whether it is there: when it ended, and whether it had a byte.
    pub(crate) probed: Turn<Option<(Instant, bool)>>,
    /// Since when the service says nothing, as such a call found.
    pub(crate) silent_since: watch::Sender<Option<Instant>>,
}

impl Shared {
    pub(crate) fn new(endpoints: Vec<Endpoint>, ledger: Ledger) -> Self {
        let service = |endpoint: Endpoint| Service {
            queue: Queue::new(&endpoint),
            endpoint,
            probed: Turn::new(None),
            silent_since: watch::Sender::new(None),
        };
        Self {
            services: endpoints.into_iter().map(service).collect(),
            http: Http::new(Reach::Anywhere),
            outside: Http::new(Reach::Outside),
            ledger: Mutex::new(ledger),
        }
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
