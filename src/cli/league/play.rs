//! `swissmatch league run`: a night.
//!
//! May not: know how a night is stored.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::cli::beside::{Page, PageFlags, PageManner};
use crate::cli::budget::{Budget, EndOfPlay};
use crate::cli::exit::{Exit, Failure};
use crate::cli::job::tell_refusal;
use crate::cli::logging::Logging;
use crate::cli::run::{How, RunArgs};
use crate::cli::screen;
use swissmatch_config::league::LeagueFormat;
use swissmatch_host::files;
use swissmatch_host::machine;
use swissmatch_host::noise::NoiseWatch;
use swissmatch_report::nights::{BrokenBuild, History, Night, NightEnd};
use swissmatch_run::league::builds::Program;
use swissmatch_run::league::earlier::NightGames;
use swissmatch_run::league::night::{Facts, night};
use swissmatch_run::open_run::OpenRun;

use super::night::{NightFileArgs, ShownNight};
use super::{OpenedLeague, unread, warning_of};

/// The directory of the runs of all nights, beside the league file.
const NIGHTS: &str = "nights";

/// Play a night of a league, or continue it
///
/// Builds what has to be built, plays the night, adds it to the history, and shows the ratings
/// of all nights together with what changed:
///
///   swissmatch league run LEAGUE.toml
///   swissmatch league run LEAGUE.toml --junit junit.xml --benchmark benchmark.json
///
/// The run of a night is nights/NAME-HASH/, where the hash is made of the league file, of all
/// programs and of the openings. A night that was interrupted is continued, whatever the day;
/// one that is over is shown again, and nothing is played.
///
/// Exit codes: 0 done, 1 a build got weaker, 3 a build is at fault or could not be built, 4 wrong
/// usage, 5 the machine failed, 130 interrupted.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LeagueRunArgs {
    /// The league file (default: LEAGUE.toml, or league/LEAGUE.toml)
    #[arg(value_name = "LEAGUE.toml")]
    file: Option<PathBuf>,
    /// What the night is called (default: the date in UTC)
    #[arg(long, value_name = "NAME")]
    night: Option<String>,
    #[command(flatten)]
    outputs: NightFileArgs,
    #[command(flatten)]
    page: PageFlags,
    /// Print progress and warnings as NDJSON on standard output, one object per line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print only errors and the table
    #[arg(long, short)]
    quiet: bool,
}

/// What a night needs.
struct PreparedNight {
    opened: OpenedLeague,
    history: History,
    /// The programs of the builds, by their places in the file.
    programs: Vec<(usize, Program)>,
    /// Builds that have none.
    broken: Vec<BrokenBuild>,
    plan: NightPlan,
}

/// A night that is about to be played.
struct NightPlan {
    name: String,
    /// The directory of its run, below [`NIGHTS`].
    dir: String,
    /// The text of its event file.
    text: String,
}

impl LeagueRunArgs {
    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        let mut page = Page::default();
        let played = self
            .play(logging, &mut page)
            .inspect_err(|failure| self.outputs.job.leave_refusal("league", failure));
        page.stay(played)
    }

    fn play(&self, logging: &Logging, page: &mut Page) -> Result<Exit, Failure> {
        let prepared = self.prepare().inspect_err(|failure| tell_refusal(self.json, failure))?;
        let PreparedNight {
            opened,
            mut history,
            programs,
            broken,
            plan,
        } = prepared;
        let nights = opened.directory.join(NIGHTS);
        let out = nights.join(&plan.dir);
        let machine = match &opened.league.keys.machine {
            Some(machine) => machine.clone(),
            None => machine::class(),
        };
        if let Some(night) = history.nights.iter().rev().find(|night| night.dir == plan.dir) {
            self.say(&format!("night {} is over; nothing is played", night.name));
            let run = OpenRun::open(Some(&out)).ok();
            return self.leave(&opened, &history, night, run.as_ref());
        }
        let file = event_file(&opened, &plan.dir);
        files::make_directory(&nights).map_err(Failure::machine)?;
        files::write_whole(&file, &plan.text).map_err(Failure::machine)?;
        let keys = &opened.league.keys;
        let mut budget = Budget::new(keys.max_time, keys.max_games);
        let watch = NoiseWatch::begin().map_err(Failure::machine)?;
        let how = How {
            json: self.json,
            quiet: self.quiet,
            page: self.page.clone(),
            page_manner: Some(PageManner::of_a_job(self.quiet || self.json)),
            ..How::default()
        };
        let event = RunArgs::of(file.clone(), out.clone(), how).on(machine.clone());
        let earlier = Box::new(NightGames::new(&nights, &history));
        let exit = event.main_told(logging, Some(&mut budget), Some(earlier), page);
        let noise = watch.end();
        let exit = exit?;
        let ended = match budget.ended() {
            None => return Ok(exit),
            Some((_, EndOfPlay::Interrupted | EndOfPlay::AtFault)) => {
                screen::say("the night was interrupted; the same command goes on with it");
                return Ok(Exit::Interrupted);
            }
            Some((_, EndOfPlay::Over)) => NightEnd::Complete,
            Some((_, EndOfPlay::Time)) => NightEnd::Time,
            Some((_, EndOfPlay::Games)) => NightEnd::Games,
        };
        let run = OpenRun::open(Some(&out)).map_err(Failure::machine)?;
        let builds = programs.into_iter();
        let facts = Facts {
            name: &plan.name,
            dir: &plan.dir,
            machine: &machine,
            ended,
            format: opened.league.keys.format,
            noise,
            builds: builds
                .map(|(index, program)| (&opened.league.builds[index], program))
                .collect(),
            broken,
        };
        let night = night(&run, facts).map_err(|why| Failure::machine(anyhow!(why)))?;
        let id = night.run.clone();
        history.add(night);
        ShownNight::judge(&mut history, &id);
        let night = history.night_of_run(&id).expect("it was added");
        opened.history.add(night).map_err(unread)?;
        self.leave(&opened, &history, night, Some(&run))
    }

    /// Everything that is needed, and what is to be played.
    fn prepare(&self) -> Result<PreparedNight, Failure> {
        let mut opened = OpenedLeague::open(self.file.as_deref())?;
        if let Some(note) = opened.on_this_machine() {
            self.say(&format!("note: {note}"));
        }
        let history = opened.history.read().map_err(unread)?;
        let (programs, broken) = self.programs(&opened);
        let plan = self.plan(&opened, &history, &programs, &broken)?;
        Ok(PreparedNight {
            opened,
            history,
            programs,
            broken,
            plan,
        })
    }

    /// Shows a night that is in the history, and leaves its files; also those that it did not come to when it was killed then.
    fn leave(
        &self,
        opened: &OpenedLeague,
        history: &History,
        night: &Night,
        run: Option<&OpenRun>,
    ) -> Result<Exit, Failure> {
        // All of it is in the log of the run.
        let file = event_file(opened, &night.dir);
        if file.exists() {
            files::remove(&file).map_err(Failure::machine)?;
        }
        let shown = ShownNight::of(opened, history, night)?;
        if let Some(run) = run {
            shown.write_to(run);
        }
        Ok(shown.finish(run, &self.outputs, self.json))
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            screen::say(text);
        }
    }

    /// The programs of the builds, by their places in the file; and those builds that have none.
    fn programs(&self, opened: &OpenedLeague) -> (Vec<(usize, Program)>, Vec<BrokenBuild>) {
        let (mut programs, mut broken) = (Vec::new(), Vec::new());
        let builds = opened.league.builds.iter().enumerate();
        for (index, build) in builds.filter(|(_, build)| build.nights) {
            match opened.program(index, self.quiet) {
                Ok(program) => programs.push((index, program)),
                Err(why) => {
                    screen::say(&format!("{} does not play: {why}", build.name));
                    broken.push(BrokenBuild {
                        name: build.name.clone(),
                        why,
                    });
                }
            }
        }
        (programs, broken)
    }

    /// What is played: a night that was interrupted and has the same content, or a new one.
    fn plan(
        &self,
        opened: &OpenedLeague,
        history: &History,
        programs: &[(usize, Program)],
        broken: &[BrokenBuild],
    ) -> Result<NightPlan, Failure> {
        let league = &opened.league;
        let new = self.night.clone().unwrap_or_else(|| machine::today().to_string());
        let mut commands: Vec<(usize, String)> = programs
            .iter()
            .map(|(index, program)| (*index, program.command.clone()))
            .collect();
        if league.keys.format == LeagueFormat::Gauntlet {
            // A night that ends early has not come to those at its end; the next one begins with them. The night itself, if it is
            // over, has no part in that: it is found again.
            let games = history.games_by_name(&new);
            let name = |index: usize| league.builds[index].name.as_str();
            commands.sort_by_key(|(index, _)| games.get(name(*index)).copied().unwrap_or_default());
        }
        if commands.len() < 2 {
            let why: Vec<String> = broken
                .iter()
                .map(|broken| format!("; {} does not play: {}", broken.name, broken.why))
                .collect();
            return Err(Failure {
                exit: Exit::AgentsAtFault,
                error: anyhow!("there are fewer than two builds to play{}", why.concat()),
            });
        }
        let event = |night: &str| league.event(night, &commands).map_err(Failure::usage);
        // The name of a night is no part of what it is made of.
        let (text, loaded) = event("a night")?;
        let names: Vec<String> = loaded.setup.players.iter().map(|player| player.name.clone()).collect();
        let content = opened.content(&text, &names)?;
        if let Some(warning) = warning_of(&loaded.setup) {
            screen::say(warning);
        }
        let unfinished = self.night.is_none().then(|| unfinished(opened, history, &content.hash));
        let name = unfinished.flatten().unwrap_or(new);
        if name.is_empty() || name.starts_with('.') || name.contains('/') {
            return Err(Failure::usage(anyhow!(
                "--night {name}: it is part of the name of a directory, without `/`"
            )));
        }
        let (text, _) = event(&name)?;
        Ok(NightPlan {
            dir: format!("{name}-{}", content.hash),
            name,
            text,
        })
    }
}

/// The event file of a night while it is played; `dir` is the directory of its run.
fn event_file(opened: &OpenedLeague, dir: &str) -> PathBuf {
    opened.directory.join(format!("night-{dir}.toml"))
}

/// The name of a night of this content that was begun and is not in the history.
fn unfinished(opened: &OpenedLeague, history: &History, hash: &str) -> Option<String> {
    let nights = std::fs::read_dir(opened.directory.join(NIGHTS)).ok()?;
    let mut names: Vec<String> = nights
        .flatten()
        .filter_map(|entry| {
            let dir = entry.file_name().into_string().ok()?;
            let name = dir.strip_suffix(hash)?.strip_suffix('-')?.to_owned();
            let is_over = history.nights.iter().any(|night| night.dir == dir);
            (!is_over && has_log(&entry.path())).then_some(name)
        })
        .collect();
    names.sort();
    names.pop()
}

fn has_log(dir: &Path) -> bool {
    swissmatch_host::run_dir::log(dir).is_file()
}
