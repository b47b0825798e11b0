//! The protocol of the desk's socket: one line of JSON each way, with the version of the protocol first.
//!
//! May not: take more than one line of bounded length and time, or send more than one.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the protocol.
const VERSION: u32 = 1;
/// The longest line, in bytes.
pub(super) const LONGEST: usize = 64 << 10;

/// A request as sent.
#[derive(Serialize, Deserialize)]
struct DeskRequest<Q> {
    desk: u32,
    request: Q,
}

/// A reply as sent.
#[derive(Serialize, Deserialize)]
struct DeskReply<R> {
    desk: u32,
    reply: R,
}

/// The part that all versions share.
#[derive(Deserialize)]
struct AnyVersion {
    desk: u32,
}

/// The reply of the desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply<A> {
    Answer(A),
    /// Not taken: the runner is not ready yet.
    Starting,
    /// Not taken: the runner is ending.
    Closing,
    /// Not taken: too many ask at once.
    Busy,
    /// Not taken, with the reason; asking again does not help.
    Refused(String),
    /// Taken, but the runner ended before the outcome was known.
    Lost,
    /// Taken, but not answered in time: it may still be carried out.
    Unanswered,
}

/// Why no line could be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum DeskLineError {
    /// The other side has gone.
    #[error("the line ended before its end")]
    Ended,
    /// It took too long.
    #[error("no whole line came in time")]
    Late,
    /// It is too long.
    #[error("the line is longer than {LONGEST} bytes")]
    TooLong,
    #[error("the line cannot be read: {0}")]
    Broken(io::Error),
    /// The other side has another version.
    #[error(
        "this is version {VERSION} of the arbiter's desk (swissmatch {program}), but the other side has version {0}; use the \
        swissmatch that runs the event",
        program = env!("CARGO_PKG_VERSION")
    )]
    Version(u32),
    /// It is not a request or reply.
    #[error("the line is not understood: {0}")]
    Garbage(serde_json::Error),
}

/// Sends a request. After an error the other side does not have all of it.
pub(super) fn ask<Q: Serialize>(stream: &UnixStream, request: &Q, patience: Duration) -> io::Result<()> {
    say(stream, &DeskRequest { desk: VERSION, request }, patience)
}

/// Sends a reply; the other side may have gone, which does not matter. Without patience only what fits the socket's
/// buffer is sent.
pub(super) fn answer<A: Serialize>(stream: &UnixStream, reply: &Reply<A>, patience: Duration) {
    let _ = say(stream, &DeskReply { desk: VERSION, reply }, patience);
}

/// Reads a request, until `deadline`.
pub(super) fn request<Q: DeserializeOwned>(stream: &UnixStream, deadline: Instant) -> Result<Q, DeskLineError> {
    understood::<DeskRequest<Q>>(&line(stream, deadline)?).map(|asked| asked.request)
}

/// Reads a reply, until `deadline`.
pub(super) fn reply<A: DeserializeOwned>(stream: &UnixStream, deadline: Instant) -> Result<Reply<A>, DeskLineError> {
    understood::<DeskReply<Reply<A>>>(&line(stream, deadline)?).map(|said| said.reply)
}

fn understood<T: DeserializeOwned>(line: &[u8]) -> Result<T, DeskLineError> {
    let any: AnyVersion = serde_json::from_slice(line).map_err(DeskLineError::Garbage)?;
    match any.desk {
        VERSION => serde_json::from_slice(line).map_err(DeskLineError::Garbage),
        other => Err(DeskLineError::Version(other)),
    }
}

fn say(mut stream: &UnixStream, what: &impl Serialize, patience: Duration) -> io::Result<()> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    if line.len() > LONGEST {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            DeskLineError::TooLong.to_string(),
        ));
    }
    let deadline = Instant::now() + patience;
    let mut left = line.as_slice();
    while !left.is_empty() {
        let time = deadline.saturating_duration_since(Instant::now());
        // A limit of zero would mean no limit.
        stream.set_nonblocking(time.is_zero())?;
        stream.set_write_timeout(Some(time).filter(|time| !time.is_zero()))?;
        match stream.write(left) {
            Ok(written) => left = &left[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// One line, without its end, until `deadline`.
fn line(mut stream: &UnixStream, deadline: Instant) -> Result<Vec<u8>, DeskLineError> {
    let mut line = Vec::new();
    let mut chunk = [0_u8; 4096];
    loop {
        let time = deadline.saturating_duration_since(Instant::now());
        if time.is_zero() {
            return Err(DeskLineError::Late);
        }
        stream.set_read_timeout(Some(time)).map_err(DeskLineError::Broken)?;
        match stream.read(&mut chunk) {
            Ok(0) => return Err(DeskLineError::Ended),
            Ok(read) => {
                let end = memchr::memchr(b'\n', &chunk[..read]);
                line.extend_from_slice(&chunk[..end.unwrap_or(read)]);
                if line.len() >= LONGEST {
                    return Err(DeskLineError::TooLong);
                }
                if end.is_some() {
                    return Ok(line);
                }
            }
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => return Err(DeskLineError::Late),
                io::ErrorKind::ConnectionReset => return Err(DeskLineError::Ended),
                _ => return Err(DeskLineError::Broken(error)),
            },
        }
    }
}
