//! The host of this machine: each slot is a thread with the two engines of its game.
//!
//! May not: decide what is played.

pub mod apart;
pub mod cores;
mod examine;
mod find;
mod listen;
mod roll_call;
mod room;
mod slot;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use crate::confine::{known, probe};
use crate::door::MOST_DESCRIPTORS;
use crate::engine::EngineCommand;
use crate::gpus::{self, Gpu, Listing, Pool};
use crate::group::groups;
use crate::paths::resolved;
use crate::services::Services;
use crate::tablebase::Tablebases;
use crate::{begun, machine, threads};
use swissmatch_game::conformance::{CheckStep, FirstMoveReport};
use swissmatch_game::isolation::{Isolation, Protection};
use swissmatch_game::transcript::Room;
use swissmatch_tournament::setup::EngineKeys;

use crate::host::views::Views;
use crate::host::{
    AgentSpec, ExaminationReport, GameHost, HostError, HostOrder, HostReport, IssuedGame, Reports, SlotsReport, Task,
    Terms,
};
use cores::Seating;
use examine::Examination;
use find::Finder;
use roll_call::{RegisteredAgent, RollCall};
use slot::{Agents, Assignment, Verdicts};

/// Nodes of the first move when an agent is listened to until then.
pub const FIRST_MOVE: u64 = listen::NODES;

/// This machine as a host.
#[derive(Debug)]
pub struct LocalHost {
    /// The event's directory, from which agents' words lead.
    directory: PathBuf,
    finder: Arc<Finder>,
    services: Option<Arc<Services>>,
    /// The GPUs of this machine.
    gpus: Vec<Gpu>,
    /// Endgame tablebases, if games are adjudicated by them.
    tablebases: Option<Tablebases>,
    reports: Reports,
    /// What is open, from [`HostOrder::Open`] on.
    open: Option<OpenSlots>,
    examination: Option<Examination>,
    /// The class of this machine, if it is not to be found out.
    class: Option<String>,
    /// Views beside those of its slots.
    more_views: usize,
}

/// Begins to try, in a thread of its own, what this machine offers to hold agents and, if they are to be isolated, to
/// shut them in. Later questions wait for the answer. Without a thread it is tried when it is needed.
pub fn try_ahead(are_isolated: bool) {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if begun::require_begun().is_ok() && !BEGUN.swap(true, Ordering::Relaxed) {
        let _ = threads::start("trial", move || {
            let _ = groups();
            are_isolated.then(probe::means);
        });
    }
}

#[derive(Debug)]
struct OpenSlots {
    agents: Arc<Agents>,
    /// As registered, by pairing number.
    specs: Vec<AgentSpec>,
    seating: Seating,
    slots: Vec<Sender<Assignment>>,
    /// The presence check under way.
    roll_call: Option<RollCall>,
}

impl LocalHost {
    /// This machine; agents' words lead from `directory`.
    pub fn new(directory: &Path, tablebases: Option<Tablebases>) -> Self {
        Self {
            directory: directory.to_path_buf(),
            finder: Arc::new(Finder::new(directory)),
            services: None,
            gpus: gpus::gpus_of(&Listing::of_this_machine()),
            tablebases,
            reports: Reports::to(drop),
            open: None,
            examination: None,
            class: None,
            more_views: 0,
        }
    }

    /// Uses these GPUs in place of those that are found.
    #[must_use]
    pub fn with_gpus(self, gpus: Vec<Gpu>) -> Self {
        Self { gpus, ..self }
    }

    /// Adds services, for players that are not programs here.
    #[must_use]
    pub fn with_services(self, services: Arc<Services>) -> Self {
        let finder = Finder::new(&self.directory).with_services(Arc::clone(&services));
        Self {
            finder: Arc::new(finder),
            services: Some(services),
            ..self
        }
    }

    /// Makes it a machine of this class.
    #[must_use]
    pub fn of_class(self, class: String) -> Self {
        Self {
            class: Some(class),
            ..self
        }
    }

    /// Adds views for this many slots elsewhere, after its own.
    #[must_use]
    pub fn with_more_views(self, more_views: usize) -> Self {
        Self { more_views, ..self }
    }

    /// Makes what isolated agents share while their files are read, if they are to be started.
    fn make_ahead(&self, agents: &[AgentSpec]) {
        let are_isolated = agents.iter().any(|agent| agent.isolation != Isolation::Off);
        if self.services.is_some() && are_isolated {
            let finder = Arc::clone(&self.finder);
            // Without a thread it is made when it is needed.
            let _ = threads::start("isolation", move || finder.make_ahead());
        }
    }

    /// Starts as many slots as there is room for.
    fn open(&mut self, terms: Terms) -> Result<SlotsReport, HostError> {
        room::at_least(&terms.host, &terms.agents, terms.beside, self.open_files(&terms.agents))?;
        let gpus = room::gpus(&terms.host.gpus, &self.gpus)?;
        let tablebases = terms
            .tablebase_men
            .map(|men| self.tablebases.take().ok_or(men))
            .transpose();
        let tablebases = tablebases.map_err(|men| {
            HostError::Machine(format!(
                "games are decided by endgame tablebases of {men} men, and there are none here"
            ))
        })?;
        let seating = room::seat(&terms.host, &terms.agents, &terms.threads)?.with(terms.beside);
        let commands = terms.agents.iter().map(|spec| self.finder.command_of_player(spec));
        let mut commands = commands.collect::<Result<Vec<_>, _>>()?;
        for (index, command) in commands.iter_mut().enumerate() {
            self.have_what_is_left(index, command);
            run_at_once(command, seating.games_of(&terms.agents[index]));
        }
        let agents = Arc::new(Agents {
            commands: RwLock::new(commands),
            start_attempts: terms.start_attempts,
            evidence: terms.evidence,
            room: Room::of_kib(terms.evidence_game),
            weigh: terms.weigh,
            cores: seating.slots(),
            gpus: Pool::new(gpus),
            tablebases,
            verdicts: Verdicts::default(),
            views: Arc::new(Views::new(seating.all() + self.more_views)),
            heard: Mutex::default(),
            taken: Mutex::default(),
            replays: terms.replays,
            reports: self.reports.clone(),
        });
        let opened = SlotsReport {
            machine: Some(self.class.clone().unwrap_or_else(machine::class)),
            ..opened(&seating, &agents, terms.host.gpus.len())
        };
        let slots = (0..seating.all()).map(|slot| start_slot(slot, &agents));
        let slots = slots
            .collect::<io::Result<Vec<_>>>()
            .map_err(|error| HostError::Machine(format!("{error}; play fewer games at once with --concurrency")))?;
        self.open = Some(OpenSlots {
            agents,
            specs: terms.agents,
            seating,
            slots,
            roll_call: None,
        });
        Ok(opened)
    }

    /// The most files that stay open while games are played, with what the doors of agents and services need.
    fn open_files(&self, agents: &[AgentSpec]) -> usize {
        let doors = agents.iter().filter(|agent| !agent.player.connect.is_empty()).count();
        let elsewhere = agents.iter().filter(|agent| agent.player.is_elsewhere()).count();
        let of_services = self.services.as_ref().filter(|_| elsewhere > 0);
        let of_services = of_services.map_or(0, |services| services.descriptors());
        self.tablebases.as_ref().map_or(0, Tablebases::count) + doors * MOST_DESCRIPTORS + elsewhere + of_services
    }

    /// Adds a late entry.
    fn enter(&mut self, spec: AgentSpec) -> Result<(), String> {
        let mut command = self.finder.command(&spec).map_err(|error| error.to_string())?;
        // So that what is in its directories is known when something changes.
        let found = self.finder.find(&spec).map_err(|error| error.to_string())?;
        let index = self.open_slots().specs.len();
        self.have_what_is_left(index, &command);
        let open = self.open_slots();
        run_at_once(&mut command, open.seating.games_of(&spec));
        let its_own = found.files.iter().map(|file| &file.path).chain(&found.own);
        let its_own: Vec<PathBuf> = its_own.map(|path| resolved(Path::new(path))).collect();
        open.agents.enter(command, &its_own);
        open.specs.push(spec);
        Ok(())
    }

    /// Reports the files that the agent with this index leaves.
    fn have_what_is_left(&self, index: usize, command: &EngineCommand) {
        let (player, reports) = (PairingNumber::from_index(index), self.reports.clone());
        if let Some(scratch) = &command.scratch {
            scratch.leave_to(move |files| reports.tell(HostReport::Left { player, files }));
        }
    }

    fn open_slots(&mut self) -> &mut OpenSlots {
        self.open
            .as_mut()
            .expect("slots are asked for before anything is played")
    }

    /// A step of an examination; the first step begins it anew and the last one ends it.
    fn examine(
        &mut self,
        agent: &AgentSpec,
        (keys, gpus): (EngineKeys, &[u32]),
        step: CheckStep,
    ) -> Result<Box<ExaminationReport>, HostError> {
        if step == CheckStep::Handshake || self.examination.is_none() {
            let command = self.finder.command_of_player(agent)?;
            let gpus = room::gpus(gpus, &self.gpus)?;
            // It runs alone.
            self.examination = Some(Examination::new(
                command.on(gpus.first()),
                keys,
                agent.freezes,
                agent.player.asks().is_some(),
            ));
        }
        let examination = self.examination.as_mut().expect("it has begun");
        let examined = examination.step(step);
        examined
            .map(Box::new)
            .map_err(|error| HostError::Machine(error.to_string()))
    }

    /// Listens to an agent until its first move.
    fn listen(&self, agent: &AgentSpec, gpus: &[u32]) -> Result<Box<FirstMoveReport>, HostError> {
        let command = self.finder.command_of_player(agent)?;
        let gpus = room::gpus(gpus, &self.gpus)?;
        let heard = listen::listen(&command.on(gpus.first())).map_err(HostError::Machine)?;
        Ok(Box::new(heard))
    }

    /// Starts a presence check.
    fn call_the_roll(&mut self, round: u32, players: Vec<PairingNumber>, limit: Duration) {
        let (finder, reports) = (Arc::clone(&self.finder), self.reports.clone());
        let open = self.open_slots();
        let registered = players.into_iter().map(|player| RegisteredAgent {
            player,
            spec: open.specs[player.index()].clone(),
        });
        let at_once = open.seating.games;
        let gpus = Arc::clone(&open.agents.gpus);
        let call = RollCall::begin(round, registered.collect(), (finder, gpus), limit, at_once, reports);
        open.roll_call = Some(call);
    }
}

impl OpenSlots {
    fn hand(&self, slot: usize, assignment: Assignment) {
        // A slot that has gone reports why.
        let _ = self.slots[slot].send(assignment);
    }

    fn play(&self, slot: usize, task: Task) {
        // What was said about an earlier issue of a game is not meant for this one.
        task.games
            .iter()
            .for_each(|game| self.agents.verdicts.forget(game.spec.id));
        let mut since = task.since.map(instant);
        for IssuedGame { spec, .. } in task.games {
            let since = since.take();
            let spec = Box::new(spec);
            self.hand(slot, Assignment::Play { spec, since });
        }
    }
}

fn opened(seating: &Seating, agents: &Agents, gpus: usize) -> SlotsReport {
    let commands = agents.commands.read().unwrap_or_else(PoisonError::into_inner);
    let isolated: Vec<_> = commands
        .iter()
        .filter(|agent| agent.launch.confinement.is_some())
        .collect();
    let held = |one: &Protection| isolated.iter().all(|agent| agent.isolated.protections.contains(one));
    let missing: Vec<Protection> = Protection::ALL.iter().copied().filter(|one| !held(one)).collect();
    let run_any = |agent: &&EngineCommand| {
        agent
            .launch
            .confinement
            .as_ref()
            .is_some_and(|one| one.programs.is_none())
    };
    let within_reach = match isolated.iter().any(run_any) {
        true => known::engines_and_compilers(),
        false => Vec::new(),
    };
    let mut manifest = seating.describe();
    if !isolated.is_empty() {
        manifest["isolation"] = probe::means().describe(&missing);
    }
    SlotsReport {
        groups: seating.groups(gpus),
        manifest,
        missing,
        why_no_groups: groups().err().map(str::to_owned),
        memory: machine::memory(),
        within_reach: within_reach.iter().map(|path| path.display().to_string()).collect(),
        machine: None,
    }
}

impl GameHost for LocalHost {
    fn connect(&mut self, reports: Reports) {
        self.reports = reports;
    }

    fn keep_in(&mut self, directory: &Path, _run: &str) -> io::Result<()> {
        let services = self.services.as_ref();
        services.map_or(Ok(()), |services| services.keep_in(directory, &self.reports))
    }

    fn heaviest(&self) -> Option<String> {
        self.open.as_ref()?.agents.heaviest()
    }

    fn views(&self) -> Option<Arc<Views>> {
        self.open.as_ref().map(|open| Arc::clone(&open.agents.views))
    }

    fn order(&mut self, order: HostOrder) {
        match order {
            HostOrder::Find { agents } => {
                self.make_ahead(&agents);
                let finder = &self.finder;
                let found = agents.par_iter().map(|spec| finder.find(spec));
                self.reports.tell(HostReport::Found(found.collect()));
            }
            HostOrder::Introduce { agents, host } => {
                let introduced = room::at_least(&host, &agents, 0, self.open_files(&agents)).and_then(|seating| {
                    let gpus = Pool::new(room::gpus(&host.gpus, &self.gpus)?);
                    // As many as are up while games are played; but agents that may write anywhere are started in
                    // smaller numbers.
                    let are_isolated = agents.iter().all(|agent| agent.isolation != Isolation::Off);
                    let at_once = if are_isolated { 2 * seating.games } else { seating.games };
                    self.finder.introduce(&agents, at_once, &gpus)
                });
                self.reports.tell(HostReport::Introduced(introduced));
            }
            HostOrder::Listen { agent, gpus } => {
                let heard = self.listen(&agent, &gpus);
                self.reports.tell(HostReport::Heard(heard));
            }
            HostOrder::Examine {
                agent,
                engine,
                gpus,
                step,
            } => {
                let examined = self.examine(&agent, (*engine, &gpus), step);
                self.reports.tell(HostReport::Examined(examined));
            }
            HostOrder::Open(terms) => {
                // The agent that was examined must not run beside its games.
                self.examination = None;
                let opened = self.open(*terms);
                let slots = opened.as_ref().map_or(0, SlotsReport::slots);
                self.reports.tell(HostReport::Open(opened));
                for slot in 0..slots {
                    self.reports.tell(HostReport::Free { slot, up: Vec::new() });
                }
            }
            HostOrder::Present { round, players, limit } => self.call_the_roll(round, players, limit),
            HostOrder::Abandon => self.open_slots().roll_call = None,
            HostOrder::Seat { slot, players } => self.open_slots().hand(slot, Assignment::Seat(players)),
            HostOrder::Play { slot, task } => self.open_slots().play(slot, *task),
            // Each task has one game, which begins at once.
            HostOrder::Recall { .. } | HostOrder::Booked(_) | HostOrder::Known(_) | HostOrder::Over => {}
            HostOrder::Adjudicate { game, outcome } => self.open_slots().agents.verdicts.ask(game, outcome),
            HostOrder::Rest { slot } => self.open_slots().hand(slot, Assignment::Rest),
            HostOrder::Enter(spec) => {
                let entered = self.enter(*spec);
                self.reports.tell(HostReport::Entered(entered));
            }
        }
    }
}

/// Makes room for an agent's engines in this many games at once, and for one more during presence checks.
fn run_at_once(command: &mut EngineCommand, games: usize) {
    if let Some(confinement) = &mut command.launch.confinement {
        confinement.run_at_once(games.saturating_add(1));
    }
}

/// A time by the clock on the wall, as an instant of the monotonic clock.
fn instant(wall: Timestamp) -> Instant {
    let ago = Duration::try_from(Timestamp::now().duration_since(wall)).unwrap_or_default();
    Instant::now().checked_sub(ago).unwrap_or_else(Instant::now)
}

fn start_slot(slot: usize, agents: &Arc<Agents>) -> io::Result<Sender<Assignment>> {
    /// Reports the slot's end even if it ends by a panic.
    struct End {
        slot: usize,
        why: String,
        reports: Reports,
    }
    impl Drop for End {
        fn drop(&mut self) {
            self.reports.tell(HostReport::Gone {
                slot: self.slot,
                why: std::mem::take(&mut self.why),
            });
        }
    }
    let (hand, assignments) = mpsc::channel();
    let agents = Arc::clone(agents);
    threads::start(format!("slot {slot}"), move || {
        let mut end = End {
            slot,
            why: "its thread panicked".to_owned(),
            reports: agents.reports.clone(),
        };
        let ended = slot::run(slot, &agents, &assignments);
        end.why = ended.err().map_or_else(String::new, |error| error.to_string());
    })?;
    Ok(hand)
}
