//! How an agent is kept from everything that is not its own, in words: what an organizer asks for, and what a machine gives.
//!
//! May not: do it; that is `shell::confine`.

use crate::Side;
use serde::{Deserialize, Serialize};
use swiss_system::word::{Word as _, words};

/// What an agent may reach, `engine.isolation` and `player.isolation`; the first is the strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// `"sealed"`: a system that the agent may only read, its own program, and a scratch directory. Needs every
    /// protection.
    Sealed,
    /// `"guarded"`: what stock engines read, the agent's program, what its arguments and options name, and a scratch
    /// directory.
    Guarded,
    /// `"off"`: everything that the runner's user may reach.
    #[default]
    Off,
}

words!(Isolation {
    Sealed => "sealed",
    Guarded => "guarded",
    Off => "off",
});

impl Isolation {
    /// Advice for an agent that does not start: the usual advice, and what this isolation may keep from it.
    pub fn remedy(self, usual: &str, has_directory: bool) -> String {
        match self {
            Self::Off => usual.to_owned(),
            Self::Sealed | Self::Guarded if has_directory => format!(
                "{usual}; as it is \"{}\", it reads no more than its directory and what player.args, options and env name \
                 (docs/isolation.md)",
                self.word()
            ),
            Self::Sealed | Self::Guarded => format!(
                "{usual}; as it is \"{}\", every file that it needs has to be named in player.args, options or env, or to lie in \
                 player.dir (docs/isolation.md)",
                self.word()
            ),
        }
    }
}

/// What a machine can keep an agent from, `engine.isolation_require`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// `"files"`: files that the agent was not given.
    Files,
    /// `"network"`: sockets of every kind.
    Network,
    /// `"processes"`: signalling, tracing or opening processes of other agents or of the runner.
    Processes,
    /// `"memory"`: using more memory than it was given.
    Memory,
    /// `"pids"`: starting more processes and threads than it was given.
    Pids,
    /// `"cpu"`: cores that are not its own.
    Cpu,
    /// `"kill"`: living on after it has been ended.
    Kill,
    /// `"ipc"`: memory, queues and sockets that processes share.
    Ipc,
}

words!(Protection {
    Files => "files",
    Network => "network",
    Processes => "processes",
    Memory => "memory",
    Pids => "pids",
    Cpu => "cpu",
    Kill => "kill",
    Ipc => "ipc",
});

impl Protection {
    /// What this protection keeps an agent from.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Files => "files that it was not given",
            Self::Network => "sockets of every kind",
            Self::Processes => "processes that are not its own",
            Self::Memory => "more memory than it may have",
            Self::Pids => "more processes and threads than it may have",
            Self::Cpu => "cores that are not its own",
            Self::Kill => "living on when it is ended",
            Self::Ipc => "memory and queues that processes share",
        }
    }

    /// How to get the protection if the machine lacks it.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Files => {
                "a kernel with Landlock (Linux 5.13 or later, with landlock in /sys/kernel/security/lsm), or bubblewrap"
            }
            Self::Network | Self::Cpu => "a kernel with seccomp filters, which a container may have to allow",
            Self::Processes | Self::Kill => "bubblewrap, or a kernel whose Landlock has scopes (Linux 6.12 or later)",
            Self::Memory => "a limit on memory",
            Self::Pids => {
                "control groups that bound processes, an ordinary user with bubblewrap that may make user namespaces, or the superuser, for whom each agent has a user of its own"
            }
            Self::Ipc => "bubblewrap, or a kernel with Landlock and seccomp filters",
        }
    }
}

/// A device that an agent may use, `player.devices`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// `"gpu"`: one of `run.gpus`, for as long as the engine lives.
    Gpu,
}

words!(Device {
    Gpu => "gpu",
});

/// Something that an isolated agent seems to lack, since it does not start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lack {
    /// The key that would give it, such as `player.dir`.
    pub key: String,
    /// What shows it, and what to write, in words that follow the agent's name.
    pub why: String,
    /// The directory or file to try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gives: Option<String>,
}

/// What an agent said about a file that it could not open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnopenedFile {
    /// The agent's side, in a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The line, made harmless and short.
    pub said: String,
    /// The key that gives the file, if it lies in the agent's own directory; otherwise only the agent's words are
    /// shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lack: Option<Lack>,
}

impl UnopenedFile {
    /// Words for people that follow the agent's name.
    pub fn sentence(&self) -> String {
        let said = format!("says `{}`", self.said);
        match &self.lack {
            None => said,
            Some(lack) => format!("{said}: it {}", lack.why),
        }
    }
}

/// The isolation of one agent: what was asked for, and what the machine gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IsolatedAgent {
    pub isolation: Isolation,
    pub protections: Vec<Protection>,
}
