//! What is shared by all calls: services with their places, connections, the ledger.

use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant as Since;

use tokio::sync::{Mutex as Turn, watch};
use tokio::time::Instant;

use super::endpoint::Endpoint;
use super::http::{Http, Reach};
use super::ledger::Ledger;
use super::outage::{Outage, Outages};
use super::queue::Queue;

/// What is shared by all calls.
#[derive(Debug)]
pub(crate) struct BrokerState {
    pub(crate) services: Vec<Service>,
    pub(crate) http: Http,
    /// To players' own servers.
    pub(crate) outside: Http,
    ledger: Mutex<Ledger>,
    listener: OnceLock<Listener>,
}

/// Who is told of services that are away.
pub(crate) struct Listener(pub(crate) Box<dyn Fn(Outage) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
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
    /// Whether it is away.
    pub(crate) outages: Outages,
}

impl BrokerState {
    pub(crate) fn new(endpoints: Vec<Endpoint>, ledger: Ledger) -> Self {
        let service = |endpoint: Endpoint| Service {
            queue: Queue::new(&endpoint),
            endpoint,
            probed: Turn::new(None),
            silent_since: watch::Sender::new(None),
            outages: Outages::default(),
        };
        Self {
            services: endpoints.into_iter().map(service).collect(),
            http: Http::new(Reach::Anywhere),
            outside: Http::new(Reach::Outside),
            ledger: Mutex::new(ledger),
            listener: OnceLock::new(),
        }
    }

    /// This one is told of services that are away, from here on; the first one stays.
    pub(crate) fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// Whether anybody is told.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.listener.get().is_some()
    }

    fn tell(&self, outages: impl IntoIterator<Item = Outage>) {
        if let Some(Listener(tell)) = self.listener.get() {
            outages.into_iter().for_each(tell);
        }
    }

    /// A service, or a model of it alone, is away; whether that is new.
    pub(crate) fn is_away(&self, service: &Service, model: Option<&str>, seen: (Since, String)) -> bool {
        let (is_new, outage) = service.outages.begin(&service.endpoint, model, seen);
        self.tell(outage);
        is_new
    }

    /// A call of this model was answered, or one that asked for none.
    pub(crate) fn answers(&self, service: &Service, model: Option<&str>) {
        self.tell(service.outages.end(&service.endpoint, model));
    }

    /// The service with this name.
    pub(crate) fn service(&self, name: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.endpoint.name == name)
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
