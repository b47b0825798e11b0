//! What of one event goes between its runner and its workers: tasks, results, and what each says of itself.
//!
//! A task is for one worker. The server lets a worker send results under its own name alone, so that the subject says who played. What is
//! said may be lost; tasks and results are kept until somebody has them. May not: decide what is played, or what of a result counts.

use std::time::{Duration, SystemTime};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{self, Stream};
use async_nats::jetstream::{AckKind, Message};
use async_nats::{HeaderMap, Subscriber};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};

use swissmatch_game::record::GameId;

use crate::names::{self, EVENTS, RESULTS, TASKS, token};
use crate::server::{CarrierError, OVER, Server, is_there, not};
use crate::wire::{ResultMessage, RunnerSays, SignedCard, TaskMessage, WorkerSays};

/// Most messages that somebody has and has not done with.
const MOST_AT_ONCE: i64 = 10_000;
/// Bytes of a result that go in one message.
const PART: usize = 512 << 10;
/// To all workers.
const ALL: &str = "all";

/// A line to the server, for one event.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// The line to it.
    pub server: Server,
    mark: String,
    /// How long somebody who is silent keeps what it has.
    lease: Duration,
}

/// Who plays an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    /// Its number: a later one has a higher one.
    number: u64,
    /// Where it is: its machine and its directory.
    place: String,
    /// For how long it may be silent.
    lease: Duration,
}

/// Whether a message was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueStatus {
    /// It is.
    Now,
    /// One of its name was already.
    Before,
}

impl Carrier {
    /// That of the event whose log's first entry has this hash.
    pub fn new(server: Server, run: &str, lease: Duration) -> Self {
        let mark = names::mark_of(run);
        Self { server, mark, lease }
    }

    /// Takes the event for the runner at `place`, to whom its results come from here on. One that is there at another place, and not silent,
    /// keeps it.
    ///
    /// # Errors
    /// When another runner has it, or the server is away.
    pub async fn take(&self, place: &str) -> Result<(Tenure, ResultQueue), CarrierError> {
        let events = self.server.stream(EVENTS).await?;
        let (was, sequence) = self.holder(&events).await?;
        if let Some(was) = was.as_ref().filter(|was| was.place != place) {
            tokio::time::sleep(self.lease.max(was.lease) * 3 / 2).await;
            if self.holder(&events).await?.1 != sequence {
                return Err(CarrierError::Taken(was.place.clone()));
            }
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs());
        let holder = Holder {
            // Also where the server has lost what it knew of runners before.
            number: was.as_ref().map_or(0, |was| was.number).saturating_add(1).max(now),
            place: place.to_owned(),
            lease: self.lease,
        };
        let sequence = self.note_holder(&holder, sequence).await?;
        let results = self.server.stream(RESULTS).await?;
        // The server lets one consumer have the results: whoever had them before has none from here on.
        let mut others = results.consumer_names();
        while let Some(other) = others.next().await {
            let other = other.map_err(not("the consumers of results cannot be listed"))?;
            if other.starts_with(&self.mark) {
                let gone = results.delete_consumer(&other);
                gone.await.map_err(not("the runner before cannot be shut out"))?;
            }
        }
        let consumer = results.create_consumer(self.results(holder.number)).await;
        let consumer = consumer.map_err(not("another runner has taken the event"))?;
        let tenure = Tenure {
            carrier: self.clone(),
            holder,
            sequence,
            is_first: was.is_none(),
        };
        Ok((tenure, ResultQueue { consumer }))
    }

    fn results(&self, runner: u64) -> pull::Config {
        pull::Config {
            durable_name: Some(format!("{}-{runner}", self.mark)),
            filter_subject: names::results(&self.mark),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_ack_pending: MOST_AT_ONCE,
            ..pull::Config::default()
        }
    }

    /// Shows what is played to workers.
    ///
    /// # Errors
    /// When the server is away.
    pub(crate) async fn show(&self, card: &SignedCard) -> Result<(), CarrierError> {
        let text = serde_json::to_vec(card)?;
        let sent = self.server.context.publish(names::event(&self.mark), text.into()).await;
        let shown = sent.map_err(not("the event cannot be shown to workers"))?.await;
        self.server
            .refused(shown.map(drop).map_err(not("the event cannot be shown to workers")))
    }

    /// The card of the event; `None`: it is not there, or over.
    ///
    /// # Errors
    /// When the server is away, or does not let this user see it.
    pub(crate) async fn card(&self) -> Result<Option<SignedCard>, CarrierError> {
        self.server.card(&self.mark).await
    }

    /// Whether the event is over.
    ///
    /// # Errors
    /// When the server is away, or does not let this user see it.
    pub(crate) async fn is_over(&self) -> Result<bool, CarrierError> {
        self.server.is_over(&self.mark).await
    }

    /// Notes that the event is over, and takes all else of it away from the server.
    ///
    /// # Errors
    /// When the server is away.
    pub(crate) async fn close(&self) -> Result<(), CarrierError> {
        let what = "the event cannot be taken away";
        let mark = &self.mark;
        // Who has the event stays noted: one that was overtaken must not take it again.
        let over = self.server.context.publish(names::event(mark), OVER.into()).await;
        over.map_err(not(what))?.await.map_err(not(what))?;
        for (stream, subject) in [
            (TASKS, format!("swissmatch.task.{mark}.>")),
            (RESULTS, names::results(mark)),
        ] {
            let stream = self.server.stream(stream).await?;
            stream.purge().filter(subject).await.map_err(not(what))?;
        }
        Ok(())
    }

    /// Queues a task for a worker. A second one of the same first game and issue is none.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn give(&self, worker: &str, task: &TaskMessage) -> Result<QueueStatus, CarrierError> {
        let subject = self.task_subject(worker, task)?;
        let text = serde_json::to_vec(task)?;
        let sent = self.server.context.publish(subject, text.into()).await;
        let acknowledged = sent.map_err(not("a task cannot be sent"))?.await;
        match acknowledged {
            Ok(_) => Ok(QueueStatus::Now),
            Err(error) if is_there(&error) => Ok(QueueStatus::Before),
            Err(error) => self.server.refused(Err(not("a task cannot be queued")(error))),
        }
    }

    /// Takes all tasks of a worker off the queue, whether it has them or not.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn withdraw(&self, worker: &str) -> Result<(), CarrierError> {
        let tasks = self.server.stream(TASKS).await?;
        let purged = tasks.purge().filter(names::tasks(&self.mark, worker)).await;
        self.server
            .refused(purged.map(drop).map_err(not("tasks cannot be taken back")))
    }

    /// Lets a worker have its tasks.
    ///
    /// # Errors
    /// When the server is away, or does not let this user do that.
    pub async fn serve(&self, worker: &str) -> Result<(), CarrierError> {
        let config = pull::Config {
            durable_name: Some(token(worker)),
            filter_subject: names::tasks("*", worker),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_ack_pending: MOST_AT_ONCE,
            ..pull::Config::default()
        };
        let tasks = self.server.stream(TASKS).await?;
        let served = tasks.get_or_create_consumer(&token(worker), config).await;
        let what = "a worker cannot be let have tasks";
        self.server.refused(served.map(drop).map_err(not(what)))
    }

    /// The tasks of a worker, as it takes them.
    ///
    /// # Errors
    /// When the server is away, does not let this user have them, or nobody has let it have tasks.
    pub async fn tasks(&self, worker: &str) -> Result<TaskQueue, CarrierError> {
        let tasks = self.server.stream(TASKS).await?;
        let consumer = tasks.get_consumer(&token(worker)).await;
        let consumer = consumer.map_err(|why| not("its tasks cannot be had")(why));
        let mark = self.mark.clone();
        self.server
            .refused(consumer.map(|consumer| TaskQueue { consumer, mark }))
    }

    /// Sends what came of a game, in parts where it is long. One of the same worker, game and issue that is there already stays.
    ///
    /// # Errors
    /// When the server is away: it may be there all the same.
    pub async fn tell(&self, worker: &str, result: &ResultMessage) -> Result<QueueStatus, CarrierError> {
        let text = serde_json::to_vec(result)?;
        let parts = text.chunks(PART);
        let (of, mut queued) = (parts.len(), QueueStatus::Before);
        for (number, part) in parts.enumerate() {
            let subject = names::result(&self.mark, worker, (result.game, result.issue), (number, of));
            queued = self.queue(subject, part.to_vec()).await?;
        }
        Ok(queued)
    }

    async fn queue(&self, subject: String, text: Vec<u8>) -> Result<QueueStatus, CarrierError> {
        let sent = self.server.context.publish(subject, text.into()).await;
        match sent.map_err(not("a result cannot be sent"))?.await {
            Ok(_) => Ok(QueueStatus::Now),
            Err(error) if is_there(&error) => Ok(QueueStatus::Before),
            Err(error) => self.server.refused(Err(not("a result cannot be queued")(error))),
        }
    }

    /// A worker says something, which may be lost.
    ///
    /// # Errors
    /// When the line is closed.
    pub(crate) async fn say_as(&self, worker: &str, says: &WorkerSays) -> Result<(), CarrierError> {
        let subject = names::worker(&self.mark, &token(worker));
        self.publish(subject, serde_json::to_vec(says)?).await
    }

    /// A runner says something to a worker, or to all, which may be lost.
    ///
    /// # Errors
    /// When the line is closed.
    pub(crate) async fn say_to(&self, worker: Option<&str>, says: &RunnerSays) -> Result<(), CarrierError> {
        let whom = worker.map_or_else(|| ALL.to_owned(), token);
        self.publish(names::runner(&self.mark, &whom), serde_json::to_vec(says)?)
            .await
    }

    async fn publish(&self, subject: String, text: Vec<u8>) -> Result<(), CarrierError> {
        // What nobody can hear now is out of date when the server is there again.
        if !self.server.is_there() {
            return Ok(());
        }
        let sent = self.server.client.publish(subject, text.into()).await;
        sent.map_err(not("nothing can be said"))
    }

    /// What workers say.
    ///
    /// # Errors
    /// When the line is closed.
    pub(crate) async fn hear_workers(&self) -> Result<Subscriber, CarrierError> {
        let heard = self.server.client.subscribe(names::worker(&self.mark, "*")).await;
        heard.map_err(not("workers cannot be heard"))
    }

    /// What the runner says to a worker, and to all.
    ///
    /// # Errors
    /// When the line is closed.
    pub(crate) async fn hear_runner(&self, worker: &str) -> Result<[Subscriber; 2], CarrierError> {
        let hear = async |whom: &str| {
            let heard = self.server.client.subscribe(names::runner(&self.mark, whom)).await;
            heard.map_err(not("the runner cannot be heard"))
        };
        Ok([hear(&token(worker)).await?, hear(ALL).await?])
    }

    /// The runner that the event has, and the number of the message that says so; 0 where it has none.
    async fn holder(&self, events: &Stream) -> Result<(Option<Holder>, u64), CarrierError> {
        match events.get_last_raw_message_by_subject(&names::holder(&self.mark)).await {
            Ok(message) => Ok((Some(serde_json::from_slice(&message.payload)?), message.sequence)),
            Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok((None, 0)),
            Err(error) => Err(not("it cannot be seen who plays this event")(error)),
        }
    }

    /// Notes the runner over the message of this number, and gives that of the new one.
    async fn note_holder(&self, holder: &Holder, over: u64) -> Result<u64, CarrierError> {
        let mut headers = HeaderMap::new();
        headers.insert(
            async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
            over.to_string(),
        );
        let text = serde_json::to_vec(holder)?;
        let subject = names::holder(&self.mark);
        let context = &self.server.context;
        let sent = context.publish_with_headers(subject, headers, text.into()).await;
        match sent.map_err(not("the event cannot be taken"))?.await {
            Ok(noted) => Ok(noted.sequence),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                let (now, _) = self.holder(&self.server.stream(EVENTS).await?).await?;
                let now = now.map_or_else(|| "another runner".to_owned(), |now| now.place);
                Err(CarrierError::Taken(now))
            }
            Err(error) => self.server.refused(Err(not("the event cannot be taken")(error))),
        }
    }

    fn task_subject(&self, worker: &str, task: &TaskMessage) -> Result<String, CarrierError> {
        let first = task.games.first();
        let first = first.ok_or_else(|| not("a task cannot be queued")("it has no games"))?;
        Ok(names::task(&self.mark, worker, (first.spec.id, first.issue)))
    }
}

/// That a runner has an event.
#[derive(Debug)]
pub struct Tenure {
    carrier: Carrier,
    holder: Holder,
    /// Of the message that says so.
    sequence: u64,
    /// Whether no runner had it before.
    is_first: bool,
}

impl Tenure {
    /// Whether no runner had the event before.
    pub(crate) const fn is_first(&self) -> bool {
        self.is_first
    }

    /// Which runner of the event this is: a later one has a higher number.
    pub const fn runner(&self) -> u64 {
        self.holder.number
    }

    /// Says that this runner is there: each third of a lease.
    ///
    /// # Errors
    /// When another runner has the event, or the server is away.
    pub async fn stay(&mut self) -> Result<(), CarrierError> {
        match self.carrier.note_holder(&self.holder, self.sequence).await {
            Ok(sequence) => {
                self.sequence = sequence;
                Ok(())
            }
            // Where an answer was lost the last message is this runner's own; where the store was wiped there is none.
            Err(CarrierError::Taken(_)) => {
                let events = self.carrier.server.stream(EVENTS).await?;
                match self.carrier.holder(&events).await? {
                    (Some(now), _) if now != self.holder => Err(CarrierError::Taken(now.place)),
                    (_, sequence) => {
                        self.sequence = self.carrier.note_holder(&self.holder, sequence).await?;
                        Ok(())
                    }
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Makes the consumer of results anew, where it went with the store.
    ///
    /// # Errors
    /// When another runner has them, or the server is away.
    pub(crate) async fn results(&self) -> Result<ResultQueue, CarrierError> {
        let results = self.carrier.server.stream(RESULTS).await?;
        let config = self.carrier.results(self.runner());
        let name = config.durable_name.clone().unwrap_or_default();
        let consumer = results.get_or_create_consumer(&name, config).await;
        let consumer = consumer.map_err(not("results cannot be had"))?;
        Ok(ResultQueue { consumer })
    }
}

/// The results of an event, as its runner has them.
#[derive(Debug)]
pub struct ResultQueue {
    consumer: Consumer<pull::Config>,
}

/// A result, or a part of one, that waits to be in the log.
#[derive(Debug)]
pub struct ResultDelivery {
    /// Whose it is.
    pub name: ResultName,
    message: Message,
}

/// What the name of a result has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultName {
    /// Who sent it: the server let nobody else.
    pub worker: String,
    /// Of which game, and which issue of it.
    pub game: (GameId, u32),
    /// Which part of it, from 0.
    pub part: usize,
    /// Of how many.
    pub of: usize,
}

impl ResultName {
    fn read(subject: &str) -> Option<Self> {
        let mut names = subject.split('.').skip(3);
        let worker = names.next()?.to_owned();
        let game = names.next()?.replace('-', ".").parse().ok()?;
        let [issue, part, of] = [names.next()?, names.next()?, names.next()?];
        let name = Self {
            worker,
            game: (game, issue.parse().ok()?),
            part: part.parse().ok()?,
            of: of.parse().ok()?,
        };
        (name.part < name.of).then_some(name)
    }
}

impl ResultQueue {
    /// What has come, at most so many, waited for so long; each is had as it comes.
    ///
    /// # Errors
    /// When the server is away, or another runner has the event.
    pub async fn next(
        &self,
        most: usize,
        wait: Duration,
        had: &mut impl FnMut(ResultDelivery),
    ) -> Result<(), CarrierError> {
        let batch = self.consumer.batch().max_messages(most).expires(wait).messages().await;
        let mut batch = batch.map_err(not("results cannot be had"))?;
        while let Some(message) = batch.next().await {
            let message = message.map_err(not("results cannot be had"))?;
            match ResultName::read(&message.subject) {
                Some(name) => had(ResultDelivery { name, message }),
                // Nobody waits for what has no such name.
                None => message.ack().await.map_err(not("a result cannot be let go"))?,
            }
        }
        Ok(())
    }
}

impl ResultDelivery {
    /// What it has.
    pub fn text(&self) -> &[u8] {
        &self.message.payload
    }

    /// It is in the log, or will never be: the server need not keep it.
    ///
    /// # Errors
    /// When the server is away: it comes again.
    pub async fn done(&self) -> Result<(), CarrierError> {
        self.message
            .double_ack()
            .await
            .map_err(not("a result cannot be let go"))
    }
}

/// The tasks of a worker.
#[derive(Debug)]
pub struct TaskQueue {
    consumer: Consumer<pull::Config>,
    mark: String,
}

/// A task that a worker has: until it says so, or is silent for a lease.
#[derive(Debug)]
pub struct TaskDelivery {
    /// What is to be played.
    pub task: Result<TaskMessage, serde_json::Error>,
    /// Whether it is of this event.
    pub is_of_event: bool,
    message: Message,
}

impl TaskQueue {
    /// The next task, waited for so long.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn next(&self, wait: Duration) -> Result<Option<TaskDelivery>, CarrierError> {
        let batch = self.consumer.batch().max_messages(1).expires(wait).messages().await;
        let mut batch = batch.map_err(not("tasks cannot be had"))?;
        let Some(message) = batch.next().await else {
            return Ok(None);
        };
        let message = message.map_err(not("tasks cannot be had"))?;
        Ok(Some(TaskDelivery {
            task: serde_json::from_slice(&message.payload),
            is_of_event: message.subject.split('.').nth(2) == Some(&self.mark),
            message,
        }))
    }
}

impl TaskDelivery {
    /// The worker has it: the server need not keep it.
    ///
    /// # Errors
    /// When the server is away: it comes again.
    pub async fn done(&self) -> Result<(), CarrierError> {
        let done = self.message.ack_with(AckKind::Ack).await;
        done.map_err(not("a task cannot be taken off the queue"))
    }
}
