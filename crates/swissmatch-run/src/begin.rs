//! From an event file to a run that can be played: a new one, or one that goes on.
//!
//! May not: play; decide what the log does not say.

use std::path::{Path, PathBuf};

use swissmatch_game::record::GameId;
use swissmatch_host::anchor::AnchorTarget;
use swissmatch_host::broadcast;
use swissmatch_host::desk::is_in_use;
use swissmatch_host::host::{GameHost, SlotsReport};
use swissmatch_host::machine;
use swissmatch_host::open_games;
use swissmatch_host::run_dir::{self, DirError, RunDir};
use swissmatch_host::signature::Signer;
use swissmatch_host::store::{Bundle, Store};
use swissmatch_report::beginning::PlayingVenue;
use swissmatch_report::interruptions::sentence;
use swissmatch_tournament::log::{Entry, RunCreated, RunResumed, TakenFrom, TourEvent};
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;
use swissmatch_tournament::waiting::Ends;

use super::create::create;
use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::{HostConnection, terms};
use super::interrupted::{InterruptionNote, LeftRun};
use super::materials::Materials;
use super::notice::Notice;
use super::open_desk::OpenDesk;
use super::open_run::{OpenError, OpenRun};
use super::over::FinishedRun;
use super::play::{Run, place};
use super::resume::{keep_its_rules, resume, take_in_late_entries};
use super::stored::StoredLog;
use super::{
    anchors, doings, eligibility, found, interrupted, ladder, own_directory, run_files, services, signing, submissions,
    tour, viewers,
};

/// A run that is about to be begun or taken up: everything has been looked at, nothing has been made or moved.
#[derive(Debug)]
pub struct PreparedRun {
    event: EventFile,
    path: PathBuf,
    /// Whether a run that is there is kept aside.
    anew: bool,
    hosted: HostConnection,
    materials: Materials,
    anchors: Vec<AnchorTarget>,
    broadcast: Option<broadcast::BroadcastTarget>,
    signer: Option<Signer>,
    tour: Option<Vec<TourEvent>>,
    /// The first entry, where a run begins.
    created: Option<RunCreated>,
    /// The slots of that one.
    opened: Option<SlotsReport>,
    /// The log of the other.
    stored: Option<StoredLog>,
}

/// A run whose directory was taken.
#[derive(Debug)]
pub enum HeldRun {
    /// It can be played.
    Run(Box<Run>),
    /// It is over, and nothing has changed.
    Over(Box<FinishedRun>),
}

/// What is done with a run whose directory was taken.
enum Next {
    /// It begins with this entry.
    Begins(Box<RunCreated>),
    /// It goes on with this entry, after what was played.
    GoesOn(Box<RunResumed>, Box<StoredLog>),
    /// It is over, and nothing has changed.
    Over(Box<StoredLog>),
}

impl Run {
    /// Begins the run of an event in `dir`, where there is none yet; `host` plays its games. `tell` hears what is worth a sentence.
    ///
    /// # Errors
    /// When there is a run, or anything is missing that it needs.
    pub fn create(
        event: EventFile,
        dir: &Path,
        host: Box<dyn GameHost>,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Self, RunError> {
        let prepared = PreparedRun::new(event, dir, false, host, tell)?;
        if !prepared.is_new() {
            return Err(RunError::Exists(dir.to_path_buf()));
        }
        match prepared.take(tell)? {
            HeldRun::Run(run) => Ok(*run),
            HeldRun::Over(_) => Err(RunError::Exists(dir.to_path_buf())),
        }
    }

    /// Takes up the run of an event in `dir`; one that is over stays as it is.
    ///
    /// # Errors
    /// When there is none, or it is not of this event, or anything is missing that it needs.
    pub fn resume(
        event: EventFile,
        dir: &Path,
        host: Box<dyn GameHost>,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<HeldRun, RunError> {
        let prepared = PreparedRun::new(event, dir, false, host, tell)?;
        match prepared.is_new() {
            true => Err(OpenError::NoRun(dir.to_path_buf()).into()),
            false => prepared.take(tell),
        }
    }

    /// Opens the run in `dir` to read it, to analyse its games, or to act as its arbiter; a runner may be at work on it.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(dir: &Path) -> Result<OpenRun, RunError> {
        Ok(OpenRun::open(Some(dir))?)
    }
}

impl PreparedRun {
    /// Looks at everything that playing an event in the directory `path` needs: the run that is there, unless it begins `anew`,
    /// openings, and by the host, on which its games are to be played, agents and room. Agents of a new run are started once.
    ///
    /// # Errors
    /// When anything is missing, or does not fit the run that is there.
    pub fn new(
        mut event: EventFile,
        path: &Path,
        anew: bool,
        host: Box<dyn GameHost>,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Self, RunError> {
        let tell = &mut doings::noting(tell);
        found::require_directory(path)?;
        found::require_writable(path)?;
        let refuse_taken = || match is_in_use(path) {
            true => Err(DirError::Locked(path.to_path_buf())),
            false => Ok(()),
        };
        refuse_taken()?;
        let stored = stored(path, anew)?;
        let registered = stored.as_ref().map(|stored| stored.state.setup());
        let left_out = submissions::enter(&mut event, path, registered)?;
        ladder::rate(&mut event, path, registered)?;
        let keys = &event.loaded.setup.submissions;
        let (taken_out, nothing): (Vec<_>, Vec<_>) = left_out.into_iter().partition(|name| keys.is_out(name));
        if !nothing.is_empty() {
            tell(Notice::HandedInNothing(nothing));
        }
        if !taken_out.is_empty() {
            tell(Notice::TakenOut(taken_out));
        }
        take_in_late_entries(&mut event.loaded, stored.as_ref().map_or(&[], |stored| &stored.others));
        if let Some(stored) = &stored {
            keep_its_rules(&mut event.loaded, stored);
        }
        let (anchors, signer) = (anchors::find(&event, path)?, signing::read(&event, path)?);
        services::require_outside(&event, path)?;
        let broadcast = viewers::find(&event, path)?;
        let mut hosted = HostConnection::new(host);
        let registered = stored.as_ref().map(|stored| stored.state.created().agents.as_slice());
        let materials = Materials::gather(&event, &mut hosted, registered)?;
        if !anew {
            found::require_own(path, stored.as_ref(), &materials.named(&event))?;
        }
        // Who may play was settled when the run began.
        if stored.is_none() {
            own_directory::are_of_no_run(&event, &materials.agents, path)?;
            let files = materials.found.iter().map(|found| &found.files);
            let entrants = event.loaded.setup.players.iter().zip(files);
            eligibility::require(&event, &mut hosted, entrants)?;
        }
        let tour = match event.loaded.setup.tour.runs.as_slice() {
            [] => None,
            _ => Some(tour::events_to_play_off(&event)?),
        };
        let of_services = services::doubts(&event);
        let doubts = event.loaded.warnings.iter().chain(&materials.warnings);
        for doubt in doubts.chain(&of_services) {
            tell(Notice::Doubt(doubt.clone()));
        }
        refuse_taken()?;
        // What is wrong with an agent's options shows here, before anything is made or moved.
        let created = match stored.is_none() {
            true => Some(create((&event, path), &materials, tour.clone(), &mut hosted, tell)?),
            false => None,
        };
        let opened = match &created {
            Some(created) => Some(open(&event, &materials, (created, Vec::new()), &mut hosted)?),
            None => None,
        };
        Ok(Self {
            event,
            path: path.to_path_buf(),
            anew,
            hosted,
            materials,
            anchors,
            broadcast,
            signer,
            tour,
            created,
            opened,
            stored,
        })
    }

    /// What the run is to be played by, and where, where it begins; `None`: it goes on.
    pub fn begins(&self) -> Option<(&Setup, PlayingVenue<'_>)> {
        let (created, opened) = (self.created.as_ref()?, self.opened.as_ref()?);
        Some((&created.setup, place(opened)))
    }

    /// Whether the run begins.
    pub(super) const fn is_new(&self) -> bool {
        self.created.is_some()
    }

    /// Takes the directory, and writes the entry that begins the run or takes it up.
    ///
    /// # Errors
    /// When somebody else took it, or what lies there has changed, or cannot be written.
    pub fn take(mut self, tell: &mut dyn FnMut(Notice)) -> Result<HeldRun, RunError> {
        let tell = &mut doings::noting(tell);
        let dir = RunDir::take(&self.path).map_err(|error| found::not_writable(&self.path, error))?;
        if self.anew
            && let Some(aside) = run_files::keep_aside(&dir, &self.materials.named(&self.event))?
        {
            tell(Notice::KeptAside(aside));
        }
        let stored = match self.stored.take() {
            // Nobody was at work on it meanwhile.
            Some(stored) if stored.is_all_of(dir.path()).map_err(RunError::Log)? => Some(stored),
            _ => stored(dir.path(), self.anew)?,
        };
        if !self.anew {
            // Whatever was looked at before the directory was ours may have changed since.
            found::require_own(dir.path(), stored.as_ref(), &self.materials.named(&self.event))?;
            found::doubt(dir.path())
                .into_iter()
                .for_each(|doubt| tell(Notice::Doubt(doubt)));
        }
        let left = LeftRun::in_dir(dir.path());
        let desk = OpenDesk::open(dir.path(), tell);
        let (mut event, mut before) = match self.entry(stored, dir.path(), tell)? {
            Next::Begins(created) => (Entry::Created(created), None),
            Next::GoesOn(resumed, stored) => (Entry::Resumed(resumed), Some(stored)),
            Next::Over(stored) => {
                return Ok(HeldRun::Over(Box::new(FinishedRun {
                    dir,
                    created_at: stored.first().at.clone(),
                    id: stored.first().hash.clone(),
                    head: stored.last.head(),
                    state: stored.state,
                    anchors: self.anchors,
                    broadcast: self.broadcast,
                    signer: self.signer,
                })));
            }
        };
        let opened = match (self.opened, &mut before) {
            (Some(opened), _) => opened,
            (None, Some(stored)) => {
                let taken = std::mem::take(&mut stored.taken);
                let (event, materials) = (&self.event, &self.materials);
                open(event, materials, (stored.state.created(), taken), &mut self.hosted)?
            }
            (None, None) => unreachable!("the slots of a new run are open"),
        };
        match &mut event {
            Entry::Created(created) => created.machine.clone_from(&opened.machine),
            Entry::Resumed(resumed) => resumed.machine.clone_from(&opened.machine),
            _ => {}
        }
        let (log, at, mut event) = (run_dir::log(dir.path()), machine::now(), Bundle::from(event));
        if before.is_none() {
            let manifests = self.materials.found.iter().flat_map(|found| &found.manifests);
            let texts = manifests.map(|manifest| (manifest.hash().sha256, manifest.text.clone()));
            event.blobs = texts.collect();
        }
        let resumed = before.is_some();
        let (store, begun) = match before {
            Some(stored) => {
                let (created_at, id) = (stored.first().at.clone(), stored.first().hash.clone());
                let StoredLog {
                    mut state,
                    ends,
                    others,
                    last,
                    ..
                } = *stored;
                let InterruptionNote { entry, ignored } = left.noted(&others, &last, &state);
                if let Some(why) = ignored {
                    tell(Notice::Doubt(why));
                }
                if let Some(interrupted) = &entry {
                    tell(Notice::Interrupted(sentence(interrupted)));
                }
                let noted = entry.map(|interrupted| Bundle::from(Entry::Interrupted(interrupted)));
                let entries: Vec<Bundle> = noted.into_iter().chain([event]).collect();
                for entry in &entries {
                    state.apply(&entry.entry)?;
                }
                let mut store = Store::open_at(&log, last.head())?;
                store.append(&entries, &at)?;
                // One that stays is known to be in the log.
                if let Err(error) = interrupted::remove(dir.path()) {
                    tell(Notice::Doubt(error.to_string()));
                }
                (store, (state, ends, created_at, id))
            }
            None => {
                let store = Store::create(&log, &event, &at)?;
                let id = store.head().hash;
                (store, (State::fold([&event.entry])?, Ends::default(), at, id))
            }
        };
        let (state, ends, created_at, id) = begun;
        self.hosted.host.keep_in(dir.path(), &id).map_err(RunError::machine)?;
        let began = store.head();
        open_games::tell_run(dir.path(), began.clone()).map_err(RunError::machine)?;
        Ok(HeldRun::Run(Box::new(Run {
            state,
            began,
            anchors: self.anchors,
            broadcast: self.broadcast,
            signer: self.signer,
            id,
            store,
            openings: self.materials.openings,
            hosted: self.hosted,
            opened,
            dir,
            created_at,
            resumed,
            ends,
            desk,
            live: Vec::new(),
            server: None,
            server_stays: false,
        })))
    }

    /// The entry that begins the run or takes it up.
    fn entry(&mut self, stored: Option<StoredLog>, dir: &Path, tell: &mut dyn FnMut(Notice)) -> Result<Next, RunError> {
        let Some(stored) = stored.map(Box::new) else {
            let created = self.created.take();
            let created = created.ok_or_else(|| RunError::LogGone(run_dir::log(dir)))?;
            return Ok(Next::Begins(Box::new(created)));
        };
        let state = &stored.state;
        doings::look_for_embargo(state);
        let resumed = resume(&self.event, &self.materials, self.tour.as_ref(), state, dir, tell)?;
        Ok(match resumed {
            Some(resumed) => Next::GoesOn(Box::new(resumed), stored),
            None => Next::Over(stored),
        })
    }
}

/// Has the host open its slots for a run whose agents are those of `created`, and which has these games of earlier runs.
fn open(
    event: &EventFile,
    materials: &Materials,
    (created, taken): (&RunCreated, Vec<(GameId, TakenFrom)>),
    hosted: &mut HostConnection,
) -> Result<SlotsReport, RunError> {
    let of_entry = |&entry: &usize| {
        let (agent, found, registered) = (
            &materials.agents[entry],
            &materials.found[entry],
            &created.agents[entry],
        );
        let threads = agent.threads(registered.introduction.as_ref());
        let agent = agent.clone();
        (
            agent.with_content(&registered.files, &found.program, &found.directory),
            threads,
        )
    };
    let (agents, threads) = created.order.iter().map(of_entry).unzip();
    let setup = &event.loaded.setup;
    hosted.open(terms(agents, threads, setup, taken), &event.loaded)
}

fn stored(path: &Path, anew: bool) -> Result<Option<StoredLog>, RunError> {
    match anew {
        true => Ok(None),
        false => found::stored(path),
    }
}
