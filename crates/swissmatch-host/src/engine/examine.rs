//! An engine outside games: asked by itself, measured, and watched as it quits.
//!
//! May not: judge what it finds.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::{Engine, EngineRead, EngineWrite, OtherEngine};
use crate::family;
use swissmatch_game::record::EngineEnd;

/// How long processes left by an engine may take to end by themselves: children that see a pipe close.
const AFTERWARDS: Duration = Duration::from_millis(200);
/// How many names of processes are kept.
const KEPT_NAMES: usize = 20;

/// The result of asking an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineAnswer<T> {
    /// The answer, and how long it took.
    Answered(T, Duration),
    /// No answer within the limit.
    Deadline,
    /// The engine or a pipe to it has gone.
    Closed(EngineEnd),
}

/// How an engine took its `quit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quit {
    /// How it ended; `None` if not within the grace.
    pub end: Option<EngineEnd>,
    pub took: Duration,
    /// The names of processes that it left behind, as they call themselves.
    pub left: Vec<String>,
}

impl Engine {
    /// Writes lines and reads until `answer` finds what it waits for, within the limit.
    pub fn ask<T>(
        &mut self,
        lines: &[u8],
        limit: Duration,
        mut answer: impl FnMut(&[u8]) -> Option<T>,
    ) -> EngineAnswer<T> {
        let begin = Instant::now();
        match self.write(lines, limit, begin) {
            EngineWrite::All { .. } => {}
            EngineWrite::Deadline => return EngineAnswer::Deadline,
            EngineWrite::Closed(end) => return EngineAnswer::Closed(end),
        }
        loop {
            match self.read(limit, begin, OtherEngine::Nobody) {
                EngineRead::Line(line) => {
                    if let Some(answer) = answer(line.text) {
                        return EngineAnswer::Answered(answer, line.at.saturating_duration_since(begin));
                    }
                }
                EngineRead::Deadline => return EngineAnswer::Deadline,
                EngineRead::Closed(end) => return EngineAnswer::Closed(end),
            }
        }
    }

    /// The most memory that its living processes have had, in bytes: the sum of their peaks (`VmHWM`).
    pub fn peak_memory(&self) -> u64 {
        let tree = family::descendants(self.leash.whose().keeper);
        tree.into_iter().filter_map(peak_of).sum()
    }

    /// Tells it to quit, gives it its grace, looks at what it leaves behind, and ends that.
    pub fn quit(mut self) -> Quit {
        let begin = Instant::now();
        let grace = self.quit_grace;
        if matches!(self.write(b"quit\n", grace, begin), EngineWrite::All { .. }) {
            // Its output is drained, or a talkative engine could not end.
            while let EngineRead::Line(..) = self.read(grace, begin, OtherEngine::Nobody) {}
        }
        let end = self.leash.engine_end(begin + grace);
        let took = begin.elapsed();
        let until = Instant::now() + AFTERWARDS;
        let mut left = self.left_behind();
        while end.is_some() && !left.is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
            left = self.left_behind();
        }
        Quit { end, took, left }
    }

    fn left_behind(&self) -> Vec<String> {
        let tree = family::descendants(self.leash.whose().keeper)
            .into_iter()
            .take(KEPT_NAMES);
        tree.filter_map(name_of).collect()
    }
}

/// The name of a process; `None` if it has ended, even if it has not been reaped.
fn name_of(pid: Pid) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // PID (NAME) STATE …; a name may hold anything, even parentheses.
    let (begin, rest) = stat.rsplit_once(") ")?;
    (!rest.starts_with('Z')).then(|| begin.split_once('(').map_or("", |(_, name)| name).to_owned())
}

/// `VmHWM` of a process, in bytes.
fn peak_of(pid: Pid) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
