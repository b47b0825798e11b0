//! The gallery: everyone who watches the games of a run while they are played, in this process or through a Unix socket
//! in the run's directory.
//!
//! A thread of its own looks at the views some times a second, and tells each listener what has changed. A slow
//! listener gets fewer states, each of them complete, and each ply once; one that takes nothing for some seconds is
//! dropped. The socket is open to the same people as the arbiter's desk: its owner and root, but no agent. May not:
//! hold up play; accept anything that is said to it.

mod listener;
#[cfg(test)]
mod tests;

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::files;
use super::host::views::{Live, Views};
use super::socket;
use super::threads;
use swissmatch_game::seen::Columns;
use swissmatch_tournament::live::{Bill, LiveLine};

use listener::{Ear, GalleryLine, LineDelivery, Listener};

/// The name of the socket in the run's directory.
pub const SOCKET: &str = "live.sock";

/// The time between two looks at the views.
const LOOK: Duration = Duration::from_millis(100);
/// The most listeners by the socket.
const SEATS: usize = 32;
/// The most who wait to be let in.
const QUEUE: i32 = 32;
/// How long a listener by the socket may take nothing of what there is.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the remaining lines may be told at the end.
const GOODBYE: Duration = Duration::from_millis(500);
/// The pause when the machine has no descriptor left for the next to come.
const PAUSE: Duration = Duration::from_millis(50);

/// The gallery. Dropping it closes it: the socket goes, and everyone has been told how the last games ended.
#[derive(Debug)]
pub struct Gallery {
    bill: Arc<PostedBill>,
    guests: Arc<Mutex<Vec<UnixStream>>>,
    /// A byte written here is the knock of a guest; its end closes the gallery.
    closing: UnixStream,
    thread: Option<JoinHandle<()>>,
}

/// Connects to the gallery of the run in `directory`, to listen.
///
/// # Errors
/// Nobody plays there, or this process may not listen.
pub fn connect(directory: &Path) -> io::Result<UnixStream> {
    Ok(socket::connect(directory, SOCKET, PATIENCE)?)
}

/// The present bill of what is played, as it may be told; it can change.
#[derive(Debug)]
struct PostedBill(Mutex<(u64, Arc<Bill>)>);

impl PostedBill {
    fn lock(&self) -> MutexGuard<'_, (u64, Arc<Bill>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gallery {
    /// Opens it for `listeners` in this process, and by a socket in the run's `directory`, whose lock this process has.
    /// Returns why there is no socket, if there is none. `remarks` reports everyone who is turned away, as long as it
    /// is read.
    ///
    /// # Errors
    /// The machine has no thread for it.
    pub fn open(
        directory: &Path,
        views: Arc<Views>,
        bill: Bill,
        listeners: Vec<SyncSender<LiveLine>>,
        remarks: SyncSender<String>,
    ) -> io::Result<(Self, Option<io::Error>)> {
        let (door, why) = match GallerySocket::open(directory) {
            Ok(door) => (Some(door), None),
            Err(error) => (None, Some(error)),
        };
        let (closing, close) = UnixStream::pair()?;
        close.set_nonblocking(true)?;
        let bill = Arc::new(PostedBill(Mutex::new((1, Arc::new(bill)))));
        let guests = Arc::<Mutex<Vec<UnixStream>>>::default();
        let mut hall = Hall {
            slots: (0..views.len()).map(|_| SlotLines::default()).collect(),
            views,
            posted: Arc::clone(&bill),
            guests: Arc::clone(&guests),
            bill: bill.lock().clone(),
            bill_line: None,
            listeners: Vec::new(),
            posts: 0,
            remarks,
        };
        let ears = listeners.into_iter().map(Ear::Here);
        let thread = threads::start("gallery", move || {
            ears.for_each(|ear| hall.seat(ear));
            hall.tell_until_closed(door, &close);
        })?;
        let gallery = Self {
            bill,
            guests,
            closing,
            thread: Some(thread),
        };
        Ok((gallery, why))
    }

    /// Gives a seat to a process that this one has started, which the socket would take for an agent. It keeps the seat
    /// until it goes, however long it takes nothing.
    pub fn seat(&self, guest: UnixStream) {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).push(guest);
        // Fails only if the gallery has closed.
        let _ = (&self.closing).write(&[0]);
    }

    /// Posts a new bill of what is played.
    pub fn post(&self, bill: Bill) {
        let mut posted = self.bill.lock();
        if *posted.1 != bill {
            *posted = (posted.0 + 1, Arc::new(bill));
        }
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        let _ = self.closing.shutdown(std::net::Shutdown::Both);
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed.
            let _ = thread.join();
        }
    }
}

/// The socket; removed when dropped.
struct GallerySocket {
    directory: OwnedFd,
    listener: UnixListener,
}

impl GallerySocket {
    fn open(directory: &Path) -> io::Result<Self> {
        let about = |error: Errno| files::about(&directory.join(SOCKET), &error.into());
        let opened = socket::directory(directory).map_err(|error| files::about(directory, &error.into()))?;
        socket::remove(&opened, SOCKET).map_err(about)?;
        let listener = socket::listen(&opened, SOCKET, QUEUE).map_err(about)?;
        Ok(Self {
            directory: opened,
            listener,
        })
    }
}

impl Drop for GallerySocket {
    fn drop(&mut self) {
        // A deleted run's directory has no socket any more.
        let _ = socket::remove(&self.directory, SOCKET);
    }
}

/// The data of the gallery's thread.
struct Hall {
    views: Arc<Views>,
    posted: Arc<PostedBill>,
    guests: Arc<Mutex<Vec<UnixStream>>>,
    bill: (u64, Arc<Bill>),
    bill_line: Option<GalleryLine>,
    slots: Vec<SlotLines>,
    listeners: Vec<Listener>,
    /// The number of lines about games so far.
    posts: u64,
    remarks: SyncSender<String>,
}

/// The lines about a slot.
#[derive(Default)]
struct SlotLines {
    /// The version of the view when it was last looked at.
    version: u64,
    /// The end of the game before, and the game there now.
    posts: [SlotLine; 2],
}

/// The last line of a kind.
#[derive(Default)]
struct SlotLine {
    number: u64,
    line: Option<GalleryLine>,
}

impl Hall {
    /// Tells listeners the news until the gallery closes.
    fn tell_until_closed(&mut self, door: Option<GallerySocket>, close: &UnixStream) {
        let mut next_look = Instant::now();
        loop {
            let now = Instant::now();
            if !self.listeners.is_empty() && now >= next_look {
                self.look();
                next_look = now + LOOK;
            }
            self.tell();
            let wait = (!self.listeners.is_empty()).then(|| next_look.saturating_duration_since(Instant::now()));
            let (knocks, closes) = self.wait(door.as_ref(), close, wait);
            if closes {
                break;
            }
            if let (true, Some(door)) = (knocks, &door) {
                self.let_in(&door.listener);
            }
            let guests = std::mem::take(&mut *self.guests.lock().unwrap_or_else(PoisonError::into_inner));
            // A guest that stands still for a while, as when the machine sleeps, does not come back for another seat.
            let ears = guests.into_iter().filter_map(|guest| Ear::there(guest, Duration::MAX));
            ears.for_each(|ear| self.seat(ear));
        }
        // Nobody new comes; those who are there hear how the last games ended.
        drop(door);
        let until = Instant::now() + GOODBYE;
        self.look();
        loop {
            self.tell();
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.listeners.iter().any(Listener::is_owed) {
                break;
            }
            self.wait_for_listeners(left);
        }
        self.listeners.iter().for_each(Listener::hear_out);
        self.views.leave();
    }

    /// Waits until someone comes, goes or takes more, the gallery closes, or the time is over. Returns whether someone
    /// comes, and whether it closes.
    fn wait(&self, door: Option<&GallerySocket>, close: &UnixStream, wait: Option<Duration>) -> (bool, bool) {
        let mut polled = vec![PollFd::new(close, PollFlags::IN)];
        polled.extend(self.listeners.iter().filter_map(Listener::polled));
        polled.extend(door.map(|door| PollFd::new(&door.listener, PollFlags::IN)));
        let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
        // Interrupted, or out of memory for a moment: trying will show what there is.
        let _ = rustix::event::poll(&mut polled, wait.as_ref());
        let closes = !polled[0].revents().is_empty() && !has_knocked(close);
        let knocks = door.is_some() && polled.last().is_some_and(|door| !door.revents().is_empty());
        (knocks, closes)
    }

    fn wait_for_listeners(&self, wait: Duration) {
        let mut polled: Vec<PollFd<'_>> = self.listeners.iter().filter_map(Listener::polled).collect();
        let wait = Timespec::try_from(wait).ok();
        let _ = rustix::event::poll(&mut polled, wait.as_ref());
    }

    /// Gives a seat to everyone who waits, or turns them away.
    fn let_in(&mut self, listener: &UnixListener) {
        for _ in 0..QUEUE {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => return,
                Err(_) => return std::thread::sleep(PAUSE),
            };
            if let Err(why) = socket::may_ask(&stream) {
                // Remarks may be lost if nobody reads them.
                let _ = self
                    .remarks
                    .try_send(format!("the live lines turned somebody away: {why}"));
                listener::refuse(&stream, why);
            } else if self.listeners.iter().filter(|listener| listener.is_far()).count() >= SEATS {
                listener::refuse(&stream, format!("{SEATS} listen already"));
            } else if let Some(ear) = Ear::there(stream, PATIENCE) {
                self.seat(ear);
            }
        }
    }

    fn seat(&mut self, ear: Ear) {
        if self.listeners.is_empty() {
            self.views.watch();
            self.slots.iter_mut().for_each(|slot| *slot = SlotLines::default());
        }
        // What was over before they came is not told.
        let heard = self.slots.iter().map(|slot| [slot.posts[0].number, 0]);
        self.listeners.push(Listener::new(ear, heard.collect()));
    }

    /// Looks at the views.
    fn look(&mut self) {
        let posted = self.posted.lock().clone();
        if posted.0 != self.bill.0 {
            if posted.1.embargo() != self.bill.1.embargo() {
                // What was held back may now be told.
                self.slots.iter_mut().for_each(|slot| slot.version = 0);
            }
            (self.bill, self.bill_line) = (posted, None);
        }
        for number in 0..self.slots.len() {
            let seen = self.views.look(number, self.slots[number].version);
            let Some((version, before, now)) = seen else { continue };
            self.slots[number].version = version;
            let at = Timestamp::now();
            for (kind, live) in [before, now].into_iter().enumerate() {
                if let Some(Live { slot, begun, mut game }) = live {
                    self.posts += 1;
                    let columns = std::mem::take(&mut game.columns);
                    let line = self.bill.1.game(at, slot, begun, game);
                    self.slots[number].posts[kind] = SlotLine {
                        number: self.posts,
                        line: line.map(|line| GalleryLine::new(line, columns)),
                    };
                }
            }
        }
    }

    /// Tells everyone what they have not heard, as far as they take it. Those who have gone or take nothing are
    /// dropped.
    fn tell(&mut self) {
        if self.listeners.is_empty() {
            return;
        }
        let event = self
            .bill_line
            .get_or_insert_with(|| GalleryLine::new(self.bill.1.line(), Columns::default()));
        let (bill, slots) = (self.bill.0, &self.slots);
        self.listeners
            .retain_mut(|listener| told(listener, (bill, event), slots) != LineDelivery::Gone);
        if self.listeners.is_empty() {
            self.views.leave();
        }
    }
}

/// True if a guest has knocked; otherwise it is the end.
fn has_knocked(mut close: &UnixStream) -> bool {
    let mut knocks = [0; 16];
    match close.read(&mut knocks) {
        Ok(knocks) => knocks > 0,
        Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
    }
}

/// Tells one listener what it has not heard.
fn told(listener: &mut Listener, (bill, event): (u64, &GalleryLine), slots: &[SlotLines]) -> LineDelivery {
    let is_told = |taken| taken == LineDelivery::All;
    let flushed = listener.flush();
    if !is_told(flushed) {
        return flushed;
    }
    listener.owed = true;
    if listener.bill != bill {
        let taken = listener.take(event);
        if !is_told(taken) {
            return taken;
        }
        listener.bill = bill;
    }
    for (number, slot) in slots.iter().enumerate() {
        for (kind, post) in slot.posts.iter().enumerate() {
            if listener.heard[number][kind] == post.number {
                continue;
            }
            if let Some(line) = &post.line {
                let taken = listener.take_game(number, line);
                if !is_told(taken) {
                    return taken;
                }
            }
            listener.heard[number][kind] = post.number;
        }
    }
    listener.owed = false;
    LineDelivery::All
}
