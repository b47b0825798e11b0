//! How fast the machine is, and what else keeps it busy: a reference bench before the first game and now and then
//! during games.
//!
//! The bench is measured by the processor time of its own thread, so that it tells how fast the processor is, not
//! whether it was free. May not: say what that means for games.

use std::hint::black_box;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::threads;
use super::topology::Topology;
use swissmatch_tournament::noise::Noise;

/// The time between two samples during games. A sample takes about [`LOOK`] of one processor.
const EVERY: Duration = Duration::from_secs(20);
/// The processor time of a sample.
const LOOK: Duration = Duration::from_millis(20);
/// The number of samples before the first game; their median counts.
const BEFORE: usize = 5;
/// How many numbers the bench goes through: as much memory as a processor's second-level cache.
const NUMBERS: usize = 1 << 15;
/// Steps of the bench between two readings of the clock.
const STEPS: u64 = 10_000;
/// Shares are in thousandths.
const WHOLE: u64 = 1000;

/// Samples the machine until it is told to end.
#[derive(Debug)]
pub struct NoiseWatch {
    before: Option<u64>,
    load: Option<u64>,
    ticks: Option<Ticks>,
    /// Dropping it ends the thread.
    goes_on: SyncSender<()>,
    looks: JoinHandle<Vec<u64>>,
}

impl NoiseWatch {
    /// Begins to sample, before the first game.
    ///
    /// # Errors
    /// The machine has no thread for it.
    pub fn begin() -> io::Result<Self> {
        let load = load();
        let mut bench = Bench::new();
        let before = median((0..BEFORE).filter_map(|_| bench.look()).collect());
        let (goes_on, ends) = mpsc::sync_channel(0);
        let looks = threads::start("noise", move || {
            let mut looks = Vec::new();
            while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(EVERY) {
                looks.extend(bench.look());
            }
            looks
        })?;
        Ok(Self {
            before,
            load,
            ticks: Ticks::now(),
            goes_on,
            looks,
        })
    }

    pub fn end(self) -> Noise {
        drop(self.goes_on);
        let steal = self
            .ticks
            .zip(Ticks::now())
            .map(|(before, now)| now.steal_since(before));
        Noise {
            before: self.before,
            during: self.looks.join().ok().and_then(median),
            steal,
            load: self.load,
            shared: is_shared(),
        }
    }
}

/// The reference bench: steps of a random walk through numbers.
#[derive(Debug)]
struct Bench {
    numbers: Vec<u64>,
    at: u64,
}

impl Bench {
    fn new() -> Self {
        Self {
            numbers: (1..=NUMBERS as u64).collect(),
            at: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Steps per microsecond of processor time; `None` if the clock stands still.
    fn look(&mut self) -> Option<u64> {
        let began = thread_time();
        let mut steps = 0;
        loop {
            for _ in 0..STEPS {
                self.step();
            }
            steps += STEPS;
            let took = thread_time().checked_sub(began)?;
            if took >= LOOK {
                black_box(&self.numbers);
                return u64::try_from(u128::from(steps) * WHOLE as u128 / took.as_micros()).ok();
            }
        }
    }

    fn step(&mut self) {
        // Xorshift by G. Marsaglia.
        self.at ^= self.at << 13;
        self.at ^= self.at >> 7;
        self.at ^= self.at << 17;
        let place = (self.at % NUMBERS as u64) as usize;
        self.numbers[place] = self.numbers[place].wrapping_mul(self.at | 1).rotate_left(9);
    }
}

/// Processor time of this thread.
pub(super) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or_default());
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// What the processors have done since the machine was started, in ticks.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    all: u64,
    stolen: u64,
}

impl Ticks {
    fn now() -> Option<Self> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        Self::read(&text)
    }

    /// The first line: user, nice, system, idle, iowait, irq, softirq, steal; proc(5). Guests are also counted as
    /// users.
    fn read(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let numbers: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        Some(Self {
            all: numbers.iter().take(8).sum(),
            stolen: *numbers.get(7)?,
        })
    }

    /// In thousandths.
    fn steal_since(self, before: Self) -> u64 {
        let all = self.all.saturating_sub(before.all);
        let stolen = self.stolen.saturating_sub(before.stolen);
        (stolen * WHOLE).checked_div(all).unwrap_or_default()
    }
}

/// Running processes per core over the last minute, in thousandths.
fn load() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let (whole, parts) = text.split_whitespace().next()?.split_once('.')?;
    let hundredths = whole.parse::<u64>().ok()? * 100 + format!("{parts:0<2}").get(..2)?.parse::<u64>().ok()?;
    let cores = Topology::of_this_machine().ok()?.cores() as u64;
    (hundredths * 10).checked_div(cores)
}

/// True if this is a hosted CI machine, by the variables that GitHub and GitLab set on theirs.
pub fn is_shared() -> bool {
    let is = |name, value: &str| std::env::var_os(name).is_some_and(|is| is == value);
    is("RUNNER_ENVIRONMENT", "github-hosted") || is("CI_SHARED_ENVIRONMENT", "true")
}

fn median(mut looks: Vec<u64>) -> Option<u64> {
    looks.sort_unstable();
    looks.get(looks.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_read() {
        let text = "cpu  10 0 20 900 5 0 5 60 7 0\ncpu0 1 2 3\n";
        let ticks = Ticks::read(text).expect("as proc(5) has it");
        assert_eq!((ticks.all, ticks.stolen), (1000, 60));
        let later = Ticks { all: 2000, stolen: 110 };
        assert_eq!(later.steal_since(ticks), 50);
        assert_eq!(ticks.steal_since(ticks), 0);
        assert!(Ticks::read("").is_none() && Ticks::read("cpu 1 2\n").is_none());
    }

    #[test]
    fn this_machine_is_looked_at() {
        let watch = NoiseWatch::begin().expect("a thread");
        let noise = watch.end();
        assert!(noise.before.expect("a bench") > 0);
        assert_eq!(noise.during, None, "nothing was looked at so early");
        assert!(noise.steal.is_some_and(|steal| steal <= WHOLE) && noise.load.is_some());
    }
}
