//! The arbiter's desk: a Unix socket in the run's directory, by which another process reaches the runner at work.
//!
//! A request is one line of JSON, and so is the answer. The file's permissions say who may ask (0600: its owner and
//! root). A process below the runner belongs to an agent, because agents run as the same user, and is refused. Every
//! conversation is bounded in size and time, so that nobody who asks badly, slowly or often can hold up the event or
//! others who ask.
//!
//! It is a socket and not a file to be polled, because an act has an answer, and a refusal comes with a sentence.
//!
//! May not: know what is asked; decide anything; touch the run's directory without its lock.

mod ask;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::Shutdown;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::{debug, warn};

use super::files;
use super::socket;
use super::threads;
use wire::DeskLineError;

pub use ask::{DeskError, ask, is_in_use};
pub use wire::Reply;

/// The name of the socket in the run's directory.
pub const SOCKET: &str = "arbiter.sock";

/// How many are heard at the same time; anyone else is told to come again.
const SEATS: usize = 32;
/// How many wait to be seen at all.
const QUEUE: i32 = 128;
/// How long a request may take to arrive, and its answer to be taken.
const TURN: Duration = Duration::from_secs(2);
/// How long answers may still be given while the desk closes.
const GOODBYE: Duration = Duration::from_secs(2);
/// The pause when the machine has no descriptor left for the next to ask.
const PAUSE: Duration = Duration::from_millis(50);

/// The desk. Dropping it closes it: the socket goes, requests that were made are answered, and no more are taken.
#[derive(Debug)]
pub struct ArbiterDesk {
    directory: OwnedFd,
    closing: UnixStream,
    thread: Option<JoinHandle<()>>,
}

/// What a desk's threads share.
struct Room<H> {
    handler: H,
    /// Remarks for people who watch the runner.
    remarks: SyncSender<String>,
    seats: Mutex<DeskSeats>,
    left: Condvar,
}

/// Those being heard.
#[derive(Default)]
struct DeskSeats {
    taken: BTreeMap<u64, Arc<UnixStream>>,
    seen: u64,
    is_closing: bool,
}

impl ArbiterDesk {
    /// Opens the desk of the run in `directory`, whose lock this process has, so that an existing socket is one that a
    /// killed runner left. `handler` answers; several threads call it at once, and it should not take longer than some
    /// seconds. `remarks` reports everyone who is turned away, as long as it is read.
    ///
    /// # Errors
    /// Something that is not a socket has its name, or the file system has no sockets.
    pub fn open<Q, A>(
        directory: &Path,
        handler: impl Fn(Q) -> Reply<A> + Send + Sync + 'static,
        remarks: SyncSender<String>,
    ) -> io::Result<Self>
    where
        Q: DeserializeOwned,
        A: Serialize,
    {
        let about = |error: Errno| files::about(&directory.join(SOCKET), &error.into());
        let opened = socket::directory(directory).map_err(|error| files::about(directory, &error.into()))?;
        socket::remove(&opened, SOCKET).map_err(about)?;
        let listener = socket::listen(&opened, SOCKET, QUEUE).map_err(about)?;
        let (closing, close) = UnixStream::pair()?;
        let room = Arc::new(Room {
            handler,
            remarks,
            seats: Mutex::new(DeskSeats::default()),
            left: Condvar::new(),
        });
        let thread = threads::start("desk", move || receive(&room, listener, &close))?;
        Ok(Self {
            directory: opened,
            closing,
            thread: Some(thread),
        })
    }
}

impl Drop for ArbiterDesk {
    fn drop(&mut self) {
        // Without the name nobody new comes. The directory may have been renamed since; a deleted one has no socket any
        // more.
        let _ = socket::remove(&self.directory, SOCKET);
        let _ = self.closing.shutdown(std::net::Shutdown::Both);
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed.
            let _ = thread.join();
        }
    }
}

/// Receives everyone who comes until the desk closes, then sees off those still there.
fn receive<Q, A, H>(room: &Arc<Room<H>>, listener: UnixListener, close: &UnixStream)
where
    Q: DeserializeOwned,
    A: Serialize,
    H: Fn(Q) -> Reply<A> + Send + Sync + 'static,
{
    loop {
        let mut polled = [PollFd::new(&listener, PollFlags::IN), PollFd::new(close, PollFlags::IN)];
        // Interrupted, or out of memory for a moment: the accept below will tell.
        let _ = rustix::event::poll(&mut polled, None);
        if !polled[1].revents().is_empty() {
            break;
        }
        match listener.accept() {
            Ok((stream, _)) => seat(room, stream),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
    // Those who still stood in the queue were not heard, and are told so.
    while let Ok((stream, _)) = listener.accept() {
        wire::answer(&stream, &Reply::<A>::Closing, Duration::ZERO);
    }
    drop(listener);
    let mut seats = room.seats();
    seats.is_closing = true;
    for stream in seats.taken.values() {
        // A request that is not complete by now is not waited for.
        let _ = rustix::net::shutdown(stream.as_fd(), Shutdown::Read);
    }
    let until = Instant::now() + GOODBYE;
    while !seats.taken.is_empty() && Instant::now() < until {
        let left = until.saturating_duration_since(Instant::now());
        let waited = room.left.wait_timeout(seats, left);
        seats = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Gives each who comes a seat with its own thread, or turns it away.
fn seat<Q, A, H>(room: &Arc<Room<H>>, stream: UnixStream)
where
    Q: DeserializeOwned,
    A: Serialize,
    H: Fn(Q) -> Reply<A> + Send + Sync + 'static,
{
    if let Err(why) = socket::may_ask(&stream) {
        warn!(why, "the arbiter's desk turned somebody away");
        // Remarks may be lost if nobody reads them.
        let _ = room
            .remarks
            .try_send(format!("the arbiter's desk turned somebody away: {why}"));
        return wire::answer(&stream, &Reply::<A>::Refused(why), Duration::ZERO);
    }
    let stream = Arc::new(stream);
    let heard = room.take_seat(&stream).is_some_and(|seat| {
        let stream = Arc::clone(&stream);
        threads::start(format!("desk {}", seat.number), move || hear(&seat, &stream)).is_ok()
    });
    if heard {
        debug!("somebody asks at the arbiter's desk");
    } else {
        warn!("the arbiter's desk is busy: somebody is told to come again");
        wire::answer(&stream, &Reply::<A>::Busy, Duration::ZERO);
    }
}

/// Hears one request and answers it.
fn hear<Q, A, H>(seat: &Seat<H>, stream: &UnixStream)
where
    Q: DeserializeOwned,
    A: Serialize,
    H: Fn(Q) -> Reply<A>,
{
    let reply = match wire::request(stream, Instant::now() + TURN) {
        Ok(request) => (seat.room.handler)(request),
        Err(DeskLineError::Ended) if seat.room.seats().is_closing => Reply::Closing,
        Err(unread) => Reply::Refused(unread.to_string()),
    };
    wire::answer(stream, &reply, TURN);
}

impl<H> Room<H> {
    fn seats(&self) -> MutexGuard<'_, DeskSeats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A free seat, if there is one.
    fn take_seat(self: &Arc<Self>, stream: &Arc<UnixStream>) -> Option<Seat<H>> {
        let mut seats = self.seats();
        if seats.taken.len() >= SEATS {
            return None;
        }
        seats.seen += 1;
        let number = seats.seen;
        seats.taken.insert(number, Arc::clone(stream));
        Some(Seat {
            room: Arc::clone(self),
            number,
        })
    }
}

/// Frees the seat when dropped, even by a panic.
struct Seat<H> {
    room: Arc<Room<H>>,
    number: u64,
}

impl<H> Drop for Seat<H> {
    fn drop(&mut self) {
        self.room.seats().taken.remove(&self.number);
        self.room.left.notify_all();
    }
}
