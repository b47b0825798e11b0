//! What engines used beside their moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An engine's processor time while the other side was to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffTurn {
    /// Processor time of all its threads, in microseconds.
    pub processor_us: u64,
    /// The time over which that was measured, in microseconds; moves that are over in an instant leave no time to
    /// measure.
    pub measured_us: u64,
}

impl OffTurn {
    pub fn new(processor: Duration, measured: Duration) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            processor_us: micros(processor),
            measured_us: micros(measured),
        }
    }
}

/// The traffic through an agent's door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoorUse {
    pub connections: u64,
    pub refused: u64,
    /// Bytes that the agent sent to the network.
    pub sent: u64,
    /// Bytes that it received from there.
    pub received: u64,
}

impl DoorUse {
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            connections: self.connections + other.connections,
            refused: self.refused + other.refused,
            sent: self.sent + other.sent,
            received: self.received + other.received,
        }
    }

    /// The difference to an earlier count.
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
