//! One engine process: started under its keeper, spoken to by lines, ended with its whole tree.
//!
//! The one owner of a process; dropping it ends the tree. Reading and writing wait no longer than until a deadline.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

use crate::game::handshake::{Handshake, Introduction, StartFailure, Step};
use crate::game::record::EngineEnd;

use super::keeper;

/// Bytes read at once.
const CHUNK: usize = 32 * 1024;
/// Bytes of a line that are kept; a longer line is cut, its rest thrown away.
const LONGEST_LINE: usize = 64 * 1024;
/// How long a keeper may take to end its tree: longer than it gives itself. Then it is killed and leaves the rest to the
/// guard.
const KEEPER_PATIENCE: Duration = Duration::from_secs(12);
/// How often it is woken meanwhile.
const WAKING: Duration = Duration::from_millis(20);
/// Bytes of standard error that are kept, the last ones.
const KEPT_STDERR: usize = 64 * 1024;

/// How to start an engine: everything resolved.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// UCI options to set.
    pub options: BTreeMap<String, String>,
    /// For `uciok` and for `readyok` each.
    pub start_limit: Duration,
    /// After `quit`.
    pub quit_grace: Duration,
}

/// What reading gave.
#[derive(Debug)]
pub enum Read<'a> {
    /// A line, without its end, and when it was read.
    Line(&'a [u8], Instant),
    /// The deadline came first.
    Deadline,
    /// The engine has gone, or its output.
    Closed(EngineEnd),
}

/// What writing gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// All of it, at this instant.
    All(Instant),
    /// The deadline came first.
    Deadline,
    /// The engine has gone, or its input.
    Closed(EngineEnd),
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    stdin: pipe::Sender,
    stdout: pipe::Receiver,
    keeper: Keeper,
    buffer: Vec<u8>,
    /// Part of `buffer` not yet given out.
    start: usize,
    /// Part of it known to hold no line end.
    searched: usize,
    /// When the last part of it was read.
    read_at: Instant,
    /// Whether the rest of an overlong line is being thrown away.
    skipping: bool,
    sleep: std::pin::Pin<Box<tokio::time::Sleep>>,
    stderr: Rc<RefCell<Vec<u8>>>,
    stderr_reader: tokio::task::JoinHandle<()>,
    quit_grace: Duration,
}

/// The process that keeps the engine, and the line to it.
#[derive(Debug)]
struct Keeper {
    process: Child,
    /// `None` once let go of.
    socket: Option<UnixStream>,
    /// What it said and nobody has taken yet.
    said: Vec<u8>,
    end: Option<EngineEnd>,
}

/// One start at a time: between clearing the close-on-exec flag of a socket and its closing, no other process may be made.
static STARTING: Mutex<()> = Mutex::new(());

impl Engine {
    /// Starts the program and shakes hands with it. Must run inside a `LocalSet`.
    ///
    /// # Errors
    /// Why the engine is not ready; its tree has been ended then.
    pub async fn start(command: &EngineCommand) -> Result<(Self, Introduction), StartFailure> {
        let mut engine = Self::spawn(command).map_err(|error| StartFailure::Host(error.to_string()))?;
        match engine.shake_hands(command).await {
            Ok(introduction) => Ok((engine, introduction)),
            Err(failure) => {
                engine.end(false).await;
                Err(failure)
            }
        }
    }

    fn spawn(command: &EngineCommand) -> io::Result<Self> {
        let (ours, theirs) = StdUnixStream::pair()?;
        let mut keeper = Command::new("/proc/self/exe");
        keeper
            .arg0("swissmatch-keeper")
            .arg(keeper::ARGUMENT)
            .arg(theirs.as_raw_fd().to_string());
        keeper
            .arg(&command.program)
            .args(&command.args)
            .current_dir(&command.directory);
        keeper
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = {
            let _one_at_a_time = STARTING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
            let process = keeper.spawn();
            drop(theirs);
            process?
        };
        let missing = || io::Error::other("a pipe is missing");
        let stdin = OwnedFd::from(process.stdin.take().ok_or_else(missing)?);
        let stdout = OwnedFd::from(process.stdout.take().ok_or_else(missing)?);
        let stderr = OwnedFd::from(process.stderr.take().ok_or_else(missing)?);
        ours.set_nonblocking(true)?;
        let kept = Rc::new(RefCell::new(Vec::new()));
        Ok(Self {
            stdin: pipe::Sender::from_owned_fd(stdin)?,
            stdout: pipe::Receiver::from_owned_fd(stdout)?,
            keeper: Keeper {
                process,
                socket: Some(UnixStream::from_std(ours)?),
                said: Vec::new(),
                end: None,
            },
            buffer: Vec::with_capacity(CHUNK),
            start: 0,
            searched: 0,
            read_at: Instant::now(),
            skipping: false,
            sleep: Box::pin(tokio::time::sleep(Duration::ZERO)),
            stderr_reader: tokio::task::spawn_local(keep_tail(
                pipe::Receiver::from_owned_fd(stderr)?,
                Rc::clone(&kept),
            )),
            stderr: kept,
            quit_grace: command.quit_grace,
        })
    }

    async fn shake_hands(&mut self, command: &EngineCommand) -> Result<Introduction, StartFailure> {
        let begin = Instant::now();
        self.keeper.started(begin + command.start_limit).await?;
        let mut handshake = Handshake::new(&command.options, command.start_limit);
        loop {
            match handshake.poll(begin.elapsed())? {
                Step::Send(bytes) => match self.write(&bytes, begin.elapsed() + command.start_limit, begin).await {
                    Written::All(_) => {}
                    Written::Deadline => return Err(handshake.overdue()),
                    Written::Closed(_) => return Err(StartFailure::Ended),
                },
                Step::Wait(until) => match self.read(until, begin).await {
                    Read::Line(line, _) => handshake.line(line),
                    Read::Deadline => return Err(handshake.overdue()),
                    Read::Closed(_) => return Err(StartFailure::Ended),
                },
                Step::Ready => return Ok(handshake.into_introduction()),
            }
        }
    }

    /// Throws away everything the engine has said so far, without waiting.
    pub fn discard(&mut self) {
        self.buffer.clear();
        (self.start, self.searched, self.skipping) = (0, 0, false);
        let mut scratch = [0_u8; 4096];
        // Bounded: an engine that floods must not keep the runner here.
        for _ in 0..64 {
            match self.stdout.try_read(&mut scratch) {
                Ok(read) if read > 0 => {}
                _ => break,
            }
        }
    }

    /// Writes all of `bytes`, until `until` after `begin`.
    pub async fn write(&mut self, bytes: &[u8], until: Duration, begin: Instant) -> Written {
        let mut left = bytes;
        loop {
            match self.stdin.try_write(left) {
                Ok(written) => {
                    left = &left[written..];
                    if left.is_empty() {
                        return Written::All(Instant::now());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    set(&mut self.sleep, begin + until);
                    tokio::select! {
                        biased;
                        _ = self.stdin.writable() => {}
                        end = self.keeper.engine_end() => return Written::Closed(end),
                        () = self.sleep.as_mut() => return Written::Deadline,
                    }
                }
                Err(_) => return Written::Closed(self.how_it_ended().await),
            }
        }
    }

    /// Reads the next line, until `until` after `begin`. What was read before the deadline is given out even when it is
    /// asked for later: its instant says when it came.
    pub async fn read(&mut self, until: Duration, begin: Instant) -> Read<'_> {
        let deadline = begin + until;
        loop {
            if let Some((from, to)) = self.next_line() {
                return Read::Line(&self.buffer[from..to], self.read_at);
            }
            // A flood must not hide the deadline: what was read last came after it.
            if self.read_at >= deadline {
                return Read::Deadline;
            }
            self.make_room();
            set(&mut self.sleep, deadline);
            let read = tokio::select! {
                biased;
                read = self.stdout.read_buf(&mut self.buffer) => read,
                end = self.keeper.engine_end() => {
                    // Its last words may still be in the pipe.
                    match self.stdout.try_read_buf(&mut self.buffer) {
                        Ok(read) if read > 0 => Ok(read),
                        _ => return Read::Closed(end),
                    }
                }
                () = self.sleep.as_mut() => return Read::Deadline,
            };
            self.read_at = Instant::now();
            match read {
                Ok(0) | Err(_) => return Read::Closed(self.how_it_ended().await),
                Ok(_) => {}
            }
        }
    }

    /// Finds the next whole line and moves past it.
    fn next_line(&mut self) -> Option<(usize, usize)> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]);
            let Some(at) = found.map(|at| at + self.searched) else {
                self.searched = self.buffer.len();
                if self.searched - self.start > LONGEST_LINE {
                    // Keep its beginning out of memory; a line that long is no answer.
                    self.skipping = true;
                    self.buffer.clear();
                    (self.start, self.searched) = (0, 0);
                }
                return None;
            };
            let from = self.start;
            (self.start, self.searched) = (at + 1, at + 1);
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            return Some((from, at));
        }
    }

    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.reserve(CHUNK);
    }

    /// A pipe broke: whether because the process ended. Its keeper says so a moment later.
    async fn how_it_ended(&mut self) -> EngineEnd {
        const MOMENT: Duration = Duration::from_millis(200);
        tokio::time::timeout(MOMENT, self.keeper.engine_end())
            .await
            .unwrap_or(EngineEnd::ClosedPipe)
    }

    /// The last part of what the engine wrote to standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> Vec<u8> {
        self.stderr.borrow().clone()
    }

    /// Ends the engine: with `politely`, `quit` and some grace first. When this returns nothing of its tree is left.
    /// Returns the last part of its standard error.
    pub async fn end(mut self, politely: bool) -> Vec<u8> {
        if politely {
            let begin = Instant::now();
            let grace = self.quit_grace;
            if let Written::All(_) = self.write(b"quit\n", grace, begin).await {
                let gone = async {
                    // Its output is drained, or a talkative engine could not end.
                    let mut scratch = Vec::with_capacity(CHUNK);
                    loop {
                        scratch.clear();
                        tokio::select! {
                            _ = self.keeper.engine_end() => break,
                            read = self.stdout.read_buf(&mut scratch) => if !read.is_ok_and(|n| n > 0) {
                                self.keeper.engine_end().await;
                                break;
                            },
                        }
                    }
                };
                let _ = tokio::time::timeout(grace, gone).await;
            }
        }
        if let Some(mut socket) = self.keeper.socket.take() {
            // Half-closing tells the keeper to kill; its own end of the socket closes when nothing is left.
            if rustix::net::shutdown(&socket, rustix::net::Shutdown::Write).is_ok() {
                let until = Instant::now() + KEEPER_PATIENCE;
                let mut scratch = [0_u8; 256];
                let mut gone = std::pin::pin!(async { while socket.read(&mut scratch).await.is_ok_and(|n| n > 0) {} });
                while tokio::time::timeout(WAKING, gone.as_mut()).await.is_err() && Instant::now() < until {
                    self.keeper.wake();
                }
            }
        }
        // With the tree gone its standard error has an end, unless something escaped to the guard.
        let _ = tokio::time::timeout(Duration::from_millis(100), &mut self.stderr_reader).await;
        self.stderr_tail()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stderr_reader.abort();
        // Letting go of the socket makes the keeper kill the tree and end; reaping it waits for that.
        let until = Instant::now() + KEEPER_PATIENCE;
        self.keeper.socket = None;
        while matches!(self.keeper.process.try_wait(), Ok(None)) {
            if Instant::now() >= until {
                // What it leaves is the guard's.
                let _ = self.keeper.process.kill();
                let _ = self.keeper.process.wait();
                return;
            }
            self.keeper.wake();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Keeper {
    /// An engine can stop its keeper; it goes on so as to end the engine.
    fn wake(&self) {
        // Its pid stays its own until it is reaped.
        let _ = rustix::process::kill_process(Pid::from_child(&self.process), Signal::CONT);
    }

    /// Waits until the program runs.
    async fn started(&mut self, until: Instant) -> Result<(), StartFailure> {
        let mut word = async || tokio::time::timeout_at(until.into(), self.word()).await.ok().flatten();
        if word().await.is_none_or(|word| word != "ready") {
            return Err(StartFailure::Host("its keeper did not start".to_owned()));
        }
        // From here on the engine may have had its hand in what goes wrong.
        let word = word().await.unwrap_or_default();
        match word.split_once(' ').unwrap_or((&word, "")) {
            ("started", _) => Ok(()),
            ("failed", why) => Err(StartFailure::NotRun(why.to_owned())),
            ("host", why) => Err(StartFailure::Host(why.to_owned())),
            _ => Err(StartFailure::NotRun("its keeper did not start it".to_owned())),
        }
    }

    /// Waits for the engine process to end. Safe to drop at any await.
    async fn engine_end(&mut self) -> EngineEnd {
        if let Some(end) = self.end {
            return end;
        }
        let word = self.word().await.unwrap_or_default();
        let number = |text: &str| text.trim().parse().unwrap_or(0);
        let end = match word.split_once(' ') {
            Some(("exited", code)) => EngineEnd::Exited(number(code)),
            Some(("signalled", signal)) => EngineEnd::Signalled(number(signal)),
            _ => EngineEnd::KeeperLost,
        };
        self.end = Some(end);
        end
    }

    /// The next line of the keeper.
    async fn word(&mut self) -> Option<String> {
        let socket = self.socket.as_mut()?;
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.said) {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            let _ = socket.readable().await;
            match socket.try_read_buf(&mut self.said) {
                Ok(0) => return None,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return None,
                _ => {}
            }
        }
    }
}

fn set(sleep: &mut std::pin::Pin<Box<tokio::time::Sleep>>, deadline: Instant) {
    sleep.as_mut().reset(deadline.into());
}

/// Reads standard error for ever and keeps its last part.
async fn keep_tail(mut stderr: pipe::Receiver, kept: Rc<RefCell<Vec<u8>>>) {
    let mut chunk = vec![0_u8; 16 * 1024];
    while let Ok(read) = stderr.read(&mut chunk).await {
        if read == 0 {
            break;
        }
        let mut kept = kept.borrow_mut();
        kept.extend_from_slice(&chunk[..read]);
        if kept.len() > 2 * KEPT_STDERR {
            let surplus = kept.len() - KEPT_STDERR;
            kept.drain(..surplus);
        }
    }
}
