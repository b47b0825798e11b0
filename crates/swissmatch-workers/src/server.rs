//! A connection to a NATS server with JetStream, and what it holds for all events: their cards, and files by their
//! content.
//!
//! The server only carries messages and keeps no records: what it loses is sent again, and the log alone says what
//! counts. May not: know what is played.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{ContextBuilder, PublishError};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::{Client, ConnectOptions, Event, ServerError};
use futures_util::StreamExt as _;
use swiss_system::text::{harmless, shortened};
use swissmatch_host::files::Draft;
use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::names::{self, EVENTS, FILES, RESULTS, TASKS, inbox_of, token};
use crate::wire::SignedCard;

/// How long to wait for the server's answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The wait before another connection attempt, which grows with each attempt, up to the second value.
const FIRST_TRY: Duration = Duration::from_millis(100);
const RECONNECT: Duration = Duration::from_secs(1);
/// The most characters repeated of what the server says.
const REPEATED: usize = 300;
/// Stands in place of the card of an event that is over.
pub(crate) const OVER: &str = "over";
/// The bytes of a file that are written at a time.
const PART: usize = 64 << 10;
/// More bytes than an event's card or an agent's list of files has.
const MOST_TEXT: usize = 64 << 20;

/// Why a message was not carried, as a sentence without its end.
#[derive(Debug, thiserror::Error)]
pub enum CarrierError {
    /// The server is away, is slow, or does not let this user do that.
    #[error("{what}: {why}")]
    Server {
        /// What was asked of the server.
        what: &'static str,
        /// What the server or the network said.
        why: String,
    },
    /// Another runner has the event.
    #[error("{0} plays this event")]
    Taken(String),
    /// What came was not written by a runner or a worker of this program.
    #[error("a message cannot be read: {0}")]
    Message(#[from] serde_json::Error),
}

pub(crate) fn not<E: Display>(what: &'static str) -> impl Fn(E) -> CarrierError {
    move |error| CarrierError::Server {
        what,
        why: error.to_string(),
    }
}

/// How a user is let in by the server.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The seed of the NKey by which the server knows the user; `None` if the server lets everyone in.
    pub seed: Option<String>,
    /// The certificate authority of the server, in PEM; if set, the connection is encrypted.
    pub ca: Option<PathBuf>,
    /// The key of a worker, whose answers come to an inbox of its own; `None` for a runner.
    pub worker: Option<String>,
}

impl Access {
    fn options(&self, refusals: &Refusals) -> ConnectOptions {
        let refusals = refusals.clone();
        let options = ConnectOptions::new()
            .request_timeout(Some(PATIENCE))
            // This notices a connection that is cut without notice.
            .ping_interval(PATIENCE)
            // A user that is back after a short break has lost nothing only if that is noticed within a lease.
            .reconnect_delay_callback(|tries| RECONNECT.min(FIRST_TRY * u32::try_from(tries).unwrap_or(u32::MAX)))
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

/// The server's last refusal: a refused request gets no other answer.
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

#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) client: Client,
    pub(crate) context: Context,
    refusals: Refusals,
}

impl Server {
    /// Connects; after that it reconnects by itself.
    ///
    /// # Errors
    /// There is no server, or it does not let this user in.
    pub async fn connect(address: &str, access: &Access) -> Result<Self, CarrierError> {
        let refusals = Refusals::default();
        let client = access.options(&refusals).connect(address);
        let client = client.await.map_err(not("it cannot be connected to"))?;
        let context = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE);
        Ok(Self {
            context: context.build(client.clone()),
            client,
            refusals,
        })
    }

    /// True if the server is there right now.
    pub fn is_there(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Replaces the error of a failed request by the server's refusal, if it has refused something since.
    pub(crate) fn refused<T>(&self, asked: Result<T, CarrierError>) -> Result<T, CarrierError> {
        asked.map_err(|error| match (error, self.refusals.take()) {
            (CarrierError::Server { what, why }, Some(refused)) => {
                let why = format!("{why} ({})", shortened(&harmless(&refused), REPEATED));
                CarrierError::Server { what, why }
            }
            (error, _) => error,
        })
    }

    /// Creates what events need at the server, where it is missing.
    ///
    /// # Errors
    /// The server is away, or does not let this user do that.
    pub async fn open(&self) -> Result<(), CarrierError> {
        for (name, subjects) in [
            (TASKS, vec!["swissmatch.task.>"]),
            (RESULTS, vec!["swissmatch.result.>"]),
            (EVENTS, vec!["swissmatch.event.*", "swissmatch.holder.*"]),
        ] {
            // Of tasks and results the first message stays until someone has it, of events the last.
            let is_queue = name != EVENTS;
            let config = stream::Config {
                name: name.to_owned(),
                subjects: subjects.into_iter().map(str::to_owned).collect(),
                retention: match is_queue {
                    true => RetentionPolicy::WorkQueue,
                    false => RetentionPolicy::Limits,
                },
                storage: StorageType::File,
                max_messages_per_subject: 1,
                discard: match is_queue {
                    true => DiscardPolicy::New,
                    false => DiscardPolicy::Old,
                },
                discard_new_per_subject: is_queue,
                ..stream::Config::default()
            };
            let made = self.context.get_or_create_stream(config).await;
            self.refused(made.map_err(not("a stream cannot be made")))?;
        }
        if self.context.get_object_store(FILES).await.is_err() {
            let config = object_store::Config {
                bucket: FILES.to_owned(),
                ..object_store::Config::default()
            };
            let made = self.context.create_object_store(config).await;
            self.refused(made.map_err(not("a store for files cannot be made")))?;
        }
        Ok(())
    }

    /// The signed cards of all events that are being played.
    ///
    /// # Errors
    /// The server is away, does not let this user see them, or has had no event yet.
    pub async fn cards(&self) -> Result<Vec<SignedCard>, CarrierError> {
        let events = self.stream(EVENTS).await?;
        let info = events.info_with_subjects("swissmatch.event.*").await;
        let mut subjects = self.refused(info.map_err(not("events cannot be listed")))?;
        let mut cards = Vec::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(not("events cannot be listed"))?;
            cards.extend(self.card_at(&events, &subject).await?);
        }
        Ok(cards)
    }

    /// The card of the event with this mark; `None` if it is no longer played.
    ///
    /// # Errors
    /// The server is away, or does not let this user see it.
    pub(crate) async fn card(&self, mark: &str) -> Result<Option<SignedCard>, CarrierError> {
        let events = self.stream(EVENTS).await?;
        self.card_at(&events, &names::event(mark)).await
    }

    /// True if the event with this mark is over.
    ///
    /// # Errors
    /// The server is away, or does not let this user see it.
    pub(crate) async fn is_over(&self, mark: &str) -> Result<bool, CarrierError> {
        let events = self.stream(EVENTS).await?;
        let last = events.get_last_raw_message_by_subject(&names::event(mark)).await;
        Ok(last.is_ok_and(|message| message.payload == OVER.as_bytes()))
    }

    async fn card_at(&self, events: &Stream, subject: &str) -> Result<Option<SignedCard>, CarrierError> {
        match events.get_last_raw_message_by_subject(subject).await {
            Ok(message) if message.payload == OVER.as_bytes() => Ok(None),
            Ok(message) => Ok(Some(serde_json::from_slice(&message.payload)?)),
            Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => self.refused(Err(not("an event cannot be seen")(error))),
        }
    }

    /// Stores a file by its content, unless it is there already.
    ///
    /// # Errors
    /// It cannot be read, or the server is away.
    pub async fn put(&self, sha256: &str, path: &Path) -> Result<(), CarrierError> {
        let file = tokio::fs::File::open(path).await;
        let mut file = file.map_err(not("a file of an agent cannot be read"))?;
        self.keep(sha256, &mut file).await
    }

    /// Stores a text by its content.
    ///
    /// # Errors
    /// The server is away.
    pub(crate) async fn put_text(&self, sha256: &str, text: &str) -> Result<(), CarrierError> {
        self.keep(sha256, &mut text.as_bytes()).await
    }

    async fn keep(&self, sha256: &str, content: &mut (impl AsyncRead + Unpin)) -> Result<(), CarrierError> {
        let store = self.store().await?;
        if store.info(sha256).await.is_ok() {
            return Ok(());
        }
        let put = store.put(sha256, content).await;
        self.refused(put.map(drop).map_err(not("a file of an agent cannot be sent")))
    }

    /// Fetches a stored file to a path.
    ///
    /// # Errors
    /// It is not stored, it cannot be written, or the server is away.
    pub async fn get(&self, sha256: &str, path: &Path) -> Result<(), CarrierError> {
        let mut found = self.find(sha256).await?;
        let written = || not("a file of an agent cannot be written");
        let mut draft = Draft::instead(path).map_err(written())?;
        let mut part = vec![0; PART];
        loop {
            let read = found.read(&mut part).await;
            match read.map_err(not("a file of an agent cannot be had"))? {
                0 => return draft.place().map(drop).map_err(written()),
                bytes => draft.write(&part[..bytes]).map_err(written())?,
            }
        }
    }

    /// A stored text.
    ///
    /// # Errors
    /// It is not stored, it is not text, or the server is away.
    pub(crate) async fn get_text(&self, sha256: &str) -> Result<String, CarrierError> {
        let what = "what an agent is cannot be had";
        let found = self.find(sha256).await?;
        let mut text = Vec::new();
        let read = found.take(MOST_TEXT as u64).read_to_end(&mut text).await;
        read.map_err(not(what))?;
        String::from_utf8(text).map_err(not(what))
    }

    async fn find(&self, sha256: &str) -> Result<object_store::Object, CarrierError> {
        let found = self.store().await?.get(sha256).await;
        self.refused(found.map_err(not("a file of an agent cannot be had")))
    }

    async fn store(&self) -> Result<ObjectStore, CarrierError> {
        let store = self.context.get_object_store(FILES).await;
        self.refused(store.map_err(not("the store for files is not there")))
    }

    pub(crate) async fn stream(&self, name: &str) -> Result<Stream, CarrierError> {
        let stream = self.context.get_stream(name).await;
        self.refused(stream.map_err(not("no event is at this server")))
    }
}

/// True if the server refused a message because it already has one of this subject.
pub(crate) fn is_there(error: &PublishError) -> bool {
    let why = std::error::Error::source(error);
    why.is_some_and(|why| why.to_string().contains("maximum messages per subject exceeded"))
}
