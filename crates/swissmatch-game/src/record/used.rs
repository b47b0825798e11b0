//! What engines used beside their moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What an engine ran while the other side was to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffTurn {
    /// Processor time of all its threads, in microseconds.
    pub processor_us: u64,
    /// The time in which that was measured, in microseconds; moves that are over in an instant leave no time to measure.
    pub measured_us: u64,
}

impl OffTurn {
    /// So much processor time in so much time.
    pub fn new(processor: Duration, measured: Duration) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            processor_us: micros(processor),
            measured_us: micros(measured),
        }
    }
}

/// What an agent had connected by its door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoorUse {
    /// Connections that were made.
    pub connections: u64,
    /// Lines that were refused.
    pub refused: u64,
    /// Bytes of the agent that went to the network.
    pub sent: u64,
    /// Bytes that came from there.
    pub received: u64,
}

impl DoorUse {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            connections: self.connections + other.connections,
            refused: self.refused + other.refused,
            sent: self.sent + other.sent,
            received: self.received + other.received,
        }
    }

    /// What came after an earlier count.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self {
            connections: self.connections - earlier.connections,
            refused: self.refused - earlier.refused,
            sent: self.sent - earlier.sent,
            received: self.received - earlier.received,
        }
    }
}
