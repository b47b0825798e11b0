//! From an event file to a run that can be played: a new one, or one that goes on.
//!
//! May not: play; decide what the log does not say.

use std::path::{Path, PathBuf};

use crate::shell::desk::is_in_use;
use crate::shell::host::local::cores::Seating;
use crate::shell::machine;
use crate::shell::run_dir::{self, DirError, RunDir};
use crate::shell::store::{Entry, Logged, Store};
use crate::tournament::event::{Created, Event};
use crate::tournament::state::State;
use crate::tournament::tour::TourEvent;

use super::conduct::Stopper;
use super::create::create;
use super::error::RunError;
use super::event_file::EventFile;
use super::materials::Materials;
use super::notice::Notice;
use super::open_desk::OpenDesk;
use super::play::Run;
use super::resume::{resume, take_in_late_entries};
use super::room::Room;
use super::{eligibility, found, open_run, run_files, tour};

/// A run that is about to be begun or taken up: everything has been looked at, nothing has been made or moved.
#[derive(Debug)]
pub struct Prepared {
    event: EventFile,
    path: PathBuf,
    /// Whether a run that is there is kept aside.
    anew: bool,
    materials: Materials,
    room: Room,
    tour: Option<Vec<TourEvent>>,
    /// The first entry, where a run begins.
    created: Option<Created>,
}

/// A run whose directory was taken.
#[derive(Debug)]
pub enum Taken {
    /// It can be played.
    Run(Box<Run>),
    /// It is over, and nothing has changed.
    Over(Box<Over>),
}

/// A run that is over and stays as it is.
#[derive(Debug)]
pub struct Over {
    pub(super) dir: RunDir,
    pub(super) state: State,
    pub(super) created_at: String,
}

impl Prepared {
    /// Looks at everything that playing an event in the directory `path` needs: the run that is there, unless it begins `anew`,
    /// agents, openings, the machine. Agents of a new run are started once.
    ///
    /// # Errors
    /// When anything is missing, or does not fit the run that is there.
    pub fn new(mut event: EventFile, path: &Path, anew: bool, tell: &mut dyn FnMut(Notice)) -> Result<Self, RunError> {
        found::require_directory(path)?;
        let refuse_taken = || match is_in_use(path) {
            true => Err(DirError::Locked(path.to_path_buf())),
            false => Ok(()),
        };
        refuse_taken()?;
        let stored = stored(path, anew)?;
        take_in_late_entries(&mut event.loaded, &stored);
        let materials = Materials::gather(&event)?;
        if !anew {
            found::require_own(path, &stored, &materials.named(&event))?;
        }
        // Who may play was settled when the run began.
        if stored.is_empty() {
            let entrants = event.loaded.setup.players.iter().zip(&materials.files);
            eligibility::require(&event, entrants)?;
        }
        let room = Room::of_this_machine(&event.loaded, materials.open_files())?;
        let tour = match event.loaded.setup.tour.runs.as_slice() {
            [] => None,
            _ => Some(tour::events_to_play_off(&event)?),
        };
        for doubt in event.loaded.warnings.iter().chain(&materials.warnings) {
            tell(Notice::Doubt(doubt.clone()));
        }
        refuse_taken()?;
        // What is wrong with an agent's options shows here, before anything is made or moved.
        let created = match stored.is_empty() {
            true => Some(create(&event, &materials, tour.clone(), &room, tell)?),
            false => None,
        };
        if let Some(created) = &created {
            room.seat(&event.loaded, &created.agents, &materials.commands)?;
        }
        Ok(Self {
            event,
            path: path.to_path_buf(),
            anew,
            materials,
            room,
            tour,
            created,
        })
    }

    /// Takes the directory, and writes the entry that begins the run or takes it up.
    ///
    /// # Errors
    /// When somebody else took it, or what lies there has changed, or cannot be written.
    pub fn take(mut self, tell: &mut dyn FnMut(Notice)) -> Result<Taken, RunError> {
        let dir = RunDir::take(&self.path)?;
        if self.anew
            && let Some(aside) = run_files::keep_aside(&dir)?
        {
            tell(Notice::KeptAside(aside));
        }
        let logged = stored(dir.path(), self.anew)?;
        if !self.anew {
            // Whatever was looked at before the directory was ours may have changed since.
            found::require_own(dir.path(), &logged, &self.materials.named(&self.event))?;
            found::doubt(dir.path())
                .into_iter()
                .for_each(|doubt| tell(Notice::Doubt(doubt)));
        }
        let desk = OpenDesk::open(dir.path(), tell);
        let Some((event, before)) = self.entry(&logged, dir.path(), tell)? else {
            let state = State::fold(logged.iter().map(|logged| &logged.event))?;
            let created_at = logged[0].at.clone();
            return Ok(Taken::Over(Box::new(Over { dir, state, created_at })));
        };
        let seating = self.seating(&event, before.as_ref())?;
        let (log, at, entries) = (run_dir::log(dir.path()), machine::now(), [Entry::from(event)]);
        let (store, state) = match before {
            Some(mut state) => {
                let mut store = Store::open(&log, &logged)?;
                store.append(&entries, &at)?;
                state.apply(&entries[0].event)?;
                (store, state)
            }
            None => (
                Store::create(&log, &entries[0], &at)?,
                State::fold([&entries[0].event])?,
            ),
        };
        Ok(Taken::Run(Box::new(Run {
            state,
            store,
            materials: self.materials,
            seating,
            dir,
            created_at: logged.first().map_or(at, |first| first.at.clone()),
            resumed: !logged.is_empty(),
            ends: open_run::ends(&logged)?,
            desk,
            line: Stopper::new(),
            live: Vec::new(),
        })))
    }

    /// The entry that begins the run or takes it up, with the state before it; `None` where the run is over and nothing has changed.
    fn entry(
        &mut self,
        logged: &[Logged],
        dir: &Path,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Option<(Event, Option<State>)>, RunError> {
        if logged.is_empty() {
            let created = self.created.take();
            let created = created.ok_or_else(|| RunError::LogGone(run_dir::log(dir)))?;
            return Ok(Some((Event::Created(Box::new(created)), None)));
        }
        let state = State::fold(logged.iter().map(|logged| &logged.event))?;
        let resumed = resume(&self.event, &self.materials, self.tour.as_ref(), &state, dir, tell)?;
        Ok(resumed.map(|resumed| (Event::Resumed(Box::new(resumed)), Some(state))))
    }

    /// Where the games of the run are played.
    fn seating(&self, event: &Event, before: Option<&State>) -> Result<Seating, RunError> {
        let created = match (event, before) {
            (Event::Created(created), _) => created,
            (_, Some(state)) => state.created(),
            _ => unreachable!("a log begins with what was created"),
        };
        self.room
            .seat(&self.event.loaded, &created.agents, &self.materials.commands)
    }
}

fn stored(path: &Path, anew: bool) -> Result<Vec<Logged>, RunError> {
    match anew {
        true => Ok(Vec::new()),
        false => found::stored(path),
    }
}
