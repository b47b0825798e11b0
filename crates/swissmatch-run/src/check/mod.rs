//! Checking an agent, step by step: by itself, in games against itself, and against a baseline.
//!
//! Every step has an end whatever the agent does: all waiting has a limit, and a process that does not heed it is ended with its
//! whole tree. May not: decide who may play.

mod fault;
mod fits;
mod games;
mod qualify;
mod service;
mod table;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use swissmatch_config::LoadedEvent;
use swissmatch_game::conformance::{CheckStep, Finding, Status, StepReport};
use swissmatch_game::handshake::Introduction;
use swissmatch_game::isolation::Lack;
use swissmatch_game::opening::OpeningSuite;
use swissmatch_game::record::ServiceCall;
use swissmatch_game::variant::{self, Variant};
use swissmatch_report::check::CheckReport;
use swissmatch_tournament::eligibility::{BaselineMatch, QualifiedEngine, Terms};
use swissmatch_tournament::log::Suite;
use swissmatch_tournament::setup::{Restart, Setup};

use super::event_file::EventFile;
use super::hosted::{HostConnection, refusal};
use super::{introduction, trial};
use swissmatch_host::host::{AgentSpec, HostOrder, HostReport, NotPlayedCause};
use swissmatch_host::services::Services;

pub(super) use fault::{failure, problem, tenths};
pub(super) use fits::key_of_clock;
use fits::{StepScope, Timing};
pub(super) use table::CheckSlot;

/// Who is checked, and against what.
#[derive(Clone, Debug)]
pub(super) struct Subject<'a> {
    /// The event, or what stands for it in a check without one, and where its player stands in it.
    pub of: (&'a LoadedEvent, usize),
    /// Whether it is an event, so that nothing is asked that it never asks.
    pub of_event: bool,
    /// The agent.
    pub agent: AgentSpec,
    /// The directory to which its words are relative.
    pub directory: &'a Path,
    /// Where it is asked, if it is no program here.
    pub services: &'a Arc<Services>,
    /// The program that its command was found to be.
    pub program: String,
    /// What it is made of.
    pub made: QualifiedEngine,
    /// Whom it plays to qualify.
    pub baseline: Option<&'a Opponent>,
    /// Openings of these games, and where they come from.
    pub openings: (&'a OpeningSuite, &'a Suite),
    /// Most memory that its processes may have, in bytes, and what says so.
    pub max_memory: Option<(u64, &'static str)>,
}

impl Subject<'_> {
    /// The keys.
    const fn setup(&self) -> &Setup {
        &self.of.0.setup
    }

    /// A host for it.
    fn hosted(&self) -> HostConnection {
        HostConnection::serving(self.directory, self.services)
    }
}

/// The baseline, found and looked at.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    /// Its agent.
    pub spec: AgentSpec,
    /// What is asked, and what it is made of.
    pub terms: Terms,
}

/// Why a check has no end: nobody's fault who is checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    /// The machine.
    #[error("this machine: {0}")]
    Machine(#[from] io::Error),
    /// The baseline does not play.
    #[error("the baseline does not start; check it by itself: swissmatch check {0}")]
    Baseline(String),
    /// A service of the event does not let the player be asked.
    #[error("{}: {why}", service::word(*whose))]
    Unserved {
        /// Whose doing it is.
        whose: NotPlayedCause,
        /// What it says.
        why: String,
    },
    /// A game does not follow from what was there, which is a bug.
    #[error(transparent)]
    Broken(#[from] swissmatch_tournament::state::BrokenLogError),
}

impl CheckError {
    /// What to do about it, where that is known.
    fn remedy(&self) -> Option<String> {
        match self {
            Self::Unserved { whose, .. } => Some(service::remedy_of_event(*whose).to_owned()),
            Self::Machine(_) | Self::Baseline(_) | Self::Broken(_) => None,
        }
    }
}

/// A check under way.
struct Check<'a> {
    subject: &'a Subject<'a>,
    introduction: Option<Introduction>,
    /// How its games are timed.
    timing: Timing,
    /// How long it took for a ply, as far as that was seen.
    pace: Duration,
    /// Where it is asked by itself, before its games.
    alone: Option<HostConnection>,
    /// Where its games against itself are played.
    table: Option<CheckSlot>,
    /// Whether those that sit there have played a game.
    has_played: bool,
    /// The most memory of one of its process trees so far, in bytes.
    peak: u64,
    played: Option<BaselineMatch>,
    /// What it asked its service, where it has one.
    calls: Vec<ServiceCall>,
}

/// Checks an agent. `found` is told each step when it is done.
pub(super) fn check(subject: &Subject<'_>, found: &mut dyn FnMut(&Finding)) -> CheckReport {
    let mut check = Check::new(subject);
    let mut findings: Vec<Finding> = Vec::new();
    let mut trouble = None;
    let player = &subject.agent.player;
    for step in CheckStep::ALL {
        let stage = StepScope::of(step, (subject.setup(), player), subject.of_event);
        if stage == StepScope::Untold {
            continue;
        }
        let begin = Instant::now();
        let seen = match (&trouble, not_tried(step, &findings)) {
            _ if let StepScope::LeftOut(why) = stage => StepReport::left_out(why),
            (Some(_), _) => StepReport::not_reached("the check ended before this step"),
            (None, Some(failed)) => StepReport::not_reached(format!("not tried, as {} failed", failed.name())),
            (None, None) => check.step(step).unwrap_or_else(|why| {
                let seen = format!("could not be tried: {why}");
                trouble = Some(why.to_string());
                StepReport {
                    remedy: why.remedy(),
                    ..StepReport::not_reached(seen)
                }
            }),
        };
        let finding = Finding {
            step,
            status: seen.status,
            seen: seen.seen,
            evidence: seen.evidence,
            remedy: seen.remedy,
            took_ms: u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        found(&finding);
        findings.push(finding);
    }
    let Check {
        introduction,
        table,
        played,
        calls,
        ..
    } = check;
    if let Some(table) = table {
        table.close();
    }
    CheckReport {
        name: subject.agent.player.name.clone(),
        program: subject.program.clone(),
        introduction: introduction.map(|said| (said.name, said.author)),
        agent: subject.made.clone(),
        findings,
        played,
        calls,
        trouble,
    }
}

/// The failed step for which a step is not worth trying.
fn not_tried(step: CheckStep, findings: &[Finding]) -> Option<CheckStep> {
    let needs: &[CheckStep] = match step {
        CheckStep::Handshake => &[],
        CheckStep::Options => &[CheckStep::Handshake],
        CheckStep::Service => &[CheckStep::Handshake],
        CheckStep::IsReady | CheckStep::Stop | CheckStep::Quit => &[CheckStep::Handshake, CheckStep::Options],
        CheckStep::Positions | CheckStep::TimeKeeping | CheckStep::Determinism | CheckStep::SelfPlay => {
            &[CheckStep::Handshake, CheckStep::Options, CheckStep::IsReady]
        }
        CheckStep::Memory => &[CheckStep::Handshake, CheckStep::Options, CheckStep::IsReady],
        // Who is not fit to play does not qualify.
        CheckStep::Qualification => &CheckStep::ALL,
    };
    let failed = |step: &&CheckStep| {
        let mut findings = findings.iter();
        findings.any(|finding| finding.step == **step && finding.status == Status::Fail)
    };
    needs.iter().find(failed).copied()
}

impl<'a> Check<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        Self {
            subject,
            introduction: None,
            timing: Timing::of(subject.setup(), &subject.agent.player),
            pace: Duration::ZERO,
            alone: Some(subject.hosted()),
            table: None,
            has_played: false,
            peak: 0,
            played: None,
            calls: Vec::new(),
        }
    }

    fn step(&mut self, step: CheckStep) -> Result<StepReport, CheckError> {
        match step {
            CheckStep::Handshake | CheckStep::Options | CheckStep::IsReady | CheckStep::Stop | CheckStep::Quit => {
                self.examine(step)
            }
            CheckStep::Service => self.service(),
            CheckStep::Positions => self.positions(),
            CheckStep::TimeKeeping => self.time_keeping(),
            CheckStep::Determinism => self.determinism(),
            CheckStep::SelfPlay => self.self_play(),
            CheckStep::Memory => Ok(self.memory()),
            CheckStep::Qualification => self.qualification(),
        }
    }

    /// Has it asked by itself.
    fn examine(&mut self, step: CheckStep) -> Result<StepReport, CheckError> {
        let Some(alone) = &mut self.alone else {
            return Ok(StepReport::not_reached("its games have begun"));
        };
        let agent = Box::new(self.subject.agent.clone());
        let engine = Box::new(self.subject.setup().engine.clone());
        let gpus = self.subject.setup().run.gpus.clone();
        match alone.ask(HostOrder::Examine {
            agent,
            engine,
            gpus,
            step,
        }) {
            HostReport::Examined(Ok(examined)) => {
                self.introduction = examined.introduction;
                let (loaded, index) = self.subject.of;
                let lacks = self.that_help(examined.lacks)?;
                let lacking = introduction::lacking(loaded, index, &lacks);
                Ok(StepReport {
                    remedy: lacking.or(examined.seen.remedy),
                    ..examined.seen
                })
            }
            HostReport::Examined(Err(refused)) => {
                let why = refusal(refused, self.subject.of.0);
                Err(io::Error::other(why.to_string()).into())
            }
            other => Err(io::Error::other(format!("the host did not examine it: {other:?}")).into()),
        }
    }

    /// What it lacks, by what makes it start.
    fn that_help(&self, lacks: Vec<Lack>) -> Result<Vec<Lack>, CheckError> {
        if lacks.is_empty() {
            return Ok(lacks);
        }
        let (loaded, index) = self.subject.of;
        let event = EventFile {
            loaded: loaded.clone(),
            directory: self.subject.directory.to_path_buf(),
        };
        let mut hosted = HostConnection::at(self.subject.directory);
        Ok(trial::that_help(&event, &mut hosted, index, lacks).map_err(io::Error::other)?)
    }

    /// As whom it sits at its table, twice each: the variant, and whether it is started anew for each game as the event asks. Otherwise
    /// one process plays all its games, as starting may take long.
    fn seats(&self) -> Vec<(Variant, bool)> {
        let usual = self.subject.setup().game.variant;
        let variants = [usual]
            .into_iter()
            .chain(self.plays_chess960_too().then_some(Variant::Chess960));
        let restarts = self.subject.agent.restart == Restart::Game;
        variants
            .flat_map(|variant| [false, true].map(|anew| (variant, anew)))
            .filter(|(_, anew)| restarts || !anew)
            .collect()
    }

    /// The table of its games against itself.
    fn table(&mut self) -> Result<&mut CheckSlot, CheckError> {
        // Whoever was asked by itself is not up beside its games.
        self.alone = None;
        let table = match self.table.take() {
            Some(table) => table,
            None => {
                let agent = |(variant, anew): (Variant, bool)| {
                    let mut agent = self.subject.agent.clone();
                    agent.options.play(variant);
                    agent.restart = match anew {
                        true => Restart::Game,
                        false => Restart::Never,
                    };
                    [agent.clone(), agent]
                };
                let agents = self.seats().into_iter().flat_map(agent).collect();
                CheckSlot::open(self.subject.hosted(), agents, self.subject.setup())?
            }
        };
        Ok(self.table.insert(table))
    }

    /// Whether it says that it plays Chess960, and may be asked for it beside the variant of the event.
    fn plays_chess960_too(&self) -> bool {
        let declared = self.introduction.iter().flat_map(|said| &said.options);
        let mut names = declared.map(|option| &option.name);
        !self.subject.of_event
            && self.subject.setup().game.variant != Variant::Chess960
            && names.any(|name| name.eq_ignore_ascii_case(variant::OPTION))
    }

    fn memory(&self) -> StepReport {
        let mebibytes = |bytes: u64| bytes.div_ceil(1024 * 1024);
        let peak = mebibytes(self.peak);
        match self.subject.max_memory {
            Some((most, key)) if self.peak > most => StepReport::fail(
                format!("peak {peak} MiB, more than {} MiB ({key})", mebibytes(most)),
                "give it less memory, such as a smaller Hash",
            ),
            Some((most, _)) => StepReport::pass(format!("peak {peak} MiB of {} MiB", mebibytes(most))),
            None => StepReport::pass(format!("peak {peak} MiB")),
        }
    }
}
