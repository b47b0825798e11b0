//! The broker of a run: its services, and the runtime that everything runs on.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use super::endpoint::{Endpoint, EndpointError};
use super::ledger::{Ledger, Spending};
use super::outage::Outage;
use super::player::{AnswerSource, BrokerPlayer};
use super::serve;
use super::shared::{BrokerState, Listener};

/// The broker of a run. Dropping it hangs up all calls, and [`Work::run`] returns.
#[derive(Debug)]
pub struct Broker {
    shared: Arc<BrokerState>,
    handle: Handle,
    _ends: oneshot::Sender<()>,
}

/// The work of the broker's thread.
#[derive(Debug)]
pub struct Work {
    runtime: Runtime,
    ended: oneshot::Receiver<()>,
}

impl Work {
    /// Works until the broker is dropped.
    pub fn run(self) {
        let Self { runtime, ended } = self;
        // Nothing is sent on this channel: it ends when its other end is dropped.
        let _ = runtime.block_on(ended);
    }
}

/// Why there is no broker.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// The description of a service is not valid.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The machine refuses.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

impl Broker {
    /// A broker of these services, and the work for which the caller starts a thread.
    ///
    /// # Errors
    /// When the description of a service is not valid, or the machine refuses.
    pub fn new(endpoints: Vec<Endpoint>, ledger: Ledger) -> Result<(Self, Work), BrokerError> {
        endpoints.iter().try_for_each(Endpoint::check)?;
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(2)
            .build()?;
        let shared = BrokerState::new(endpoints, ledger);
        let (ends, ended) = oneshot::channel();
        let broker = Self {
            shared: Arc::new(shared),
            handle: runtime.handle().clone(),
            _ends: ends,
        };
        Ok((broker, Work { runtime, ended }))
    }

    /// Serves an adapter of a player until it closes its end.
    ///
    /// # Errors
    /// When the machine refuses.
    ///
    /// # Panics
    /// When the player's endpoint is not one of this broker's.
    pub fn serve(&self, source: AnswerSource, stream: UnixStream) -> io::Result<Arc<BrokerPlayer>> {
        if let AnswerSource::Model(index, _) = &source {
            assert!(*index < self.shared.services.len(), "there is no endpoint {index}");
        }
        stream.set_nonblocking(true)?;
        let stream = {
            let _inside = self.handle.enter();
            tokio::net::UnixStream::from_std(stream)?
        };
        let player = Arc::new(BrokerPlayer::new(source));
        self.handle
            .spawn(serve::serve(Arc::clone(&self.shared), Arc::clone(&player), stream));
        Ok(player)
    }

    /// Replaces the ledger: earlier calls belonged to no run.
    pub fn keep(&self, ledger: Ledger) {
        *self.shared.ledger() = ledger;
    }

    /// From now on services that are away are watched: the broker's thread calls `tell` when one goes away, when
    /// another reason is seen, and when it answers again.
    pub fn listen(&self, tell: impl Fn(Outage) + Send + Sync + 'static) {
        self.shared.listen(Listener(Box::new(tell)));
    }

    /// The spending of all players.
    pub fn spent(&self) -> Spending {
        self.shared.ledger().spent()
    }

    /// The spending of one player.
    pub fn spent_by(&self, player: &str) -> Spending {
        self.shared.ledger().spent_by(player)
    }

    /// SHA-256 of the ledger's lines of a game so far, in hexadecimal digits.
    pub fn ledger_hash(&self, game: &str) -> String {
        self.shared.ledger().hash_of(game)
    }
}
