//! The files of a run: written after each round and at the end, by a thread of their own, from committed events alone.
//!
//! Each is a pure function of the log, so that `verify` can compare them byte by byte. While an embargo lasts they are those of
//! the event as it may be published (`tournament::embargo`).

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;
use tracing::{debug, warn};

use crate::config;
use crate::game::record::GameId;
use crate::report::pgn::Comments;
use crate::report::trf::{CannotHold, View};
use crate::report::{self, pgn, trf};
use crate::tournament::embargo::{is_held_back, published};
use crate::tournament::log::{Act, Entry};
use crate::tournament::state::{Game, Sitting, State};
use crate::tournament::ties::event_is_over;

use super::open_run::{parse_record, record_text};
use crate::shell::files::{self, Draft, about, write_whole};
use crate::shell::run_dir::log;
use crate::shell::store::{Bundle, Store};
use crate::shell::{machine, threads};

/// All games, in schedule order.
pub const GAMES: &str = "games.pgn";
/// Pairings and results for other programs.
pub const TOURNAMENT: &str = "tournament.trf";
/// Names of all tables that a run may have.
pub const TABLES: [&str; 14] = [
    "standings.md",
    "standings.csv",
    "standings.json",
    "crosstable.csv",
    "tour.md",
    "tour.csv",
    "tour.json",
    "playoff.md",
    "playoff.json",
    "prizes.md",
    "prizes.json",
    "analysis.md",
    "analysis.json",
    TOURNAMENT,
];
/// Version, configuration, hashes, machine.
pub const MANIFEST: &str = "manifest.json";
/// Transcripts and standard error of games, one file each.
pub const EVIDENCE: &str = "evidence";

/// Games whose records, not their PGN alone, are in memory at once.
const RENDERED_AT_ONCE: usize = 1024;

/// How long after a failure the files are tried again, where no round ends before.
const AGAIN: Duration = Duration::from_secs(20);

/// Writing that takes longer is worth a line.
const SLOW: Duration = Duration::from_secs(1);

enum Job {
    Evidence(GameId, String),
    RoundOver(Box<State>),
    /// Games that were written may be others now.
    Anew(Box<State>),
}

/// What the publisher has to say.
#[derive(Debug)]
pub enum Remark {
    /// Something has gone wrong.
    Warning(String),
    /// It came right again.
    Right(&'static str),
}

/// The thread that writes a run's files.
#[derive(Debug)]
pub struct Publisher {
    jobs: Sender<Job>,
    remarks: Receiver<Remark>,
    thread: JoinHandle<Desk>,
}

impl Publisher {
    /// Starts it for the run in `dir`, whose games are played as `places` says, if any are to come. Files of rounds that are
    /// over already are written at once.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn start(dir: &Path, state: &State, created_at: &str, places: Option<&serde_json::Value>) -> io::Result<Self> {
        files::sweep(dir);
        // Whoever publishes holds the run's directory.
        files::sweep_all(&dir.join(EVIDENCE));
        let mut files = Files::new(dir, created_at)?;
        // The one that plays says on what; who comes after it leaves that as it is.
        if places.is_some() || !dir.join(MANIFEST).exists() {
            write_whole(&dir.join(MANIFEST), &manifest(state, created_at, places)?)?;
        }
        files.catch_up(state)?;
        let (jobs, queue) = mpsc::channel();
        let (remark, remarks) = mpsc::channel();
        let desk = Desk {
            files,
            last: Box::new(state.clone()),
            trouble: None,
            lacks_evidence: false,
            remark,
        };
        let thread = threads::start("publisher", move || desk.work(&queue))?;
        Ok(Self { jobs, remarks, thread })
    }

    /// What has gone wrong since this was asked last, and whether it came right.
    pub fn remarks(&self) -> impl Iterator<Item = Remark> {
        self.remarks.try_iter()
    }

    /// An event has been committed.
    pub fn committed(&self, state: &State, entry: &Bundle) {
        // A publisher that has gone says why at the end.
        let finished = match &entry.entry {
            Entry::GameFinished(finished) => finished,
            Entry::Acted(acted) => {
                if let Some(job) = job_of(&acted.act) {
                    let _ = self.jobs.send(job(Box::new(state.clone())));
                }
                return;
            }
            _ => return,
        };
        let evidence = entry
            .blobs
            .iter()
            .find(|(hash, _)| Some(hash) == finished.evidence.as_ref());
        if let Some((_, text)) = evidence.filter(|_| !is_held_back(state, finished.id)) {
            let _ = self.jobs.send(Job::Evidence(finished.id, text.clone()));
        }
        if state.sittings().last().is_some_and(|sitting| sitting.is_over()) {
            let _ = self.jobs.send(Job::RoundOver(Box::new(state.clone())));
        }
    }

    /// Writes what is left, and ends.
    ///
    /// # Errors
    /// When a file could not be written.
    pub fn finish(self, state: &State) -> io::Result<()> {
        drop(self.jobs);
        let ended = self.thread.join();
        let mut desk = ended.map_err(|_| io::Error::other("writing the run's files broke down"))?;
        if desk.trouble.is_some() || desk.lacks_evidence {
            desk.files.catch_up(state)?;
        }
        desk.files.rest(state)
    }
}

/// The work of the thread.
#[derive(Debug)]
struct Desk {
    files: Files,
    /// The state that the files are to show.
    last: Box<State>,
    /// Why they do not.
    trouble: Option<String>,
    /// Whether evidence of games that `last` does not have yet was not written.
    lacks_evidence: bool,
    remark: Sender<Remark>,
}

impl Desk {
    fn work(mut self, queue: &Receiver<Job>) -> Self {
        let mut again = Instant::now();
        loop {
            let job = match self.trouble {
                None => queue.recv().map_err(RecvTimeoutError::from),
                Some(_) => queue.recv_timeout(again.saturating_duration_since(Instant::now())),
            };
            let begun = Instant::now();
            let written = match job {
                Ok(Job::Evidence(..)) if self.trouble.is_some() => {
                    self.lacks_evidence = true;
                    continue;
                }
                Ok(Job::Evidence(id, text)) => {
                    let written = self.files.evidence(id, &text);
                    self.lacks_evidence |= written.is_err();
                    written
                }
                Ok(Job::RoundOver(state)) => {
                    self.last = state;
                    self.bring_up()
                }
                Ok(Job::Anew(state)) => {
                    self.last = state;
                    self.files.games = None;
                    self.catch_up()
                }
                Err(RecvTimeoutError::Timeout) => self.files.catch_up(&self.last),
                Err(RecvTimeoutError::Disconnected) => return self,
            };
            again = Instant::now() + AGAIN;
            let took = begun.elapsed();
            match took > SLOW {
                true => warn!(?took, "slow writing of the run's files"),
                false => debug!(?took, "the run's files are written"),
            }
            self.note(written);
        }
    }

    /// After a failure it is not known what is there and what is not.
    fn bring_up(&mut self) -> io::Result<()> {
        match self.trouble.is_none() && !self.lacks_evidence {
            true => self.files.rounds_over(&self.last),
            false => self.catch_up(),
        }
    }

    /// Writes all that the state has, which is the newest: nothing of it is missing then.
    fn catch_up(&mut self) -> io::Result<()> {
        self.files.catch_up(&self.last)?;
        self.lacks_evidence = false;
        Ok(())
    }

    /// Tells of a failure when it comes, changes, and goes.
    fn note(&mut self, written: io::Result<()>) {
        let trouble = written.err().map(|error| error.to_string());
        if trouble != self.trouble {
            // Whoever asked for the files may not read remarks.
            let _ = self.remark.send(match &trouble {
                Some(error) => Remark::Warning(format!(
                    "a file of the run cannot be written: {error}; play goes on, the log is complete, and it is tried again"
                )),
                None => Remark::Right("the files of the run are written again"),
            });
        }
        self.trouble = trouble;
    }
}

/// The files themselves.
#[derive(Debug)]
struct Files {
    dir: PathBuf,
    created_at: String,
    store: Store,
    /// What is to be gone on with; without it the file is written anew.
    games: Option<Games>,
}

/// The file of games as far as it is written.
#[derive(Debug)]
struct Games {
    file: File,
    length: u64,
    /// Rounds and play-off rounds whose games are in it.
    sittings: usize,
}

impl Files {
    fn new(dir: &Path, created_at: &str) -> io::Result<Self> {
        let store = Store::open_to_read(&log(dir)).map_err(io::Error::other)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            created_at: created_at.to_owned(),
            store,
            games: None,
        })
    }

    /// Everything that is not there yet.
    fn catch_up(&mut self, state: &State) -> io::Result<()> {
        self.evidence_as_due(state)?;
        self.rounds_over(state)
    }

    fn evidence_file(&self, id: GameId) -> PathBuf {
        self.dir.join(EVIDENCE).join(format!("{id}.txt"))
    }

    fn evidence(&self, id: GameId, text: &str) -> io::Result<()> {
        let dir = self.dir.join(EVIDENCE);
        files::make_directory(&dir)?;
        write_whole(&self.evidence_file(id), text)
    }

    /// Evidence that was committed by a runner that did not come to writing its file; none of games that are held back, or
    /// were played again without any.
    fn evidence_as_due(&self, state: &State) -> io::Result<()> {
        for sitting in state.sittings() {
            for (mini_match, board) in (1..).zip(sitting.mini_matches) {
                for (game, slot) in (1..).zip(&board.games) {
                    let (round, playoff) = (sitting.round, sitting.playoff);
                    let id = GameId {
                        round,
                        playoff,
                        board: mini_match,
                        game,
                    };
                    let hash = slot.as_ref().and_then(|game| game.finished.evidence.as_deref());
                    self.evidence_of(id, hash.filter(|_| !is_held_back(state, id)))?;
                }
            }
        }
        Ok(())
    }

    fn evidence_of(&self, id: GameId, hash: Option<&str>) -> io::Result<()> {
        let path = self.evidence_file(id);
        match (hash, path.exists()) {
            (Some(hash), false) => match self.store.blob(hash).map_err(io::Error::other)? {
                Some(text) => self.evidence(id, &text),
                None => Ok(()),
            },
            (None, true) => std::fs::remove_file(&path).map_err(|error| about(&path, &error)),
            (Some(_), true) | (None, false) => Ok(()),
        }
    }

    fn rounds_over(&mut self, state: &State) -> io::Result<()> {
        let state = &*published(state);
        self.games(state, state.sittings().take_while(Sitting::is_over).count())?;
        self.tables(state)
    }

    /// The games of a round that is not over, at the end of the file: the next runner writes the file anew.
    fn rest(&mut self, state: &State) -> io::Result<()> {
        let state = &*published(state);
        self.games(state, state.sittings().count())?;
        if let Some(games) = &self.games {
            let synced = games.file.sync_all();
            synced.map_err(|error| about(&self.dir.join(GAMES), &error))?;
        }
        self.tables(state)
    }

    /// The games of so many rounds: at the end of the file, or, where that is not as it was left, in another that takes its
    /// place when it is whole.
    fn games(&mut self, state: &State, sittings: usize) -> io::Result<()> {
        let path = self.dir.join(GAMES);
        let text = |sitting: Sitting<'_>| {
            let games: Vec<&Game> = sitting.finished_games().collect();
            render_games(state, &games, &self.created_at, &self.store, Comments::Full)
        };
        match self.games.take().filter(|games| games.is_as_it_was_left(&path)) {
            None => {
                let mut draft = Draft::at(&path)?;
                let mut length = 0;
                for sitting in state.sittings().take(sittings) {
                    let text = text(sitting)?;
                    draft.write(&text)?;
                    length += text.len() as u64;
                }
                let file = draft.place()?;
                self.games = Some(Games { file, length, sittings });
            }
            Some(mut games) => {
                for sitting in state.sittings().take(sittings).skip(games.sittings) {
                    let text = text(sitting)?;
                    // What is written of it and not all makes the length another, and the file is then written anew.
                    let written = games.file.write_all(text.as_bytes());
                    written.map_err(|error| about(&path, &error))?;
                    games.length += text.len() as u64;
                    games.sittings += 1;
                }
                self.games = Some(games);
            }
        }
        Ok(())
    }

    fn tables(&self, state: &State) -> io::Result<()> {
        let mut tables = tables(state);
        tables.extend(tournament(state).ok().map(|text| (TOURNAMENT, text)));
        files::write_all_whole(&self.dir, &tables)?;
        // One of an earlier round would tell of another event.
        let is_given = |name: &&str| tables.iter().any(|(given, _)| given == name);
        let mut gone = TABLES.into_iter().filter(|name| !is_given(name));
        gone.try_for_each(|name| {
            let path = self.dir.join(name);
            match path.exists() {
                true => std::fs::remove_file(&path).map_err(|error| about(&path, &error)),
                false => Ok(()),
            }
        })
    }
}

impl Games {
    /// Whether it is still in its place, and nobody has written to it, nor half of something been written.
    fn is_as_it_was_left(&self, path: &Path) -> bool {
        let is_whole = self.file.metadata().is_ok_and(|there| there.len() == self.length);
        is_whole && files::is_at(&self.file, path).unwrap_or(false)
    }
}

/// What an act asks to be written.
fn job_of(act: &Act) -> Option<fn(Box<State>) -> Job> {
    match act {
        // Games say of themselves that they are annulled.
        Act::Disqualify { .. }
        | Act::Reinstate { .. }
        | Act::Replay { .. }
        | Act::Void { .. }
        | Act::SetResult { .. }
        | Act::Release => Some(Job::Anew),
        Act::Enter { .. } | Act::Withdraw { .. } | Act::AwardBye { .. } | Act::End => Some(Job::RoundOver),
        // The game's end follows as an event of its own.
        Act::Adjudicate { .. }
        | Act::Pause
        | Act::Resume
        | Act::StopAfterRound
        | Act::Absent { .. }
        | Act::Present { .. }
        | Act::RequestBye { .. }
        | Act::Forbid { .. }
        | Act::Force { .. }
        | Act::Confirm { .. } => None,
    }
}

/// Every file that follows from the log alone: name and content.
///
/// # Errors
/// When a record is missing or damaged.
pub fn files(state: &State, created_at: &str, store: &Store) -> io::Result<Vec<(&'static str, String)>> {
    let state = &*published(state);
    let games: Vec<&Game> = state.finished_games().collect();
    let mut files = tables(state);
    files.extend(tournament(state).ok().map(|text| (TOURNAMENT, text)));
    files.push((GAMES, render_games(state, &games, created_at, store, Comments::Full)?));
    Ok(files)
}

fn tables(state: &State) -> Vec<(&'static str, String)> {
    let rounds = state.rounds().len();
    let mut tables = match report::tour::report(state) {
        Some((page, json)) => vec![
            ("tour.md", page.markdown()),
            ("tour.csv", page.table.csv()),
            ("tour.json", json),
        ],
        None => {
            let standings = report::parts::standings(state, rounds);
            let crosstable = report::parts::crosstables(state, rounds);
            vec![
                ("standings.md", standings.markdown()),
                ("standings.csv", standings.csv()),
                ("standings.json", report::parts::standings_json(state, rounds)),
                ("crosstable.csv", crosstable.csv()),
            ]
        }
    };
    tables.extend(report::playoff::markdown(state).map(|text| ("playoff.md", text)));
    tables.extend(report::playoff::json(state).map(|text| ("playoff.json", text)));
    if event_is_over(state) && state.setup().has_prizes() {
        tables.push(("prizes.md", report::prizes::pages(state).markdown()));
        tables.push(("prizes.json", report::prizes::json(state)));
    }
    tables.extend(report::analysis::page(state).map(|page| ("analysis.md", page.markdown())));
    tables.extend(report::analysis::json(state).map(|text| ("analysis.json", text)));
    tables
}

/// What [`TOURNAMENT`] holds.
///
/// # Errors
/// When the format cannot hold the event. Then the run has no such file.
pub fn tournament(state: &State) -> Result<String, CannotHold> {
    trf::text(state, View::Individual, state.rounds_over())
}

/// Games as PGN, in the order given.
///
/// # Errors
/// When a record is missing or damaged.
pub fn render_games(
    state: &State,
    games: &[&Game],
    created_at: &str,
    store: &Store,
    comments: Comments,
) -> io::Result<String> {
    let date = created_at.get(..10).unwrap_or("????.??.??").replace('-', ".");
    let mut all = String::new();
    for games in games.chunks(RENDERED_AT_ONCE) {
        let texts = games
            .iter()
            .map(|game| record_text(store, &game.finished).map(|text| (*game, text)));
        let texts = texts.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
        let render = |(game, text): &(&Game, Option<String>)| {
            let record = parse_record(&game.finished, text.as_deref())?;
            pgn::game(state, game, record.as_ref(), &date, comments)
                .map_err(|error| format!("game {}: {error}", game.finished.id))
        };
        let rendered: Result<Vec<String>, String> = texts.par_iter().map(render).collect();
        all += &rendered.map_err(io::Error::other)?.concat();
    }
    Ok(all)
}

/// What a run was made of, for whoever wants to repeat it.
fn manifest(state: &State, created_at: &str, places: Option<&serde_json::Value>) -> io::Result<String> {
    let created = state.created();
    let players: Vec<_> = state
        .setup()
        .players
        .iter()
        .zip(&created.agents)
        .map(|(player, agent)| json!({ "name": player.name, "agent": agent }))
        .collect();
    let config: serde_json::Map<String, serde_json::Value> = config::key_values(state.setup())
        .into_iter()
        .map(|(key, value)| (key, value.into()))
        .collect();
    let manifest = json!({
        "schema": 1,
        "software": { "name": "swissmatch", "version": created.software },
        "created_at": created_at,
        "format": created.format,
        "rounds": created.rounds,
        "config": config,
        "players": players,
        "openings": created.openings,
        "machine": machine::describe()?,
        "seating": places,
    });
    Ok(format!("{manifest:#}\n"))
}
