//! Delivers one line to one anchor: appends it to a file, or gives it to a program.
//!
//! May not: send it again.

use std::fmt;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use swiss_system::text::escaped;

use crate::environment::without_secrets;
use crate::files;

/// How long a program may take; less at the end of a run.
const PROGRAM: Duration = Duration::from_secs(30);
/// How often to check whether the program has ended.
const LOOK: Duration = Duration::from_millis(10);
/// The most bytes of a program's last words that are repeated.
const LAST_WORDS: u64 = 200;

/// The receiver of lines, with its paths found and absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnchorTarget {
    File(PathBuf),
    Program {
        program: PathBuf,
        /// The directory that it runs in.
        directory: PathBuf,
    },
}

impl fmt::Display for AnchorTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Program { program, .. } => write!(f, "exec:{}", program.display()),
        }
    }
}

impl AnchorTarget {
    /// Delivers a line; `until` returns the deadline, if there is one by now.
    ///
    /// # Errors
    /// Why it was not taken.
    pub(super) fn deliver(&self, line: &str, until: &dyn Fn() -> Option<Instant>) -> Result<(), String> {
        match self {
            Self::File(path) => files::append_line(path, line).map_err(|error| error.to_string()),
            Self::Program { program, directory } => give(program, directory, line, until),
        }
    }
}

/// Gives a line to a program. Everything that the program has started ends with it.
fn give(program: &Path, directory: &Path, line: &str, until: &dyn Fn() -> Option<Instant>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("it cannot be run: {error}");
    let mut said = tempfile::tempfile().map_err(failed)?;
    let mut command = Command::new(program);
    without_secrets(&mut command).current_dir(directory).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    command.stderr(Stdio::from(said.try_clone().map_err(failed)?));
    let mut child = command.spawn().map_err(failed)?;
    let written = child.stdin.take().map_or(Ok(()), |mut input| writeln!(input, "{line}"));
    let ended = wait(&mut child, Instant::now() + PROGRAM, until);
    // Its process number cannot be reused before it has been waited for.
    let _ = rustix::process::kill_process_group(Pid::from_child(&child), Signal::KILL);
    let status = child.wait().map_err(failed)?;
    if !ended {
        return Err("it had not ended in time, and was killed".to_owned());
    }
    match written {
        _ if !status.success() => Err(format!("it ended with {status}{}", last_words(&mut said))),
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("it did not take the line: {error}")),
        // A program that reports success need not have read to the end.
        _ => Ok(()),
    }
}

/// Waits for a program to end without reaping it; returns whether it ended in time.
fn wait(child: &mut Child, limit: Instant, until: &dyn Fn() -> Option<Instant>) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match rustix::process::waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Ok(None) => {}
            // A program that cannot be waited for is not waited for.
            Ok(Some(_)) | Err(_) => return true,
        }
        if Instant::now() >= until().map_or(limit, |until| until.min(limit)) {
            return false;
        }
        std::thread::sleep(LOOK);
    }
}

/// The end of what a program wrote to standard error.
fn last_words(said: &mut std::fs::File) -> String {
    let mut words = Vec::new();
    let length = said.metadata().map_or(0, |said| said.len());
    let read = said
        .seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))
        .and_then(|_| said.take(LAST_WORDS).read_to_end(&mut words));
    let words = String::from_utf8_lossy(&words);
    match (read, words.trim()) {
        (Ok(_), words) if !words.is_empty() => format!(": {}", escaped(words)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn script(place: &Path, name: &str, text: &str) -> AnchorTarget {
        let program = place.join(name);
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("it is written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("rights");
        AnchorTarget::Program {
            program,
            directory: place.to_path_buf(),
        }
    }

    #[test]
    fn a_program_has_the_line_on_its_standard_input() {
        let place = tempfile::tempdir().expect("a directory");
        let target = script(place.path(), "take", "cat >> taken; echo said >&2");
        target.deliver("one", &|| None).expect("it is taken");
        target.deliver("two", &|| None).expect("it is taken");
        let taken = fs::read_to_string(place.path().join("taken")).expect("it runs where it is to");
        assert_eq!(taken, "one\ntwo\n");
        script(place.path(), "unread", "exit 0")
            .deliver("x", &|| None)
            .expect("it says that all is well");
    }

    #[test]
    fn a_program_that_fails_is_told_with_what_it_said() {
        let place = tempfile::tempdir().expect("a directory");
        let failed = script(
            place.path(),
            "fail",
            "cat >/dev/null; printf 'no\\033 room' >&2; exit 7",
        );
        let why = failed.deliver("x", &|| None).expect_err("it fails");
        assert!(why.contains("exit status: 7: no") && !why.contains('\u{1b}'), "{why}");
        let gone = AnchorTarget::Program {
            program: place.path().join("none"),
            directory: place.path().to_path_buf(),
        };
        assert!(
            gone.deliver("x", &|| None)
                .expect_err("there is none")
                .starts_with("it cannot be run: ")
        );
    }

    /// Programs that it leaves in the background end, too.
    #[test]
    fn a_program_that_hangs_is_killed_with_what_it_started() {
        let place = tempfile::tempdir().expect("a directory");
        let target = script(place.path(), "hang", "sleep 1000 & echo $! > pid; wait");
        let until = Instant::now() + Duration::from_millis(500);
        let why = target.deliver("x", &|| Some(until)).expect_err("it hangs");
        assert!(why.contains("was killed"), "{why}");
        let pid = fs::read_to_string(place.path().join("pid")).expect("it was started");
        let stat = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        let is_over = || {
            let stat = stat();
            let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
            state.is_empty() || state.starts_with('Z')
        };
        // A killed process takes a while to disappear.
        let begun = Instant::now();
        while !is_over() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_over(), "{}", stat());
    }
}
