//! Asking at the desk of a run, from another process.
//!
//! May not: ask twice what may have been taken.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use serde::Serialize;
use serde::de::DeserializeOwned;
use swiss_system::text::escaped;

use crate::{run_dir, socket};

use super::wire::{self, DeskLineError};
use super::{Reply, SOCKET};

/// How long a request may take to be heard.
const TURN: Duration = Duration::from_secs(2);
/// How long the answer may take: the runner answers within a commit, or says that it cannot.
const ANSWER: Duration = Duration::from_secs(30);
/// The pause before asking again after a request was not taken.
const AGAIN: Duration = Duration::from_millis(50);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// No runner has the directory: the request can be carried out under its lock.
    #[error("no runner is at work on the run")]
    NoRunner,
    /// It was not taken in time; asking again may help.
    #[error("nothing was done: {0}; try again")]
    NotTaken(&'static str),
    #[error("nothing was done: {0}")]
    Refused(String),
    /// It was taken, and its outcome is unknown.
    #[error("the runner ended before it answered; `swissmatch arbiter log` shows whether it was done")]
    Lost,
    /// It was taken, and may still be carried out.
    #[error("the runner has not answered in time; the act may still be carried out: `swissmatch arbiter log` shows it")]
    Unanswered,
    #[error("nothing was done: the arbiter's desk cannot be reached: {0}")]
    Unreachable(io::Error),
}

/// Asks the runner at work on the run in `directory`, for at most `patience` while it does not take the request. `told`
/// is called once with the reason for a wait.
///
/// # Errors
/// No runner is there, or it does not take the request, ends before it answers, or does not answer in time.
pub fn ask<Q: Serialize, A: DeserializeOwned>(
    directory: &Path,
    request: &Q,
    patience: Duration,
    mut told: impl FnMut(&'static str),
) -> Result<A, DeskError> {
    let deadline = Instant::now() + patience;
    let mut waits = false;
    loop {
        let why = match ask_once(directory, request)? {
            Reply::Answer(answer) => return Ok(answer),
            Reply::Refused(why) => return Err(DeskError::Refused(escaped(&why))),
            Reply::Lost => return Err(DeskError::Lost),
            Reply::Unanswered => return Err(DeskError::Unanswered),
            Reply::Busy => "too many commands ask the runner at once",
            Reply::Closing | Reply::Starting if !run_dir::is_taken(directory) => return Err(DeskError::NoRunner),
            Reply::Closing => "the runner is ending",
            Reply::Starting => "the runner is starting, or something else is at work on the run",
        };
        if Instant::now() >= deadline {
            return Err(DeskError::NotTaken(why));
        }
        if !std::mem::replace(&mut waits, true) {
            told(why);
        }
        std::thread::sleep(AGAIN);
    }
}

/// True if a runner, or something else that stays, has the run in `directory`. An act of the arbiter on a stopped run
/// has no desk and takes a moment; it is waited for.
pub fn is_in_use(directory: &Path) -> bool {
    let deadline = Instant::now() + TURN;
    while run_dir::is_taken(directory) {
        let at_work = !matches!(connect(directory), Err(Errno::NOENT | Errno::CONNREFUSED));
        if at_work || Instant::now() >= deadline {
            return true;
        }
        std::thread::sleep(AGAIN);
    }
    false
}

/// Asks once. If nobody is at the desk a runner may be starting.
fn ask_once<Q: Serialize, A: DeserializeOwned>(directory: &Path, request: &Q) -> Result<Reply<A>, DeskError> {
    let stream = match connect(directory) {
        Ok(stream) => stream,
        Err(Errno::NOENT | Errno::CONNREFUSED) => return Ok(Reply::Starting),
        Err(Errno::AGAIN) => return Ok(Reply::Busy),
        Err(error) => return Err(DeskError::Unreachable(error.into())),
    };
    // If the request did not go out in full it was not taken; the desk may still have said why.
    let said = wire::ask(&stream, request, TURN);
    if let Err(error) = &said
        && error.kind() == io::ErrorKind::InvalidInput
    {
        return Err(DeskError::Refused(error.to_string()));
    }
    match (wire::reply(&stream, Instant::now() + ANSWER), said) {
        (Ok(reply), _) => Ok(reply),
        (Err(_), Err(_)) => Ok(Reply::Closing),
        (Err(error @ (DeskLineError::Version(_) | DeskLineError::Garbage(_))), Ok(())) => {
            Ok(Reply::Refused(error.to_string()))
        }
        (Err(DeskLineError::Late), Ok(())) => Ok(Reply::Unanswered),
        (Err(_), Ok(())) => Ok(Reply::Lost),
    }
}

fn connect(directory: &Path) -> rustix::io::Result<UnixStream> {
    // For a desk whose queue is full.
    socket::connect(directory, SOCKET, TURN)
}
