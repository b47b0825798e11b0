//! `swissmatch gate --new PROGRAM --old PROGRAM`
//!
//! May not: decide whether the gate is passed; that is `report::gate`.

mod wanted;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use swissmatch_config::league::Inconclusive;
use swissmatch_game::time_control::parse_duration;
use swissmatch_report::gate::{self, Outcome};
use swissmatch_stats::sprt::{Decimal, SprtModel};

use super::beside::{Page, PageFlags, PageManner};
use super::budget::{Budget, EndOfPlay};
use super::exit::{Exit, Failure};
use super::job::{JobFileArgs, tell_refusal};
use super::logging::Logging;
use super::match_agents::MatchPaths;
use super::run::{How, RunArgs};
use super::screen;
use super::tournament_file::named;
use wanted::GatePlan;

/// Decide whether a build may replace an older one
///
/// Plays a new build against an old one until a sequential test decides, or the
/// games or the time are used up, and tells by its exit code whether there is a
/// regression. For continuous integration (docs/gate.md):
///
///   swissmatch gate --new ./new --old ./old --time 8+0.08 --max-time 25m
///   swissmatch gate --new "cmd=./new option.Hash=64" --old ./released --time nodes=20000 --elo0 0 --elo1 5
///   swissmatch gate LEAGUE.toml
///
/// By itself it asks for no regression: H0 is -5 Elo (the gate fails), H1 is 0
/// Elo (it is passed). --elo0 0 --elo1 5 asks for an improvement. --interval E
/// asks, when all games are over, whether the 95 % interval is above or below E
/// Elo, without a test.
///
/// An agent is a path, or one text with its words, as in `match`: name=…
/// option.NAME=… nodes=… args="…". With a league file --new and --old name its
/// builds, which are built first where that is needed, and its tables hold as
/// far as no flag says otherwise: [gate] for what decides, and those of an
/// event (docs/league.md).
///
/// The run is results/NAME-HASH/, where the hash is made of the words and of
/// the files of agents and openings. The same command line goes on with it, in
/// the next job too where that directory is kept; another build begins anew.
/// With a league file it is beside that.
///
/// A line of a sanitizer, a failed assertion or a panic in an agent's standard
/// error counts as a fault, though the game goes on (docs/faults.md);
/// --set engine.alarms=[] looks for none.
///
/// Two builds that are the same, byte for byte and with the same settings, have
/// no difference: that decides the gate, and nothing is played.
///
/// Exit codes: 0 passed, 1 failed, 2 inconclusive (--inconclusive), 3 an agent
/// was at fault too often (--max-faults), 4 wrong usage, 5 the machine failed,
/// 130 interrupted.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct GateArgs {
    /// A league file whose [gate] says what is played
    #[arg(value_name = "LEAGUE.toml")]
    league: Option<PathBuf>,
    /// The new build: a path, or one text with its words, such as "cmd=./new option.Hash=16"; with a league file its name there
    #[arg(long, value_name = "PROGRAM", required_unless_present = "league")]
    new: Option<String>,
    /// The build that it is measured against
    #[arg(long, value_name = "PROGRAM", required_unless_present = "league")]
    old: Option<String>,
    /// Time control, such as 8+0.08, or nodes=20000 for games that are the same each time (default: 10+0.1)
    #[arg(long, value_name = "TC")]
    time: Option<String>,
    /// Openings: a file, or "bundled", "unbalanced", "none", "chess960" (default: unbalanced)
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Games at most, an even number (default: 20000; without a clock each opening once with each colour)
    #[arg(long, value_name = "N")]
    max_games: Option<u32>,
    /// Time at most, such as 25m: games under way are finished then, and the same command goes on with the match
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    /// The difference in Elo that is a regression (H0: the gate fails) (default: -5)
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: Option<Decimal>,
    /// The difference in Elo that is wanted (H1: the gate is passed) (default: 0)
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: Option<Decimal>,
    /// The chance to pass the gate although H0 is true (default: 0.05)
    #[arg(long, value_name = "SHARE", conflicts_with = "interval")]
    alpha: Option<Decimal>,
    /// The chance to fail although H1 is true (default: 0.05)
    #[arg(long, value_name = "SHARE", conflicts_with = "interval")]
    beta: Option<Decimal>,
    /// What the differences mean (default: normalized)
    #[arg(long, value_name = "MODEL", value_parser = named::<SprtModel>(), conflicts_with = "interval")]
    model: Option<SprtModel>,
    /// Play all games, and pass or fail where the whole 95 % interval is above or below so many Elo
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, conflicts_with_all = ["elo0", "elo1"])]
    interval: Option<Decimal>,
    /// What becomes of a match that decides nothing: exit code 0, 1 or 2 (default: neutral)
    #[arg(long, value_name = "WORD", value_parser = named::<Inconclusive>())]
    inconclusive: Option<Inconclusive>,
    /// How many games an agent may lose by a fault, or give an alarm in: N, P% of its games, or "none"; more ends the match with exit code 3 (default: 0)
    #[arg(long, value_name = "N|P%")]
    max_faults: Option<String>,
    /// A UCI option for both; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Games at once: a number, or "cores"
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,
    /// Any other key of an event file, as KEY=VALUE: --set adjudication.draw_score=10
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What the match and its run are called, before the hash (default: the names of both)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    files: JobFileArgs,
    #[command(flatten)]
    page: PageFlags,
    /// Start anew: the old run is kept aside in DIR.1, the next one in DIR.2 …
    #[arg(long)]
    fresh: bool,
    /// Print progress and warnings as NDJSON on standard output, one object per line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print only errors and the verdict
    #[arg(long, short)]
    quiet: bool,
}

impl GateArgs {
    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        let mut page = Page::default();
        let decided = self
            .decide(logging, &mut page)
            .inspect_err(|failure| self.files.leave_refusal("gate", failure));
        page.stay(decided)
    }

    fn decide(&self, logging: &Logging, page: &mut Page) -> Result<Exit, Failure> {
        let prepared = self.prepare();
        let (wanted, place) = prepared.inspect_err(|failure| tell_refusal(self.json, failure))?;
        let inconclusive = match wanted.inconclusive {
            Inconclusive::Pass => Outcome::Passed,
            Inconclusive::Fail => Outcome::Failed,
            Inconclusive::Neutral => Outcome::Inconclusive,
        };
        if place.is_of_same_build() {
            let gate = gate::Gate::of_same_build(wanted.decided, wanted.bounds, inconclusive);
            self.files.leave_unplayed(place.name(), &gate, self.json);
            return Ok(exit_of(&gate));
        }
        place.write()?;
        let how = How {
            fresh: self.fresh,
            go_on: false,
            json: self.json,
            quiet: self.quiet,
            every: super::console::Every::default(),
            asked_in: Some(wanted.event.dialect),
            page: self.page.clone(),
            page_manner: Some(PageManner::of_a_job(self.quiet || self.json)),
        };
        let mut budget = Budget::of_gate(wanted.max_time);
        let run = RunArgs::of(place.file.clone(), place.out.clone(), how);
        let exit = run.main_told(logging, Some(&mut budget), None, page)?;
        let Some((state, ended)) = budget.ended() else {
            return Ok(exit);
        };
        let gate = gate::Gate::of(&state, wanted.decided, why(ended), inconclusive);
        self.files.leave(&place.out, &state, &gate, self.json);
        Ok(exit_of(&gate))
    }

    /// What is played, and where.
    fn prepare(&self) -> Result<(GatePlan, MatchPaths), Failure> {
        let wanted = self.wanted()?;
        let event = &wanted.event;
        if !self.quiet {
            let notes = event.notes.iter().chain(&wanted.notes);
            notes.for_each(|note| screen::say(&format!("note: {note}")));
        }
        let place = MatchPaths::of(&wanted.directory, self.name.as_deref(), event)?;
        if let Some(warning) = wanted.warning() {
            screen::say(warning);
        }
        Ok((wanted, place))
    }
}

const fn exit_of(gate: &gate::Gate) -> Exit {
    match gate.counts_as() {
        Outcome::Passed => Exit::Done,
        Outcome::Failed => Exit::CheckFailed,
        Outcome::Inconclusive => Exit::Inconclusive,
        Outcome::Faults => Exit::AgentsAtFault,
        Outcome::Interrupted => Exit::Interrupted,
    }
}

/// Why a match is no longer played.
const fn why(ended: EndOfPlay) -> gate::MatchEnd {
    match ended {
        EndOfPlay::Over => gate::MatchEnd::Over,
        EndOfPlay::Time | EndOfPlay::Games => gate::MatchEnd::TimeIsUp,
        EndOfPlay::AtFault => gate::MatchEnd::AtFault,
        EndOfPlay::Interrupted => gate::MatchEnd::Interrupted,
    }
}
