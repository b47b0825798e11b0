//! `report.html`: the page of a run as a file, with its games in it or, where they are large, in a folder beside it.
//!
//! It has the front end and the version of the program that wrote it, so it is no function of the log: `verify` does not
//! compare it, and it is not signed. What it shows can be derived again.
//!
//! May not: show what an embargo keeps back; remove a file that is not named as its own.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use swiss_system::count;

use super::open_run::OpenRun;
use super::page::{self, LogExtract, PageError, games};
use swissmatch_game::gz;
use swissmatch_host::files::{self, write_many_whole};
use swissmatch_host::store::Store;
use swissmatch_report::page::{FrontEnd, Log, Where, html, script_of_games};
use swissmatch_tournament::embargo::{embargo, published};
use swissmatch_tournament::state::State;

/// The page in the directory of a run.
pub const REPORT: &str = "report.html";
/// The folder of its games, where they are not in it.
pub(crate) const REPORT_GAMES: &str = "report_games";

/// Games of an event that has its report written at its end, at most.
const MOST_AT_THE_END: usize = 20_000;
/// Games of one file, at most: also what a browser reads at once.
const GAMES_A_FILE: usize = 500;
/// Files that are written together, and bytes of them: as many as are reached first.
const FILES_AT_ONCE: usize = 200;
const BYTES_AT_ONCE: usize = 16_000_000;

/// What was written.
#[derive(Debug)]
pub struct WrittenPage {
    /// Bytes of the page.
    pub bytes: usize,
    /// The folder of its games and how many files it has, where they are not in the page.
    pub beside: Option<(PathBuf, usize)>,
}

/// How many bytes of packed games may stand in the page, by the keys of the event (`publish.report_size`).
pub const fn most_inside(state: &State) -> usize {
    megabytes(state.setup().publish.report_size)
}

/// So many megabytes, in bytes.
pub const fn megabytes(number: u32) -> usize {
    (number as usize).saturating_mul(1_000_000)
}

/// Why a run has no report at its end although it is to have one (`publish.report`).
pub fn left_out(state: &State) -> Option<String> {
    let played = published(state).progress().1;
    match state.setup().publish.report {
        false => None,
        true if FrontEnd::embedded().is_none() => Some(PageError::NoFrontEnd.to_string()),
        true if played > MOST_AT_THE_END => Some(format!(
            "it is left out after more than {} ({played} were played); `swissmatch report` writes it",
            count::of(MOST_AT_THE_END, "game", "games")
        )),
        true => None,
    }
}

/// Whether a page can have a folder beside it: a pipe and a device cannot.
pub fn may_have_a_folder(page: &Path) -> bool {
    page.file_name().is_some() && fs::metadata(page).map_or(true, |there| there.is_file() || there.is_dir())
}

/// Writes the page of a run to a file. Packed games of more than `most` bytes (see [`most_inside`]) go to a folder beside it.
///
/// # Errors
/// When the program has no front end, the run is damaged, or the disk does not take it.
pub fn write(run: &OpenRun, to: &Path, most: usize) -> Result<WrittenPage, PageError> {
    let (told, log) = (LogExtract::by(&run.logged, &run.state)?, page::log_of(&run.logged));
    written((&run.state, &run.store), &told, log, to, most)
}

/// Writes the report of a run that ends. Where none is written while an embargo lasts, none stays that may show more.
///
/// # Errors
/// When the disk does not take it, or the run is damaged.
pub(super) fn at_the_end(dir: &Path, state: &State, store: &Store) -> io::Result<()> {
    if !state.setup().publish.report || left_out(state).is_some() {
        return match embargo(state) {
            None => Ok(()),
            Some(_) => {
                files::remove(&dir.join(REPORT))?;
                Folder::of(&dir.join(REPORT)).remove_strangers()
            }
        };
    }
    let write = || {
        let (told, log) = (LogExtract::in_store(store, state)?, page::log_in(store)?);
        written((state, store), &told, log, &dir.join(REPORT), most_inside(state))
    };
    match write() {
        Ok(_) => Ok(()),
        Err(PageError::NotWritten(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn written(
    (state, store): (&State, &Store),
    told: &LogExtract,
    log: Log,
    to: &Path,
    most: usize,
) -> Result<WrittenPage, PageError> {
    let front_end = FrontEnd::embedded().ok_or(PageError::NoFrontEnd)?;
    let state = &*published(state);
    let mut put = ReportGames::new(to, most);
    let pack = |json: String| gz::pack_small(json.as_bytes());
    games::each(told.shelf(state, store), GAMES_A_FILE, pack, |part, packed| {
        put.take(part, packed)
    })?;
    let (games, folder) = put.end()?;
    let text = html(&page::source(state, told, log, games), &front_end);
    files::write_out(to, &text)?;
    // No page needs them any more.
    folder.remove_strangers()?;
    Ok(WrittenPage {
        bytes: text.len(),
        beside: (!folder.written.is_empty()).then_some((folder.path, folder.written.len())),
    })
}

/// Where the games are put: in memory for the page, as long as they are small; then all into the folder.
struct ReportGames {
    most: usize,
    inside: Vec<(String, Vec<u8>)>,
    /// Bytes that they take in the page.
    size: usize,
    is_beside: bool,
    /// Files that are not written yet, and their bytes.
    waiting: Vec<(String, String)>,
    bytes: usize,
    folder: Folder,
}

impl ReportGames {
    fn new(to: &Path, most: usize) -> Self {
        Self {
            // What is no file has nothing beside it.
            most: if may_have_a_folder(to) { most } else { usize::MAX },
            inside: Vec::new(),
            size: 0,
            is_beside: false,
            waiting: Vec::new(),
            bytes: 0,
            folder: Folder::of(to),
        }
    }

    fn take(&mut self, part: String, packed: Vec<u8>) -> Result<(), PageError> {
        self.size += packed.len().div_ceil(3) * 4;
        if self.size <= self.most {
            self.inside.push((part, packed));
            return Ok(());
        }
        if !self.is_beside {
            files::make_directory(&self.folder.path)?;
            self.is_beside = true;
        }
        let before = std::mem::take(&mut self.inside);
        for (part, packed) in before.into_iter().chain([(part, packed)]) {
            let script = script_of_games(&part, &packed);
            self.bytes += script.len();
            self.waiting.push((format!("{part}.js"), script));
            if self.waiting.len() >= FILES_AT_ONCE || self.bytes >= BYTES_AT_ONCE {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        self.folder.write(waiting)
    }

    fn end(mut self) -> io::Result<(Where, Folder)> {
        if !self.is_beside {
            return Ok((Where::Inside(self.inside), self.folder));
        }
        self.flush()?;
        Ok((Where::Scripts(self.folder.name.clone()), self.folder))
    }
}

/// The folder of games beside a page.
struct Folder {
    path: PathBuf,
    name: String,
    /// Names of the files that this page has in it.
    written: BTreeSet<String>,
}

impl Folder {
    /// The one of `event.html` is `event_games`.
    fn of(page: &Path) -> Self {
        let stem = page.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}_games");
        Self {
            path: page.with_file_name(&name),
            name,
            written: BTreeSet::new(),
        }
    }

    /// Files that are there as they are to be stay.
    fn write(&mut self, of: Vec<(String, String)>) -> io::Result<()> {
        self.written.extend(of.iter().map(|(name, _)| name.clone()));
        let is_there = |(name, text): &(String, String)| files::says(&self.path.join(name), text);
        let changed: Vec<_> = of.into_iter().filter(|file| !is_there(file)).collect();
        match changed.is_empty() {
            true => Ok(()),
            false => write_many_whole(&self.path, &changed),
        }
    }

    /// Removes files of games that are not of this page, and the folder where nothing is left.
    fn remove_strangers(&self) -> io::Result<()> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(error) => return Err(files::about(&self.path, &error)),
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if is_of_games(&name) && !self.written.contains(&name) {
                files::remove(&self.path.join(name))?;
            }
        }
        if self.written.is_empty() {
            // One that has other files stays.
            let _ = fs::remove_dir(&self.path);
        }
        Ok(())
    }
}

/// Whether a file is named as one of games: `3.2.js`, `9p1.1.js`, `1.1-2.js`.
fn is_of_games(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((round, board)) = name.strip_suffix(".js").and_then(|name| name.split_once('.')) else {
        return false;
    };
    let (round, playoff) = round.split_once('p').unwrap_or((round, "1"));
    let (board, part) = board.split_once('-').unwrap_or((board, "1"));
    [round, playoff, board, part].into_iter().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_games_are_known_by_their_names() {
        for name in ["3.2.js", "9p1.1.js", "1.1-20.js", "9p1.1-2.js"] {
            assert!(is_of_games(name), "{name}");
        }
        for name in [
            "3.js", "3.2.json", ".2.js", "3.2-.js", "ap1.1.js", "3.2.4.js", "mine.js", "-1.1.js",
        ] {
            assert!(!is_of_games(name), "{name}");
        }
    }

    #[test]
    fn the_folder_has_the_name_of_its_page() {
        for (page, folder) in [
            ("report.html", "report_games"),
            ("x/event.html", "x/event_games"),
            ("event", "event_games"),
        ] {
            assert_eq!(Folder::of(Path::new(page)).path, Path::new(folder));
        }
        assert!(may_have_a_folder(Path::new("x/event.html")));
        assert!(!may_have_a_folder(Path::new("/dev/null")));
    }
}
