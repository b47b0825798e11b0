//! The connections of the server: how many there are, how long they may take, and how they end.
//!
//! May not: know what is shown.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::patience::Patient;
use super::places::{Visitor, VisitorPlaces};
use super::stop::{Stop, StopStage, reached};

/// How long a request may take to arrive.
const REQUEST: Duration = Duration::from_secs(20);
/// Like [`REQUEST`], but while few places are left.
const REQUEST_OF_MANY: Duration = Duration::from_secs(4);
/// How many may wait because their address has more than half of the places; any more are turned away.
pub(super) const WAITING: usize = 32;
/// How long the last page of an event can still be asked for when the server ends with it. Readers hear of it within two seconds.
const LAST_PAGE: Duration = Duration::from_millis(3500);
/// How long connections have at the end to take what was last asked for.
const GOODBYE: Duration = Duration::from_millis(800);

pub(super) struct Connections {
    router: Router,
    stop: Arc<Stop>,
    /// Where no place is left, a newcomer waits.
    places: Arc<VisitorPlaces>,
    waiting: Arc<Semaphore>,
}

impl Connections {
    pub(super) fn new(most: usize, router: Router, stop: Arc<Stop>) -> Self {
        Self {
            router,
            stop,
            places: VisitorPlaces::new(most),
            waiting: Arc::new(Semaphore::new(WAITING)),
        }
    }

    /// Takes connections until the server ends. Where `is_last` says that nobody serves the last page afterwards, those who are connected
    /// can still ask for it.
    pub(super) async fn serve(&self, listener: &TcpListener, is_last: impl FnOnce() -> bool) {
        let mut stage = self.stop.stage();
        tokio::select! {
            () = self.take(listener) => {}
            () = reached(&mut stage, StopStage::HasTold) => {}
        }
        if is_last() && !self.places.are_free() {
            let _ = timeout(LAST_PAGE, self.take(listener)).await;
        }
        self.stop.reach(StopStage::Closes);
        let _ = timeout(GOODBYE, self.places.all()).await;
    }

    async fn take(&self, listener: &TcpListener) {
        loop {
            self.places.any().await;
            match listener.accept().await {
                Ok((stream, peer)) => self.let_in(stream, peer),
                // The machine is out of descriptors for a moment.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Answers a newcomer as soon as there is a place.
    fn let_in(&self, stream: TcpStream, peer: SocketAddr) {
        let (places, visitor) = (Arc::clone(&self.places), Visitor::at(peer.ip()));
        let place = places.take(visitor);
        let waits = place.is_none().then(|| Arc::clone(&self.waiting).try_acquire_owned());
        if matches!(waits, Some(Err(_))) {
            return;
        }
        let (router, stop) = (self.router.clone(), Arc::clone(&self.stop));
        tokio::spawn(async move {
            let mut stage = stop.stage();
            let _place = match place {
                Some(place) => place,
                None => tokio::select! {
                    place = places.wait(visitor) => place,
                    () = reached(&mut stage, StopStage::Closes) => return,
                },
            };
            drop(waits);
            answer(stream, peer, &places, router, &stop).await;
        });
    }
}

/// Answers requests on a connection until it ends.
async fn answer(stream: TcpStream, peer: SocketAddr, places: &VisitorPlaces, router: Router, stop: &Stop) {
    let _ = stream.set_nodelay(true);
    let routes = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        routes.call(request)
    });
    let patience = if places.are_few() { REQUEST_OF_MANY } else { REQUEST };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(Patient::new(stream)), service);
    let mut connection = pin!(connection);
    let mut stage = stop.stage();
    // A reader who leaves halfway is no error.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = reached(&mut stage, StopStage::Closes) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
