//! A worker: a machine that plays games of an event for its runner, as long as there are any.
//!
//! Results are kept here until the runner's log has them. May not: decide what is played, or how a game counts.

mod late;
mod playing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::FlockOperation;
use swiss_system::count;
use swiss_system::text::harmless;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinSet;

use swissmatch_host::files;
use swissmatch_host::host::GameHost;
use swissmatch_host::local::LocalHost;
use swissmatch_host::machine;
use swissmatch_host::signature::Signers;
use swissmatch_host::tablebase::Tablebases;
use swissmatch_tournament::setup::HostKeys;

use self::playing::Playing;
use crate::admission::{AdmissionError, Ground, connected};
use crate::allows::Allows;
use crate::carrier::Carrier;
use crate::names::mark_of;
use crate::seats::Seats;
use crate::server::{Access, Server};
use crate::speed;
use crate::spool::Spool;
use crate::wire::{EventCard, SignedCard, VERSION};

/// How often to look for an event that is not there yet.
const LOOK: Duration = Duration::from_secs(1);
/// The events that a worker plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedEvents {
    /// The event of this name.
    Named(String),
    /// The only event there is; with several, one has to be named.
    Only,
    /// All events, one after the other.
    Any,
}

/// Makes a host; the words of agents lead from this directory.
pub type MakeHost = fn(&Path) -> Box<dyn GameHost>;

#[derive(Debug)]
pub struct Worker {
    /// The address of the server: `nats://HOST:PORT`.
    pub address: String,
    /// How it is let in, with the key that identifies it.
    pub access: Access,
    /// The owners for whom it plays: one of them must have signed the event.
    pub owners: Signers,
    pub wanted: WantedEvents,
    /// Games at once; `None` means as many as there is room for.
    pub slots: Option<u32>,
    /// The GPUs that it lends to agents, by number; one that is listed twice is lent to two agents.
    pub gpus: Vec<u32>,
    /// The machine class, if it is not to be found out.
    pub class: Option<String>,
    /// Where it keeps agents and results.
    pub directory: PathBuf,
    /// What agents may do beyond being guarded.
    pub allows: Allows,
    /// The directories of endgame tablebases.
    pub tablebases: Vec<PathBuf>,
    /// The host that plays, in place of this machine.
    pub host: Option<MakeHost>,
}

/// Asks a worker to stop: once to finish the games under way, twice to stop at once.
#[derive(Clone, Debug)]
pub struct WorkerStopper {
    ask: Sender<()>,
    asked: Arc<AtomicU32>,
    /// There are games to finish.
    plays: Arc<AtomicBool>,
}

/// The receiver of requests to stop.
#[derive(Debug)]
pub struct Stops {
    heard: Receiver<()>,
    plays: Arc<AtomicBool>,
}

impl WorkerStopper {
    /// A handle, and the receiver of its requests.
    pub fn new() -> (Self, Stops) {
        let (ask, heard) = channel(8);
        let plays = Arc::new(AtomicBool::new(false));
        let stops = Stops {
            heard,
            plays: Arc::clone(&plays),
        };
        let asked = Arc::new(AtomicU32::new(0));
        (Self { ask, asked, plays }, stops)
    }

    /// Asks the worker to stop; `false` means that there is nothing to finish, or it was asked before, so that it may
    /// be ended.
    pub fn stop(&self) -> bool {
        let times = self.asked.fetch_add(1, Ordering::Relaxed);
        times < 2 && self.plays.load(Ordering::Relaxed) && self.ask.try_send(()).is_ok()
    }
}

/// Why a worker has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerEnd {
    /// Its event is over.
    Over,
    /// It was asked to stop.
    Stopped,
}

/// How the work on an event ended.
enum EndOf {
    Over,
    Stopped,
}

impl Worker {
    /// Plays until the event is over or the worker is asked to stop. `tell` gets what is worth a line.
    ///
    /// # Errors
    /// It cannot connect, or it does not allow what agents are to do, or its machine cannot give it.
    pub fn work(
        &self,
        Stops {
            heard: mut stops,
            plays,
        }: Stops,
        tell: &mut dyn FnMut(&str),
    ) -> Result<WorkerEnd, AdmissionError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let server = Server::connect(&self.address, &self.access).await?;
            files::make_directory(&self.directory)?;
            let _held = held(&self.directory)?;
            let mut done = BTreeSet::new();
            loop {
                let Some((signed, card)) = self.choose(&server, &done, &mut stops, tell).await? else {
                    return Ok(WorkerEnd::Stopped);
                };
                done.insert(card.run.clone());
                let ended = self.play(&server, (signed, card), (&mut stops, &plays), tell).await?;
                match (ended, &self.wanted) {
                    (EndOf::Stopped, _) => return Ok(WorkerEnd::Stopped),
                    (EndOf::Over, WantedEvents::Any) => {}
                    (EndOf::Over, _) => return Ok(WorkerEnd::Over),
                }
            }
        })
    }

    fn key(&self) -> &str {
        self.access.worker.as_deref().unwrap_or_default()
    }

    fn class(&self) -> String {
        self.class.clone().unwrap_or_else(machine::exact_class)
    }

    /// Waits for the next event to play; `None` means to stop.
    async fn choose(
        &self,
        server: &Server,
        done: &BTreeSet<String>,
        stops: &mut Receiver<()>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<(SignedCard, EventCard)>, AdmissionError> {
        let mut has_told = false;
        loop {
            // Before the first runner has come there is nothing to list.
            let cards = server.cards().await.unwrap_or_default();
            let opened = cards.into_iter().map(|signed| (signed.open(&self.owners), signed));
            let (mut fit, mut refused) = (Vec::new(), None);
            for (card, signed) in opened {
                match card {
                    Ok(card) if done.contains(&card.run) => {}
                    Ok(card) if matches!(&self.wanted, WantedEvents::Named(name) if *name != card.name) => {}
                    Ok(card) => fit.push((signed, card)),
                    Err(why) => refused = Some(why),
                }
            }
            if fit.len() > 1 && self.wanted == WantedEvents::Only {
                let names: Vec<String> = fit.iter().map(|(_, card)| harmless(&card.name)).collect();
                return Err(AdmissionError::Here(format!(
                    "several events are played at this server ({}): choose one with --event NAME, or all with --any",
                    names.join(", ")
                )));
            }
            if let Some(first) = fit.into_iter().next() {
                return Ok(Some(first));
            }
            if !has_told {
                has_told = true;
                let others = refused.map_or_else(String::new, |why| {
                    format!("; one that is there was not signed by --owner: {why}")
                });
                tell(&format!("no event to play yet{others}"));
            }
            tokio::select! {
                _ = stops.recv() => return Ok(None),
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Plays an event as long as it lasts.
    async fn play(
        &self,
        server: &Server,
        (signed, card): (SignedCard, EventCard),
        (stops, plays): (&mut Receiver<()>, &AtomicBool),
        tell: &mut dyn FnMut(&str),
    ) -> Result<EndOf, AdmissionError> {
        if card.version != VERSION {
            let why = format!(
                "the runner speaks version {} and this worker {VERSION}: both need the same release",
                card.version
            );
            return Err(AdmissionError::Here(why));
        }
        if let Some(class) = card.class.as_ref().filter(|class| **class != self.class()) {
            return Err(AdmissionError::Here(format!(
                "the event is played on machines of the class \"{class}\", and this one is \"{}\"; where these are alike, say so with --class",
                self.class()
            )));
        }
        tell(&format!("event: {}", harmless(&card.name)));
        // Agents are started in directories of their own.
        let directory = std::fs::canonicalize(&self.directory)?.join(mark_of(&card.run));
        files::make_directory(&directory)?;
        let tablebases = self.tables(&card)?;
        let ground = Ground {
            directory: directory.clone(),
            allows: self.allows.clone(),
            host: HostKeys {
                concurrency: self.slots,
                gpus: self.gpus.clone(),
                ..HostKeys::default()
            },
        };
        let host = self.host.map_or_else(
            || Box::new(LocalHost::new(&directory, tablebases).of_class(self.class())) as Box<dyn GameHost>,
            |host| host(&directory),
        );
        let admitted = ground.admit((server, &card), connected(host), tell).await?;
        let speed = self.speed((&card, admitted.slots), tell)?;
        let mut machine = machine::describe().unwrap_or_default();
        if let (Some(machine), Some(speed)) = (machine.as_object_mut(), speed) {
            machine.insert("positions_a_second".to_owned(), speed.into());
        }
        let slots = count::of(admitted.slots, "game", "games");
        tell(&format!("ready for {slots} at once"));
        let playing = Playing {
            carrier: Carrier::new(server.clone(), &card.run, card.lease),
            views: admitted.host.views(),
            spool: Spool::open(&directory.join("played"))?,
            seats: Seats::new(admitted.slots),
            me: self,
            session: session(),
            card_hash: signed.hash(),
            machine,
            speed,
            roll: None,
            coming: None,
            later: Vec::new(),
            begun: Instant::now(),
            card,
            admitted,
            runner: 0,
            heard: Instant::now(),
            is_watched: false,
            is_stopping: false,
            has_had_games: false,
            missed: None,
            seen: BTreeMap::new(),
            told: BTreeMap::new(),
            sending: JoinSet::new(),
        };
        plays.store(true, Ordering::Relaxed);
        let ended = playing.run(&ground, server, stops, tell).await;
        plays.store(false, Ordering::Relaxed);
        ended
    }

    /// The speed of this machine under full load, if that counts.
    fn speed(&self, (card, slots): (&EventCard, usize), tell: &mut dyn FnMut(&str)) -> io::Result<Option<u64>> {
        if card.class.is_none() {
            return Ok(None);
        }
        let threads = card.terms.threads.iter().copied().max().unwrap_or(1);
        let speed = speed::measure(slots * threads)?;
        tell(&format!(
            "speed: {speed} positions a second in each game, with all of them being played"
        ));
        Ok(Some(speed))
    }

    fn tables(&self, card: &EventCard) -> Result<Option<Tablebases>, AdmissionError> {
        let Some(men) = card.terms.tablebase_men else {
            return Ok(None);
        };
        if self.tablebases.is_empty() {
            return Err(AdmissionError::Here(format!(
                "games are decided by endgame tablebases of up to {men} men, which this worker has to have: --tablebases DIR"
            )));
        }
        let opened = Tablebases::open(&self.tablebases, men);
        opened
            .map(Some)
            .map_err(|error| AdmissionError::Here(format!("--tablebases: {error}")))
    }
}

/// Locks a worker's directory: two workers must not share one.
fn held(directory: &Path) -> io::Result<File> {
    let file = File::open(directory)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(_) => Err(io::Error::other(format!(
            "{}: another worker uses this directory; give each its own with --dir",
            directory.display()
        ))),
    }
}

/// A number that no earlier start had.
fn session() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
}
