//! The start of an engine, until it is ready to play.
//!
//! May not: play.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::errors::Errors;
use super::flow::Flow;
use super::leash::{self, Leash};
use super::watch::DoubtWatch;
use super::work::Work;
use super::{CHUNK, Engine, EngineCommand, EngineRead, EngineWrite, MOMENT, OtherEngine};
use crate::content::Unlike;
use crate::machine;
use crate::scratch::Scratch;
use swissmatch_game::handshake::{Handshake, HandshakeStep, Introduction, StartError};
use swissmatch_game::lines::LineSplitter;
use swissmatch_game::resource::{Allowance, Resource};
use swissmatch_game::transcript::Direction;
use swissmatch_game::uci;

/// The most lines that are heard of an engine that has not started.
const MOST_LAST_LINES: u32 = 1000;

/// The most bytes that are kept of what is said during a start.
const MOST_OF_A_START: usize = 1 << 20;

/// How often to check whether a starting engine is still waited for.
const LOOK: Duration = Duration::from_millis(20);

/// Until when a starting engine is waited for, besides its limits; `None` means that only they count.
pub(crate) type StartDeadline<'a> = Option<&'a dyn Fn() -> Instant>;

impl Engine {
    /// Starts the program and shakes hands with it.
    ///
    /// # Errors
    /// Why the engine is not ready; its tree has then been ended.
    pub fn start(command: &EngineCommand) -> Result<(Self, Introduction), StartError> {
        Self::start_until(command, None)
    }

    /// Like [`Self::start`], but gives up at a deadline, which may change meanwhile and is asked for again and again.
    ///
    /// # Errors
    /// Like [`Self::start`]; also if the deadline came first.
    pub(crate) fn start_until(
        command: &EngineCommand,
        until: StartDeadline<'_>,
    ) -> Result<(Self, Introduction), StartError> {
        let begin = Instant::now();
        let mut engine = Self::spawn(command)?;
        let (mut handshake, mut bytes) = (Vec::new(), 0);
        let introduced = engine.introduce(command, begin, until, &mut |at, direction, line| {
            bytes += line.len();
            if bytes <= MOST_OF_A_START {
                handshake.push((begin + at, direction, line.to_vec()));
            }
        })?;
        engine.last_words.keep_handshake(handshake);
        Ok((engine, introduced))
    }

    /// Like [`Self::start`], but `hear` gets every line with its time since the start. If the start fails, it also gets
    /// the end of standard error, as a remark.
    ///
    /// # Errors
    /// Like [`Self::start`].
    pub(crate) fn start_heard(
        command: &EngineCommand,
        hear: &mut dyn FnMut(Duration, Direction, &[u8]),
    ) -> Result<(Self, Introduction), StartError> {
        let begin = Instant::now();
        let mut engine = Self::spawn(command)?;
        match engine.introduce(command, begin, None, hear) {
            Ok(introduction) => Ok((engine, introduction)),
            Err(mut failure) => {
                // It may have said something and ended before it was asked.
                let until = begin.elapsed() + MOMENT;
                // Text written without a flush comes when it ends by itself.
                if let StartError::Silent(_) = failure {
                    engine.write(b"quit\n", until, begin);
                }
                let mut lines_left = MOST_LAST_LINES;
                while lines_left > 0
                    && let EngineRead::Line(line) = engine.read(until, begin, OtherEngine::Nobody)
                {
                    if let (StartError::Silent(limit), uci::UciLine::UciOk) = (&failure, uci::read(line.text)) {
                        failure = StartError::Unflushed(*limit);
                    }
                    hear(line.at - begin, Direction::Received, line.text);
                    lines_left -= 1;
                }
                let last_words = engine.end();
                let lines = last_words.lines.iter().filter(|(_, line)| !line.is_empty());
                lines.for_each(|(at, line)| hear(at.saturating_duration_since(begin), Direction::Remark, line));
                Err(failure)
            }
        }
    }

    /// Shakes hands; the times count from `begin`.
    fn introduce(
        &mut self,
        command: &EngineCommand,
        begin: Instant,
        until: StartDeadline<'_>,
        hear: &mut dyn FnMut(Duration, Direction, &[u8]),
    ) -> Result<Introduction, StartError> {
        match self.shake_hands(command, until, hear) {
            Ok(introduction) => {
                let took = begin.elapsed();
                if let Some(scratch) = &command.scratch {
                    // Files that were there before are not written by it.
                    let names = command.options.file_names(&introduction.declared()).into_iter();
                    scratch.leave(names.filter(|name| command.base.join(name).symlink_metadata().is_err()));
                }
                Ok(Introduction { took, ..introduction })
            }
            // It may have wanted another thread.
            Err(StartError::Ended) if !machine::has_room_for_an_engine() => {
                Err(StartError::Host("no more processes and threads are allowed".to_owned()))
            }
            Err(failure) => Err(failure),
        }
    }

    /// # Errors
    /// What the machine lacks.
    fn spawn(command: &EngineCommand) -> Result<Self, StartError> {
        let mut command = Cow::Borrowed(command);
        if let Some(registered) = &command.registered {
            let looked = registered.compare();
            let looked = looked.and_then(|hidden| leash::while_none_starts(|| registered.copy()).map(|()| hidden));
            let hidden = looked.map_err(|unlike| match unlike {
                Unlike::Changed(why) => StartError::Changed(why),
                Unlike::Lacking(why) => StartError::Host(why),
            })?;
            if let Some(confinement) = command.launch.confinement.as_ref().filter(|_| !hidden.is_empty()) {
                let mut confinement = confinement.clone();
                confinement.hidden = hidden.into_iter().map(PathBuf::into_os_string).collect();
                command.to_mut().launch.confinement = Some(confinement);
            }
        }
        Self::with_pipes(&command).map_err(|error| StartError::Host(error.to_string()))
    }

    fn with_pipes(command: &EngineCommand) -> io::Result<Self> {
        let scratch = command.scratch.as_ref().map(Scratch::lease);
        let (leash, pipes) = Leash::start(command)?;
        let Allowance {
            output,
            line,
            standard_error,
            ..
        } = command.launch.allowance;
        for pipe in &pipes {
            // Only for this end: the engine's is another description of the pipe.
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let [stdin, stdout, stderr] = pipes;
        Ok(Self {
            stdin,
            stdout,
            stderr: Some(stderr),
            leash,
            _scratch: scratch,
            lines: LineSplitter::new(CHUNK, usize::try_from(line).unwrap_or(usize::MAX)),
            output: Flow::new(Resource::Output, output),
            errors: Flow::new(Resource::StandardError, standard_error),
            read_at: Instant::now(),
            watch: DoubtWatch::default(),
            resting: DoubtWatch::default(),
            work: Work::default(),
            written_at: Instant::now(),
            is_slow: false,
            is_unheard: true,
            stopped: None,
            noise: 0,
            last_words: Errors::new(command.alarms.clone()),
            quit_grace: command.quit_grace,
        })
    }

    /// What is missing at the end of a limit, with what shows in its pipes. A line written in part counts as written.
    fn overdue(&self, handshake: &Handshake<'_>, has_spoken: bool) -> StartError {
        match handshake.overdue() {
            StartError::NoUciOk(limit) => match rustix::io::ioctl_fionread(&self.stdin) {
                Ok(1..) => StartError::NotRead(limit),
                Ok(0) if !has_spoken && self.lines.waiting() == 0 => StartError::Silent(limit),
                _ => StartError::NoUciOk(limit),
            },
            other => other,
        }
    }

    fn shake_hands(
        &mut self,
        command: &EngineCommand,
        until: StartDeadline<'_>,
        hear: &mut dyn FnMut(Duration, Direction, &[u8]),
    ) -> Result<Introduction, StartError> {
        let begin = Instant::now();
        self.leash.started(begin + command.start_limit)?;
        let handshake = Handshake::new(&command.options, command.start_limit).with_ponder(command.ponder);
        let mut handshake = handshake.within(command.launch.allowance);
        let mut has_spoken = false;
        loop {
            match handshake.poll(begin.elapsed())? {
                HandshakeStep::Send(bytes) => match self.write(&bytes, begin.elapsed() + command.start_limit, begin) {
                    EngineWrite::All { at, .. } => {
                        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
                        lines.for_each(|line| hear(at - begin, Direction::Sent, line));
                    }
                    EngineWrite::Deadline => return Err(handshake.overdue()),
                    EngineWrite::Closed(end) => return Err(end.into()),
                },
                HandshakeStep::Wait(limit) => {
                    let look = match until {
                        Some(_) => limit.min(begin.elapsed() + LOOK),
                        None => limit,
                    };
                    match self.read(look, begin, OtherEngine::Nobody) {
                        EngineRead::Line(line) => {
                            has_spoken = true;
                            hear(line.at - begin, Direction::Received, line.text);
                            handshake.line(line.text);
                        }
                        EngineRead::Closed(end) => return Err(end.into()),
                        EngineRead::Deadline if look == limit => return Err(self.overdue(&handshake, has_spoken)),
                        EngineRead::Deadline => {}
                    }
                    if until.is_some_and(|until| Instant::now() >= until()) {
                        return Err(StartError::TooLate);
                    }
                }
                // What it said before it ended, or lost its keeper, does not make it ready.
                HandshakeStep::Ready => match self.leash.engine_end(Instant::now()) {
                    Some(end) => return Err(end.into()),
                    None => return Ok(handshake.into_introduction()),
                },
            }
        }
    }
}
