//! What came of an attempt, and the programs that some attempts are made with.
#![expect(clippy::disallowed_methods, reason = "some attempts need a program of the system")]

use std::fmt;
use std::io;
use std::process::{Command, Output, Stdio};

use nix::errno::Errno;

/// What was reached, in a few words, or why nothing was.
pub(super) type Tried = Result<String, Failed>;

/// Why an attempt did no harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// Something stopped it.
    Refused(String),
    /// It could not be made: says nothing about what an agent can reach.
    Untried(String),
}

impl Failed {
    /// Stopped, in words.
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }

    /// Not tried, in words.
    pub(super) fn untried(why: impl Into<String>) -> Self {
        Self::Untried(why.into())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "refused {why}"),
            Self::Untried(why) => write!(f, "untried {why}"),
        }
    }
}

impl From<Errno> for Failed {
    fn from(errno: Errno) -> Self {
        Self::Refused(format!("{errno:?}: {}", errno.desc()))
    }
}

impl From<rustix::io::Errno> for Failed {
    fn from(errno: rustix::io::Errno) -> Self {
        Errno::from_raw(errno.raw_os_error()).into()
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(number) => Errno::from_raw(number).into(),
            None => Self::Refused(error.to_string()),
        }
    }
}

/// Runs a program of the system to its end.
///
/// # Errors
/// Untried where there is no such program, refused where it may not be run.
pub(super) fn program(name: &str, words: &[&str]) -> Result<Output, Failed> {
    let ran = Command::new(name).args(words).stdin(Stdio::null()).output();
    ran.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failed::untried(format!("there is no {name}")),
        _ => error.into(),
    })
}

/// As [`program`], for one that says by its exit code whether it was let.
///
/// # Errors
/// Refused also where it fails, with what it says.
pub(super) fn succeeds(name: &str, words: &[&str]) -> Tried {
    let ran = program(name, words)?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().replace('\n', " / ");
    match ran.status.success() {
        true => Ok(said(&ran.stdout)),
        false => Err(Failed::Refused(format!("{}: {}", ran.status, said(&ran.stderr)))),
    }
}

/// Makes system calls by a script in Perl: those for which there is no safe
/// wrapper. The script prints what it reached, or calls `refused()` where the last
/// call failed.
///
/// # Errors
/// Refused with the number that the call left.
pub(super) fn perl(script: &str, words: &[&str]) -> Tried {
    let script = format!("sub refused {{ print $!+0; exit 1 }}\n{script}");
    let mut all = vec!["-e", script.as_str(), "--"];
    all.extend(words);
    let ran = program("perl", &all)?;
    let said = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
    match (ran.status.code(), said.parse()) {
        (Some(0), _) => Ok(said),
        (Some(1), Ok(number)) => Err(Errno::from_raw(number).into()),
        _ => Err(Failed::Untried(format!(
            "perl ended with {}: {}",
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        ))),
    }
}
