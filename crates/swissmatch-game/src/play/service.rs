//! A side that is asked over the network: the broker alone says what part of the time until its answer was the
//! service's, and whether there is an answer.
//!
//! The service's part is off the clock: an answer is judged and charged by the rest. Until there is an answer, that
//! part moves the deadline, as part of the doubt. May not: know why the service took it.

use std::time::Duration;

use super::{Game, micros};
use crate::record::AttemptEnd;

/// What the broker says about an answer.
#[derive(Debug)]
pub(super) struct OfService {
    /// The service's part of the time until the answer.
    pub time: Duration,
    /// How the attempt ended, if there is no answer to judge.
    pub end: Option<AttemptEnd>,
}

impl Game {
    /// Tells what the broker says about the next answer, an [`Input::Line`](super::Input::Line), of a side that is
    /// asked over the network: the service's part of the time until it and, if there is no answer to judge, how the
    /// attempt ended.
    pub fn of_service(&mut self, service: Duration, end: Option<AttemptEnd>) {
        self.of_service = Some(OfService { time: service, end });
    }

    /// The side's own part of the time until an answer; the service's part cannot be longer than that time.
    pub(super) fn own_time(&mut self, waited: Duration) -> Duration {
        let Some(of_service) = &mut self.of_service else {
            return waited;
        };
        of_service.time = of_service.time.min(waited);
        waited - of_service.time
    }

    /// Records the service's part of the time of a move that has been recorded.
    pub(super) fn took_of_service(&mut self) {
        if let Some(time) = self.service_took() {
            self.record.service_us.resize(self.record.plies() - 1, None);
            self.record.service_us.push(Some(time));
        }
    }

    /// The service's part, in microseconds, of the time until the answer that has been judged, if any.
    pub(super) fn service_took(&mut self) -> Option<u64> {
        let of_service = self.of_service.take()?;
        Some(micros(of_service.time)).filter(|time| *time > 0)
    }
}
