//! The messages of one event between its runner and its workers: tasks, results, and what each says about itself.
//!
//! A task is for one worker. The server lets a worker send results only under its own name, so that the subject tells
//! who played. Remarks may be lost; tasks and results are kept until someone has them. May not: decide what is played,
//! or what counts of a result.

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

/// The most messages that a receiver may have without being done with them.
const MOST_AT_ONCE: i64 = 10_000;
/// The bytes of a result in one message.
const PART: usize = 512 << 10;
/// Addresses all workers.
const ALL: &str = "all";

/// A connection to the server, for one event.
#[derive(Clone, Debug)]
pub struct Carrier {
    pub server: Server,
    mark: String,
    /// How long a silent worker or runner keeps what it has.
    lease: Duration,
}

/// The runner that has an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    /// Its number: a later runner has a higher one.
    number: u64,
    /// Its machine and directory.
    place: String,
    /// How long it may be silent.
    lease: Duration,
}

/// Whether a message was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueStatus {
    /// It has been queued.
    Now,
    /// One with its name had been queued already.
    Before,
}

impl Carrier {
    /// The carrier of the event whose log's first entry has this hash.
    pub fn new(server: Server, run: &str, lease: Duration) -> Self {
        let mark = names::mark_of(run);
        Self { server, mark, lease }
    }

    /// Takes the event for the runner at `place`, which gets the results from here on. If another runner at another
    /// place has it and is not silent, that one keeps it.
    ///
    /// # Errors
    /// Another runner has the event, or the server is away.
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
            // Also if the server has lost what it knew of earlier runners.
            number: was.as_ref().map_or(0, |was| was.number).saturating_add(1).max(now),
            place: place.to_owned(),
            lease: self.lease,
        };
        let sequence = self.note_holder(&holder, sequence).await?;
        let results = self.server.stream(RESULTS).await?;
        // The server gives the results to one consumer: an earlier one gets none from here on.
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

    /// Shows the event's card to workers.
    ///
    /// # Errors
    /// The server is away.
    pub(crate) async fn show(&self, card: &SignedCard) -> Result<(), CarrierError> {
        let text = serde_json::to_vec(card)?;
        let sent = self.server.context.publish(names::event(&self.mark), text.into()).await;
        let shown = sent.map_err(not("the event cannot be shown to workers"))?.await;
        self.server
            .refused(shown.map(drop).map_err(not("the event cannot be shown to workers")))
    }

    /// The event's card; `None` if it is not there, or the event is over.
    ///
    /// # Errors
    /// The server is away, or does not let this user see it.
    pub(crate) async fn card(&self) -> Result<Option<SignedCard>, CarrierError> {
        self.server.card(&self.mark).await
    }

    /// True if the event is over.
    ///
    /// # Errors
    /// The server is away, or does not let this user see it.
    pub(crate) async fn is_over(&self) -> Result<bool, CarrierError> {
        self.server.is_over(&self.mark).await
    }

    /// Marks the event as over, and removes everything else of it from the server.
    ///
    /// # Errors
    /// The server is away.
    pub(crate) async fn close(&self) -> Result<(), CarrierError> {
        let what = "the event cannot be taken away";
        let mark = &self.mark;
        // The holder of the event stays noted: a runner that was overtaken must not take it again.
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

    /// Queues a task for a worker. A second task with the same first game and issue is ignored.
    ///
    /// # Errors
    /// The server is away.
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

    /// Takes all of a worker's tasks off the queue, whether or not the worker has them.
    ///
    /// # Errors
    /// The server is away.
    pub async fn withdraw(&self, worker: &str) -> Result<(), CarrierError> {
        let tasks = self.server.stream(TASKS).await?;
        let purged = tasks.purge().filter(names::tasks(&self.mark, worker)).await;
        self.server
            .refused(purged.map(drop).map_err(not("tasks cannot be taken back")))
    }

    /// Lets a worker have its tasks.
    ///
    /// # Errors
    /// The server is away, or does not let this user do that.
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

    /// The tasks of a worker, for the worker itself.
    ///
    /// # Errors
    /// The server is away, does not let this user have them, or nobody has let it have tasks yet.
    pub async fn tasks(&self, worker: &str) -> Result<TaskQueue, CarrierError> {
        let tasks = self.server.stream(TASKS).await?;
        let consumer = tasks.get_consumer(&token(worker)).await;
        let consumer = consumer.map_err(|why| not("its tasks cannot be had")(why));
        let mark = self.mark.clone();
        self.server
            .refused(consumer.map(|consumer| TaskQueue { consumer, mark }))
    }

    /// Sends the result of a game, in parts if it is long. An earlier one from the same worker for the same game and
    /// issue stays.
    ///
    /// # Errors
    /// The server is away; the result may have arrived all the same.
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

    /// Sends a message of a worker, which may be lost.
    ///
    /// # Errors
    /// The connection is closed.
    pub(crate) async fn say_as(&self, worker: &str, says: &WorkerSays) -> Result<(), CarrierError> {
        let subject = names::worker(&self.mark, &token(worker));
        self.publish(subject, serde_json::to_vec(says)?).await
    }

    /// Sends a message of a runner to one worker, or to all, which may be lost.
    ///
    /// # Errors
    /// The connection is closed.
    pub(crate) async fn say_to(&self, worker: Option<&str>, says: &RunnerSays) -> Result<(), CarrierError> {
        let whom = worker.map_or_else(|| ALL.to_owned(), token);
        self.publish(names::runner(&self.mark, &whom), serde_json::to_vec(says)?)
            .await
    }

    async fn publish(&self, subject: String, text: Vec<u8>) -> Result<(), CarrierError> {
        // A message that nobody can hear now will be out of date when the server is back.
        if !self.server.is_there() {
            return Ok(());
        }
        let sent = self.server.client.publish(subject, text.into()).await;
        sent.map_err(not("nothing can be said"))
    }

    /// The messages of workers.
    ///
    /// # Errors
    /// The connection is closed.
    pub(crate) async fn hear_workers(&self) -> Result<Subscriber, CarrierError> {
        let heard = self.server.client.subscribe(names::worker(&self.mark, "*")).await;
        heard.map_err(not("workers cannot be heard"))
    }

    /// The runner's messages to this worker, and to all.
    ///
    /// # Errors
    /// The connection is closed.
    pub(crate) async fn hear_runner(&self, worker: &str) -> Result<[Subscriber; 2], CarrierError> {
        let hear = async |whom: &str| {
            let heard = self.server.client.subscribe(names::runner(&self.mark, whom)).await;
            heard.map_err(not("the runner cannot be heard"))
        };
        Ok([hear(&token(worker)).await?, hear(ALL).await?])
    }

    /// The runner that has the event, and the number of the message that says so; 0 if there is none.
    async fn holder(&self, events: &Stream) -> Result<(Option<Holder>, u64), CarrierError> {
        match events.get_last_raw_message_by_subject(&names::holder(&self.mark)).await {
            Ok(message) => Ok((Some(serde_json::from_slice(&message.payload)?), message.sequence)),
            Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok((None, 0)),
            Err(error) => Err(not("it cannot be seen who plays this event")(error)),
        }
    }

    /// Notes the runner, replacing the message of this number, and returns the number of the new one.
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

/// A runner's hold on an event.
#[derive(Debug)]
pub struct Tenure {
    carrier: Carrier,
    holder: Holder,
    /// The number of the message that records it.
    sequence: u64,
    /// No runner had the event before.
    is_first: bool,
}

impl Tenure {
    /// True if no runner had the event before.
    pub(crate) const fn is_first(&self) -> bool {
        self.is_first
    }

    /// The number of this runner of the event: a later one has a higher number.
    pub const fn runner(&self) -> u64 {
        self.holder.number
    }

    /// Says that this runner is still there; called three times in each lease.
    ///
    /// # Errors
    /// Another runner has the event, or the server is away.
    pub async fn stay(&mut self) -> Result<(), CarrierError> {
        match self.carrier.note_holder(&self.holder, self.sequence).await {
            Ok(sequence) => {
                self.sequence = sequence;
                Ok(())
            }
            // If an answer was lost, the last message is this runner's own; if the store was wiped, there is none.
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

    /// Creates the consumer of results again, if it was lost with the store.
    ///
    /// # Errors
    /// Another runner has them, or the server is away.
    pub(crate) async fn results(&self) -> Result<ResultQueue, CarrierError> {
        let results = self.carrier.server.stream(RESULTS).await?;
        let config = self.carrier.results(self.runner());
        let name = config.durable_name.clone().unwrap_or_default();
        let consumer = results.get_or_create_consumer(&name, config).await;
        let consumer = consumer.map_err(not("results cannot be had"))?;
        Ok(ResultQueue { consumer })
    }
}

/// The results of an event, for its runner.
#[derive(Debug)]
pub struct ResultQueue {
    consumer: Consumer<pull::Config>,
}

/// A result, or a part of one, that waits to be in the log.
#[derive(Debug)]
pub struct ResultDelivery {
    pub name: ResultName,
    message: Message,
}

/// The parts of a result's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultName {
    /// The sender; the server lets nobody else use this name.
    pub worker: String,
    /// The game and its issue.
    pub game: (GameId, u32),
    /// The number of the part, from 0.
    pub part: usize,
    /// The number of parts.
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
    /// Hands out what has come, at most `most` messages; waits at most `wait`. `had` gets each message as it comes.
    ///
    /// # Errors
    /// The server is away, or another runner has the event.
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
                // Nobody waits for a message without such a name.
                None => message.ack().await.map_err(not("a result cannot be let go"))?,
            }
        }
        Ok(())
    }
}

impl ResultDelivery {
    /// The bytes of this part.
    pub fn text(&self) -> &[u8] {
        &self.message.payload
    }

    /// Lets the server drop it: it is in the log, or never will be.
    ///
    /// # Errors
    /// The server is away: it comes again.
    pub async fn done(&self) -> Result<(), CarrierError> {
        self.message
            .double_ack()
            .await
            .map_err(not("a result cannot be let go"))
    }
}

#[derive(Debug)]
pub struct TaskQueue {
    consumer: Consumer<pull::Config>,
    mark: String,
}

/// A task that a worker receives. It comes again after a lease, unless the worker confirms it.
#[derive(Debug)]
pub struct TaskDelivery {
    /// The task to play.
    pub task: Result<TaskMessage, serde_json::Error>,
    /// It belongs to this event.
    pub is_of_event: bool,
    message: Message,
}

impl TaskQueue {
    /// The next task; waits at most `wait`.
    ///
    /// # Errors
    /// The server is away.
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
    /// Lets the server drop it: the worker has it.
    ///
    /// # Errors
    /// The server is away: it comes again.
    pub async fn done(&self) -> Result<(), CarrierError> {
        let done = self.message.ack_with(AckKind::Ack).await;
        done.map_err(not("a task cannot be taken off the queue"))
    }
}
