//! A side that is asked over the network: the broker alone says what of the time until its answer was the service's, and whether there
//! is an answer.
//!
//! What is the service's is off the clock: an answer is judged and charged by the rest. While there is none it moves the deadline, as
//! part of the doubt. May not: know why the service took it.

use std::time::Duration;

use super::{Game, micros};
use crate::record::AttemptEnd;

/// What the broker says of an answer.
#[derive(Debug)]
pub(super) struct OfService {
    /// How much of the time until it was the service's.
    pub time: Duration,
    /// How the attempt ended, where there is no answer to judge.
    pub end: Option<AttemptEnd>,
}

impl Game {
    /// Tells what the broker says of the answer that comes next, an [`Input::Line`](super::Input::Line), of a side that is asked over the
    /// network: how much of the time until it was the service's, and how the attempt ended where there is no answer to judge.
    pub fn of_service(&mut self, service: Duration, end: Option<AttemptEnd>) {
        self.of_service = Some(OfService { time: service, end });
    }

    /// What of the time until an answer was the side's own; no more than that was the service's.
    pub(super) fn own_time(&mut self, waited: Duration) -> Duration {
        let Some(of_service) = &mut self.of_service else {
            return waited;
        };
        of_service.time = of_service.time.min(waited);
        waited - of_service.time
    }

    /// A move has been recorded: so is what of the time until it was the service's.
    pub(super) fn took_of_service(&mut self) {
        if let Some(time) = self.service_took() {
            self.record.service_us.resize(self.record.plies() - 1, None);
            self.record.service_us.push(Some(time));
        }
    }

    /// What of the time until the answer that has been judged was the service's, in microseconds, where any was.
    pub(super) fn service_took(&mut self) -> Option<u64> {
        let of_service = self.of_service.take()?;
        Some(micros(of_service.time)).filter(|time| *time > 0)
    }
}
