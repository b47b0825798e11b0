//! The coordinator, which gives a run's games to workers and takes their results: a loop of its own, beside the
//! runner's.
//!
//! Tasks go out, results come in. A worker that is silent for a lease loses what it had. The server may drop a result
//! once the log has it. May not: decide what is played; make the runner wait for the server.

mod beside;
mod presence;
mod results;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use jiff::{SignedDuration, Timestamp};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{harmless, shortened};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_host::host::views::{Live, Views};
use swissmatch_host::host::{HostReport, IssuedGame, MayWrite, NotPlayedCause, Task};
use swissmatch_tournament::log::{PresenceChecked, WorkerAdmitted};

use self::beside::{RunnerHeartbeat, have_results};
use self::results::PendingResult;
use crate::book::Book;
use crate::carrier::{Carrier, ResultDelivery, ResultQueue, Tenure};
use crate::roll::PresenceRoll;
use crate::server::CarrierError;
use crate::shared::SharedReports;
use crate::staff::Staff;
use crate::stock::Stock;
use crate::wire::{RunnerSays, WorkerCard, WorkerSays};

/// The most files that an agent may say it could not open.
const MOST_UNOPENED: usize = 100;
/// The most messages of workers that are handled before anything else gets a turn.
const MOST_IN_A_ROW: u32 = 64;
/// The most characters of a worker's remark.
const REPEATED: usize = 300;

/// Requests of the host.
#[derive(Debug)]
pub(crate) enum Ask {
    Play(usize, Box<Task>),
    Free(usize),
    Recall(Vec<GameId>),
    Adjudicate(GameId, Outcome),
    Booked(Vec<(GameId, u32)>),
    /// Workers that are in the log.
    Known(Vec<WorkerAdmitted>),
    /// A late entry, with its bundle.
    Entered(Box<Stock>),
    /// Starts a presence check before a round is paired.
    Present {
        round: u32,
        /// Players whom the runner's own machine checks.
        at_runner: Vec<PairingNumber>,
        /// Players whom workers check.
        players: Vec<PairingNumber>,
        limit: Duration,
    },
    /// The result of the check on the runner's own machine.
    SeenAtRunner(Result<PresenceChecked, String>),
    /// Ends the presence check without a result.
    Abandon,
    Over,
    End,
}

/// News from the server.
#[derive(Debug)]
enum News {
    Told(Box<ResultDelivery>),
    /// Something of the event was missing at the server and has been put back.
    Restored,
    /// A request to the server failed, for the first time or again.
    Away(String),
    Back,
    Overtaken(String),
}

/// The key of a result: the game, its issue, and the sender.
type ResultKey = ((GameId, u32), String);

pub(crate) struct Coordinator {
    carrier: Carrier,
    shared: Arc<SharedReports>,
    stock: watch::Sender<Stock>,
    book: Book,
    staff: Staff,
    views: Arc<Views>,
    lease: Duration,
    runner: u64,
    begun: Instant,
    /// A day before the event was created, by the clock on the wall: no game under way is older.
    created: Timestamp,
    waiting: BTreeMap<ResultKey, PendingResult>,
    /// Games with a result in the log, and the issue of each.
    booked: BTreeMap<GameId, u32>,
    news: UnboundedSender<News>,
    inbox: UnboundedReceiver<News>,
    /// Since when the server has been there without a break.
    there_since: Option<Duration>,
    /// Workers that have been told why they get no games.
    told_why: BTreeSet<String>,
    /// Workers that lend too few GPUs and have been told so.
    lacks_gpus: BTreeSet<String>,
    /// Workers in the log, with the class that their machine has there.
    known: BTreeMap<String, String>,
    /// How many games in a row each worker's machine has failed to play.
    failures: BTreeMap<String, u32>,
    looked: Duration,
    /// The presence check under way, and how many there have been.
    roll: Option<PresenceRoll>,
    rolls: u64,
}

impl Coordinator {
    /// A coordinator for a runner that has the event.
    pub(crate) fn new(
        (carrier, runner, lease): (Carrier, u64, Duration),
        (shared, views, stock): (Arc<SharedReports>, Arc<Views>, Stock),
        (book, staff): (Book, Staff),
    ) -> Self {
        let (news, inbox) = unbounded_channel();
        Self {
            carrier,
            shared,
            stock: watch::Sender::new(stock),
            book,
            staff,
            views,
            lease,
            runner,
            begun: Instant::now(),
            created: Timestamp::now() - SignedDuration::from_hours(24),
            waiting: BTreeMap::new(),
            booked: BTreeMap::new(),
            news,
            there_since: Some(Duration::ZERO),
            told_why: BTreeSet::new(),
            lacks_gpus: BTreeSet::new(),
            known: BTreeMap::new(),
            failures: BTreeMap::new(),
            looked: Duration::ZERO,
            inbox,
            roll: None,
            rolls: 0,
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Runs until the runner ends.
    ///
    /// # Errors
    /// Workers cannot be heard.
    pub(crate) async fn run(
        mut self,
        (tenure, results): (Tenure, ResultQueue),
        mut asks: UnboundedReceiver<Ask>,
    ) -> Result<(), CarrierError> {
        let mut heard = self.carrier.hear_workers().await?;
        let (restored, again) = unbounded_channel();
        tokio::spawn(have_results(results, again, self.news.clone()));
        let stays = RunnerHeartbeat {
            tenure,
            carrier: self.carrier.clone(),
            shared: Arc::clone(&self.shared),
            lease: self.lease,
            news: self.news.clone(),
            restored,
        };
        let stays = tokio::spawn(stays.run(self.stock.subscribe()));
        let mut ticks = tokio::time::interval(self.lease / 6);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut in_a_row = 0;
        loop {
            // After a pause, workers are heard before silent ones are looked for; but none may talk for ever.
            tokio::select! {
                biased;
                Some(message) = heard.next(), if in_a_row < MOST_IN_A_ROW => {
                    in_a_row += 1;
                    let worker = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
                    if let Ok(says) = serde_json::from_slice(&message.payload) {
                        self.said(&worker, says).await;
                    }
                }
                ask = asks.recv() => match ask {
                    Some(Ask::Over) => {
                        stays.abort();
                        self.say(None, RunnerSays::Over).await;
                        // What cannot be removed now belongs to no event and does no harm.
                        let _ = self.carrier.close().await;
                    }
                    Some(Ask::End) | None => return Ok(()),
                    Some(ask) => self.asked(ask).await,
                },
                Some(news) = self.inbox.recv() => self.hears(news).await,
                _ = ticks.tick() => self.look().await,
                () = std::future::ready(()), if in_a_row >= MOST_IN_A_ROW => in_a_row = 0,
            }
        }
    }

    async fn asked(&mut self, ask: Ask) {
        match ask {
            Ask::Play(slot, task) => self.play(slot, *task),
            Ask::Free(slot) => self.shared.tell(HostReport::Free { slot, up: Vec::new() }),
            Ask::Recall(games) => self.recall(&games).await,
            Ask::Adjudicate(game, outcome) => {
                if self.book.is_to_end(game, outcome)
                    && let Some((worker, _)) = self.book.holder(game)
                {
                    let worker = worker.to_owned();
                    self.say(Some(&worker), RunnerSays::Adjudicate(game, outcome)).await;
                }
            }
            Ask::Booked(games) => self.are_booked(games).await,
            Ask::Known(workers) => {
                let of = |worker: WorkerAdmitted| (worker.worker, worker.class);
                self.known.extend(workers.into_iter().map(of));
                let keys: Vec<ResultKey> = self.waiting.keys().cloned().collect();
                keys.iter().for_each(|key| self.look_at(key));
            }
            Ask::Entered(stock) => {
                self.staff.games_take(stock.gpus_a_game());
                drop(self.stock.send_replace(*stock));
            }
            Ask::Present {
                round,
                at_runner,
                players,
                limit,
            } => self.calls_the_roll(round, at_runner, players, limit).await,
            Ask::SeenAtRunner(checked) => self.is_seen_at_runner(checked).await,
            Ask::Abandon => self.abandons_the_roll().await,
            Ask::Over | Ask::End => {}
        }
    }

    /// Gives games to a slot: to the worker that already plays the game, or to the worker that has the slot.
    fn play(&mut self, slot: usize, task: Task) {
        let mut rest = Vec::new();
        for issued in task.games {
            let agents = self.stock.borrow().agents_of(&issued.spec);
            match (self.holder_of((issued.spec.id, issued.issue)), agents) {
                (Some(worker), Some(agents)) => {
                    let game = issued.spec.id;
                    self.book.adopt((slot, &worker), issued, agents);
                    self.look_at_results(game);
                }
                _ => rest.push(issued),
            }
        }
        let Some(first) = rest.first() else { return };
        let (worker, agents) = (
            self.staff.at(slot).map(str::to_owned),
            self.stock.borrow().agents_of(&first.spec),
        );
        let (Some(worker), Some(agents)) = (worker, agents) else {
            // The worker that had the slot is gone, as the runner will hear.
            return rest.iter().for_each(|issued| self.shared.tell(not_begun(slot, issued)));
        };
        let games = rest;
        let now = self.now();
        let since = None;
        let message = self.book.give((slot, &worker), Task { games, since }, agents, now);
        let (carrier, news) = (self.carrier.clone(), self.news.clone());
        tokio::spawn(async move {
            // A task that is not queued is given again when the worker turns out not to have it.
            if let Err(error) = carrier.give(&worker, &message).await {
                drop(news.send(News::Away(error.to_string())));
            }
        });
    }

    async fn recall(&mut self, games: &[GameId]) {
        let mut of_workers: BTreeMap<String, Vec<(GameId, u32)>> = BTreeMap::new();
        for game in games {
            if let Some((worker, issue)) = self.book.holder(*game) {
                of_workers.entry(worker.to_owned()).or_default().push((*game, issue));
            }
        }
        for (worker, games) in of_workers {
            self.say(Some(&worker), RunnerSays::Recall(games)).await;
        }
    }

    async fn hears(&mut self, news: News) {
        match news {
            News::Told(told) => self.came(*told).await,
            News::Restored => {
                let names: Vec<String> = self.staff.names().map(str::to_owned).collect();
                for worker in names {
                    drop(self.carrier.serve(&worker).await);
                }
                self.remark("the server had lost what this event needs there, which is there again");
            }
            News::Away(why) => {
                if self.there_since.take().is_some() {
                    self.remark(&format!(
                        "the server of the workers does not answer: {why}; what they play is kept there"
                    ));
                }
            }
            News::Back => {
                if self.there_since.is_none() {
                    self.there_since = Some(self.now());
                    self.remark("the server of the workers answers again");
                }
            }
            News::Overtaken(who) => self
                .shared
                .tell(HostReport::Overtaken(format!("{who} plays this event now"))),
        }
    }

    /// A worker has sent something impossible: it gets no more games, and what it has is due again.
    fn dismiss(&mut self, worker: &str, why: String) {
        self.remark(&format!("worker {} gets no more games: {why}", harmless(worker)));
        let closed = self.staff.dismiss(worker, why.clone());
        self.known.remove(worker);
        self.close(&closed);
        self.loses(worker, &why);
    }

    /// Closes slots that belong to no worker any more.
    fn close(&self, slots: &[usize]) {
        slots
            .iter()
            .for_each(|slot| self.shared.tell(HostReport::Closed { slot: *slot }));
    }

    /// Takes from a worker what it has.
    fn loses(&mut self, worker: &str, why: &str) {
        for (game, is_begun) in self.book.games_of(worker) {
            // The waiting games have nothing to do with the cause.
            let whose = if is_begun {
                NotPlayedCause::Host
            } else {
                NotPlayedCause::Stop
            };
            let told = self
                .book
                .gives_up(game, whose, format!("worker {}: {why}", harmless(worker)));
            told.into_iter().for_each(|told| self.shared.tell(told));
        }
        self.note_under_way();
        if self.shared.may_write() != MayWrite::Now {
            return;
        }
        let (carrier, worker) = (self.carrier.clone(), worker.to_owned());
        // Otherwise the task would reach the same worker when it is back, which then has no use for it.
        tokio::spawn(async move { drop(carrier.withdraw(&worker).await) });
    }

    /// Notes games that the runner before this one gave out; this one knows later ones itself.
    fn note_under_way(&self) {
        let is_new = self.now() < self.lease * 2;
        let under_way = if is_new {
            self.staff.under_way()
        } else {
            BTreeMap::new()
        };
        self.shared.note_under_way(under_way);
    }

    async fn said(&mut self, worker: &str, says: WorkerSays) {
        match says {
            WorkerSays::Here(card) => self.is_here(worker, *card).await,
            WorkerSays::Remark(sentence) => {
                let sentence = shortened(harmless(&sentence).trim(), REPEATED);
                self.remark(&format!("worker {}: {sentence}", harmless(worker)));
            }
            WorkerSays::Unopened { player, mut unopened } => {
                let is_one = (1..=self.stock.borrow().agents()).contains(&(player.0 as usize));
                if is_one && self.staff.names().any(|name| name == worker) {
                    unopened.truncate(MOST_UNOPENED);
                    self.shared.tell(HostReport::Unopened { player, unopened });
                }
            }
            WorkerSays::Present { number, seen } => self.is_seen_at(worker, number, seen).await,
            WorkerSays::Live(live) => {
                if let Some(slot) = self.book.slot_of(worker, &live.game) {
                    // The worker's clock on the wall may be wrong.
                    let begun = live.begun.max(self.created).min(Timestamp::now());
                    self.views.put(Live { slot, begun, ..*live });
                }
            }
        }
    }

    /// A worker says that it is there.
    async fn is_here(&mut self, name: &str, card: WorkerCard) {
        let (admitted, is_known) = (
            WorkerAdmitted {
                worker: name.to_owned(),
                class: card.class.clone(),
                machine: card.machine.clone(),
            },
            self.staff.names().any(|known| known == name),
        );
        // A worker that came before its agents were as in the present card looks again when it hears of the card.
        let kept = card.kept.clone();
        let follows = self.staff.heard(name, card, self.begun.elapsed());
        if let Some(why) = follows.refused {
            self.close(&follows.closed);
            if is_known {
                self.loses(name, &why);
            }
            if self.told_why.insert(name.to_owned()) {
                self.remark(&format!("worker {} gets no games: {why}", harmless(name)));
            }
            return self.say(Some(name), RunnerSays::Refused(why)).await;
        }
        self.close(&follows.closed);
        if follows.is_anew {
            self.loses(name, "it was started anew");
            self.roll.iter_mut().for_each(|roll| roll.forget(name));
        }
        if follows.is_new {
            if let Err(error) = self.carrier.serve(name).await {
                // It will be heard again.
                self.staff.leaves(name);
                drop(self.news.send(News::Away(error.to_string())));
                return;
            }
            self.known.insert(name.to_owned(), admitted.class.clone());
            self.shared.tell(HostReport::Worker(Box::new(admitted)));
            // Results that it sent before it was known.
            let keys = self.waiting.keys().filter(|(_, worker)| worker == name);
            let keys: Vec<ResultKey> = keys.cloned().collect();
            keys.iter().for_each(|key| self.look_at(key));
        }
        if !follows.lacks_gpus {
            self.lacks_gpus.remove(name);
        } else if self.lacks_gpus.insert(name.to_owned()) {
            self.remark(&format!(
                "worker {} lends fewer GPUs than a game may take, so agents that need one do not play there",
                harmless(name)
            ));
        }
        let settled: Vec<_> = kept.into_iter().filter(|game| self.is_settled(*game)).collect();
        if !settled.is_empty() {
            self.say(Some(name), RunnerSays::Settled(settled)).await;
        }
        self.note_under_way();
        for slot in follows.opened {
            if self.staff.is_of_one_class() {
                let place = name.to_owned();
                self.shared.tell(HostReport::At { slot, place });
            }
            self.shared.tell(HostReport::Free { slot, up: Vec::new() });
        }
    }

    /// Looks from time to time for silent workers and missing games.
    async fn look(&mut self) {
        self.shared.runs(self.lease);
        let here = RunnerSays::Here {
            runner: self.runner,
            card: self.stock.borrow().card.hash(),
            is_watched: self.views.is_watched(),
        };
        self.say(None, here).await;
        let now = self.now();
        if !self.carrier.server.is_there() && self.there_since.is_some() {
            self.hears(News::Away("the line is broken".to_owned())).await;
        }
        // A worker that seemed silent while this runner stood still may have sent something that comes after this: each
        // sends three messages in a lease.
        if now.saturating_sub(self.looked) > self.lease / 2 {
            self.there_since = self.there_since.map(|_| now);
        }
        self.looked = now;
        // Nobody can be heard while the server is away.
        let Some(there_since) = self.there_since else { return };
        self.goes_on_with_the_roll().await;
        let Some(before) = now.checked_sub(self.lease).filter(|before| *before > there_since) else {
            return;
        };
        for worker in self.staff.silent(before) {
            let what = if self.staff.is_leaving(&worker) {
                "has left"
            } else {
                "is silent"
            };
            self.remark(&format!("worker {} {what}", harmless(&worker)));
            let closed = self.staff.leaves(&worker);
            self.close(&closed);
            self.loses(&worker, "it has been silent for too long");
        }
        let names: Vec<String> = self.staff.names().map(str::to_owned).collect();
        for worker in names {
            let mut has = self.staff.has(&worker);
            has.extend(
                self.waiting
                    .keys()
                    .filter(|(_, by)| *by == worker)
                    .map(|(game, _)| *game),
            );
            let (tasks, lost) = self.book.missing(&worker, &has, before);
            for game in lost {
                let why = format!("worker {} does not have it any more", harmless(&worker));
                let told = self.book.gives_up(game, NotPlayedCause::Stop, why);
                told.into_iter().for_each(|told| self.shared.tell(told));
            }
            let carrier = self.carrier.clone();
            tokio::spawn(async move {
                for task in tasks {
                    // If this fails for any reason, the game will be missing next time too.
                    drop(carrier.give(&worker, &task).await);
                }
            });
        }
        let endings = self.book.endings();
        let endings: Vec<_> = endings
            .map(|(worker, game, how)| (worker.to_owned(), game, how))
            .collect();
        for (worker, game, outcome) in endings {
            self.say(Some(&worker), RunnerSays::Adjudicate(game, outcome)).await;
        }
    }

    async fn say(&self, worker: Option<&str>, says: RunnerSays) {
        // A lost message is sent again.
        drop(self.carrier.say_to(worker, &says).await);
    }

    fn remark(&self, sentence: &str) {
        self.shared.tell(HostReport::Remark(sentence.to_owned()));
    }
}

fn not_begun(slot: usize, issued: &IssuedGame) -> HostReport {
    HostReport::NotPlayed {
        slot,
        game: issued.spec.id,
        whose: NotPlayedCause::Stop,
        why: "its worker had just gone".to_owned(),
    }
}
