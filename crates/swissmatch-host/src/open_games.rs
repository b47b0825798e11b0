//! The open games as the guard knows them: the player tells it which games begin and which are in the log. When the
//! player ends, the guard, which outlives it, leaves a list of games still open.
//!
//! The player appends lines to a file in memory that the guard has made, so that it never waits for the guard, whatever
//! that does. May not: judge what it is told; the next runner does.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::OnceLock;

use rustix::fs::{MemfdFlags, SealFlags};
use serde::{Deserialize, Serialize};

use super::files;
use super::store::Head;
use swissmatch_game::record::GameId;
use swissmatch_tournament::log::HowEnded;

/// The file that the guard leaves in the directory of a run.
pub const FILE: &str = "interrupted.json";

/// The version of its format.
pub const SCHEMA: u32 = 1;

/// The longest line that the player writes: with the longest possible path, whose bytes are numbers.
const LONGEST: u64 = 64 << 10;

/// The file for telling the guard, if there is one.
static TOLD: OnceLock<File> = OnceLock::new();

/// The content of the file that the guard leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOpen {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The runner, by the entry of the log with which it began.
    pub runner: Head,
    /// Games that were begun and are not in the log, as far as the player told; in order.
    pub games: Vec<GameId>,
    /// How the player ended.
    #[serde(flatten)]
    pub ended: HowEnded,
}

impl LeftOpen {
    /// A list without games.
    pub fn none(runner: Head) -> Self {
        Self {
            schema: SCHEMA,
            runner,
            games: Vec::new(),
            ended: HowEnded::default(),
        }
    }
}

/// Writes the list to the directory of its run.
///
/// # Errors
/// It cannot be written; the error names the file.
pub fn write(dir: &Path, left: &LeftOpen) -> io::Result<()> {
    let text = serde_json::to_string_pretty(left).expect("plain data") + "\n";
    files::write_whole(&dir.join(FILE), &text)
}

/// A line from the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardMessage {
    /// The run is played from here on.
    Run {
        /// Its directory, as an absolute path in bytes.
        dir: Vec<u8>,
        /// The entry of the log with which the runner began.
        runner: Head,
    },
    Begun(GameId),
    /// A game is in the log, or is no longer played.
    Over(GameId),
    /// The runner has ended in order.
    Ended,
}

/// Tells the guard, if there is one.
pub fn tell(told: &GuardMessage) {
    if let Some(mut file) = TOLD.get() {
        let line = serde_json::to_string(told).expect("plain data") + "\n";
        // A single call, so that a killed player leaves whole lines. Without memory for it the list lacks a game.
        let _ = file.write_all(line.as_bytes());
    }
}

/// Tells the guard that a run is played in a directory from here on.
///
/// # Errors
/// The directory cannot be found.
pub fn tell_run(dir: &Path, runner: Head) -> io::Result<()> {
    if TOLD.get().is_some() {
        let dir = std::fs::canonicalize(dir)?.into_os_string().into_vec();
        tell(&GuardMessage::Run { dir, runner });
    }
    Ok(())
}

/// For the player: finds the file that the guard with this process id has under this descriptor.
///
/// # Errors
/// It is not there.
pub(super) fn connect(guard: &str, descriptor: &str) -> io::Result<()> {
    let path = Path::new("/proc").join(guard).join("fd").join(descriptor);
    _ = TOLD.set(files::open_to_append(&path)?);
    Ok(())
}

/// The guard's side of the file.
#[derive(Debug)]
pub(super) struct Ledger(File);

impl Ledger {
    /// Makes the file, which nobody can shorten.
    ///
    /// # Errors
    /// The machine cannot make one.
    pub(super) fn new() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("swissmatch-open-games", flags)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK)?;
        Ok(Self(File::from(file)))
    }

    /// The descriptor under which the player finds it.
    pub(super) fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// Leaves the list in the run's directory if the player, which ended like this, left games open or did not end in
    /// order.
    ///
    /// # Errors
    /// The list cannot be written; the error names the games.
    pub(super) fn leave(&self, status: ExitStatus) -> io::Result<()> {
        let ended = HowEnded {
            signal: status.signal(),
            exit_code: status.code(),
        };
        // With a file description of its own, and so its own position in the file.
        let told = files::open_plain(&PathBuf::from(format!("/proc/self/fd/{}", self.descriptor())))?;
        let Some((dir, left)) = left_open(BufReader::new(told), ended)? else {
            return Ok(());
        };
        write(&dir, &left).map_err(|error| {
            let games: Vec<String> = left.games.iter().map(ToString::to_string).collect();
            let games = if games.is_empty() {
                "none".to_owned()
            } else {
                games.join(", ")
            };
            let sentence = format!("the list of the games that were open ({games}) cannot be left: {error}");
            io::Error::new(error.kind(), sentence)
        })
    }
}

/// The directory and the list that follow from what was told; `None` if no run was played, or it ended in order with no
/// game open.
fn left_open(mut told: impl BufRead, ended: HowEnded) -> io::Result<Option<(PathBuf, LeftOpen)>> {
    let (mut run, mut games, mut in_order) = (None, BTreeSet::new(), false);
    let mut line = Vec::new();
    while told.by_ref().take(LONGEST).read_until(b'\n', &mut line)? > 0 {
        // A line that cannot be read comes from someone else, or is the beginning of one.
        let told = serde_json::from_slice(&line);
        line.clear();
        let Ok(told) = told else { continue };
        match told {
            GuardMessage::Run { dir, runner } => {
                (run, in_order) = (Some((PathBuf::from(OsString::from_vec(dir)), runner)), false);
                games.clear();
            }
            GuardMessage::Begun(game) => drop(games.insert(game)),
            GuardMessage::Over(game) => drop(games.remove(&game)),
            GuardMessage::Ended => in_order = true,
        }
    }
    let Some((dir, runner)) = run.filter(|_| !games.is_empty() || !in_order) else {
        return Ok(None);
    };
    let left = LeftOpen {
        schema: SCHEMA,
        runner,
        games: games.into_iter().collect(),
        ended,
    };
    Ok(Some((dir, left)))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    const KILLED: HowEnded = HowEnded {
        signal: Some(9),
        exit_code: None,
    };

    fn game(id: &str) -> GameId {
        id.parse().expect("a game")
    }

    fn runner() -> Head {
        Head {
            entry: 7,
            hash: "ab".to_owned(),
        }
    }

    fn run() -> GuardMessage {
        GuardMessage::Run {
            dir: OsStr::new("/runs/b\u{fc}").as_bytes().to_vec(),
            runner: runner(),
        }
    }

    fn lines(told: &[GuardMessage]) -> Vec<u8> {
        let lines = told
            .iter()
            .map(|told| serde_json::to_string(told).expect("plain data") + "\n");
        lines.collect::<String>().into_bytes()
    }

    #[track_caller]
    fn check(told: &[u8], expected: Option<&[&str]>) {
        let expected = expected.map(|games| {
            let left = LeftOpen {
                schema: SCHEMA,
                runner: runner(),
                games: games.iter().map(|id| game(id)).collect(),
                ended: KILLED,
            };
            (PathBuf::from("/runs/b\u{fc}"), left)
        });
        assert_eq!(left_open(told, KILLED).expect("it is read"), expected);
    }

    #[test]
    fn what_has_begun_and_is_not_over_is_open() {
        let [one, two] = [game("1.2.1"), game("1.1.1")];
        check(b"", None);
        check(&lines(&[run()]), Some(&[]));
        check(&lines(&[run(), GuardMessage::Ended]), None);
        let begun = [run(), GuardMessage::Begun(one), GuardMessage::Begun(two)];
        check(&lines(&begun), Some(&["1.1.1", "1.2.1"]));
        let more = [GuardMessage::Over(two), GuardMessage::Ended];
        check(&lines(&[&begun[..], &more].concat()), Some(&["1.2.1"]));
        let all = [GuardMessage::Over(one), GuardMessage::Over(two), GuardMessage::Ended];
        check(&lines(&[&begun[..], &all].concat()), None);
        // Another run of the same process.
        check(&lines(&[&begun[..], &[run(), GuardMessage::Ended]].concat()), None);
    }

    #[test]
    fn a_line_that_was_cut_off_or_is_none_is_no_line() {
        let mut text = lines(&[run(), GuardMessage::Begun(game("1.1.1"))]);
        text.extend(b"garbage\n\xff\xfe\n{\"over\":\"x\"}\n");
        text.extend(&lines(&[GuardMessage::Over(game("1.1.1"))])[..12]);
        check(&text, Some(&["1.1.1"]));
    }

    /// More games than anyone would keep the lines of.
    #[test]
    fn the_last_of_many_games_is_open() {
        let one = lines(&[GuardMessage::Begun(game("1.1.1")), GuardMessage::Over(game("1.1.1"))]);
        let mut text = lines(&[run()]);
        text.extend(one.repeat(400_000));
        text.extend(lines(&[GuardMessage::Begun(game("1.2.1"))]));
        check(&text, Some(&["1.2.1"]));
    }

    #[test]
    fn a_ledger_cannot_be_shortened() {
        let ledger = Ledger::new().expect("a file in memory");
        let mut file =
            files::open_to_append(Path::new(&format!("/proc/self/fd/{}", ledger.descriptor()))).expect("it is found");
        file.write_all(b"told\n").expect("it is added to");
        assert!(file.set_len(0).is_err());
        assert_eq!(ledger.0.metadata().expect("it is there").len(), 5);
    }
}
