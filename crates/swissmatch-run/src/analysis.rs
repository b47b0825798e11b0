//! A stored run analysed: the reference engine found and introduced, its work put into the log, the files written anew.
//!
//! May not: speak to a person.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use swiss_system::text::escaped;

use swissmatch_game::alarm::Patterns;
use swissmatch_game::handshake::StartError;
use swissmatch_game::isolation::IsolatedAgent;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_host::agents::{self, FindProgramError};
use swissmatch_host::engine::EngineCommand;
use swissmatch_host::evaluator::Search;
use swissmatch_host::gpus::Pool;
use swissmatch_host::launch::{Launch, ProcessLimits};
use swissmatch_host::machine;
use swissmatch_host::run_dir::{self, DirError, RunDir};
use swissmatch_host::store::Store;
use swissmatch_host::topology::Topology;
use swissmatch_tournament::analysis::due_for_analysis;
use swissmatch_tournament::log::{Agent, AnalysisBegun};
use swissmatch_tournament::setup::{AnalysisKeys, PlayerKeys, Restart, Setup};
use swissmatch_tournament::state::State;

pub use super::analyse::AnalysisCounts;
use super::analyse::{AnalysisPlan, analyse};
use super::error::RunError;
use super::evaluations::{BESIDE_THE_LOG, CacheError, Evaluations};
use super::open_run::OpenRun;
use super::publish::Publisher;

/// An analysis that is wanted.
#[derive(Debug)]
pub struct AnalysisRequest<'a> {
    /// The engine and how it searches.
    pub keys: AnalysisKeys,
    /// Where the engine is looked for, and runs.
    pub directory: PathBuf,
    /// Engines at once; `None`: as many as have a core for each of their threads.
    pub concurrency: Option<usize>,
    /// Where evaluations are kept; `None`: beside the log.
    pub cache: Option<PathBuf>,
    /// When true, no position is begun any more.
    pub stop: &'a AtomicBool,
}

/// What is worth telling meanwhile.
#[derive(Debug)]
pub enum Progress {
    /// Every finished game has been analysed with these settings.
    NothingLeft,
    /// The engine or its settings are not those of the last analysis, which this one replaces.
    Replaces,
    /// The engine has several threads, and evaluates the same position otherwise each time.
    SeveralThreads,
    /// It begins.
    Begins {
        /// So many games.
        games: usize,
        /// The engine.
        program: PathBuf,
        /// Engines at once.
        at_once: usize,
    },
    /// One game more is done.
    Game,
    /// It has ended.
    Ended(AnalysisCounts, Duration),
}

/// What an analysis left.
#[derive(Debug)]
pub struct AnalysedRun {
    /// What follows from the log.
    pub state: State,
    /// Whether every game that was due is done.
    pub is_whole: bool,
}

impl OpenRun {
    /// Analyses every finished game that has not been, with the reference engine that is `wanted`.
    ///
    /// # Errors
    /// When there is no game, or a runner is at work on the run; when the engine cannot be started or does not go on; when the disk
    /// does not take what was found.
    pub fn analyse(self, wanted: AnalysisRequest<'_>, tell: &dyn Fn(Progress)) -> Result<AnalysedRun, RunError> {
        if run_dir::is_taken(&self.dir) {
            return Err(DirError::Locked(self.dir).into());
        }
        if !self.state.finished_games().any(|game| game.finished.is_analysable()) {
            return Err(RunError::NothingToAnalyse(self.dir));
        }
        let command = command(&wanted, self.state.setup())?;
        let begun = begin(&wanted.keys, &command)?;
        let dir = RunDir::take(&self.dir)?;
        // What was read before the directory was ours may have changed since.
        let run = Self::open(Some(dir.path()))?;
        let created_at = run.created_at().to_owned();
        let mut state = run.state;
        let mut store = Store::open(&run_dir::log(dir.path()), &run.logged)?;
        let work = Work {
            wanted: &wanted,
            begun: &begun,
            command: &command,
            tell,
        };
        let analysed = work.run(&dir, &mut state, &mut store);
        // The files of the run tell of what was analysed, also where it ended early.
        let published = Publisher::start(dir.path(), &state, &created_at, None, None)
            .and_then(|publisher| publisher.finish(&state));
        // The log is complete also where its -wal file has to stay for a reader's sake.
        let _ = store.settle();
        analysed?;
        published.map_err(RunError::machine)?;
        let is_whole = due_for_analysis(&state, &begun).is_empty();
        Ok(AnalysedRun { state, is_whole })
    }
}

/// What an analysis works with.
struct Work<'a> {
    wanted: &'a AnalysisRequest<'a>,
    begun: &'a AnalysisBegun,
    command: &'a EngineCommand,
    tell: &'a dyn Fn(Progress),
}

impl Work<'_> {
    fn run(&self, dir: &RunDir, state: &mut State, store: &mut Store) -> Result<(), RunError> {
        let Self {
            wanted,
            begun,
            command,
            tell,
        } = *self;
        let games = due_for_analysis(state, begun).len();
        if games == 0 {
            tell(Progress::NothingLeft);
            return Ok(());
        }
        let said = begun.engine.introduction.as_ref().map(|said| said.threads);
        let threads = said.unwrap_or_else(|| command.options.threads_asked_for()) as usize;
        let at_once = match wanted.concurrency {
            Some(engines) => engines,
            None => Topology::of_this_machine().map_err(RunError::machine)?.at_once(threads),
        };
        machine::raise_descriptor_limit(at_once, 0)
            .and_then(|()| machine::raise_process_limit(at_once, false))
            .map_err(RunError::Machine)?;
        let plan = AnalysisPlan {
            begun,
            command,
            search: Search {
                variant: state.setup().game.variant,
                bounds: begun.keys.bounds(),
                scores: begun.keys.scores,
                limit: begun.keys.limit,
                ready_limit: state.setup().engine.ready_limit,
            },
            concurrency: at_once,
            stop: wanted.stop,
        };
        if state.analysis().is_some_and(|last| !last.begun.goes_on_with(begun)) {
            tell(Progress::Replaces);
        }
        if threads > 1 {
            tell(Progress::SeveralThreads);
        }
        tell(Progress::Begins {
            games,
            program: command.launch.program.clone(),
            at_once,
        });
        let own = dir.path().join(BESIDE_THE_LOG);
        // What lies in a run may be a stranger's, and a link may lead to any file of whoever analyses it.
        if wanted.cache.is_none() && own.is_symlink() {
            return Err(RunError::machine(CacheError::Link(own.display().to_string())));
        }
        let file = wanted.cache.clone().unwrap_or(own);
        let mut cache = Evaluations::open(&file, begun).map_err(RunError::machine)?;
        let started = Instant::now();
        let done = analyse(&plan, state, store, &mut cache, &|| tell(Progress::Game))?;
        tell(Progress::Ended(done, started.elapsed()));
        Ok(())
    }
}

/// How to start the reference engine.
fn command(wanted: &AnalysisRequest<'_>, setup: &Setup) -> Result<EngineCommand, RunError> {
    let keys = &wanted.keys;
    let program = agents::find_own_program(&keys.command).map_err(|error| {
        let error = match error {
            FindProgramError::Nowhere { name } => {
                format!(
                    "`{name}` was found neither beside swissmatch, nor in PATH, nor where Debian puts engines; a program \
                    among the agents' files is never taken by its name alone (--engine ./{name} takes it)"
                )
            }
            error => error.to_string(),
        };
        RunError::Reference(format!(
            "the reference engine (analysis.command): {error}; install it, or name another with --engine"
        ))
    })?;
    let mut options = WantedOptions::new(&keys.options, &BTreeMap::new());
    options.play(setup.game.variant);
    Ok(EngineCommand {
        name: "the reference engine".to_owned(),
        base: wanted.directory.clone(),
        launch: Launch {
            program,
            args: keys.args.clone(),
            directory: wanted.directory.clone(),
            environment: BTreeMap::new(),
            limits: ProcessLimits::of_this_program(),
            allowance: setup.engine.allowance(),
            connect: Vec::new(),
            confinement: None,
            adapter: None,
        },
        options,
        start_limit: setup.engine.start_limit,
        quit_grace: setup.engine.quit_grace,
        restart: Restart::Never,
        ponder: false,
        isolated: IsolatedAgent::default(),
        registered: None,
        scratch: None,
        caller: None,
        doors: Arc::default(),
        alarms: Patterns::default(),
        needs_gpu: false,
    })
}

/// The analysis that these keys and this engine make. The engine is started once, so that what is wrong with it shows before
/// anything is begun.
fn begin(keys: &AnalysisKeys, command: &EngineCommand) -> Result<AnalysisBegun, RunError> {
    let at = |what: &str| format!("the reference engine {}: {what}", command.launch.program.display());
    let refused = |what: &str| RunError::Reference(at(what));
    let files = agents::hash_files(command, &PlayerKeys::default());
    let files = files.map_err(|error| refused(&format!("its files cannot be read: {error}")))?;
    let mut introduced =
        agents::introduce(std::slice::from_ref(command), 1, &Pool::new(Vec::new())).map_err(RunError::machine)?;
    let introduction = match introduced.pop().map(|started| started.said) {
        Some(Ok(introduction)) => introduction,
        Some(Err(StartError::Option(option))) => {
            return Err(refused(&format!("{option}; --set 'analysis.options={{}}' sets none")));
        }
        Some(Err(failure @ StartError::Host(_))) => return Err(RunError::Machine(at(&failure.to_string()))),
        Some(Err(failure)) => {
            let failure = escaped(failure.to_string());
            return Err(refused(&format!("it does not start: {failure}")));
        }
        None => return Err(RunError::Machine(at("it was not started"))),
    };
    Ok(AnalysisBegun {
        software: env!("CARGO_PKG_VERSION").to_owned(),
        engine: Agent {
            program: command.launch.program.display().to_string(),
            files,
            introduction: Some(agents::introduction(command, &introduction, Vec::new())),
            ..Agent::default()
        },
        keys: keys.clone(),
    })
}
