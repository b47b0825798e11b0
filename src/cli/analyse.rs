//! `swissmatch analyse [RUN]`

use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;

use crate::cli::progress::Progress as Bar;
use swissmatch_config as config;
use swissmatch_host::machine;
use swissmatch_report::analysis;
use swissmatch_report::table::Page;
use swissmatch_run::analysis::{AnalysisCounts, AnalysisRequest, Progress};
use swissmatch_tournament::setup::{AnalysisKeys, Setup};
use swissmatch_tournament::state::State;

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::which_run::WhichRunArgs;

/// What the moves were worth, by a reference engine
///
/// Each position of each finished game is evaluated once, and what the moves lost goes to the log
/// and the standings (columns acpl, accuracy, blunders). The event file sets the engine and how it
/// searches under [analysis]; flags override it. A further analysis goes on where the last one
/// stopped; with another engine or other keys it begins anew, and the last analysis counts. A run
/// may be analysed before its event is over, but not while a runner is at work on it.
///
/// The keys have the values that the event file had when `run` was last called: after a change of
/// [analysis], call `run` again, or use --set.
///
///   swissmatch analyse                        the latest run in results/
///   swissmatch analyse results/event --nodes 20000 --concurrency 2
///   swissmatch analyse results/event --engine ./reference --set analysis.mean=games
///   swissmatch analyse results/event --show --games    what has been analysed; starts no engine
///
/// After one Ctrl-C, the positions under way are finished, and every evaluation is kept. After a
/// second one the analysis ends at once.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct AnalyseArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Reference engine: a name to look up, or a path
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Nodes per position; without --depth, there is no bound on depth
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Depth in plies; without --nodes, there is no bound on nodes
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// A key of [analysis], as KEY=VALUE; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Engines at once (default: as many as can have a core for each of their threads)
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
    /// Print only errors
    #[arg(long, short, conflicts_with_all = ["json", "markdown", "csv", "games"])]
    quiet: bool,
}

impl AnalyseArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        if self.show {
            return self.print(&run.state);
        }
        let stop = heed_stops()?;
        let wanted = AnalysisRequest {
            keys: self.keys(run.state.setup())?,
            directory: std::env::current_dir().map_err(Failure::machine)?,
            concurrency: self.concurrency.map(|engines| engines as usize),
            cache: self.cache.clone(),
            stop: &stop,
        };
        let bar = RefCell::new(None);
        let analysed = run.analyse(wanted, &|progress| self.tell(&progress, &mut bar.borrow_mut()));
        drop(bar);
        let analysed = analysed?;
        if !analysed.is_whole {
            self.say("interrupted; the same command continues where it stopped");
            return Ok(Exit::Interrupted);
        }
        match self.quiet {
            true => Ok(Exit::Done),
            false => self.print(&analysed.state),
        }
    }

    fn tell(&self, progress: &Progress, bar: &mut Option<Bar>) {
        match progress {
            Progress::NothingLeft => self.say("every finished game has been analysed with these settings"),
            Progress::Replaces => {
                self.say("the engine or its settings have changed since the last analysis; this one replaces it");
            }
            Progress::SeveralThreads => {
                self.say("warning: with more than one thread, the same position is evaluated differently each time");
            }
            Progress::Begins {
                games,
                program,
                at_once,
            } => {
                self.say(&format!(
                    "analysing {} with {}, {at_once} at once",
                    count::of(*games, "game", "games"),
                    program.display()
                ));
                *bar = (!self.quiet).then(|| Bar::new(*games as u64, "games"));
            }
            Progress::Game => bar.iter().for_each(Bar::step),
            Progress::Ended(done, took) => {
                *bar = None;
                self.say(&sentence(done, *took));
            }
        }
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
                "no game of this run has been analysed; `swissmatch analyse` without --show analyses it"
            ))
        };
        let json = analysis::json(state).ok_or_else(none)?;
        let page: Option<Page> = match self.games {
            true => analysis::games(state),
            false => analysis::page(state),
        };
        let page = page.ok_or_else(none)?;
        Ok(print(&self.form.text(|| page, || json)))
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
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
            "stopping after the positions under way; a second request stops at once"
        );
    })
    .map_err(Failure::machine)?;
    Ok(stop)
}

fn sentence(done: &AnalysisCounts, took: std::time::Duration) -> String {
    let AnalysisCounts {
        games,
        positions,
        evaluated,
    } = *done;
    let seconds = took.as_secs_f64();
    format!(
        "{}, {}: {evaluated} evaluated in {seconds:.1} s ({:.1} a second), {} known before",
        count::of(games, "game", "games"),
        count::of(positions, "position", "positions"),
        evaluated as f64 / seconds.max(0.001),
        positions.saturating_sub(evaluated)
    )
}
