//! The connections of the server: how many, how long they may take, and how they end.
//!
//! May not: know what is shown.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::patience::Patient;
use super::stop::{Stage, Stop, reached};

/// How long a request may take to come.
const REQUEST: Duration = Duration::from_secs(20);
/// How long the last page of an event can be asked for where the server ends with it: who is told of it comes within two seconds.
const LAST_PAGE: Duration = Duration::from_millis(3500);
/// How long connections have at the end to take what was asked for last.
const GOODBYE: Duration = Duration::from_millis(800);

/// The connections of a server.
pub(super) struct Connections {
    router: Router,
    stop: Arc<Stop>,
    most: usize,
    /// Who comes when it has no place left waits.
    room: Arc<Semaphore>,
}

impl Connections {
    pub(super) fn new(most: usize, router: Router, stop: Arc<Stop>) -> Self {
        Self {
            router,
            stop,
            most,
            room: Arc::new(Semaphore::new(most)),
        }
    }

    /// Takes connections until the server ends. Where `is_last` says so nobody serves the last page after it, and whoever is there can
    /// still ask for it.
    pub(super) async fn serve(&self, listener: &TcpListener, is_last: impl FnOnce() -> bool) {
        let mut stage = self.stop.stage();
        tokio::select! {
            () = self.take(listener) => {}
            () = reached(&mut stage, Stage::HasTold) => {}
        }
        if is_last() && self.room.available_permits() < self.most {
            let _ = timeout(LAST_PAGE, self.take(listener)).await;
        }
        self.stop.reach(Stage::Closes);
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = timeout(GOODBYE, self.room.acquire_many(all)).await;
    }

    async fn take(&self, listener: &TcpListener) {
        while let Ok(place) = Arc::clone(&self.room).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => self.answer(stream, place),
                // The machine has no descriptor left for a moment.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn answer(&self, stream: TcpStream, place: OwnedSemaphorePermit) {
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(self.router.clone());
        let mut stage = self.stop.stage();
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(REQUEST)
                .max_buf_size(16 << 10)
                .serve_connection(TokioIo::new(Patient::new(stream)), service);
            let mut connection = pin!(connection);
            // Whoever goes away in the middle is no trouble.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = reached(&mut stage, Stage::Closes) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(place);
        });
    }
}
