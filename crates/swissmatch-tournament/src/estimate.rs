//! The likely use and cost of an event's calls to models: a range, from games of its players that were played.
//!
//! The range takes the least and the most that a player used in one of those games, times all the games it will play.
//! Calls that a service did not answer count as requests alone. May not: guess what was not measured.

use std::collections::BTreeMap;

use swiss_system::pairing::rounds::TournamentFormat;
use swissmatch_game::Side;
use swissmatch_game::record::{GameRecord, ServiceCall};

use super::director::table;
use super::duration::{most_attempts, most_moves};
use super::roster;
use super::setup::{MoveSource, PlayerKeys, Price, Setup, Tokens};
use super::stage::Stage;

/// A number of which the least and the greatest value are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    pub least: u64,
    pub most: u64,
}

impl Range {
    fn of(numbers: impl Iterator<Item = u64> + Clone) -> Option<Self> {
        Some(Self {
            least: numbers.clone().min()?,
            most: numbers.max()?,
        })
    }

    fn times(self, games: u32) -> Self {
        Self {
            least: self.least.saturating_mul(games.into()),
            most: self.most.saturating_mul(games.into()),
        }
    }

    /// The sum of two ranges.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }
}

/// What a player used in a game; `None` where its service did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct GameUsage {
    requests: u64,
    input: Option<u64>,
    output: Option<u64>,
    /// In millionths of the unit of the prices.
    cost: Option<u64>,
}

impl GameUsage {
    fn of(record: &GameRecord, side: Side, price: Option<Price>) -> Self {
        let calls = || record.calls.list.iter().filter(|call| call.side == side);
        let sum = |what: &dyn Fn(&ServiceCall) -> Option<u64>| {
            let answered = calls().filter(|call| call.failed.is_none());
            answered.map(what).sum::<Option<u64>>()
        };
        let cost = |call: &ServiceCall| {
            let by_price = price.and_then(|price| {
                let cached = Tokens(call.cached.unwrap_or(0));
                Some(price.of(Tokens(call.input?), cached, Tokens(call.output?)).0)
            });
            by_price.or(call.cost)
        };
        Self {
            requests: calls().map(|call| u64::from(call.tries)).sum(),
            input: sum(&|call| call.input),
            output: sum(&|call| call.output),
            // A game without a call says nothing about the cost of one.
            cost: sum(&cost).filter(|_| price.is_some() || calls().next().is_some()),
        }
    }

    /// Scales the figures from a game of `played` plies to one of `whole` plies.
    fn over(self, (whole, played): (u32, u32)) -> Self {
        let grown = |number: u64| {
            let all = u128::from(number) * u128::from(whole.max(played)) / u128::from(played.max(1));
            u64::try_from(all).unwrap_or(u64::MAX)
        };
        Self {
            requests: grown(self.requests),
            input: self.input.map(grown),
            output: self.output.map(grown),
            cost: self.cost.map(grown),
        }
    }
}

/// Games that were played, by the players who asked a model in them.
#[derive(Clone, Debug, Default)]
pub struct MeasuredUsage {
    of_player: BTreeMap<String, Vec<GameUsage>>,
}

impl MeasuredUsage {
    /// Adds a game between these two players of an event, White first, if they ask the same models as in this event.
    /// `plies` are those that the whole game would have had, and those played.
    pub fn add(&mut self, event: &Setup, players: [&PlayerKeys; 2], record: &GameRecord, plies: (u32, u32)) {
        for (side, player) in Side::BOTH.into_iter().zip(players) {
            let is_same = |own: &&PlayerKeys| own.name == player.name && own.model == player.model;
            let Some(own) = event.players.iter().find(is_same) else {
                continue;
            };
            if own.model.is_some() && record.termination.was_played() {
                let used = GameUsage::of(record, side, price(event, own)).over(plies);
                self.of_player.entry(own.name.clone()).or_default().push(used);
            }
        }
    }
}

/// What is known about a model of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerEstimate {
    pub name: String,
    /// The number of games that it will play; the mean over all players where that depends on results.
    pub games: u32,
    /// Its games that were measured.
    pub measured: usize,
    /// Requests. Here and below, `None` means unknown.
    pub requests: Option<Range>,
    /// Tokens of prompts.
    pub input: Option<Range>,
    /// Tokens of answers.
    pub output: Option<Range>,
    /// In millionths of the unit of the prices.
    pub cost: Option<Range>,
    /// The most tokens of answers that the keys allow, where moves are capped.
    pub most_output: Option<u64>,
}

/// A sum over players, which may be unknown for some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The sum over the players for whom it is known; `None` if there are none.
    pub known: Option<Range>,
    /// The number of players for whom it is unknown.
    pub unknown: usize,
}

/// What the models of an event are likely to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// In the order of the event file.
    pub players: Vec<PlayerEstimate>,
}

impl Estimate {
    /// The estimate for an event; `None` where no model plays.
    pub fn new(setup: &Setup, measured: &MeasuredUsage) -> Option<Self> {
        let games = games_of_each(setup);
        let models = setup
            .players
            .iter()
            .zip(games)
            .filter(|(player, _)| player.model.is_some());
        let players: Vec<PlayerEstimate> = models
            .map(|(player, games)| of_player(setup, measured, player, games))
            .collect();
        (!players.is_empty()).then_some(Self { players })
    }

    /// The sum of one figure over all players.
    pub fn total(&self, what: impl Fn(&PlayerEstimate) -> Option<Range>) -> Total {
        self.players
            .iter()
            .fold(Total::default(), |total, player| match what(player) {
                None => Total {
                    unknown: total.unknown + 1,
                    ..total
                },
                Some(range) => Total {
                    known: Some(total.known.unwrap_or_default().and(range)),
                    ..total
                },
            })
    }
}

fn of_player(setup: &Setup, measured: &MeasuredUsage, player: &PlayerKeys, games: u32) -> PlayerEstimate {
    let used = measured.of_player.get(&player.name).map_or(&[][..], Vec::as_slice);
    let range = |what: fn(&GameUsage) -> Option<u64>| {
        let known = used.iter().filter_map(what);
        Range::of(known).map(|of_game| of_game.times(games))
    };
    PlayerEstimate {
        name: player.name.clone(),
        games,
        measured: used.len(),
        requests: range(|used| Some(used.requests)),
        input: range(|used| used.input),
        output: range(|used| used.output),
        cost: range(|used| used.cost),
        most_output: most_output(setup, player).map(|of_game| of_game.saturating_mul(games.into())),
    }
}

/// The most tokens of a player's answers in a game, where its moves are capped.
fn most_output(setup: &Setup, player: &PlayerKeys) -> Option<u64> {
    let answers = u64::from(most_moves(setup)?) * u64::from(most_attempts(setup));
    Some(setup.model(player).max_tokens.saturating_mul(answers))
}

/// The price at the endpoint of a model.
fn price(setup: &Setup, player: &PlayerKeys) -> Option<Price> {
    match player.asks()? {
        MoveSource::Model(endpoint, _) => setup.endpoint(endpoint)?.price,
        MoveSource::Command(_) | MoveSource::Url(_) => None,
    }
}

/// The number of games of each player, in the order of the file: from the table of a format that has one, otherwise the
/// mean over all who play in the stage.
fn games_of_each(setup: &Setup) -> Vec<u32> {
    let mut games = vec![0_u32; setup.players.len()];
    let order = roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
    for stage in setup.stages() {
        let is_own = |entry: &usize| {
            let player = &setup.players[*entry];
            stage
                .section
                .is_none_or(|section| setup.section_of(player) == Ok(section))
        };
        let own: Vec<usize> = order.iter().copied().filter(is_own).collect();
        let rounds = by_table(&stage, own.len());
        if rounds.is_empty() {
            let sides = 2 * stage.games_of(stage.rounds);
            let mean = sides.div_ceil(u64::try_from(own.len().max(1)).unwrap_or(u64::MAX));
            for entry in own {
                games[entry] = games[entry].saturating_add(u32::try_from(mean).unwrap_or(u32::MAX));
            }
            continue;
        }
        for player in rounds {
            games[own[player]] = games[own[player]].saturating_add(stage.most_games());
        }
    }
    games
}

/// Both players of each mini-match of a stage, by places in the starting order; empty where the table is not known in
/// advance.
fn by_table(stage: &Stage, players: usize) -> Vec<usize> {
    let format = stage.format.plan(stage.players).format;
    let has_table = matches!(format, TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet);
    if !has_table || stage.rounds_before > 0 || stage.house {
        return Vec::new();
    }
    let rounds = table(format, stage.format, players);
    let pairs = rounds.iter().flat_map(|round| &round.pairs);
    pairs
        .flat_map(|pair| [pair.white.index(), pair.black.index()])
        .collect()
}

#[cfg(test)]
mod tests;
