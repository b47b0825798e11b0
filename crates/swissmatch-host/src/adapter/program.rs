//! The program that is asked once a move: started for each, or once and kept.
//!
//! What it starts itself and leaves behind its keeper ends, with the adapter.
//!
//! May not: understand what it says.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Access, access};
use rustix::process::{Pid, PidfdFlags, Signal};
use rustix::thread::Timespec;

use super::stream::{LineBuffer, Pending};
use super::{PlayerLink, PlayerMessage};

/// How long one that is kept may take to end by itself once nobody asks it any more.
const PATIENCE: Duration = Duration::from_millis(200);

/// By which a program says that it can be asked.
const READY: &str = "ready";

/// A program with its arguments.
#[derive(Debug)]
pub(super) struct Command {
    program: String,
    args: Vec<String>,
    is_kept: bool,
    /// Whether it says when it can be asked.
    says_ready: bool,
    running: Option<Running>,
}

/// A process of it.
#[derive(Debug)]
struct Running {
    child: Child,
    /// Closed once it was asked, where it is not kept: programs may read to the end.
    input: Option<ChildStdin>,
    question: Pending,
    said: LineBuffer,
    /// Whether it can be asked, as it said or need not say.
    is_ready: bool,
    is_asked: bool,
}

impl Command {
    pub(super) fn new(program: &str, args: &[String], (is_kept, says_ready): (bool, bool)) -> Self {
        Self {
            program: program.to_owned(),
            args: args.to_vec(),
            is_kept,
            says_ready,
            running: None,
        }
    }

    fn start(&self) -> io::Result<Running> {
        let started = std::process::Command::new(&self.program)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = started.map_err(|error| self.cannot(&error))?;
        let input = child.stdin.take();
        for end in input
            .iter()
            .map(|end| end.as_fd())
            .chain(child.stdout.iter().map(|end| end.as_fd()))
        {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        Ok(Running {
            child,
            input,
            question: Pending::default(),
            said: LineBuffer::default(),
            is_ready: !self.says_ready,
            is_asked: false,
        })
    }

    fn cannot(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{} cannot be run: {error}", self.program))
    }

    fn running(&mut self) -> io::Result<&mut Running> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        Ok(self.running.insert(running))
    }

    /// Ends the process; gives how it ended.
    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        self.running.take().map(|mut running| running.end()).transpose()
    }
}

impl Running {
    fn end(&mut self) -> io::Result<ExitStatus> {
        // Whatever it has started in its group, too.
        let _ = rustix::process::kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait()
    }
}

impl PlayerLink for Command {
    fn prepare(&mut self) -> io::Result<bool> {
        match self.is_kept {
            true => self.running().map(|running| running.is_ready),
            // A name without a slash is looked up when it is started.
            false if !self.program.contains('/') => Ok(true),
            false => access(self.program.as_str(), Access::EXEC_OK)
                .map(|()| true)
                .map_err(|error| self.cannot(&error.into())),
        }
    }

    fn ask(&mut self, question: &str) -> io::Result<()> {
        let running = self.running()?;
        // What it said without being asked is no answer.
        if running.is_ready {
            running.said.clear();
        }
        running.question.add(question);
        running.is_asked = true;
        Ok(())
    }

    fn hang_up(&mut self) -> io::Result<()> {
        // Whatever it says would be the answer to a question of before.
        self.end().map(drop)
    }

    fn ends(&self) -> [Option<(BorrowedFd<'_>, PollFlags)>; 2] {
        let Some(running) = &self.running else {
            return [None, None];
        };
        let output = running.child.stdout.as_ref().map(|end| (end.as_fd(), PollFlags::IN));
        let input = running.input.as_ref().filter(|_| !running.question.is_empty());
        [output, input.map(|end| (end.as_fd(), PollFlags::OUT))]
    }

    fn go_on(&mut self) -> io::Result<Option<PlayerMessage>> {
        let Some(running) = &mut self.running else {
            return Ok(None);
        };
        if let Some(input) = running.input.as_ref().filter(|_| !running.question.is_empty()) {
            // One that does not read may answer all the same.
            let is_closed = running.question.write(input).is_err();
            if is_closed || (running.question.is_empty() && !self.is_kept) {
                running.question = Pending::default();
                running.input = None;
            }
        }
        let Some(output) = &running.child.stdout else {
            return Ok(None);
        };
        let is_open = running.said.read(output)?;
        while !running.is_ready
            && let Some(line) = running.said.next()
        {
            running.is_ready = line.trim_end() == READY;
            if running.is_ready {
                return Ok(Some(PlayerMessage::Ready));
            }
        }
        match running.said.next() {
            Some(line) if running.is_asked => {
                running.is_asked = false;
                if !self.is_kept {
                    self.end()?;
                }
                Ok(Some(PlayerMessage::Line(line)))
            }
            _ if is_open => Ok(None),
            _ => {
                let was_asked = running.is_asked;
                let code = |status: ExitStatus| status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
                let code = self.wait()?.map_or(0, code);
                // One that is kept has to be there: its end is that of an engine.
                Ok(match self.is_kept {
                    true => Some(PlayerMessage::Ended(u8::try_from(code).unwrap_or(u8::MAX))),
                    false => was_asked.then(|| PlayerMessage::Line(String::new())),
                })
            }
        }
    }

    fn dismiss(&mut self) {
        if let Some(running) = &mut self.running {
            running.input = None;
        }
        let _ = self.wait();
    }
}

impl Command {
    /// Waits a moment for the process to end by itself, then ends it.
    fn wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if let Some(running) = &self.running {
            let ended = rustix::process::pidfd_open(Pid::from_child(&running.child), PidfdFlags::empty())?;
            let patience = Timespec::try_from(PATIENCE).map_err(io::Error::other)?;
            // A signal may cut it short; then it is ended all the same.
            let _ = rustix::event::poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&patience));
        }
        self.end()
    }
}
