//! The host of a run with workers: the slots of another host, followed by slots for workers that join.
//!
//! May not: decide what is played; keep what the log keeps.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::StreamExt as _;
use swiss_system::pairing::history::PairingNumber;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use swissmatch_host::host::views::Views;
use swissmatch_host::host::{
    AgentFound, AgentSpec, Fence, FindAgentError, GameHost, HostError, HostOrder, HostReport, IssuedGame, Reports,
    SlotGroup, SlotsReport, Terms,
};
use swissmatch_host::signature::Signer;
use swissmatch_host::threads;
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::setup::HostKeys;

use crate::book::Book;
use crate::carrier::{Carrier, ResultQueue, Tenure};
use crate::coordinator::{Ask, Coordinator};
use crate::server::{Access, CarrierError, Server};
use crate::shared::SharedReports;
use crate::speed;
use crate::staff::{Alike, Staff};
use crate::stock::{Goods, Stock};
use crate::wire::{EventCard, RunnerSays, VERSION, WorkerSays};

/// The most games that workers play at once, and how many of them may need GPUs.
pub const MOST_AT_ONCE: usize = 512;
const MOST_WITH_GPUS: usize = 64;
/// The most games of a mini-match that a worker is given at once.
const MOST_A_TASK: usize = 16;
/// How often taking the event is tried, and how long to wait after a failure.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(1);
/// The longest that a runner waits to hear what workers already play, when it goes on with a run.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// Where workers are, and on which terms they play.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The address of the server: `nats://HOST:PORT`.
    pub address: String,
    /// How the runner is let in there.
    pub access: Access,
    /// How long a silent worker or runner keeps what it has.
    pub lease: Duration,
    /// The key that signs the event: workers play for owners whom they know.
    pub signer: Signer,
    pub event: String,
    /// The directory from which agents' words lead.
    pub directory: PathBuf,
    /// The machine class that the event is played on; `None` means any, as nobody's moves depend on it.
    pub class: Option<String>,
    /// Programs play only at workers.
    pub only: bool,
}

pub struct WorkersHost {
    inner: Box<dyn GameHost>,
    workers: Workers,
    shared: Arc<SharedReports>,
    /// How many slots of the other host come first.
    first: usize,
    /// Positions per second of this machine, if it plays and speed matters.
    speed: Option<u64>,
    views: Option<Arc<Views>>,
    /// What is needed to begin, once slots are open.
    ready: Option<Ready>,
    /// The stock so far, for late entries.
    stock: Option<Stock>,
    /// Requests to the coordinator, and their receiver until it begins.
    asks: UnboundedSender<Ask>,
    orders: Option<UnboundedReceiver<Ask>>,
    coordinator: Option<JoinHandle<()>>,
}

/// What exists before the run has its directory.
struct Ready {
    runtime: Runtime,
    server: Server,
    goods: Goods,
    terms: Terms,
}

impl fmt::Debug for WorkersHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkersHost")
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

impl WorkersHost {
    /// A host whose games workers play beside `inner`, which must have views for [`MOST_AT_ONCE`] more slots than its
    /// own.
    pub fn new(inner: Box<dyn GameHost>, workers: Workers) -> Self {
        let (asks, orders) = unbounded_channel();
        Self {
            inner,
            workers,
            shared: Arc::new(SharedReports::new()),
            first: 0,
            speed: None,
            views: None,
            ready: None,
            stock: None,
            asks,
            orders: Some(orders),
            coordinator: None,
        }
    }

    /// The other host's answer to an order.
    fn ask(&mut self, order: HostOrder) -> Vec<HostReport> {
        let (shared, inner) = (Arc::clone(&self.shared), &mut self.inner);
        shared.asked(|| inner.order(order))
    }

    fn find(&mut self, agents: Vec<AgentSpec>) -> Result<Vec<AgentFound>, HostError> {
        let names: Vec<String> = agents.iter().map(|agent| agent.player.name.clone()).collect();
        let mut found = None;
        for report in self.ask(HostOrder::Find { agents }) {
            match report {
                HostReport::Found(answer) => found = Some(answer),
                other => self.shared.tell(other),
            }
        }
        let found = names.into_iter().zip(found.unwrap_or_default());
        let found = found.map(|(player, found)| found.map_err(|why| HostError::Agent { player, why }));
        found.collect()
    }

    /// Checks whether workers can play the event at all, and connects.
    fn prepare(&mut self, terms: &Terms) -> Result<Ready, HostError> {
        if terms.by_the_clock {
            return Err(HostError::Key {
                key: "schedule.clock".to_owned(),
                message: "clocks of games at workers begin with their games".to_owned(),
                help: "write schedule.clock = \"game\", or play without --workers".to_owned(),
            });
        }
        let found = self.find(terms.agents.clone())?;
        let mut goods = Goods::default();
        for (agent, found) in terms.agents.iter().zip(&found) {
            let added = goods.add(agent, found, &self.workers.directory);
            added.map_err(|why| HostError::Agent {
                player: agent.player.name.clone(),
                why: FindAgentError::Command(format!("it cannot go to a worker: {why}")),
            })?;
        }
        if goods.agents.iter().flatten().count() < 2 {
            let why = "games of models and web services are played here alone, so workers would have nothing to play: leave out --workers";
            return Err(HostError::Machine(why.to_owned()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| HostError::Machine(error.to_string()))?;
        let server = runtime.block_on(async {
            let server = Server::connect(&self.workers.address, &self.workers.access).await?;
            server.open().await?;
            Ok::<_, CarrierError>(server)
        });
        let server = server
            .map_err(|why| HostError::Machine(format!("the server of --workers, {}: {why}", self.workers.address)))?;
        let terms = Terms {
            agents: Vec::new(),
            host: HostKeys::default(),
            beside: 0,
            taken: Vec::new(),
            ..terms.clone()
        };
        Ok(Ready {
            runtime,
            server,
            goods,
            terms,
        })
    }

    fn open(&mut self, mut terms: Box<Terms>) {
        if self.workers.only {
            terms.host.concurrency = Some(0);
        }
        match self.prepare(&terms) {
            Ok(ready) => self.ready = Some(ready),
            Err(refused) => return self.shared.tell(HostReport::Open(Err(refused))),
        }
        let threads = terms.threads.iter().copied().max().unwrap_or(1);
        for report in self.ask(HostOrder::Open(terms)) {
            let report = match report {
                HostReport::Open(Ok(mut opened)) => {
                    self.first = opened.slots();
                    if let Err(error) = self.measure(&opened, threads) {
                        return self
                            .shared
                            .tell(HostReport::Open(Err(HostError::Machine(error.to_string()))));
                    }
                    let group = |slots, gpus| SlotGroup {
                        slots,
                        takes: Takes::Programs,
                        gpus,
                        games_a_task: MOST_A_TASK,
                        outlives: true,
                        ..SlotGroup::default()
                    };
                    // A slot with GPUs has as many as any game needs.
                    opened.groups.push(group(MOST_AT_ONCE - MOST_WITH_GPUS, 0));
                    opened.groups.push(group(MOST_WITH_GPUS, 2 * MOST_WITH_GPUS));
                    HostReport::Open(Ok(opened))
                }
                report => report,
            };
            self.shared.tell(report);
        }
        self.views = self.inner.views();
    }

    /// Measures this machine's speed, if it plays as workers do and has to be like them.
    fn measure(&mut self, opened: &SlotsReport, threads: usize) -> io::Result<()> {
        let on_cores = opened.groups.iter().filter(|group| group.takes != Takes::Beside);
        let slots: usize = on_cores.map(|group| group.slots).sum();
        if self.workers.class.is_some() && slots > 0 {
            self.speed = Some(speed::measure(slots * threads)?);
        }
        Ok(())
    }

    /// Takes the event, and begins to give games to workers.
    fn begin(&mut self, ready: Ready, place: &Path, run: &str) -> Result<(), CarrierError> {
        let Ready {
            runtime,
            server,
            goods,
            terms,
        } = ready;
        let Workers {
            lease, signer, class, ..
        } = &self.workers;
        let most_evidence = usize::try_from(terms.evidence_game)
            .unwrap_or(usize::MAX)
            .saturating_mul(1024);
        let card = EventCard {
            version: VERSION,
            run: run.to_owned(),
            name: self.workers.event.clone(),
            lease: *lease,
            agents: Vec::new(),
            terms,
            class: class.clone(),
        };
        let not_signed = |why| CarrierError::Server {
            what: "the event cannot be signed",
            why,
        };
        let gpus_a_game = goods.gpus_a_game();
        let stock = Stock::new(card, goods, signer).map_err(not_signed)?;
        let carrier = Carrier::new(server, run, *lease);
        let (tenure, results) = runtime.block_on(async {
            let mut tries = 1;
            loop {
                match taken(&carrier, &stock, &named(place), *lease).await {
                    // The server was restarted, or lost what it kept, since it was last looked at.
                    Err(CarrierError::Server { .. }) if tries < TRIES => tries += 1,
                    taken => return taken,
                }
                tokio::time::sleep(PAUSE).await;
            }
        })?;
        let (runner, is_first) = (tenure.runner(), tenure.is_first());
        let with_gpus = self.first + MOST_AT_ONCE - MOST_WITH_GPUS;
        let slots = [self.first..with_gpus, with_gpus..self.first + MOST_AT_ONCE];
        let alike = class.clone().map(|class| Alike::new(class, self.speed));
        let staff = Staff::new(slots.clone(), alike, gpus_a_game);
        let views = self.views.clone();
        let coordinator = Coordinator::new(
            (carrier, runner, *lease),
            (
                Arc::clone(&self.shared),
                views.unwrap_or_else(|| Arc::new(Views::new(slots[1].end))),
                stock.clone(),
            ),
            (Book::new(runner, most_evidence, !is_first), staff),
        );
        let orders = self.orders.take().ok_or(CarrierError::Server {
            what: "the event has begun",
            why: "it begins once".to_owned(),
        })?;
        let shared = Arc::clone(&self.shared);
        let thread = threads::start("workers", move || {
            let _fallen = Fallen(Arc::clone(&shared));
            let ran = runtime.block_on(coordinator.run((tenure, results), orders));
            if let Err(why) = ran {
                shared.tell(HostReport::Overtaken(why.to_string()));
            }
        });
        let thread = thread.map_err(|error| CarrierError::Server {
            what: "there is no thread for workers",
            why: error.to_string(),
        })?;
        (self.stock, self.coordinator) = (Some(stock), Some(thread));
        if !is_first {
            // Games that workers already play are not given out anew.
            std::thread::sleep((*lease / 2).min(LONGEST_LOOK));
        }
        Ok(())
    }

    fn tell_coordinator(&self, ask: Ask) {
        // It ends together with this host, or has already said why.
        let _ = self.asks.send(ask);
    }

    /// Starts a presence check: workers check the players who play at them, this machine checks those who play here.
    fn call_the_roll(&mut self, round: u32, players: Vec<PairingNumber>, limit: Duration) {
        let travels = |player: &PairingNumber| self.stock.as_ref().is_some_and(|stock| stock.travels(*player));
        let (at_workers, here): (Vec<_>, Vec<_>) = players.iter().copied().partition(travels);
        let at_runner = if self.workers.only { here } else { players };
        self.tell_coordinator(Ask::Present {
            round,
            at_runner: at_runner.clone(),
            players: at_workers,
            limit,
        });
        if !at_runner.is_empty() {
            let players = at_runner;
            self.inner.order(HostOrder::Present { round, players, limit });
        }
    }

    /// Adds a late entry, first to the other host.
    fn enter(&mut self, spec: Box<AgentSpec>) {
        let packed = self.pack(&spec);
        match packed {
            Err(why) => self.shared.tell(HostReport::Entered(Err(why))),
            Ok(stock) => {
                let reports = self.ask(HostOrder::Enter(spec));
                if reports
                    .iter()
                    .any(|report| matches!(report, HostReport::Entered(Ok(()))))
                {
                    self.stock = Some(stock.clone());
                    self.tell_coordinator(Ask::Entered(Box::new(stock)));
                }
                reports.into_iter().for_each(|report| self.shared.tell(report));
            }
        }
    }

    fn pack(&mut self, spec: &AgentSpec) -> Result<Stock, String> {
        let found = self.find(vec![spec.clone()]).map_err(|refused| refused.to_string())?;
        let found = found.first().ok_or("it was not found")?;
        let stock = self.stock.as_ref().ok_or("the event has not begun")?;
        let threads = spec.threads(None);
        stock.with((spec, threads), found, &self.workers.directory, &self.workers.signer)
    }
}

/// Reports if the coordinator's thread dies: nothing would be answered any more.
struct Fallen(Arc<SharedReports>);

impl Drop for Fallen {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let why = "what gives games to workers has failed: this is a fault of swissmatch";
            self.0.tell(HostReport::Overtaken(why.to_owned()));
        }
    }
}

/// Makes a worker of a run finish its games and end. The run is known by the hash of its log's first entry.
///
/// # Errors
/// The server is away, or no such worker confirms it within a lease.
pub fn drain(
    (address, access): (&str, &Access),
    (run, lease): (&str, Duration),
    worker: &str,
) -> Result<(), CarrierError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let not = |what| {
        move |error: &dyn fmt::Display| CarrierError::Server {
            what,
            why: error.to_string(),
        }
    };
    let runtime = runtime.map_err(|error| not("no drain")(&error))?;
    runtime.block_on(async {
        let carrier = Carrier::new(Server::connect(address, access).await?, run, lease);
        let mut heard = carrier.hear_workers().await?;
        carrier.say_to(Some(worker), &RunnerSays::Drain).await?;
        let is_leaving = async {
            while let Some(message) = heard.next().await {
                let is_its = message.subject.rsplit('.').next() == Some(worker);
                if let Ok(WorkerSays::Here(card)) = serde_json::from_slice(&message.payload)
                    && is_its
                    && card.is_leaving
                {
                    break;
                }
            }
        };
        let said = tokio::time::timeout(lease, is_leaving).await;
        said.map_err(|_| not("it is not there")(&format!("worker {worker} said nothing for {} s", lease.as_secs())))
    })
}

/// Takes the event and puts its stock there.
async fn taken(
    carrier: &Carrier,
    stock: &Stock,
    place: &str,
    lease: Duration,
) -> Result<(Tenure, ResultQueue), CarrierError> {
    carrier.server.open().await?;
    let (mut tenure, results) = carrier.take(place).await?;
    stock.put_by(&mut tenure, (carrier, lease)).await?;
    Ok((tenure, results))
}

/// The name of this directory on this machine, for other runners.
fn named(place: &Path) -> String {
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy().into_owned();
    let place = std::fs::canonicalize(place).unwrap_or_else(|_| place.to_path_buf());
    format!("{machine}:{}", place.display())
}

impl GameHost for WorkersHost {
    fn connect(&mut self, reports: Reports) {
        self.shared.connect(reports);
        let shared = Arc::clone(&self.shared);
        let asks = self.asks.clone();
        self.inner.connect(Reports::to(move |report| match report {
            // Others check, too.
            HostReport::Present(checked) => drop(asks.send(Ask::SeenAtRunner(checked))),
            report => shared.tell(report),
        }));
    }

    fn keep_in(&mut self, directory: &Path, run: &str) -> io::Result<()> {
        self.inner.keep_in(directory, run)?;
        match self.ready.take() {
            Some(ready) => self.begin(ready, directory, run).map_err(io::Error::other),
            None => Ok(()),
        }
    }

    fn fence(&self) -> Fence {
        let shared = Arc::clone(&self.shared);
        Fence::of(move || shared.may_write())
    }

    fn heaviest(&self) -> Option<String> {
        self.inner.heaviest()
    }

    fn views(&self) -> Option<Arc<Views>> {
        self.views.clone()
    }

    fn order(&mut self, order: HostOrder) {
        match order {
            HostOrder::Open(terms) => self.open(terms),
            HostOrder::Enter(spec) => self.enter(spec),
            HostOrder::Play { slot, task } => {
                let is_under_way =
                    |issued: &IssuedGame| self.shared.under_way_at((issued.spec.id, issued.issue)).is_some();
                match slot < self.first && !task.games.iter().any(is_under_way) {
                    true => self.inner.order(HostOrder::Play { slot, task }),
                    false => self.tell_coordinator(Ask::Play(slot, task)),
                }
            }
            HostOrder::Seat { slot, .. } | HostOrder::Rest { slot } if slot >= self.first => {
                self.tell_coordinator(Ask::Free(slot));
            }
            HostOrder::Recall { games } => {
                self.tell_coordinator(Ask::Recall(games.clone()));
                self.inner.order(HostOrder::Recall { games });
            }
            HostOrder::Adjudicate { game, outcome } => {
                self.tell_coordinator(Ask::Adjudicate(game, outcome));
                self.inner.order(HostOrder::Adjudicate { game, outcome });
            }
            HostOrder::Present { round, players, limit } => self.call_the_roll(round, players, limit),
            HostOrder::Abandon => {
                self.tell_coordinator(Ask::Abandon);
                self.inner.order(HostOrder::Abandon);
            }
            HostOrder::Booked(games) => self.tell_coordinator(Ask::Booked(games)),
            HostOrder::Known(workers) => self.tell_coordinator(Ask::Known(workers)),
            HostOrder::Over => self.tell_coordinator(Ask::Over),
            HostOrder::Find { .. }
            | HostOrder::Introduce { .. }
            | HostOrder::Listen { .. }
            | HostOrder::Examine { .. }
            | HostOrder::Seat { .. }
            | HostOrder::Rest { .. } => self.inner.order(order),
        }
    }
}

impl Drop for WorkersHost {
    fn drop(&mut self) {
        if let Some(thread) = self.coordinator.take() {
            let _ = self.asks.send(Ask::End);
            // It says nothing after this.
            let _ = thread.join();
            self.shared.ends();
            for slot in self.first..self.first + MOST_AT_ONCE {
                self.shared.tell(HostReport::Gone {
                    slot,
                    why: String::new(),
                });
            }
        }
    }
}
