//! Whether an engine is several processes that may think: if nobody counts what short-lived ones run, an engine could
//! use them to keep its own thread waiting.
//!
//! A process with one thread that only waits for its one child does not count: a shell, or one that makes namespaces.
//! May not: end any process.

use std::collections::HashMap;

use rustix::process::Pid;

/// How many checks in a row must find several: a program that has just been started by another one runs beside it for a
/// while.
const IN_A_ROW: u32 = 3;

/// A process at a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessSample<T> {
    pub(crate) threads: u64,
    pub(crate) children: usize,
    /// How much it has run so far, in any unit.
    pub(crate) ran: T,
}

/// How many processes of two successive checks may have thought in between.
pub(crate) fn thinkers<T: PartialEq>(
    before: &HashMap<Pid, ProcessSample<T>>,
    now: &HashMap<Pid, ProcessSample<T>>,
) -> usize {
    let waits = |pid: &Pid, seen: &ProcessSample<T>| {
        let rested = before.get(pid).is_some_and(|before| before.ran == seen.ran);
        seen.threads == 1 && seen.children == 1 && rested
    };
    let thinking = now.iter().filter(|(pid, seen)| !waits(pid, seen)).count();
    let gone = before.keys().filter(|pid| !now.contains_key(pid)).count();
    thinking + gone
}

/// Whether several were there at some checks in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Several {
    in_a_row: u32,
    is_told: bool,
}

impl Several {
    /// Adds the result of another check; returns whether that is news.
    pub(super) const fn is_news(&mut self, thinkers: usize) -> bool {
        self.in_a_row = if thinkers > 1 { self.in_a_row + 1 } else { 0 };
        let is_news = self.in_a_row >= IN_A_ROW && !self.is_told;
        self.is_told |= is_news;
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(processes: &[(i32, u64, usize, u32)]) -> HashMap<Pid, ProcessSample<u32>> {
        let seen = processes.iter().map(|&(pid, threads, children, ran)| {
            let pid = Pid::from_raw(pid).expect("a number");
            (pid, ProcessSample { threads, children, ran })
        });
        seen.collect()
    }

    #[test]
    fn who_only_waits_for_its_one_child_does_not_count() {
        let shell_and_engine = look(&[(1, 1, 1, 5), (2, 4, 0, 7)]);
        assert_eq!(thinkers(&shell_and_engine, &look(&[(1, 1, 1, 5), (2, 4, 0, 9)])), 1);
        // It passes lines on.
        assert_eq!(thinkers(&shell_and_engine, &look(&[(1, 1, 1, 6), (2, 4, 0, 9)])), 2);
        // Another one is there, or has been.
        let more = look(&[(1, 1, 1, 5), (2, 4, 1, 7), (3, 1, 0, 1)]);
        assert_eq!(thinkers(&shell_and_engine, &more), 2);
        assert_eq!(thinkers(&more, &shell_and_engine), 2);
    }

    #[test]
    fn what_is_there_for_a_moment_is_no_news() {
        let mut several = Several::default();
        let news = [2, 2, 1, 2, 2, 2, 2].map(|thinkers| several.is_news(thinkers));
        assert_eq!(news, [false, false, false, false, false, true, false]);
    }
}
