//! Live lines of a run: what is seen of its games while they are played.
//!
//! May not: count for anything; what counts is in the log.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use swissmatch_host::gallery::Gallery;
pub use swissmatch_host::gallery::SOCKET;
use swissmatch_host::host::views::Views;
use swissmatch_tournament::live::Bill;
pub use swissmatch_tournament::live::{LiveColumns, LiveEnd, LiveEvent, LiveGame, LiveLine, LivePlayer, LiveSide};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::state::State;

/// Most lines that wait for one who listens in this process; while more are due only the newest state of each game is kept.
const LINES: usize = 256;
/// Most remarks that wait to be shown; more are lost.
const REMARKS: usize = 16;

/// Lines about the games of a run, as they are played; the end of the iterator is the end of play.
///
/// Each is complete. Who reads slowly gets fewer, never stale ones instead of the newest, and slows nothing down.
#[derive(Debug)]
pub struct LiveLines(Receiver<LiveLine>);

impl LiveLines {
    /// Lines, and where they are told.
    pub(super) fn new() -> (SyncSender<LiveLine>, Self) {
        let (told, lines) = mpsc::sync_channel(LINES);
        (told, Self(lines))
    }

    /// The next line, for which so long is waited.
    ///
    /// # Errors
    /// When none came, or play has ended.
    pub(crate) fn next_within(&self, patience: Duration) -> Result<LiveLine, RecvTimeoutError> {
        self.0.recv_timeout(patience)
    }
}

impl Iterator for LiveLines {
    type Item = LiveLine;

    fn next(&mut self) -> Option<LiveLine> {
        self.0.recv().ok()
    }
}

/// The gallery of a run that is played, and what it has to say. Dropping it closes it.
#[derive(Debug)]
pub(super) struct OpenGallery {
    gallery: Option<Gallery>,
    slots: usize,
    remarks: Receiver<String>,
}

impl OpenGallery {
    /// Opens it for the run in `dir`, whose lock is held; `told` are those who listen in this process. Where that fails the event is
    /// played without one; gives why.
    pub(super) fn open(
        dir: &Path,
        views: Arc<Views>,
        state: &State,
        told: Vec<SyncSender<LiveLine>>,
    ) -> (Self, Option<String>) {
        let (remark, remarks) = mpsc::sync_channel(REMARKS);
        let slots = views.len();
        let (gallery, why) = match Gallery::open(dir, views, Bill::new(state, slots), told, remark) {
            Ok((gallery, why)) => (Some(gallery), why),
            Err(error) => (None, Some(error)),
        };
        let open = Self {
            gallery,
            slots,
            remarks,
        };
        (open, why.map(|why| format!("no live lines at {SOCKET}: {why}")))
    }

    /// An event is part of `state`.
    pub(super) fn committed(&self, state: &State, entry: &Entry) {
        // The others change nothing that is told of the event.
        if let (Some(gallery), Entry::RoundPaired(_) | Entry::Acted(_)) = (&self.gallery, entry) {
            gallery.post(Bill::new(state, self.slots));
        }
    }

    /// Gives a seat to one whom this process has started.
    pub(super) fn seat(&self, guest: UnixStream) {
        if let Some(gallery) = &self.gallery {
            gallery.seat(guest);
        }
    }

    /// Who was turned away since.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        self.remarks.try_iter()
    }

    /// Closes it: everybody has been told how the last games ended.
    pub(super) fn close(&mut self) {
        self.gallery = None;
    }
}
