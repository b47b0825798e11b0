//! Why a submission cannot be taken, or those of an event cannot be read.
//!
//! May not: say what is wrong with an archive; that is a refusal, and no error.

use std::io;
use std::path::PathBuf;

use swiss_system::text::escaped;
use swissmatch_tournament::submission::SubmissionLogError;

/// Why a submission cannot be taken, or those of an event cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// The event takes none.
    #[error(
        "{file}: nothing is handed in to this event; [submissions] with contract = \"get-move\" or another one says what is"
    )]
    NoContract {
        /// The event file.
        file: String,
    },
    /// There is no such player.
    #[error("{file}: no player is named {}; {help}", escaped(player))]
    NoPlayer {
        /// The event file.
        file: String,
        /// Who was named.
        player: String,
        /// Who is meant, perhaps.
        help: String,
    },
    /// Somebody of whom something was accepted is no player any more.
    #[error(
        "{file}: {} is no player any more, but submission {number}, which is theirs, was accepted: put the [[player]] back, and name it in \
         submissions.out to take it out; once the event has begun `swissmatch arbiter withdraw` does that",
        escaped(player)
    )]
    Gone {
        /// The event file.
        file: String,
        /// Who.
        player: String,
        /// What was accepted.
        number: u64,
    },
    /// The organizer has taken the player out.
    #[error(
        "{file}: {} was taken out by the organizer (submissions.out), and hands nothing in",
        escaped(player)
    )]
    Out {
        /// The event file.
        file: String,
        /// Who.
        player: String,
    },
    /// The event file says what plays.
    #[error("{file}: {} plays what the event file names, and hands nothing in", escaped(player))]
    PlaysOtherwise {
        /// The event file.
        file: String,
        /// Who.
        player: String,
    },
    /// So many were accepted already on this day.
    #[error(
        "{} has handed in {of_day} on this day, and may hand in {most} (submissions.per_day): the next one from {from} on",
        escaped(player)
    )]
    TooMany {
        /// Who.
        player: String,
        /// How many were accepted, or wait.
        of_day: usize,
        /// How many may be.
        most: u32,
        /// When the next day begins.
        from: String,
    },
    /// So many were tried already on this day, most of them refused.
    #[error(
        "{} has had {tried} tried on this day, refused ones among them, and may have {most_tried} tried, 5 for each of the {most} that \
         may be accepted (submissions.per_day): the next one from {from} on",
        escaped(player)
    )]
    TooManyTried {
        /// Who.
        player: String,
        /// How many were tried, or wait.
        tried: usize,
        /// How many may be accepted.
        most: u32,
        /// How many may be tried.
        most_tried: u32,
        /// When the next day begins.
        from: String,
    },
    /// An archive that is larger than all that may be in it.
    #[error("{} is larger than {most} MB, which is the most that it may have unpacked (submissions.max_unpacked)", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// In MB.
        most: u64,
    },
    /// The environment of Python is not there.
    #[error(
        "{file}: submissions.python: there is no {}; make the environment with `python3 -m venv`, and install there what submissions may \
         import", python.display()
    )]
    NoPython {
        /// The event file.
        file: String,
        /// Its interpreter.
        python: PathBuf,
    },
    /// What was unpacked of a submission is not what was accepted.
    #[error(
        "{} plays submission {number}, but {} is not what was accepted: remove that directory, and it is unpacked anew from its archive",
        escaped(player), dir.display()
    )]
    Swapped {
        /// Who.
        player: String,
        /// Which.
        number: u64,
        /// Where.
        dir: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The event is played only once nothing can be handed in any more.
    #[error(
        "submissions are open until {lock} (submissions.lock), and the event begins then; `swissmatch submissions` lists what has come"
    )]
    Open {
        /// When they close.
        lock: String,
    },
    /// Too few have handed in what plays.
    #[error(
        "of the players of this event {count} can play, and an event needs 2; `swissmatch submissions` lists what has come"
    )]
    TooFew {
        /// How many can.
        count: usize,
    },
    /// An entry of the log was changed.
    #[error("{}: line {line} was changed, or one before it: it does not carry the hash of the one before", log.display())]
    Chain {
        /// The log.
        log: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// An entry of the log does not follow from those before.
    #[error("{}: line {line}: {source}", log.display())]
    Broken {
        /// The log.
        log: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What does not follow.
        source: SubmissionLogError,
    },
    /// The disk or the machine.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

impl SubmissionError {
    /// Whether the event or its file is at fault, and not the machine.
    pub const fn is_usage(&self) -> bool {
        !matches!(self, Self::Machine(_) | Self::Chain { .. } | Self::Broken { .. })
    }

    /// Whether it is what was handed in that is not taken.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::TooMany { .. } | Self::TooManyTried { .. } | Self::TooLarge { .. }
        )
    }
}
