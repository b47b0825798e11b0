//! The stream of news to one reader, as server-sent events.
//!
//! May not: wait for a reader; keep what a reader has not taken.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::stream::{Stream, unfold};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::news::{News, Slots};
use super::places::VisitorPlace;
use super::stop::{StopStage, reached};

/// Least time between two pieces of a stream; what comes meanwhile is sent together.
const APART: Duration = Duration::from_millis(250);
/// A stream that is silent for longer looks dead to proxies on the way.
const SILENCE: Duration = Duration::from_secs(15);

/// Tells a browser how long to wait before it connects again.
const BEGINNING: &str = "retry:2000\n\n";

struct Reader {
    news: Arc<News>,
    /// The number of the newest news that they have heard.
    heard: u64,
    slots: Slots,
    newest: watch::Receiver<u64>,
    stage: watch::Receiver<StopStage>,
    has_begun: bool,
    _place: VisitorPlace,
}

/// Why a reader wakes up.
enum Comes {
    News,
    Nothing,
    End,
}

/// Everything newer than `number`, and what comes after it. The stream ends with the last news of the server.
pub(super) fn events(
    news: Arc<News>,
    number: u64,
    slots: Slots,
    stage: watch::Receiver<StopStage>,
    place: VisitorPlace,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let newest = news.watch();
    let reader = Reader {
        news,
        heard: number,
        slots,
        newest,
        stage,
        has_begun: false,
        _place: place,
    };
    unfold(reader, |mut reader| async move {
        reader.next().await.map(|text| (Ok(text), reader))
    })
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        if !self.has_begun {
            self.has_begun = true;
            let beginning = Bytes::from_static(BEGINNING.as_bytes());
            return Some(joined(beginning, self.unheard()));
        }
        let begun = Instant::now();
        loop {
            let heard = self.heard;
            let comes = tokio::select! {
                told = self.newest.wait_for(|newest| *newest > heard) => {
                    told.ok()?;
                    Comes::News
                }
                () = sleep_until(begun + SILENCE) => Comes::Nothing,
                () = reached(&mut self.stage, StopStage::HasTold) => Comes::End,
            };
            match comes {
                Comes::News => {}
                Comes::Nothing => return Some(Bytes::from_static(b":\n\n")),
                Comes::End => {
                    let last = self.unheard();
                    return (!last.is_empty()).then(|| joined(Bytes::new(), last));
                }
            }
            tokio::select! {
                () = sleep_until(begun + APART) => {}
                () = reached(&mut self.stage, StopStage::HasTold) => {}
            }
            let mut events = self.unheard();
            match events.len() {
                // All that is new is about slots that this reader does not follow.
                0 => {}
                1 => return Some(events.remove(0)),
                _ => return Some(joined(Bytes::new(), events)),
            }
        }
    }

    fn unheard(&mut self) -> Vec<Bytes> {
        let (heard, events) = self.news.events_after(self.heard, &self.slots);
        self.heard = heard;
        events
    }
}

fn joined(first: Bytes, events: impl IntoIterator<Item = Bytes>) -> Bytes {
    let mut text = BytesMut::from(first);
    for event in events {
        text.extend_from_slice(&event);
    }
    text.freeze()
}
