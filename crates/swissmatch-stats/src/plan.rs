//! What an event can show: how often the best of agents with known strengths would win it.
//!
//! May not: know who the agents are.

pub mod stopping;

use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};
use rand_pcg::Pcg64;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;
use swiss_system::standings::Standings;

use super::simulate::{Event, Play, first_rounds};
use super::stream::stream;

/// The number of the best that are looked at together.
pub const TOP: usize = 3;

/// The strengths of the agents, in Elo.
#[derive(Clone, Debug, PartialEq)]
pub enum Strengths {
    /// Drawn anew for each event from a normal distribution.
    Drawn {
        /// Its standard deviation.
        spread: f64,
        /// This many pairing numbers, from 1 on, were given by rating, highest first; the others by lot.
        rated: usize,
    },
    /// Ratings by pairing number.
    Known(Vec<f64>),
}

/// The assumptions of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct StrengthAssumptions {
    pub strengths: Strengths,
    /// Standard deviation of a rating from the strength, in Elo.
    pub rating_error: f64,
    /// The share of draws between equals, 0 to 1.
    pub draws: f64,
}

/// The outcome of the simulated events of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SimulatedLength {
    pub rounds: u32,
    /// Games of a mini-match.
    pub games: u32,
    /// Events that were played to their end.
    pub events: u32,
    /// Events in which a round had no legal pairing.
    pub unpaired: u32,
    /// Events that the strongest agent won.
    pub best_wins: u32,
    /// Events whose first three were the strongest three.
    pub top_three: u32,
    /// Those of `top_three` with the three in the right order.
    pub in_order: u32,
}

impl SimulatedLength {
    fn add(self, other: Self) -> Self {
        Self {
            events: self.events + other.events,
            unpaired: self.unpaired + other.unpaired,
            best_wins: self.best_wins + other.best_wins,
            top_three: self.top_three + other.top_three,
            in_order: self.in_order + other.in_order,
            ..self
        }
    }
}

/// Plays this many events with mini-matches of this many games, and looks at them after each of these numbers of
/// rounds, which ascend. `progress` is called for each event. Equal seeds give equal counts on any number of threads;
/// the strengths of an event do not depend on its games and rounds.
pub fn simulate(
    event: &Event,
    assumed: &StrengthAssumptions,
    (games, rounds): (u32, &[u32]),
    rng_seed: u64,
    events: u32,
    progress: impl Fn() + Sync,
) -> Vec<SimulatedLength> {
    let first = first_rounds(event, rounds);
    let players = event.history.players.len();
    let nothing = || -> Vec<SimulatedLength> {
        let empty = |&rounds| SimulatedLength {
            rounds,
            games,
            ..SimulatedLength::default()
        };
        rounds.iter().map(empty).collect()
    };
    let one = |number: u32| {
        let (strengths, lots) = field(assumed, players, rng_seed, number);
        let play = Play {
            event,
            first: &first,
            games,
            strengths: &strengths,
            draws: assumed.draws,
            lots: &lots,
        };
        let standings = play.standings(rounds, &stream(rng_seed, "plan: games", number));
        progress();
        let judged = nothing().into_iter().zip(standings);
        judged
            .map(|(empty, standings)| empty.add(judge(standings.as_ref(), &strengths)))
            .collect()
    };
    let add = |one: Vec<SimulatedLength>, other: Vec<SimulatedLength>| {
        one.into_iter().zip(other).map(|(one, other)| one.add(other)).collect()
    };
    (0..events).into_par_iter().map(one).reduce(nothing, add)
}

/// The players of event `number`: their strengths by pairing number, and the order by lot.
fn field(assumed: &StrengthAssumptions, players: usize, rng_seed: u64, number: u32) -> (Vec<f64>, Vec<u32>) {
    let mut chance = stream(rng_seed, "plan: field", number);
    let strengths = strengths(assumed, players, &mut chance);
    (strengths, lots(players, &mut chance))
}

/// Strengths by pairing number.
fn strengths(assumed: &StrengthAssumptions, players: usize, chance: &mut Pcg64) -> Vec<f64> {
    let mut normal = |deviation: f64| {
        let standard: f64 = StandardNormal.sample(chance);
        standard * deviation
    };
    match &assumed.strengths {
        Strengths::Known(ratings) => ratings
            .iter()
            .map(|rating| rating + normal(assumed.rating_error))
            .collect(),
        Strengths::Drawn { spread, rated } => {
            let mut drawn: Vec<(f64, f64)> = (0..players)
                .map(|_| {
                    let strength = normal(*spread);
                    (strength, strength + normal(assumed.rating_error))
                })
                .collect();
            drawn[..*rated].sort_by(|(_, one), (_, other)| other.total_cmp(one));
            drawn.into_iter().map(|(strength, _)| strength).collect()
        }
    }
}

/// An order by lot: in a simulated event it settles everything that no criterion settles.
fn lots(players: usize, chance: &mut Pcg64) -> Vec<u32> {
    let mut lots: Vec<u32> = (0..).take(players).collect();
    for last in (1..players).rev() {
        let other = chance.random_range(0..=u32::try_from(last).expect("few players"));
        lots.swap(last, other as usize);
    }
    lots
}

/// Counts one event.
fn judge(standings: Option<&Standings>, strengths: &[f64]) -> SimulatedLength {
    let Some(standings) = standings else {
        return SimulatedLength {
            unpaired: 1,
            ..SimulatedLength::default()
        };
    };
    let mut best = strengths.to_vec();
    best.sort_by(|one, other| other.total_cmp(one));
    best.truncate(TOP);
    let mut first: Vec<f64> = standings
        .rows
        .iter()
        .take(TOP)
        .map(|row| strengths[row.player.index()])
        .collect();
    // By strength instead of by number: equals may replace each other.
    let (best_wins, in_order) = (first.first() == best.first(), first == best);
    first.sort_by(|one, other| other.total_cmp(one));
    SimulatedLength {
        events: 1,
        best_wins: u32::from(best_wins),
        top_three: u32::from(first == best),
        in_order: u32::from(in_order),
        ..SimulatedLength::default()
    }
}

#[cfg(test)]
mod tests;
