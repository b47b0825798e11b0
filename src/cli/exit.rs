//! Exit codes: the one place where they are defined.

use std::process::ExitCode;

use anyhow::anyhow;

use swissmatch_config::match_words::Dialect;
use swissmatch_run::RunError;

use super::screen;

/// What the program tells whoever started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; a check passed.
    Done,
    /// A check failed: `verify`, `verify-pairings` or `roster verify` found a difference, `check` an agent that cannot play,
    /// `doctor` something that this machine cannot keep agents from; `sprt` accepted H0, a gate found a regression, or a build of a league
    /// got weaker.
    CheckFailed,
    /// `pair`, `generate` or `arbiter pairing` came to a round that has no legal pairing.
    NoPairing,
    /// The event waits for the arbiter, who has to decide a tie or to make a pairing possible, and the same command continues after
    /// it; or the machine kept a check from ending; or `sprt` accepts neither hypothesis.
    Inconclusive,
    /// Agents at fault: one does not start, and nothing was begun; or one did not start in any of its games, or lost more of them
    /// by a fault, or gave an alarm in more, than `run.max_faults` allows.
    AgentsAtFault,
    /// Usage or event file.
    Usage,
    /// The machine: disk, descriptors, a damaged file.
    Machine,
    /// Interrupted; the same command continues where it stopped.
    Interrupted,
}

impl Exit {
    /// The number.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::CheckFailed | Self::NoPairing => 1,
            Self::Inconclusive => 2,
            Self::AgentsAtFault => 3,
            Self::Usage => 4,
            Self::Machine => 5,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The table that `--help` ends with.
pub const HELP: &str = "\
Exit codes:
  0    done, or the check passed
  1    a check failed (check, doctor, verify, verify-pairings, roster verify),
       or a gate did, or a build got weaker (league run), or the test of a
       match accepted H0 (run, sprt), or a round has no pairing (pair,
       explain, generate, arbiter pairing, arbiter confirm)
  2    the event waits for the arbiter (run): a tie is left (`arbiter decide`)
       or a game was interrupted too often (`arbiter adjudicate` or `replay`)
       or a round has no pairing (an act that allows one, or `arbiter end`),
       and then the same command continues; or this machine kept a check from
       ending (check), or kept one from being made (verify); or a match was
       played to its end, and its test accepted neither hypothesis (run), nor
       does one of counts (sprt); or a gate is inconclusive
  3    an agent does not start, and nothing was begun (run, init,
       arbiter enter); or the event was played to its end, and an agent did
       not start in any of its games, or lost more of them by a fault than
       run.max_faults allows (run, gate, league run), or a build could not be
       made (gate, league run)
  4    wrong usage, or a wrong event or tournament file; nothing was started
  5    the machine: disk, descriptors, processes and threads, memory, a
       damaged run; or a key, an address or a quota of a service, or what may
       be spent there, has to be mended (run); or what would else be 0, where
       standard output or a file that was asked for could not be written (a
       reader that has gone, such as `head`, changes no exit code); or an
       anchor did not take all its lines (run)
  130  interrupted; the same command continues where it stopped";

/// An error with the exit code it leads to.
#[derive(Debug)]
pub struct Failure {
    /// The code.
    pub exit: Exit,
    /// What to tell.
    pub error: anyhow::Error,
}

impl Failure {
    /// Wrong usage or event file.
    pub fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::Usage,
            error: error.into(),
        }
    }

    /// A round that has no legal pairing.
    pub fn no_pairing(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::NoPairing,
            error: error.into(),
        }
    }

    /// The event waits for the arbiter.
    pub fn waits_for_the_arbiter(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::Inconclusive,
            error: error.into(),
        }
    }

    /// The machine's doing.
    pub fn machine(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::Machine,
            error: error.into(),
        }
    }

    /// Tells it; its exit code.
    pub fn tell(&self) -> Exit {
        screen::say(&format!("swissmatch: {}", self.error));
        self.exit
    }

    /// The same in the words of the command line that asked for it.
    pub fn in_words(self, dialect: Dialect) -> Self {
        let text = self.error.to_string();
        let told = dialect.in_words(&text);
        match told == text {
            true => self,
            false => Self {
                error: anyhow!(told),
                ..self
            },
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let exit = match &error {
            RunError::NotStarted(_) | RunError::EntryNotStarted(_) | RunError::NotMeasured(_) => Exit::AgentsAtFault,
            error if error.is_usage() => Exit::Usage,
            _ => Exit::Machine,
        };
        Self {
            exit,
            error: error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Help is folded to the terminal; lines that are folded already must not be folded again.
    #[test]
    fn the_table_fits_a_terminal_of_80_columns() {
        for line in HELP.lines() {
            assert!(line.chars().count() <= 78, "{line}");
        }
    }
}
