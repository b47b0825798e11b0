//! The machine's resources that an agent may use up, and what it used if that was too much.
//!
//! May not: measure; that is `shell`.

use std::fmt;

use crate::doubt::seconds;
use serde::{Deserialize, Serialize};
use swiss_system::count;
use swiss_system::word::words;

/// A limited resource, with the key of its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Bytes of memory, `engine.max_memory`.
    Memory,
    /// Processes and threads, `engine.max_processes`.
    Processes,
    /// Bytes put on a disk, `engine.max_disk`.
    Disk,
    /// Bytes of output per second, `engine.max_output`.
    Output,
    /// Bytes of one line, `engine.max_line`.
    Line,
    /// Bytes of standard error per second, `engine.max_stderr`.
    StandardError,
    /// Declared UCI options, `engine.max_options`.
    Options,
    /// Bytes of its introduction and of its declarations of options, `engine.max_introduction`.
    Introduction,
    /// Processes and directories that cannot be looked at, of which there may be none: what they hold is limited by
    /// `engine.max_memory` and `engine.max_disk`.
    Unseen,
    /// Microseconds of processor time while it was stopped for the other side's turn, `game.freeze`.
    OffTurn,
}

words!(Resource {
    Memory => "memory",
    Processes => "processes",
    Disk => "disk",
    Output => "output",
    Line => "line",
    StandardError => "standard-error",
    Options => "options",
    Introduction => "introduction",
    Unseen => "unseen",
    OffTurn => "off-turn",
});

impl Resource {
    /// As the object of "its limit on".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Processes => "processes and threads",
            Self::Disk => "what it writes to disk",
            Self::Output => "output a second",
            Self::Line => "the length of a line",
            Self::StandardError => "standard error a second",
            Self::Options => "UCI options",
            Self::Introduction => "the length of its introduction",
            Self::Unseen => "what cannot be measured",
            Self::OffTurn => "processor time while it is stopped",
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            Self::Memory => "engine.max_memory",
            Self::Processes => "engine.max_processes",
            Self::Disk => "engine.max_disk",
            Self::Output => "engine.max_output",
            Self::Line => "engine.max_line",
            Self::StandardError => "engine.max_stderr",
            Self::Options => "engine.max_options",
            Self::Introduction => "engine.max_introduction",
            Self::Unseen => "engine.max_memory, engine.max_disk",
            Self::OffTurn => "game.freeze",
        }
    }
}

/// Use of a resource beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overuse {
    pub resource: Resource,
    /// What was used when that was seen: bytes, microseconds or a number.
    pub used: u64,
    /// The limit, in the same unit.
    pub limit: u64,
}

impl fmt::Display for Overuse {
    /// The rest of a sentence about an agent: "used 612.0 MiB of memory, over its limit of 512.0 MiB
    /// (engine.max_memory)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (used, limit) = match self.resource {
            Resource::Processes | Resource::Options => (self.used.to_string(), self.limit.to_string()),
            // Both would look alike.
            _ if bytes(self.used) == bytes(self.limit) => {
                (format!("{} bytes", self.used), format!("{} bytes", self.limit))
            }
            _ => (bytes(self.used), bytes(self.limit)),
        };
        match self.resource {
            Resource::Memory => write!(f, "used {used} of memory"),
            Resource::Processes => write!(f, "had {used} processes and threads"),
            Resource::Disk => write!(f, "wrote {used} to disk"),
            Resource::Output => write!(f, "wrote {used} to its output within a second"),
            Resource::Line => write!(f, "wrote a line of {used} or more"),
            Resource::StandardError => write!(f, "wrote {used} to standard error within a second"),
            Resource::Options => write!(f, "declared {used} UCI options or more"),
            Resource::Introduction => write!(f, "sent an introduction of {used} or more"),
            Resource::OffTurn => {
                let (used, limit) = (seconds(self.used), seconds(self.limit));
                write!(f, "ran for {used} while it was stopped for its opponent's turn")?;
                return write!(f, ", over its limit of {limit} ({})", self.resource.key());
            }
            Resource::Unseen => {
                let hidden = count::of(self.used, "process or directory", "processes and directories");
                let key = self.resource.key();
                return write!(
                    f,
                    "had {hidden} whose use of memory and disk cannot be measured, and may have none ({key})"
                );
            }
        }?;
        write!(f, ", over its limit of {limit} ({})", self.resource.key())
    }
}

/// A number of bytes for people: in binary units, to a tenth.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} bytes");
    }
    let mut unit = 0;
    let mut tenths = u128::from(count) * 10 / 1024;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// Every limit on what one agent may use, in bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Memory of all its processes together; `None` for as much as the machine gives.
    pub memory: Option<u64>,
    /// A number of processes and threads.
    pub processes: u64,
    /// Written to disk by one engine.
    pub disk: u64,
    /// Output within a second.
    pub output: u64,
    /// Length of one line.
    pub line: u64,
    /// Standard error within a second.
    pub standard_error: u64,
    /// A number of UCI options.
    pub options: u64,
    /// The kept part of the text before `uciok`.
    pub introduction: u64,
}

impl fmt::Display for Allowance {
    /// The limits of one engine: "200.0 MiB of memory, 1024 processes and threads, …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.memory {
            Some(memory) => write!(f, "{} of memory", bytes(memory)),
            None => write!(f, "half of the machine's memory"),
        }?;
        write!(
            f,
            ", {} processes and threads, {} written to disk, {} of output and {} of standard error a second, lines of {}",
            self.processes,
            bytes(self.disk),
            bytes(self.output),
            bytes(self.standard_error),
            bytes(self.line)
        )
    }
}

impl Allowance {
    pub const UNLIMITED: Self = Self {
        memory: None,
        processes: u64::MAX,
        disk: u64::MAX,
        output: u64::MAX,
        line: u64::MAX,
        standard_error: u64::MAX,
        options: u64::MAX,
        introduction: u64::MAX,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_in_the_unit_that_fits() {
        let cases = [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (642_000_000, "612.2 MiB"),
            (5 << 30, "5.0 GiB"),
            (u64::MAX, "16777215.9 TiB"),
        ];
        for (count, expected) in cases {
            assert_eq!(bytes(count), expected);
        }
    }

    #[test]
    fn what_was_too_much_is_told_with_the_limit_and_its_key() {
        let told = |resource, used, limit| Overuse { resource, used, limit }.to_string();
        assert_eq!(
            told(Resource::Memory, 612 << 20, 512 << 20),
            "used 612.0 MiB of memory, over its limit of 512.0 MiB (engine.max_memory)"
        );
        assert_eq!(
            told(Resource::Processes, 600, 512),
            "had 600 processes and threads, over its limit of 512 (engine.max_processes)"
        );
        assert_eq!(
            told(Resource::Line, 65_537, 65_536),
            "wrote a line of 65537 bytes or more, over its limit of 65536 bytes (engine.max_line)"
        );
        assert_eq!(
            told(Resource::Unseen, 1, 0),
            "had 1 process or directory whose use of memory and disk cannot be measured, and may have none \
             (engine.max_memory, engine.max_disk)"
        );
    }
}
