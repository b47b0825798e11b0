//! What runs beside the coordinator's loop: fetching results, and keeping the event for this runner.
//!
//! May not: know what has been given out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;

use super::News;
use crate::carrier::{Carrier, ResultQueue, Tenure};
use crate::server::CarrierError;
use crate::shared::SharedReports;
use crate::stock::Stock;

/// The most results fetched at once.
const MOST_RESULTS: usize = 256;
/// How long to wait for results, and how long after a failure.
const WAIT: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// Fetches results as they come, until the runner ends.
pub(super) async fn have_results(
    mut results: ResultQueue,
    mut again: UnboundedReceiver<ResultQueue>,
    news: UnboundedSender<News>,
) {
    while !news.is_closed() {
        if let Ok(anew) = again.try_recv() {
            results = anew;
        }
        let mut had = |told| drop(news.send(News::Told(Box::new(told))));
        if results.next(MOST_RESULTS, WAIT, &mut had).await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Says that this runner is there, and makes sure that what it needs is at the server.
pub(super) struct RunnerHeartbeat {
    pub(super) tenure: Tenure,
    pub(super) carrier: Carrier,
    pub(super) shared: Arc<SharedReports>,
    pub(super) lease: Duration,
    pub(super) news: UnboundedSender<News>,
    pub(super) restored: UnboundedSender<ResultQueue>,
}

impl RunnerHeartbeat {
    pub(super) async fn run(mut self, mut stock: watch::Receiver<Stock>) {
        while !self.news.is_closed() {
            let seen = Instant::now();
            match self.tenure.stay().await {
                Ok(()) => {
                    self.shared.stays(seen);
                    drop(self.news.send(News::Back));
                    let now = stock.borrow_and_update().clone();
                    if let Err(error) = self.restore(&now).await {
                        drop(self.news.send(News::Away(error.to_string())));
                    }
                }
                Err(CarrierError::Taken(who)) => {
                    drop(self.news.send(News::Overtaken(who)));
                    return;
                }
                Err(error) => {
                    drop(self.news.send(News::Away(error.to_string())));
                    // The server's store may have been lost.
                    drop(self.carrier.server.open().await);
                }
            }
            tokio::select! {
                () = tokio::time::sleep(self.lease / 3) => {}
                changed = stock.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Puts back what is missing at the server.
    async fn restore(&mut self, stock: &Stock) -> Result<(), CarrierError> {
        let there = self.carrier.card().await?;
        match there {
            Some(card) if card.hash() == stock.card.hash() => {}
            // An agent entered late.
            Some(_) => stock.put_by(&mut self.tenure, (&self.carrier, self.lease)).await?,
            None => {
                self.carrier.server.open().await?;
                stock.put_by(&mut self.tenure, (&self.carrier, self.lease)).await?;
                drop(self.restored.send(self.tenure.results().await?));
                drop(self.news.send(News::Restored));
            }
        }
        Ok(())
    }
}
