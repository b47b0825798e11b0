//! `swissmatch analyse [RUN]`

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;

use crate::cli::progress::Progress;
use crate::config;
use crate::game::handshake::StartFailure;
use crate::game::transcript::escape;
use crate::game::wanted::WantedOptions;
use crate::report::analysis;
use crate::report::table::Page;
use crate::run::analyse::{self, Done, Plan};
use crate::run::evaluations::{self, Evaluations};
use crate::run::open_run::OpenRun;
use crate::run::publish::Publisher;
use crate::shell::agents::{self, NotFound};
use crate::shell::engine::EngineCommand;
use crate::shell::evaluator::Search;
use crate::shell::machine;
use crate::shell::run_dir::{self, DirError, RunDir};
use crate::shell::store::Store;
use crate::shell::topology::Topology;
use crate::tournament::analysis::{AnalysisBegun, is_analysable};
use crate::tournament::setup::{AnalysisKeys, PlayerKeys, Restart, Setup};
use crate::tournament::state::State;

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::views::{Place, print};

/// Evaluate every move of a run with a reference engine: centipawn loss, accuracy, blunders
///
/// Each position of each finished game is evaluated once, and what the moves lost goes to the log
/// and the standings (columns acpl, accuracy, blunders). The engine and how it searches stand in
/// the event file under [analysis]; flags here count instead. Analysing again goes on where it
/// stopped; with another engine or other keys it begins anew, and the last analysis counts. A run
/// may be analysed while its event is under way, but not while a runner is at work on it.
///
/// The keys are those that the event file had when `run` was last called: after a change of
/// [analysis] call `run` once more, or use --set.
///
///   swissmatch analyse                        the latest run in results/
///   swissmatch analyse results/event --nodes 20000 --concurrency 2
///   swissmatch analyse results/event --engine ./reference --set analysis.mean=games
///   swissmatch analyse results/event --show --games    what there is, without an engine
///
/// Ctrl-C once ends after the positions under way; what was evaluated is kept. Twice ends at once.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Analyse {
    #[command(flatten)]
    place: Place,
    /// Reference engine: a name to look up, or a path
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Nodes a position; without --depth no depth bounds it
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Depth in plies; without --nodes no number of nodes bounds it
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// A key of [analysis], as KEY=VALUE; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Engines at once (default: as many as have a core for each of their threads)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    concurrency: Option<u32>,
    /// Keep evaluations in this file, which runs may share (default: analysis.sqlite in the run's directory)
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Only show what has been analysed
    #[arg(long, conflicts_with_all = ["engine", "nodes", "depth", "set", "concurrency", "cache", "quiet"])]
    show: bool,
    /// Show every game instead of every player
    #[arg(long)]
    games: bool,
    #[command(flatten)]
    form: FormFlags,
    /// Say nothing but errors
    #[arg(long, short, conflicts_with_all = ["json", "markdown", "csv", "games"])]
    quiet: bool,
}

impl Analyse {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.place.open_event()?;
        if self.show {
            return self.print(&run.state);
        }
        if run_dir::is_taken(&run.dir) {
            return Err(Failure::usage(DirError::Locked(run.dir)));
        }
        if !run.state.finished_games().any(is_analysable) {
            return Err(Failure::usage(anyhow!(
                "{} has no finished game that could be analysed",
                run.dir.display()
            )));
        }
        let keys = self.keys(run.state.setup())?;
        let command = command(&keys, run.state.setup())?;
        let begun = begin(keys, &command)?;
        let dir = RunDir::take(&run.dir).map_err(|error| match error {
            DirError::Locked(_) => Failure::usage(error),
            DirError::Io { .. } | DirError::Named(_) => Failure::machine(error),
        })?;
        // What was read before the directory was ours may have changed since.
        let run = OpenRun::open(Some(dir.path())).map_err(Failure::machine)?;
        let created_at = run.created_at().to_owned();
        let mut state = run.state;
        let stop = heed_stops()?;
        let mut store = Store::open(&run_dir::log(dir.path()), &run.logged).map_err(Failure::machine)?;
        let analysed = self.analyse(dir.path(), &begun, &command, &mut state, &mut store, &stop);
        // The files of the run tell of what was analysed, also where it ended early.
        let published =
            Publisher::start(dir.path(), &state, &created_at, None).and_then(|publisher| publisher.finish(&state));
        // The log is complete also where its -wal file has to stay for a reader's sake.
        let _ = store.settle();
        analysed?;
        published.map_err(Failure::machine)?;
        if !state.due_for_analysis(&begun).is_empty() {
            self.say("interrupted; the same command goes on where it stopped");
            return Ok(Exit::Interrupted);
        }
        match self.quiet {
            true => Ok(Exit::Done),
            false => self.print(&state),
        }
    }

    fn analyse(
        &self,
        dir: &Path,
        begun: &AnalysisBegun,
        command: &EngineCommand,
        state: &mut State,
        store: &mut Store,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        let due = state.due_for_analysis(begun).len();
        if due == 0 {
            self.say("every finished game has been analysed with these settings");
            return Ok(());
        }
        let setup = state.setup();
        let threads = agents::threads(&begun.engine, command);
        let concurrency = match self.concurrency {
            Some(engines) => engines as usize,
            None => Topology::of_this_machine().map_err(Failure::machine)?.at_once(threads),
        };
        machine::raise_descriptor_limit(concurrency, 0)
            .and_then(|()| machine::raise_process_limit(concurrency))
            .map_err(|error| Failure::machine(anyhow!(error)))?;
        let plan = Plan {
            begun,
            command,
            search: Search {
                variant: setup.game.variant,
                bounds: begun.keys.bounds(),
                scores: begun.keys.scores,
                limit: begun.keys.limit,
                ready_limit: setup.engine.ready_limit,
            },
            concurrency,
            stop,
        };
        if state.analysis().is_some_and(|last| !last.begun.goes_on_with(begun)) {
            self.say("the engine or its settings are not those of the last analysis, which this one replaces");
        }
        if threads > 1 {
            self.say("warning: with more than one thread the same position is evaluated otherwise each time");
        }
        self.say(&format!(
            "analysing {due} game{} with {}, {concurrency} at once",
            if due == 1 { "" } else { "s" },
            command.program.display()
        ));
        let file = self
            .cache
            .clone()
            .unwrap_or_else(|| dir.join(evaluations::BESIDE_THE_LOG));
        let mut cache = Evaluations::open(&file, begun).map_err(Failure::machine)?;
        let started = Instant::now();
        let progress = (!self.quiet).then(|| Progress::new(due as u64, "games"));
        let step = || progress.iter().for_each(Progress::step);
        let done = analyse::analyse(&plan, state, store, &mut cache, &step);
        drop(progress);
        let done = done.map_err(|error| {
            let error = escape(error.to_string().as_bytes());
            Failure::machine(anyhow!(
                "{error}\nGames that had all their evaluations are kept in the log, and the same command goes on; an engine \
                 that cannot go on is replaced with --engine, --nodes or --depth."
            ))
        })?;
        self.say(&sentence(&done, started.elapsed()));
        Ok(())
    }

    /// The run's keys with what the flags say.
    fn keys(&self, setup: &Setup) -> Result<AnalysisKeys, Failure> {
        let mut changed = setup.clone();
        let mut set =
            |flag: &str, key: &str, value: &str| config::set(flag, key, value, &mut changed).map_err(Failure::usage);
        for pair in &self.set {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| Failure::usage(anyhow!("--set {pair}: write KEY=VALUE, such as analysis.clamp=1500")))?;
            let (key, value) = (key.trim(), value.trim());
            if !key.starts_with("analysis.") {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: only keys of [analysis] can be changed here"
                )));
            }
            set("--set", key, value)?;
        }
        if let Some(engine) = &self.engine {
            let path = match engine.contains('/') {
                true => std::path::absolute(engine)
                    .map_err(Failure::usage)?
                    .display()
                    .to_string(),
                false => engine.clone(),
            };
            set("--engine", "analysis.command", &path)?;
        }
        for (flag, key, given, other) in [
            ("--nodes", "analysis.nodes", &self.nodes, &self.depth),
            ("--depth", "analysis.depth", &self.depth, &self.nodes),
        ] {
            match (given, other) {
                (Some(value), _) => set(flag, key, value)?,
                (None, Some(_)) => set(flag, key, "none")?,
                (None, None) => {}
            }
        }
        match config::analysis_problem(&changed.analysis) {
            None => Ok(changed.analysis),
            Some(problem) => Err(Failure::usage(problem)),
        }
    }

    fn print(&self, state: &State) -> Result<Exit, Failure> {
        let none = || {
            Failure::usage(anyhow!(
                "nothing of this run has been analysed; `swissmatch analyse` without --show does it"
            ))
        };
        let json = analysis::json(state).ok_or_else(none)?;
        let page: Option<Page> = match self.games {
            true => analysis::games(state),
            false => analysis::page(state),
        };
        let page = page.ok_or_else(none)?;
        print(&self.form.text(|| page, || json))
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
}

/// How to start the reference engine. It runs where the command was given.
fn command(keys: &AnalysisKeys, setup: &Setup) -> Result<EngineCommand, Failure> {
    let directory = std::env::current_dir().map_err(Failure::machine)?;
    let program = agents::find_program(&keys.command, &directory).map_err(|error| {
        let error = match error {
            NotFound::Nowhere { name } => {
                format!(
                    "`{name}` was found neither beside swissmatch, nor here, nor in PATH, nor where Debian puts engines"
                )
            }
            error => error.to_string(),
        };
        Failure::usage(anyhow!(
            "the reference engine (analysis.command): {error}; install it, or name another with --engine"
        ))
    })?;
    let mut options = WantedOptions::new(&keys.options, &BTreeMap::new());
    options.play(setup.game.variant);
    Ok(EngineCommand {
        program,
        args: keys.args.clone(),
        directory,
        options,
        start_limit: setup.engine.start_limit,
        quit_grace: setup.engine.quit_grace,
        environment: BTreeMap::new(),
        restart: Restart::Never,
        ponder: false,
    })
}

/// The analysis that these keys and this engine make. The engine is started once, so that what is wrong with it shows before
/// anything is begun.
fn begin(keys: AnalysisKeys, command: &EngineCommand) -> Result<AnalysisBegun, Failure> {
    let at = |what: &str| format!("the reference engine {}: {what}", command.program.display());
    let files = agents::hash_files(command, &PlayerKeys::default());
    let files = files.map_err(|error| Failure::usage(anyhow!(at(&format!("its files cannot be read: {error}")))))?;
    let mut introduced = agents::introduce(std::slice::from_ref(command), 1).map_err(Failure::machine)?;
    let introduction = match introduced.pop() {
        Some(Ok(introduction)) => introduction,
        Some(Err(StartFailure::Option(refused))) => {
            return Err(Failure::usage(anyhow!(
                "{}; --set 'analysis.options={{}}' sets none",
                at(&refused.to_string())
            )));
        }
        Some(Err(failure @ StartFailure::Host(_))) => return Err(Failure::machine(anyhow!(at(&failure.to_string())))),
        Some(Err(failure)) => {
            let failure = escape(failure.to_string().as_bytes());
            return Err(Failure::usage(anyhow!(
                "{}",
                at(&format!("it does not start: {failure}"))
            )));
        }
        None => return Err(Failure::machine(anyhow!("{}", at("it was not started")))),
    };
    Ok(AnalysisBegun {
        software: env!("CARGO_PKG_VERSION").to_owned(),
        engine: agents::agent(command, files, Some(&introduction)),
        keys,
    })
}

/// From now on a request to stop is heeded after the positions under way, a second one at once.
fn heed_stops() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let heeded = Arc::clone(&stop);
    machine::on_stop_signals(move || {
        if heeded.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.code().into());
        }
        let _ = writeln!(
            std::io::stderr(),
            "stopping after the positions under way; once more stops at once"
        );
    })
    .map_err(Failure::machine)?;
    Ok(stop)
}

fn sentence(done: &Done, took: std::time::Duration) -> String {
    let Done {
        games,
        positions,
        evaluated,
    } = *done;
    let seconds = took.as_secs_f64();
    format!(
        "{games} games, {positions} positions: {evaluated} evaluated in {seconds:.1} s ({:.1} a second), {} known before",
        evaluated as f64 / seconds.max(0.001),
        positions.saturating_sub(evaluated)
    )
}
