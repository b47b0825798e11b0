//! One stream of an agent: what it writes goes to the network, what comes from there goes to it, and both are counted.
//!
//! May not: look at what is said.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{SendFlags, Shutdown};

use super::FOR_EVER;
use crate::shell::engine::wait::poll_until;

/// Bytes that are held of each way.
const CHUNK: usize = 32 * 1024;

/// What went through a door.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Streams that were opened, and those that are.
    connections: AtomicU64,
    open: AtomicUsize,
    /// Lines that were answered by a refusal.
    refused: AtomicU64,
    /// Bytes of the agent to the network, and of the network to the agent.
    sent: AtomicU64,
    received: AtomicU64,
}

impl Counts {
    /// A place for one more stream, where fewer than `most` are open. One thread alone asks.
    pub(super) fn place(&self, most: usize) -> Option<Place<'_>> {
        (self.open.load(Ordering::Relaxed) < most).then(|| {
            self.open.fetch_add(1, Ordering::Relaxed);
            Place(self)
        })
    }

    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Streams, refusals, bytes sent and bytes received.
    pub(super) fn all(&self) -> [u64; 4] {
        [&self.connections, &self.refused, &self.sent, &self.received].map(|count| count.load(Ordering::Relaxed))
    }
}

/// The place of one stream among those that an agent may have; dropped, it is free.
#[derive(Debug)]
pub(super) struct Place<'a>(&'a Counts);

impl Place<'_> {
    /// Relays until the agent has closed its end, the connection is over both ways or broken, or the door closes.
    pub(super) fn relay(self, agent: &OwnedFd, network: &OwnedFd, closed: &OwnedFd) {
        let counts = self.0;
        counts.connections.fetch_add(1, Ordering::Relaxed);
        let mut ways = [
            Way::new(agent, network, &counts.sent),
            Way::new(network, agent, &counts.received),
        ];
        while ways.iter().any(|way| !way.is_over) {
            let mut polled = vec![PollFd::new(closed, PollFlags::IN)];
            polled.extend(ways.iter().filter_map(Way::awaits));
            if ways[0].is_over {
                // Whether it has only finished what it says, or closed its end.
                polled.push(PollFd::new(agent, PollFlags::empty()));
            }
            poll_until(&mut polled, Instant::now() + FOR_EVER);
            let is_gone = ways[0].is_over && polled.last().is_some_and(|agent| !agent.revents().is_empty());
            if is_gone || !polled[0].revents().is_empty() {
                return;
            }
            // None of them waits, so that they may all be tried.
            if ways.iter_mut().any(|way| way.go_on().is_err()) {
                return;
            }
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One of the two ways of a stream.
struct Way<'a> {
    from: &'a OwnedFd,
    to: &'a OwnedFd,
    /// Read, and not written yet.
    held: Vec<u8>,
    counted: &'a AtomicU64,
    /// Nothing comes any more, and all is written.
    is_over: bool,
}

impl<'a> Way<'a> {
    const fn new(from: &'a OwnedFd, to: &'a OwnedFd, counted: &'a AtomicU64) -> Self {
        Self {
            from,
            to,
            held: Vec::new(),
            counted,
            is_over: false,
        }
    }

    fn awaits(&self) -> Option<PollFd<'a>> {
        (!self.is_over).then(|| match self.held.is_empty() {
            true => PollFd::new(self.from, PollFlags::IN),
            false => PollFd::new(self.to, PollFlags::OUT),
        })
    }

    /// Reads or writes once, if that is possible without waiting.
    ///
    /// # Errors
    /// When the stream is broken.
    fn go_on(&mut self) -> io::Result<()> {
        if self.is_over {
            return Ok(());
        }
        if self.held.is_empty() {
            let mut chunk = [0; CHUNK];
            match rustix::io::read(self.from, &mut chunk) {
                Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
                Ok(0) => {
                    self.is_over = true;
                    // Whoever closed both ways already needs none closed.
                    let _ = rustix::net::shutdown(self.to, Shutdown::Write);
                    return Ok(());
                }
                read => self.held.extend_from_slice(&chunk[..read?]),
            }
        }
        match rustix::net::send(self.to, &self.held, SendFlags::NOSIGNAL) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            sent => {
                let sent = sent?;
                self.held.drain(..sent);
                self.counted.fetch_add(sent as u64, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}
