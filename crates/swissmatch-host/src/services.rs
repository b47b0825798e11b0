//! The services that players of a run ask who are not programs here: one broker for all of them, which alone has
//! addresses and keys, on a thread of its own.
//!
//! The broker begins when the first such player is started; without one there is no thread. May not: read a key, decide
//! a game.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use swissmatch_adapter::answer::{MovePlace, Reading};
use swissmatch_adapter::model::Manner;
use swissmatch_broker::Broker;
use swissmatch_broker::endpoint::Endpoint;
use swissmatch_broker::ledger::{Ledger, SpendingLimits};
use swissmatch_broker::player::{AnswerSource, BrokerPlayer, Mend, Session};
use swissmatch_tournament::setup::{
    AtLimit, Keep, ModelKeys, ModelSetup, MoveSource, PlayerKeys, Rationale, ResponseFormat,
};

use super::host::{HostReport, Reports};
use super::{files, run_dir, threads};

/// The ledger of a run, in its directory.
pub const LEDGER: &str = "ledger.jsonl";

/// Descriptors of the broker itself: of its runtime, its ledger, and a name being looked up.
const OWN_DESCRIPTORS: usize = 16;

/// The services of a run. When dropped, all calls are hung up, and the thread has ended.
#[derive(Debug)]
pub struct Services {
    endpoints: Vec<Endpoint>,
    limits: SpendingLimits,
    at_limit: AtLimit,
    /// What earlier rounds of a ladder have spent counts, too.
    of_ladder: bool,
    state: Mutex<ServicesState>,
}

#[derive(Debug, Default)]
struct ServicesState {
    /// The run's ledger, until the broker has it.
    ledger: Option<Ledger>,
    /// Its path.
    ledger_at: Option<PathBuf>,
    reports: Option<Reports>,
    working: Option<Working>,
}

/// The rounds of a ladder before the run in this directory, which is one of them or the event's.
fn rounds_before(run: &Path) -> io::Result<Vec<PathBuf>> {
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let ladder = run.parent().filter(|parent| parent.ends_with(run_dir::LADDER));
    let (ladder, own) = match (ladder, number(run)) {
        (Some(ladder), Some(own)) => (ladder.to_path_buf(), own),
        _ => (run.join(run_dir::LADDER), u32::MAX),
    };
    let entries = match std::fs::read_dir(&ladder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(files::about(&ladder, &error)),
    };
    let paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let is_before = |path: &PathBuf| number(path).is_some_and(|round| round < own);
    Ok(paths.into_iter().filter(is_before).collect())
}

#[derive(Debug)]
struct Working {
    broker: Option<Broker>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Working {
    fn drop(&mut self) {
        self.broker = None;
        if let Some(thread) = self.thread.take() {
            // A thread that failed has said why.
            let _ = thread.join();
        }
    }
}

impl Services {
    /// Services with these endpoints and limits of spending.
    pub fn new(endpoints: Vec<Endpoint>, limits: SpendingLimits, at_limit: AtLimit) -> Self {
        Self {
            endpoints,
            limits,
            at_limit,
            of_ladder: false,
            state: Mutex::default(),
        }
    }

    /// Sets whether the event has a ladder: if so, the limits hold for all its rounds and the event together.
    #[must_use]
    pub const fn of_ladder(mut self, has_one: bool) -> Self {
        self.of_ladder = has_one;
        self
    }

    /// Keeps the ledger in the directory of a run from here on, if anything could cost money, and reports services that
    /// are away.
    ///
    /// # Errors
    /// It cannot be read or written, or is not a ledger; the error names it.
    pub(super) fn keep_in(&self, directory: &Path, reports: &Reports) -> io::Result<()> {
        if self.endpoints.is_empty() {
            return Ok(());
        }
        let path = directory.join(LEDGER);
        let mut ledger = files::open_to_read_and_append(&path)
            .and_then(|file| Ledger::open(Some(file), self.limits).map_err(|error| files::about(&path, &error)))?;
        let earlier = match self.of_ladder {
            true => rounds_before(directory)?,
            false => Vec::new(),
        };
        for path in earlier.iter().map(|round| round.join(LEDGER)) {
            ledger = match files::open_plain(&path) {
                Ok(file) => ledger.after(file).map_err(|error| files::about(&path, &error))?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => ledger,
                Err(error) => return Err(files::about(&path, &error)),
            };
        }
        self.with(|state| {
            state.ledger_at = Some(path);
            match state.broker() {
                Some(broker) => {
                    broker.keep(ledger);
                    tell(broker, reports.clone());
                }
                None => (state.ledger, state.reports) = (Some(ledger), Some(reports.clone())),
            }
        });
        Ok(())
    }

    /// Syncs the ledger, if there is one.
    fn sync_ledger(&self) -> io::Result<()> {
        let path = self.with(|state| state.ledger_at.clone());
        path.map_or(Ok(()), |path| files::sync(&path))
    }

    /// The most descriptors open for it at once, beside one for each agent.
    pub(super) fn descriptors(&self) -> usize {
        self.endpoints
            .iter()
            .map(|endpoint| endpoint.at_once)
            .sum::<usize>()
            .saturating_add(OWN_DESCRIPTORS)
    }

    fn with<T>(&self, work: impl FnOnce(&mut ServicesState) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn serve(&self, source: &AnswerSource) -> io::Result<(Arc<BrokerPlayer>, UnixStream)> {
        let (ours, theirs) = UnixStream::pair()?;
        let player = self.with(|state| {
            if state.working.is_none() {
                let ledger = match state.ledger.take() {
                    Some(ledger) => ledger,
                    None => Ledger::open(None, self.limits)?,
                };
                let (broker, work) = Broker::new(self.endpoints.clone(), ledger).map_err(io::Error::other)?;
                if let Some(reports) = state.reports.take() {
                    tell(&broker, reports);
                }
                state.working = Some(Working {
                    broker: Some(broker),
                    thread: Some(threads::start("broker", move || work.run())?),
                });
            }
            let broker = state.broker().ok_or_else(|| io::Error::other("the broker has gone"))?;
            broker.serve(source.clone(), ours)
        })?;
        Ok((player, theirs))
    }
}

/// Makes the broker report services that are away.
fn tell(broker: &Broker, reports: Reports) {
    broker.listen(move |outage| reports.tell(HostReport::Outage(Box::new(outage))));
}

impl ServicesState {
    fn broker(&self) -> Option<&Broker> {
        self.working.as_ref()?.broker.as_ref()
    }
}

/// How the engines of one player ask.
#[derive(Clone, Debug)]
pub struct Caller {
    services: Arc<Services>,
    source: AnswerSource,
    /// The name of the service for people.
    called: String,
    /// It belongs to the event; a player pays for outages of a server of its own.
    is_events: bool,
    /// It needs a key.
    has_key: bool,
    keep: Keep,
    /// How its answers are read, if its rationale is shown.
    rationale: Option<Reading>,
}

impl Caller {
    /// The caller of a player; `None` if the player asks nobody over a broker.
    ///
    /// # Errors
    /// The player asks none of these services.
    pub(super) fn new(services: &Arc<Services>, player: &PlayerKeys) -> Result<Option<Self>, String> {
        let keys = keys_of(player);
        let (source, called, (is_events, has_key)) = match player.asks() {
            None | Some(MoveSource::Command(_)) => return Ok(None),
            Some(MoveSource::Url(url)) => {
                let source = AnswerSource::url(&player.name, url).map_err(|error| error.to_string())?;
                (source, url.to_owned(), (false, false))
            }
            Some(MoveSource::Model(endpoint, model)) => {
                let mut endpoints = services.endpoints.iter().enumerate();
                let found = endpoints.find(|(_, one)| one.name == endpoint);
                let (index, found) = found.ok_or_else(|| format!("there is no [endpoint.{endpoint}]"))?;
                let session = session(&player.name, model, &keys);
                let source = AnswerSource::Model(index, Box::new(session));
                let of_service = (found.owner_is_event, found.key.is_some());
                (source, format!("endpoint.{endpoint}"), of_service)
            }
        };
        Ok(Some(Self {
            services: Arc::clone(services),
            source,
            called,
            is_events,
            has_key,
            // Only models have anything to hand over.
            keep: keys.keep,
            rationale: (keys.rationale != Rationale::None).then(|| reading(&keys)),
        }))
    }

    /// Connects one engine of the player: returns the broker's side, and the engine's end of the stream.
    ///
    /// # Errors
    /// The machine has no descriptor or no thread left.
    pub(super) fn connect(&self) -> io::Result<(Arc<BrokerPlayer>, UnixStream)> {
        self.services.serve(&self.source)
    }

    /// The name of the service for people.
    pub(super) fn called(&self) -> &str {
        &self.called
    }

    /// Which of its prompts and answers become evidence.
    pub(super) const fn keep(&self) -> Keep {
        self.keep
    }

    /// The rationale in an answer that gave a move, if it is shown anywhere.
    pub(super) fn rationale(&self, answer: &str) -> Option<String> {
        self.rationale.as_ref()?.beside(answer)
    }

    /// True if the service belongs to the event.
    pub(super) const fn is_events(&self) -> bool {
        self.is_events
    }

    /// The keys of the event file that would fix what its service complains of, as the end of a sentence.
    pub(super) fn remedy(&self, mend: Mend) -> String {
        let called = &self.called;
        match mend {
            Mend::Key if self.has_key => {
                format!("its key is refused: mend {called}.key_env or {called}.key_file")
            }
            Mend::Key => format!("it has no key, which {called}.key_env or {called}.key_file would name"),
            Mend::Name => format!("mend player.model or {called}.url"),
            Mend::Account => "its quota or its money is used up: mend the account at the service".to_owned(),
        }
    }

    /// What happens when a spending limit is reached.
    pub(super) fn at_limit(&self) -> AtLimit {
        self.services.at_limit
    }

    /// SHA-256 of the ledger's lines of a finished game, in hexadecimal; empty without a broker. The lines are synced
    /// before that: the log never relies on one that a power cut can take.
    ///
    /// # Errors
    /// The lines cannot be synced.
    pub(super) fn ledger_hash(&self, game: &str) -> io::Result<String> {
        let hash = self
            .services
            .with(|state| state.broker().map(|broker| broker.ledger_hash(game)));
        self.services.sync_ledger()?;
        Ok(hash.unwrap_or_default())
    }
}

/// How a model player is asked: an agent's own keys include those of the event.
fn keys_of(player: &PlayerKeys) -> ModelSetup {
    ModelKeys::default().of_player(&player.model_keys)
}

fn session(player: &str, model: &str, keys: &ModelSetup) -> Session {
    Session {
        max_tokens: keys.max_tokens,
        token_key: keys.token_key,
        temperature: keys.temperature.map(|number| number.number()),
        top_p: keys.top_p.map(|number| number.number()),
        sampling_seed: keys.sampling_seed,
        stop_texts: keys.stop_texts.clone(),
        reasoning_effort: keys.reasoning_effort.clone(),
        response_format: keys.response_format.clone(),
        tag: keys.tag.clone(),
        has_texts: keys.keep != Keep::Hashes || keys.rationale != Rationale::None,
        ..Session::new(player, model)
    }
}

/// How the adapter of a model asks and reads answers.
pub(super) fn manner(player: &PlayerKeys) -> Manner {
    let keys = keys_of(player);
    Manner {
        reading: reading(&keys),
        system: keys.system,
        history: usize::try_from(keys.history).unwrap_or(usize::MAX),
        again: keys.again_prompt,
    }
}

/// How the answers of a model are read.
pub fn reading(keys: &ModelSetup) -> Reading {
    Reading {
        place: match keys.response_format {
            ResponseFormat::LegalMoves => MovePlace::Object,
            _ if keys.tag.ends_with(':') => MovePlace::FinalAnswer,
            _ => MovePlace::Tag,
        },
        tag: keys.tag.clone(),
        take: keys.take,
        notation: keys.notation,
        in_reasoning: keys.in_reasoning,
        resign: keys.resign,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn player(keys: ModelKeys) -> PlayerKeys {
        PlayerKeys {
            name: "Qwen".to_owned(),
            model: Some("local:qwen:7b".to_owned()),
            model_keys: keys,
            ..PlayerKeys::default()
        }
    }

    fn services() -> Arc<Services> {
        services_of_ladder(false)
    }

    fn services_of_ladder(has_one: bool) -> Arc<Services> {
        let endpoint = Endpoint::new("local", "http://127.0.0.1:9/v1").expect("an address");
        let services = Services::new(vec![endpoint], SpendingLimits::default(), AtLimit::Pause);
        Arc::new(services.of_ladder(has_one))
    }

    #[test]
    fn a_move_stands_where_the_keys_say() {
        let place = |keys| manner(&player(keys)).reading.place;
        assert_eq!(place(ModelKeys::default()), MovePlace::Tag);
        let tag = Some("Final Answer:".to_owned());
        let after = ModelKeys {
            tag,
            ..ModelKeys::default()
        };
        assert_eq!(place(after.clone()), MovePlace::FinalAnswer);
        let response_format = Some(ResponseFormat::LegalMoves);
        assert_eq!(
            place(ModelKeys {
                response_format,
                ..after
            }),
            MovePlace::Object
        );
        assert!(manner(&player(ModelKeys::default())).reading.resign);
    }

    #[test]
    fn a_player_asks_what_is_there_by_its_own_name() {
        let of = |player: &PlayerKeys| Caller::new(&services(), player).expect("it is there");
        let Some(caller) = of(&player(ModelKeys::default())) else {
            panic!("it asks somebody")
        };
        // A model's name may have a colon.
        let AnswerSource::Model(0, session) = &caller.source else {
            panic!("{caller:?}")
        };
        assert_eq!((session.player.as_str(), session.model.as_str()), ("Qwen", "qwen:7b"));
        assert!(caller.is_events());
        assert!(of(&PlayerKeys::default()).is_none());
        let mut other = player(ModelKeys::default());
        other.model = Some("cloud:m".to_owned());
        let why = Caller::new(&services(), &other).expect_err("it is not there");
        assert_eq!(why, "there is no [endpoint.cloud]");
    }

    #[test]
    fn the_broker_begins_with_the_first_player_and_its_ledger_is_beside_the_log() {
        let place = tempfile::tempdir().expect("a directory");
        let services = services();
        let nobody = Reports::to(drop);
        services.keep_in(place.path(), &nobody).expect("it can be written");
        assert!(services.with(|state| state.working.is_none()));
        assert!(place.path().join(LEDGER).exists());
        let caller = Caller::new(&services, &player(ModelKeys::default())).expect("it is there");
        let (_player, mut stream) = caller.expect("it asks somebody").connect().expect("a broker");
        assert!(services.with(|state| state.working.is_some()));
        stream.write_all(b"{\"call\":\"stop\"}\n").expect("it is heard");
        // In a ladder the spending of earlier rounds counts, too, and a file that is not a ledger is found.
        let ladder = tempfile::tempdir().expect("a directory");
        let round = |number: &str| ladder.path().join(run_dir::LADDER).join(number);
        for number in ["1", "2", "10"] {
            std::fs::create_dir_all(round(number)).expect("a directory");
        }
        std::fs::write(round("2").join(LEDGER), "no ledger\n").expect("it is written");
        let of_ladder = services_of_ladder(true);
        of_ladder
            .keep_in(&round("1"), &nobody)
            .expect("there is none before it");
        for run in [round("10"), ladder.path().to_path_buf()] {
            let error = of_ladder.keep_in(&run, &nobody).expect_err("it is none").to_string();
            assert!(error.contains("ladder/2/ledger.jsonl"), "{error}");
        }
        services.keep_in(&round("10"), &nobody).expect("it is of no ladder");
        // Without endpoints nothing can cost anything.
        let other = tempfile::tempdir().expect("a directory");
        let none = Services::new(Vec::new(), SpendingLimits::default(), AtLimit::Pause);
        none.keep_in(other.path(), &nobody).expect("there is nothing to write");
        assert!(!other.path().join(LEDGER).exists());
        std::fs::create_dir(other.path().join(LEDGER)).expect("a directory");
        let error = services
            .keep_in(other.path(), &nobody)
            .expect_err("it is none")
            .to_string();
        assert!(error.contains("ledger.jsonl: it is not a plain file"), "{error}");
    }
}
