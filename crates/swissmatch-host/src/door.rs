//! The door of an agent without sockets, which leads to a broker in the runner. Only the broker connects, and only to
//! listed addresses; it gives the agent a stream that it relays. docs/isolation.md has the protocol.
//!
//! An agent never gets a network socket, because with one it could connect again, to anywhere. May not: take a
//! descriptor from an agent, or wait for an agent when the door closes.

mod relay;
#[cfg(test)]
mod tests;

use std::io::{self, IoSlice, PipeWriter};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{JoinHandle, Scope};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, sockopt,
};
use tracing::{info, warn};

use super::threads;
use super::wait::poll_until;
use relay::DoorCounts;
use swissmatch_broker::reach;
use swissmatch_game::record::DoorUse;

/// The agent's environment variable with the number of its descriptor.
pub(super) const VARIABLE: &str = "SWISSMATCH_CONNECT_FD";

/// The most streams that an agent may have at once.
const MOST_STREAMS: usize = 16;
/// The most descriptors that the runner has open for one door: its two ends, a pipe, three for each stream, and two for
/// a name that is being looked up.
pub(super) const MOST_DESCRIPTORS: usize = 6 + 3 * MOST_STREAMS;
/// The longest line of an agent, in bytes.
const LONGEST_LINE: usize = 300;
/// How long an address may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The pause after each answer, so that an agent in a hurry does not use up this machine's ports.
const PAUSE: Duration = Duration::from_millis(10);
/// Longer than any engine lives.
const FOR_EVER: Duration = Duration::from_secs(1 << 32);

/// The doors of one agent's processes, one after the other.
#[derive(Debug, Default)]
pub struct Doors(Mutex<Vec<Arc<DoorCounts>>>);

impl Doors {
    /// Adds the door of another process.
    pub(super) fn add(&self) -> Arc<DoorCounts> {
        let counts = Arc::<DoorCounts>::default();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Arc::clone(&counts));
        counts
    }

    /// The totals of all doors so far.
    pub fn all(&self) -> DoorUse {
        let each = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        each.iter()
            .fold(DoorUse::default(), |sum, counts| sum.and(counts.all()))
    }
}

/// The door of one engine. Dropping it closes it, with all its streams.
#[derive(Debug)]
pub(super) struct Door {
    /// Closed to close the door.
    open: Option<PipeWriter>,
    broker: Option<JoinHandle<()>>,
}

impl Door {
    /// Opens a door to these addresses for the agent of `player`; also returns the agent's end of its socket.
    ///
    /// # Errors
    /// The machine has no descriptor or no thread left.
    pub(super) fn open(player: &str, addresses: &[String], counts: Arc<DoorCounts>) -> io::Result<(Self, OwnedFd)> {
        // A packet is a line: nothing has to be put together, and no descriptor can come with another answer.
        let kind = SocketType::SEQPACKET;
        let (ours, theirs) = rustix::net::socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None)?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        let (closed, open) = io::pipe()?;
        let broker = DoorListener {
            player: player.to_owned(),
            addresses: addresses.to_vec(),
            socket: ours,
            closed: closed.into(),
            counts,
        };
        let door = Self {
            open: Some(open),
            broker: Some(threads::start("door", move || broker.serve())?),
        };
        Ok((door, theirs))
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.open = None;
        if let Some(broker) = self.broker.take() {
            // Whatever the broker waits for, it also waits for the closing.
            let _ = broker.join();
        }
    }
}

/// The runner's side of a door.
struct DoorListener {
    player: String,
    /// As in the event file.
    addresses: Vec<String>,
    socket: OwnedFd,
    /// At its end when the door closes.
    closed: OwnedFd,
    counts: Arc<DoorCounts>,
}

/// The result of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitEnd {
    Ready,
    TooLong,
    Closed,
}

impl DoorListener {
    /// Answers until the door closes. Streams live until then, even if the agent asks for no more.
    fn serve(&self) {
        std::thread::scope(|scope| {
            while let Some(line) = self.hear() {
                let stream = self.stream(&line, scope);
                self.counts.answered(&stream);
                if !self.answer(stream) || self.wait(None, PAUSE) == WaitEnd::Closed {
                    break;
                }
            }
        });
        let DoorUse {
            connections,
            refused,
            sent,
            received,
        } = self.counts.all();
        info!(
            player = self.player,
            connections, refused, sent, received, "door closed"
        );
    }

    /// The agent's next line; `None` if there are no more.
    fn hear(&self) -> Option<Vec<u8>> {
        let mut line = [0; LONGEST_LINE + 1];
        while self.wait(Some((&self.socket, PollFlags::IN)), FOR_EVER) == WaitEnd::Ready {
            // The kernel drops descriptors that are sent with it.
            match rustix::net::recv(&self.socket, &mut line, RecvFlags::empty()) {
                Err(Errno::INTR | Errno::AGAIN) => {}
                Ok((read @ 1.., _)) => return Some(line[..read].to_vec()),
                Ok(_) | Err(_) => return None,
            }
        }
        None
    }

    /// Answers the agent; returns whether it was reached.
    fn answer(&self, stream: Result<OwnedFd, String>) -> bool {
        let line = match &stream {
            Ok(_) => "ok\n".to_owned(),
            Err(why) => format!("refused {why}\n"),
        };
        let handed: Vec<_> = stream.iter().map(|stream| stream.as_fd()).collect();
        while self.wait(Some((&self.socket, PollFlags::OUT)), FOR_EVER) == WaitEnd::Ready {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut beside = SendAncillaryBuffer::new(&mut space);
            if !handed.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(&handed)) {
                return false;
            }
            let line = [IoSlice::new(line.as_bytes())];
            match rustix::net::sendmsg(&self.socket, &line, &mut beside, SendFlags::NOSIGNAL) {
                Err(Errno::INTR | Errno::AGAIN) => {}
                sent => return sent.is_ok(),
            }
        }
        false
    }

    /// The agent's end of the stream that a line asks for.
    ///
    /// # Errors
    /// Why there is none.
    fn stream<'scope>(&'scope self, line: &[u8], scope: &'scope Scope<'scope, '_>) -> Result<OwnedFd, String> {
        let address = address(line)
            .ok_or_else(|| format!("a line is `connect HOST:PORT`, at most {LONGEST_LINE} bytes of text"))?;
        if !self.addresses.iter().any(|listed| listed == address) {
            return Err("player.connect does not list this address".to_owned());
        }
        let Some(place) = self.counts.place(MOST_STREAMS) else {
            return Err(format!("{MOST_STREAMS} streams are open already"));
        };
        let network = self.connect(address).map_err(|error| error.to_string())?;
        let relayed = || -> io::Result<OwnedFd> {
            let flags = SocketFlags::CLOEXEC;
            let (ours, theirs) = rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
            rustix::io::ioctl_fionbio(&ours, true)?;
            threads::start_in(scope, move || place.relay(&ours, &network, &self.closed))?;
            Ok(theirs)
        };
        relayed().map_err(|error| {
            warn!(player = self.player, %error, "no room for a stream of an agent");
            "the runner has no room for another stream".to_owned()
        })
    }

    /// The first of the address's places that answers, among those that a door may lead to.
    fn connect(&self, address: &str) -> io::Result<OwnedFd> {
        let until = Instant::now() + PATIENCE;
        let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
        let mut failed = io::Error::other("this name has no address");
        for place in self.places(address, until)? {
            let led =
                reach::may_lead_to(place, host, "player.connect must list it by that number").map_err(io::Error::other);
            match led.and_then(|()| self.connect_to(place, until)) {
                Ok(socket) => return Ok(socket),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Looks a name up, in a thread that nobody has to wait for.
    fn places(&self, address: &str, until: Instant) -> io::Result<Vec<SocketAddr>> {
        if let Ok(place) = address.parse() {
            return Ok(vec![place]);
        }
        let (over, runs) = io::pipe()?;
        let (tell, told) = mpsc::channel();
        let address = address.to_owned();
        threads::start("name", move || {
            let _ = tell.send(address.to_socket_addrs().map(Vec::from_iter));
            drop(runs);
        })?;
        self.ready(&over.into(), PollFlags::IN, until)?;
        told.recv().map_err(io::Error::other)?
    }

    fn connect_to(&self, place: SocketAddr, until: Instant) -> io::Result<OwnedFd> {
        let family = match place {
            SocketAddr::V4(_) => AddressFamily::INET,
            SocketAddr::V6(_) => AddressFamily::INET6,
        };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
        match rustix::net::connect(&socket, &place) {
            Err(Errno::INPROGRESS | Errno::INTR) => {
                self.ready(&socket, PollFlags::OUT, until)?;
                sockopt::socket_error(&socket)??;
            }
            connected => connected?,
        }
        sockopt::set_tcp_nodelay(&socket, true)?;
        Ok(socket)
    }

    /// # Errors
    /// It takes too long, or the door closes meanwhile.
    fn ready(&self, awaited: &OwnedFd, flags: PollFlags, until: Instant) -> io::Result<()> {
        let left = until.saturating_duration_since(Instant::now());
        match self.wait(Some((awaited, flags)), left) {
            WaitEnd::Ready => Ok(()),
            WaitEnd::TooLong => Err(io::Error::other(format!("no answer within {} s", PATIENCE.as_secs()))),
            WaitEnd::Closed => Err(io::Error::other("the door is closed")),
        }
    }

    /// Waits until `awaited` is ready, at most `most`, or until the door closes.
    fn wait(&self, awaited: Option<(&OwnedFd, PollFlags)>, most: Duration) -> WaitEnd {
        let mut polled = vec![PollFd::new(&self.closed, PollFlags::IN)];
        polled.extend(awaited.map(|(awaited, flags)| PollFd::new(awaited, flags)));
        match poll_until(&mut polled, Instant::now() + most) {
            _ if !polled[0].revents().is_empty() => WaitEnd::Closed,
            true => WaitEnd::Ready,
            false => WaitEnd::TooLong,
        }
    }
}

/// The address that a line asks for, as written there.
fn address(line: &[u8]) -> Option<&str> {
    let line = Some(line).filter(|line| line.len() <= LONGEST_LINE)?;
    let line = std::str::from_utf8(line).ok()?;
    line.strip_suffix('\n').unwrap_or(line).strip_prefix("connect ")
}
