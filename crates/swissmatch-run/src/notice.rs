//! What is worth a sentence while a run is created or taken up.
//!
//! May not: decide who is told.

use std::fmt;
use std::path::PathBuf;

use swiss_system::count;
use swiss_system::text::escaped;

use swissmatch_report::moment::spoken;

/// What is worth a sentence while a run is created or taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something is allowed and probably not meant.
    Doubt(String),
    /// The roster is what it was when it was locked.
    AsLocked {
        /// The lock.
        lock: PathBuf,
        /// When it was locked, RFC 3339 in UTC.
        locked_at: String,
        /// Players in it.
        players: usize,
        /// Files in it.
        files: usize,
    },
    /// The tie-breaks, in their order.
    RankedBy(Vec<String>),
    /// Agents are started once, to be introduced.
    Introducing(usize),
    /// An agent does not start, and why.
    DoesNotStart {
        /// The player's name.
        player: String,
        /// What went wrong, as text of others.
        why: String,
        /// The last line that it printed, harmless.
        printed: Option<String>,
    },
    /// These have handed in nothing that could play, and do not.
    HandedInNothing(Vec<String>),
    /// These were taken out by the organizer, and do not play.
    TakenOut(Vec<String>),
    /// An agent changes what it is made of when it is started.
    ChangesItself(String),
    /// Every player meets every other once.
    AllPlayAll {
        /// Players.
        players: usize,
        /// Rounds.
        rounds: u32,
        /// How often everybody meets everybody.
        cycles: u32,
    },
    /// The run that was there is kept in this directory.
    KeptAside(PathBuf),
    /// There is no arbiter's desk, and why.
    NoDesk(String),
    /// An agent is not what it was, which decides whether it is there.
    AgentChanged(String),
    /// A runner had ended while games were open.
    Interrupted(String),
    /// A key that changes no result is not what it was.
    KeyChanged(String),
}

impl Notice {
    /// Whether it is a warning.
    pub const fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::Doubt(_)
                | Self::DoesNotStart { .. }
                | Self::HandedInNothing(_)
                | Self::ChangesItself(_)
                | Self::NoDesk(_)
                | Self::AgentChanged(_)
                | Self::Interrupted(_)
        )
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doubt(what) | Self::AgentChanged(what) | Self::Interrupted(what) => f.write_str(what),
            Self::AsLocked {
                lock,
                locked_at,
                players,
                files,
            } => {
                let lock = lock.display();
                write!(
                    f,
                    "{lock}: everything is as it was locked at {}: {}, {}",
                    spoken(locked_at),
                    count::of(players, "player", "players"),
                    count::of(files, "file", "files")
                )
            }
            Self::RankedBy(order) => write!(f, "ranked by {}", order.join(", ")),
            Self::Introducing(players) => write!(f, "checking {}", count::of(players, "agent", "agents")),
            Self::DoesNotStart { player, why, printed } => {
                let why = escaped(why);
                write!(f, "{player} does not start: {why}")?;
                if let Some(line) = printed {
                    write!(f, " (it printed last: {line})")?;
                }
                f.write_str("; its games will be forfeited")
            }
            Self::HandedInNothing(names) => {
                write!(
                    f,
                    "these players have no accepted submission, and do not play: {}",
                    listed(names)
                )
            }
            Self::TakenOut(names) => {
                write!(
                    f,
                    "these players were taken out, and do not play (submissions.out): {}",
                    listed(names)
                )
            }
            Self::ChangesItself(what) => write!(f, "{what}; the run can go on only while this does not change"),
            Self::AllPlayAll {
                players,
                rounds,
                cycles,
            } => {
                let rounds = count::of(rounds, "round", "rounds");
                let how_often = match cycles {
                    1 => "once".to_owned(),
                    _ => format!("{cycles} times"),
                };
                write!(
                    f,
                    "{players} players in {rounds}: every opponent {how_often}, by Berger tables"
                )
            }
            Self::KeptAside(aside) => write!(f, "the old run is kept as {}", aside.display()),
            Self::NoDesk(why) => write!(
                f,
                "there is no arbiter's desk: {why}; acts of the arbiter have to wait until this runner has stopped"
            ),
            Self::KeyChanged(what) => write!(f, "changed since the run began: {what}"),
        }
    }
}

fn listed(names: &[String]) -> String {
    names.iter().map(escaped).collect::<Vec<_>>().join(", ")
}
