//! One engine process: started under its keeper, spoken to in lines, ended with its whole tree.
//!
//! The only owner of the process; dropping it ends the tree. Reading and writing wait no longer than until a deadline.
//! The waiting thread does nothing else, so that nothing delays the time stamp.
//!
//! It uses threads that block, and no runtime: a ply is a write, a `ppoll` and a read. The same `ppoll` also listens to
//! the resting side, so nothing is read before a `go`. If the last answer came at once, a read is tried first, which
//! often saves the `ppoll`. A thousand waiting threads cost some megabytes.

mod beside;
mod command;
pub(super) mod delay;
mod errors;
mod examine;
mod flow;
mod leash;
mod start;
mod stopped;
mod tree;
mod watch;
mod work;

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::scratch::Lease;
use crate::wait::poll_until;
use swissmatch_broker::player::BrokerPlayer;
use swissmatch_game::alarm::HeardAlarm;
use swissmatch_game::doubt::MeasuredTime;
use swissmatch_game::lines::LineSplitter;
use swissmatch_game::record::EngineEnd;
use swissmatch_game::resource::{Overuse, Resource};

pub use beside::OtherEngine;
pub use command::EngineCommand;
use errors::Errors;
pub use errors::{EngineStderr, SpokenLine};
pub use examine::{EngineAnswer, Quit};
use flow::Flow;
use leash::Leash;
use stopped::StoppedTime;
use tree::Did;
pub use tree::Ran;

use watch::DoubtWatch;
use work::Work;

/// Bytes read at once.
const CHUNK: usize = 32 * 1024;
/// How many bytes an engine may say unasked, while the other one thinks, before nobody listens any more.
const MOST_NOISE: usize = 64 * 1024;
/// If an answer took longer than this, the next one is watched for how late this thread came to run at its end. The
/// delay in shorter ones is bounded by their own length.
const LONG_ANSWER: Duration = Duration::from_millis(1);
/// How many bytes a pondering engine may say before it has to wait for a reader.
const MOST_PONDERED: usize = 1024 * 1024;
/// How long after a broken pipe the keeper may take to say how the process ended.
const MOMENT: Duration = Duration::from_millis(200);

/// The result of reading.
#[derive(Debug)]
pub enum EngineRead<'a> {
    Line(EngineLine<'a>),
    /// The deadline came first.
    Deadline,
    /// The engine or its output has gone.
    Closed(EngineEnd),
}

#[derive(Clone, Copy, Debug)]
pub struct EngineLine<'a> {
    /// Its bytes, without the line end.
    pub text: &'a [u8],
    /// When it was read.
    pub at: Instant,
    /// How long this thread had then been ready to run without being run; `None` if the last answer took less than a
    /// millisecond.
    pub late: Option<Duration>,
}

/// The result of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineWrite {
    All {
        /// When the last byte was written.
        at: Instant,
        /// The pipe was full at first, so that the engine had to be waited for.
        was_full: bool,
    },
    /// The deadline came first.
    Deadline,
    /// The engine or its input has gone.
    Closed(EngineEnd),
}

#[derive(Debug)]
pub struct Engine {
    stdin: OwnedFd,
    stdout: OwnedFd,
    /// `None` after its end.
    stderr: Option<OwnedFd>,
    leash: Leash,
    /// Dropped after the leash: the directory is emptied when nothing of the engine is left.
    _scratch: Option<Lease>,
    lines: LineSplitter,
    /// The volume of its output and of its standard error.
    output: Flow,
    errors: Flow,
    /// When the last of them was read.
    read_at: Instant,
    /// The watch over the time that runs for it.
    watch: DoubtWatch,
    /// The watch over the time in which the other side is waited for.
    resting: DoubtWatch,
    work: Work,
    /// When it was last written to, and whether its answer before that took long.
    written_at: Instant,
    is_slow: bool,
    /// It may have said something since somebody last listened.
    is_unheard: bool,
    /// Set while it is stopped.
    stopped: Option<StoppedTime>,
    /// Bytes that it said unasked since it was last written to; past [`MOST_NOISE`] nobody listens.
    noise: usize,
    last_words: Errors,
    quit_grace: Duration,
}

impl Engine {
    /// Begins a time that may have to be accounted for: the engine is about to be asked something and has `limit` for
    /// it.
    pub fn begin(&mut self, limit: Duration) {
        let last = self.last_answer();
        let now = DoubtWatch::begin(self.leash.whose(), last, limit, self.resting.is_on());
        match self.resting.has_begun() {
            true => self.work.off_turn(now.ran_since(&self.resting)),
            // Another attempt at the same move.
            false => self.work.on_turn(now.ran_since(&self.watch)),
        }
        (self.watch, self.resting) = (now, DoubtWatch::default());
    }

    /// How long its last answer took.
    fn last_answer(&self) -> Duration {
        self.read_at.saturating_duration_since(self.written_at)
    }

    /// What the broker knows about it, if it asks over the broker.
    pub(crate) const fn player(&self) -> Option<&Arc<BrokerPlayer>> {
        self.leash.player()
    }

    /// True if what it does in its time has been counted from the beginning.
    pub const fn is_watched(&self) -> bool {
        self.watch.is_on()
    }

    /// The part of that time that was not its own, as far as known: how late it was heard, and what its threads did.
    pub fn measure(&self) -> MeasuredTime {
        let did = self.watch.did(self.leash.whose()).unwrap_or_default();
        let Did {
            longest_wait,
            waits,
            ran,
        } = did;
        MeasuredTime {
            reader: self.watch.late().unwrap_or_default(),
            longest_wait,
            waits,
            ran,
            ..MeasuredTime::default()
        }
    }

    /// Begins a rest: the other side is about to be asked something. From here on this engine's threads are counted,
    /// though nobody waits for it. `at_once` means that the other side may take its time.
    pub fn rest(&mut self, at_once: bool) {
        let at_once = at_once || self.resting.is_on();
        let now = DoubtWatch::begin(self.leash.whose(), self.last_answer(), Duration::MAX, at_once);
        match self.resting.has_begun() {
            true => self.work.off_turn(now.ran_since(&self.resting)),
            false => self.work.on_turn(now.ran_since(&self.watch)),
        }
        self.resting = now;
    }

    /// How long its threads have run since, if known.
    pub fn ran(&self) -> Duration {
        self.resting.did(self.leash.whose()).unwrap_or_default().ran
    }

    /// Notes that nobody has listened to it for a while.
    pub const fn unheard(&mut self) {
        self.is_unheard = true;
    }

    /// Stops it with all its processes until it is written to.
    pub fn freeze(&mut self) {
        if self.stopped.is_none() {
            self.leash.freeze();
            self.stopped = Some(StoppedTime::now());
        }
    }

    /// Throws away everything the engine has said so far, without waiting.
    pub(crate) fn discard(&mut self) {
        self.lines.clear();
        // Bounded: an engine that floods must not keep the runner here.
        for _ in 0..64 {
            if !self.is_unheard {
                break;
            }
            self.throw_away();
        }
        self.noise = 0;
    }

    /// Reads once and throws it away.
    fn throw_away(&mut self) {
        let mut scratch = [MaybeUninit::<u8>::uninit(); 4096];
        match rustix::io::read(&self.stdout, &mut scratch) {
            Ok((read, _)) if !read.is_empty() => self.noise += read.len(),
            Err(Errno::INTR) => {}
            // Nothing is there, or the end, which shows when it is next asked.
            _ => self.is_unheard = false,
        }
    }

    /// Writes all of `bytes`, until `until` after `begin`.
    pub fn write(&mut self, bytes: &[u8], until: Duration, begin: Instant) -> EngineWrite {
        if let Some(stopped) = self.stopped.take() {
            if let Some(overuse) = stopped.over(self.leash.whose()) {
                return EngineWrite::Closed(self.leash.end_for(overuse));
            }
            self.leash.thaw(begin + until);
            stopped::wait_until_idle(self.leash.whose());
        }
        let (mut left, mut was_full) = (bytes, false);
        self.is_slow = self.last_answer() > LONG_ANSWER;
        loop {
            match rustix::io::write(&self.stdin, left) {
                Ok(written) => {
                    left = &left[written..];
                    if left.is_empty() {
                        self.written_at = Instant::now();
                        let at = self.written_at;
                        return EngineWrite::All { at, was_full };
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    was_full = true;
                    let deadline = begin + until;
                    let (is_ready, has_ended) = {
                        let mut polled = vec![PollFd::new(&self.stdin, PollFlags::OUT)];
                        polled.extend(self.leash.poll_fd());
                        polled.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
                        poll_until(&mut polled, deadline);
                        let is_of_leash = self.leash.poll_fd().is_some();
                        (
                            !polled[0].revents().is_empty(),
                            !is_of_leash || !polled[1].revents().is_empty(),
                        )
                    };
                    self.hear_stderr();
                    if let Some(overuse) = self.overuse() {
                        return EngineWrite::Closed(self.leash.end_for(overuse));
                    }
                    if is_ready {
                        continue;
                    }
                    if has_ended && let Some(end) = self.leash.engine_end(Instant::now()) {
                        return EngineWrite::Closed(end);
                    }
                    if Instant::now() >= deadline {
                        return EngineWrite::Deadline;
                    }
                }
                Err(_) => return EngineWrite::Closed(self.how_it_ended()),
            }
        }
    }

    /// Reads the next line, until `until` after `begin`. A line that was read before the deadline is returned even if
    /// it is asked for later: its time stamp says when it came. The engine `beside` it is listened to meanwhile.
    pub fn read(&mut self, until: Duration, begin: Instant, mut beside: OtherEngine<'_>) -> EngineRead<'_> {
        let deadline = begin + until;
        // An engine that answered at once may have done so again: on one core it has run since it was written to.
        let may_have = !self.is_slow && self.lines.waiting() == 0 && self.read_at < deadline;
        if may_have || self.watch.was_left() {
            let before = self.watch.looks();
            match self.fill() {
                Ok(1..) => self.watch.heard(),
                _ => self.watch.nothing_since(before),
            }
        }
        loop {
            let line = self.lines.next_line();
            if let Some(overuse) = self.overuse() {
                return EngineRead::Closed(self.leash.end_for(overuse));
            }
            if let Some((from, to)) = line {
                self.is_unheard = true;
                return EngineRead::Line(self.line(from, to));
            }
            // A flood must not hide the deadline: what was read last came after it.
            if self.read_at >= deadline {
                return EngineRead::Deadline;
            }
            if self.is_slow || self.watch.is_on() {
                self.watch.silence();
            }
            let look = self.watch.look().map_or(deadline, |look| look.min(deadline));
            let look = beside.look().map_or(look, |at| at.min(look));
            let woken = self.wait(beside.again(), look);
            if woken.stdout {
                let read = self.fill();
                self.watch.heard();
                match read {
                    Err(Errno::INTR | Errno::AGAIN) | Ok(1..) => continue,
                    Ok(0) | Err(_) => match self.lines.last_line() {
                        Some((from, to)) => return EngineRead::Line(self.line(from, to)),
                        None => return EngineRead::Closed(self.how_it_ended()),
                    },
                }
            }
            self.watch.nothing_since(None);
            if woken.stderr {
                self.hear_stderr();
            }
            if look < deadline {
                beside.again().settle();
                if self.watch.look().is_some_and(|look| Instant::now() >= look) {
                    self.watch.take(self.leash.whose());
                    beside.again().watch();
                }
            }
            if woken.leash
                && let Some(end) = self.leash.engine_end(Instant::now())
            {
                // Its last words may still be in the pipe, and lack their line end.
                let read = self.fill();
                self.watch.heard();
                if !matches!(read, Ok(1..)) {
                    return match self.lines.last_line() {
                        Some((from, to)) => EngineRead::Line(self.line(from, to)),
                        None => EngineRead::Closed(end),
                    };
                }
            }
            if Instant::now() >= deadline {
                self.watch.leave();
                return EngineRead::Deadline;
            }
        }
    }

    fn line(&self, from: usize, to: usize) -> EngineLine<'_> {
        EngineLine {
            text: &self.lines.text()[from..to],
            at: self.read_at,
            late: self.watch.late(),
        }
    }

    /// Reads once; 0 at the end.
    fn fill(&mut self) -> rustix::io::Result<usize> {
        let read = rustix::io::read(&self.stdout, spare_capacity(self.lines.room(CHUNK)));
        self.read_at = match read {
            // Nothing was there, which says nothing new.
            Err(Errno::INTR | Errno::AGAIN) => return read,
            _ => Instant::now(),
        };
        self.output.add(read.unwrap_or(0), self.read_at);
        read
    }

    /// The volume beyond what it may say, if any.
    fn overuse(&self) -> Option<Overuse> {
        let too_long = || {
            self.lines.too_long().map(|bytes| Overuse {
                resource: Resource::Line,
                used: bytes as u64,
                limit: self.lines.longest() as u64,
            })
        };
        let of_flows = self.output.over().or_else(|| self.errors.over());
        of_flows.or_else(too_long)
    }

    /// Waits until there is something to read, or until the deadline.
    fn wait(&mut self, beside: OtherEngine<'_>, deadline: Instant) -> Woken {
        let (woken, said) = {
            let output = beside.output();
            let nothing = || PollFd::new(&self.stdout, PollFlags::empty());
            let leash = self.leash.poll_fd();
            let stderr = self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN));
            let (has_leash, has_stderr) = (leash.is_some(), stderr.is_some());
            let mut polled = [
                PollFd::new(&self.stdout, PollFlags::IN),
                leash.unwrap_or_else(nothing),
                stderr.unwrap_or_else(nothing),
                match output {
                    Some(output) => PollFd::new(output, PollFlags::IN),
                    None => nothing(),
                },
            ];
            // An engine known to have ended is not waited for.
            let until = if has_leash { deadline } else { Instant::now() };
            let any = poll_until(&mut polled[..if output.is_some() { 4 } else { 3 }], until);
            let is_ready = |at: usize| any && !polled[at].revents().is_empty();
            let woken = Woken {
                stdout: is_ready(0),
                leash: !has_leash || is_ready(1),
                stderr: has_stderr && is_ready(2),
            };
            (woken, output.is_some().then(|| polled[3].revents()))
        };
        if let Some(said) = said {
            beside.hear(said);
        }
        woken
    }

    /// Reads standard error, and keeps its last part.
    fn hear_stderr(&mut self) {
        let mut chunk = [MaybeUninit::<u8>::uninit(); 16 * 1024];
        let Some(stderr) = &self.stderr else { return };
        match rustix::io::read(stderr, &mut chunk) {
            Ok((read, _)) if !read.is_empty() => {
                let at = Instant::now();
                self.errors.add(read.len(), at);
                self.last_words.add(read, at);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(_) | Err(_) => self.stderr = None,
        }
    }

    /// How the engine ended after a pipe broke, if it did; its keeper says so a moment later.
    fn how_it_ended(&mut self) -> EngineEnd {
        self.leash
            .engine_end(Instant::now() + MOMENT)
            .unwrap_or(EngineEnd::ClosedPipe)
    }

    /// The last part of what the engine wrote to standard error since the last call.
    pub(crate) fn take_stderr(&mut self) -> EngineStderr {
        self.hear_stderr_out(Instant::now());
        self.last_words.take()
    }

    /// What the engine wrote to standard error and nobody has taken; it stays.
    pub(crate) fn stderr_so_far(&mut self) -> Vec<u8> {
        self.hear_stderr_out(Instant::now());
        self.last_words.so_far().to_vec()
    }

    /// The alarms in standard error since the last call; the rest of it stays.
    pub(crate) fn take_alarms(&mut self) -> Vec<HeardAlarm> {
        if self.last_words.has_alarms() {
            self.hear_stderr_out(Instant::now());
        }
        self.last_words.take_alarms()
    }

    /// Reads standard error until nothing is there, waiting for its end until `until`. Bounded.
    fn hear_stderr_out(&mut self, until: Instant) {
        for _ in 0..64 {
            let Some(stderr) = &self.stderr else { break };
            if !poll_until(&mut [PollFd::new(stderr, PollFlags::IN)], until) {
                break;
            }
            self.hear_stderr();
        }
    }

    /// Ends engines, all at the same time: first `quit` and some grace. When this returns nothing of their trees is
    /// left. Returns the alarms that each gave meanwhile.
    pub fn dismiss(mut engines: Vec<Self>) -> Vec<Vec<HeardAlarm>> {
        let begin = Instant::now();
        let told: Vec<bool> = engines
            .iter_mut()
            // An engine that does not even take its `quit` is not waited for.
            .map(|engine| matches!(engine.write(b"quit\n", Duration::ZERO, begin), EngineWrite::All { .. }))
            .collect();
        for (engine, told) in engines.iter_mut().zip(told) {
            if told {
                // Its output is drained, or a talkative engine could not end.
                let grace = engine.quit_grace;
                while let EngineRead::Line(..) = engine.read(grace, begin, OtherEngine::Nobody) {}
                let _ = engine.leash.engine_end(begin + grace);
            }
        }
        let alarms = engines.iter_mut().map(Self::take_alarms).collect();
        // Their keepers end the rest, all at the same time.
        for engine in &mut engines {
            engine.leash.loosen();
        }
        alarms
    }

    /// The most memory that all its processes together have had since its start, in bytes; `None` if no control group
    /// counts that.
    pub(crate) fn memory_peak(&mut self) -> Option<u64> {
        self.leash.memory_peak()
    }

    /// True if the kernel ended it for lack of memory although it held no more than `share`.
    pub(crate) fn was_ended_for_others(&mut self, share: u64) -> bool {
        self.leash.was_ended_for_others() && self.memory_peak().is_some_and(|peak| peak < share)
    }

    /// Ends the engine at once with its whole tree. Returns the last part of its standard error.
    pub fn end(mut self) -> EngineStderr {
        self.leash.let_go();
        // With the tree gone standard error has an end, unless something escaped to the guard.
        self.hear_stderr_out(Instant::now() + Duration::from_millis(100));
        self.last_words.take()
    }
}

/// What there is to read.
#[derive(Clone, Copy)]
struct Woken {
    stdout: bool,
    leash: bool,
    stderr: bool,
}
