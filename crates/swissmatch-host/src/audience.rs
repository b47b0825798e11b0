//! One who watches by the socket of a run's directory: reads what there is, and never waits.
//!
//! May not: trust that a line is one.

use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::gallery::SOCKET;
use super::socket;
use swissmatch_tournament::live::LiveLine;

/// No line is longer: a game has as many moves as its rules allow.
const LONGEST: usize = 4 << 20;

/// How long a runner is waited for that has no seat free at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// A seat in the gallery of another process.
#[derive(Debug)]
pub struct Audience {
    stream: UnixStream,
    read: Vec<u8>,
}

impl Audience {
    /// Takes a seat at the run in `dir`.
    ///
    /// # Errors
    /// When no runner is at work there, or it has no live lines.
    pub fn enter(dir: &Path) -> io::Result<Self> {
        let stream = socket::connect(dir, SOCKET, PATIENCE)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            read: Vec::new(),
        })
    }

    /// The lines that have come; what is no line is left out.
    ///
    /// # Errors
    /// When no more will come.
    pub fn hear(&mut self) -> io::Result<Vec<LiveLine>> {
        let mut some = [0; 1 << 16];
        let mut lines = Vec::new();
        loop {
            match self.stream.read(&mut some) {
                Ok(0) if lines.is_empty() => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(0) => return Ok(lines),
                Ok(length) => self.read.extend_from_slice(&some[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(lines),
                Err(error) => return Err(error),
            }
            while let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                lines.extend(serde_json::from_slice::<LiveLine>(&line).ok());
            }
            if self.read.len() > LONGEST {
                return Err(io::Error::other("a line has no end"));
            }
        }
    }
}

impl AsFd for Audience {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
