//! One stream of an agent: bytes are relayed between the agent and the network, and counted both ways.
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
use crate::wait::poll_until;
use swissmatch_game::record::DoorUse;

/// How many bytes are held for each way.
const CHUNK: usize = 32 * 1024;

/// What went through a door.
#[derive(Debug, Default)]
pub(crate) struct DoorCounts {
    /// Streams that were opened, and those that are open.
    connections: AtomicU64,
    open: AtomicUsize,
    /// Lines that were refused.
    refused: AtomicU64,
    /// Bytes from the agent to the network, and from the network to the agent.
    sent: AtomicU64,
    received: AtomicU64,
}

impl DoorCounts {
    /// A place for another stream, if fewer than `most` are open. Only one thread asks.
    pub(super) fn place(&self, most: usize) -> Option<StreamPlace<'_>> {
        (self.open.load(Ordering::Relaxed) < most).then(|| {
            self.open.fetch_add(1, Ordering::Relaxed);
            StreamPlace(self)
        })
    }

    /// Counts an answer before the agent has it.
    pub(super) fn answered<S, W>(&self, answer: &Result<S, W>) {
        let count = match answer {
            Ok(_) => &self.connections,
            Err(_) => &self.refused,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// The totals so far.
    pub(super) fn all(&self) -> DoorUse {
        let [connections, refused, sent, received] =
            [&self.connections, &self.refused, &self.sent, &self.received].map(|count| count.load(Ordering::Relaxed));
        DoorUse {
            connections,
            refused,
            sent,
            received,
        }
    }
}

/// The place of one stream among those that an agent may have; freed when dropped.
#[derive(Debug)]
pub(super) struct StreamPlace<'a>(&'a DoorCounts);

impl StreamPlace<'_> {
    /// Relays until the agent has closed its end, the connection is over both ways or broken, or the door closes.
    pub(super) fn relay(self, agent: &OwnedFd, network: &OwnedFd, closed: &OwnedFd) {
        let counts = self.0;
        let mut ways = [
            Way::new(agent, network, ByteCounter::Written(&counts.sent)),
            Way::new(network, agent, ByteCounter::Read(&counts.received)),
        ];
        while ways.iter().any(|way| !way.is_over) {
            let mut polled = vec![PollFd::new(closed, PollFlags::IN)];
            polled.extend(ways.iter().filter_map(Way::awaits));
            if ways[0].is_over {
                // Tells whether it has only finished writing, or closed its end.
                polled.push(PollFd::new(agent, PollFlags::empty()));
            }
            poll_until(&mut polled, Instant::now() + FOR_EVER);
            let is_gone = ways[0].is_over && polled.last().is_some_and(|agent| !agent.revents().is_empty());
            if is_gone || !polled[0].revents().is_empty() {
                return;
            }
            // None of them waits, so all may be tried.
            if ways.iter_mut().any(|way| way.go_on().is_err()) {
                return;
            }
        }
    }
}

impl Drop for StreamPlace<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes are counted on the network's side, so that what an agent has received is counted.
enum ByteCounter<'a> {
    Read(&'a AtomicU64),
    Written(&'a AtomicU64),
}

/// One of the two ways of a stream.
struct Way<'a> {
    from: &'a OwnedFd,
    to: &'a OwnedFd,
    /// Read but not written yet.
    held: Vec<u8>,
    counted: ByteCounter<'a>,
    /// Nothing more comes, and everything is written.
    is_over: bool,
}

impl<'a> Way<'a> {
    const fn new(from: &'a OwnedFd, to: &'a OwnedFd, counted: ByteCounter<'a>) -> Self {
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
    /// The stream is broken.
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
                    // If both ways are closed already there is nothing to close.
                    let _ = rustix::net::shutdown(self.to, Shutdown::Write);
                    return Ok(());
                }
                read => {
                    let read = read?;
                    if let ByteCounter::Read(count) = self.counted {
                        count.fetch_add(read as u64, Ordering::Relaxed);
                    }
                    self.held.extend_from_slice(&chunk[..read]);
                }
            }
        }
        match rustix::net::send(self.to, &self.held, SendFlags::NOSIGNAL) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            sent => {
                let sent = sent?;
                self.held.drain(..sent);
                if let ByteCounter::Written(count) = self.counted {
                    count.fetch_add(sent as u64, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }
}
