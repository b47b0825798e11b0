//! Time of a move that may not be the engine's: what the machine and the runner took of it, and how much of that counts.
//!
//! The doubt of a time is the sum of three: how long the runner, when it could have read the answer, waited for a
//! processor; pauses of the runner; and how long the mover's threads waited for one. Of the last, the longest wait of
//! one thread counts or, if they waited in turn, the waits of all of them divided by the threads that the agent
//! declares. "Nobody may burn itself time": what the mover's processes ran and waited for beyond their threads × the
//! time is subtracted, twice if they waited in turn; from the longest wait no more than they ran is subtracted, since
//! a process that only waits takes nothing from anybody. An agent of one thread is then in time by its waits alone
//! only if all its processes ran for no longer than its limit.
//!
//! Processor time that the other side uses does not reduce the mover's doubt. Otherwise an agent that keeps threads
//! busy while its opponent thinks would win on time. Nor does the subtraction cancel the wait as a whole once it is
//! as large: with all or nothing, an agent's own thread that keeps the thinking one waiting for a little less would
//! give it the whole wait.
//!
//! May not: measure.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Shorter times are shown to the microsecond.
const FEW_US: u64 = 100_000;

/// Measurements of a period, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeasuredTime {
    /// How long the runner, when it could have read the answer, waited for a processor or looked into the time so
    /// far.
    pub reader: Duration,
    /// How long the runner was stopped.
    pub pauses: Duration,
    /// The longest wait of one thread of the mover for a processor.
    pub longest_wait: Duration,
    /// The waits of all its threads together.
    pub waits: Duration,
    /// How long the mover's threads ran.
    pub ran: Duration,
    /// How long the threads of the other side ran.
    pub rested: Duration,
    /// The service's part, if the mover is asked over the network; all of it counts.
    pub service: Duration,
}

/// The doubt of a time, with its figures, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// How long the runner, when it could have read the answer, waited for a processor or looked into the time so
    /// far.
    pub reader_us: u64,
    /// How long the runner was stopped.
    pub pauses_us: u64,
    /// The longest wait of one thread of the mover for a processor.
    pub longest_wait_us: u64,
    /// The waits of all its threads together.
    pub waits_us: u64,
    /// How long the mover's threads ran.
    pub ran_us: u64,
    /// The number of threads that the mover declares.
    pub threads: u32,
    /// How long the threads of the other side ran; 0 if it ponders.
    pub rested_us: u64,
    /// The service's part, if nothing has come from a mover that is asked over the network.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub service_us: u64,
    /// The part that counts.
    pub doubt_us: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(time: &u64) -> bool {
    *time == 0
}

impl Doubt {
    /// The doubt of `time`, for a mover with this number of threads.
    pub fn new(measured: MeasuredTime, threads: u32, time: Duration) -> Self {
        let mut doubt = Self {
            reader_us: micros(measured.reader),
            pauses_us: micros(measured.pauses),
            longest_wait_us: micros(measured.longest_wait),
            waits_us: micros(measured.waits),
            ran_us: micros(measured.ran),
            threads: threads.max(1),
            rested_us: micros(measured.rested),
            service_us: micros(measured.service),
            doubt_us: 0,
        };
        doubt.doubt_us = doubt.counts(micros(time));
        doubt
    }

    /// The part of the figures that counts for this time.
    pub fn counts(&self, time_us: u64) -> u64 {
        let threads = u64::from(self.threads.max(1));
        let burnt = self
            .ran_us
            .saturating_add(self.waits_us)
            .saturating_sub(threads.saturating_mul(time_us));
        let of_one = self.longest_wait_us.saturating_sub(burnt.min(self.ran_us));
        // Burnt time waited at the same time, not in turn: it counts once for itself, and once for the thread that it
        // kept waiting.
        let in_turn = (self.waits_us / threads).saturating_sub(burnt.saturating_mul(2));
        self.reader_us
            .saturating_add(self.pauses_us)
            .saturating_add(of_one.max(in_turn))
            .saturating_add(self.service_us)
            .min(time_us)
    }

    /// The part that counts.
    pub const fn time(&self) -> Duration {
        Duration::from_micros(self.doubt_us)
    }

    /// The measurements, as a list.
    pub fn figures(&self) -> String {
        let parts = [
            (
                self.reader_us,
                "the runner could have read on and waited for a processor",
            ),
            (self.pauses_us, "the runner was stopped"),
            (self.waits_us, "the threads of the engine waited for a processor"),
            (self.longest_wait_us, "the longest wait of one of them"),
            (self.ran_us, "they ran"),
            (self.rested_us, "the threads of the other side ran"),
            (self.service_us, "the service took"),
        ];
        let known = parts.iter().filter(|(time, _)| *time > 0);
        let known: Vec<String> = known.map(|(time, what)| format!("{what} {}", seconds(*time))).collect();
        match known.is_empty() {
            true => "nothing was found".to_owned(),
            false => format!("{}; threads declared: {}", known.join(", "), self.threads),
        }
    }
}

/// Seconds with three decimals; short times with six.
pub fn seconds(us: u64) -> String {
    if us < FEW_US {
        return format!("{}.{:06} s", us / 1_000_000, us % 1_000_000);
    }
    let ms = us.saturating_add(500) / 1000;
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn figures_add_up() {
        let quiet = MeasuredTime {
            reader: ms(3),
            pauses: ms(20),
            longest_wait: ms(100),
            waits: ms(100),
            ran: ms(200),
            rested: ms(9),
            ..MeasuredTime::default()
        };
        assert_eq!(Doubt::new(quiet, 1, ms(400)).time(), ms(123));
        // A helper's wait, then that of the thread that searches.
        let in_turn = MeasuredTime {
            waits: ms(140),
            ..quiet
        };
        assert_eq!(Doubt::new(in_turn, 1, ms(400)).time(), ms(163));
        // Four threads that waited at the same time.
        let at_once = MeasuredTime {
            waits: ms(400),
            ran: ms(1_200),
            ..quiet
        };
        assert_eq!(Doubt::new(at_once, 4, ms(400)).time(), ms(123));
        assert_eq!(Doubt::new(MeasuredTime::default(), 1, ms(400)).time(), ms(0));
    }

    /// Two threads wait for a machine that has much else to do: one to hear the question, one to think.
    #[test]
    fn threads_that_only_wait_take_nothing() {
        let waiting = MeasuredTime {
            longest_wait: ms(56),
            waits: ms(112),
            ran: ms(1),
            ..MeasuredTime::default()
        };
        assert_eq!(Doubt::new(waiting, 1, ms(57)).time(), ms(55));
    }

    /// Eight threads burn beside the one that thinks, on two processors: none of their waits counts.
    #[test]
    fn nobody_burns_itself_time() {
        let burning = MeasuredTime {
            longest_wait: ms(310),
            waits: ms(9 * 400 - 800),
            ran: ms(800),
            ..MeasuredTime::default()
        };
        assert_eq!(Doubt::new(burning, 1, ms(400)).time(), ms(0));
        // One thread beside it, made to keep it waiting for almost all the time.
        let two = MeasuredTime {
            longest_wait: ms(390),
            waits: ms(390),
            ran: ms(400),
            ..MeasuredTime::default()
        };
        assert_eq!(Doubt::new(two, 1, ms(400)).time(), ms(0));
    }

    proptest! {
        /// An agent that is in time by its waits alone ran no longer than its limit, whatever it did with its
        /// threads; with more declared threads, each but one may have run all the time.
        #[test]
        fn processor_time_cannot_be_gained(
            threads in proptest::collection::vec((0..500_u64, 0..500_u64), 1..9),
            declared in 1..5_u32,
            limit in 1..500_u64,
        ) {
            let time = threads.iter().map(|(ran, waited)| ran + waited).max().unwrap_or(0);
            let ran: u64 = threads.iter().map(|(ran, _)| ran).sum();
            let measured = MeasuredTime {
                longest_wait: ms(threads.iter().map(|(_, waited)| *waited).max().unwrap_or(0)),
                waits: ms(threads.iter().map(|(_, waited)| waited).sum()),
                ran: ms(ran),
                ..MeasuredTime::default()
            };
            let doubt = Doubt::new(measured, declared, ms(time));
            if time > limit && ms(time) <= ms(limit) + doubt.time() {
                prop_assert!(ran <= limit + u64::from(declared - 1) * time, "{ran} of {time}");
            }
        }
    }
}
