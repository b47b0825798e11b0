//! Time controls in logs: the canonical text; in logs of version 0.1 an object.
//!
//! May not: take what the text form would refuse.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Clock, Limit, TimeControl};

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Old(Old),
}

/// As logs of version 0.1 have it.
#[derive(Deserialize)]
enum Old {
    MoveTime(Duration),
    Clock {
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
    },
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match Stored::deserialize(deserializer)? {
            Stored::Text(text) => text,
            Stored::Old(old) => Self::from(Limit::from(old)).to_string(),
        };
        text.parse().map_err(D::Error::custom)
    }
}

impl From<Old> for Limit {
    fn from(old: Old) -> Self {
        match old {
            Old::MoveTime(limit) => Self::MoveTime(limit),
            Old::Clock { moves, base, increment } => Self::Clock(Clock {
                moves,
                increment,
                ..Clock::sudden_death(base)
            }),
        }
    }
}
