//! What the server holds of an event for its workers: its card, its agents, and their files.
//!
//! May not: know who needs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::record::GameSpec;
use swissmatch_host::file_hash::hash_text;
use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_host::signature::Signer;

use crate::bundle::{BundlePackError, pack};
use crate::carrier::{Carrier, Tenure};
use crate::server::CarrierError;
use crate::wire::{EventCard, SignedCard};

/// An event's signed card, with its agents and files.
#[derive(Clone, Debug)]
pub(crate) struct Stock {
    pub(crate) card: SignedCard,
    /// The card before signing.
    open: EventCard,
    goods: Arc<Goods>,
}

/// Agents and their files, by content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goods {
    /// The hashes of their bundles, by pairing number; `None` for players who play only at the runner.
    pub(crate) agents: Vec<Option<String>>,
    bundles: BTreeMap<String, String>,
    files: BTreeMap<String, PathBuf>,
    /// How many of them need a GPU.
    with_gpu: usize,
}

impl Goods {
    /// Adds the agent with the next pairing number, whose words lead from `event`. An agent that is asked over the
    /// network stays at the runner.
    ///
    /// # Errors
    /// It cannot travel.
    pub(crate) fn add(&mut self, agent: &AgentSpec, found: &AgentFound, event: &Path) -> Result<(), BundlePackError> {
        if agent.player.is_elsewhere() {
            self.agents.push(None);
            return Ok(());
        }
        let (bundle, files) = pack(agent, found, event)?;
        let text = serde_json::to_string(&bundle).map_err(|error| BundlePackError::because(&error))?;
        let hash = hash_text(&text);
        self.files.extend(files);
        self.bundles.insert(hash.clone(), text);
        self.agents.push(Some(hash));
        self.with_gpu += usize::from(agent.player.needs_gpu());
        Ok(())
    }

    /// How many GPUs a game may need.
    pub(crate) fn gpus_a_game(&self) -> usize {
        self.with_gpu.min(2)
    }
}

impl Stock {
    /// The stock of an event, with its card signed.
    ///
    /// # Errors
    /// The key does not sign.
    pub(crate) fn new(card: EventCard, goods: Goods, signer: &Signer) -> Result<Self, String> {
        let open = EventCard {
            agents: goods.agents.clone(),
            ..card
        };
        Ok(Self {
            card: SignedCard::of(&open, signer)?,
            open,
            goods: Arc::new(goods),
        })
    }

    /// The stock with an agent that entered late.
    ///
    /// # Errors
    /// It cannot travel, or the key does not sign.
    pub(crate) fn with(
        &self,
        (agent, threads): (&AgentSpec, usize),
        found: &AgentFound,
        event: &Path,
        signer: &Signer,
    ) -> Result<Self, String> {
        let mut goods = Goods::clone(&self.goods);
        goods.add(agent, found, event).map_err(|why| why.to_string())?;
        let mut card = self.open.clone();
        card.terms.threads.push(threads);
        Self::new(card, goods, signer)
    }

    /// The agents of a game's players, White first; `None` if one of them plays only at the runner.
    pub(crate) fn agents_of(&self, game: &GameSpec) -> Option<[String; 2]> {
        let agent = |player: PairingNumber| self.goods.agents.get(player.index())?.clone();
        Some([agent(game.white)?, agent(game.black)?])
    }

    /// How many GPUs a game may need.
    pub(crate) fn gpus_a_game(&self) -> usize {
        self.goods.gpus_a_game()
    }

    /// True if workers play a player's games.
    pub(crate) fn travels(&self, player: PairingNumber) -> bool {
        self.goods.agents.get(player.index()).is_some_and(Option::is_some)
    }

    /// The number of agents in the event.
    pub(crate) fn agents(&self) -> usize {
        self.goods.agents.len()
    }

    /// Puts all of it at the server, while the runner goes on saying that it is there.
    ///
    /// # Errors
    /// A file cannot be read, the server is away, or another runner has the event.
    pub(crate) async fn put_by(
        &self,
        tenure: &mut Tenure,
        (carrier, lease): (&Carrier, Duration),
    ) -> Result<(), CarrierError> {
        let mut put = std::pin::pin!(self.put(carrier));
        loop {
            tokio::select! {
                put = &mut put => return put,
                () = tokio::time::sleep(lease / 3) => tenure.stay().await?,
            }
        }
    }

    /// Puts all of it at the server, the card last.
    async fn put(&self, carrier: &Carrier) -> Result<(), CarrierError> {
        for (sha256, path) in &self.goods.files {
            carrier.server.put(sha256, path).await?;
        }
        for (sha256, text) in &self.goods.bundles {
            carrier.server.put_text(sha256, text).await?;
        }
        carrier.show(&self.card).await
    }
}
