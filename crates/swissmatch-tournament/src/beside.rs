//! Games that need no core, because both players are asked over the network. They are played beside the others, as many
//! at once as their services allow.
//!
//! Half of the calls that an endpoint takes at once are left to games against engines and to repeated calls. A game
//! beside the cores has one call open at a time. May not: know the machine.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::setup::{EndpointKeys, MoveSource, PlayerKeys, Setup};
use crate::state::State;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::record::GameId;

/// The games that a slot takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    #[default]
    All,
    /// Games that need a core.
    OnCores,
    /// Games that need none.
    Beside,
    /// Games between two programs: addresses and keys of services stay with the runner.
    Programs,
}

/// The service that a player asks over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Service<'a> {
    /// An endpoint, by name.
    Endpoint(&'a str),
    /// A web service, by address.
    Url(&'a str),
}

impl<'a> Service<'a> {
    /// The service of a player; `None` if the player needs a core.
    fn of(player: &'a PlayerKeys) -> Option<Self> {
        match player.asks()? {
            MoveSource::Command(_) => None,
            MoveSource::Model(endpoint, _) => Some(Self::Endpoint(endpoint)),
            MoveSource::Url(url) => Some(Self::Url(url)),
        }
    }

    /// The most games at once that a service may have, at least one.
    fn most(self, setup: &Setup) -> u32 {
        let usual = EndpointKeys::default().at_once;
        let at_once = match self {
            Self::Endpoint(name) => setup.endpoint(name).map_or(usual, |endpoint| endpoint.at_once),
            Self::Url(_) => usual,
        };
        (at_once / 2).max(1)
    }
}

/// The number of players who need no core.
pub(crate) fn without_core(setup: &Setup) -> u32 {
    let without = setup.players.iter().filter(|player| player.is_elsewhere());
    u32::try_from(without.count()).unwrap_or(u32::MAX)
}

/// The number of slots beside those on cores, for games that need no core. 0 where `run.concurrency` is a number,
/// because that counts all games.
pub fn slots(setup: &Setup) -> u32 {
    if setup.run.concurrency.is_some() {
        return 0;
    }
    let mut players: BTreeMap<Service<'_>, u32> = BTreeMap::new();
    for service in setup.players.iter().filter_map(Service::of) {
        *players.entry(service).or_default() += 1;
    }
    let bounds = |has_several: bool| {
        let chosen = players
            .iter()
            .filter(move |(_, players)| (**players > 1) == has_several);
        chosen.map(|(service, _)| service.most(setup))
    };
    let sum = |has_several: bool| bounds(has_several).fold(0, u32::saturating_add);
    // A game between two players who are each alone at their service counts at both services. Against a player of a
    // fuller service it adds no game there.
    let (alone, largest) = (sum(false), bounds(false).max().unwrap_or(0));
    let by_services = sum(true).saturating_add((alone / 2).min(alone - largest));
    by_services.min(of_pairs(setup, without_core(setup) / 2, setup.most_games()))
}

/// The games that `pairs` pairs can play at once, each pair at most `games`.
pub(crate) fn of_pairs(setup: &Setup, pairs: u32, games: u32) -> u32 {
    let of_pair = setup.run.max_games_per_player.map_or(games, |most| most.min(games));
    pairs.saturating_mul(of_pair)
}

/// What a slot of one kind may take while these games are being played.
pub(crate) struct Free<'a> {
    state: &'a State,
    takes: Takes,
    /// The games at once that each service still allows; only where that matters.
    left: BTreeMap<Service<'a>, u32>,
}

impl<'a> Free<'a> {
    pub(crate) fn new(state: &'a State, playing: &BTreeSet<GameId>, takes: Takes) -> Self {
        let mut free = Self {
            state,
            takes,
            left: BTreeMap::new(),
        };
        if takes == Takes::Beside {
            for board in playing.iter().filter_map(|id| state.mini_match(*id)) {
                let services = free.services([board.pair.white, board.pair.black]);
                for service in services.into_iter().flatten() {
                    let most = || service.most(state.setup());
                    let left = free.left.entry(service).or_insert_with(most);
                    *left = left.saturating_sub(1);
                }
            }
        }
        free
    }

    /// True if the slot may take a game between these two.
    pub(crate) fn takes(&self, players: [PairingNumber; 2]) -> bool {
        match self.takes {
            Takes::All => return true,
            Takes::Programs => {
                let mut players = players.into_iter().map(|player| self.state.player(player));
                return players.all(|player| Service::of(player).is_none());
            }
            Takes::OnCores | Takes::Beside => {}
        }
        match self.services(players) {
            None => self.takes == Takes::OnCores,
            Some(services) => {
                self.takes == Takes::Beside && services.iter().all(|service| self.left.get(service) != Some(&0))
            }
        }
    }

    /// The services at which a game between these two is played, each once; `None` if the game needs a core.
    fn services(&self, players: [PairingNumber; 2]) -> Option<BTreeSet<Service<'a>>> {
        let of_each = players.map(|player| Service::of(self.state.player(player)));
        of_each.into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
