//! A stored run, opened to be read: while it is played or later.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use swissmatch_game::record::GameRecord;
use swissmatch_tournament::log::{Entry, GameFinished};
use swissmatch_tournament::state::{BrokenLogError, EndedGame, State};
use swissmatch_tournament::waiting::Ends;

use swissmatch_host::environment;
use swissmatch_host::run_dir::{self, LOG};
pub use swissmatch_host::store::LoggedEntry;
use swissmatch_host::store::{Store, StoreError, sha256};
use swissmatch_report::appeal;

/// An entry of the log as accounts cite it.
pub(super) fn place(logged: &LoggedEntry) -> appeal::EntryReference<'_> {
    appeal::EntryReference {
        seq: logged.seq,
        at: &logged.at,
        hash: &logged.hash,
    }
}

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no run at that place.
    #[error("{0} holds no run (there is no {LOG} in it); give the directory that `swissmatch run` wrote to")]
    NoRun(PathBuf),
    /// There is no run anywhere.
    #[error(
        "there is no run in results/ yet: `swissmatch run EVENT.toml` begins one; of a run elsewhere give the directory"
    )]
    NoneYet,
    /// The run was set up and nothing was saved.
    #[error("{0} holds a run whose log is still empty; if a runner has just begun, try again")]
    Empty(PathBuf),
    /// It cannot be seen whether there is one.
    #[error("{}: {}", .0.display(), .1)]
    Unseen(PathBuf, io::Error),
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The events do not fit together.
    #[error(transparent)]
    Broken(#[from] swissmatch_tournament::state::BrokenLogError),
}

/// A run as it was when it was opened.
pub struct OpenRun {
    /// Its directory.
    pub dir: PathBuf,
    /// Whether a runner was at work on it before it was read, so that it may not be all there is by now.
    pub played: bool,
    /// Its log, chain checked.
    pub logged: Vec<LoggedEntry>,
    /// What follows from it.
    pub state: State,
    /// Records and evidence.
    pub store: Store,
}

impl OpenRun {
    /// Opens the run in `place`: its directory, or its `run.sqlite`. Without a place the run in `results/` that was written
    /// to last.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(place: Option<&Path>) -> Result<Self, OpenError> {
        let dir = match place {
            Some(file) if file.is_file() => file.parent().unwrap_or(Path::new(".")).to_path_buf(),
            Some(dir) => dir.to_path_buf(),
            None => latest().ok_or(OpenError::NoneYet)?,
        };
        let log = run_dir::log(&dir);
        match log.metadata() {
            Ok(there) if there.is_file() => {}
            Ok(_) => return Err(OpenError::NoRun(dir)),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => return Err(OpenError::NoRun(dir)),
                _ => return Err(OpenError::Unseen(log, error)),
            },
        }
        let played = run_dir::is_taken(&dir);
        let store = Store::open_to_read(&log)?;
        let logged = store.entries()?;
        if logged.is_empty() {
            return Err(OpenError::Empty(dir));
        }
        let state = State::fold(logged.iter().map(|logged| &logged.entry))?;
        // Whatever is started for its games, such as a reference engine.
        environment::keep_back_secrets(state.setup());
        Ok(Self {
            dir,
            played,
            logged,
            state,
            store,
        })
    }

    /// The same as spectators are to see it at `now`: without what happened less long ago than `publish.delay`.
    ///
    /// # Errors
    /// Never for a run that was opened: what is left is a history, too.
    pub fn as_shown_at(mut self, now: Timestamp) -> Result<Self, OpenError> {
        let delay = self.state.setup().publish.delay;
        let is_late = |logged: &LoggedEntry| {
            let at = logged.at.parse::<Timestamp>();
            at.is_ok_and(|at| at.checked_add(delay).is_ok_and(|due| due > now))
        };
        let seen = self.logged.iter().skip(1).take_while(|logged| !is_late(logged)).count() + 1;
        if !delay.is_zero() && seen < self.logged.len() {
            self.logged.truncate(seen);
            self.state = State::fold(self.logged.iter().map(|logged| &logged.entry))?;
        }
        Ok(self)
    }

    /// The state in which a round, from 1, was paired; `None` where it is not paired yet.
    ///
    /// # Errors
    /// When the entries do not fit together.
    pub fn before_round(&self, round: u32) -> Result<Option<State>, OpenError> {
        let is_of_round =
            |logged: &LoggedEntry| matches!(&logged.entry, Entry::RoundPaired(paired) if paired.round == round);
        let Some(before) = self.logged.iter().position(is_of_round) else {
            return Ok(None);
        };
        let entries = self.logged[..before].iter().map(|logged| &logged.entry);
        Ok(Some(State::fold(entries)?))
    }

    /// When the run was set up.
    pub fn created_at(&self) -> &str {
        &self.logged[0].at
    }

    /// What the log says of a game that has ended.
    ///
    /// # Errors
    /// When the game is not of this run.
    pub fn finished(&self, game: &EndedGame) -> Result<&GameFinished, String> {
        let logged = self.logged.get((game.finished.entry as usize).wrapping_sub(1));
        match logged.map(|logged| &logged.entry) {
            Some(Entry::GameFinished(finished)) if finished.id.game == game.finished.id.game => Ok(finished),
            _ => Err(not_in_log(game)),
        }
    }

    /// The record of a game; `None` for a game that was forfeited unplayed.
    ///
    /// # Errors
    /// When it is missing, damaged, or not of this version.
    pub fn record(&self, game: &GameFinished) -> Result<Option<GameRecord>, String> {
        read_record(&self.store, game)
    }

    /// The record of a game as it is kept: JSON.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn record_as_kept(&self, game: &GameFinished) -> Result<Option<String>, String> {
        let text = record_text(&self.store, game)?;
        checked_record(game, text.as_deref()).map(|text| text.map(str::to_owned))
    }

    /// What was said in a game; `None` where that was not kept.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn evidence(&self, game: &GameFinished) -> Result<Option<String>, String> {
        evidence(&self.store, game)
    }
}

/// What was said in a game; `None` where that was not kept.
///
/// # Errors
/// When it is missing or damaged.
pub(super) fn evidence(store: &Store, game: &GameFinished) -> Result<Option<String>, String> {
    let Some(hash) = &game.evidence else {
        return Ok(None);
    };
    let text = store.evidence(hash).map_err(|error| error.to_string())?;
    let text = text.ok_or_else(|| format!("the evidence of game {} is missing or was changed", game.id))?;
    Ok(Some(text))
}

/// When what is in a log ended.
///
/// # Errors
/// When the entries are no event's history.
pub fn ends(logged: &[LoggedEntry]) -> Result<Ends, BrokenLogError> {
    let mut ends = Ends::default();
    let Some((created, others)) = logged.split_first() else {
        return Ok(ends);
    };
    let mut state = State::fold([&created.entry])?;
    for logged in others {
        match logged.at.parse() {
            Ok(at) => ends.apply(&mut state, &logged.entry, at)?,
            Err(_) => state.apply(&logged.entry)?,
        }
    }
    Ok(ends)
}

/// Reads and parses the record of a game from a store.
///
/// # Errors
/// When it is missing, damaged, or not of this version.
pub fn read_record(store: &Store, game: &GameFinished) -> Result<Option<GameRecord>, String> {
    parse_record(game, record_text(store, game)?.as_deref())
}

/// The text of a game's record, not yet compared with its hash.
fn record_text(store: &Store, game: &GameFinished) -> Result<Option<String>, String> {
    let Some(hash) = &game.record else {
        return Ok(None);
    };
    store.unchecked_blob(hash).map_err(|error| error.to_string())
}

/// What a log keeps of a game, not yet compared with its hash nor parsed: that may be done elsewhere.
pub(super) struct StoredGame {
    pub(super) finished: GameFinished,
    text: Option<String>,
}

impl StoredGame {
    /// Of a game that has ended.
    ///
    /// # Errors
    /// When the file cannot be read, or the game is not in it.
    pub(super) fn of(store: &Store, game: &EndedGame) -> Result<Self, String> {
        let finished = finished(store, game)?;
        let text = record_text(store, &finished)?;
        Ok(Self { finished, text })
    }

    /// Its record; `None` for a game that was forfeited unplayed.
    ///
    /// # Errors
    /// When it is missing, damaged, or not of this version.
    pub(super) fn record(&self) -> Result<Option<GameRecord>, String> {
        parse_record(&self.finished, self.text.as_deref())
    }
}

/// What a log says of a game that has ended.
///
/// # Errors
/// When the file cannot be read, or the game is not in it.
pub(super) fn finished(store: &Store, game: &EndedGame) -> Result<GameFinished, String> {
    match store.entry(game.finished.entry).map_err(|error| error.to_string())? {
        Entry::GameFinished(finished) => Ok(finished),
        _ => Err(not_in_log(game)),
    }
}

fn not_in_log(game: &EndedGame) -> String {
    let (id, entry) = (game.finished.id, game.finished.entry);
    format!("entry {entry} of the log is not the end of game {id}")
}

/// The text of a game's record, where it has one, compared with its hash.
fn checked_record<'a>(game: &GameFinished, text: Option<&'a str>) -> Result<Option<&'a str>, String> {
    let Some(hash) = &game.record else {
        return Ok(None);
    };
    let text = text.filter(|text| sha256(text.as_bytes()) == *hash);
    let text = text.ok_or_else(|| format!("the record of game {} is missing or was changed", game.id))?;
    Ok(Some(text))
}

/// Compares the text of a game's record with its hash, and parses it.
pub(super) fn parse_record(game: &GameFinished, text: Option<&str>) -> Result<Option<GameRecord>, String> {
    let Some(text) = checked_record(game, text)? else {
        return Ok(None);
    };
    let record = parse_text(text).map(Some);
    record.map_err(|why| format!("the record of game {} cannot be read: {why}", game.id))
}

/// Parses a record.
///
/// # Errors
/// When it is none, or not of this version.
pub(super) fn parse_text(text: &str) -> Result<GameRecord, String> {
    let record: GameRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match record.version == GameRecord::VERSION {
        true => Ok(record),
        false => Err(format!(
            "it has version {}; this program reads {}",
            record.version,
            GameRecord::VERSION
        )),
    }
}

/// Where runs are that no place is given for: in this directory beside their event file.
const RESULTS: &str = "results";

/// The directory of the run of an event, unless another is named: `results/NAME/` beside its file; where that is a pipe or the like,
/// below the current directory.
pub fn usual_place(file: &Path, event: &str) -> PathBuf {
    let is_nowhere = !file.is_file() || ["/dev", "/proc"].iter().any(|of| file.starts_with(of));
    let beside = file.parent().filter(|_| !is_nowhere);
    beside
        .unwrap_or(Path::new(""))
        .join(RESULTS)
        .join(run_dir::safe_name(event))
}

/// The runs there.
fn runs() -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(RESULTS).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|dir| run_dir::log(dir).is_file())
}

/// Whether beside a run there is another one of an event with the same name.
pub fn has_namesake(run: &OpenRun) -> bool {
    let Ok(own) = run.dir.canonicalize() else { return false };
    let beside = own.parent().map(std::fs::read_dir);
    let beside = beside.and_then(Result::ok).into_iter().flatten().flatten();
    let mut others = beside
        .map(|entry| entry.path())
        .filter(|dir| *dir != own && run_dir::log(dir).is_file());
    let name = &run.state.setup().event.name;
    others.any(|dir| {
        let first = Store::open_to_read(&run_dir::log(&dir)).and_then(|log| log.entry(1));
        matches!(first, Ok(Entry::Created(created)) if created.setup.event.name == *name)
    })
}

/// The runs there that a runner is at work on, by name.
pub fn at_work() -> Vec<PathBuf> {
    let mut runs: Vec<PathBuf> = runs().filter(|dir| run_dir::is_taken(dir)).collect();
    runs.sort();
    runs
}

/// The run there that was written to last.
pub fn latest() -> Option<PathBuf> {
    let written = |dir: &PathBuf| {
        let log = run_dir::log(dir);
        let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        modified(&log).max(modified(&log.with_file_name(run_dir::WAL)))
    };
    runs().max_by_key(written)
}
