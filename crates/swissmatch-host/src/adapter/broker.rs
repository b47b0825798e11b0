//! The stream to the broker, which alone has addresses and keys.
//!
//! May not: understand what is said.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::PollFlags;

use super::stream::{LineBuffer, Pending};
use super::{PlayerLink, PlayerMessage};
use swissmatch_adapter::call::stop;

/// The exit code of an adapter whose broker has gone: the machine's.
const GONE: u8 = super::CANNOT;

/// The broker, as an adapter has it.
#[derive(Debug)]
pub(super) struct BrokerLink {
    stream: UnixStream,
    said: LineBuffer,
    calls: Pending,
}

impl BrokerLink {
    /// One at the other end of a stream.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn over(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            said: LineBuffer::default(),
            calls: Pending::default(),
        })
    }
}

impl PlayerLink for BrokerLink {
    fn prepare(&mut self) -> io::Result<bool> {
        Ok(true)
    }

    fn ask(&mut self, question: &str) -> io::Result<()> {
        self.calls.add(question);
        self.calls.write(&self.stream)
    }

    fn hang_up(&mut self) -> io::Result<()> {
        self.calls.add(&stop());
        self.calls.write(&self.stream)
    }

    fn ends(&self) -> [Option<(BorrowedFd<'_>, PollFlags)>; 2] {
        let flags = match self.calls.is_empty() {
            true => PollFlags::IN,
            false => PollFlags::IN | PollFlags::OUT,
        };
        [Some((self.stream.as_fd(), flags)), None]
    }

    fn go_on(&mut self) -> io::Result<Option<PlayerMessage>> {
        if !self.calls.is_empty() {
            self.calls.write(&self.stream)?;
        }
        let is_open = self.said.read(&self.stream)?;
        // Those before the last one are answers to calls that were stopped.
        Ok(match std::iter::from_fn(|| self.said.next()).last() {
            Some(line) => Some(PlayerMessage::Line(line)),
            None => (!is_open).then_some(PlayerMessage::Ended(GONE)),
        })
    }

    fn dismiss(&mut self) {
        // What was stopped is told as far as that needs no waiting.
        if !self.calls.is_empty() {
            let _ = self.calls.write(&self.stream);
        }
    }
}
