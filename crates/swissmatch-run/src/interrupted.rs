//! What the next runner, or an act on a stopped run, notes of the runner before it: the games that were open when that ended.
//!
//! The guard's list is a file that agents of the same user can write, so that it is compared with the log. May not: decide what
//! becomes of the games.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use swissmatch_host::desk::SOCKET;
use swissmatch_host::files;
use swissmatch_host::open_games::{self, FILE, LeftOpen, SCHEMA};
use swissmatch_host::run_dir::{WAL, log};
use swissmatch_host::store::{Head, LoggedEntry};
use swissmatch_tournament::log::{Entry, GamesInterrupted, HowEnded};
use swissmatch_tournament::state::State;

/// Most bytes of a list.
const MOST: u64 = 4 << 20;

/// How a run was left, read before anything is opened or changed in its directory.
#[derive(Debug)]
pub(super) struct LeftRun {
    /// What the guard's file says; `None`: there is none.
    list: Option<Result<LeftOpen, String>>,
    /// Whether what a runner removes at its end is still there.
    is_unsettled: bool,
}

/// What follows from it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InterruptionNote {
    /// The entry that the log lacks.
    pub entry: Option<GamesInterrupted>,
    /// Why the list does not count, as a sentence.
    pub ignored: Option<String>,
}

impl LeftRun {
    /// Looks at what the last runner left in `dir`.
    pub(super) fn in_dir(dir: &Path) -> Self {
        let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
        let has_wal = log(dir).with_file_name(WAL).metadata().is_ok_and(|wal| wal.len() > 0);
        Self {
            list: read(&dir.join(FILE)),
            is_unsettled: has_wal || has(SOCKET),
        }
    }

    /// The entry that the log, of which this is the state, lacks; `logged` may lack games that ended, `last` is its last entry.
    pub(super) fn noted(self, logged: &[LoggedEntry], last: &LoggedEntry, state: &State) -> InterruptionNote {
        let (list, ignored) = match self.list.map(|list| list.and_then(|list| checked(list, logged, state))) {
            None => (None, None),
            Some(Ok(list)) => (Some(list), None),
            Some(Err(why)) => (None, Some(format!("{FILE} is ignored: {why}"))),
        };
        let entry = match list {
            Some(entry) => entry,
            None => (self.is_unsettled && is_unknown(logged, last, state)).then_some(GamesInterrupted {
                games: None,
                ended: HowEnded::default(),
                ..GamesInterrupted::default()
            }),
        };
        InterruptionNote { entry, ignored }
    }
}

/// Removes the list, which is in the log now or does not count.
///
/// # Errors
/// When it is there and stays.
pub(super) fn remove(dir: &Path) -> io::Result<()> {
    files::remove(&dir.join(FILE))
}

/// Leaves a list without games, where a log keeps what otherwise tells of a runner that did not end in order. `began` is the entry
/// with which the last runner began.
///
/// # Errors
/// When it cannot be written; the error names it.
pub(super) fn leave_none(dir: &Path, began: Head) -> io::Result<()> {
    open_games::write(dir, &LeftOpen::none(began))
}

fn read(path: &Path) -> Option<Result<LeftOpen, String>> {
    let file = match files::open_plain(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        opened => opened.map_err(|error| error.to_string()),
    };
    let text = file.and_then(|file| files::read_at_most(file, MOST).map_err(|error| error.to_string()));
    let list = text.and_then(|text| serde_json::from_slice::<LeftOpen>(&text).map_err(|error| error.to_string()));
    Some(list.and_then(|list| match list.schema {
        SCHEMA => Ok(list),
        other => Err(format!("it has version {other}, and this program reads {SCHEMA}")),
    }))
}

/// The entry that a list makes, none where it is in the log already or leaves nothing to note; or why the list does not count.
fn checked(list: LeftOpen, logged: &[LoggedEntry], state: &State) -> Result<Option<GamesInterrupted>, String> {
    let runner = logged
        .iter()
        .position(|logged| begins(logged) && logged.head() == list.runner);
    let since = &logged[runner.ok_or("no runner of this run began with the entry that it names")? + 1..];
    // What was committed in the player's last instants was not told to the guard any more.
    let games: BTreeSet<_> = list.games.into_iter().collect();
    let mut open = Vec::new();
    for game in games {
        match (state.is_due(game), state.finished_game(game)) {
            (true, _) => open.push(game),
            (false, Some(_)) => {}
            (false, None) => return Err(format!("game {game} is not on the schedule")),
        }
    }
    if since.iter().any(begins) {
        return Err("it is of an earlier runner than the last one".to_owned());
    }
    // An act noted it, and a crash came between the entry and the removal of the list.
    if since.iter().any(is_noted) {
        return Ok(None);
    }
    Ok((!open.is_empty()).then_some(GamesInterrupted {
        games: Some(open),
        ended: list.ended,
        ..GamesInterrupted::default()
    }))
}

/// Whether this notes the end of a runner.
fn is_noted(logged: &LoggedEntry) -> bool {
    matches!(&logged.entry, Entry::Interrupted(interrupted) if interrupted.is_of_runner())
}

/// Whether a runner began with this entry.
pub(super) const fn begins(logged: &LoggedEntry) -> bool {
    matches!(logged.entry, Entry::Created(_) | Entry::Resumed(_))
}

/// Whether games may have been open of which no list tells.
fn is_unknown(logged: &[LoggedEntry], last: &LoggedEntry, state: &State) -> bool {
    let is_open = state.sittings().last().is_some_and(|sitting| !sitting.is_over());
    let is_of_runner = |entry: &Entry| !matches!(entry, Entry::AnalysisBegun(_) | Entry::GameAnalysed(_));
    let of_last = logged.rsplit(begins).next().unwrap_or_default();
    is_open && !of_last.iter().any(is_noted) && is_of_runner(&last.entry)
}
