//! The volume that comes through a pipe of an engine, against what is allowed.

use std::time::{Duration, Instant};

use swissmatch_game::resource::{Overuse, Resource};

const SECOND: Duration = Duration::from_secs(1);

/// What has come through a pipe in the present second, which begins with the first byte after the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    resource: Resource,
    /// The bytes that may come within a second.
    limit: u64,
    since: Instant,
    bytes: u64,
    over: Option<Overuse>,
}

impl Flow {
    pub(super) fn new(resource: Resource, limit: u64) -> Self {
        Self {
            resource,
            limit,
            since: Instant::now(),
            bytes: 0,
            over: None,
        }
    }

    /// Adds bytes that came.
    pub(super) fn add(&mut self, bytes: usize, at: Instant) {
        if at.saturating_duration_since(self.since) >= SECOND {
            (self.since, self.bytes) = (at, 0);
        }
        self.bytes += bytes as u64;
        if self.bytes > self.limit {
            self.over.get_or_insert(Overuse {
                resource: self.resource,
                used: self.bytes,
                limit: self.limit,
            });
        }
    }

    /// The first overuse, if there was any.
    pub(super) const fn over(&self) -> Option<Overuse> {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_counted_by_the_second() {
        let mut flow = Flow::new(Resource::Output, 100);
        let begin = Instant::now();
        for tenth in 0..100 {
            flow.add(10, begin + tenth * Duration::from_millis(100));
        }
        assert_eq!(flow.over(), None);
        let late = begin + Duration::from_secs(60);
        flow.add(60, late);
        flow.add(41, late + Duration::from_millis(999));
        let over = Overuse {
            resource: Resource::Output,
            used: 101,
            limit: 100,
        };
        assert_eq!(flow.over(), Some(over));
        flow.add(1000, late + Duration::from_secs(2));
        assert_eq!(flow.over(), Some(over), "the first time counts");
    }
}
