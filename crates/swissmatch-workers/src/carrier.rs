//! What carries tasks, results and files between a runner and its workers: a NATS server with JetStream.
//!
//! It is a carrier and no record: what it loses is played again, and the log alone says what counts. All of an event has the event's mark in
//! its name: `t.MARK.CLASS.GAME.ISSUE` is a task, of which a queue holds one alone; `r.MARK.WORKER.GAME.ISSUE` is a result, so that the server
//! knows who may send it; `k.MARK` says which runner the event has. May not: decide what is played, or what of a result counts.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{ContextBuilder, PublishError, PublishErrorKind};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{AckKind, Context, Message};
use async_nats::{ConnectOptions, Event, HeaderMap, ServerError};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use swiss_system::text::{harmless, shortened};
use swissmatch_host::files::Draft;
use tokio::io::AsyncReadExt as _;

use crate::names::{inbox_of, mark_of, named, token};
use crate::wire::{ResultMessage, TaskMessage};

/// How long an answer of the server is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Most characters of what the server says that are repeated.
const REPEATED: usize = 300;
/// Bytes of a file that are written together.
const PART: usize = 64 << 10;
/// Times that a task is handed to a worker which does not end it.
const MOST_DELIVERIES: i64 = 5;

/// Why the carrier did not carry, as a sentence without its end.
#[derive(Debug, thiserror::Error)]
pub enum NotCarried {
    /// The server is away, slow, or does not let this user do that.
    #[error("{what}: {why}")]
    Server {
        /// What was asked of it.
        what: &'static str,
        /// What it, or the network, said.
        why: String,
    },
    /// Another runner has the event.
    #[error("{0} plays this event")]
    Taken(String),
    /// What came is not what a runner or a worker of this program writes.
    #[error("a message cannot be read: {0}")]
    Message(#[from] serde_json::Error),
}

fn not<E: Display>(what: &'static str) -> impl Fn(E) -> NotCarried {
    move |error| NotCarried::Server {
        what,
        why: error.to_string(),
    }
}

/// How somebody is let in by the server.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The seed of the NKey by which the server knows who it is; `None`: it lets everybody in.
    pub seed: Option<String>,
    /// The certificate of who vouches for the server, in PEM; with it the line is encrypted.
    pub ca: Option<PathBuf>,
    /// The key of a worker, whose answers come to a place of its own; `None`: a runner.
    pub worker: Option<String>,
}

impl Access {
    fn options(&self, refusals: &Refusals) -> ConnectOptions {
        let refusals = refusals.clone();
        let options = ConnectOptions::new()
            .request_timeout(Some(PATIENCE))
            .event_callback(move |event| {
                refusals.hear(event);
                std::future::ready(())
            });
        let options = match &self.worker {
            Some(worker) => options.custom_inbox_prefix(inbox_of(&token(worker))),
            None => options,
        };
        let options = match &self.seed {
            Some(seed) => options.nkey(seed.clone()),
            None => options,
        };
        match &self.ca {
            Some(ca) => options.add_root_certificates(ca.clone()).require_tls(true),
            None => options,
        }
    }
}

/// What the server refused last: what is asked for in vain has no other answer.
#[derive(Clone, Debug, Default)]
struct Refusals(Arc<Mutex<Option<String>>>);

impl Refusals {
    fn hear(&self, event: Event) {
        if let Event::ServerError(ServerError::Other(why)) = event {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        }
    }

    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A line to the server, for one event.
#[derive(Clone, Debug)]
pub struct Carrier {
    context: Context,
    refusals: Refusals,
    mark: String,
    /// How long a worker that is silent keeps a task, and a runner its event.
    lease: Duration,
}

/// Who plays an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Runner {
    /// Its number: a later one has a higher one.
    number: u64,
    /// Where it is: its machine and its directory.
    place: String,
}

/// Whether a task was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It is.
    Now,
    /// It was already.
    Before,
}

impl Carrier {
    /// Connects to a server for the event whose log's first entry has this hash.
    ///
    /// # Errors
    /// When there is none, or it does not let this user in.
    pub async fn connect(address: &str, access: &Access, event: &str, lease: Duration) -> Result<Self, NotCarried> {
        let refusals = Refusals::default();
        let client = access.options(&refusals).connect(address);
        let client = client.await.map_err(not("it cannot be connected to"))?;
        let context = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE);
        Ok(Self {
            context: context.build(client),
            refusals,
            mark: mark_of(event),
            lease,
        })
    }

    /// Of what was asked for in vain, why, where the server refused something since.
    fn refused<T>(&self, asked: Result<T, NotCarried>) -> Result<T, NotCarried> {
        asked.map_err(|error| match (error, self.refusals.take()) {
            (NotCarried::Server { what, why }, Some(refused)) => {
                let why = format!("{why} ({})", shortened(&harmless(&refused), REPEATED));
                NotCarried::Server { what, why }
            }
            (error, _) => error,
        })
    }

    /// Makes what the event needs at the server, where it is not there.
    ///
    /// # Errors
    /// When the server is away, or does not let this user do that.
    pub async fn open(&self) -> Result<(), NotCarried> {
        for (name, retention) in [
            ("T", RetentionPolicy::WorkQueue),
            ("R", RetentionPolicy::WorkQueue),
            ("K", RetentionPolicy::Limits),
        ] {
            let subject = match name {
                "K" => self.runner_subject(),
                _ => format!("{}.{}.>", name.to_ascii_lowercase(), self.mark),
            };
            let config = stream::Config {
                name: self.name(name),
                subjects: vec![subject],
                retention,
                storage: StorageType::File,
                max_messages_per_subject: 1,
                // Of a task and a result the first stays, of runners the last.
                discard: if name == "K" {
                    DiscardPolicy::Old
                } else {
                    DiscardPolicy::New
                },
                discard_new_per_subject: name != "K",
                ..stream::Config::default()
            };
            let made = self.context.get_or_create_stream(config);
            made.await.map_err(not("a stream cannot be made"))?;
        }
        if self.context.get_object_store(&self.name("O")).await.is_err() {
            let config = object_store::Config {
                bucket: self.name("O"),
                ..object_store::Config::default()
            };
            let made = self.context.create_object_store(config);
            made.await.map_err(not("a store for files cannot be made"))?;
        }
        Ok(())
    }

    /// Takes the event for the runner at `place`, whose results come from here on. One that is there at another place, and not silent, keeps it.
    ///
    /// # Errors
    /// When another runner has it, or the server is away.
    pub async fn take(&self, place: &str) -> Result<Results, NotCarried> {
        let runners = self.stream("K").await?;
        let (was, sequence) = self.runner(&runners).await?;
        if let Some(was) = was.as_ref().filter(|was| was.place != place) {
            tokio::time::sleep(self.lease * 3 / 2).await;
            if self.runner(&runners).await?.1 != sequence {
                return Err(NotCarried::Taken(was.place.clone()));
            }
        }
        let runner = Runner {
            number: was.as_ref().map_or(0, |was| was.number) + 1,
            place: place.to_owned(),
        };
        let sequence = self.note_runner(&runner, sequence).await?;
        let results = self.stream("R").await?;
        // The server lets one consumer have the results: whoever had them before has none from here on.
        let mut others = results.consumer_names();
        while let Some(other) = others.next().await {
            let other = other.map_err(not("the consumers of results cannot be listed"))?;
            let gone = results.delete_consumer(&other);
            gone.await.map_err(not("the runner before cannot be shut out"))?;
        }
        let name = format!("runner-{}", runner.number);
        let config = pull::Config {
            durable_name: Some(name),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_ack_pending: 10_000,
            ..pull::Config::default()
        };
        let consumer = results.create_consumer(config).await;
        let consumer = consumer.map_err(not("another runner has taken the event"))?;
        Ok(Results {
            carrier: self.clone(),
            runner,
            sequence,
            consumer,
        })
    }

    /// Queues a task for workers of a class. A second one of the same first game and issue is none.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn give(&self, class: &str, task: &TaskMessage) -> Result<Queued, NotCarried> {
        let subject = self.task_subject(class, task)?;
        let text = serde_json::to_vec(task)?;
        let sent = self.context.publish(subject, text.into()).await;
        let acknowledged = sent.map_err(not("a task cannot be sent"))?.await;
        match acknowledged {
            Ok(_) => Ok(Queued::Now),
            Err(error) if is_there(&error) => Ok(Queued::Before),
            Err(error) => self.refused(Err(not("a task cannot be queued")(error))),
        }
    }

    /// Takes a task off the queue, whoever has it.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn withdraw(&self, class: &str, task: &TaskMessage) -> Result<(), NotCarried> {
        let subject = self.task_subject(class, task)?;
        let tasks = self.stream("T").await?;
        let purged = tasks.purge().filter(subject).await;
        self.refused(purged.map(drop).map_err(not("a task cannot be taken back")))
    }

    /// Lets workers of a class have tasks.
    ///
    /// # Errors
    /// When the server is away, or does not let this user do that.
    pub async fn serve(&self, class: &str) -> Result<(), NotCarried> {
        let config = pull::Config {
            durable_name: Some(token(class)),
            filter_subject: format!("t.{}.{}.>", self.mark, token(class)),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_deliver: MOST_DELIVERIES,
            max_ack_pending: 10_000,
            ..pull::Config::default()
        };
        let tasks = self.stream("T").await?;
        let served = tasks.get_or_create_consumer(&token(class), config).await;
        self.refused(served.map(drop).map_err(not("workers cannot be let have tasks")))
    }

    /// The tasks of a class, as a worker takes them.
    ///
    /// # Errors
    /// When the server is away, does not let this user have them, or nobody serves the class.
    pub async fn tasks(&self, class: &str) -> Result<Tasks, NotCarried> {
        let tasks = self.stream("T").await?;
        let consumer = tasks.get_consumer(&token(class)).await;
        let consumer = consumer.map_err(|why| not("the tasks of the class cannot be had")(why));
        self.refused(consumer.map(Tasks))
    }

    /// Sends what came of a game. One of the same worker, game and issue that is there already stays.
    ///
    /// # Errors
    /// When the server is away: it may be there all the same.
    pub async fn tell(&self, worker: &str, result: &ResultMessage) -> Result<Queued, NotCarried> {
        let (mark, game) = (&self.mark, result.game);
        let subject = format!("r.{mark}.{}.{}.{}", token(worker), named(game), result.issue);
        let text = serde_json::to_vec(result)?;
        let sent = self.context.publish(subject, text.into()).await;
        match sent.map_err(not("a result cannot be sent"))?.await {
            Ok(_) => Ok(Queued::Now),
            Err(error) if is_there(&error) => Ok(Queued::Before),
            Err(error) => self.refused(Err(not("a result cannot be queued")(error))),
        }
    }

    /// Keeps a file by its content, where it is not kept yet.
    ///
    /// # Errors
    /// When it cannot be read, or the server is away.
    pub async fn put(&self, sha256: &str, path: &Path) -> Result<(), NotCarried> {
        let store = self.store().await?;
        if store.info(sha256).await.is_ok() {
            return Ok(());
        }
        let file = tokio::fs::File::open(path).await;
        let mut file = file.map_err(not("a file of an agent cannot be read"))?;
        let put = store.put(sha256, &mut file).await;
        self.refused(put.map(drop).map_err(not("a file of an agent cannot be sent")))
    }

    /// Puts a file that is kept to a path.
    ///
    /// # Errors
    /// When it is not kept, cannot be written, or the server is away.
    pub async fn get(&self, sha256: &str, path: &Path) -> Result<(), NotCarried> {
        let store = self.store().await?;
        let found = store.get(sha256).await;
        let mut found = found.map_err(not("a file of an agent cannot be had"))?;
        let written = || not("a file of an agent cannot be written");
        let mut draft = Draft::instead(path).map_err(written())?;
        let mut part = vec![0; PART];
        loop {
            match found
                .read(&mut part)
                .await
                .map_err(not("a file of an agent cannot be had"))?
            {
                0 => return draft.place().map(drop).map_err(written()),
                bytes => draft.write(&part[..bytes]).map_err(written())?,
            }
        }
    }

    async fn store(&self) -> Result<ObjectStore, NotCarried> {
        let store = self.context.get_object_store(&self.name("O")).await;
        store.map_err(not("the store for files is not there"))
    }

    async fn stream(&self, name: &str) -> Result<Stream, NotCarried> {
        let stream = self.context.get_stream(self.name(name)).await;
        self.refused(stream.map_err(not("the event is not at this server")))
    }

    /// The runner that the event has, and the number of the message that says so; 0 where it has none.
    async fn runner(&self, runners: &Stream) -> Result<(Option<Runner>, u64), NotCarried> {
        let subject = self.runner_subject();
        match runners.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => Ok((Some(serde_json::from_slice(&message.payload)?), message.sequence)),
            Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok((None, 0)),
            Err(error) => Err(not("it cannot be seen who plays this event")(error)),
        }
    }

    /// Notes the runner over the message of this number, and gives that of the new one.
    async fn note_runner(&self, runner: &Runner, over: u64) -> Result<u64, NotCarried> {
        let mut headers = HeaderMap::new();
        headers.insert(
            async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
            over.to_string(),
        );
        let text = serde_json::to_vec(runner)?;
        let sent = self
            .context
            .publish_with_headers(self.runner_subject(), headers, text.into());
        match sent.await.map_err(not("the event cannot be taken"))?.await {
            Ok(noted) => Ok(noted.sequence),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                Err(NotCarried::Taken("another runner, which has just taken it,".to_owned()))
            }
            Err(error) => Err(not("the event cannot be taken")(error)),
        }
    }

    fn name(&self, name: &str) -> String {
        format!("{name}_{}", self.mark)
    }

    fn runner_subject(&self) -> String {
        format!("k.{}", self.mark)
    }

    fn task_subject(&self, class: &str, task: &TaskMessage) -> Result<String, NotCarried> {
        let first = task.games.first();
        let first = first.ok_or_else(|| not("a task cannot be queued")("it has no games"))?;
        let (mark, game) = (&self.mark, named(first.spec.id));
        Ok(format!("t.{mark}.{}.{game}.{}", token(class), first.issue))
    }
}

/// The results of an event, as its runner has them.
#[derive(Debug)]
pub struct Results {
    carrier: Carrier,
    runner: Runner,
    /// Of the message that says that this runner has the event.
    sequence: u64,
    consumer: Consumer<pull::Config>,
}

/// A result that waits to be in the log.
#[derive(Debug)]
pub struct Told {
    /// Who sent it: the server let nobody else.
    pub worker: String,
    /// What it says.
    pub result: Result<ResultMessage, serde_json::Error>,
    message: Message,
}

impl Results {
    /// Which runner of the event this is, from 1.
    pub const fn runner(&self) -> u64 {
        self.runner.number
    }

    /// What has come, at most so many, waited for so long.
    ///
    /// # Errors
    /// When the server is away, or another runner has the event.
    pub async fn next(&self, most: usize, wait: Duration) -> Result<Vec<Told>, NotCarried> {
        let batch = self.consumer.batch().max_messages(most).expires(wait).messages().await;
        let mut batch = batch.map_err(not("results cannot be had"))?;
        let mut told = Vec::new();
        while let Some(message) = batch.next().await {
            let message = message.map_err(not("results cannot be had"))?;
            told.push(Told {
                worker: message.subject.split('.').nth(2).unwrap_or_default().to_owned(),
                result: serde_json::from_slice(&message.payload),
                message,
            });
        }
        Ok(told)
    }

    /// Says that this runner is there: each third of a lease.
    ///
    /// # Errors
    /// When another runner has the event, or the server is away.
    pub async fn stay(&mut self) -> Result<(), NotCarried> {
        self.sequence = self.carrier.note_runner(&self.runner, self.sequence).await?;
        Ok(())
    }
}

impl Told {
    /// It is in the log, or will never be: the server need not keep it.
    ///
    /// # Errors
    /// When the server is away: it comes again.
    pub async fn done(&self) -> Result<(), NotCarried> {
        self.message
            .double_ack()
            .await
            .map_err(not("a result cannot be let go"))
    }
}

/// The tasks of a class, as a worker has them.
#[derive(Debug)]
pub struct Tasks(Consumer<pull::Config>);

/// A task that a worker has, until it is done or silent for a lease.
#[derive(Debug)]
pub struct Taken {
    /// What is to be played.
    pub task: Result<TaskMessage, serde_json::Error>,
    /// Which time it was handed out, from 1.
    pub delivery: i64,
    message: Message,
}

impl Tasks {
    /// The next task, waited for so long.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn next(&self, wait: Duration) -> Result<Option<Taken>, NotCarried> {
        let batch = self.0.batch().max_messages(1).expires(wait).messages().await;
        let mut batch = batch.map_err(not("tasks cannot be had"))?;
        let Some(message) = batch.next().await else {
            return Ok(None);
        };
        let message = message.map_err(not("tasks cannot be had"))?;
        let delivery = message.info().map_or(1, |info| info.delivered);
        Ok(Some(Taken {
            task: serde_json::from_slice(&message.payload),
            delivery,
            message,
        }))
    }
}

impl Taken {
    /// It is being played: the worker keeps it for another lease.
    ///
    /// # Errors
    /// When the server is away.
    pub async fn goes_on(&self) -> Result<(), NotCarried> {
        let kept = self.message.ack_with(AckKind::Progress).await;
        kept.map_err(not("a task cannot be kept"))
    }

    /// All that comes of it has been sent.
    ///
    /// # Errors
    /// When the server is away: it is handed out again.
    pub async fn done(&self) -> Result<(), NotCarried> {
        let done = self.message.double_ack().await;
        done.map_err(not("a task cannot be ended"))
    }
}

/// Whether the server has a message of this subject already, and so refused another one.
fn is_there(error: &PublishError) -> bool {
    let why = std::error::Error::source(error);
    why.is_some_and(|why| why.to_string().contains("maximum messages per subject exceeded"))
}
