//! Whoever gives games of a run to workers, and hears what comes of them: a loop of its own, beside the runner's.
//!
//! Tasks go out, results come in; workers that are silent for a lease have lost what they had. A result is let go at the server when the log
//! has it. May not: decide what is played; wait for the server before it hears the runner.

mod beside;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use swiss_system::text::{harmless, shortened};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_host::host::views::{Live, Views};
use swissmatch_host::host::{Issued, Report, Task, Whose};
use swissmatch_tournament::log::WorkerAdmitted;

use self::beside::{Stays, have_results};
use crate::book::{Book, Counts};
use crate::carrier::{Carrier, Results, Tenure, Told};
use crate::server::NotCarried;
use crate::shared::Shared;
use crate::staff::Staff;
use crate::stock::Stock;
use crate::wire::{ResultMessage, RunnerSays, WorkerCard, WorkerSays};

/// Most characters of what a worker remarks.
const REPEATED: usize = 300;

/// What the host asks for.
#[derive(Debug)]
pub(crate) enum Ask {
    Play(usize, Box<Task>),
    Free(usize),
    Recall(Vec<GameId>),
    Adjudicate(GameId, Outcome),
    Booked(Vec<(GameId, u32)>),
    /// A late entry, by its bundle.
    Entered(Box<Stock>),
    /// The event is over.
    Over,
    /// The runner ends.
    End,
}

/// What happens at the server.
#[derive(Debug)]
enum News {
    Told(Box<Told>),
    /// The server lacked what the event needs there, which is there again.
    Restored,
    /// What was asked of it came to this, for the first time or again.
    Away(String),
    Back,
    Overtaken(String),
}

/// A result: of which game, which issue, and who sent it.
type Key = ((GameId, u32), String);

/// A result of which parts have come, or that waits for its game to be wanted or to be in the log.
#[derive(Debug, Default)]
struct Waiting {
    parts: BTreeMap<usize, Told>,
    /// Whether it has been told to the runner.
    is_told: bool,
}

/// The loop.
pub(crate) struct Coordinator {
    carrier: Carrier,
    shared: Arc<Shared>,
    stock: watch::Sender<Stock>,
    book: Book,
    staff: Staff,
    views: Arc<Views>,
    lease: Duration,
    runner: u64,
    begun: Instant,
    waiting: BTreeMap<Key, Waiting>,
    /// Of which games the log has what came of them.
    booked: BTreeMap<GameId, u32>,
    news: UnboundedSender<News>,
    inbox: UnboundedReceiver<News>,
    /// Since when the server is there without a break.
    there_since: Option<Duration>,
    /// Who has been told why it gets no games.
    told_why: BTreeSet<String>,
}

impl Coordinator {
    /// One that has the event.
    pub(crate) fn new(
        (carrier, runner, lease): (Carrier, u64, Duration),
        (shared, views, stock): (Arc<Shared>, Arc<Views>, Stock),
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
            waiting: BTreeMap::new(),
            booked: BTreeMap::new(),
            news,
            there_since: Some(Duration::ZERO),
            told_why: BTreeSet::new(),
            inbox,
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Until the runner ends.
    ///
    /// # Errors
    /// When workers cannot be heard.
    pub(crate) async fn run(
        mut self,
        (tenure, results): (Tenure, Results),
        mut asks: UnboundedReceiver<Ask>,
    ) -> Result<(), NotCarried> {
        let mut heard = self.carrier.hear_workers().await?;
        let (restored, again) = unbounded_channel();
        tokio::spawn(have_results(results, again, self.news.clone()));
        let stays = Stays {
            tenure,
            carrier: self.carrier.clone(),
            shared: Arc::clone(&self.shared),
            lease: self.lease,
            news: self.news.clone(),
            restored,
        };
        tokio::spawn(stays.run(self.stock.subscribe()));
        let mut ticks = tokio::time::interval(self.lease / 6);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                ask = asks.recv() => match ask {
                    Some(Ask::Over) => {
                        self.say(None, RunnerSays::Over).await;
                        // What cannot be taken away now is of no event, and hurts nobody.
                        let _ = self.carrier.close().await;
                    }
                    Some(Ask::End) | None => return Ok(()),
                    Some(ask) => self.asked(ask).await,
                },
                Some(news) = self.inbox.recv() => self.hears(news).await,
                Some(message) = heard.next() => {
                    let worker = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
                    if let Ok(says) = serde_json::from_slice(&message.payload) {
                        self.said(&worker, says).await;
                    }
                }
                _ = ticks.tick() => self.look().await,
            }
        }
    }

    async fn asked(&mut self, ask: Ask) {
        match ask {
            Ask::Play(slot, task) => self.play(slot, *task),
            Ask::Free(slot) => self.shared.tell(Report::Free { slot, up: Vec::new() }),
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
            Ask::Entered(stock) => drop(self.stock.send_replace(*stock)),
            Ask::Over | Ask::End => {}
        }
    }

    /// A slot is given games: the runner's own, where a worker plays the game already, or a worker's.
    fn play(&mut self, slot: usize, task: Task) {
        let mut rest = Vec::new();
        for issued in task.games {
            let of = (issued.spec.id, issued.issue);
            let agents = self.stock.borrow().agents_of(&issued.spec);
            match (self.shared.under_way_at(of), agents) {
                (Some(worker), Some(agents)) => {
                    self.book.adopt((slot, &worker), issued, agents);
                    self.look_at_results(of.0);
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
            // The one who had the slot is gone, as the runner will hear.
            return rest.iter().for_each(|issued| self.shared.tell(not_begun(slot, issued)));
        };
        let games = rest;
        let now = self.now();
        let since = None;
        let message = self.book.give((slot, &worker), Task { games, since }, agents, now);
        let (carrier, news) = (self.carrier.clone(), self.news.clone());
        tokio::spawn(async move {
            // What is not queued is given again when the worker does not have it.
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

    /// The log has these games.
    async fn are_booked(&mut self, games: Vec<(GameId, u32)>) {
        for (game, issue) in games {
            self.booked.insert(game, issue);
            for key in self.results_of(game).into_iter().filter(|((_, of), _)| *of <= issue) {
                self.settle(&key).await;
            }
        }
    }

    /// A result need not be kept any more.
    async fn settle(&mut self, key: &Key) {
        if self.waiting.contains_key(key) {
            let (game, worker) = key;
            self.say(Some(worker), RunnerSays::Settled(vec![*game])).await;
            self.let_go(key);
        }
    }

    /// The server need not keep a result any more.
    fn let_go(&mut self, key: &Key) {
        if let Some(Waiting { parts, .. }) = self.waiting.remove(key) {
            tokio::spawn(async move {
                for told in parts.values() {
                    // It comes again.
                    drop(told.done().await);
                }
            });
        }
    }

    fn is_settled(&self, (game, issue): (GameId, u32)) -> bool {
        self.booked.get(&game).is_some_and(|booked| issue <= *booked)
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
                .tell(Report::Overtaken(format!("{who} plays this event now"))),
        }
    }

    /// A part of a result has come.
    async fn came(&mut self, told: Told) {
        let key = (told.name.game, told.name.worker.clone());
        let waiting = self.waiting.entry(key.clone()).or_default();
        waiting.parts.insert(told.name.part, told);
        if self.is_settled(key.0) {
            return self.settle(&key).await;
        }
        self.look_at(&key);
    }

    /// A game is wanted from now on: what has come of it already is looked at.
    fn look_at_results(&mut self, game: GameId) {
        self.results_of(game).iter().for_each(|key| self.look_at(key));
    }

    fn results_of(&self, game: GameId) -> Vec<Key> {
        let its = self.waiting.range(((game, 0), String::new())..);
        let its = its.take_while(|(((of, _), _), _)| *of == game);
        its.map(|(key, _)| key.clone()).collect()
    }

    /// A result that has come whole, where its game is wanted.
    fn look_at(&mut self, key: &Key) {
        let ((game, issue), worker) = key;
        let Some(waiting) = self.waiting.get_mut(key) else {
            return;
        };
        if waiting.is_told || !waiting.is_whole() || !self.book.is_wanted(*game, *issue) {
            return;
        }
        waiting.is_told = true;
        let text: Vec<u8> = waiting.parts.values().flat_map(Told::text).copied().collect();
        let now = self.begun.elapsed();
        let counts = match serde_json::from_slice::<ResultMessage>(&text) {
            Ok(message) if (message.game, message.issue) == (*game, *issue) => self.book.comes(worker, message, now),
            Ok(_) => Counts::Refused("it is sent as that of another game".to_owned()),
            Err(error) => Counts::Refused(format!("it cannot be read ({error})")),
        };
        match counts {
            Counts::Superseded => {}
            Counts::Tells(report) => {
                // Of a game that was not played there is nothing to keep; another try may come from the same worker.
                if let Report::NotPlayed { .. } = *report {
                    self.let_go(key);
                }
                self.shared.tell(*report);
            }
            Counts::Refused(why) => {
                let worker = worker.clone();
                let why = format!("what it sent of game {game} was refused: {why}");
                self.let_go(key);
                self.dismiss(&worker, why);
            }
        }
    }

    /// A worker has sent what cannot be: it gets no more games, and what it has is due again.
    fn dismiss(&mut self, worker: &str, why: String) {
        self.remark(&format!("worker {} gets no more games: {why}", harmless(worker)));
        let closed = self.staff.dismiss(worker, why.clone());
        self.close(&closed);
        self.loses(worker, &why);
    }

    /// Slots that are nobody's any more.
    fn close(&self, slots: &[usize]) {
        slots
            .iter()
            .for_each(|slot| self.shared.tell(Report::Closed { slot: *slot }));
    }

    /// What a worker has is lost.
    fn loses(&mut self, worker: &str, why: &str) {
        for game in self.book.games_of(worker) {
            let told = self
                .book
                .gives_up(game, Whose::Host, format!("worker {}: {why}", harmless(worker)));
            told.into_iter().for_each(|told| self.shared.tell(told));
        }
        self.note_under_way();
        let (carrier, worker) = (self.carrier.clone(), worker.to_owned());
        // Otherwise it comes to the same worker when it is there again, which then has no use for it.
        tokio::spawn(async move { drop(carrier.withdraw(&worker).await) });
    }

    fn note_under_way(&self) {
        self.shared.note_under_way(self.staff.under_way());
    }

    async fn said(&mut self, worker: &str, says: WorkerSays) {
        match says {
            WorkerSays::Here(card) => self.is_here(worker, *card).await,
            WorkerSays::Remark(sentence) => {
                let sentence = shortened(harmless(&sentence).trim(), REPEATED);
                self.remark(&format!("worker {}: {sentence}", harmless(worker)));
            }
            WorkerSays::Unopened { player, unopened } => self.shared.tell(Report::Unopened { player, unopened }),
            WorkerSays::Live(live) => {
                if let Some(slot) = self.book.slot_of(worker, live.game.id) {
                    self.views.put(Live { slot, ..*live });
                }
            }
        }
    }

    /// A worker is there.
    async fn is_here(&mut self, name: &str, card: WorkerCard) {
        let (admitted, is_known) = (
            WorkerAdmitted {
                worker: name.to_owned(),
                class: card.class.clone(),
                machine: card.machine.clone(),
            },
            self.staff.names().any(|known| known == name),
        );
        // One that came before its agents are as in the card of now looks again when it hears of that.
        let kept = card.kept.clone();
        let follows = self.staff.heard(name, card, self.begun.elapsed());
        if let Some(why) = follows.refused {
            if is_known || !self.told_why.insert(name.to_owned()) {
                self.close(&follows.closed);
            } else {
                self.remark(&format!("worker {} gets no games: {why}", harmless(name)));
            }
            return self.say(Some(name), RunnerSays::Refused(why)).await;
        }
        self.close(&follows.closed);
        if follows.is_anew {
            self.loses(name, "it was started anew");
        }
        if follows.is_new {
            if let Err(error) = self.carrier.serve(name).await {
                // It is heard again.
                self.staff.leaves(name);
                drop(self.news.send(News::Away(error.to_string())));
                return;
            }
            self.shared.tell(Report::Worker(Box::new(admitted)));
        }
        let settled: Vec<_> = kept.into_iter().filter(|game| self.is_settled(*game)).collect();
        if !settled.is_empty() {
            self.say(Some(name), RunnerSays::Settled(settled)).await;
        }
        self.note_under_way();
        for slot in follows.opened {
            self.shared.tell(Report::Free { slot, up: Vec::new() });
        }
    }

    /// From time to time: who is silent, what is missing.
    async fn look(&mut self) {
        let here = RunnerSays::Here {
            runner: self.runner,
            card: self.stock.borrow().card.hash(),
            is_watched: self.views.is_watched(),
        };
        self.say(None, here).await;
        let now = self.now();
        match (self.carrier.server.is_there(), self.there_since) {
            (false, Some(_)) => self.hears(News::Away("the line is broken".to_owned())).await,
            (true, None) => self.hears(News::Back).await,
            _ => {}
        }
        // Nobody can be heard while the server is away.
        let Some(there_since) = self.there_since else { return };
        let Some(before) = now.checked_sub(self.lease).filter(|before| *before > there_since) else {
            return;
        };
        for worker in self.staff.silent(before) {
            self.remark(&format!("worker {} is silent", harmless(&worker)));
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
                let told = self.book.gives_up(game, Whose::Stop, why);
                told.into_iter().for_each(|told| self.shared.tell(told));
            }
            let carrier = self.carrier.clone();
            tokio::spawn(async move {
                for task in tasks {
                    // Whatever is wrong, it is missing next time too.
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
        // What is lost is said again.
        drop(self.carrier.say_to(worker, &says).await);
    }

    fn remark(&self, sentence: &str) {
        self.shared.tell(Report::Remark(sentence.to_owned()));
    }
}

impl Waiting {
    fn is_whole(&self) -> bool {
        self.parts
            .values()
            .next()
            .is_some_and(|told| self.parts.len() == told.name.of)
    }
}

fn not_begun(slot: usize, issued: &Issued) -> Report {
    Report::NotPlayed {
        slot,
        game: issued.spec.id,
        whose: Whose::Stop,
        why: "its worker had just gone".to_owned(),
    }
}
