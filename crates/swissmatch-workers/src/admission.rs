//! The way from an event's card to a machine that is ready to play: agents are fetched, checked, and started once.
//!
//! If the worker does not allow an agent what it needs, or its machine cannot give that, it says so before any of the
//! agent runs. May not: play games.

use std::io;
use std::path::{Path, PathBuf};

use swiss_system::text::{harmless, shortened};
use tokio::sync::mpsc::UnboundedReceiver;

use swissmatch_host::file_hash::{hash_file, hash_text};
use swissmatch_host::files;
use swissmatch_host::host::{AgentSpec, GameHost, HostOrder, HostReport, Reports, Terms};
use swissmatch_tournament::setup::HostKeys;

use crate::allows::Allows;
use crate::bundle::Bundle;
use crate::server::{CarrierError, Server};
use crate::wire::EventCard;

/// The most characters repeated of what a machine or an agent says.
const REPEATED: usize = 300;

/// Why a worker does not play.
#[derive(Debug, thiserror::Error)]
pub enum AdmissionError {
    /// The worker does not allow what an agent is to do, or its machine cannot give it; a sentence without its end.
    #[error("{0}")]
    Here(String),
    /// The server failed to carry something.
    #[error(transparent)]
    Carrier(#[from] CarrierError),
    /// The disk is full, or the machine has another fault.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An open host, with what it reports from now on.
pub(crate) struct AdmittedHost {
    pub(crate) host: Box<dyn GameHost>,
    pub(crate) reports: UnboundedReceiver<HostReport>,
    pub(crate) slots: usize,
    /// By pairing number.
    pub(crate) agents: Vec<Option<String>>,
    /// Whether each of them plays here.
    pub(crate) here: Vec<bool>,
    /// Any one of them, for places that need some agent.
    pub(crate) any: AgentSpec,
}

/// Where agents are unpacked, and what they may do.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// The event's directory, from which leftovers of earlier agents are removed.
    pub(crate) directory: PathBuf,
    pub(crate) allows: Allows,
    /// How many games are played at once, where, and with which GPUs.
    pub(crate) host: HostKeys,
}

impl Ground {
    /// Fetches the agents of an event and opens slots for its games. `tell` gets reports on progress.
    pub(crate) async fn admit(
        &self,
        (server, card): (&Server, &EventCard),
        (mut host, mut reports): (Box<dyn GameHost>, UnboundedReceiver<HostReport>),
        tell: &mut dyn FnMut(&str),
    ) -> Result<AdmittedHost, AdmissionError> {
        let bundles = self.bundles(server, card).await?;
        let with_gpu = bundles
            .iter()
            .flatten()
            .filter(|(_, bundle)| bundle.agent.player.needs_gpu());
        let (gpus, needed) = (self.host.gpus.len(), with_gpu.count().min(2));
        if gpus > 0 && gpus < needed {
            let why = "a game of this event may take two GPUs, and --gpus lists one; one that is listed twice is lent to two agents";
            return Err(AdmissionError::Here(why.to_owned()));
        }
        let bundles: Vec<Option<(String, Bundle)>> = bundles
            .into_iter()
            .map(|bundle| bundle.filter(|(_, bundle)| self.has_gpu_for(bundle)))
            .collect();
        let named = bundles.iter().flatten();
        if let Some(why) = named.clone().find_map(|(_, bundle)| self.allows.refuses(&bundle.agent)) {
            return Err(AdmissionError::Here(why));
        }
        let agents = self.directory.join("agents");
        match std::fs::remove_dir_all(&agents) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(files::about(&agents, &error).into()),
            _ => files::make_directory(&agents)?,
        }
        let mut specs = Vec::new();
        for bundle in &bundles {
            specs.push(match bundle {
                Some((hash, bundle)) => {
                    self.bring(server, bundle).await?;
                    Some(self.unpack(hash, bundle)?)
                }
                None => None,
            });
        }
        let there: Vec<AgentSpec> = specs.iter().flatten().cloned().collect();
        let found = match ask(&mut *host, &mut reports, HostOrder::Find { agents: there.clone() }) {
            HostReport::Found(found) => found,
            other => return Err(odd(&other)),
        };
        for (agent, found) in there.iter().zip(found) {
            let name = harmless(&agent.player.name);
            let found = found.map_err(|why| AdmissionError::Here(format!("{name}: {why}")))?;
            if let Some(change) = found.changed(agent).into_iter().next() {
                return Err(AdmissionError::Here(format!(
                    "{name} is not what it is at the runner: {change}"
                )));
            }
        }
        tell(&format!("{} agents are here; each is started once", there.len()));
        self.start_each(&mut *host, &mut reports, &there)?;
        // A player whose games stay with the runner has a place here that is never used.
        let any = there.first().cloned().ok_or_else(|| {
            AdmissionError::Here("no agent of the event plays here; those that need a GPU need --gpus".to_owned())
        })?;
        let terms = Terms {
            agents: specs
                .into_iter()
                .map(|spec| spec.unwrap_or_else(|| any.clone()))
                .collect(),
            host: self.host.clone(),
            ..card.terms.clone()
        };
        match ask(&mut *host, &mut reports, HostOrder::Open(Box::new(terms))) {
            HostReport::Open(Ok(opened)) => Ok(AdmittedHost {
                slots: opened.slots(),
                host,
                reports,
                agents: card.agents.clone(),
                here: bundles.iter().map(Option::is_some).collect(),
                any,
            }),
            HostReport::Open(Err(why)) => Err(AdmissionError::Here(why.to_string())),
            other => Err(odd(&other)),
        }
    }

    /// Has each agent make its handshake and a first move.
    fn start_each(
        &self,
        host: &mut dyn GameHost,
        reports: &mut UnboundedReceiver<HostReport>,
        agents: &[AgentSpec],
    ) -> Result<(), AdmissionError> {
        let keys = self.host.clone();
        let order = HostOrder::Introduce {
            agents: agents.to_vec(),
            host: keys,
        };
        let introduced = match ask(host, reports, order) {
            HostReport::Introduced(Ok(introduced)) => introduced,
            HostReport::Introduced(Err(why)) => return Err(AdmissionError::Here(why.to_string())),
            other => return Err(odd(&other)),
        };
        for (agent, introduced) in agents.iter().zip(introduced) {
            let name = harmless(&agent.player.name);
            if let Err(why) = introduced.said {
                let printed = introduced
                    .printed
                    .last()
                    .map_or_else(String::new, |line| format!("; it printed: {line}"));
                let printed = shortened(&printed, REPEATED);
                return Err(AdmissionError::Here(format!(
                    "{name} does not start here: {why}{printed}"
                )));
            }
            let order = HostOrder::Listen {
                agent: Box::new(agent.clone()),
                gpus: self.host.gpus.clone(),
            };
            let heard = match ask(host, reports, order) {
                HostReport::Heard(Ok(heard)) => heard,
                HostReport::Heard(Err(why)) => return Err(AdmissionError::Here(why.to_string())),
                other => return Err(odd(&other)),
            };
            if heard.first_move.is_none() {
                let why = heard.failure.unwrap_or_else(|| "it gave none".to_owned());
                return Err(AdmissionError::Here(format!("{name} makes no first move here: {why}")));
            }
        }
        Ok(())
    }

    /// True if the machine has the GPUs that an agent needs.
    pub(crate) fn has_gpu_for(&self, bundle: &Bundle) -> bool {
        !self.host.gpus.is_empty() || !bundle.agent.player.needs_gpu()
    }

    /// The directory that an agent is unpacked in.
    fn root(&self, hash: &str) -> PathBuf {
        let name: String = hash.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
        self.directory.join("agents").join(name)
    }

    async fn bundles(
        &self,
        server: &Server,
        card: &EventCard,
    ) -> Result<Vec<Option<(String, Bundle)>>, AdmissionError> {
        let mut bundles = Vec::new();
        for hash in &card.agents {
            bundles.push(match hash {
                Some(hash) => Some((hash.clone(), bundle(server, hash).await?)),
                None => None,
            });
        }
        Ok(bundles)
    }

    fn cache(&self) -> PathBuf {
        self.directory.join("files")
    }

    /// Fetches the files of an agent. They are kept by their content for the next time.
    pub(crate) async fn bring(&self, server: &Server, bundle: &Bundle) -> Result<(), AdmissionError> {
        let cache = self.cache();
        files::make_directory(&cache)?;
        for sha256 in bundle.hashes() {
            let place = cache.join(sha256);
            if !place.exists() {
                server.get(sha256, &place).await?;
                let file = place.clone();
                let came = aside(move || hash_file(&file)).await??.sha256;
                if came != sha256 {
                    std::fs::remove_file(&place)?;
                    let name = harmless(&bundle.agent.player.name);
                    return Err(AdmissionError::Here(format!(
                        "a file of {name} is not what the owner signed"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Unpacks the agent with this hash from files that are here.
    pub(crate) fn unpack(&self, hash: &str, bundle: &Bundle) -> Result<AgentSpec, AdmissionError> {
        let (cache, root) = (self.cache(), self.root(hash));
        let mut bring = |sha256: &str, to: &Path| std::fs::copy(cache.join(sha256), to).map(drop);
        // Two players may have the same agent.
        if root.exists() {
            std::fs::remove_dir_all(&root)?;
        }
        let unpacked = bundle.unpack(&root, &mut bring);
        unpacked.map_err(|why| AdmissionError::Here(format!("{}: {why}", harmless(&bundle.agent.player.name))))
    }
}

/// Runs slow work on another thread, so that messages are still answered.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
}

pub(crate) async fn bundle(server: &Server, hash: &str) -> Result<Bundle, AdmissionError> {
    let text = server.get_text(hash).await?;
    if hash_text(&text) != hash {
        return Err(AdmissionError::Here(
            "what the server has of an agent is not what the owner signed".to_owned(),
        ));
    }
    serde_json::from_str(&text).map_err(|error| AdmissionError::Here(format!("an agent cannot be read: {error}")))
}

/// The host's answer to an order, which comes before it returns.
fn ask(host: &mut dyn GameHost, reports: &mut UnboundedReceiver<HostReport>, order: HostOrder) -> HostReport {
    host.order(order);
    loop {
        match reports.try_recv() {
            Ok(report) if report.is_answer() => return report,
            Ok(_) => {}
            Err(_) => return HostReport::Remark("nothing".to_owned()),
        }
    }
}

fn odd(report: &HostReport) -> AdmissionError {
    AdmissionError::Here(format!(
        "this machine gave no answer to what it was asked, but {report:?}"
    ))
}

/// A host, with the channel that its reports arrive on.
pub(crate) fn connected(mut host: Box<dyn GameHost>) -> (Box<dyn GameHost>, UnboundedReceiver<HostReport>) {
    let (told, reports) = tokio::sync::mpsc::unbounded_channel();
    host.connect(Reports::to(move |report| drop(told.send(report))));
    (host, reports)
}
