//! State that all calls share: services with their places, connections, the ledger.

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

#[derive(Debug)]
pub(crate) struct BrokerState {
    pub(crate) services: Vec<Service>,
    pub(crate) http: Http,
    /// For players' own servers.
    pub(crate) outside: Http,
    ledger: Mutex<Ledger>,
    listener: OnceLock<Listener>,
}

/// The callback for services that are away.
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
    /// The last call that only asked if it is there: when it ended, and true if it had a byte.
    pub(crate) probed: Turn<Option<(Instant, bool)>>,
    /// When the service fell silent, as such a call found.
    pub(crate) silent_since: watch::Sender<Option<Instant>>,
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

    /// Sets the callback for services that are away; the first one stays.
    pub(crate) fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    pub(crate) fn is_listened_to(&self) -> bool {
        self.listener.get().is_some()
    }

    fn tell(&self, outages: impl IntoIterator<Item = Outage>) {
        if let Some(Listener(tell)) = self.listener.get() {
            outages.into_iter().for_each(tell);
        }
    }

    /// Notes that a service, or a model of it alone, is away; returns true if that is new.
    pub(crate) fn is_away(&self, service: &Service, model: Option<&str>, seen: (Since, String)) -> bool {
        let (is_new, outage) = service.outages.begin(&service.endpoint, model, seen);
        self.tell(outage);
        is_new
    }

    /// Notes that a call of this model was answered, or one that asked for no model.
    pub(crate) fn answers(&self, service: &Service, model: Option<&str>) {
        self.tell(service.outages.end(&service.endpoint, model));
    }

    pub(crate) fn service(&self, name: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.endpoint.name == name)
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
